#!lua
-- What is made once with the store, then the same for ever.
local layout, epoch = text(), text()
call('HSETNX', P .. 'store', 'layout', layout)
call('HSETNX', P .. 'store', 'epoch', epoch)
return call('HMGET', P .. 'store', 'layout', 'epoch')
