#!lua flags=no-writes
-- One slice of a search: some members of a tenant's index between two bounds, the newest or the
-- oldest first, each with its text.
local log, tenant, order = text(), text(), text()
local from, to, size = text(), text(), number()
local command = order == 'newest' and 'ZREVRANGEBYLEX' or 'ZRANGEBYLEX'

local found = {}
for n, member in ipairs(call(command, P .. log .. ':' .. tenant, from, to, 'LIMIT', 0, size)) do
  local seq = tonumber(string.sub(member, -16))
  found[n] = { member, seq, bodyAt(log, seq) }
end
return found
