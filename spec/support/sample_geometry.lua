--- .psg and .csg files written by hand from formats/precombined.md, byte by byte: not made by lathe.

local hex = require "hex"

local sample = {}

-- A triangle of positions and normals, in halves; a square in full precision, with texture coordinates and
-- tangents; a triangle with colours whose descriptor says full precision, though its positions are halves.
local rows = hex [[
  00 00 00 00  03 00 02 00 00 90 00 00  03 00 00 00  03 00 00 00
  2A 00 00 00  07 04 65 00 00 B0 41 00  04 00 00 00  06 00 00 00
  A6 00 00 00  08 04 65 07 00 B0 43 00  03 00 00 00  03 00 00 00
]]

sample.stream = hex [[
  00 00 00 00 00 00 00 00 80 80 FF 80                         ; 0 0 0, up
  00 3C 00 00 00 00 00 00 80 80 FF 80                         ; 1 0 0
  00 00 00 3C 00 00 00 00 80 80 FF 80                         ; 0 1 0
  00 00 01 00 02 00
  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 3F 00 00 00 00 FF 80 80 80 80 FF 80 80
  00 00 00 00 00 00 00 00 00 00 00 40 00 00 00 3F 00 3C 00 00 FF 80 80 80 80 FF 80 80
  00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 3F 00 00 00 3C FF 80 80 80 80 FF 80 80
  00 00 00 00 00 00 00 40 00 00 00 40 00 00 00 3F 00 3C 00 3C FF 80 80 80 80 FF 80 80
  00 00 01 00 02 00  02 00 01 00 03 00
  00 48 00 00 00 00 00 34 00 00 00 00 00 80 80 80 80 00 80 80 FF 00 00 FF
  00 00 00 48 00 00 00 34 00 3C 00 00 00 80 80 80 80 00 80 80 00 FF 00 FF
  00 00 00 00 00 48 00 34 00 38 00 3C 00 80 80 80 80 00 80 80 00 00 FF 80
  02 00 01 00 00 00
]]

sample.plain = "bpsg\3\0\0\0" .. rows .. sample.stream

-- One chunk, as zlib packs it at level 6.
sample.packed = "bcsg\3\0\0\0\1\0\0\0" .. hex "60 00 00 00  50 00 00 00" .. rows .. hex [[
  78 9C 6D 8E 31 0E C0 30 08 03 DD F4 4B 19 3A 20 35 63 9E C5 CF A9 81 44
  42 6D 19 10 F1 99 60 20 4B D5 14 52 66 E4 2B E7 03 0D AF BA BD 99 AA 1B
  B4 E8 23 98 7C D8 28 7B F2 C3 F6 5E 61 7E B5 B1 9F C0 0C 5F 5F F1 08 69
  E1 09 24 E9 91 75 E9 54 2D 7C 93 FA 45 B2 75 26 F2 DF 80 07 8C 64 2F 88
]]

-- Nothing at all, in both forms.
sample.empty_plain = "bpsg\0\0\0\0"
sample.empty_packed = "bcsg\0\0\0\0\0\0\0\0"

return sample
