#!lua flags=no-writes
-- A task with its payload and result.
local seq = call('HGET', P .. 'ids:' .. text(), text())
return seq and call('HMGET', P .. 'task:' .. seq, 'fixed', 'moving', 'payload', 'result')
