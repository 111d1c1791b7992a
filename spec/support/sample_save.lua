--- .sav and .sav3 files written by hand from formats/wolfire.md, byte by byte: not made by lathe.

local hex = require "hex"

local sample = {}

-- Two levels; keys out of order, with a zero byte and a quote, and one that is empty.
sample.v3 = hex [[
  4F 76 65 72 67 72 6F 77 74 68 20 53 61 76 65                ; "Overgrowth Save"
  03 00  02 00                                                ; version 3, two levels
  01 00 63  06 00 67 6C 6F 62 61 6C  02 00 6C 31              ; "c", "global", "l1"
    00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F           ; md5
    03 00                                                     ; three values
      04 00 74 69 6D 65  06 00 31 32 2E 33 37 35              ; time = "12.375"
      00 00  01 00 65                                         ; "" = "e"
      06 00 61 70 70 65 6E 64  00 00                          ; append = ""
    02 00                                                     ; two arrays
      01 00 75  02 00  01 00 61  02 00 62 63                  ; u = "a", "bc"
      03 00 78 00 22  01 00  00 00                            ; x NUL quote = ""
    02 00                                                     ; two numbers
      01 00 71  FF FF FF FF                                   ; q = -1
      01 00 70  10 0E 00 00                                   ; p = 3600
  00 00  00 00  02 00 C3 BC                                   ; "", "", "ü"
    FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF
    00 00  00 00  00 00                                       ; nothing
]]

sample.v1 = hex [[
  4F 76 65 72 67 72 6F 77 74 68 20 53 61 76 65
  01 00  02 00                                                ; version 1, two levels
  05 00 61 72 65 6E 61                                        ; "arena"
    10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F
    02 00
      01 00 62  01 00 31                                      ; b = "1"
      01 00 61  02 00 32 33                                   ; a = "23"
  00 00                                                       ; ""
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00
]]

-- No levels: the smallest file there is.
sample.empty = hex [[ 4F 76 65 72 67 72 6F 77 74 68 20 53 61 76 65  03 00  00 00 ]]

-- Everything twice, arrays without values, bytes behind the end.
sample.odd = hex [[
  4F 76 65 72 67 72 6F 77 74 68 20 53 61 76 65  03 00  02 00
  00 00  00 00  01 00 6E                                      ; "", "", "n"
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    03 00
      01 00 61  01 00 31                                      ; a = "1"
      01 00 62  01 00 32                                      ; b = "2"
      01 00 61  01 00 33                                      ; a = "3"
    05 00
      01 00 78  01 00  01 00 31                               ; x = "1"
      01 00 79  00 00                                         ; y =
      01 00 78  02 00  01 00 32  01 00 33                     ; x = "2", "3"
      01 00 78  00 00                                         ; x =
      01 00 79  00 00                                         ; y =
    02 00
      01 00 69  01 00 00 00                                   ; i = 1
      01 00 69  02 00 00 80                                   ; i = -2147483646
  00 00  00 00  01 00 6E                                      ; "", "", "n" again
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
    00 00  00 00  00 00
  DE AD                                                       ; two bytes that nobody reads
]]

return sample
