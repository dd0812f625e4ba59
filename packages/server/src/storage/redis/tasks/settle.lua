#!lua flags=allow-oom
-- Ends work, or gives it back.
local word = record()
local now = moment(word.now)
local delayMs = tonumber(word.delayMs or 0)

-- What the word does to the task; nil: nothing, its holder has no say any more.
local function verdictOf(task, standing)
  local isLate = standing == 'late'
  if standing ~= 'holds' and not isLate then return nil end
  if word['end'] == 'complete' then return isLate and 'completed-late' or 'completed' end
  if word['end'] == 'fail' and not word.retryable then return isLate and 'refused-late' or 'refused' end
  if isLate then return nil end
  if word['end'] == 'release' then return delayMs > 0 and 'postponed' or 'released' end
  local isCall = task.kind == 'call'
  if word['end'] == 'doubt' then return isCall and 'given-up' or 'needs-decision' end
  local attempts = task.attempts + (task.state == 'delivered' and 1 or 0)
  if attempts < task.attemptsMax then return 'retry' end
  return (isCall or word.whenSpent == 'failed') and 'given-up' or 'attempts-spent'
end

-- What the lease cost: a verdict is a receipt too, and what is given back cost nothing.
local function charge(task)
  if word['end'] == 'release' then
    task.deliveries = task.deliveries - 1
    if task.state == 'running' then task.attempts = task.attempts - 1 end
  elseif task.state == 'delivered' then
    task.attempts = task.attempts + 1
  end
end

-- To whom an epoch was given, as its history says; nil: to nobody.
local function given(task, epoch)
  for _, line in ipairs(linesOf(task)) do
    local told = lineOf(cjson.decode(line))
    if told.cause == 'claimed' and told.epoch == epoch then return told.holder end
  end
  return nil
end

local ORPHANS_MAX = 3

-- Keeps a result that came too late to count: the newest of each epoch, and of those the newest.
local function keepOrphan(task)
  local epoch = tonumber(word.epoch)
  local holder = given(task, epoch)
  if not holder then return end
  local key = keyOf('orphans', task)
  local orphan = { epoch = epoch, holder = holder, result = word.result, at = now }
  call('HSET', key, epoch, cjson.encode(orphan))
  local kept = {}
  for _, line in ipairs(call('HVALS', key)) do kept[#kept + 1] = cjson.decode(line) end
  table.sort(kept, function(a, b)
    if a.at ~= b.at then return a.at > b.at end
    return a.epoch > b.epoch
  end)
  for n = ORPHANS_MAX + 1, #kept do call('HDEL', key, kept[n].epoch) end
end

local task = findTask(word.tenant, word.taskId)
if not task then return { 'unknown' } end
local standing = standingOf(task, word.epoch)
local cause = verdictOf(task, standing)
if not cause then
  local isRepeat = standing == 'ended' and task.state == 'succeeded'
  if word['end'] == 'complete' and not isRepeat then keepOrphan(task) end
  return refusal(task, standing)
end

if standing == 'holds' then charge(task) end
task.dueAt = now + delayMs
local why = { cause = cause, now = now, reason = word.reason }
local kept = word.result and { 'result', word.result } or {}
local following = move(task, why, unpack(kept))
local outcome = standing == 'late' and 'late_ok' or 'ok'
return { outcome, rowOf(task), following and rowOf(following) }
