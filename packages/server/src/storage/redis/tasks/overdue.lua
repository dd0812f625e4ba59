#!lua flags=allow-oom
-- Fails what is past its deadline.
local now = moment(text())
local limit = number()

local overdue, freed = {}, {}
for n, seq in ipairs(call('ZRANGEBYSCORE', P .. 'deadlines', '-inf', now, 'LIMIT', 0, limit)) do
  -- Read here and not before: the end of one may have given the next one its turn.
  local task = taskAt(seq)
  freed[#freed + 1] = move(task, { cause = 'timeout', now = now })
  overdue[n] = task
end
return { rowsOf(overdue), rowsOf(stillReady(freed)) }
