-- Confirmations. Those that are open stand in the list of their tenant by when they came, and in those
-- of their principal and of all by when they expire; one that expired leaves these when old rows are
-- pruned, and whoever reads them meanwhile passes it over. `confirms-kept` says when each is forgotten.

local function confirmationNamed(tenant, id)
  local named = join(tenant, id)
  local row = fieldsOf(call('HGETALL', P .. 'confirm:' .. named))
  return named, row.id and row
end

local function ownOf(row)
  return P .. 'confirms-of:' .. join(row.tenant, row.principal)
end

local function isOpen(row, now)
  return (row.state == 'pending' or row.state == 'approved') and tonumber(row.expiresAt) > now
end

local function enlist(named, row)
  put(P .. 'confirms:' .. row.tenant, tonumber(row.createdAt), row.id)
  put(ownOf(row), tonumber(row.expiresAt), row.id)
  put(P .. 'confirms-open', tonumber(row.expiresAt), named)
end

local function unlist(named, row)
  drop(P .. 'confirms:' .. row.tenant, row.id)
  drop(ownOf(row), row.id)
  drop(P .. 'confirms-open', named)
end

local SHOWN = { 'tenant', 'id', 'principal', 'digest', 'codeHash', 'about', 'state', 'tries',
  'decision', 'createdAt', 'expiresAt' }

-- A row as it is answered.
local function shown(row)
  local reply = {}
  for _, name in ipairs(SHOWN) do
    if row[name] then
      reply[#reply + 1] = name
      reply[#reply + 1] = row[name]
    end
  end
  return reply
end
