#!lua flags=allow-oom
-- Forgets those whose time to be kept is over, and takes out of the lists those that expired.
local limit = number()
local now = moment(text())
for _, named in ipairs(call('ZRANGEBYSCORE', P .. 'confirms-open', '-inf', now, 'LIMIT', 0, limit)) do
  unlist(named, fieldsOf(call('HGETALL', P .. 'confirm:' .. named)))
end
local old = call('ZRANGEBYSCORE', P .. 'confirms-kept', '-inf', now, 'LIMIT', 0, limit)
for _, named in ipairs(old) do
  -- One that was never seen expired is still listed.
  unlist(named, fieldsOf(call('HGETALL', P .. 'confirm:' .. named)))
  call('DEL', P .. 'confirm:' .. named)
  drop(P .. 'confirms-kept', named)
end
return #old
