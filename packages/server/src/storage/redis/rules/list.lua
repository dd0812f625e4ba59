#!lua flags=no-writes
-- The present version of some documents, from a name on.
local tenant, after, limit = text(), text(), number()
local from = after == '' and '-' or '(' .. after
local rows = {}
for n, name in ipairs(call('ZRANGEBYLEX', P .. 'rules:' .. tenant, from, '+', 'LIMIT', 0, limit)) do
  rows[n] = call('LINDEX', P .. 'rule:' .. join(tenant, name), 0)
end
return rows
