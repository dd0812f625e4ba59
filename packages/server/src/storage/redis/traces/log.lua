-- A log is a stream of texts, numbered in the order they were kept. Beside it each tenant has one
-- index: a sorted set whose members are a word (`at`, `trace x`, `request y`, …), the moment and the
-- number. So what belongs to a word stands together, the newest last.

-- Fifteen digits of a moment, sixteen of a number: as texts they sort as numbers do.
local function placeOf(at, seq)
  return string.format('\0%015d%016d', at, seq)
end

local function bodyAt(log, seq)
  local entry = call('XRANGE', P .. log, seq .. '-0', seq .. '-0')[1]
  return entry and fieldsOf(entry[2]).body
end
