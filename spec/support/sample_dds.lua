--- DDS files for tests.
--
--    local dds = require "sample_dds"
--    dds.code("DXT1", 8, 8, blocks)                 -- one level; options as in the head
--    dds.dxgi(98, 8, 8, blocks, { levels = 2 })
--    dds.masks(32, { 0xff, 0xff00, 0xff0000 }, 4, 4, pixels)

local dds = {}

--- All fields of the header that matter; `pixel_format` has 24 bytes after its size.
function dds.file(width, height, pixel_format, data, o)
  o = o or {}
  return "DDS "
    .. ("<I4I4I4I4I4I4I4"):pack(o.header or 124, 0x1007, height, width, o.pitch or 0, o.depth or 0, o.levels or 1)
    .. ("\0"):rep(44) .. ("<I4"):pack(32) .. pixel_format .. ("<I4I4I4I4I4"):pack(0x1000, o.caps2 or 0, 0, 0, 0)
    .. (o.extension or "") .. data
end

function dds.code(code, width, height, data, o)
  return dds.file(width, height, ("<I4c4I4I4I4I4I4"):pack(4, code, 0, 0, 0, 0, 0), data, o)
end

function dds.dxgi(number, width, height, data, o)
  o = o or {}
  local with = { extension = ("<I4I4I4I4I4"):pack(number, o.dimension or 3, 0, o.array or 1, o.alpha or 0) }
  for k, v in pairs(o) do with[k] = v end
  return dds.code("DX10", width, height, data, with)
end

--- masks: { r, g, b, a }, each may be 0 or absent. o.flags: 0x40 (colours) or 0x20000 (grey), 1 (with alpha), 2 (alpha
-- alone).
function dds.masks(bits, masks, width, height, data, o)
  local flags = o and o.flags or 0x40 + ((masks[4] or 0) ~= 0 and 1 or 0)
  return dds.file(width, height, ("<I4I4I4I4I4I4I4"):pack(flags, 0, bits, masks[1] or 0, masks[2] or 0, masks[3] or 0,
    masks[4] or 0), data, o)
end

--- What spec/c/dds_host printed: a list of { levels = { { width, height, rgba }, … }, alpha } or { code, message }, each
-- with `most` bytes of memory and those `left`.
function dds.decoded(out)
  local list, at = {}, 1
  while at <= #out do
    local one = {}
    local count, alpha, after = out:match("^ok (%d+) (%d)\n()", at)
    if count then
      one.alpha, one.levels, at = alpha == "1", {}, after
      for i = 1, tonumber(count) do
        local w, h, from = out:match("^(%d+) (%d+)\n()", at)
        w, h = tonumber(w), tonumber(h)
        one.levels[i] = { width = w, height = h, rgba = out:sub(from, from + w * h * 4 - 1) }
        at = from + w * h * 4
      end
    else
      one.code, one.message, at = out:match("^error (%d+) ([^\n]*)\n()", at)
    end
    one.most, one.left, at = out:match("^\nmemory (%d+) (%d+)\n()", at)
    one.most, one.left = tonumber(one.most), tonumber(one.left)
    list[#list + 1] = one
  end
  return list
end

return dds
