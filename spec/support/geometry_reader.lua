--- A reader of .psg and .csg files in plain Lua, which shares no code with lathe: what specs compare with. And a writer
-- of .csg files whose chunks are not packed (zlib streams of stored blocks), for files that lathe did not make.

local reader = {}

-- ---- inflate ----------------------------------------------------------------------------------------------

local LENGTHS = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258 }
local LENGTH_BITS = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 }
local DISTANCES = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577 }
local DISTANCE_BITS = { 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
  13 }
local ORDER = { 17, 18, 19, 1, 9, 8, 10, 7, 11, 6, 12, 5, 13, 4, 14, 3, 15, 2, 16 }

-- A canonical Huffman code: symbols (from 0) by length and code.
local function code_of(lengths)
  local counts, next_code, code, symbols = {}, {}, 0, {}
  for _, n in ipairs(lengths) do counts[n] = (counts[n] or 0) + 1 end
  for n = 1, 15 do
    code = (code + (n > 1 and counts[n - 1] or 0)) << 1
    next_code[n] = code
  end
  for i, n in ipairs(lengths) do
    if n > 0 then
      symbols[n << 16 | next_code[n]] = i - 1
      next_code[n] = next_code[n] + 1
    end
  end
  return symbols
end

local function bits_of(bytes, at)
  local held, n = 0, 0
  local self = {}
  function self.take(want)
    while n < want do
      held, at, n = held | assert(bytes:byte(at), "ends early") << n, at + 1, n + 8
    end
    local value = held & (1 << want) - 1
    held, n = held >> want, n - want
    return value
  end
  function self.symbol(symbols)
    local code = 0
    for length = 1, 15 do
      code = code << 1 | self.take(1)
      local symbol = symbols[length << 16 | code]
      if symbol then return symbol end
    end
    error "no such code"
  end
  function self.stored()
    at, held, n = at - n // 8, 0, 0
    local size = ("<I2"):unpack(bytes, at)
    at = at + 4 + size
    return bytes:sub(at - size, at - 1)
  end
  function self.place() return at - n // 8 end
  return self
end

local function codes(bits, kind)
  local literals, distances = {}, {}
  if kind == 1 then
    for i = 1, 288 do literals[i] = i <= 144 and 8 or i <= 256 and 9 or i <= 280 and 7 or 8 end
    for i = 1, 30 do distances[i] = 5 end
    return code_of(literals), code_of(distances)
  end
  local n_literals, n_distances, n_codes = bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4
  local lengths = {}
  for i = 1, 19 do lengths[i] = 0 end
  for i = 1, n_codes do lengths[ORDER[i]] = bits.take(3) end
  local symbols, all = code_of(lengths), {}
  while #all < n_literals + n_distances do
    local symbol = bits.symbol(symbols)
    local value, again = symbol, 1
    if symbol == 16 then value, again = all[#all], bits.take(2) + 3 end
    if symbol == 17 then value, again = 0, bits.take(3) + 3 end
    if symbol == 18 then value, again = 0, bits.take(7) + 11 end
    for _ = 1, again do all[#all + 1] = value end
  end
  table.move(all, 1, n_literals, 1, literals)
  table.move(all, n_literals + 1, #all, 1, distances)
  return code_of(literals), code_of(distances)
end

local function adler(list)
  local a, b = 1, 0
  for i = 1, #list do
    a = (a + list[i]) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

local function text(list)
  local pieces = {}
  for i = 1, #list, 4096 do
    pieces[#pieces + 1] = string.char(table.unpack(list, i, math.min(i + 4095, #list)))
  end
  return table.concat(pieces)
end

--- Unpacks a zlib stream.
-- @tparam string bytes
-- @treturn string
function reader.inflate(bytes)
  local bits, out, last = bits_of(bytes, 3), {}, 0
  while last == 0 do
    last = bits.take(1)
    local kind = bits.take(2)
    if kind == 0 then
      for c in bits.stored():gmatch "." do out[#out + 1] = c:byte() end
      goto next
    end
    do
      local literals, distances = codes(bits, kind)
      while true do
        local symbol = bits.symbol(literals)
        if symbol == 256 then break end
        if symbol < 256 then
          out[#out + 1] = symbol
        else
          local length = LENGTHS[symbol - 256] + bits.take(LENGTH_BITS[symbol - 256])
          local which = bits.symbol(distances) + 1
          local distance = DISTANCES[which] + bits.take(DISTANCE_BITS[which])
          for _ = 1, length do out[#out + 1] = out[#out + 1 - distance] end
        end
      end
    end
    ::next::
  end
  assert((">I4"):unpack(bytes, bits.place()) == adler(out), "a wrong checksum")
  return text(out)
end

--- A zlib stream of stored blocks.
-- @tparam string bytes
-- @treturn string
function reader.store(bytes)
  local list, out = {}, { "\x78\x01" }
  for i = 1, #bytes do list[i] = bytes:byte(i) end
  for at = 1, math.max(#bytes, 1), 65535 do
    local piece = bytes:sub(at, at + 65534)
    out[#out + 1] = ("<BI2I2"):pack(at + 65535 > #bytes and 1 or 0, #piece, ~#piece & 0xFFFF) .. piece
  end
  return table.concat(out) .. (">I4"):pack(adler(list))
end

-- ---- files ------------------------------------------------------------------------------------------------

--- The tables of a file: `rows` of { offset, descriptor, vertices, indices }, `entries` of chunks, and where they end.
-- @tparam string bytes
-- @treturn table
-- @treturn integer
function reader.tables(bytes)
  local packed, n = bytes:sub(1, 4) == "bcsg", ("<I4"):unpack(bytes, 5)
  local at, file = 9, { rows = {} }
  if packed then
    local m = ("<I4"):unpack(bytes, 9)
    at, file.entries = 13, {}
    for k = 1, m do
      local size, offset
      size, offset, at = ("<I4I4"):unpack(bytes, at)
      file.entries[k] = { offset = offset, size = size }
    end
  end
  for i = 1, n do
    local row = { ("<I4i8I4I4"):unpack(bytes, at) }
    at = row[5]
    row[5] = nil
    file.rows[i] = row
  end
  return file, at
end

--- What a file holds: its tables, the unpacked `stream`, and `chunks` as they are packed.
-- @tparam string bytes
-- @treturn table
function reader.read(bytes)
  local file, at = reader.tables(bytes)
  local entries, pieces = file.entries, {}
  file.entries = nil
  file.stream = bytes:sub(at)
  if entries then
    file.chunks = {}
    for k, entry in ipairs(entries) do
      file.chunks[k] = bytes:sub(entry.offset + 1, entry.offset + entry.size)
      pieces[k] = reader.inflate(file.chunks[k])
      assert(#pieces[k] == 65536 or k == #entries and #pieces[k] > 0 and #pieces[k] < 65536)
    end
    file.stream = table.concat(pieces)
  end
  return file
end

--- The bytes of row i of such a file: up to where the next one begins.
-- @tparam table file
-- @tparam integer i
-- @treturn string
function reader.data(file, i)
  local next_row = file.rows[i + 1]
  return file.stream:sub(file.rows[i][1] + 1, next_row and next_row[1] or #file.stream)
end

-- ---- writing ----------------------------------------------------------------------------------------------

local function tables(rows)
  local out = {}
  for i, row in ipairs(rows) do out[i] = ("<I4i8I4I4"):pack(table.unpack(row, 1, 4)) end
  return table.concat(out)
end

--- A .psg file.
-- @tparam table file `rows` and `stream`
-- @treturn string
function reader.plain(file)
  return "bpsg" .. ("<I4"):pack(#file.rows) .. tables(file.rows) .. file.stream
end

--- A .csg file.
-- @tparam table file `rows`, and `chunks` as they are packed or a `stream`, whose chunks are stored; `entries` in place
--   of the table that follows from them; `gap` and `tail`, bytes in front of the chunks and behind them
-- @treturn string
function reader.packed(file)
  local chunks, entries = file.chunks, {}
  if not chunks then
    chunks = {}
    for at = 1, #file.stream, 65536 do chunks[#chunks + 1] = reader.store(file.stream:sub(at, at + 65535)) end
  end
  local at = 12 + 8 * #chunks + 20 * #file.rows + #(file.gap or "")
  for k, chunk in ipairs(chunks) do
    local given = file.entries and file.entries[k] or {}
    entries[k] = ("<I4I4"):pack(given[1] or #chunk, given[2] or at)
    at = at + #chunk
  end
  return "bcsg" .. ("<I4I4"):pack(#file.rows, #chunks) .. table.concat(entries) .. tables(file.rows)
    .. (file.gap or "") .. table.concat(chunks) .. (file.tail or "")
end

return reader
