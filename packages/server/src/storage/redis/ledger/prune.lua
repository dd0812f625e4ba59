#!lua flags=allow-oom
-- Forgets expired keys.
local limit = number()
local now = moment(text())
local expired = call('ZRANGEBYSCORE', P .. 'keys', '-inf', now, 'LIMIT', 0, limit)
for _, named in ipairs(expired) do forgetKey(named) end
return #expired
