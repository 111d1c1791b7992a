-- The examples of README.md and of the manual are run, and must print what they say.
--
--   ```console   lines `$ COMMAND`, each followed by all it prints (`...` alone stands for any lines)
--   ```lua       a program; with a ```text block right behind it, that is what it prints
--   ```c         a program that must compile; with a ```text block behind it, also run
--
-- All blocks of one file run in order in one folder, which holds Lugaru's models and the small files of the
-- transcripts. Other blocks (```sh: installing) are not run. A block after `<!-- not run: REASON -->` is left out; one
-- after `<!-- of the corpus: PATH -->` has that file, too, and is not run where there is no corpus.

local helper = require "helper"
local lfs = require "lfs"

local models = "/usr/share/games/lugaru/Models"

local function blocks_of(path)
  local blocks, block, number, skip, needs = {}, nil, 0, false, nil
  for line in (helper.read(path) .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local fence = line:match("^%s*```(.*)$")
    if fence and not block then
      block = { kind = fence, line = number, text = {}, skip = skip, needs = needs, gap = true }
      skip, needs = false, nil
    elseif fence then
      blocks[#blocks + 1] = block
      block = nil
    elseif block then
      table.insert(block.text, line)
    elseif line:match("^<!%-%- not run:") then
      skip = true
    elseif line:match("^<!%-%- of the corpus:") then
      needs = line:match(": (%S+) %-%->")
    elseif line:match("%S") then
      -- Prose between a program and a ```text block parts them, unless it ends in a colon.
      local last = blocks[#blocks]
      if last and not line:match(":%s*$") then last.parted = true end
    end
  end
  for _, b in ipairs(blocks) do b.text = table.concat(b.text, "\n") .. "\n" end
  return blocks
end

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

local preload = helper.preload and "LD_PRELOAD=" .. helper.quote(helper.preload) .. " " or ""
local env = {
  LUA_PATH_5_4 = helper.root .. "/scripts/?.lua;" .. helper.root .. "/scripts/?/init.lua;;",
  LUA_CPATH_5_4 = helper.build .. "/?.so;;",
  NO_COLOR = "1",
  HOME = "/nonexistent",
  LC_ALL = "C.UTF-8",
}

local function run(command, folder)
  return helper.run(command, { cwd = folder, env = env })
end

local runners = {}

function runners.console(block, folder)
  local lathe = preload .. "lua5.4 " .. helper.quote(helper.root .. "/scripts/bin/lathe")
  local command, want = nil, {}
  local function finish()
    if not command then return end
    local r = run(("lathe() { %s \"$@\"; }\nexec 2>&1\n%s"):format(lathe, command), folder)
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
  local r = run(preload .. "lua5.4 .example.lua", folder)
  os.remove(folder .. "/.example.lua")
  if r.code ~= 0 then error("exit " .. r.code .. "\n" .. r.err, 0) end
  if output then expect(output.text, r.out, "the program") end
end

function runners.c(block, folder, output)
  if helper.preload then return end               -- compilers are not for sanitizers
  helper.write(folder .. "/.example.c", block.text)
  local compile = "gcc -std=c11 -Wall -Wextra -Werror -I%s/core .example.c %s/liblathe.a -lqhull_r -lz -lzstd -lm " ..
    "-o .example"
  local r = run(compile:format(helper.root, helper.build), folder)
  if r.code ~= 0 then error(r.err, 0) end
  if output then expect(output.text, run("./.example", folder).out, "the program") end
  os.remove(folder .. "/.example.c")
  os.remove(folder .. "/.example")
end

local function documents()
  local list = { "README.md" }
  if lfs.attributes("doc", "mode") == "directory" then
    for _, name in ipairs(helper.list("doc", "%.md$")) do list[#list + 1] = "doc/" .. name end
  end
  return list
end

for _, document in ipairs(documents()) do
  describe(document, function()
    local blocks = helper.exists(document) and blocks_of(document) or {}
    local folder

    setup(function()
      folder = helper.tmpdir()
      if helper.exists(models) then helper.run({ "cp", "-r", models .. "/.", folder }) end
      dofile "spec/cli/fixtures.lua" (folder)
    end)

    for i, block in ipairs(blocks) do
      local runner = not block.skip and runners[block.kind]
      if runner then
        it(("line %d: %s"):format(block.line, block.kind), function()
          if not helper.exists(models) then pending("NOT TESTED: no package lugaru-data here") end
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
  end)
end

describe("README.md", function()
  it("is there and shows a program with what it prints", function()
    local kinds = {}
    for _, block in ipairs(blocks_of("README.md")) do kinds[block.kind] = true end
    assert.is_true(kinds.console or kinds.lua)
  end)
end)
