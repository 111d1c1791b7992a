--- Every vertex descriptor that formats/nif.md#7.2 leaves room for.

local kinds = require "nif_kinds"

local vertices = {}

local FULL = 0x400

-- Where each attribute lies when they follow one another without gaps; the descriptor's nibbles are that / 4.
local function build(flags, full, game)
  local desc, at, offsets = flags << 44, 0, {}
  local position = flags & 1 ~= 0
  if position then
    offsets.position = 0
    at = full and 16 or 8
  end
  for _, attribute in ipairs(kinds.attributes) do
    if attribute.nibble and flags & attribute.bit ~= 0 then
      offsets[attribute.name] = at
      desc = desc | at // 4 << attribute.nibble
      at = at + attribute.size
    end
  end
  local dynamic = not position
  if dynamic then desc = desc | 4 << 4 end        -- positions are in the block's dynamic part
  return { desc = desc | at // 4, flags = flags, offsets = offsets, stride = at, full = full, dynamic = dynamic,
    game = game, sse = game == "sse" }
end

-- All sets of attributes beside the position, a tangent only with its normal.
local function attribute_sets()
  local sets = {}
  for rest = 0, 0x1FF, 2 do
    if rest & 0x18 ~= 0x10 then sets[#sets + 1] = rest end
  end
  return sets
end

local all

--- { { desc = u64, game = "sse" | "fo4", sse =, flags =, offsets = { uv = 16, … }, stride =, full =, dynamic = }, … }:
-- every set of attributes (UV1, land and eye data included) with positions of either precision; for Skyrim SE also with
-- the flag of full precision, which means nothing there, and without positions, as dynamic shapes are.
function vertices.descriptors()
  if all then return all end
  all = {}
  for _, rest in ipairs(attribute_sets()) do
    all[#all + 1] = build(rest | 1, true, "sse")
    all[#all + 1] = build(rest | 1 | FULL, true, "sse")
    if rest ~= 0 then all[#all + 1] = build(rest | FULL, true, "sse") end
    all[#all + 1] = build(rest | 1, false, "fo4")
    all[#all + 1] = build(rest | 1 | FULL, true, "fo4")
  end
  return all
end

local by_game = { sse = {}, fo4 = {} }

--- Those of one game that have positions.
function vertices.of_game(game)
  local list = by_game[game]
  if not list[1] then
    for _, one in ipairs(vertices.descriptors()) do
      if one.game == game and not one.dynamic then list[#list + 1] = one end
    end
  end
  return list
end

return vertices
