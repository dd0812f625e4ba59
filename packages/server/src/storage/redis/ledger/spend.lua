#!lua
-- Counts against a bound. What is counted here may be forgotten: it goes to no log and no replica.
redis.set_repl(redis.REPL_NONE)
local move = record()
local now = moment(move.now)
local amount, max, ttlMs = tonumber(move.amount), tonumber(move.max), tonumber(move.ttlMs)

local counter = P .. 'spent:' .. move.name
local spent, endsAt = unpack(call('HMGET', counter, 'spent', 'endsAt'))
local isRunning = endsAt and tonumber(endsAt) > now
local before = isRunning and tonumber(spent) or 0
if before + amount > max then return { 0, string.format('%.17g', before) } end

call('HSET', counter, 'spent', before + amount)
if not isRunning then
  call('HSET', counter, 'endsAt', now + ttlMs)
  -- Its end is judged above; this only clears away what nobody asks for again, with time to spare
  -- for a caller whose clock is not this server's.
  call('PEXPIRE', counter, ttlMs + 60000)
end
return { 1, string.format('%.17g', before + amount) }
