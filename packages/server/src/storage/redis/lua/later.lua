-- Members of sorted sets and counts of hashes are written by many moves of a script to the same few
-- keys, and a command costs more than what it writes. So they are kept here until the script ends, one
-- command for each key, or until somebody asks the server for that key: `call` sees to that, so that
-- no move reads what is no longer true.

-- By key: scores and members in turn, members alone, and counts by field. A key has one of the first two
-- at most: in between it is sent, so that what came last is true.
local added, dropped, sums = {}, {}, {}

-- Many have the same: the moment of the script, or the end of its leases.
local SCORES = setmetatable({}, {
  __index = function(texts, score)
    local text = string.format('%.17g', score)
    texts[score] = text
    return text
  end,
})

local function send(batches, command, key)
  local batch = batches[key]
  batches[key] = nil
  redis.call(command, key, unpack(batch, 1, batch.size))
end

local function sendSums(key)
  for field, sum in pairs(sums[key]) do
    if sum ~= 0 then redis.call('HINCRBY', key, field, sum) end
  end
  sums[key] = nil
end

local function call(command, key, ...)
  if added[key] then send(added, 'ZADD', key) end
  if dropped[key] then send(dropped, 'ZREM', key) end
  if sums[key] then sendSums(key) end
  return redis.call(command, key, ...)
end

-- Puts a member, which is a text, into a sorted set.
local function put(key, score, member)
  local batch = added[key]
  if not batch then
    if dropped[key] then send(dropped, 'ZREM', key) end
    batch = { size = 0 }
    added[key] = batch
  end
  local size = batch.size
  batch[size + 1] = type(score) == 'number' and SCORES[score] or score
  batch[size + 2] = member
  batch.size = size + 2
end

-- Takes a member out of a sorted set.
local function drop(key, member)
  local batch = dropped[key]
  if not batch then
    if added[key] then send(added, 'ZADD', key) end
    batch = { size = 0 }
    dropped[key] = batch
  end
  local size = batch.size + 1
  batch[size] = member
  batch.size = size
end

-- Counts in a field of a hash.
local function count(key, field, by)
  local counts = sums[key]
  if not counts then
    counts = {}
    sums[key] = counts
  end
  counts[field] = (counts[field] or 0) + by
end

-- What else is to be done before a script ends.
local closing = {}
