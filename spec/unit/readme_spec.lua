-- The commands and programs of README.md and of the guides are run in empty folders by an installed lathe, and must
-- print what the pages say.
--
--   ```console   lines `$ COMMAND`, each followed by all it prints (`...` alone stands for any lines)
--   ```lua       a program; with a ```text block right behind it, that is what it prints
--   ```c         a program that must compile; with a ```text block behind it, also run
--
-- All blocks of one file run in order in one folder, which is empty at first. /usr/local is where lathe is installed.
-- ```session blocks are typed at the prompt by spec/repl; other blocks (```sh: installing) are not run. A block after
-- `<!-- not run: REASON -->` is left out; one after `<!-- of the corpus: PATH -->` has that file, too, and is not run
-- where there is no corpus; one after `<!-- with the viewer -->` is not run where `make viewer` made none.

local helper = require "helper"
local guides = dofile "spec/support/guides.lua"

-- Whether `out` is `want`, where a line `...` in `want` stands for any lines.
local function matches(want, out)
  local function from(w, o)
    if w == "" then return o == "" end
    local line, rest = w:match("^([^\n]*\n)(.*)$")
    if line:match("^%.%.%.%s*\n$") then
      repeat
        if from(rest, o) then return true end
        local more = o:match("^[^\n]*\n(.*)$")
        local stop = more == nil
        o = more
      until stop
      return false
    end
    if o:sub(1, #line) ~= line then return false end
    return from(rest, o:sub(#line + 1))
  end
  return from(want, out)
end

local function expect(want, out, what)
  if not matches(want, out) then
    error(("%s prints\n%s\nand not\n%s"):format(what, out, want), 0)
  end
end

local prefix, env

local function run(command, folder)
  return helper.run(command, { cwd = folder, env = env })
end

local runners = {}

function runners.console(block, folder)
  local command, want = nil, {}
  local function finish()
    if not command then return end
    local r = run("exec 2>&1\n" .. command:gsub("/usr/local", prefix), folder)
    expect(table.concat(want), r.out, "$ " .. command)
    command, want = nil, {}
  end
  for line in block.text:gmatch("([^\n]*)\n") do
    local typed, more = line:match("^%$ (.*)$"), line:match("^> (.*)$")
    if typed then
      finish()
      command = typed
    elseif more and command and #want == 0 and (command:match("\\$") or command:match("<<'END'")) then
      command = command .. "\n" .. more
    else
      want[#want + 1] = line .. "\n"
    end
  end
  finish()
end

function runners.lua(block, folder, output)
  helper.write(folder .. "/.example.lua", block.text)
  local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
  local r = run(preload .. "lua5.4 .example.lua", folder)
  os.remove(folder .. "/.example.lua")
  if r.code ~= 0 then error("exit " .. r.code .. "\n" .. r.err, 0) end
  if output then expect(output.text, r.out, "the program") end
end

function runners.c(block, folder, output)
  if helper.preload then return end               -- compilers are not for sanitizers
  helper.write(folder .. "/.example.c", block.text)
  local compile = "gcc -std=c11 -Wall -Wextra -Werror .example.c $(pkg-config --cflags --libs lathe-static) " ..
    "-o .example"
  local r = run(compile, folder)
  if r.code ~= 0 then error(r.err, 0) end
  if output then expect(output.text, run("./.example", folder).out, "the program") end
  os.remove(folder .. "/.example.c")
  os.remove(folder .. "/.example")
end

setup(function() prefix, env = guides.install() end)

for _, document in ipairs(guides.pages()) do
  describe(document, function()
    local blocks = guides.blocks(document)
    local folder

    setup(function() folder = helper.tmpdir() end)

    for i, block in ipairs(blocks) do
      local runner = not block.skip and runners[block.kind]
      if runner then
        it(("line %d: %s"):format(block.line, block.kind), function()
          if block.viewer and (helper.preload or not helper.exists "build/viewer/viewer.js") then
            return pending "the viewer was not built (make viewer)"
          end
          if block.needs then
            helper.run { "cp", helper.need_corpus(block.needs, pending), folder }
            helper.run { "chmod", "u+w", folder .. "/" .. block.needs:match("[^/]+$") }
          end
          local next_block = blocks[i + 1]
          local output = not block.parted and next_block and next_block.kind == "text" and next_block
          runner(block, folder, output)
        end)
      end
    end

    it("leads to files that exist", function()
      local base = document:match "^(.*/)" or ""
      for target in helper.read(document):gmatch "%]%(([^%)#]+)" do
        if not target:match "^https?:" then
          assert.is_true(helper.exists(base .. target), ("%s: no %s"):format(document, target))
        end
      end
    end)

    it("has code in one line, which the manual needs", function()
      for number, line in ipairs(guides.prose(document)) do
        assert.equal(0, select(2, line:gsub("`", "")) % 2, ("%s:%d"):format(document, number))
      end
    end)
  end)
end

describe("README.md", function()
  it("shows a program with what it prints", function()
    local kinds = {}
    for _, block in ipairs(guides.blocks "README.md") do kinds[block.kind] = true end
    assert.is_true(kinds.console and kinds.lua)
  end)

  it("is under 200 lines, and its picture under 60 KB", function()
    local text = helper.read "README.md"
    assert.is_true(select(2, text:gsub("\n", "")) < 200)
    assert.is_true(#helper.read(text:match "!%[[^%]]*%]%(([^%)]*)%)") < 60 * 1024)
  end)
end)

describe("the manual", function()
  it("has every guide", function()
    local config = helper.read "config.ld"
    for _, page in ipairs(guides.pages()) do
      if page ~= "README.md" then assert.matches(('"%s"'):format(page), config, 1, true) end
    end
  end)
end)

describe("the sample files", function()
  it("are what make.lua makes, byte for byte", function()
    local folder, size = helper.tmpdir(), 0
    local r = helper.script("scripts/examples/make.lua", { folder })
    assert.equal("", r.out .. r.err)
    for _, name in ipairs(helper.list(folder)) do
      local bytes = helper.read("scripts/examples/" .. name)
      size = size + #bytes
      assert.is_true(bytes == helper.read(folder .. "/" .. name), name)
    end
    assert.equal(16, #helper.list(folder))
    assert.is_true(size < 200 * 1024)
  end)
end)
