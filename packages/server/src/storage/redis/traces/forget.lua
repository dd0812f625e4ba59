#!lua flags=allow-oom
-- Forgets some texts with their words; answers how many were there.
local log = text()
local entries = {}
for n = 1, number() do
  entries[n] = { tenant = text(), at = number(), seq = number(), words = list() }
end

local forgotten = 0
for _, entry in ipairs(entries) do
  local index, place = P .. log .. ':' .. entry.tenant, placeOf(entry.at, entry.seq)
  for _, word in ipairs(entry.words) do call('ZREM', index, word .. place) end
  if call('EXISTS', index) == 0 then call('ZREM', P .. log .. '-tenants', entry.tenant) end
  forgotten = forgotten + call('XDEL', P .. log, entry.seq .. '-0')
end
return forgotten
