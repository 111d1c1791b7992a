-- What the module tells of verbs, and what it says of misspelt ones.
local lathe = require "lathe"

local KINDS = { number = true, integer = true, string = true, boolean = true, skeleton = true, clip = true,
  numbers = true, any = true }

local function names(list)
  local result = {}
  for i, row in ipairs(list) do result[i] = row.name end
  return table.concat(result, " ")
end

local function find(list, name)
  for _, row in ipairs(list) do
    if row.name == name then return row end
  end
end

describe("lathe.verbs", function()
  it("tells all verbs of every format and what they take", function()
    local seen = 0
    for _, format in ipairs(lathe.formats()) do
      for _, verb in ipairs(assert(lathe.verbs(format.name))) do
        seen = seen + 1
        assert.is_true(format.can[verb.name], verb.name)
        assert.matches("%S", verb.doc)
        for _, param in ipairs(verb.params) do
          assert.matches("^%l[%l%d_]*$", param.name)
          assert.matches("%S", param.doc)
          assert.is_true(KINDS[param.kind])
          if param.values then assert.equal("string", param.kind) end
        end
      end
    end
    assert.is_true(seen > 15)
  end)

  it("tells of each argument what it is", function()
    local trim = find(lathe.verbs "anm", "trim")
    assert.equal("t0 t1 skeleton", names(trim.params))
    local t0, _, skeleton = table.unpack(trim.params)
    assert.same({ "number", "s", true, nil }, { t0.kind, t0.unit, t0.positional, t0.needed })
    assert.same({ "skeleton", nil, nil, nil }, { skeleton.kind, skeleton.unit, skeleton.positional, skeleton.needed })
    local scale = find(lathe.verbs "phxbn", "scale")
    assert.equal("factor what mass", names(scale.params))
    assert.is_true(scale.params[1].needed)
    assert.same({ "all", "collision", "geometry", "skeleton", "animation" }, scale.params[2].values)
    local sphere = find(lathe.verbs "solid", "bounding_sphere")
    assert.is_true(sphere.query)
    assert.same({}, sphere.params)
  end)

  it("tells those of a document, a record or an animation", function()
    local doc <close> = assert(lathe.new("anm", { frames = { {} } }))
    assert.equal(names(lathe.verbs "anm"), names(lathe.verbs(doc)))
    -- animations have a member of that name
    assert.equal((names(lathe.verbs "anm"):gsub(" root_motion", "")), names(lathe.verbs(doc.animations[1])))
    assert.same({}, lathe.verbs(doc.frames[1]))
    assert.same({}, lathe.verbs(doc.frames))
  end)

  it("does not know what there is not", function()
    local none, err = lathe.verbs "amn"
    assert.is_nil(none)
    assert.equal("no format 'amn'; did you mean 'anm'?", err.message)
    assert.has_error(function() lathe.verbs() end)
    assert.has_error(function() lathe.verbs {} end)
    local doc = assert(lathe.new "solid")
    doc:close()
    assert.has_error(function() lathe.verbs(doc) end, "document is closed")
  end)
end)

describe("a misspelt verb", function()
  it("is told from the right one", function()
    local doc <close> = assert(lathe.new("anm", { frames = { {} } }))
    assert.has_error(function() doc:revese() end, "no field 'revese' in anm; did you mean 'reverse'?")
    assert.has_error(function() doc:resmaple(30) end, "no field 'resmaple' in anm; did you mean 'resample'?")
    local anim = doc.animations[1]
    assert.has_error(function() anim:revese() end, "no field 'revese' in animation; did you mean 'reverse'?")
    assert.has_error(function() anim:decod() end, "no field 'decod' in animation; did you mean 'decode'?")
    assert.has_error(function() return anim[0.5] end, "no field '0.5' in animation")
  end)

  it("is no name of another format's, nor one that can be set", function()
    local doc <close> = assert(lathe.new("solid"))
    assert.has_error(function() doc:revese() end, "no field 'revese' in solid")
    assert.has_error(function() doc.scal = 1 end, "no field 'scal' in solid")
  end)
end)
