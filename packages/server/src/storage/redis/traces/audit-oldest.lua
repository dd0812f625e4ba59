#!lua flags=no-writes
-- The segment that was sealed first, of those whose records are there; nothing, if that was not before
-- a moment. Of one moment the one with the lower numbers is first.
local before = text()
local oldest = call('ZRANGEBYSCORE', P .. 'audit-segments', '-inf', '(' .. before, 'LIMIT', 0, 1)[1]
if not oldest then return {} end
return { string.sub(oldest, 17), string.format('%d', tonumber(string.sub(oldest, 1, 16))) }
