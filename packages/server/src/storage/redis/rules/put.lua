#!lua
-- Writes the next version of a document, newest first.
local asked = record()
local now = moment(asked.now)
local VERSIONS_MAX = 100

local versions = P .. 'rule:' .. join(asked.tenant, asked.name)
local present = call('LINDEX', versions, 0)
local version = present and cjson.decode(present).version or 0
if present and version ~= tonumber(asked.expectVersion) then return { 'conflict', present } end

local row = cjson.encode({
  tenant = asked.tenant, name = asked.name, version = version + 1, doc = asked.doc,
  by = asked.by, at = now,
})
call('LPUSH', versions, row)
call('LTRIM', versions, 0, VERSIONS_MAX - 1)
call('ZADD', P .. 'rules:' .. asked.tenant, 0, asked.name)
return { 'stored', row }
