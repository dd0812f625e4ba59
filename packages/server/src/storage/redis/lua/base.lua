-- What every script begins with. KEYS[1] is the prefix of all keys of a store and carries their one
-- hash tag, so that a script stays in one slot of a cluster, whatever keys it derives.
--
-- A script reads its arguments in the order in which TypeScript wrote them (arguments.ts), and reads
-- all of them before its first write: what has been written when a script fails stays written.

local P = KEYS[1]
local call = redis.call
local position = 0

local function text()
  position = position + 1
  return ARGV[position]
end

local function number()
  return tonumber(text())
end

local function list()
  local items = {}
  for n = 1, number() do items[n] = text() end
  return items
end

-- A list that may be absent, as the set of its items.
local function set()
  local size = text()
  if size == '-' then return nil end
  local items = {}
  for _ = 1, tonumber(size) do items[text()] = true end
  return items
end

-- Named texts; what is absent has no name here.
local function record()
  local fields = {}
  for _ = 1, number() do
    local name = text()
    fields[name] = text()
  end
  return fields
end

-- The moment of a move: the caller's, or this server's own, which all gateways share.
local function moment(now)
  if now == 'store' then
    local time = call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local at = tonumber(now)
  -- NaN is not equal to itself, and Infinity is no moment.
  if at == nil or at ~= at or math.abs(at) == math.huge then error('no moment: ' .. now) end
  return at
end

-- One text of several names, which are anybody's and may hold any character.
local function join(...)
  return cjson.encode({ ... })
end

-- A reply of names and values as a table.
local function fieldsOf(flat)
  local fields = {}
  for n = 1, #flat, 2 do fields[flat[n]] = flat[n + 1] end
  return fields
end
