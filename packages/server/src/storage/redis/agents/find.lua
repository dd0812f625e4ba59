#!lua flags=no-writes
-- One agent with its instances; nothing if it is not there.
local agent = join(text(), text())
local definition = call('HGETALL', agentKey(agent))
if #definition == 0 then return {} end
return { definition, instancesOf(agent) }
