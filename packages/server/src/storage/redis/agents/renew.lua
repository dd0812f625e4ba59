#!lua flags=allow-oom
-- Renews a lease, also one that has ended.
local asked = record()
local now = moment(asked.now)
local endsAt = now + asked.leaseMs

local key = instanceKey(join(asked.tenant, asked.agentId), asked.instanceId)
local before = fieldsOf(call('HGETALL', key))
if not before.instanceId then return { 'unknown' } end
-- Who leaves out its boot id or its count cannot be told from the present holder.
local isOther = asked.bootId and before.bootId and asked.bootId ~= before.bootId
local isOld = asked.seq and tonumber(asked.seq) <= tonumber(before.seq)
if isOther or isOld then return { 'stale', call('HGETALL', key) } end

call('HSET', key, 'seq', asked.seq or before.seq, 'reported', asked.reported,
  'leaseMs', asked.leaseMs, 'leaseEndsAt', endsAt, 'lastHeartbeatAt', now)
setLease(asked, endsAt)
return { 'renewed', call('HGETALL', key) }
