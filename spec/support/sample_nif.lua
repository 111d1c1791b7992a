--- Whole NIF files for tests, made of plain tables by nothing of lathe: headers of every game, with blocks written by
-- the tables (sample_nif_write), by chance (sample_nif_random) or given as bytes.
--
--    local bytes, info = sample.build { game = "sse", blocks = {
--      { type = "NiNode", name = "Root", children = { 1 } },        -- block 0
--      { type = "BSTriShape", bytes = "…" },
--      { type = "BSPackedCombinedGeomDataExtra", layout_bits = 1, … },   -- the argument of one that takes it
--      sample.random_block("NiCamera", sample.setting "sse", sample.rng(7)) } }
--    info.body_offset, info.blocks[1].at, .size, .refs, .string_refs, info.footer_offset, info.at.num_blocks, …
--
-- What is said of a file, all but the blocks optional:
--    game                one of sample.games; or version, user_version, bs_version
--    version_text, endian, author, process_script, export_script, max_filepath (raw, with their NUL), unknown_int,
--    strings             those in front; texts of blocks join them
--    groups, roots       lists; default {} and { 0 }
--    trailing            bytes behind the end
-- To plant faults: num_blocks, num_block_types, num_strings, max_string_length, num_groups, num_roots (what the file
-- says, whatever is there), block_types, type_index (from 1), sizes = { [i] = stored size of block i, from 1 },
-- patches = { { offset, bytes }, … }, cut = how many bytes are left. info.at has the offset of each of these numbers,
-- and of version, endian, user_version, bs_version, type_index, block_sizes, strings and roots.

local kinds = require "nif_kinds"
local random = require "sample_nif_random"
local vertices = require "sample_nif_vertices"
local write = require "sample_nif_write"

local sample = {}

local pack = string.pack

--- The types of blocks that are shapes.
sample.shapes = { NiTriShape = true, NiTriStrips = true, BSLODTriShape = true, BSTriShape = true,
  BSSubIndexTriShape = true, BSDynamicTriShape = true, BSMeshLODTriShape = true }

--- Numbers of the games' versions.
sample.games = {
  morrowind = { version = 0x04000002 },
  oblivion = { version = 0x14000005, user_version = 11, bs_version = 11 },
  oblivion_old = { version = 0x0A010000 },        -- with a number in front of each block
  oblivion_10 = { version = 0x0A020000, user_version = 10, bs_version = 6 },
  fo3_old = { version = 0x14020007, user_version = 11, bs_version = 26 },
  fo3 = { version = 0x14020007, user_version = 11, bs_version = 34 },
  le = { version = 0x14020007, user_version = 12, bs_version = 83 },
  sse = { version = 0x14020007, user_version = 12, bs_version = 100 },
  fo4 = { version = 0x14020007, user_version = 12, bs_version = 130 },
  fo4_139 = { version = 0x14020007, user_version = 12, bs_version = 139 },
  fo76_152 = { version = 0x14020007, user_version = 12, bs_version = 152 },
  fo76 = { version = 0x14020007, user_version = 12, bs_version = 155 },
  starfield = { version = 0x14020007, user_version = 12, bs_version = 172 },
}

--- Those whose blocks are worth trying one by one, oldest first; and all.
sample.game_names = { "oblivion", "fo3", "le", "sse", "fo4", "fo76", "starfield" }
sample.all_names = { "morrowind", "oblivion_old", "oblivion_10", "oblivion", "fo3_old", "fo3", "le", "sse", "fo4",
  "fo4_139", "fo76_152", "fo76", "starfield" }

--- A setting of its own: the numbers of a game, and an empty list of strings.
function sample.setting(game, more)
  local setting = { strings = {} }
  for key, value in pairs(assert(sample.games[game], game)) do setting[key] = value end
  for key, value in pairs(more or {}) do setting[key] = value end
  return setting
end

sample.rng = random.rng
sample.random_block = random.block
sample.random_struct = random.struct
sample.random_file = random.file
sample.descriptors = vertices.descriptors
sample.record = write.record

-- ---- writing --------------------------------------------------------------------------------------

-- Bytes in order, and where each named number went.
local Out = {}
Out.__index = Out

function Out:put(bytes, name)
  if name and not self.at[name] then self.at[name] = self.size end
  self.parts[#self.parts + 1] = bytes
  self.size = self.size + #bytes
end

function Out:u16(n, name) self:put(pack("<I2", n), name) end
function Out:u32(n, name) self:put(pack("<I4", n & 0xFFFFFFFF), name) end

local function version_text(version)
  return ("%s File Format, Version %d.%d.%d.%d"):format(version <= 0x0A000102 and "NetImmerse" or "Gamebryo",
    version >> 24, version >> 16 & 255, version >> 8 & 255, version & 255)
end

local function has_bs_header(version, user)
  if version == 0x0A000102 then return true end
  if user < 3 then return false end
  return version == 0x14020007 or version == 0x14000005
    or (version >= 0x0A010000 and version <= 0x14000004 and user <= 11)
end

local function put_bs_header(out, opts, bs)
  local function export(name) out:put(pack("s1", opts[name] or "\0"), name) end
  out:u32(bs, "bs_version")
  export("author")
  if bs > 130 then out:u32(opts.unknown_int or 0, "unknown_int") end
  if bs < 131 then export("process_script") end
  export("export_script")
  if bs >= 103 then export("max_filepath") end
end

-- The bytes of every block. Texts join `strings`.
local function write_blocks(opts, setting)
  local list = {}
  for i, block in ipairs(opts.blocks) do
    local done = { type = block.type, bytes = block.bytes, refs = block.refs, string_refs = block.string_refs }
    if not done.bytes then
      local links
      done.bytes, links = write.record(block.type, block, setting, { arg = block.layout_bits })
      done.refs, done.string_refs = links.refs, links.string_refs
    end
    list[i] = done
  end
  return list
end

-- Names of types in order of their first use, and the number of each block's.
local function type_table(blocks)
  local names, index = {}, {}
  for i, block in ipairs(blocks) do index[i] = write.intern(names, block.type) end
  return names, index
end

local function put_tables(out, opts, setting, blocks)
  local version = setting.version
  if version >= 0x05000001 then
    local names, index = type_table(blocks)
    names, index = opts.block_types or names, opts.type_index or index
    out:u16(opts.num_block_types or #names, "num_block_types")
    for _, name in ipairs(names) do out:put(pack("<s4", name), "block_types") end
    for _, n in ipairs(index) do out:u16(n, "type_index") end
  end
  if version >= 0x14020005 then
    for i, block in ipairs(blocks) do out:u32(opts.sizes and opts.sizes[i] or #block.bytes, "block_sizes") end
  end
  if version >= 0x14010001 then
    local longest = 0
    for _, text in ipairs(setting.strings) do longest = math.max(longest, #text) end
    out:u32(opts.num_strings or #setting.strings, "num_strings")
    out:u32(opts.max_string_length or longest, "max_string_length")
    for _, text in ipairs(setting.strings) do out:put(pack("<s4", text), "strings") end
  end
  if version >= 0x05000006 then
    local groups = opts.groups or {}
    out:u32(opts.num_groups or #groups, "num_groups")
    for _, n in ipairs(groups) do out:u32(n, "groups") end
  end
end

local function put_header(out, opts, setting, blocks)
  local version, user = setting.version, setting.user_version or 0
  out:put((opts.version_text or version_text(version)) .. "\n")
  out:u32(version, "version")
  if version >= 0x14000003 then out:put(pack("B", opts.endian or 1), "endian") end
  if version >= 0x0A000108 then out:u32(user, "user_version") end
  out:u32(opts.num_blocks or #blocks, "num_blocks")
  if has_bs_header(version, user) then put_bs_header(out, opts, setting.bs_version or 0) end
  put_tables(out, opts, setting, blocks)
end

local function put_body(out, opts, setting, blocks, info)
  local version = setting.version
  info.body_offset = out.size
  for i, block in ipairs(blocks) do
    if version < 0x05000001 then out:put(pack("<s4", block.type)) end
    if version > 0x0A000000 and version < 0x0A020000 then out:u32(0) end
    info.blocks[i] = { type = block.type, at = out.size, size = #block.bytes, refs = block.refs,
      string_refs = block.string_refs }
    out:put(block.bytes)
  end
  info.footer_offset = out.size
  local roots = opts.roots or { 0 }
  out:u32(opts.num_roots or #roots, "num_roots")
  for _, n in ipairs(roots) do out:u32(n, "roots") end
  out:put(opts.trailing or "")
end

--- A file; see above.
function sample.build(opts)
  local setting = opts.game and sample.setting(opts.game)
    or { version = opts.version, user_version = opts.user_version, bs_version = opts.bs_version }
  setting.user_version = opts.user_version or setting.user_version
  setting.bs_version = opts.bs_version or setting.bs_version
  setting.fill, setting.true_byte = opts.fill, opts.true_byte
  setting.strings = table.move(opts.strings or {}, 1, #(opts.strings or {}), 1, {})
  local blocks = write_blocks(opts, setting)
  local out = setmetatable({ parts = {}, size = 0, at = {} }, Out)
  local info = { blocks = {}, at = out.at, setting = setting, strings = setting.strings }
  put_header(out, opts, setting, blocks)
  put_body(out, opts, setting, blocks, info)
  local bytes = table.concat(out.parts)
  for _, patch in ipairs(opts.patches or {}) do bytes = sample.patch(bytes, patch[1], patch[2]) end
  return bytes:sub(1, opts.cut or #bytes), info
end

--- Bytes with others in the place of those at an offset.
function sample.patch(bytes, offset, with)
  return bytes:sub(1, offset) .. with .. bytes:sub(offset + #with + 1)
end

--- Whether texts of a version are numbers of a table.
sample.has_string_table = kinds.has_string_table

return sample
