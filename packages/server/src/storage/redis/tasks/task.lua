-- A task is a hash of a few texts. `fixed` is JSON by TypeScript of what never changes, `moving` JSON
-- of what moves may change: the values of FIXED and MOVING (names.ts), in that order. Both are answered
-- as they are, for a row of thirty fields costs more on its way through Lua than all else that a move
-- does. Payload and result stand beside them, and the history: one line a version, so that a move is
-- one write. Its number, `seq`, names all that belongs to a task. Numbers begin at 10^12, so that as
-- text, which they are here, they sort as they do as numbers: ties of a sorted set go by its members'
-- bytes.

local FIRST_SEQ = 1000000000000

-- Behind every task that there is.
local LAST_SEQ = '9999999999999'

local function nextSeq()
  return string.format('%d', FIRST_SEQ + call('INCR', P .. 'tasks'))
end

local function keyOf(part, task)
  return P .. part .. ':' .. task.seq
end

-- Names and keys that come again and again in a script, each put together once.
local function remembered(make)
  return setmetatable({}, {
    __index = function(known, part)
      local made = make(part)
      known[part] = made
      return made
    end,
  })
end

local INDEX = remembered(function(name) return P .. name end)
local LINE_NAMES = remembered(function(version) return 'line' .. version end)
local IDS = remembered(function(tenant) return P .. 'ids:' .. tenant end)
local STATES = remembered(function(tenant)
  return remembered(function(state) return P .. 'state:' .. state .. ':' .. tenant end)
end)

-- The task of a number that an index gave; and whatever others of its fields are asked for.
local function taskAt(seq, ...)
  local key = P .. 'task:' .. seq
  local fixed, moving, more = unpack(call('HMGET', key, 'fixed', 'moving', ...))
  if not fixed then error('an index names task ' .. seq .. ', which is not there') end
  local task = taskOf(cjson.decode(fixed), cjson.decode(moving))
  task.key, task.seq, task.texts = key, seq, { fixed, moving }
  return task, more
end

local function findTask(tenant, taskId)
  local seq = call('HGET', IDS[tenant], taskId)
  return seq and taskAt(seq)
end

-- Writes what moves may change, and whatever other fields there are.
local function saveTask(task, ...)
  task.texts[2] = movingText(task)
  call('HSET', task.key, 'moving', task.texts[2], ...)
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
  return call('HGET', task.key, 'result')
end

-- Of a long history the first line is kept, and the last 255.
local LINES_MAX = 256

-- Writes a task with the line of its present version, and whatever other fields there are.
local function saveWith(line, task, ...)
  local version = task.version
  local text = lineText({
    version = version, at = task.updatedAt, to = task.state, epoch = task.epoch, holder = task.holder,
    from = line.from, cause = line.cause, by = line.by, reason = line.reason, agentId = line.agentId,
  })
  saveTask(task, LINE_NAMES[version], text, ...)
  local tooOld = version - LINES_MAX + 1
  if tooOld > 1 then call('HDEL', task.key, LINE_NAMES[tooOld]) end
end

-- The lines of a task, oldest first.
local function linesOf(task)
  local names = { 'line1' }
  for version = math.max(2, task.version - LINES_MAX + 2), task.version do
    names[#names + 1] = 'line' .. version
  end
  return call('HMGET', task.key, unpack(names))
end
