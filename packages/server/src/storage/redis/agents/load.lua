#!lua flags=no-writes
-- Some agents with their instances, from a name on.
local after, limit = text(), number()
local from = after == '' and '-' or '(' .. after
local agents = {}
for n, agent in ipairs(call('ZRANGEBYLEX', P .. 'agents', from, '+', 'LIMIT', 0, limit)) do
  agents[n] = { agent, call('HGETALL', agentKey(agent)), instancesOf(agent) }
end
return agents
