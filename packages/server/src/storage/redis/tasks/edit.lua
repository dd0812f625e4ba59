#!lua
-- Replaces the payload of a dead task; with a version only of one that is still as it was then.
local asked = record()
local now = moment(asked.now)
local version = tonumber(asked.version)

local task = findTask(asked.tenant, asked.taskId)
if not task then return { 'unknown' } end
local isAsSeen = not version or task.version == version
if task.state ~= 'dead' or not isAsSeen then return { 'refused', rowOf(task) } end
replacePayload(task, asked, now)
return decided(task)
