-- `lathe set`: how values are typed, and what they become.

local helper = require "helper"
local lathe = require "lathe"
local transcript = dofile "spec/cli/transcript.lua"

describe("lathe set", function()
  local folder, env

  before_each(function()
    folder, env = transcript.folder()
    local matrices = { {}, { translation = { 1, 0, 0 } } }
    local anm <close> = assert(lathe.new("anm", { looping = true, frames = { { bone_matrices = matrices } } }))
    assert(anm:save(folder .. "/a.anm"))
    local save <close> = assert(lathe.new("save", { levels = { { save_name = "intro",
      values = { mood = "calm", ["nil"] = "?" },
      arrays = { unlocked_levels = { "one" } },
      int32_values = { best = 7 } } } }))
    assert(save:save(folder .. "/s.sav3"))
  end)

  local function run(command, ...)
    local words = { command }
    for i, word in ipairs { ... } do words[i + 1] = helper.quote(word) end
    return helper.run(table.concat(words, " "), { cwd = folder, env = env })
  end

  -- What a file holds after an assignment.
  local function set(file, ...)
    os.remove(folder .. "/out")
    local r = run("lathe set " .. file .. " -o out", ...)
    assert.equal("", r.err)
    assert.equal(0, r.code)
    return assert(lathe.open(folder .. "/out", { format = lathe.open(folder .. "/" .. file).format }))
  end

  local function refused(message, file, ...)
    local r = run("lathe set " .. file .. " -n", ...)
    assert.equal(("lathe: %s: %s\n"):format(file, message), r.err)
    assert.equal("", r.out)
    assert.equal(1, r.code)
  end

  local LEVEL = "levels[1]."

  it("takes false", function()
    assert.is_false(set("a.anm", "looping=false").looping)
    assert.is_true(set("a.anm", "looping=true").looping)
    refused("looping: 'no' is neither true nor false", "a.anm", "looping=no")
  end)

  it("takes several flags as a list", function()
    local scene <close> = assert(lathe.new("nif", { version = 0x14020007, user_version = 12, bs_version = 100,
      blocks = { { type = "BSLightingShaderProperty" } } }))
    assert(scene:save(folder .. "/s.nif"))
    local doc <close> = set("s.nif", "blocks[1].body.flags1={specular, skinned}")
    assert.same({ "specular", "skinned" }, lathe.names(doc.blocks[1].body, "flags1"))
    for _, typed in ipairs { "specular|skinned", "specular, skinned", "specular | skinned" } do
      refused(("blocks[1].body.flags1: '%s': several flags are a list, such as {specular, skinned}"):format(typed),
        "s.nif", "blocks[1].body.flags1=" .. typed)
    end
  end)

  it("meets files whose lists are counted, which the prompt does not repeat", function()
    local scene <close> = assert(lathe.new("nif", { version = 0x14020007, user_version = 12, bs_version = 100,
      blocks = { { type = "NiNode", name = "root" } } }))
    local lines = table.concat(require("lathe.repl.show").lines(scene), "\n")
    assert.matches("\n  blocks ", lines, 1, true)
    for _, name in ipairs { "num_blocks", "num_block_types", "num_strings", "num_groups" } do
      assert.is_nil(lines:find(name, 1, true), name)
    end
  end)

  it("takes bare words for text in lists", function()
    local function list(value)
      return set("s.sav3", LEVEL .. 'arrays["unlocked_levels"]=' .. value).levels[1].arrays.unlocked_levels
        :totable()
    end
    assert.same({ "intro", "village" }, list "{intro, village}")
    assert.same({ "intro", "village" }, list "[intro;village]")
    assert.same({ "old mill", "7", "true", "a,\tb" }, list [[{old mill, 7, true, "a,\tb"}]])
    assert.same({ "ä", "" }, list [[["\u00e4", ""] ]])
    assert.same({}, list "{}")
  end)

  it("takes them for the values of keys, too", function()
    local level = set("s.sav3", LEVEL .. "values={mood=wild, kind: '5', \"the key\"=1.50, ['x']=y}").levels[1]
    assert.same({ mood = "wild", kind = "5", ["the key"] = "1.50", x = "y" },
      { mood = level.values.mood, kind = level.values.kind, ["the key"] = level.values["the key"],
        x = level.values.x })
    level = set("s.sav3", LEVEL .. "arrays={unlocked_levels={a, b}, new=[c]}").levels[1]
    assert.same({ "a", "b" }, level.arrays.unlocked_levels:totable())
    assert.same({ "c" }, level.arrays.new:totable())
    assert.equal(12, set("s.sav3", LEVEL .. "int32_values={best=12}").levels[1].int32_values.best)
  end)

  it("refuses them elsewhere", function()
    refused("levels[1].int32_values: 'lots' is not a number", "s.sav3", LEVEL .. "int32_values={best=lots}")
    refused("frames[1].bone_matrices[1].translation: 'up' is not a number", "a.anm",
      "frames[1].bone_matrices[1].translation={0, up, 0}")
    refused("vertices[1]: '\"1\"' is not a number", "tri.solid", 'vertices[1]={"1", 0, 0}')
    refused("vertices: '5' is not a list: write {1, 2, 3} or {x=1, y=2, z=3}", "tri.solid", "vertices={5}")
    refused("levels[1].arrays: 'intro' is not a list: write {1, 2, 3} or {x=1, y=2, z=3}", "s.sav3",
      LEVEL .. "arrays={unlocked_levels=intro}")
    refused("levels[1].arrays.unlocked_levels: 'nil' in a list: write \"nil\" for the text", "s.sav3",
      LEVEL .. "arrays.unlocked_levels={nil}")
    refused("vertices[1]: '{1, 2' is not a list: write {1, 2, 3} or {x=1, y=2, z=3}", "tri.solid",
      "vertices[1]={1, 2")
    refused("vertices[1]: no field 'q' in vec3", "tri.solid", "vertices[1]={q=much}")
  end)

  it("reads text in quotes", function()
    local function text(value) return set("s.sav3", LEVEL .. "values.mood=" .. value).levels[1].values.mood end
    assert.equal("5", text '"5"')
    assert.equal("it's\n\"so\" A", text [["it's\n\"so\" \65"]])
    assert.equal("a b", text "'a b'")
    assert.equal("a\nb", text "'a\nb'")
    assert.equal("", text "''")
    assert.equal("nil", text "'nil'")
    for _, plain in ipairs { "5", "true", "it's", '"', [["a" and "b"]], [["a']], [[a\n]], "{x}", " x ", "" } do
      assert.equal(plain, text(plain))
    end
    refused([[levels[1].values.mood: '"\q"' is no text in quotes]], "s.sav3", LEVEL .. [[values.mood="\q"]])
    assert.equal("new", set("s.sav3", LEVEL .. [[values["a\"]=b"]=new]]).levels[1].values['a"]=b'])
  end)

  it("names what it would add or remove", function()
    local function preview(...)
      local r = run("lathe set s.sav3 -n", ...)
      assert.equal("", r.err)
      return r.out
    end
    assert.matches('\n  levels[1].int32_values[2]: added "worst"\n', preview(LEVEL .. "int32_values.worst=3"), 1, true)
    assert.matches('\n  levels[1].int32_values[1]: removed "best"\n', preview(LEVEL .. "int32_values.best=nil"), 1,
      true)
    assert.matches('\n  levels[2]: added "outro"\n', preview "levels.outro={}", 1, true)
    assert.matches('\n  levels[1].arrays[1].values[2]: added "x"\n',
      preview(LEVEL .. "arrays.unlocked_levels={one, x}"), 1, true)
    assert.matches("\n  vertices[4]: added vec3\n",
      run("lathe set tri.solid -n", "vertices={{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0.25}, {0, 0, 1}}").out, 1, true)
  end)

  it("removes a key with nil, and nothing else", function()
    local level = set("s.sav3", LEVEL .. "values.mood=nil", LEVEL .. 'arrays["unlocked_levels"]=nil').levels[1]
    assert.is_nil(level.values.mood)
    assert.equal(0, #level.arrays)
    assert.equal("?", level.values["nil"])
    assert.equal(0, #set("s.sav3", "levels.intro=nil").levels)
    for _, path in ipairs { "levels[1].save_name", "levels[1].int32_values[1]", "levels", "version" } do
      refused(path .. ': nil removes what has a key; for the text write "nil"', "s.sav3", path .. "=nil")
    end
  end)

  it("points what refers to blocks elsewhere, and shows it in lists, too", function()
    local scene <close> = assert(lathe.new("nif", { blocks = {
      { type = "NiNode", name = "Root", children = { 1, 2 } }, { type = "NiNode" }, { type = "NiNode" } } }))
    assert(scene:save(folder .. "/n.nif"))
    local function preview(value)
      local r = run("lathe set n.nif -n", value)
      assert.equal("", r.err)
      return r.out
    end
    assert.equal("n.nif: would change (1 change)\n  blocks[1].children[2]: blocks[3] -> blocks[2]\n",
      preview "blocks[1].children[2]=blocks[2]")
    assert.equal("n.nif: would change (1 change)\n  blocks[1].children[1]: removed blocks[2]\n",
      preview "blocks[1].children={2}")
    for _, nothing in ipairs { "null", "nil" } do
      assert.equal("n.nif: would change (1 change)\n  blocks[1].children[1]: blocks[2] -> null\n",
        preview("blocks[1].children[1]=" .. nothing))
      assert.equal("n.nif: unchanged\n", preview("blocks[1].controller=" .. nothing))
    end
  end)

  it("counts in a dry run as it does when it writes", function()
    assert.equal('s.sav3: would change (1 change)\n  levels[1]: removed "intro"\n',
      run("lathe set s.sav3 -n", "levels.intro=nil").out)
    local dry = run "lathe scale 2 a.anm -n".out:match "would change %((%d+ changes?)"
    assert.equal("a.anm: " .. dry .. " -> out/a.anm\n", run "lathe scale 2 a.anm -o out".out)
  end)
end)
