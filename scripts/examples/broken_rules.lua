-- summary: Lists what breaks your own rules, such as absolute paths of textures.
-- when: a mod is about to be released
-- files: .nif and .hkx of Skyrim and Fallout 4
-- note: Changes nothing.
-- argument: [RULE...] names of the rules to look at (default: all)
-- try: lathe run @broken-rules careless.nif stock.nif
-- try: lathe run @broken-rules careless.nif -- absolute-textures

local lathe = require "lathe"

-- Each rule calls `found` with a place and a message for all that breaks it. Add your own.
local RULES = {
  ["absolute-textures"] = function(doc, found)
    for _, shader in ipairs(lathe.materials(doc)) do
      for _, texture in ipairs(shader.textures or {}) do
        if texture.file:find "^%a:" or texture.file:find "^[/\\]" then
          found(shader.source, ("the %s texture has an absolute path: %s"):format(texture.slot, texture.file))
        end
      end
    end
  end,
  -- Shapes of ragdolls have none in the games, either.
  ["collision-without-material"] = function(doc, found)
    for _, material in ipairs(lathe.materials(doc)) do
      if material.kind == "collision" and (material.name or 0) == 0 then
        found(material.source, "the shape has no material")
      end
    end
  end,
  ["heavy-bodies"] = function(doc, found)
    for _, body in ipairs(doc.bodies) do
      if (body.mass or 0) > 10000 then
        found(body.source, ("the body %s has a mass of %g kg"):format(body.name or "", body.mass))
      end
    end
  end,
}

local function all_names()
  local names = {}
  for name in pairs(RULES) do names[#names + 1] = name end
  table.sort(names) -- pairs has no order
  return names
end

local names = { ... } -- the arguments behind --
if #names == 0 then names = all_names() end
for _, name in ipairs(names) do
  assert(RULES[name], ("no rule %s; there are %s"):format(name, table.concat(all_names(), ", ")))
end

return function(doc, ctx)
  if doc.format ~= "nif" and doc.format ~= "hkx" then return end
  for _, name in ipairs(names) do
    RULES[name](doc, function(place, message)
      print(("%s: %s: %s: %s"):format(ctx.path, name, lathe.path(place), message))
    end)
  end
end
