-- A field as its row's words with their values, in order: all that who writes rows needs to know.

local value = require "generate.value"

local words = {}

--- The order of words in a row.
words.order = {
  "name", "original", "kind", "code", "shown", "flags", "type", "embed", "bytes_by", "why", "names",
  "names_in", "codec", "ref", "body", "text", "get", "set", "instead", "numbers", "bits_of", "low", "bits",
  "shown_by", "prefix", "size", "term", "limit", "n", "by", "group", "column", "key", "value", "tag",
  "type_name", "when", "when_eq", "when_value", "only", "when_fn", "count", "arg", "derive", "uses",
  "uses_top", "since", "before", "off", "place", "align", "max", "may", "fit", "renumber", "moves",
  "resizes", "power", "range", "init", "init_bytes", "init_size", "init_lanes", "init_fn", "unit", "doc",
}

-- The order of flags in a row.
local flags <const> = {
  "REC_PART", "REC_LAZY", "REC_REST", "REC_PAD", "REC_READONLY", "REC_INSIDE", "REC_OVERLAY", "REC_COPIED",
  "REC_DERIVED", "REC_BIG", "REC_LITTLE", "REC_SOME", "REC_FIRST", "REC_MERGED", "REC_BY_ARG", "REC_VERSION",
  "REC_ANYTHING", "REC_UNSCALED", "REC_KEEPS_TYPE", "REC_IGNORED", "REC_NOT_OWNED",
}

local function flags_of(field)
  local list = {}
  for _, flag in ipairs(flags) do
    if field.flags[flag] or flag == "REC_REST" and field.rest then list[#list + 1] = flag end
  end
  return #list > 0 and value.flags(list) or nil
end

-- The rows that hooks read. Empty: they read what is fixed for the record, an argument.
local function uses_of(field)
  local hook = field.when_fn or field.count
  local nothing = hook and hook.op == "call" and #field.uses == 0
  if nothing or not hook and #field.uses == 0 then return nil end
  return value.text(table.concat(field.uses, " "))
end

--- The words of a field: { { word = …, value = … }, … }. hooks: those of its expressions, by word.
function words.of(field, hooks)
  -- What a field has otherwise than as a value.
  local made = {
    name = value.text(field.name), kind = value.constant(field.kind), flags = flags_of(field),
    uses = uses_of(field), when_eq = field.when_value and value.yes,
    unit = field.unit and value.text(field.unit), doc = value.text(field.doc or ""),
    only = hooks.only, when_fn = hooks.when_fn, count = hooks.count, arg = hooks.arg, derive = hooks.derive,
  }
  local list = {}
  for _, word in ipairs(words.order) do
    local v = made[word] or field[word]
    if v and v.is then list[#list + 1] = { word = word, value = v } end
  end
  return list
end

return words
