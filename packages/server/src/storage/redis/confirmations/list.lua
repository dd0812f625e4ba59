#!lua flags=no-writes
-- Those of a tenant that are open, the oldest first.
local move = record()
local now = moment(move.now)
local limit = tonumber(move.limit)
local BATCH = 100

local rows = {}
local function take(id)
  local _, row = confirmationNamed(move.tenant, id)
  if row and isOpen(row, now) then rows[#rows + 1] = row end
end

if move.principal then
  local own = P .. 'confirms-of:' .. join(move.tenant, move.principal)
  for _, id in ipairs(call('ZRANGEBYSCORE', own, '(' .. SCORES[now], '+inf')) do take(id) end
  table.sort(rows, function(a, b)
    local one, other = tonumber(a.createdAt), tonumber(b.createdAt)
    if one == other then return a.id < b.id end
    return one < other
  end)
else
  local from = 0
  repeat
    local ids = call('ZRANGE', P .. 'confirms:' .. move.tenant, from, from + BATCH - 1)
    for _, id in ipairs(ids) do take(id) end
    from = from + BATCH
  until #ids < BATCH or #rows >= limit
end

local reply = {}
for n = 1, math.min(limit, #rows) do reply[n] = shown(rows[n]) end
return reply
