--- .anm files written by hand from formats/wolfire.md#2, byte by byte: not made by lathe.

local hex = require "hex"

-- Matrices, column after column: one that only moves, to 1.5, -2, 0.25; and mobility at rest.
local MOVED = [[
  00 00 80 3F  00 00 00 00  00 00 00 00  00 00 00 00
  00 00 00 00  00 00 80 3F  00 00 00 00  00 00 00 00
  00 00 00 00  00 00 00 00  00 00 80 3F  00 00 00 00
  00 00 C0 3F  00 00 00 C0  00 00 80 3E  00 00 80 3F
]]
local REST = [[
  00 00 80 3F  00 00 00 00  00 00 00 00  00 00 00 00
  00 00 00 00  00 00 00 00  00 00 80 BF  00 00 00 00
  00 00 00 00  00 00 80 3F  00 00 00 00  00 00 00 00
  00 00 00 00  00 00 00 00  00 00 00 00  00 00 80 3F
]]

local sample = {}

sample.v0 = hex([[
  00 00 00 00                   ; version
  E8 03 00 00                   ; lasts 1000 ms
  02 00 00 00                   ; two frames
  00 00 00 00                   ; at 0 ms
    01 00 00 00 ]] .. MOVED .. [[   ; one bone
  F4 01 00 00                   ; at 500 ms
    01 00 00 00 ]] .. MOVED)

sample.v3 = hex([[
  03 00 00 00                   ; version
  01                            ; looping
  64 00 00 00  58 02 00 00      ; from 100 to 600 ms
  02 00 00 00                   ; two frames
  64 00 00 00                   ; at 100 ms
    00 00 00 00                 ; no bones
    01 00 00 00                 ; an event
      00 00 00 00               ; of bone 0
      06 00 00 00  67 6F 6C 69 6D 70                            ; "golimp"
    01 00 00 00                 ; a chain
      00 00 80 3F  00 00 00 40  00 00 40 40                     ; 1, 2, 3
      00 00 80 40  00 00 A0 40  00 00 C0 40                     ; 4, 5, 6
      02 00 00 00  01 00 00 00  00 00 00 00                     ; of bones 1, 0
      03 00 00 00  6C 65 67     ; "leg"
  58 02 00 00                   ; at 600 ms
    00 00 00 00  00 00 00 00  00 00 00 00                       ; nothing
]])

sample.v7 = hex([[
  07 00 00 00                   ; version
  00                            ; once
  EC FF FF FF  50 00 00 00      ; from -20 to 80 ms
  01 00 00 00                   ; one frame
  EC FF FF FF                   ; at -20 ms
    02 00 00 00  00 00 00 3F  00 00 80 3E                       ; weights 0.5, 0.25
    01 00 00 00 ]] .. MOVED .. [[
    01 00 00 00 ]] .. MOVED .. [[ ; a weapon, of which nothing more is stored
    00 00 00 00                 ; no events
    00 00 00 00                 ; no chains
    02 00 00 00                 ; two shape keys
      00 00 80 3E  05 00 00 00  65 61 72 5F 6C                  ; 0.25 "ear_l"
      00 00 00 00  00 00 00 00                                  ; 0 ""
    01 00 00 00                 ; a status key
      00 00 80 3F  04 00 00 00  66 61 6C 6C                     ; 1 "fall"
]])

sample.v8 = hex([[
  08 00 00 00  01  00 00 00 00  28 00 00 00  01 00 00 00
  00 00 00 00                   ; at 0 ms
    00 00 00 00                 ; no weights
    01 00 00 00 ]] .. MOVED .. [[
    02 00 00 00                 ; two weapons
      ]] .. MOVED .. [[ 00 00 00 00  00 00 00 3F                ; half of it follows bone 0
      ]] .. MOVED .. [[ FF FF FF FF  00 00 00 00                ; follows none
    00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
]])

sample.v10_centered = hex([[
  0A 00 00 00                   ; version
  01                            ; centered
  01                            ; looping
  0A 00 00 00  0E 01 00 00      ; from 10 to 270 ms
  02 00 00 00                   ; two frames
  0A 00 00 00                   ; at 10 ms
    01 00 00 00  00 00 80 3F    ; weight 1
    01 00 00 00 ]] .. MOVED .. [[
    00 00 00 00                 ; no weapons
    01 ]] .. REST .. [[         ; mobility
    00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
    00 00 00 3F                 ; turned by half a radian
    00 00 80 3F  00 00 00 40  00 00 40 40                       ; at 1, 2, 3
  8C 00 00 00                   ; at 140 ms
    01 00 00 00  00 00 80 3F
    01 00 00 00 ]] .. MOVED .. [[
    00 00 00 00
    00                          ; no mobility
    01 00 00 00  00 00 00 00  03 00 00 00  68 C3 A9             ; bone 0 "hé"
    00 00 00 00  00 00 00 00  00 00 00 00
    00 00 00 BF                 ; turned the other way
    00 00 80 40  00 00 A0 40  00 00 C0 40                       ; at 4, 5, 6
]])

-- Mobility without bones, and bytes behind the end.
sample.v11 = hex([[
  0B 00 00 00                   ; version
  00                            ; not centered
  01                            ; looping
  28 00 00 00                   ; lasts 40 ms
  01 00 00 00                   ; one frame
  00 00 00 00                   ; at 0 ms
    00 00 00 00  00 00 00 00  00 00 00 00
    01 ]] .. REST .. [[         ; mobility
    00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
  DE AD BE                      ; three bytes that nobody reads
]])

return sample
