#!lua flags=allow-oom
-- Takes records of a chain out of its index. They are there until their segment goes as a whole.
local tenant = text()
local rows = {}
for n = 1, number() do rows[n] = { at = number(), seq = number(), words = list() } end
for _, row in ipairs(rows) do
  local place = placeOf(row.at, row.seq)
  for _, word in ipairs(row.words) do
    call('ZREM', P .. 'audit-index:' .. tenant, word .. place)
  end
end
return #rows
