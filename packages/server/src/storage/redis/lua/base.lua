-- What every script begins with. KEYS[1] is the prefix of all keys of a store and carries their one
-- hash tag, so that a script stays in one slot of a cluster, whatever keys it derives.
--
-- A move reads its arguments in the order in which TypeScript wrote them (arguments.ts), and reads
-- all of them before its first write: what has been written when a move fails stays written.

local P = KEYS[1]
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
  local fields, first = {}, position + 2
  local last = first + 2 * tonumber(ARGV[first - 1]) - 1
  for n = first, last, 2 do fields[ARGV[n]] = ARGV[n + 1] end
  position = last
  return fields
end

local present

-- The moment of a move: the caller's, or this server's own, which all gateways share.
local function moment(now)
  if now == 'store' then
    if not present then
      local time = redis.call('TIME')
      present = time[1] * 1000 + math.floor(time[2] / 1000)
    end
    return present
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

-- Texts of values as JSON has them. The same few are written again and again in a script, and a number
-- costs more to put into digits than to look up. Of a number there are at most fourteen.
local JSON = setmetatable({}, {
  __index = function(texts, value)
    local text = cjson.encode(value)
    if type(value) ~= 'table' then texts[value] = text end
    return text
  end,
})

-- A reply of names and values as a table.
local function fieldsOf(flat)
  local fields = {}
  for n = 1, #flat, 2 do fields[flat[n]] = flat[n + 1] end
  return fields
end
