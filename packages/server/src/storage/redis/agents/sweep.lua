#!lua flags=allow-oom
-- Takes away instances whose lease ended long ago, the longest gone first.
local goneForMs, limit = number(), number()
local gone = moment(text()) - goneForMs
local names = call('ZRANGEBYSCORE', P .. 'leases', '-inf', gone, 'LIMIT', 0, limit)
for _, named in ipairs(names) do dropInstance(unpack(cjson.decode(named))) end
return names
