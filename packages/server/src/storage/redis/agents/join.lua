#!lua
-- Adds an instance or takes its place again.
local asked = record()
local now = moment(asked.now)
local endsAt = now + asked.leaseMs

local agent = join(asked.tenant, asked.agentId)
if call('EXISTS', agentKey(agent)) == 0 then return { 'unknown' } end
local wish, wishReason = unpack(call('HMGET', agentKey(agent), 'operatorIntent', 'operatorReason'))

local key = instanceKey(agent, asked.instanceId)
local before = fieldsOf(call('HGETALL', key))
local isKnown = before.instanceId ~= nil
local isMoved = isKnown and before.baseUrl ~= asked.baseUrl
if isMoved and tonumber(before.leaseEndsAt) > now then return { 'held', call('HGETALL', key) } end

local isSame = isKnown and not isMoved and before.bootId == asked.bootId
local row = {
  tenant = asked.tenant, agentId = asked.agentId, instanceId = asked.instanceId,
  bootId = asked.bootId, mode = asked.mode, baseUrl = asked.baseUrl, tags = asked.tags,
  heartbeatIntervalMs = asked.heartbeatIntervalMs, leaseMs = asked.leaseMs,
  leaseEndsAt = endsAt, lastHeartbeatAt = now, reported = '{}',
  intent = 'enabled', intentBy = 'agent',
  -- One count for the whole store: an instance that left and came back never gets an old number.
  addrVersion = isSame and before.addrVersion or call('INCR', P .. 'addr-versions'),
  -- A process that counts its beats goes on counting; one without a boot id may have restarted.
  seq = isSame and asked.bootId and before.seq or '-1',
}
-- An operator's word on the instance, else his word on the agent, else the agent has just come.
if before.intentBy == 'operator' then
  row.intent, row.intentBy, row.intentReason = before.intent, 'operator', before.intentReason
elseif wish then
  row.intent, row.intentBy, row.intentReason = wish, 'operator', wishReason or nil
end

local flat = {}
for name, value in pairs(row) do
  flat[#flat + 1] = name
  flat[#flat + 1] = value
end
call('DEL', key)
call('HSET', key, unpack(flat))
call('ZADD', P .. 'instances:' .. agent, 0, asked.instanceId)
setLease(asked, endsAt)
return { 'joined', call('HGETALL', key) }
