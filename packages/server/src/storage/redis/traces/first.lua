#!lua flags=no-writes
-- How many texts a log keeps, and the first of them.
local log, size = text(), number()
local found = {}
for n, entry in ipairs(call('XRANGE', P .. log, '-', '+', 'COUNT', size)) do
  found[n] = { entry[1], fieldsOf(entry[2]).body }
end
return { call('XLEN', P .. log), found }
