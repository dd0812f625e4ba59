#!lua flags=allow-oom
-- Forgets a segment and whatever is before it; answers how many records went.
local tenant, last = text(), number()
call('ZREM', P .. 'audit-segments', string.format('%016d', last) .. tenant)
return call('XTRIM', P .. 'audit-chain:' .. tenant, 'MINID', string.format('%d-0', last + 1))
