--- Small NIF files as literal hex, made by hand: no writer of ours had to do with them.
--
--    local bytes = require("nif_hex").sse               -- also fo4, oblivion, morrowind, starfield

local hex = require "hex"

local GAMEBRYO = "47616D656272796F 2046696C65 20466F726D61742C 2056657273696F6E20"    -- Gamebryo File Format, Version
local IDENTITY = "0000803F 00000000 00000000  00000000 0000803F 00000000  00000000 00000000 0000803F"

local files = {}

--- A NiNode alone.
files.sse = hex(GAMEBRYO .. [[
  32302E322E302E37 0A       ; 20.2.0.7
  07000214 01 0C000000      ; version, little-endian, user version
  01000000                  ; one block
  64000000 0100 0100 0100   ; BS version 100; author, process script, export script
  0100 06000000 4E694E6F6465 ; one type: NiNode
  0000                      ; of which block 0 is
  50000000                  ; and has 80 bytes
  01000000 05000000 05000000 5363656E65 ; one string, the longest has 5 bytes: Scene
  00000000                  ; no groups
  00000000 00000000 FFFFFFFF ; name 0, no extra data, no controller
  0E000800                  ; flags
  0000C03F 000000C0 00000000 ; translation 1.5 -2 0
  00000000 000080BF 00000000 ; rotation: a quarter turn about z
  0000803F 00000000 00000000
  00000000 00000000 0000803F
  0000003F                  ; scale 0.5
  FFFFFFFF                  ; no collision object
  00000000 00000000         ; no children, no effects
  01000000 00000000         ; one root: block 0
]])

--- A BSTriShape of three vertices in half precision, with tangents.
files.fo4 = hex(GAMEBRYO .. [[
  32302E322E302E37 0A
  07000214 01 0C000000 01000000
  82000000 0100 0100 0100 00 ; BS version 130; the longest path is empty, even of its NUL
  0100 0A000000 42535472695368617065 0000 ; BSTriShape
  B8000000                  ; 184 bytes
  02000000 03000000 03000000 547269 00000000 ; two strings: Tri and an empty one
  00000000
  00000000 00000000 FFFFFFFF 0E000000 ; name, extra data, controller, flags
  00000000 00000000 00000000
]] .. IDENTITY .. [[
  0000803F FFFFFFFF         ; scale 1, no collision object
  0000003F 000080BF 00000000 00000040 ; bounds: 0.5 -1 0, radius 2
  FFFFFFFF FFFFFFFF FFFFFFFF ; skin, shader, alpha
  0502430000B00100          ; 20 bytes: position, uv at 8, normal at 12, tangent at 16
  01000000 0300 42000000    ; 1 triangle, 3 vertices, 66 bytes
  0000 0000 0000 003C  0000 0000  8080FF 80  FF8080 80
  003C 0000 0000 00BC  003C 0038  00FF80 00  FF8080 FF
  0038 00C0 FF7B 0100  00B4 0042  010203 04  050607 08
  0000 0100 0200            ; the triangle
  01000000 00000000
]])

--- A NiNode with a NiStringExtraData: neither sizes nor a table of strings.
files.oblivion = hex(GAMEBRYO .. [[
  32302E302E302E35 0A       ; 20.0.0.5
  05000014 01 0B000000 02000000
  0B000000 0100 0100 0100   ; BS version 11
  0200 06000000 4E694E6F6465 11000000 4E69537472696E674578747261446174 61
  0000 0100
  00000000                  ; no groups
  0A000000 5363656E6520526F6F74 ; Scene Root
  01000000 01000000 FFFFFFFF 0C00 ; extra data: block 1; no controller; flags
  00000000 00000000 0000003F
]] .. IDENTITY .. [[
  0000803F 00000000 FFFFFFFF ; scale 1, no properties, no collision object
  01000000 FFFFFFFF 00000000 ; one child, which is none; no effects
  03000000 50726E 05000000 4269703031 ; block 1: Prn, Bip01
  01000000 00000000
]])

--- A NiNode with a bounding sphere: types in front of blocks, bools of 4 bytes.
files.morrowind = hex([[
  4E6574496D6D65727365 2046696C65 20466F726D61742C 2056657273696F6E20 342E302E302E32 0A ; NetImmerse … 4.0.0.2
  02000004 01000000
  06000000 4E694E6F6465     ; NiNode
  04000000 526F6F74 FFFFFFFF FFFFFFFF 0C00 ; Root, no extra data, no controller, flags
  00000000 00000000 00000000
]] .. IDENTITY .. [[
  0000803F                  ; scale
  00000000 00000000 000080BF ; velocity
  00000000                  ; no properties
  01000000 00000000 00000000 00000000 00000000 0000A040 ; bounded, by a sphere: radius 5
  00000000 00000000
  01000000 00000000
]])

--- A BSXFlags, under a header with a stamp of time where others have a path.
files.starfield = hex(GAMEBRYO .. [[
  32302E322E302E37 0A
  07000214 01 0C000000 01000000
  AC000000 0100 03000000 0100 07 81B8C3E0D60100 ; BS version 172; author, 3, export script, stamp
  0100 08000000 425358466C616773 0000 08000000
  01000000 03000000 03000000 425358 00000000
  00000000 C2000000         ; name 0: BSX; its bits
  01000000 00000000
]])

return files
