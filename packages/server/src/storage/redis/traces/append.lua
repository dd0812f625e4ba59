#!lua
-- Keeps some texts, each under its words.
local log = text()
local entries = {}
for n = 1, number() do
  entries[n] = { tenant = text(), at = number(), body = text(), words = list() }
end

for _, entry in ipairs(entries) do
  local seq = call('INCR', P .. log .. '-count')
  call('XADD', P .. log, seq .. '-0', 'body', entry.body)
  call('ZADD', P .. log .. '-tenants', 0, entry.tenant)
  local place = placeOf(entry.at, seq)
  for _, word in ipairs(entry.words) do
    call('ZADD', P .. log .. ':' .. entry.tenant, 0, word .. place)
  end
end
return #entries
