--- Makes files of their JSON again. What the values of a file do not tell, such as the bytes of an unusual
-- layout, is kept beside them.
-- @module lathe.tree.rebuild

local core = require "lathe.core"
local json = require "lathe.tree.json"
local schema = require "lathe.tree.schema"
local tokens = require "lathe.tree.tokens"

local rebuild = {}

local CLOSE = 32 -- equal bytes between differences that are not worth a piece of their own

-- A number that is another one for other content: FNV-1a over words of eight bytes.
local function checksum(text)
  local hash, at = 0xcbf29ce484222325, 1
  while at + 7 <= #text do
    hash = (hash ~ ("<i8"):unpack(text, at)) * 0x100000001b3
    hash = hash ~ (hash >> 29)
    at = at + 8
  end
  for i = at, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(hash ~ #text)
end

-- The bytes of a document that was made of values, in a container.
local function bytes_of(doc, container)
  if container and container ~= doc.container then return doc:serialize { as = container } end
  return doc:encode()
end

--- The bytes of a document; if it is compressed, the uncompressed ones.
-- @param doc
-- @treturn ?string
-- @treturn ?Error why they cannot be computed
function rebuild.content(doc)
  local compression = doc.compression
  if compression then doc.compression = nil end
  local bytes, err = doc:encode()
  if compression then doc.compression = compression end
  return bytes, err
end

-- ---- pieces -----------------------------------------------------------------------------------------

local PIECE = { __jsonorder = { "at", "bytes" } }

-- The places at which texts of one length differ; nil if that is half of them.
local function pieces_between(made, wanted)
  local pieces, total, at = {}, 0, 1
  while at <= #made do
    if made:sub(at, at + 4095) == wanted:sub(at, at + 4095) then
      at = at + 4096
    elseif made:byte(at) == wanted:byte(at) then
      at = at + 1
    else
      local last, stop = at, at
      while stop <= #made and stop - last <= CLOSE do
        if made:byte(stop) ~= wanted:byte(stop) then last = stop end
        stop = stop + 1
      end
      total = total + last - at + 1
      if total * 2 > #made then return nil end
      pieces[#pieces + 1] = setmetatable({ at = at - 1, bytes = wanted:sub(at, last) }, PIECE)
      at = last + 1
    end
  end
  return pieces
end

local function put_pieces(made, pieces)
  local parts, from = {}, 1
  for _, piece in ipairs(pieces) do
    local at, bytes = piece.at, json.decoded(piece.bytes, {}, schema.new())
    if math.type(at) ~= "integer" or type(bytes) ~= "string" or at + 1 < from or at + #bytes > #made then
      return nil
    end
    parts[#parts + 1] = made:sub(from, at)
    parts[#parts + 1] = bytes
    from = at + #bytes + 1
  end
  parts[#parts + 1] = made:sub(from)
  return table.concat(parts)
end

-- ---- dumping ----------------------------------------------------------------------------------------

local function made_of(format, fields)
  local ok, doc, why = pcall(core.new, format, fields)
  if not ok then return nil, (tostring(doc):gsub("^[^\n]-%.lua:%d+: ", "")) end
  return doc, why
end

local function try_bytes(doc, container)
  local ok, bytes = pcall(bytes_of, doc, container)
  return ok and bytes or nil
end

-- Whether a document that is compressed again has its own bytes.
local function compresses_to(made, compression, bytes)
  local doc <close> = core.parse(made, {})
  if not doc then return false end
  doc.compression = compression
  return doc:encode() == bytes
end

local ORDER = { "container", "compression", "of", "pieces", "file" }

-- What values do not tell of the content of a file: nothing, some pieces, or all of it. A plain copy has the
-- values of the JSON text, and is faster to read.
local function add_rest(kept, doc, source)
  local made <close> = made_of(doc.format, doc:totable())
  local bytes, wanted = made and try_bytes(made, kept.container), rebuild.content(doc)
  local whole = doc.compression and doc:encode()
  if bytes == wanted and (not whole or compresses_to(bytes, doc.compression, whole)) then return end
  kept.of = checksum(tokens.text((json.parse(source))))
  local pieces = not whole and bytes and #bytes == #wanted and pieces_between(bytes, wanted)
  if pieces then
    kept.pieces = json.plain(pieces)
  else
    kept.file = json.plain(whole or wanted)
  end
end

--- What the values of a document do not tell, so that `rebuild.make` makes the same file.
-- @tparam Document doc
-- @tparam string source the JSON text of its values
-- @treturn ?table for JSON; nil: the values tell everything
function rebuild.kept(doc, source)
  local kept = { compression = doc.compression }
  if doc.container ~= "binary" then kept.container = doc.container end
  add_rest(kept, doc, source)
  if next(kept) == nil then return nil end
  return setmetatable(kept, { __jsonorder = ORDER, __jsontype = "object" })
end

-- ---- building ---------------------------------------------------------------------------------------

local function known(format)
  for _, row in ipairs(core.formats()) do
    if row.name == format then return row end
  end
end

-- The document in the bytes that were kept; nil if it was made otherwise.
local function as_kept(record, kept, made)
  local bytes
  if kept.file ~= nil then
    bytes = json.decoded(kept.file, {}, schema.new())
  elseif made and type(kept.pieces) == "table" then
    local plain = try_bytes(made, kept.container)
    bytes = plain and put_pieces(plain, kept.pieces)
  end
  if type(bytes) ~= "string" then return nil end
  return core.parse(bytes, { format = record.format })
end

-- The document in the container and compression of its file.
local function dressed(made, kept, format)
  local doc = made
  if kept.container and kept.container ~= made.container then
    local bytes, why = made:serialize { as = kept.container }
    if not bytes then return nil, why end
    doc, why = core.parse(bytes, { format = format })
    if not doc then return nil, why end
  end
  if kept.compression then doc.compression = kept.compression end
  return doc
end

-- What is in `kept`: where a document cannot have it, it is of another program or version.
local function check_kept(kept, format)
  if kept == nil then return true end
  if type(kept) ~= "table" then return nil, "kept: an object expected" end
  if kept.compression ~= nil and kept.compression ~= "zstd" then
    return nil, ("kept.compression: there is no compression '%s'"):format(tostring(kept.compression))
  end
  for _, name in ipairs(kept.container and core.containers(format.name) or {}) do
    if name == kept.container then return true end
  end
  if kept.container == nil then return true end
  return nil, ("kept.container: %s files have no container '%s'"):format(format.name,
    tostring(kept.container))
end

local function check(record)
  if type(record) ~= "table" or record.value == nil or type(record.format) ~= "string" then
    return nil, "it is not a dump of a file, as `lathe dump --json` writes them: it has no format and value"
  end
  if record.path then
    return nil, ("it is the dump of one place, %s: the dump of a whole file expected"):format(
      tostring(record.path))
  end
  local format = known(record.format)
  if not format then return nil, ("there is no format '%s'"):format(record.format) end
  if not format.can.new then return nil, ("%s files cannot be made of values"):format(record.format) end
  if type(record.value) ~= "table" then return nil, "value: an object expected" end
  return check_kept(record.kept, format)
end

--- Makes a document of a dump.
-- @tparam string source the line of `lathe dump --json`
-- @treturn ?Document
-- @return the error; or a note on what is not as in the dumped file
-- @treturn ?table the dump
function rebuild.make(source)
  local record, why = json.parse(source)
  if why then return nil, "it is not JSON: " .. why end
  local good
  good, why = check(record)
  if not good then return nil, why end
  local kept = record.kept or {}
  local made
  made, why = made_of(record.format, json.decoded(record.value, { type = record.format }, schema.new()))
  local same = kept.of ~= nil and kept.of == checksum(tokens.text(record.value))
  local doc = same and as_kept(record, kept, made)
  if doc then return doc, nil, record end
  if not made then return nil, why end
  doc, why = dressed(made, kept, record.format)
  if not doc then return nil, why end
  local note = kept.of ~= nil
    and "values were edited: what they do not tell, such as unusual layouts of bytes, is written anew" or nil
  return doc, note, record
end

return rebuild
