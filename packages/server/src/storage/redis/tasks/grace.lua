#!lua flags=allow-oom
-- Lengthens leases that end before a moment, some at a time; answers the moment, for whoever goes on.
local now = text()
local leaseMs, limit = number(), number()
local endsAt = moment(now) + leaseMs

local short = call('ZRANGEBYSCORE', P .. 'leased', '-inf', '(' .. endsAt, 'LIMIT', 0, limit)
for _, seq in ipairs(short) do
  local task = taskAt(seq)
  lengthen(task, endsAt)
  saveTask(task)
end
return { #short, endsAt }
