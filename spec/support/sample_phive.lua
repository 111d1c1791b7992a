--- .bphsh files made by hand, without lathe, by sample_phive_write.
--
--    for _, sample in ipairs(sample_phive.all()) do print(sample.name, #sample.bytes) end
--    local bytes, made = sample_phive.named("v22_grid")
--    sample_phive.spec("v22_grid")                  -- what it is made of, to be changed and given to sample_phive_write
--
-- Names of files by variant: box (one section, six quads), grid (99 vertices, two materials), strip (5 sections, three
-- materials), many (40 sections: a tree of three levels), single (one triangle), none (no section); and some more, below.
-- sample_phive_bad has damaged ones.

local write = require "sample_phive_write"

local sample = {}

local MATERIALS = {
  { id = 7, tags = 1 }, { id = 2, sub = 0, tags = 0x40000000, layer = 0xFFFFFFF7, sublayer = 0xFFFFFDFF },
  { id = 53, tags = math.mininteger | 2, layer = 0, sublayer = 1 },
}

local function materials(n)
  return table.move(MATERIALS, 1, n, 1, {})
end

local function box_section(x, y, z)
  local v = {}
  for i = 0, 7 do v[i + 1] = { (i & 1) * x, (i >> 1 & 1) * y, (i >> 2) * z } end
  return { vertices = v, primitives = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
    { 1, 3, 7, 5 } } }
end

local function height(x, z) return ((x * 7 + z * 13) % 11 - 5) / 8 end

-- A field of w x h cells from (x, z) on: quads, but every third cell two triangles. tag(number of the primitive).
local function field_section(x, z, w, h, tag)
  local section = { vertices = {}, primitives = {}, interior = {} }
  for j = 0, h do
    for i = 0, w do section.vertices[#section.vertices + 1] = { x + i, height(x + i, z + j), z + j } end
  end
  local function add(a, b, c, d)
    local p = #section.primitives
    section.primitives[p + 1] = { a, b, c, d, tag = tag and tag(p) or 0 }
  end
  for j = 0, h - 1 do
    for i = 0, w - 1 do
      local a = j * (w + 1) + i
      local b, c, d = a + w + 1, a + w + 2, a + 1
      if (i + j) % 3 == 0 then
        add(a, b, c, c)
        add(a, c, d, d)
      else
        add(a, b, c, d)
      end
    end
  end
  return section
end

local specs = {}

function specs.box(variant)
  return { variant = variant, sections = { box_section(2, 3, 4) }, materials = materials(1) }
end

function specs.grid(variant)
  local section = field_section(-7, -4, 10, 8, function(p) return p >= 55 and 1 or 0 end)
  for bit = 0, 9, 3 do section.interior[bit * 2] = true end
  section.pad = variant ~= "v21"
  return { variant = variant, sections = { section }, materials = materials(2) }
end

function specs.strip(variant)
  local spec = { variant = variant, sections = {}, materials = materials(3) }
  for s = 0, 4 do
    spec.sections[s + 1] = field_section(s * 6, s - 2, 6, 3 + s, function(p) return (p // 9 + s) % 3 end)
  end
  return spec
end

function specs.many(variant)
  local spec = { variant = variant, sections = {}, materials = materials(2) }
  for s = 0, 39 do spec.sections[s + 1] = field_section(s % 8 * 2, s // 8 * 3, 2, 3, function() return s // 7 % 2 end) end
  return spec
end

function specs.single(variant)
  return { variant = variant, materials = materials(1),
    sections = { { vertices = { { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, primitives = { { 0, 1, 2, 2 } } } } }
end

function specs.none(variant)
  return { variant = variant, sections = {}, materials = materials(1) }
end

local function with(name, variant, more)
  local spec = specs[name](variant)
  for key, value in pairs(more) do spec[key] = value end
  return spec
end

local more = {
  v22_float = function()
    local spec = specs.strip "v22"
    spec.sections[2].float, spec.sections[5].float, spec.sections[5].pad = true, true, true
    for _, v in ipairs(spec.sections[2].vertices) do v[1], v[2] = v[1] * 1000.1, v[2] + 0.1 end
    return spec
  end,
  v22_float_alone = function()
    local spec = specs.single "v22"
    spec.sections[1].float = true
    spec.sections[1].vertices = { { -200.3, 0.1, 0 }, { 0, 0.25, 300.7 }, { 1e6, 0, 0 } }
    return spec
  end,
  v22_unpadded = function() return with("box", "v22", { unpadded = true }) end,
  v22_no_materials = function() return with("none", "v22", { materials = {} }) end,
  v22_flat_quads = function()                     -- b > d: the engine takes them for one face
    local spec = specs.box "v22"
    for _, p in ipairs(spec.sections[1].primitives) do
      local a, b, c, d = p[1], p[2], p[3], p[4]
      if b < d then p[1], p[2], p[3], p[4] = c, d, a, b end
    end
    return spec
  end,
  v22_short_keys = function() return with("strip", "v22", { shift = 7 }) end,
  v22_coarse = function() return with("strip", "v22", { scale = 1 / 100 }) end,
  v21_far = function()
    local spec = specs.grid "v21"
    for _, v in ipairs(spec.sections[1].vertices) do v[1], v[3] = v[1] - 30000, v[3] + 20000 end
    return spec
  end,
  v23_type7 = function() return with("box", "v23", { type = 7, dispatch = 2 }) end,
}

for _, variant in ipairs { "v21", "v22", "v23" } do
  more[variant .. "_other_ids"] = function() return with("strip", variant, { types = { backwards = true } }) end
  more[variant .. "_other_places"] = function()
    return with("strip", variant, { types = { moved = true } })
  end
  more[variant .. "_other_both"] = function()
    return with("many", variant, { types = { moved = true, backwards = true } })
  end
  for name in pairs(specs) do
    more[variant .. "_" .. name] = function() return specs[name](variant) end
  end
end

--- A new table each time.
function sample.spec(name)
  return more[name]()
end

function sample.named(name)
  return write(sample.spec(name))
end

--- All of them, by name.
function sample.all()
  local list = {}
  for name in pairs(more) do list[#list + 1] = { name = name } end
  table.sort(list, function(a, b) return a.name < b.name end)
  for _, entry in ipairs(list) do entry.bytes, entry.made = sample.named(entry.name) end
  return list
end

sample.write = write

return sample
