--- Packfiles taken apart into header, sections and tables, and put together again with other ones: for files
-- that no game would write. Knows where things are, and believes whatever it is given.
--
--    local p = pieces.split(bytes)
--    p.locals[3][2] = 0xFFFF                     -- records of the tables, as in formats/havok-packfile.md#2
--    p.tails.globals = ("\xFF"):rep(32)          -- behind the records: what was there, or this
--    local bad = pieces.join(p)

local reader = require "hkx_reader"

local pieces = {}

--- The pieces of a sound packfile: { file = of hkx_reader, endian =, head = header, predicates and section
-- headers, names = section, data = bytes of the objects, locals =, globals =, virtuals = lists of records, tails
-- = { of these three: bytes behind the records; default: 0xFF to a multiple of 16 }, types = "", exports = "",
-- imports = "", trailing = "" }.
function pieces.split(bytes)
  local file = reader.read(bytes)
  local names, data = file.sections[1], file.data
  local first = names.absolute_data_start
  local start = data.absolute_data_start
  return {
    file = file, endian = file.endian, head = bytes:sub(1, first),
    names = bytes:sub(first + 1, first + names.end_offset), types = "",
    data = bytes:sub(start + 1, start + data.local_fixups_offset),
    locals = file.local_fixups, globals = file.global_fixups, virtuals = file.virtual_fixups, tails = {},
    exports = "", imports = "", trailing = bytes:sub(start + data.end_offset + 1),
  }
end

local function table_of(p, which)
  local out = {}
  for i, row in ipairs(p[which]) do
    out[i] = string.pack(p.endian .. ("I4"):rep(#row), table.unpack(row))
  end
  local records = table.concat(out)
  return records .. (p.tails[which] or ("\xFF"):rep(-#records % 16))
end

--- Puts pieces together: all offsets of the section headers follow. offsets may change those of the data's
-- header: { absolute_data_start, local, global, virtual, exports, imports, end }.
function pieces.join(p, offsets)
  local list, at, body = {}, #p.data, { p.data }
  local start = #p.head + #p.names + #p.types
  for _, which in ipairs { "locals", "globals", "virtuals", "exports", "imports" } do
    list[#list + 1] = at
    body[#body + 1] = type(p[which]) == "string" and p[which] or table_of(p, which)
    at = at + #body[#body]
  end
  list[#list + 1] = at
  table.insert(list, 1, start)
  if offsets then list = offsets(list) or list end
  local head = p.head
  local function header(i, numbers)
    local to = p.file.sections[i].at + 0x14
    head = head:sub(1, to) .. string.pack(p.endian .. ("I4"):rep(7), table.unpack(numbers)) .. head:sub(to + 29)
  end
  local n, t = #p.names, #p.types
  header(1, { #head, n, n, n, n, n, n })
  header(2, { #head + n, t, t, t, t, t, t })
  header(3, list)
  return head .. p.names .. p.types .. table.concat(body) .. p.trailing
end

return pieces
