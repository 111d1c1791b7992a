--- .fzx files written by hand from formats/wolfire.md, byte by byte: not made by lathe.

local hex = require "hex"

local sample = {}

sample.two = hex [[
  D3 46 5A 58 0D 0A 20 0A       ; mark
  01 00 00 00                   ; version
  02 00 00 00                   ; two objects
  13 00 00 00                   ; 19 bytes of label
    4C 20 55 70 70 65 72 41 72 6D 20 43 61 70 73 75 6C 65 20  ; "L UpperArm Capsule "
    00 00 80 3F  00 00 00 3F  00 00 80 BE  CD CC CC 3D        ; rotation w 1, x 0.5, y -0.25, z 0.1
    00 00 20 41  00 00 A0 C0  9A 99 99 3E                     ; location 10, -5, 0.3
    00 00 00 40  00 00 40 40  00 00 80 40                     ; scale 2, 3, 4
  0F 00 00 00                   ; 15 bytes
    6D 20 73 70 68 65 72 65 20 78 79 7A 20 52 20              ; "m sphere xyz R "
    F3 04 35 3F  F3 04 35 3F  00 00 00 00  00 00 00 80        ; 0.70710677, the same, 0, -0
    00 00 80 3F  00 00 80 3F  01 00 00 00                     ; 1, 1, the smallest number above 0
    CD CC 4C 3E  FF FF 7F 7F  0A D7 23 3C                     ; 0.2, the largest number, 0.01
  8A 00 00 00                   ; 138 bytes up to here
  46 5A 58                      ; FZX
]]

-- No objects: the smallest file there is.
sample.empty = hex [[ D3 46 5A 58 0D 0A 20 0A  01 00 00 00  00 00 00 00  10 00 00 00  46 5A 58 ]]

-- Bytes between the last object and the footer, an empty label, numbers that are none.
sample.odd = hex [[
  D3 46 5A 58 0D 0A 20 0A  01 00 00 00  01 00 00 00
  00 00 00 00
    00 00 C0 7F  01 00 80 7F  00 00 80 7F  00 00 80 FF        ; NaN, a signalling NaN, inf, -inf
    00 00 00 00  00 00 00 00  00 00 00 00
    00 00 00 00  00 00 00 00  00 00 00 00
  DE AD BE EF 46                ; five bytes that nobody reads
  41 00 00 00                   ; 16 + 44 + 5
  46 5A 58
]]

return sample
