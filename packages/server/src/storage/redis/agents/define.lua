#!lua
-- Stores a manifest as the next version.
local asked = record()
local now = moment(asked.now)
local VERSIONS_MAX = 20

local agent = join(asked.tenant, asked.agentId)
local key = agentKey(agent)
local digest, present, createdAt = unpack(call('HMGET', key, 'digest', 'manifestVersion', 'createdAt'))
if digest == asked.digest then return { 'unchanged', call('HGETALL', key) } end
if present and tonumber(present) ~= tonumber(asked.expectVersion) then
  return { 'conflict', call('HGETALL', key) }
end

local version = (present or 0) + 1
-- Without a version before there is nobody whom this one could break.
local breaking = present and asked.breaking or '[]'
call('HSET', key, 'tenant', asked.tenant, 'agentId', asked.agentId, 'manifestVersion', version,
  'digest', asked.digest, 'manifest', asked.manifest, 'breaking', breaking,
  'createdAt', createdAt or now, 'updatedAt', now)
call('ZADD', P .. 'agents', 0, agent)
call('LPUSH', P .. 'versions:' .. agent, cjson.encode({
  manifestVersion = version, digest = asked.digest, manifest = asked.manifest,
  breaking = breaking, at = now,
}))
call('LTRIM', P .. 'versions:' .. agent, 0, VERSIONS_MAX - 1)
return { 'stored', call('HGETALL', key) }
