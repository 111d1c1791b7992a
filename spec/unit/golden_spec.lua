-- Pictures of made files must not change by a pixel, whoever compiled lathe. LATHE_UPDATE=1 takes over the new ones into
-- spec/golden: look at them before keeping them. That pictures are right is for other specs to tell.

local golden = require "golden"
local helper = require "helper"
local lfs = require "lfs"
local scenes = require "golden_scenes"

describe("golden pictures", function()
  local folder, reports

  setup(function()
    folder = golden.folder()
    reports = golden.by_module(folder, "module")
  end)

  local function same(into, update)
    local lines = golden.compare(folder, into, update)
    if not lines then pending "NOT TESTED: python3-pil is not installed" end
    assert(#lines == 0, "\n" .. table.concat(lines, "\n"))
  end

  -- A program of another build, if it is not older than the library under test.
  local function other_build(path)
    local made, library = lfs.attributes(path, "modification"), lfs.attributes(helper.build .. "/liblathe.a", "modification")
    if not made then pending(("NOT TESTED: no %s"):format(path)) end
    if library and made < library then pending(("NOT TESTED: %s is older than this build"):format(path)) end
    return helper.root .. "/" .. path
  end

  it("are kept, and none besides", function()
    local names = {}
    for i, scene in ipairs(scenes) do names[i] = scene[1] .. ".png" end
    table.sort(names)
    if os.getenv "LATHE_UPDATE" then
      golden.compare(folder, "module", true)
    end
    assert.same(names, helper.list("spec/golden", "%.png$"))
    assert.is_true(#names >= 24)
  end)

  it("are drawn by this build", function() same "module" end)

  it("leave nothing out", function()
    for _, scene in ipairs(scenes) do
      assert.same(scene.skipped or {}, reports[scene[1]].skipped, scene[1])
    end
  end)

  it("are drawn by a program in C #tools", function()
    golden.by_host(folder, "host", { helper.build .. "/spec/c/preview_host" })
    same "host"
  end)

  it("are drawn by the build of clang #tools", function()
    golden.by_host(folder, "clang", { other_build "build/clang/spec/c/preview_host" })
    same "clang"
  end)

  it("are drawn by the build for Windows #tools", function()
    local program = other_build "build/windows/preview_host.exe"
    if helper.run("command -v wine").code ~= 0 then pending "NOT TESTED: wine is not installed" end
    golden.by_host(folder, "windows", { "wine", program },
      { WINEPREFIX = helper.build .. "/wine", WINEDEBUG = "-all", WINEDLLOVERRIDES = "mscoree,mshtml=" })
    same "windows"
  end)
end)
