#!lua flags=no-writes
-- One slice of a search: of the tasks that the narrowest index names, the newest before a number, and
-- of these the ones that fit, as far as so many. Answers the number to go on from, if there may be
-- more, and the rows.
local query = record()
local states, causes = set(), set()
local before, size, wanted = text(), number(), number()

local ALIKE = { 'agentId', 'taskType', 'principal', 'traceId', 'parentId', 'chain' }
local LIVING = { 'blocked', 'queued', 'waiting', 'delivered', 'running', 'dead' }

local function fits(task)
  for _, name in ipairs(ALIKE) do
    if query[name] and task[name] ~= query[name] then return false end
  end
  if query.chainSeq and (task.chainSeq or 0) ~= tonumber(query.chainSeq) then return false end
  if query.isUnbound and task.agentId then return false end
  if states and not states[task.state] then return false end
  return not causes or (task.cause ~= nil and causes[task.cause] == true)
end

-- Whether the indexes of states serve the query alone, so that no row need be looked into.
local function isPlain()
  for _, name in ipairs(ALIKE) do
    if query[name] then return false end
  end
  return not query.isUnbound and not query.chainSeq and not causes
end

local function areLiving()
  for state in pairs(states or ENDS) do
    if ENDS[state] then return false end
  end
  return true
end

-- An agent's queue, or those of the types that nobody offers, as far as a thousand.
local function queuesAsked()
  if query.agentId then return { join(query.tenant, query.agentId) } end
  local prefix = string.sub(join(query.tenant, ''), 1, -2) .. ','
  local max = '(' .. prefix .. '\255'
  return call('ZRANGEBYLEX', P .. 'queues', '[' .. prefix, max, 'LIMIT', 0, 1000)
end

local function indexesOfStates()
  local indexes, all = {}, states
  if not all then
    all = {}
    for _, state in ipairs(LIVING) do all[state] = true end
    for state in pairs(ENDS) do all[state] = true end
  end
  for state in pairs(all) do indexes[#indexes + 1] = 'state:' .. state .. ':' .. query.tenant end
  return indexes
end

-- A chain may be long and few of it in these states, or the reverse.
local function narrower(one, other)
  local sizes = { 0, 0 }
  for n, indexes in ipairs({ one, other }) do
    for _, index in ipairs(indexes) do sizes[n] = sizes[n] + call('ZCARD', P .. index) end
  end
  return sizes[1] <= sizes[2] and one or other
end

local function indexesAsked()
  if query.chain and query.chainSeq then
    return { 'place:' .. join(query.tenant, query.chain, query.chainSeq) }
  end
  if query.parentId then return { 'children:' .. join(query.tenant, query.parentId) } end
  if query.traceId then return { 'trace:' .. join(query.tenant, query.traceId) } end
  if query.chain then
    return narrower({ 'chain:' .. join(query.tenant, query.chain) }, indexesOfStates())
  end
  if (query.agentId or query.isUnbound) and areLiving() then
    local indexes = {}
    for n, queue in ipairs(queuesAsked()) do indexes[n] = 'living:' .. queue end
    return indexes
  end
  return indexesOfStates()
end

local isOpen = isPlain()
if isOpen then size = math.min(size, wanted) end
local seqs = {}
for _, index in ipairs(indexesAsked()) do
  local found = call('ZREVRANGEBYSCORE', P .. index, before, '-inf', 'LIMIT', 0, size)
  for _, seq in ipairs(found) do seqs[#seqs + 1] = seq end
end
-- Equal in length: as texts they sort as numbers do.
table.sort(seqs, function(a, b) return a > b end)

local rows, examined = {}, 0
while examined < math.min(size, #seqs) and #rows < wanted do
  examined = examined + 1
  local seq = seqs[examined]
  if isOpen then
    rows[#rows + 1] = call('HMGET', P .. 'task:' .. seq, 'fixed', 'moving')
  else
    local task = taskAt(seq)
    if fits(task) then rows[#rows + 1] = rowOf(task) end
  end
end
local isMore = examined == size or #seqs > examined
return { isMore and seqs[examined], rows }
