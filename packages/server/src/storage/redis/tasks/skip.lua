#!lua flags=allow-oom
-- Lets the chain of a dead task go on without it.
local asked = record()
local now = moment(asked.now)

local task = findTask(asked.tenant, asked.taskId)
if not task then return { 'unknown' } end
-- Who is dead and not skipped has the turn.
local holdsUp = task.state == 'dead' and task.chain and hasTurn(task)
if not holdsUp then return { 'refused', rowOf(task) } end
task.onDead = 'skip'
note(task, { cause = 'skipped', by = asked.by, reason = asked.reason }, now)
call('DEL', P .. 'turn:' .. chainOf(task))
return decided(task, passTurn(task, now))
