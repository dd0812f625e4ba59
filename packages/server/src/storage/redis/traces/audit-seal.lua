#!lua
-- Keeps a seal, if it begins where the last one ended. Two sets: seals by the number they end with, for
-- ever, and segments by age, until their records go.
local tenant, first, last, at, body = text(), number(), number(), text(), text()
local head = P .. 'audit-head:' .. tenant
if tonumber(call('HGET', head, 'sealed') or '0') + 1 ~= first then return { 'conflict' } end
if call('HEXISTS', head, 'seq') == 0 then return { 'conflict' } end
call('ZADD', P .. 'audit-seals:' .. tenant, string.format('%d', last), body)
call('ZADD', P .. 'audit-segments', at, string.format('%016d', last) .. tenant)
call('HSET', head, 'sealed', string.format('%d', last), 'sealed_at', at)
return { 'stored' }
