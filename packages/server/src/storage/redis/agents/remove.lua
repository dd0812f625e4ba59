#!lua flags=allow-oom
-- Takes an agent, its instances and its versions away.
local tenant, agentId = text(), text()
local agent = join(tenant, agentId)
for _, instanceId in ipairs(call('ZRANGE', P .. 'instances:' .. agent, 0, -1)) do
  dropInstance(tenant, agentId, instanceId)
end
call('ZREM', P .. 'agents', agent)
call('DEL', P .. 'versions:' .. agent)
return call('DEL', agentKey(agent))
