#!lua
-- From the layout before to this one, once nothing is in the old place any more.
local from, to = text(), text()
if call('HGET', P .. 'store', 'layout') == from then call('HSET', P .. 'store', 'layout', to) end
