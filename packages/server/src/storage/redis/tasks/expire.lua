#!lua flags=allow-oom
-- Ends leases whose time is up, the longest over first.
local now = moment(text())
local deliveriesMax, whenSpent, limit = number(), text(), number()
local delaysMs = list()

-- What becomes of a task whose holder was not heard of in time. If it has begun it may have been
-- done: only who said that twice is no harm is run again.
local function causeOf(task)
  local isSpent = task.deliveries >= deliveriesMax
  local isCall = task.kind == 'call'
  local isKept = not isCall and whenSpent ~= 'failed'
  if task.state == 'delivered' then
    if not isSpent then return 'lease-lost' end
    return isKept and 'deliveries-spent' or 'given-up'
  end
  local isRepeatable = task.effect == 'read' or task.effect == 'idempotent_write'
  if not isRepeatable then return isCall and 'given-up' or 'needs-decision' end
  local isTried = task.attempts >= task.attemptsMax
  if not isSpent and not isTried then return 'lease-lost' end
  if not isKept then return 'given-up' end
  return isTried and 'attempts-spent' or 'deliveries-spent'
end

-- In whose hands it was, for whoever asks why it moved.
local function sentence(task, cause)
  local lost = task.holder .. ' was not heard of in time'
  return cause == 'needs-decision' and lost .. '; the work may have been done' or lost
end

local expired, freed = {}, {}
for n, seq in ipairs(call('ZRANGEBYSCORE', P .. 'leased', '-inf', now, 'LIMIT', 0, limit)) do
  local task = taskAt(seq)
  local cause = causeOf(task)
  if cause == 'lease-lost' and task.state == 'running' then
    task.dueAt = now + (delaysMs[math.min(task.attempts, #delaysMs)] or 0)
  end
  freed[#freed + 1] = move(task, { cause = cause, now = now, reason = sentence(task, cause) })
  expired[n] = task
end
return { rowsOf(expired), rowsOf(freed) }
