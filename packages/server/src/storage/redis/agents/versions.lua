#!lua flags=no-writes
return call('LRANGE', P .. 'versions:' .. join(text(), text()), 0, -1)
