#!lua
-- Stores tasks, each by itself: an order, at most 100 of them.
local now = moment(text())
local pendingMax, reserve = number(), number()
local tasks = {}
for n = 1, number() do
  local fixed = text()
  local task = cjson.decode(fixed)
  task.texts = { fixed }
  tasks[n] = { task = task, more = record(), key = record() }
end

-- The first state follows from the chain and the delay; the number is the newcomer's place.
local function store(task, more, key)
  local delayMs = tonumber(more.delayMs or 0)
  if more.deadlineMs then task.deadlineAt = now + more.deadlineMs end
  -- Among equals the newcomer is the last.
  task.seq = math.huge
  local isBehind = standsBehind(task, now)
  task.seq = FIRST_SEQ + call('INCR', P .. 'tasks')
  if delayMs > 0 then task.dueAt = now + delayMs end
  task.state = isBehind and 'blocked' or (delayMs > 0 and 'waiting' or 'queued')
  if task.state == 'queued' then task.readyAt = now end
  task.version, task.epoch, task.deliveries, task.attempts = 1, 0, 0, 0
  task.createdAt, task.updatedAt = now, now
  call('HSET', keyOf('task', task), 'fixed', task.texts[1], 'payload', more.payload)
  saveTask(task)
  if key.key then
    local named = keyNamed(key.scope, key.key)
    call('HSET', keyOf('task', task), 'key', named, 'keyUntil', now + key.ttlMs)
    keepKey(named, {
      fingerprint = key.fingerprint, pinned = key.pinned, token = task.taskId, answer = key.answer,
    })
  end
  call('HSET', P .. 'ids:' .. task.tenant, task.taskId, task.seq)
  call('ZADD', P .. 'trace:' .. join(task.tenant, task.traceId), task.seq, task.seq)
  if task.parentId then
    call('ZADD', P .. 'children:' .. join(task.tenant, task.parentId), task.seq, task.seq)
  end
  if task.chain then
    call('ZADD', P .. 'chain:' .. chainOf(task), task.seq, task.seq)
    call('ZADD', P .. 'place:' .. placeOf(task), task.seq, task.seq)
  end
  enter(task)
  joinQueue(task)
  if task.chain and hasTurn(task) then call('SET', P .. 'turn:' .. chainOf(task), task.seq) end
  writeLine(task, { cause = 'submitted', agentId = task.agentId })
end

local function submit(entry)
  local task, more, key = entry.task, entry.more, entry.key
  local known = findTask(task.tenant, task.taskId)
  if known then
    return { known.fingerprint == task.fingerprint and 'same' or 'conflict', rowOf(known) }
  end
  if key.key then
    local _, fields = keyNamed(key.scope, key.key)
    local held = present(fields, now)
    if held then return { 'key-held', held } end
  end
  local parent = task.parentId and findTask(task.tenant, task.parentId)
  if parent and parent.state == 'cancelled' then return { 'parent-cancelled', rowOf(parent) } end
  task.agentId, task.group, task.home = more.agentId, more.group, more.home
  task.effect, task.onDead = more.effect, more.onDead
  local pending, ahead = fullnessOf(task)
  local room = pendingMax + (task.priority == 10 and reserve or 0)
  if pending >= room then return { 'busy', pending } end
  store(task, more, key)
  return { 'accepted', rowOf(task), ahead }
end

local answers = {}
for n, entry in ipairs(tasks) do answers[n] = submit(entry) end
return answers
