#!lua flags=no-writes
-- Where a chain stands; nothing, if there is none.
local tenant = text()
local is = call('HMGET', P .. 'audit-head:' .. tenant, 'seq', 'hash', 'sealed', 'sealed_at')
if not is[1] then return {} end
return { is[1], is[2], is[3] or '0', is[4] or '0' }
