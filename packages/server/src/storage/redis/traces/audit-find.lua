#!lua flags=no-writes
-- One slice of a search in the records of a chain, as `find.lua` does it.
local tenant, from, to, size = text(), text(), text(), number()
local found = {}
local members = call('ZREVRANGEBYLEX', P .. 'audit-index:' .. tenant, from, to, 'LIMIT', 0, size)
for n, member in ipairs(members) do
  local id = string.format('%d-0', tonumber(string.sub(member, -16)))
  local entry = call('XRANGE', P .. 'audit-chain:' .. tenant, id, id)[1]
  found[n] = { member, entry and fieldsOf(entry[2]).body }
end
return found
