-- A task is a hash of a few texts. `fixed` is JSON by TypeScript of what never changes, `moving` JSON
-- of what moves may change; both are answered as they are, for a row of thirty fields costs more on
-- its way through Lua than all else that a move does. Payload and result stand beside them. Its
-- number, `seq`, names all that belongs to a task. Numbers begin at 10^12, so that as text they sort as
-- they do as numbers: ties of a sorted set go by its members' bytes.

local FIRST_SEQ = 1000000000000

-- Whole numbers here have at most fourteen digits, which is what cjson writes of a number.
local MOVING = {
  'seq', 'state', 'cause', 'reason', 'version', 'epoch', 'deliveries', 'attempts', 'agentId', 'group',
  'home', 'effect', 'onDead', 'holder', 'leaseEndsAt', 'dueAt', 'readyAt', 'deadlineAt', 'progress', 'createdAt',
  'updatedAt', 'endedAt',
}

local function keyOf(part, task)
  return P .. part .. ':' .. task.seq
end

-- The task of a number that an index gave.
local function taskAt(seq)
  local fixed, moving = unpack(call('HMGET', P .. 'task:' .. seq, 'fixed', 'moving'))
  if not fixed then error('an index names task ' .. seq .. ', which is not there') end
  local task = cjson.decode(fixed)
  for name, value in pairs(cjson.decode(moving)) do task[name] = value end
  task.texts = { fixed, moving }
  return task
end

local function findTask(tenant, taskId)
  local seq = call('HGET', P .. 'ids:' .. tenant, taskId)
  return seq and taskAt(seq)
end

local function saveTask(task)
  local moving = {}
  for _, name in ipairs(MOVING) do moving[name] = task[name] end
  task.texts[2] = cjson.encode(moving)
  call('HSET', keyOf('task', task), 'moving', task.texts[2])
end

-- A task as it is answered: as it was read or saved last.
local function rowOf(task)
  return task.texts
end

local function rowsOf(tasks)
  local rows = {}
  for n, task in ipairs(tasks) do rows[n] = rowOf(task) end
  return rows
end

local function resultOf(task)
  return call('HGET', keyOf('task', task), 'result')
end

-- Of a long history the first line is kept, and the last 255.
local LINES_MAX = 256

-- Adds the line of the task's present version.
local function writeLine(task, line)
  line.version, line.at, line.to = task.version, task.updatedAt, task.state
  line.epoch, line.holder = task.epoch, task.holder
  local lines = keyOf('history', task)
  if call('RPUSH', lines, cjson.encode(line)) > LINES_MAX then
    local first = call('LPOP', lines)
    call('LPOP', lines)
    call('LPUSH', lines, first)
  end
end
