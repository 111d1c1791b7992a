-- The recipe for git in the guide, run with git. #tools

local helper = require "helper"
local guides = dofile "spec/support/guides.lua"
local transcript = dofile "spec/cli/transcript.lua"

describe("the recipe for git #tools", function()
  local folder, env

  local function run(command)
    local r = helper.run(command, { cwd = folder, env = env })
    assert.equal(0, r.code, command .. "\n" .. r.err)
    return r.out
  end

  before_each(function()
    if helper.run("git --version").code ~= 0 then pending "NOT TESTED: git is not installed" end
    folder, env = transcript.folder()
    env.GIT_CONFIG_GLOBAL, env.GIT_CONFIG_NOSYSTEM, env.HOME = "/dev/null", "1", folder
    env.GIT_PAGER = "cat"
    run "git init -q . && git config user.name Somebody && git config user.email somebody@example.com"
    local recipe = {}
    for _, block in ipairs(guides.blocks "scripts/guides/differences.md") do
      if block.kind == "sh" then recipe[#recipe + 1] = block.text end
    end
    assert.equal(2, #recipe)
    run("set -e\n" .. table.concat(recipe))
    run "git add .gitattributes tools rig.fzx tri.solid && git commit -q -m first"
    run "lathe set rig.fzx 'objects[3].label=hips' --in-place --no-backup && lathe set tri.solid 'vertices[1].x=2' -i"
  end)

  it("shows what lathe diff tells", function()
    assert.equal([[
lathe diff rig.fzx
objects[3].label: "chest box m" -> "hips"
footer.size: 185 -> 178
lathe diff tri.solid
vertices[1].x: 0 -> 2
]], run "git diff")
    run "cp tri.solid new.solid && git add new.solid && git rm -q --cached rig.fzx"
    assert.equal("lathe diff new.solid\nnew file\nlathe diff rig.fzx\ndeleted file\n", run "git diff --cached")
  end)

  it("shows trees without it, and in the log", function()
    assert.match("%-  %[1%]  x 0  y 0  z 0\n.*%+  %[1%]  x 2  y 0  z 0\n", run "git diff --no-ext-diff tri.solid")
    run "git commit -q -a -m second"
    assert.match('label +"chest box m"\n%+ +label +"hips"\n', run "git log -1 -p rig.fzx")
    assert.match('objects%[3%]%.label: "chest box m" %-> "hips"\n', run "git show --ext-diff")
  end)
end)
