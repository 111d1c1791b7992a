--- The tables of core/nif/schema/*.schema, read by plain Lua for tests: shares nothing with the generator.
-- Notation: formats/nif.md#4, with the changes of ours (bytes, key groups, BSVertexData(vertex_desc, sse, halves),
-- blocks with an argument).
--
--    local schema = nif_schema.load()
--    schema.blocks, schema.structs          -- names in order of the files
--    schema.types.NiNode                    -- { name, kind = "block", parent, args, fields, all }
--    schema:is_a("BSFadeNode", "NiNode")
--
-- A type's `fields` are its own, `all` those of its parents in front of them. A field has: name, type, line (where
-- it stands), annotations = { scale = "1", … }, doc; and where it has one
--    args   = functions, one for each argument of its type
--    count  = function, or "rest"
--    cond   = function
-- all called as f(values, args, context) and giving a number, cond a truth value. `values` are the fields read so
-- far (absent ones are 0), `args` the arguments of the record by name, `context` has V, U, B and the names that are
-- known from the block's type. Next to each function stands its tree (args_tree, count_tree, cond_tree), for those
-- who look for what a condition turns on.

local lfs = require "lfs"

local nif_schema = {}

local Schema = {}
Schema.__index = Schema

--- Names that no table defines.
nif_schema.OUTER = { V = true, U = true, B = true, shader_kind = true, is_particle_system = true, is_psys = true,
  is_bsx = true, name_nonempty = true }

-- ---- expressions: text to tree --------------------------------------------------------------------

local SYMBOLS = { "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "&", "|", "+", "-", "*", "/", "(", ")", "," }

local function token_at(text, at)
  local number = text:match("^0[xX]%x+", at) or text:match("^%d+%.?%d*[eE][+-]?%d+", at) or text:match("^%d+%.?%d*", at)
  if number then return { number = assert(tonumber(number), number), text = number } end
  local word = text:match("^[%a_][%w_]*", at)
  if word then return { word = word, text = word } end
  for _, symbol in ipairs(SYMBOLS) do
    if text:sub(at, at + #symbol - 1) == symbol then return { symbol = symbol, text = symbol } end
  end
  error(("no expression: %s at %d"):format(text, at), 0)
end

local function tokens_of(text)
  local tokens, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then return tokens end
    local token = token_at(text, at)
    tokens[#tokens + 1] = token
    at = at + #token.text
  end
end

-- From loose to tight, as in Python: comparisons bind looser than & and shifts.
local LEVELS = {
  { ["or"] = true }, { ["and"] = true }, "not",
  { ["=="] = true, ["!="] = true, ["<="] = true, [">="] = true, ["<"] = true, [">"] = true },
  { ["|"] = true }, { ["&"] = true }, { ["<<"] = true, [">>"] = true }, { ["+"] = true, ["-"] = true },
  { ["*"] = true, ["/"] = true },
}

local Parser = {}
Parser.__index = Parser

function Parser:take(text)
  local token = self.tokens[self.at]
  if token and not token.number and token.text == text then
    self.at = self.at + 1
    return true
  end
  return false
end

function Parser:expect(text)
  if not self:take(text) then error(("%s: %s expected"):format(self.text, text), 0) end
end

function Parser:primary()
  local token = self.tokens[self.at]
  if not token then error(self.text .. ": ends too early", 0) end
  self.at = self.at + 1
  if token.number then return { op = "number", value = token.number } end
  if token.symbol == "(" then
    local inner = self:ternary()
    self:expect(")")
    return inner
  end
  if not token.word then error(("%s: %s is out of place"):format(self.text, token.text), 0) end
  if token.word == "sum" then
    self:expect("(")
    local list = self:primary()
    self:expect(")")
    return { op = "sum", list }
  end
  if token.word == "INF" then return { op = "number", value = math.huge } end
  return { op = "name", name = token.word }
end

function Parser:level(depth)
  local level = LEVELS[depth]
  if not level then return self:primary() end
  if level == "not" then
    return self:take("not") and { op = "not", self:level(depth) } or self:level(depth + 1)
  end
  local left = self:level(depth + 1)
  while true do
    local token = self.tokens[self.at]
    if not token or token.number or not level[token.text] then return left end
    self.at = self.at + 1
    left = { op = token.text, left, self:level(depth + 1) }
  end
end

function Parser:ternary()
  local value = self:level(1)
  if not self:take("if") then return value end
  local cond = self:level(1)
  self:expect("else")
  return { op = "if", cond, value, self:ternary() }
end

--- The tree of an expression.
function nif_schema.parse(text)
  local parser = setmetatable({ tokens = tokens_of(text), at = 1, text = text }, Parser)
  local tree = parser:ternary()
  if parser.tokens[parser.at] then error(text .. ": more than one expression", 0) end
  return tree
end

-- ---- expressions: tree to function ----------------------------------------------------------------

local COMPARE = { ["=="] = "==", ["!="] = "~=", ["<="] = "<=", [">="] = ">=", ["<"] = "<", [">"] = ">" }
local ARITHMETIC = { ["|"] = "|", ["&"] = "&", ["<<"] = "<<", [">>"] = ">>", ["+"] = "+", ["-"] = "-", ["*"] = "*",
  ["/"] = "//" }

local function number_of(value)
  if value == true then return 1 end
  return value or 0
end

local function sum_of(list)
  local sum = 0
  for _, n in ipairs(list or {}) do sum = sum + n end
  return sum
end

-- A field that was read is in v, an argument in a, all else in c.
local function name_source(name, scope)
  if name == "name_nonempty" then return '(type(v.name) == "string" and v.name ~= "")', true end
  if scope.fields[name] then return ("N(v.%s)"):format(name), false end
  if scope.args[name] then return ("N(a.%s)"):format(name), false end
  if nif_schema.OUTER[name] then return ("N(c.%s)"):format(name), false end
  error("nothing is called " .. name, 0)
end

local source

-- The source of a node, and whether it is a truth value rather than a number.
local function node_source(node, scope)
  local op = node.op
  if op == "number" then return node.value == math.huge and "math.huge" or ("%q"):format(node.value), false end
  if op == "name" then return name_source(node.name, scope) end
  if op == "sum" then
    if not scope.fields[node[1].name] then error("sum: nothing is called " .. tostring(node[1].name), 0) end
    return ("S(v.%s)"):format(node[1].name), false
  end
  if op == "not" then return ("not %s"):format(source(node[1], scope, true)), true end
  if op == "and" or op == "or" then
    return ("(%s %s %s)"):format(source(node[1], scope, true), op, source(node[2], scope, true)), true
  end
  if op == "if" then                              -- numbers are true in Lua, so and/or do
    return ("(%s and %s or %s)"):format(source(node[1], scope, true), source(node[2], scope), source(node[3], scope)),
      false
  end
  local symbol = COMPARE[op] or assert(ARITHMETIC[op], op)
  return ("(%s %s %s)"):format(source(node[1], scope), symbol, source(node[2], scope)), COMPARE[op] ~= nil
end

function source(node, scope, truth)
  local text, is_truth = node_source(node, scope)
  if truth then return is_truth and text or ("(%s ~= 0)"):format(text) end
  return is_truth and ("(%s and 1 or 0)"):format(text) or text
end

local function compile(tree, scope, truth)
  local text = "local N, S, type, math = ... return function(v, a, c) return " .. source(tree, scope, truth) .. " end"
  return assert(load(text, "=" .. text, "t", {}))(number_of, sum_of, type, math)
end

-- ---- the files ------------------------------------------------------------------------------------

-- The expressions of "a, b": split at commas outside of brackets.
local function split_args(text)
  local list, depth, from = {}, 0, 1
  for at = 1, #text do
    local c = text:sub(at, at)
    depth = depth + (c == "(" and 1 or c == ")" and -1 or 0)
    if c == "," and depth == 0 then
      list[#list + 1] = text:sub(from, at - 1)
      from = at + 1
    end
  end
  list[#list + 1] = text:sub(from)
  return list
end

local function parse_field(line)
  local text, doc = line:match("^(.-)%s*//%s*(.*)$")
  text = text or line
  local head, cond = text:match("^(.-)%?%s*(.-)%s*$")
  head = head or text
  local type_name, rest = head:match("^%s+([%a_][%w_]*)(.*)$")
  if type_name == "computed" or rest:find("@overlay") then return nil end -- which takes no bytes
  if not type_name then error("no field: " .. line, 0) end
  if type_name == "packfile" then type_name = "bytes" end -- of which nobody here asks what is in them
  local args = rest:match("^%b()")
  if args then rest = rest:sub(#args + 1) end
  local name, after = rest:match("^%s+([%a_][%w_]*)(.*)$")
  if not name then error("no field: " .. line, 0) end
  local count = after:match("^%b[]")
  if count then after = after:sub(#count + 1) end
  local field = { name = name, type = type_name, line = line, doc = doc, annotations = {}, args_text = {} }
  for key, value in after:gmatch("@(%w+)=([^@]*)") do field.annotations[key] = value:match("^(.-)%s*$") end
  if not after:match("^%s*$") and not after:match("^%s+@") then error("no field: " .. line, 0) end
  if args then field.args_text = split_args(args:sub(2, -2)) end
  field.count_text, field.cond_text = count and count:sub(2, -2), cond
  return field
end

local function add_type(schema, entry)
  if schema.types[entry.name] then error(entry.name .. " is there twice", 0) end
  schema.types[entry.name] = entry
  table.insert(entry.kind == "block" and schema.blocks or schema.structs, entry.name)
  return entry
end

-- What a line at the left margin begins.
local function parse_heading(schema, line)
  local word, rest = line:match("^(%a+)%s+([^%s].-)%s*$")
  rest = rest and rest:gsub("%s*//.*$", "")
  if word == "block" then
    local name, parent = rest:match("^(%S+)%s+:%s+(%S+)")
    local own, arg = (name or rest:match("^%S+")):match("^([^(]+)%(?([^)]*)%)?$")
    return add_type(schema, { kind = "block", name = own, parent = parent, fields = {},
      args = { arg ~= "" and arg or nil } })
  elseif word == "struct" then
    local name, args = rest:match("^([%w_]+)(.*)$")
    local entry = add_type(schema, { kind = "struct", name = name, fields = {}, args = {} })
    for arg in args:gmatch("[%a_][%w_]*") do table.insert(entry.args, arg) end
    return entry
  elseif word == "enum" or word == "flags" then
    local names = { kind = word, name = rest:match("^%S+") }
    schema.names[names.name] = names
    return names
  end
  error("no heading: " .. line, 0)
end

local function parse_file(schema, text)
  local current
  for line in text:gmatch("[^\n]+") do
    local remark = line:match("^%s*//") or line:match("^%s*$")
    if not remark and line:match("^%S") then
      current = parse_heading(schema, line)
    elseif not remark and current.fields then -- what is worked out is not in the file
      if not line:match("^%s+numbers%s") then table.insert(current.fields, parse_field(line)) end
    elseif not remark then
      local number, name = line:match("^%s+(%S+)%s+(%S+)")
      current[assert(math.tointeger(tonumber(number)), line)] = name
    end
  end
end

-- Turns the texts of a field into functions. `scope` grows by each field, so that a condition can name only what
-- stands in front of it.
local function compile_field(field, scope)
  field.args, field.args_tree = {}, {}
  for i, text in ipairs(field.args_text) do
    field.args_tree[i] = nif_schema.parse(text)
    field.args[i] = compile(field.args_tree[i], scope)
  end
  if field.count_text == "REST" then
    field.count = "rest"
  elseif field.count_text then
    field.count_tree = nif_schema.parse(field.count_text)
    field.count = compile(field.count_tree, scope)
  end
  if field.cond_text then
    field.cond_tree = nif_schema.parse(field.cond_text)
    field.cond = compile(field.cond_tree, scope, true)
  end
  scope.fields[field.name] = true
end

local function resolve(schema, entry)
  if entry.all then return entry.all end
  local scope = { fields = {}, args = {} }
  entry.all = {}
  if entry.parent then
    local parent = schema.types[entry.parent] or error(entry.name .. ": no parent " .. entry.parent, 0)
    for _, field in ipairs(resolve(schema, parent)) do
      table.insert(entry.all, field)
      scope.fields[field.name] = true
    end
  end
  for _, arg in ipairs(entry.args) do scope.args[arg] = true end
  for _, field in ipairs(entry.fields) do
    local ok, err = pcall(compile_field, field, scope)
    if not ok then error(("%s.%s: %s"):format(entry.name, field.name, err), 0) end
    table.insert(entry.all, field)
  end
  return entry.all
end

--- Reads texts of tables, as load() does those of the files.
function nif_schema.read(texts)
  local schema = setmetatable({ types = {}, blocks = {}, structs = {}, names = {} }, Schema)
  for _, text in ipairs(texts) do parse_file(schema, text) end
  for _, list in ipairs { schema.blocks, schema.structs } do
    for _, name in ipairs(list) do resolve(schema, schema.types[name]) end
  end
  return schema
end

local loaded = {}

-- Words of the unit, the header and small records: readers of blocks know these by themselves.
local KNOWN = { ["unit.schema"] = true, ["records.schema"] = true, ["vertex.schema"] = true,
                ["materials.schema"] = true, ["header.schema"] = true }

--- The tables of a folder (default: core/nif/schema); read once.
function nif_schema.load(folder)
  folder = folder or "core/nif/schema"
  if loaded[folder] then return loaded[folder] end
  local names, texts = {}, {}
  for name in lfs.dir(folder) do
    if name:match("%.schema$") and not KNOWN[name] then names[#names + 1] = name end
  end
  table.sort(names)
  for i, name in ipairs(names) do
    local f <close> = assert(io.open(folder .. "/" .. name, "rb"))
    texts[i] = assert(f:read("a"))
  end
  assert(names[1], folder .. " has no tables")
  table.insert(texts, 1, "block NiObject // What every block begins with, readers know.")
  loaded[folder] = nif_schema.read(texts)
  return loaded[folder]
end

--- Whether a block type is another one or derives from it.
function Schema:is_a(name, ancestor)
  while name do
    if name == ancestor then return true end
    name = self.types[name] and self.types[name].parent
  end
  return false
end

--- What conditions of a block see beside its fields. setting: version, user_version, bs_version.
function Schema:context(type_name, setting)
  local bs = setting.bs_version or 0
  return {
    V = setting.version, U = setting.user_version or 0, B = bs,
    shader_kind = self:is_a(type_name, "BSLightingShaderProperty") and 1 or 0,
    is_particle_system = self:is_a(type_name, "NiParticleSystem"),
    is_bsx = self:is_a(type_name, "BSXFlags"),
    is_psys = bs >= 34 and self:is_a(type_name, "NiPSysData"),
  }
end

return nif_schema
