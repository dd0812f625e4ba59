#!lua flags=no-writes
-- The task of a chain that has its turn.
local seq = call('GET', P .. 'turn:' .. join(text(), text()))
return seq and call('HMGET', P .. 'task:' .. seq, 'fixed', 'moving')
