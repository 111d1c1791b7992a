--- Reads NIF files in plain Lua, for tests: shares nothing with the core, and believes nothing. Whatever breaks
-- formats/nif.md raises a text with the offset; what is wrong in one block is its `err`.
--
--    local file = reader.read(bytes)
--    file.version, file.user_version, file.bs_version, file.block_types, file.strings, file.roots, …
--    for i, block in ipairs(file.blocks) do               -- block number i - 1
--      print(block.type, block.at, block.size, block.consumed, block.err)
--      block.values                                       -- by the names of the tables; see nif_kinds
--      block.refs                                         -- { { number, "ref" | "ptr" }, … } in file order
--      block.string_refs                                  -- numbers of texts in file order
--    end
--
-- References are stored numbers (-1: none). A number of a text that the table lacks stays a number.
-- Files without block sizes are walked up to the first block that is not described: file.stopped = { index, at,
-- type, err }; then there are fewer blocks, and no footer.
-- opts: lazy = true: long arrays of vectors and vertices are decoded when first touched; places = true:
-- block.places = { { path, at, size }, … }, every stored field of the block in file order.

local kinds = require "nif_kinds"
local nif_schema = require "nif_schema"

local reader = {}

local unpack = string.unpack

--- Lazy arrays shorter than this are not worth it.
local LAZY = 64
local DEPTH = 32

-- ---- the cursor -----------------------------------------------------------------------------------

-- r: bytes, at (from 0), stop, and for blocks schema, context, strings, refs, string_refs, lazy, places, path.
local function fail(r, ...)
  local where = r.field and (" in %s.%s"):format(r.entry.name, r.field.name) or ""
  error(("at 0x%x%s: %s"):format(r.at, where, string.format(...)), 0)
end

local function need(r, size, what)
  if size < 0 or size > r.stop - r.at then fail(r, "%s: %d bytes needed of %d", what, size, r.stop - r.at) end
end

local function take(r, kind, what)
  need(r, kind.size, what or "number")
  local at = r.at
  r.at = at + kind.size
  if kind.make then return kind.make(unpack(kind.fmt, r.bytes, at + 1)) end
  return (unpack(kind.fmt, r.bytes, at + 1))
end

local function take_bytes(r, size, what)
  need(r, size, what)
  local at = r.at
  r.at = at + size
  return r.bytes:sub(at + 1, at + size)
end

local U8, U16, U32, I32 = kinds.fixed.u8, kinds.fixed.u16, kinds.fixed.u32, kinds.fixed.i32

local function take_sstr(r, what)
  return take_bytes(r, take(r, U32, what), what)
end

-- ---- arrays ---------------------------------------------------------------------------------------

-- An array that is filled when it is first looked at.
local function lazy_array(fill)
  local list, meta = {}, {}
  local function force()
    setmetatable(list, nil)
    fill(list)
    return list
  end
  function meta.__index(_, key) return force()[key] end
  function meta.__len() return #force() end
  function meta.__pairs() return pairs(force()) end
  return setmetatable(list, meta)
end

local function fill_plain(list, bytes, fmt, size, n, at)
  local step = 64
  local many = fmt:sub(1, 1) .. fmt:sub(2):rep(step)
  local i = 1
  while i + step - 1 <= n do
    local chunk = { unpack(many, bytes, at + 1) }
    table.move(chunk, 1, step, i, list)
    i, at = i + step, at + step * size
  end
  for k = i, n do
    list[k] = unpack(fmt, bytes, at + 1)
    at = at + size
  end
end

local function fill_made(list, bytes, fmt, size, n, at, make)
  for i = 1, n do
    list[i] = make(unpack(fmt, bytes, at + 1))
    at = at + size
  end
end

local function take_array(r, kind, n, what)
  if n > (r.stop - r.at) // kind.size then fail(r, "%s: %d of %d bytes needed of %d", what, n, kind.size, r.stop - r.at) end
  local at, bytes = r.at, r.bytes
  r.at = at + n * kind.size
  local function fill(list)
    (kind.make and fill_made or fill_plain)(list, bytes, kind.fmt, kind.size, n, at, kind.make)
  end
  if r.lazy and n >= LAZY and (kind.make or kind == kinds.fixed.f32) then return lazy_array(fill) end
  local list = {}
  fill(list)
  return list
end

local function take_vertices(r, n, desc, sse, halves)
  local ok, plan = pcall(kinds.vertex_plan, desc, sse ~= 0, (halves or 0) ~= 0)
  if not ok then fail(r, "%s", plan) end
  if plan.stride == 0 and n > 0 then fail(r, "%d vertices of no size", n) end
  if n > 0 and n > (r.stop - r.at) // plan.stride then
    fail(r, "%d vertices of %d bytes needed of %d", n, plan.stride, r.stop - r.at)
  end
  local at, bytes = r.at, r.bytes
  r.at = at + n * plan.stride
  local function fill(list)
    for i = 1, n do list[i] = kinds.vertex(plan, bytes, at + 1 + (i - 1) * plan.stride) end
  end
  if r.lazy and n >= LAZY then return lazy_array(fill) end
  local list = {}
  fill(list)
  return list
end

-- ---- fields ---------------------------------------------------------------------------------------

local special = {}

function special.bool(r)
  return take(r, r.wide_bool and U32 or U8, "bool") ~= 0
end

local function take_ref(r, how)
  local index = take(r, I32, how)
  r.refs[#r.refs + 1] = { index, how }
  return index
end

function special.ref(r) return take_ref(r, "ref") end
function special.ptr(r) return take_ref(r, "ptr") end

function special.sstr(r) return take_sstr(r, "text") end

function special.sstr16(r)
  return take_bytes(r, take(r, U16, "text"), "text")
end

function special.str(r)
  if not r.indexed then return take_sstr(r, "text") end
  local index = take(r, U32, "text number")
  r.string_refs[#r.string_refs + 1] = index
  if index == 0xFFFFFFFF then return false end
  return r.strings[index + 1] or index
end

local read_record

local function read_one(r, field, args, depth)
  local fixed = kinds.fixed[field.type]
  if fixed then return take(r, fixed, field.type) end
  local own = special[field.type]
  if own then return own(r) end
  local entry = r.schema.types[field.type]
  if not entry or entry.kind ~= "struct" then fail(r, "no type %s", field.type) end
  local named = {}
  for i, name in ipairs(entry.args) do named[name] = args[i] end
  return read_record(r, entry, named, depth + 1)
end

-- Values of the arguments at the place where a field is used.
local function arguments(field, values, args, context)
  local list = {}
  for i, f in ipairs(field.args) do list[i] = f(values, args, context) end
  return list
end

local function read_many(r, field, values, args, depth)
  local n = field.count == "rest" and r.stop - r.at or field.count(values, args, r.context)
  if n < 0 then fail(r, "count %d", n) end
  if field.type == "bytes" then return take_bytes(r, n, "bytes") end
  local given = arguments(field, values, args, r.context)
  if field.type == "BSVertexData" then return take_vertices(r, n, table.unpack(given)) end
  local fixed = kinds.fixed[field.type]
  if fixed then return take_array(r, fixed, n, field.type) end
  if n > r.stop - r.at then fail(r, "%d elements in %d bytes", n, r.stop - r.at) end
  local list, path = {}, r.path
  for i = 1, n do
    r.path = r.places and ("%s[%d]"):format(path, i)
    list[i] = read_one(r, field, given, depth)
  end
  return list
end

local function read_field(r, field, values, args, depth)
  local at, path = r.at, r.path
  if r.places then r.path = (path == "" and "" or path .. ".") .. field.name end
  local place = r.places and { r.path, at, 0 }
  if place then r.places[#r.places + 1] = place end
  local value
  if field.count then
    value = read_many(r, field, values, args, depth)
  else
    value = read_one(r, field, arguments(field, values, args, r.context), depth)
  end
  if place then place[3] = r.at - at end
  r.path = path
  return value
end

function read_record(r, entry, args, depth)
  if depth > DEPTH then fail(r, "nested deeper than %d", DEPTH) end
  local values, context = {}, r.context
  for _, field in ipairs(entry.all) do
    r.entry, r.field = entry, field
    if not field.cond or field.cond(values, args, context) then
      values[field.name] = read_field(r, field, values, args, depth)
    end
  end
  return values
end

--- Reads one record (a block or a struct, whose `args` by name) from the start of `bytes`, or from `opts.at` to
-- `opts.stop`. setting: version, user_version, bs_version, strings. Gives { values, refs, string_refs, consumed,
-- places }.
function reader.decode(type_name, bytes, setting, opts)
  opts = opts or {}
  local schema = opts.schema or nif_schema.load()
  local entry = schema.types[type_name] or error("not described: " .. type_name, 0)
  local from = opts.at or 0
  local r = { bytes = bytes, at = from, stop = opts.stop or #bytes, schema = schema,
    context = schema:context(opts.inside or type_name, setting), strings = setting.strings or {}, refs = {},
    string_refs = {}, lazy = opts.lazy, places = opts.places and {}, path = "",
    wide_bool = kinds.bool_size(setting.version) == 4, indexed = kinds.has_string_table(setting.version) }
  local values = read_record(r, entry, opts.args or {}, 0)
  return { values = values, refs = r.refs, string_refs = r.string_refs, consumed = r.at - from,
    places = r.places or nil }
end

-- ---- the header -----------------------------------------------------------------------------------

local function take_line(r)
  local stop = r.bytes:find("\n", r.at + 1, true)
  if not stop then fail(r, "no end of line") end
  return take_bytes(r, stop - r.at, "line"):sub(1, -2)
end

local function version_of(text)
  local a, b, c, d = text:match("Version (%d+)%.(%d+)%.?(%d*)%.?(%d*)$")
  if not a then return nil end
  return tonumber(a) << 24 | tonumber(b) << 16 | (tonumber(c) or 0) << 8 | (tonumber(d) or 0)
end

--- Whether a header has the part of Bethesda.
function reader.has_bs_header(version, user)
  return version == 0x0A000102 or user >= 3 and (version == 0x14020007 or version == 0x14000005
    or version >= 0x0A010000 and version <= 0x14000004 and user <= 11)
end

local function take_export(r)
  return take_bytes(r, take(r, U8, "length"), "export string")
end

local function read_bs_header(r, file)
  if not reader.has_bs_header(file.version, file.user_version) then return end
  file.bs_version = take(r, U32, "BS version")
  file.author = take_export(r)
  if file.bs_version > 130 then file.unknown_int = take(r, U32) end
  if file.bs_version < 131 then file.process_script = take_export(r) end
  file.export_script = take_export(r)
  if file.bs_version >= 103 then file.max_filepath = take_export(r) end
end

local function take_texts(r, n, what)
  local list = {}
  if n > (r.stop - r.at) // 4 then fail(r, "%d %s in %d bytes", n, what, r.stop - r.at) end
  for i = 1, n do list[i] = take_sstr(r, what) end
  return list
end

local function read_tables(r, file)
  local version = file.version
  if version >= 0x1E000000 then fail(r, "metadata are not described") end
  if version >= 0x05000001 then
    file.block_types = take_texts(r, take(r, U16, "block types"), "block types")
    file.type_index = take_array(r, U16, file.num_blocks, "type numbers")
  end
  if version >= 0x14020005 then file.block_sizes = take_array(r, U32, file.num_blocks, "block sizes") end
  if version >= 0x14010001 then
    local n = take(r, U32, "strings")
    file.max_string_length = take(r, U32, "longest string")
    file.strings = take_texts(r, n, "strings")
  end
  if version >= 0x05000006 then file.groups = take_array(r, U32, take(r, U32, "groups"), "groups") end
end

--- The header alone: all but blocks and what is behind them.
function reader.header(bytes)
  local r = { bytes = bytes, at = 0, stop = #bytes }
  local file = { bytes = bytes, user_version = 0, version_text = take_line(r) }
  local by_text = version_of(file.version_text)
  if not file.version_text:match("^NetImmerse File Format, ") and not file.version_text:match("^Gamebryo File Format, ")
    or not by_text then
    error("at 0x0: no NIF", 0)
  end
  if by_text <= 0x03010000 then
    file.copyright = { take_line(r), take_line(r), take_line(r) }
    fail(r, "version %s is not described", file.version_text)
  end
  file.version = take(r, U32, "version")
  if file.version >= 0x14000003 then file.endian = take(r, U8, "endian") end
  if file.endian == 0 then fail(r, "numbers with the high byte first are not described") end
  if file.version >= 0x0A000108 then file.user_version = take(r, U32, "user version") end
  file.num_blocks = take(r, U32, "number of blocks")
  read_bs_header(r, file)
  read_tables(r, file)
  file.body_offset = r.at
  return file
end

-- ---- the body -------------------------------------------------------------------------------------

-- With the layout that reads all of the block, where its type has several.
local function decode_sized(file, block, opts)
  local ok, found
  for _, layout in ipairs(kinds.layouts[block.type] or { 0 }) do
    opts.args = { arg = layout }
    ok, found = pcall(reader.decode, block.type, file.bytes, file, opts)
    if ok then found.layout = layout end
    if not block.size or ok and found.consumed == block.size then break end
  end
  return ok, found
end

local function try_decode(file, block, opts, stop)
  local ok, found = decode_sized(file, block,
    { at = block.at, stop = stop, lazy = opts.lazy, places = opts.places, schema = opts.schema })
  if not ok then
    block.err = found
    return false
  end
  for key, value in pairs(found) do block[key] = value end
  return true
end

local function type_of(file, i)
  local index = file.type_index[i] & 0x7FFF
  return file.block_types[index + 1] or error(("block %d: no type %d"):format(i - 1, index), 0)
end

local function read_sized(r, file, opts)
  for i = 1, file.num_blocks do
    local block = { type = type_of(file, i), at = r.at, size = file.block_sizes[i] }
    need(r, block.size, ("block %d"):format(i - 1))
    r.at = r.at + block.size
    if try_decode(file, block, opts, r.at) and block.consumed ~= block.size then
      block.err = ("at 0x%x: %d bytes read of %d"):format(block.at, block.consumed, block.size)
    end
    file.blocks[i] = block
  end
end

local function read_unsized(r, file, opts)
  for i = 1, file.num_blocks do
    local block = { type = file.type_index and type_of(file, i) or take_sstr(r, "type name") }
    if file.version > 0x0A000000 and file.version < 0x0A020000 then block.lead = take(r, U32, "number before a block") end
    block.at = r.at
    if not try_decode(file, block, opts, r.stop) then
      file.stopped = { index = i - 1, at = block.at, type = block.type, err = block.err }
      return
    end
    block.size = block.consumed
    r.at = r.at + block.size
    file.blocks[i] = block
  end
end

--- Reads a whole file; see above.
function reader.read(bytes, opts)
  opts = opts or {}
  local file = reader.header(bytes)
  local r = { bytes = bytes, at = file.body_offset, stop = #bytes }
  file.blocks = {};
  (file.block_sizes and read_sized or read_unsized)(r, file, opts)
  if file.stopped then return file end
  file.footer_offset = r.at
  file.roots = take_array(r, I32, take(r, U32, "roots"), "roots")
  file.trailing = bytes:sub(r.at + 1)
  return file
end

return reader
