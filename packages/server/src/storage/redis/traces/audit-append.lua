#!lua
-- Appends records to a chain, if it still stands where they follow. A record that was kept before there
-- were chains goes from its old place.
local tenant, seq, hash = text(), number(), text()
local rows = {}
for n = 1, number() do
  rows[n] = {
    old = text(), at = number(), body = text(), prev = text(), hash = text(), words = list(),
  }
end

local head = P .. 'audit-head:' .. tenant
local is = call('HMGET', head, 'seq', 'hash')
if (is[1] or '0') ~= string.format('%d', seq) or (is[2] or hash) ~= hash then
  return { 'conflict', is[1] or '0', is[2] or '' }
end
for _, row in ipairs(rows) do
  -- Another gateway has taken it.
  local id = row.old .. '-0'
  if row.old ~= '-' and #call('XRANGE', P .. 'audit', id, id) == 0 then
    return { 'conflict', is[1] or '0', is[2] or '' }
  end
end

for _, row in ipairs(rows) do
  seq = seq + 1
  local place = placeOf(row.at, seq)
  local id = string.format('%d-0', seq)
  call('XADD', P .. 'audit-chain:' .. tenant, id, 'body', row.body, 'prev', row.prev, 'hash', row.hash)
  for _, word in ipairs(row.words) do
    call('ZADD', P .. 'audit-index:' .. tenant, 0, word .. place)
  end
  if row.old ~= '-' then
    local index, before = P .. 'audit:' .. tenant, placeOf(row.at, tonumber(row.old))
    for _, word in ipairs(row.words) do call('ZREM', index, word .. before) end
    if call('EXISTS', index) == 0 then call('ZREM', P .. 'audit-tenants', tenant) end
    call('XDEL', P .. 'audit', row.old .. '-0')
  end
end
call('HSET', head, 'seq', string.format('%d', seq), 'hash', rows[#rows].hash)
call('ZADD', P .. 'audit-chains', 0, tenant)
return { 'stored' }
