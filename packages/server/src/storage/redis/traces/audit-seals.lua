#!lua flags=no-writes
-- Seals that end with a record or a later one.
local tenant, from, limit = text(), text(), number()
return call('ZRANGEBYSCORE', P .. 'audit-seals:' .. tenant, from, '+inf', 'LIMIT', 0, limit)
