-- Options of verbs: one that several formats have is the same in all of them.

local lathe = require "lathe.core"

-- Where each format says what it does with the option itself, behind a first sentence that is the same.
local SAYS_MORE = { ["scale.what"] = true, ["set_version.version"] = true, ["convert.to"] = true,
  ["set_materials.from"] = true, ["set_materials.to"] = true, ["set_triangle_materials.materials"] = true,
  ["set_triangle_materials.triangle_materials"] = true, ["transform.translation"] = true,
  ["transform.rotation"] = true, ["transform.scale"] = true, ["rename.what"] = true }

-- Where a format's own units, or what it can do beyond the others, make another option of it.
local DIFFERS = { ["transform.translation"] = "unit", ["transform.scale"] = "type",
  ["set_triangle_materials.materials"] = "needed", ["mirror.skeleton"] = "needed" }

-- Whose values are each format's own.
local OWN_VALUES = { ["convert.to"] = true, ["rename.what"] = true }

local function default_of(doc) return doc:match "Default: [^.]+%." end

local function first_sentence(doc) return doc:match "^[^.]+%." end

local function words(list)
  return list and table.concat(list, ", ") or "any"
end

-- By "verb.option": what each format says of it.
local function options()
  local all = {}
  for _, format in ipairs(lathe.formats()) do
    for _, verb in ipairs(lathe.verbs(format.name)) do
      for _, option in ipairs(verb.params or {}) do
        local key = verb.name .. "." .. option.name
        all[key] = all[key] or {}
        table.insert(all[key], { format = format.name, option = option })
      end
    end
  end
  return all
end

describe("an option that several formats have", function()
  local shared = 0
  for key, list in pairs(options()) do
    local first = list[1]
    for i = 2, list[2] and list[2].format ~= first.format and #list or 1 do
      local format, option = list[i].format, list[i].option
      shared = shared + 1
      it(("is the same: %s of %s and %s"):format(key, first.format, format), function()
        for _, name in ipairs { "type", "unit", "needed", "positional" } do
          if DIFFERS[key] ~= name then assert.equal(first.option[name], option[name], name) end
        end
        if not OWN_VALUES[key] then assert.equal(words(first.option.values), words(option.values)) end
        assert.equal(first_sentence(first.option.doc), first_sentence(option.doc))
        assert.equal(default_of(first.option.doc), default_of(option.doc))
        if not SAYS_MORE[key] then assert.equal(first.option.doc, option.doc) end
        if option.values and not option.needed then
          assert.truthy(default_of(option.doc), "says what it is when left out")
        end
      end)
    end
  end

  it("is there", function() assert.is_true(shared >= 15, shared) end)

  it("keeps the density of what is scaled", function()
    for _, entry in ipairs(options()["scale.mass"]) do
      assert.equal("Default: density.", default_of(entry.option.doc), entry.format)
      assert.same({ "density", "keep" }, entry.option.values)
    end
  end)
end)
