-- How whoever names a lease stands to its task: judged by the fence, then by what has become of the
-- task. `late` may still bring a verdict, `lost` may not.
local function standingOf(task, epoch)
  if task.epoch ~= tonumber(epoch) then return 'stale' end
  if ENDS[task.state] then return 'ended' end
  if LEASED[task.state] then return 'holds' end
  -- Without a holder nobody had this epoch: it rose when the task was taken away from another.
  return (task.state == 'blocked' or not task.holder) and 'lost' or 'late'
end

-- What a holder's word is answered when it has no effect.
local function refusal(task, standing)
  if standing == 'ended' then return { 'ended', rowOf(task), resultOf(task) } end
  return { standing == 'stale' and 'stale' or 'lost', rowOf(task) }
end

-- A short word does not take back a long one: a grace, or the holder's own.
local function lengthen(task, endsAt)
  task.leaseEndsAt = math.max(task.leaseEndsAt, endsAt)
  put(INDEX.leased, task.leaseEndsAt, task.seq)
end

local function begin(task, now)
  task.attempts = task.attempts + 1
  move(task, { cause = 'acked', now = now })
end
