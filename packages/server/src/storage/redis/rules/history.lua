#!lua flags=no-writes
local tenant, name, limit = text(), text(), number()
return call('LRANGE', P .. 'rule:' .. join(tenant, name), 0, limit - 1)
