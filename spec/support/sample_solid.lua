--- .solid files written by hand from formats/wolfire.md, byte by byte: not made by lathe.

local hex = require "hex"

local sample = {}

-- A square of two triangles with fillers as the original tool left them: b, c, 0.
sample.square = hex [[
  00 04                             ; four vertices, big-endian
  00 02                             ; two triangles
  BF 80 00 00  00 00 00 00  3F 80 00 00       ; -1, 0, 1
  3F 80 00 00  00 00 00 00  3F 80 00 00       ;  1, 0, 1
  3F 80 00 00  00 00 00 00  BF 80 00 00       ;  1, 0, -1
  BF 80 00 00  3E 99 99 9A  BF 80 00 00       ; -1, 0.3, -1
  00 00  00 01  00 01  00 02  00 02  00 00    ; corners 0, 1, 2
    00 00 00 00  3F 80 00 00  3F 80 00 00     ; u: 0, 1, 1
    00 00 00 00  00 00 00 00  3F 80 00 00     ; v: 0, 0, 1
  00 00  00 02  00 02  00 03  00 03  00 00    ; corners 0, 2, 3
    00 00 00 00  3F 80 00 00  BD CC CC CD     ; u: 0, 1, -0.1
    00 00 00 00  3F 80 00 00  40 00 00 00     ; v: 0, 1, 2
]]

-- Other fillers, corners that are out of range, numbers that are none, bytes behind the end.
sample.odd = hex [[
  00 01  00 01
  7F C0 00 01  FF 80 00 01  80 00 00 00       ; a NaN, a signalling NaN, -0
  FF FF  12 34  00 09  FF FE  00 00  00 07    ; corners -1, 9, 0
    7F 80 00 00  FF 80 00 00  00 00 00 01     ; inf, -inf, the smallest number above 0
    7F 7F FF FF  00 80 00 00  3D CC CC CD
  4C 41 54                                    ; LAT
]]

sample.empty = hex "00 00 00 00"

return sample
