#!lua flags=allow-oom
-- Forgets tasks that ended, or died, before a moment, with all that belongs to them.
local index, before, limit = text(), text(), number()
local now = moment(text())

local PARTS = { 'task', 'orphans', 'edits' }

local function forget(task)
  local seq = task.seq
  -- When its key may go was written with the task: never before the task itself.
  local named, endsAt = unpack(call('HMGET', task.key, 'key', 'keyUntil'))
  if named then expireAt(named, tonumber(endsAt)) end
  call('HDEL', IDS[task.tenant], task.taskId)
  drop(P .. 'trace:' .. join(task.tenant, task.traceId), seq)
  if task.parentId then
    drop(P .. 'children:' .. join(task.tenant, task.parentId), seq)
  end
  if task.chain then
    drop(P .. 'chain:' .. chainOf(task), seq)
    drop(P .. 'place:' .. placeOf(task), seq)
  end
  leave(task)
  if not ENDS[task.state] then leaveQueue(task) end
  for _, part in ipairs(PARTS) do call('DEL', keyOf(part, task)) end
end

local forgotten, freed = call('ZRANGEBYSCORE', P .. index, '-inf', '(' .. before, 'LIMIT', 0, limit), {}
for _, seq in ipairs(forgotten) do
  local task = taskAt(seq)
  forget(task)
  if task.chain and hasTurn(task) then
    call('DEL', P .. 'turn:' .. chainOf(task))
    freed[#freed + 1] = passTurn(task, now)
  end
end
return { #forgotten, rowsOf(stillReady(freed)) }
