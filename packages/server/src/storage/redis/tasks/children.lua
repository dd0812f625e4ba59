#!lua flags=no-writes
-- The children of a task from a number on: some ids, and the number to go on from, if there are more.
local tenant, parentId, from = text(), text(), text()
local limit = number()
if call('HEXISTS', P .. 'ids:' .. tenant, parentId) == 0 then return { {}, false } end

local seqs = call('ZRANGEBYSCORE', P .. 'children:' .. join(tenant, parentId), '(' .. from, '+inf',
  'LIMIT', 0, limit)
local ids = {}
for n, seq in ipairs(seqs) do ids[n] = taskAt(seq).taskId end
return { ids, #seqs == limit and seqs[limit] }
