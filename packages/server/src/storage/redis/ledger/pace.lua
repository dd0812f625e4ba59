#!lua
-- Lets one go at a steady pace (moves/gcra.ts). What is counted here may be forgotten: it goes to no
-- log and no replica. Times are microseconds, which a number holds exactly.
redis.set_repl(redis.REPL_NONE)
local move = record()
local now = moment(move.now) * 1000
local every, burst = tonumber(move.everyUs), tonumber(move.burst)

local name = P .. 'pace:' .. move.name
local tat = tonumber(call('GET', name) or '0')
local from = math.max(tat, now)
if from - now > (burst - 1) * every then return { 0, string.format('%.0f', tat - now) } end

local ahead = from + every - now
-- With time to spare for a caller whose clock is not this server's.
local livesMs = math.ceil(ahead / 1000) + 60000
call('SET', name, string.format('%.0f', from + every), 'PX', string.format('%.0f', livesMs))
return { 1, string.format('%.0f', ahead) }
