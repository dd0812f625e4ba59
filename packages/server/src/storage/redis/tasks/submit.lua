#!lua
-- Stores tasks, each by itself: an order, at most 100 of them.
local now = moment(text())
local pendingMax, reserve = number(), number()
local tasks = {}
for n = 1, number() do
  local fixed = text()
  local task = newTask(cjson.decode(fixed), cjson.decode(text()))
  task.texts = { fixed }
  tasks[n] = { task = task, payload = text(), key = record() }
end

-- The first state follows from the chain and the delay; the number is the newcomer's place.
local function store(task, payload, key)
  local delayMs = task.delayMs or 0
  if task.deadlineMs then task.deadlineAt = now + task.deadlineMs end
  -- Among equals the newcomer is the last.
  task.seq = LAST_SEQ
  local isBehind = standsBehind(task, now)
  task.seq = nextSeq()
  task.key = keyOf('task', task)
  if delayMs > 0 then task.dueAt = now + delayMs end
  task.state = isBehind and 'blocked' or (delayMs > 0 and 'waiting' or 'queued')
  if task.state == 'queued' then task.readyAt = now end
  task.version, task.epoch, task.deliveries, task.attempts = 1, 0, 0, 0
  task.createdAt, task.updatedAt = now, now
  local line = { cause = 'submitted', agentId = task.agentId }
  saveWith(line, task, 'fixed', task.texts[1], 'payload', payload)
  if key.key then
    local named = join(key.scope, key.key)
    call('HSET', task.key, 'key', named, 'keyUntil', now + key.ttlMs)
    keepKey(named, {
      fingerprint = key.fingerprint, pinned = key.pinned, token = task.taskId, answer = key.answer,
    })
  end
  call('HSET', IDS[task.tenant], task.taskId, task.seq)
  put(P .. 'trace:' .. join(task.tenant, task.traceId), task.seq, task.seq)
  if task.parentId then
    put(P .. 'children:' .. join(task.tenant, task.parentId), task.seq, task.seq)
  end
  if task.chain then
    put(P .. 'chain:' .. chainOf(task), task.seq, task.seq)
    put(P .. 'place:' .. placeOf(task), task.seq, task.seq)
  end
  enter(task)
  joinQueue(task)
  if task.chain and hasTurn(task) then call('SET', P .. 'turn:' .. chainOf(task), task.seq) end
end

local function submit(entry)
  local task, key = entry.task, entry.key
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
  local pending, ahead = fullnessOf(task)
  local room = pendingMax + (task.priority == 10 and reserve or 0)
  if pending >= room then return { 'busy', pending } end
  store(task, entry.payload, key)
  -- The rest of the row is known to whoever sent it.
  return { 'accepted', task.texts[2], ahead }
end

local answers = {}
for n, entry in ipairs(tasks) do answers[n] = submit(entry) end
return answers
