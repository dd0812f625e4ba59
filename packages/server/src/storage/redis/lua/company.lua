-- What every script ends with. It is sent moves of one kind, each as the number of its arguments and
-- these. One that fails is answered its error, and the others are none the worse for it.
local answers = {}
while position < #ARGV do
  local size = number()
  local after = position + size
  local isDone, answer = pcall(perform)
  if not isDone then answer = type(answer) == 'table' and answer or redis.error_reply(answer) end
  -- A list ends at the first nil.
  if answer == nil then answer = false end
  answers[#answers + 1] = answer
  position = after
end
for _, close in ipairs(closing) do close() end
for key in pairs(added) do send(added, 'ZADD', key) end
for key in pairs(dropped) do send(dropped, 'ZREM', key) end
for key in pairs(sums) do sendSums(key) end
return answers
