-- An agent is a hash, named by its tenant and id; so is each of its instances. `agents` knows all of
-- them by name, `instances:` those of one, `leases` when each instance's lease ends.

local function agentKey(agent)
  return P .. 'agent:' .. agent
end

local function instanceKey(agent, instanceId)
  return P .. 'instance:' .. agent .. instanceId
end

-- All of an agent's instances as they are answered, by name.
local function instancesOf(agent)
  local rows = {}
  for n, instanceId in ipairs(call('ZRANGE', P .. 'instances:' .. agent, 0, -1)) do
    rows[n] = call('HGETALL', instanceKey(agent, instanceId))
  end
  return rows
end

local function setLease(asked, endsAt)
  call('ZADD', P .. 'leases', endsAt, join(asked.tenant, asked.agentId, asked.instanceId))
end

local function dropInstance(tenant, agentId, instanceId)
  local agent = join(tenant, agentId)
  call('ZREM', P .. 'leases', join(tenant, agentId, instanceId))
  call('ZREM', P .. 'instances:' .. agent, instanceId)
  return call('DEL', instanceKey(agent, instanceId))
end
