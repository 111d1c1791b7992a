-- The prompt, at a real terminal.

local helper = require "helper"
local lathe = require "lathe"
local pty = dofile "spec/repl/pty.lua"
local transcript = dofile "spec/cli/transcript.lua"

local system = require "system"

local PROMPT = "lathe> "
local TAB, CTRL_C, CTRL_D, ENTER = "\t", "\3", "\4", "\r"
local UP, DOWN = "\27[A", "\27[B"

describe("repl", function()
  local terminal, folder

  local function start(files, env)
    local variables
    folder, variables = transcript.folder()
    variables.TERM = "dumb"
    variables.INPUTRC = "/dev/null"
    variables.XDG_STATE_HOME = false
    variables.ASAN_OPTIONS = "detect_leaks=0" -- readline keeps its memory to the end
    for name, value in pairs(env or {}) do variables[name] = value end
    terminal = pty.start("lathe " .. files, { cwd = folder, env = variables })
    return terminal:expect(PROMPT)
  end

  -- What the prompt answers to a line.
  local function ask(line)
    terminal:type(line .. ENTER)
    terminal:expect(line)
    terminal:expect "\n"
    return (terminal:expect(PROMPT):gsub("\r", ""))
  end

  local function leave(line)
    terminal:type((line or "exit") .. ENTER)
    local code = terminal:close()
    terminal = nil
    return code
  end

  after_each(function()
    if terminal then terminal:kill() end
    terminal = nil
  end)

  it("says what is open", function()
    local banner = start "tri.solid rig.fzx"
    assert.matches("lathe " .. lathe.VERSION, banner, 1, true)
    assert.matches("doc is tri.solid (solid, 76 bytes)", banner, 1, true)
    assert.equal(0, leave())
  end)

  it("completes a field that is changed and saved: the file differs in its bytes alone", function()
    start "tri.solid"
    local before = helper.read(folder .. "/tri.solid")
    terminal:type("doc.vert" .. TAB)
    terminal:type(TAB)
    terminal:expect "vertex_count"
    terminal:expect "vertices"
    terminal:type("ic" .. TAB)
    terminal:expect "doc.vertices"
    terminal:type("[2].x = 8.5" .. ENTER)
    terminal:expect(PROMPT)
    assert.equal("8.5\n", ask "doc.vertices[2].x")
    assert.equal("true\n", ask "doc:save()")
    assert.equal(0, leave())

    local after = helper.read(folder .. "/tri.solid")
    local doc = assert(lathe.open(folder .. "/tri.solid"))
    assert.equal(8.5, doc.vertices[2].x)
    local offset, size = lathe.span(doc.vertices[2], "x")
    assert.equal(before:sub(1, offset), after:sub(1, offset))
    assert.not_equal(before:sub(offset + 1, offset + size), after:sub(offset + 1, offset + size))
    assert.equal(before:sub(offset + size + 1), after:sub(offset + size + 1))
  end)

  it("lists what it can complete with types and units at the second Tab", function()
    start "tri.solid"
    terminal:type("doc.vertices[1]." .. TAB)
    terminal:expect "doc.vertices[1]."
    terminal:type(TAB)
    assert.equal("\n" .. [[
  x  number  First coordinate.
  y  number  Second coordinate.
  z  number  Third coordinate.
]], (terminal:expect("lathe> doc.vertices[1]."):gsub("[\r\a]", "")))
    terminal:type("y" .. ENTER)
    terminal:expect(PROMPT)
    terminal:type('open "rig' .. TAB .. ENTER)
    terminal:expect "doc and docs[2] are rig.fzx (fzx, 192 bytes)"
    terminal:expect(PROMPT)
    assert.equal(0, leave())
  end)

  it("pages what is longer than the screen, with a program or by itself", function()
    local fill = "for i = 1, 100 do doc.vertices:append { x = i } end"
    start("tri.solid", { LATHE_PAGER = "sed -n 's/.*\\[60\\] */paged: /p'" })
    ask(fill)
    ask "dump(doc.vertices[1])" -- it fits
    assert.equal("paged: x 57  y 0  z 0  (model units)\n", ask "dump(doc.vertices)")
    assert.equal("paged: x 57  y 0  z 0  (model units)\n", ask "dump(doc.vertices)")
    assert.matches("^saved", ask "save()")
    assert.equal(0, leave())

    start("tri.solid", { LATHE_PAGER = "no-such-pager", PAGER = false })
    ask(fill)
    assert.matches("no.such.pager.*%[1%]  +x 0 .*%[103%]  +x 100 ", ask "dump(doc.vertices)")
    assert.equal(0, leave("os.exit(0)"))

    local bin = helper.tmpdir() -- without less
    os.execute(("ln -s $(command -v lua5.4) %s/lua5.4"):format(bin))
    start("tri.solid", { LATHE_PAGER = false, PAGER = false, PATH = bin .. ":.bin" })
    ask(fill)
    terminal:type("dump(doc.vertices)" .. ENTER)
    terminal:expect "[39]" -- a terminal of unknown size has 40 rows
    terminal:expect "-- more: Enter shows the next page, q and Enter stop --"
    terminal:type(ENTER)
    terminal:expect "[78]"
    terminal:expect "-- more:"
    terminal:type("q" .. ENTER)
    terminal:expect(PROMPT)
    assert.equal("2\n", ask "1 + 1")
    terminal:type("dump(doc.vertices)" .. ENTER)
    terminal:expect "-- more:"
    terminal:type(CTRL_C)
    terminal:expect "interrupted!"
    terminal:expect(PROMPT)
    assert.equal(0, leave("os.exit(0)"))
  end)

  it("completes in the middle of a line, by index, and methods behind a colon", function()
    start "rig.fzx"
    terminal:type("n = 2" .. ENTER)
    terminal:expect(PROMPT)
    terminal:type("print(doc.objects[n].lab" .. TAB .. ")" .. ENTER)
    terminal:expect "l thigh capsule"
    terminal:expect(PROMPT)
    terminal:type("x = doc:enc" .. TAB .. "()" .. ENTER)
    terminal:expect(PROMPT)
    assert.equal("true\n", ask "x == doc:encode()")
    assert.equal(0, leave())
  end)

  it("completes keys, whatever is in them, so that the line can go on", function()
    local keys = { "intro", "my level", "a.b", "d]e[f]", 'say "it"', "it's", "back\\slash" }
    local typed = { 'in', 'my le', "a.", "d]e", 'say \\"i', "it'", "back\\\\s" }
    start "tri.solid"
    ask "keys = {}"
    for i, key in ipairs(keys) do
      ask(("keys[%q] = { values = { data = 'level %d' } }"):format(key, i))
    end
    ask "doc = lathe.new('save', { levels = keys })"
    for i, start_of_key in ipairs(typed) do
      local line = 'doc.levels["' .. start_of_key
      terminal:type(line .. TAB .. ".int32" .. TAB .. TAB .. ENTER)
      terminal:expect "save_int32[0]"
      terminal:expect(PROMPT)
      terminal:type(line .. TAB .. ".values.da" .. TAB .. ENTER)
      terminal:expect(('"level %d"'):format(i))
      terminal:expect(PROMPT)
    end
    terminal:type("doc.levels.intro.values.da" .. TAB .. ENTER)
    terminal:expect '"level 1"'
    terminal:expect(PROMPT)
    assert.equal(0, leave("os.exit(0)"))
  end)

  it("ends what runs too long at Ctrl-C, again and again", function()
    start "tri.solid"
    for i = 1, 3 do
      terminal:type(("print('round' .. %d) while true do end"):format(i) .. ENTER)
      terminal:expect(("round%d"):format(i))
      terminal:type(CTRL_C)
      terminal:expect "interrupted!"
      terminal:expect(PROMPT)
      assert.equal(i + 1 .. "\n", ask(i .. " + 1"))
    end
    assert.equal(0, leave())
  end)

  it("is not deaf to Ctrl-C where a script catches errors", function()
    start "tri.solid"
    terminal:type("print('round' .. 1) while true do pcall(error, 1) end" .. ENTER)
    terminal:expect "round1"
    terminal:type(CTRL_C)
    terminal:expect "interrupted!"
    terminal:expect(PROMPT)
    assert.equal("2\n", ask "1 + 1")
    assert.equal(0, leave())
  end)

  it("stops coroutines and handlers of errors at Ctrl-C", function()
    start "tri.solid"
    for i, loop in ipairs {
      "pcall(coroutine.wrap(function() while true do end end))",
      "xpcall(function() while true do end end, function() while true do end end)",
    } do
      terminal:type(("print('round' .. %d) while true do %s end"):format(i, loop) .. ENTER)
      terminal:expect(("round%d"):format(i))
      terminal:type(CTRL_C)
      terminal:expect "interrupted!"
      terminal:expect(PROMPT)
    end
    assert.equal(0, leave())
  end)

  it("ends chunks of -e at Ctrl-C, as other commands", function()
    local variables
    folder, variables = transcript.folder()
    terminal = pty.start([[lathe -e "print('round' .. 1) while true do end" -e "print 'not run'" tri.solid]],
      { cwd = folder, env = variables })
    terminal:expect "round1"
    terminal:type(CTRL_C)
    terminal:expect "interrupted!"
    local code = terminal:close()
    assert.is_true(code == 130 or code == 128 + 130, code)
    assert.is_nil(terminal:output():find("not run\r\n", 1, true))
    terminal = nil
  end)

  it("drops the line at Ctrl-C at the prompt", function()
    start "tri.solid"
    terminal:type "doc.nothing"
    terminal:expect "nothing"
    terminal:type(CTRL_C)
    assert.equal("", terminal:expect "^C") -- behind the line
    terminal:expect(PROMPT)
    assert.equal("2\n", ask "1 + 1")
    assert.equal(0, leave())
  end)

  -- With a terminal's own strings and settings: readline has then more to put back.
  it("lives through Ctrl-C whenever it comes", function()
    start("tri.solid", { TERM = "xterm" })
    terminal:type("doc.vertices[1].x = 3" .. ENTER .. "print('kept' .. 1)" .. ENTER)
    terminal:expect "kept1"
    local moments = {
      "", "doc.vert", "doc.vert" .. TAB, "doc.vert" .. TAB .. TAB, "doc[\"ver" .. TAB, TAB .. TAB,
      "for i = 1, 2 do" .. ENTER, UP, UP .. "x" .. UP .. "y" .. DOWN,
      "ab" .. UP .. DOWN .. "\27[D" .. "c", "\18ver", "\18ver\18", "\27", "\0273", "\22",
      "x = ('long'):rep(3) .. '" .. ("abc "):rep(60), "while true do end" .. ENTER, "1 + 1" .. ENTER,
      "doc.vertices" .. ENTER, ")" .. ENTER, "help" .. ENTER,
    }
    for i = 1, 200 do
      terminal:type(moments[i % #moments + 1]) -- the system drops what nobody has read at Ctrl-C
      if i % 4 > 0 then system.sleep(0.01 * (i % 4)) end
      terminal:type(CTRL_C)
      if i % 3 > 0 then system.sleep(0.01) end
      if i % 20 == 0 then
        system.sleep(0.1)
        terminal:type(ENTER .. ("print('round' .. %d)"):format(i) .. ENTER)
        terminal:expect(("round%d"):format(i))
      end
    end
    terminal:type(CTRL_C:rep(20))
    system.sleep(0.1)
    terminal:type(ENTER .. "print('changed', doc.modified, doc.vertices[1].x)" .. ENTER)
    terminal:expect "changed\ttrue\t3.0"
    terminal:type(UP .. UP .. ENTER)
    terminal:expect "round200"
    terminal:type("exit" .. ENTER)
    terminal:expect "changed and not saved"
    assert.equal(0, leave())
    local kept = helper.read(folder .. "/.lathe_history")
    assert.equal("doc.vertices[1].x = 3\nprint('kept' .. 1)\n", kept:sub(1, 41))
  end)

  it("shows records, arrays and errors", function()
    start "tri.solid"
    assert.matches("x = 1\n", ask "doc.vertices[2]", 1, true)
    assert.matches("  [3]  0  1.5  0.25\n", ask "doc.vertices", 1, true)
    assert.equal("error: doc.vertexes: no field 'vertexes' in solid; did you mean 'vertices'?\n  in: doc.vertexes\n",
      ask "doc.vertexes")
    assert.equal("error: none.solid: cannot open: No such file or directory\n  in: lathe.open 'none.solid'\n",
      ask "lathe.open 'none.solid'")
    assert.equal("", ask "")
    assert.equal("error: unexpected symbol near ')'\n  in: )\n", ask ")")
    assert.equal(0, leave())
  end)

  it("shows a matrix as it is written on paper", function()
    start "tri.solid"
    ask "doc = lathe.new('anm', { frames = { { bone_matrices = { { } } } } })"
    ask "m = doc.frames[1].bone_matrices[1]"
    ask "m.translation.y, m.scale.x = -12.5, 3"
    local lines = ask "m"
    assert.matches("     col0  col1  col2   col3\n  x     3     0     0      0\n", lines, 1, true)
    assert.equal(0, leave("os.exit(0)"))
  end)

  it("shows what was raised, whatever it is", function()
    start "clip.hkx"
    assert.matches("^error: told\\x1b\n", ask "error{ message = 'told\\27' }")
    assert.matches("^error: an error table without a message\n", ask "error{}")
    assert.matches("^error: an error that cannot be printed\n", ask "error(setmetatable({}, { __tostring = error }))")
    assert.equal('float track 1: slot 0 "hkVis:Weapon"\n  name       = "hkVis:Weapon"\n  slot_index = 0\n',
      ask "doc.animations[1].float_tracks[1]")
    assert.equal(0, leave())
  end)

  it("shows no file of its own in errors", function()
    start "tri.solid"
    ask "vertex = doc.vertices[1]"
    ask "doc:close()"
    local function message(line) return ask(line):match "^error: ([^\n]*)\n  in: " end
    assert.equal("document (closed)\n", ask "doc")
    assert.equal("vec3 (document is closed)\n", ask "vertex")
    assert.equal("document is closed", message "doc.vertices")
    assert.equal("document is closed", message "lathe.tree.dump(doc)")
    assert.equal("document is closed", message "undo")
    ask "doc = nil"
    assert.equal("no file is open: open \"FILE\" opens one", message "undo")
    assert.equal("lathe.none is nil", message "lathe.none.x")
    helper.write(folder .. "/own.lua", "\nerror 'mine'")
    assert.equal("own.lua:2: mine", message "dofile 'own.lua'")
    terminal:type("if true then" .. ENTER .. "error 'here' end" .. ENTER)
    terminal:expect "error: line 2: here"
    terminal:expect(PROMPT)
    assert.equal(0, leave())
  end)

  it("goes on where a line is not the end", function()
    start "tri.solid"
    terminal:type("for i = 1, 2 do" .. ENTER)
    terminal:expect "    .. "
    terminal:type("print('n' .. i)" .. ENTER)
    terminal:expect "    .. "
    terminal:type("end" .. ENTER)
    terminal:expect "n1"
    terminal:expect "n2"
    terminal:expect(PROMPT)
    assert.equal(0, leave())
  end)

  it("undoes and redoes", function()
    start "tri.solid"
    assert.equal("", ask "doc.vertices[1].x = 3")
    assert.equal("undone\n", ask "undo")
    assert.equal("0.0\n", ask "doc.vertices[1].x")
    assert.equal("redone\n", ask "redo")
    assert.equal("3.0\n", ask "doc.vertices[1].x")
    assert.equal("undone\n", ask "undo")
    assert.equal("nothing to undo\n", ask "undo")
    assert.equal(0, leave())
  end)

  it("points out once what is not saved", function()
    start "tri.solid"
    assert.equal("", ask "doc.vertices[1].x = 3")
    assert.matches("changed and not saved", ask "exit", 1, true)
    assert.equal(0, leave "quit")
  end)

  it("leaves at Ctrl-D", function()
    start "tri.solid"
    terminal:type(CTRL_D)
    local code = terminal:close()
    terminal = nil
    assert.equal(0, code)
  end)

  it("keeps its history when it is killed", function()
    start "tri.solid"
    ask "first = 11"
    ask "doc.vertices[1].x = first"
    terminal:type "doc.not_entered"
    terminal:expect "not_entered"
    terminal:kill()
    terminal = nil
    assert.equal("first = 11\ndoc.vertices[1].x = first\n", helper.read(folder .. "/.lathe_history"))
  end)

  it("keeps its history from one time to the next", function()
    start "tri.solid"
    ask "first = 11"
    ask "first = 11"
    ask "first + 1"
    assert.equal(0, leave())
    local kept = helper.read(folder .. "/.lathe_history")
    assert.equal("first = 11\nfirst + 1\nexit\n", kept)
    local state = folder .. "/state"
    local old = folder
    start("tri.solid", { XDG_STATE_HOME = state, HOME = old })
    ask "5 + 5"
    assert.equal(0, leave())
    assert.equal("5 + 5\nexit\n", helper.read(state .. "/lathe/history"))
    start("tri.solid", { XDG_STATE_HOME = state })
    terminal:type(UP .. UP .. ENTER)
    terminal:expect "10"
    terminal:expect(PROMPT)
    assert.equal(0, leave())
  end)
end)

-- The ```session blocks of README.md and of the guides: `$ COMMAND` is run by the shell, `lathe> LINE` typed at the
-- prompt that the last `$ lathe FILE` started; what they print follows. The sample files are there, and lathe is installed.
local guides = dofile "spec/support/guides.lua"

local function sessions()
  local list = {}
  for _, page in ipairs(guides.pages()) do
    for _, block in ipairs(guides.blocks(page)) do
      local steps = { title = ("%s, line %d"):format(page, block.line) }
      for line in block.kind == "session" and block.text:gmatch "([^\n]*)\n" or function() end do
        local command, typed = line:match "^%$ (.+)$", line:match "^lathe> (.+)$"
        if command or typed then
          steps[#steps + 1] = { command = command, typed = typed, says = "" }
        else
          steps[#steps].says = steps[#steps].says .. line .. "\n"
        end
      end
      if #steps > 0 then list[#list + 1] = steps end
    end
  end
  return list
end

describe("repl in the guides", function()
  local prefix, variables

  setup(function() prefix, variables = guides.install() end)

  -- What the session of animations.md asked for is there, and the file is as Havok would write it.
  local function check_animation(folder)
    local was = assert(lathe.open(folder .. "/old.hkx"))
    local is = assert(lathe.open(folder .. "/wave.hkx"))
    local old, new = was.animations[1], is.animations[1]
    assert.equal("WaveHigh", is.objects[3].annotation_tracks[1].annotations[1].text)
    assert.same({ 31, 19 }, { old.frame_count, new.frame_count })
    assert.near(1.2, new.duration, 1e-6)
    assert.near(70, new.tracks[2]:sample(3)[3], 0.01)
    for frame = 0, 18 do -- the others are where they were
      for _, track in ipairs { 1, 3, 4, 6 } do
        for lane, value in ipairs((old.tracks[track]:sample(frame))) do
          assert.near(value, new.tracks[track]:sample(frame)[lane], 0.02)
        end
      end
    end
    assert.equal(is:serialize(), is:encode())
    assert.equal(assert(lathe.new("hkx", is:totable())):encode(), is:encode())
  end

  for _, steps in ipairs(sessions()) do
    it("answers as it says: " .. steps.title, function()
      local folder, env, terminal = helper.tmpdir(), {}, nil
      helper.run { "sh", "-c", ("cp %s/share/lathe/examples/* %s"):format(prefix, folder) }
      for name, value in pairs(variables) do env[name] = value end
      finally(function() -- one that waits for input would be waited for
        if terminal and terminal.pipe then terminal:kill() end
      end)
      for _, variable in ipairs { "INPUTRC", "TERM" } do env[variable] = variable == "TERM" and "dumb" or "/dev/null" end
      env.XDG_STATE_HOME, env.ASAN_OPTIONS, env.HOME = false, "detect_leaks=0", folder
      for i, step in ipairs(steps) do
        local next_step = steps[i + 1]
        if step.command and next_step and next_step.typed then
          terminal = pty.start(step.command, { cwd = folder, env = env })
          terminal:expect(PROMPT)
        elseif step.command then
          local result = helper.run(step.command, { cwd = folder, env = env })
          assert.equal(step.says, result.out .. result.err)
        elseif step.typed == "exit" then
          terminal:type("exit" .. ENTER)
          assert.equal(0, terminal:close())
        else
          terminal:type(step.typed .. ENTER)
          terminal:expect "\n"
          assert.equal(step.says, (terminal:expect(PROMPT):gsub("\r", "")))
        end
      end
      if steps.title:match "animations" then check_animation(folder) end
    end)
  end

  it("has such sessions", function() assert.equal(5, #sessions()) end)
end)

describe("repl without a terminal", function()
  it("runs what comes in and prints what comes out", function()
    local folder, env = transcript.folder()
    local result = helper.run("lathe tri.solid", {
      cwd = folder, env = env,
      stdin = "doc.vertices[3].y\nfor i = 1, 2 do\n  print(i)\nend\ndoc.vertices[1]\n",
    })
    assert.equal("1.5\n1\n2\nvec3 vertices[1]\n  x = 0\n  y = 0\n  z = 0\n", result.out)
    assert.equal("", result.err)
    assert.equal(0, result.code)
  end)

  it("fails where no file opens", function()
    local folder, env = transcript.folder()
    local result = helper.run("lathe cut.solid", { cwd = folder, env = env, stdin = "1\n" })
    assert.equal(1, result.code)
    assert.equal("", result.out)
    assert.matches("cut.solid", result.err, 1, true)
  end)
end)
