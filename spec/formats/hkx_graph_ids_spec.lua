-- Which members of Havok's classes are ids of events, variables and states: the schemas, the table in
-- core/havok/behavior/README.md, the list of the independent reader, and the reference's classes.

local graphs = require "hkx_graph_reader"
local helper = require "helper"
local json = require "dkjson"

local README <const> = "core/havok/behavior/README.md"
local SCHEMAS <const> = "core/havok/behavior/schema/"
local CORPUS = os.getenv("LATHE_CORPUS") or "../shared/corpus"
local WORDS <const> = { event_id = "event", variable_id = "variable", state_id = "state" }

-- Rows `| member | … |` of the table under a heading of the README: the first two columns.
local function rows_under(heading)
  local rows, inside = {}, false
  for line in helper.read(README):gmatch "[^\n]+" do
    if line:match "^#+ " then inside = line:match "^#+ (.*)$" == heading end
    local first, second = line:match "^| `([^|]+)` | ([^|]+) |"
    if inside and first then rows[#rows + 1] = { first, second } end
  end
  assert.is_true(#rows > 0, heading)
  return rows
end

-- The members that the schemas mark with a word such as @event_id, by their original names.
local function marked()
  local found = {}
  for _, file in ipairs(helper.list(SCHEMAS, "%.schema$")) do
    local class
    for line in helper.read(SCHEMAS .. file):gmatch "[^\n]+" do
      class = line:match "^class ([%w_:]+)" or class
      local name, rest = line:match "^  [%w_%*]+ ([%w_]+)%S*(.*)$"
      local word = rest and rest:match "@(%l+_id)%f[%W]"
      if WORDS[word] then found[class .. "." .. name] = WORDS[word] end
    end
  end
  return found
end

describe("ids of behavior graphs", function()
  it("are the same in the schemas, in the README and in the independent reader", function()
    assert.same(graphs.MEMBERS, marked())
    local listed = {}
    for _, row in ipairs(rows_under "Members that hold ids") do listed[row[1]] = row[2] end
    assert.same(graphs.MEMBERS, listed)
  end)

  it("are all integer members whose name says so, but for those that the README excepts", function()
    local integers = {}
    for _, kind in ipairs { "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64", "ULONG" } do
      integers[kind] = true
    end
    local patterns = {}
    for _, row in ipairs(rows_under "Members that hold no ids of a graph") do
      for name in row[1]:gmatch "[^, ]+" do
        patterns["^" .. name:gsub("%.", "%%."):gsub("%*", ".*") .. "$"] = 0
      end
    end
    for _, game in ipairs { "skyrim", "fallout4" } do
      local path = ("%s/../formats/havok-classes-%s.json"):format(CORPUS, game)
      local f <close> = io.open(path, "rb")
      if not f then return pending(path .. " is not there") end
      for _, class in ipairs(json.decode(f:read "a").classes) do
        for _, m in ipairs(class.members) do
          local ignored = table.concat(m.f or {}, " "):find("SERIALIZE_IGNORED", 1, true)
          local says = m.n:find "I[dD]%f[%U]" or m.n:find "I[dD]s?$" or m.n == "id" or m.n:find "Ind[ei][xc]"
            or m.n:find "[eE]vent" or m.n:find "[vV]ariable"
          local key = class.name .. "." .. m.n
          if says and not ignored and (integers[m.t] or m.t:find "ARRAY" and integers[m.s]) and not graphs.MEMBERS[key] then
            local excepted = false
            for pattern, n in pairs(patterns) do
              if key:find(pattern) then patterns[pattern], excepted = n + 1, true end
            end
            assert.is_true(excepted, game .. ": " .. key .. " is neither in the table nor excepted")
          end
        end
      end
    end
    for pattern, n in pairs(patterns) do assert.is_true(n > 0, pattern .. " excepts nothing") end
  end)
end)
