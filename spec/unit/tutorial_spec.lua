-- core/ADDING-A-FORMAT.md builds .solid from an empty folder. Its blocks of code are the files of core/lugaru, and lathe
-- that is built with them passes the tests of .solid.

local helper = require "helper"

local PAGE <const> = "core/ADDING-A-FORMAT.md"
local DEFINITION <const> = "^const lathe_format format_"

-- The blocks of the page that name a file: path to text. A block follows the earlier ones of its file, but goes above the
-- definition of the format, which ends its file.
local function files_of(page)
  local files, order = {}, {}
  for path, body in page:gmatch("\n```%l+ (core/%S+)\n(.-)\n```") do
    local file = files[path]
    if not file then
      file = { blocks = {} }
      files[path], order[#order + 1] = file, path
    end
    if body:match(DEFINITION) then
      file.definition = body
    else
      file.blocks[#file.blocks + 1] = body
    end
  end
  local texts = {}
  for path, file in pairs(files) do
    file.blocks[#file.blocks + 1] = file.definition
    texts[path] = table.concat(file.blocks, "\n\n") .. "\n"
  end
  return texts, order
end

describe("the tutorial", function()
  local texts, order = files_of(helper.read(PAGE))

  it("shows every file of the folder as it is", function()
    local real = {}
    for path in helper.run({ "find", "core/lugaru", "-type", "f" }).out:gmatch("[^\n]+") do real[#real + 1] = path end
    table.sort(real)
    table.sort(order)
    assert.same(real, order)
    for _, path in ipairs(real) do assert.equal(helper.read(path), texts[path], path) end
  end)

  it("builds a lathe that passes the tests of .solid #tools", function()
    local build = os.getenv("LATHE_BUILD") or "build"
    local folder = build .. "/spec/tutorial"
    helper.run { "rm", "-rf", folder }
    for path, text in pairs(texts) do
      helper.run { "mkdir", "-p", folder .. "/" .. path:match("^(.*)/") }
      helper.write(folder .. "/" .. path, text)
    end
    local made = helper.run({ "make", "-s", "BUILD=" .. build, "tutorial" }, { timeout = 300 })
    assert.equal(0, made.code, made.out .. made.err)
    for _, spec in ipairs { "solid_spec", "lugaru_spec" } do
      local run = helper.run({ "lua5.4", "/usr/bin/busted", "--ignore-lua", "--cpath=" .. folder .. "/?.so",
        "spec/formats/" .. spec .. ".lua" }, { timeout = 300, env = { LATHE_BUILD = folder, LATHE_COUNTS = false } })
      assert.equal(0, run.code, run.out .. run.err)
      assert.truthy(run.out:match("%f[%d][1-9]%d* passed, 0 failed"), run.out)
    end
  end)
end)
