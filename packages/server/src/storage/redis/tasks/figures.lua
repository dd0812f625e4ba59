#!lua flags=no-writes
-- The figures of some queues, from a name on; of one tenant if there is one.
local tenant, after, limit = text(), text(), number()
local STATES = { 'blocked', 'queued', 'waiting', 'delivered', 'running', 'dead' }

-- Names begin with the tenant's: `["acme",`.
local prefix = tenant == '' and '[' or string.sub(join(tenant), 1, -2) .. ','
local from = after == '' and '[' .. prefix or '(' .. after
local queues = call('ZRANGEBYLEX', P .. 'queues', from, '(' .. prefix .. '\255', 'LIMIT', 0, limit)

local function oldestOf(queue)
  local oldest
  for _, lane in ipairs(call('ZRANGE', P .. 'lanes:' .. queue, 0, -1)) do
    local _, readyAt = unpack(call('ZRANGE', P .. 'age:' .. queue .. lane, 0, 0, 'WITHSCORES'))
    if not oldest or tonumber(readyAt) < tonumber(oldest) then oldest = readyAt end
  end
  return oldest or false
end

local figures = {}
for n, queue in ipairs(queues) do
  local counts = call('HMGET', P .. 'queue:' .. queue, unpack(STATES))
  for index, count in ipairs(counts) do counts[index] = count or '0' end
  figures[n] = { queue, counts, oldestOf(queue) }
end
return figures
