--- Reads the pixels of PNG files with 8 bits for each of red, green and blue (and alpha), not interlaced: what lathe writes.

local geometry_reader = require "geometry_reader"

local png_reader = {}

local CHANNELS <const> = { [2] = 3, [6] = 4 }

local function paeth(a, b, c)
  local p = a + b - c
  local pa, pb, pc = math.abs(p - a), math.abs(p - b), math.abs(p - c)
  return pa <= pb and pa <= pc and a or pb <= pc and b or c
end

-- What the filter of a row predicts from the bytes to the left, above, and above to the left.
local PREDICT <const> = {
  [0] = function() return 0 end,
  function(a) return a end,
  function(_, b) return b end,
  function(a, b) return (a + b) // 2 end,
  paeth,
}

local function rows_of(bytes, width, height, channels)
  local rows, above, stride = {}, {}, width * channels
  for y = 1, height do
    local row, at = {}, (y - 1) * (stride + 1) + 1
    local predict = assert(PREDICT[bytes:byte(at)], "unknown filter")
    for i = 1, stride do
      local a, c = row[i - channels] or 0, above[i - channels] or 0
      row[i] = (bytes:byte(at + i) + predict(a, above[i] or 0, c)) & 0xff
    end
    rows[y], above = row, row
  end
  return rows
end

--- The picture in the bytes of a PNG: width, height, channels (3 or 4), and rows, lists of the bytes of each row.
function png_reader.read(bytes)
  assert(bytes:sub(1, 8) == "\137PNG\r\n\26\n", "not a PNG")
  local data, at, head = {}, 9, nil
  while at <= #bytes do
    local length, kind = (">I4c4"):unpack(bytes, at)
    local body = bytes:sub(at + 8, at + 7 + length)
    if kind == "IHDR" then head = body elseif kind == "IDAT" then data[#data + 1] = body end
    at = at + 12 + length
  end
  local width, height, depth, color, _, _, interlaced = (">I4I4BBBBB"):unpack(head)
  assert(depth == 8 and CHANNELS[color] and interlaced == 0, "another kind of PNG")
  local channels = CHANNELS[color]
  local rows = rows_of(geometry_reader.inflate(table.concat(data)), width, height, channels)
  return { width = width, height = height, channels = channels, rows = rows }
end

--- The share of pixels that differ from the one in the top left corner, in a rectangle (from 0).
function png_reader.share(picture, x, y, width, height)
  local n, first, channels = 0, picture.rows[1], picture.channels
  for v = y + 1, y + height do
    local row = picture.rows[v]
    for i = x * channels, (x + width - 1) * channels, channels do
      for k = 1, 3 do
        if row[i + k] ~= first[k] then
          n = n + 1
          break
        end
      end
    end
  end
  return n / (width * height)
end

return png_reader
