-- The signatures of hooks, and the kinds of objects of C that a text names.

local hooks = {}

local ROW <const> = "const rec_at *at, const rec_field *row, "
local CHANGE <const> = "lathe_result %s(" .. ROW ..
                       "uint64_t i, uint64_t removed, uint64_t inserted, lathe_error *err)"

--- Functions: how each is declared, with %s for its name.
hooks.functions = {
  get = "lathe_result %s(" .. ROW .. "lathe_value *out, lathe_error *err)",
  set = "lathe_result %s(" .. ROW .. "const lathe_value *value, lathe_error *err)",
  may = "lathe_result %s(" .. ROW .. "int64_t value, lathe_error *err)",
  fit = "lathe_result %s(" .. ROW .. "uint64_t n, bool exists, lathe_error *err)",
  moves = "lathe_result %s(" .. ROW .. "uint64_t from, uint64_t to, lathe_error *err)",
  renumber = CHANGE, resizes = CHANGE,
  count = "uint64_t %s(const rec_at *at)", arg = "uint64_t %s(const rec_at *at)",
  when_fn = "bool %s(const rec_at *at)", only = "bool %s(const rec_setting *s)",
  derive = "bool %s(const rec_at *at, int64_t *out)", init_fn = "int64_t %s(const rec_at *at)",
  place = "uint64_t %s(const rec_setting *s)", extent = "uint64_t %s(const rec_setting *s)",
  names_in = "const rec_names *%s(const rec_at *at)",
  type_name = "const char *%s(lathe_doc *doc, uint32_t part)",
  load = "lathe_result %s(const rec_at *at, double *lanes, lathe_error *err)",
  store = "lathe_result %s(const rec_at *at, const double *lanes, lathe_error *err)",
}

--- Objects: their types.
hooks.objects = {
  codec = "rec_codec", ref = "rec_ref", body = "rec_body", text = "rec_body", numbers = "rec_numbers",
  embed = "lathe_format",
}

--- All of them, in order.
hooks.words = {}
for _, of in ipairs { hooks.functions, hooks.objects } do
  for word in pairs(of) do table.insert(hooks.words, word) end
end
table.sort(hooks.words)

--- How C declares what a word names.
function hooks.declaration(word, name)
  if hooks.objects[word] then return ("extern const %s %s;"):format(hooks.objects[word], name) end
  return hooks.functions[word]:format(name) .. ";"
end

return hooks
