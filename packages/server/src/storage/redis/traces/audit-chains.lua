#!lua flags=no-writes
-- Tenants that have a chain, from a name on.
local after, limit = text(), number()
local from = after == '' and '-' or '(' .. after
return call('ZRANGEBYLEX', P .. 'audit-chains', from, '+', 'LIMIT', 0, limit)
