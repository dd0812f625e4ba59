#!lua flags=no-writes
-- Records of a chain by their numbers.
local tenant, after, limit = text(), number(), number()
local first = string.format('%d-0', after + 1)
local found = {}
for n, entry in ipairs(call('XRANGE', P .. 'audit-chain:' .. tenant, first, '+', 'COUNT', limit)) do
  local row = fieldsOf(entry[2])
  found[n] = { entry[1], row.prev, row.hash, row.body }
end
return found
