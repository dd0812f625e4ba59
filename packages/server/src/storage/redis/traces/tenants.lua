#!lua flags=no-writes
-- Some tenants of a log, from a name on.
local log, after, limit = text(), text(), number()
local from = after == '' and '-' or '(' .. after
return call('ZRANGEBYLEX', P .. log .. '-tenants', from, '+', 'LIMIT', 0, limit)
