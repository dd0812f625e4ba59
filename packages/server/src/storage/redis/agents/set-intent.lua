#!lua flags=allow-oom
-- Sets what somebody wants of an instance, or of all instances of an agent.
local asked = record()
local agent = join(asked.tenant, asked.agentId)
local isOperator = asked.by == 'operator'

local function put(key, intentName, reasonName)
  call('HSET', key, intentName, asked.intent)
  if asked.reason then
    call('HSET', key, reasonName, asked.reason)
  else
    call('HDEL', key, reasonName)
  end
end

-- What an operator wants of an agent holds for instances that join later, too.
if not asked.instanceId and isOperator and call('EXISTS', agentKey(agent)) == 1 then
  local key = agentKey(agent)
  if asked.intent == 'enabled' then
    call('HDEL', key, 'operatorIntent', 'operatorReason')
  else
    put(key, 'operatorIntent', 'operatorReason')
  end
end

local rows = {}
local ids = asked.instanceId and { asked.instanceId }
  or call('ZRANGE', P .. 'instances:' .. agent, 0, -1)
for _, instanceId in ipairs(ids) do
  local key = instanceKey(agent, instanceId)
  local intent, by = unpack(call('HMGET', key, 'intent', 'intentBy'))
  -- What an operator took away, an operator gives back; `enabled` takes nothing away.
  if intent and (isOperator or by ~= 'operator' or intent == 'enabled') then
    put(key, 'intent', 'intentReason')
    call('HSET', key, 'intentBy', asked.by)
  end
  if intent then rows[#rows + 1] = call('HGETALL', key) end
end
return rows
