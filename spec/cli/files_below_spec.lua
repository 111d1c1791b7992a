-- ctx.files of scripts: what is listed, and what the sandbox refuses.

local helper = require "helper"
local files_below = require "lathe.cli.sandbox.files_below"
local policy = require "lathe.cli.sandbox.policy"

describe("ctx.files", function()
  local folder

  local function make(path, bytes)
    os.execute("mkdir -p " .. helper.quote((folder .. "/" .. path):match "^(.*)/"))
    helper.write(folder .. "/" .. path, bytes or "")
  end

  before_each(function()
    folder = helper.tmpdir()
    make "in/b.txt"
    make "in/Textures/Deep/one.dds"
    make "in/a b.txt"
    make "secret/key"
    os.execute(("cd %s/in; ln -s ../secret link; ln -s ../secret/key file; ln -s nowhere gone; ln -s . self"):format(folder))
  end)

  it("gives relative paths in order, and follows no links to folders", function()
    assert.same({ "Textures/Deep/one.dds", "a b.txt", "b.txt", "file" }, files_below.of(folder .. "/in"))
    assert.same({ "Deep/one.dds" }, files_below.of(folder .. "/in/Textures/"))
    os.execute("mkdir " .. folder .. "/empty")
    assert.same({}, files_below.of(folder .. "/empty"))
  end)

  it("says why there is no list", function()
    assert.same({ nil, folder .. "/none: No such file or directory" }, { files_below.of(folder .. "/none") })
    assert.same({ nil, folder .. "/in/b.txt: Not a directory" }, { files_below.of(folder .. "/in/b.txt") })
    assert.same({ nil, "a\0b: the path holds a zero byte" }, { files_below.of "a\0b" })
    assert.has_error(function() files_below.of(7) end, "ctx.files: the path of a folder expected")
  end)

  it("asks the policy, also about where links lead", function()
    local rules = policy.new({ folder .. "/in" }, {}, { hint = "; see --read" })
    assert.same({ "Deep/one.dds" }, files_below.of(folder .. "/in/Textures", rules))
    for _, path in ipairs { folder, folder .. "/secret", folder .. "/in/link", folder .. "/in/../secret" } do
      local list, why = files_below.of(path, rules)
      assert.is_nil(list)
      assert.equal(path .. ": the sandbox reads only below the folders of the inputs and of the script; see --read", why)
    end
  end)

  it("lists what --read names", function()
    make("mine/list.lua", "local dir = ...\nreturn function(doc, ctx)\n  local list, why = ctx.files(dir)\n" ..
      "  print(list and table.concat(list, ', ') or why)\n  print(pcall(ctx.files))\nend\n")
    make("box/box.solid", helper.read "scripts/examples/crate.solid")
    local function run(options)
      local r = helper.lathe("run mine/list.lua box/box.solid " .. options, { cwd = folder })
      assert.equal(0, r.code, r.err)
      return r.out
    end
    local wrong = "false\tmine/list.lua:5: ctx.files: the path of a folder expected\n"
    assert.equal("Textures/Deep/one.dds, a b.txt, b.txt, file\n" .. wrong, run "--read in -- in")
    assert.equal("in: the sandbox reads only below the folders of the inputs and of the script; see --read\n" .. wrong,
      run "-- in")
    assert.equal("list.lua\n" .. wrong, run "-- mine")
    assert.equal("key\n" .. wrong, run "--trusted -- secret")
  end)
end)
