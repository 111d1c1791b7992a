-- summary: Lists textures that models name and a folder lacks.
-- when: models are purple, or a mod is about to be released
-- files: .nif of Skyrim and Fallout 4
-- note: Changes nothing, and does not look at textures that material files (.bgsm) name.
-- argument: FOLDER folder of loose files, such as Data; --read lets the script look into it.
--   Archives (.bsa, .ba2) are not searched
-- try: lathe run @missing-textures stock.nif careless.nif --read . -- .
local lathe = require "lathe"

local folder = ... -- the argument behind --
assert(folder, "FOLDER expected behind --, such as Data")

-- Games compare paths without case, and take / for \.
local function key(path)
  return (path:lower():gsub("[/\\]+", "/"):gsub("^data/", ""))
end

local function each(doc)
  local textures = {}
  for _, shader in ipairs(lathe.materials(doc)) do
    for _, texture in ipairs(shader.textures or {}) do table.insert(textures, texture.file) end
  end
  return textures
end

local function finish(results, ctx)
  local present = {}
  for _, path in ipairs(assert(ctx.files(folder))) do present[key(path)] = true end

  local missing, users = {}, {} -- textures in the order in which they are met, and the files that name them
  for _, file in ipairs(results) do
    for _, texture in ipairs(file.value or {}) do
      local name = key(texture)
      if not present[name] and not present["textures/" .. name] then
        if not users[name] then
          users[name] = {}
          table.insert(missing, texture)
        end
        users[name][file.path] = true
      end
    end
  end
  table.sort(missing)
  for _, texture in ipairs(missing) do
    local files = {}
    for path in pairs(users[key(texture)]) do table.insert(files, path) end
    table.sort(files)
    print(texture .. ": " .. table.concat(files, ", "))
  end
  ctx.log(("textures missing: %d"):format(#missing))
end

return { each = each, finish = finish }
