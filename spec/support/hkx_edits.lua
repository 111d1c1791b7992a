--- Editing packfiles in specs: the judge, the files, and edits by chance. The judge is sample_hkx_write: what a
-- file must be when all of it is written anew.

local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local hkx_classes = require "hkx_classes"
local sample = require "sample_hkx"

local edits = {}

local CORPUS = {
  ["skyrim-le"] = { game = "skyrim-le",
    "1hm_staggerbacksmallest", "SOSFastErect", "SOSMale", "skeever_skeleton", "skeleton", "skeleton_troll" },
  ["skyrim-se"] = { game = "skyrim-se",
    "bow_drawlight", "chair_idlearmscrossedvar1", "skeleton", "sneak_1hmattackintro", "sneakmtidle" },
  fo4 = { game = "fallout4", "CoughingAfterCryo", "Death1", "SneakIdle", "run_forward_to_idle", "skeleton" },
}

--- Layouts of the built files.
edits.LAYOUTS = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", pointer_size = 4 },
  { game = "skyrim-le", endian = ">" }, { game = "fallout4", endian = ">" }, { game = "fallout4", embedded = true },
}

--- The file as it is when written anew.
function edits.anew(bytes, layout)
  local file = reader.read(bytes)
  return (sample.build(file:graph(), layout))
end

local function hex_at(bytes, at)
  return (bytes:sub(at - 15, at + 16):gsub(".", function(c) return ("%02x "):format(c:byte()) end))
end

--- Equal bytes, or an error that can be read.
function edits.same_bytes(wanted, got, label)
  if wanted == got then return end
  local at = 1
  while wanted:byte(at) == got:byte(at) do at = at + 1 end
  error(("%s: %d bytes wanted, %d got; they differ at 0x%x:\n%s\n%s"):format(label or "", #wanted, #got, at - 1,
    hex_at(wanted, at), hex_at(got, at)), 2)
end

--- What holds after every edit. Gives the bytes.
function edits.judge(doc, layout, label)
  local bytes = doc:encode()
  edits.same_bytes(edits.anew(bytes, layout), bytes, label)
  edits.same_bytes(assert(doc:serialize()), bytes, label)
  return bytes
end

--- A document, or an error.
function edits.open(bytes)
  return assert(lathe.parse(bytes, { format = "hkx", history = 1000 }))
end

--- Calls test(bytes, layout, label) for each packfile of the corpus.
function edits.each_corpus_file(pending, test)
  for folder, names in pairs(CORPUS) do
    for _, name in ipairs(names) do
      local path = helper.need_corpus(("hkx/%s/%s.hkx"):format(folder, name), pending)
      if not path then return end
      test(helper.read(path), { game = names.game }, folder .. "/" .. name)
    end
  end
end

--- The objects of a class.
function edits.objects_of(doc, class)
  local list = {}
  for _, object in ipairs(doc.objects) do
    if lathe.type(object) == class then list[#list + 1] = object end
  end
  return list
end

-- ---- random edits ---------------------------------------------------------------------------------

local random = math.random

local function text_of()
  local n = random(10)
  if n == 1 then return false end
  if n == 2 then return "" end
  return ("abcdefghijklmnopqrstuvwxyz"):rep(3):sub(1, random(1, n == 3 and 70 or 20))
end

local function number_of()
  return random(-100, 100) / 4
end

local function vector()
  return { x = number_of(), y = number_of(), z = number_of(), w = number_of() }
end

local function transform()
  return { translation = vector(), rotation = vector(), scale = vector() }
end

local function list_of(make, most)
  local list = {}
  for i = 1, random(0, most) do list[i] = make() end
  return list
end

local function annotation_of()
  return { time = random(0, 100) / 4, text = text_of() }
end

local function small()
  return random(0, 100)
end

local function codes()
  return { x = small(), y = small(), z = small(), w = small() }
end

-- What elements of arrays are made of, whole.
local ELEMENTS = {
  annotations = annotation_of, parent_indices = small, reference_pose = transform, reference_floats = number_of,
  float_slots = text_of, transforms = transform, floats = number_of, block_offsets = small,
  float_block_offsets = small, transform_offsets = small, float_offsets = small,
  transform_track_to_bone_indices = small, float_track_to_float_slot_indices = small, partition_indices = small,
  reference_frame_samples = vector, dynamic_translations = number_of, static_translations = number_of,
  dynamic_rotations = vector, static_rotations = vector, dynamic_scales = number_of, static_scales = number_of,
  rotation_type_and_offsets = small, translation_type_and_offsets = codes, scale_type_and_offsets = codes,
  unmapped_bones = small, partition_map = small,
  bones = function() return { name = text_of(), lock_translation = random(2) == 1 } end,
  annotation_tracks = function() return { track_name = text_of(), annotations = list_of(annotation_of, 3) } end,
  named_variants = function() return { name = text_of(), class_name = text_of(), variant = false } end,
  partitions = function() return { name = text_of(), start_bone_index = small(), num_bones = small() } end,
  local_frames = function() return { local_frame = false, bone_index = small() } end,
  simple_mappings = function() return { bone_a = small(), bone_b = small(), a_from_b_transform = transform() } end,
  chain_mappings = function()
    return { start_bone_a = small(), end_bone_a = small(), start_bone_b = small(), end_bone_b = small(),
      start_a_from_b_transform = transform(), end_a_from_b_transform = transform() }
  end,
  simple_mapping_partition_ranges = function() return { start_mapping_index = small(), num_mappings = small() } end,
}
ELEMENTS.chain_mapping_partition_ranges = ELEMENTS.simple_mapping_partition_ranges

local TEXT_FIELDS = { name = true, text = true, track_name = true, class_name = true,
  original_skeleton_name = true }

-- Some edits of an array: each changes the view, and in the same way the plain list.
local ARRAY_EDITS = {
  function(view, list, make)
    local at, item = random(1, #list + 1), make()
    view:insert(at, item)
    table.insert(list, at, item)
    return ("insert at %d of %d"):format(at, #list - 1)
  end,
  function(view, list, make)
    local item = make()
    view[#view + 1] = item
    list[#list + 1] = item
    return "append"
  end,
  function(view, list)
    if #list == 0 then return end
    local at = random(1, #list)
    view:remove(at)
    table.remove(list, at)
    return ("remove %d of %d"):format(at, #list + 1)
  end,
  function(view, list)
    if #list == 0 then return end
    view[#view] = nil
    list[#list] = nil
    return "shorten"
  end,
  function(view, list)
    local n = random(0, #list)
    view:resize(n)
    for i = #list, n + 1, -1 do list[i] = nil end
    return ("resize to %d"):format(n)
  end,
  function(view, list, make)
    local new = list_of(make, 5)
    view:assign(new)
    for i = math.max(#list, #new), 1, -1 do list[i] = new[i] end
    return ("assign %d"):format(#new)
  end,
  function(view, list, make)
    if #list == 0 then return end
    local at, item = random(1, #list), make()
    view[at] = item
    list[at] = item
    return ("set %d of %d"):format(at, #list)
  end,
}

local function is_list(t)
  return #t > 0 or next(t) == nil
end

local function keys_of(t)
  local keys = {}
  for k in pairs(t) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

-- One edit somewhere in a record, of it and of its plain table. Gives what was done, or nil where the way led
-- nowhere.
local function edit_record(view, plain)
  local keys = keys_of(plain)
  local key = keys[random(#keys)]
  local value = plain[key]
  if TEXT_FIELDS[key] then
    local text = text_of()
    view[key], plain[key] = text, text
    return ("%s = %q"):format(key, text)
  elseif key == "data" and type(value) == "string" then
    local bytes = ("data"):rep(random(0, 9)):sub(random(4))
    view[key], plain[key] = bytes, bytes
    return ("data of %d"):format(#bytes)
  elseif type(value) == "table" and is_list(value) and ELEMENTS[key] then
    if #value > 0 and type(value[1]) == "table" and random(3) > 1 then
      local at = random(#value)
      local what = edit_record(view[key][at], value[at])
      return what and ("%s[%d].%s"):format(key, at, what)
    end
    -- An object that nothing leads to any more stays until the file is written anew: not here.
    local what = ARRAY_EDITS[random(key == "named_variants" and 2 or #ARRAY_EDITS)](view[key], value, ELEMENTS[key])
    return what and key .. ": " .. what
  elseif type(value) == "table" and not is_list(value) then
    local what = edit_record(view[key], value)
    return what and key .. "." .. what
  elseif key == "time" or key == "duration" then
    view[key] = 0.25
    plain[key] = 0.25
    return key
  end
end

--- One edit somewhere in a described object, of the document and of its table. Gives what was done.
function edits.random_edit(doc, plain)
  for _ = 1, 1000 do
    local i = random(#plain.objects)
    local object = plain.objects[i]
    -- Of a class whose data the judge can tell from other bytes.
    if not object.bytes and hkx_classes.get("hk_2014.1", 8, object.class) then
      local what = edit_record(doc.objects[i], object)
      if what then return ("objects[%d] %s.%s"):format(i, object.class, what) end
    end
  end
  error("nothing to edit")
end

--- Options of makers by name, with something of everything; edits.make makes them.
function edits.samples(layout)
  local function with(opts)
    for k, v in pairs(layout) do opts[k] = v end
    return opts
  end
  local of_fallout = sample.layout(layout).version == "hk_2014.1"
  local opaque = sample.opaque("hkpThing", 0x12345678, ("\1\2\3\4"):rep(12), { { 8, 32 } }, {})
  local list = {
    clip = with { frames = 4, tracks = 3, track_names = { "", false, "Bone" }, motion = true, floats = { 1, 2 },
      annotations = { { track = 0, time = 0, text = "a" }, { track = 0, time = 1, text = "bcd" },
        { track = 2, time = 2, text = false } }, variants = { { "Thing", "hkpThing", opaque } } },
    skeleton = with { skeletons = { { bones = { "a", "bb", { name = false }, "dddddddddddddddddd" },
      float_slots = { "one", "", false, "four" }, local_frames = { { bone_index = 1 } },
      partitions = of_fallout and { { name = "p", start_bone_index = 1, num_bones = 2 } } or nil },
      { name = "Ragdoll", bones = 2 } }, mappers = { { 1, 2, { chains = { { 1, 2, 3, 4 } } } } },
      variants = { { "Thing", "hkpThing", opaque } } },
    interleaved = with { kind = "interleaved", frames = 2, tracks = 2, floats = { 1 } },
  }
  if of_fallout then list.lossless = with { kind = "lossless", frames = 2, tracks = 2, floats = { 1 } } end
  return list
end

--- The file of such options.
function edits.make(name, opts)
  return ((name == "skeleton" and sample.skeleton or sample.clip)(opts))
end

return edits
