-- What people do to a task, and the gateway on their behalf.
local EDITS_MAX = 20

-- Something about a task that leaves its state alone, but may change the moment by which it is found.
local function note(task, line, now)
  task.version, task.updatedAt = task.version + 1, now
  local index, at = momentOf(task)
  put(index, at, task.seq)
  line.from = task.state
  saveWith(line, task)
end

local function replacePayload(task, edit, now)
  note(task, { cause = 'edited', by = edit.by, reason = edit.reason }, now)
  local before = call('HGET', task.key, 'payload')
  call('LPUSH', keyOf('edits', task), cjson.encode({
    version = task.version, at = now, by = edit.by, reason = edit.reason, payload = before,
  }))
  call('LTRIM', keyOf('edits', task), 0, EDITS_MAX - 1)
  call('HSET', task.key, 'payload', edit.payload)
end

local function decided(task, following)
  return { 'ok', rowOf(task), following and rowOf(following) }
end
