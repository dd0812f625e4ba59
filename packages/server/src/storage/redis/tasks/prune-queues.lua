#!lua flags=allow-oom
-- Forgets queues in which no task lives, some at a time; answers how many were looked at.
local limit = number()
local idle = call('SPOP', P .. 'idle', limit)
for _, queue in ipairs(idle) do
  if call('EXISTS', P .. 'living:' .. queue) == 0 then
    call('DEL', P .. 'queue:' .. queue)
    call('ZREM', P .. 'queues', queue)
  end
end
return #idle
