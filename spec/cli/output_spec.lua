-- What commands say where names, messages and scripts are hostile: JSON stays JSON, a terminal gets nothing that
-- steers it, and no script stops the next file.

local dkjson = require "dkjson"
local helper = require "helper"
local lfs = require "lfs"
local transcript = dofile "spec/cli/transcript.lua"

describe("output", function()
  local folder, env

  before_each(function() folder, env = transcript.folder() end)

  local function run(command)
    return helper.run(command, { cwd = folder, env = env })
  end

  local function copy(from, to)
    helper.write(folder .. "/" .. to, helper.read(folder .. "/" .. from))
  end

  local function script(source, name)
    return helper.write(folder .. "/" .. (name or "script.lua"), source)
  end

  -- The values of JSON lines, each of which is one whole value in UTF-8.
  local function values(text)
    local list = {}
    assert.is_truthy(utf8.len(text), text)
    for line in text:gmatch "([^\n]*)\n" do
      assert.is_nil(line:find "%c", line)
      local value, stop, why = dkjson.decode(line, 1, nil)
      assert(value, why)
      assert.equal(#line + 1, stop, line)
      list[#list + 1] = value
    end
    assert.equal("\n", text:sub(-1))
    return list
  end

  describe("of commands that write", function()
    local OLD, YOUNG = ".lathe-0123456789abcdef.tmp", ".lathe-fedcba9876543210.tmp"

    -- Files that a killed run left in a folder, with one that may be in use.
    local function litter(dir)
      lfs.mkdir(dir)
      helper.write(dir .. "/" .. OLD, "half")
      helper.write(dir .. "/" .. YOUNG, "half")
      assert(lfs.touch(dir .. "/" .. OLD, os.time() - 4000))
    end

    it("removes temporary files that killed runs left where it writes", function()
      script "return function(doc) doc.vertices[1].x = 7 end"
      script("return function(doc, ctx) assert(doc:save(ctx.output .. '/b/x.solid')) end", "save.lua")
      script("return function(doc, ctx) assert(io.open(ctx.output .. '/b/x', 'w')):close() end", "open.lua")
      for _, command in ipairs {
        "scale 2 tri.solid -o d/b/big.solid", "scale 2 tri.solid -o d/b", "set tri.solid vertices[1].x=5 -o d/b",
        "export tri.solid -o d/b/x.glb", "export tri.solid -o d/b --to obj", "run script.lua tri.solid -o d/b",
        "run save.lua tri.solid -o d", "run open.lua tri.solid -o d", "scale 2 d/b/tri.solid --in-place",
      } do
        os.execute("rm -rf " .. helper.quote(folder .. "/d"))
        lfs.mkdir(folder .. "/d")
        litter(folder .. "/d/b")
        copy("tri.solid", "d/b/tri.solid")
        local result = run("lathe " .. command)
        assert.equal(0, result.code, command .. ": " .. result.err)
        assert.is_false(helper.exists(folder .. "/d/b/" .. OLD), command)
        assert.is_true(helper.exists(folder .. "/d/b/" .. YOUNG), command)
      end
    end)

    it("removes none where it writes nothing", function()
      litter(folder .. "/d")
      for _, command in ipairs { "info d", "scale 2 tri.solid -o d -n", "scale 1 tri.solid -o d" } do
        run("lathe " .. command)
        assert.is_true(helper.exists(folder .. "/d/" .. OLD), command)
      end
    end)

    it("names the folder that -o had to make, once", function()
      script "return function() end"
      script("return function(doc, ctx) assert(doc:save(ctx.output .. '/b/x.solid')) end", "save.lua")
      local function notes(command) return (run("lathe " .. command).err:gsub("%d changed.*", "")) end
      lfs.mkdir(folder .. "/in")
      lfs.mkdir(folder .. "/in/deep")
      copy("tri.solid", "in/tri.solid")
      copy("tri.solid", "in/deep/tri.solid")
      assert.equal("made the folder new/one\n", notes "scale 2 in -o new/one")
      assert.equal("", notes "scale 2 in -o new/one")
      assert.equal("made the folder other\n", notes "scale 2 tri.solid -o other/x.solid")
      assert.equal("made the folder big.soild\n", notes "scale 2 tri.solid -o big.soild")
      assert.equal("made the folder s\n", notes "run save.lua tri.solid -o s")
      assert.equal("made the folder t\n", notes "run --trusted script.lua tri.solid -o t")
      assert.equal("", notes "scale 2 tri.solid -o none -n")
      assert.is_false(helper.exists(folder .. "/none"))
    end)
  end)
end)
