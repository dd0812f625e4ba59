#!lua flags=no-writes
-- Some agents with their instances and without their manifests, from a name on.
local after, limit = text(), number()
local from = after == '' and '-' or '(' .. after
local agents = {}
for n, agent in ipairs(call('ZRANGEBYLEX', P .. 'agents', from, '+', 'LIMIT', 0, limit)) do
  local mark = call('HMGET', agentKey(agent), 'tenant', 'agentId', 'manifestVersion', 'digest')
  agents[n] = { agent, mark, instancesOf(agent) }
end
return agents
