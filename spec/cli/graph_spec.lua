-- What `lathe info` shows of behavior graphs, and the help of their commands.

local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local sample_graph = require "sample_graph"
local transcript = dofile "spec/cli/transcript.lua"

local SCREEN, WIDTH = 40, 100 -- where there is no terminal
local GRAPHS = "hkx-behavior"

local folder, env

local function run(command) return helper.run(command, { cwd = folder, env = env, timeout = 300 }) end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  return lines
end

local function save(name, fields, change)
  local doc <close> = assert(lathe.new("hkx", fields))
  if change then change(doc) end
  assert(doc:save(folder .. "/" .. name))
end

before_each(function() folder, env = transcript.folder() end)

describe("the commands of behavior graphs", function()
  local commands = require "lathe.cli.verbs.graphs"

  it("have a summary that begins with a verb, and a text for each option", function()
    for _, command in ipairs(commands) do
      assert.matches("^%u%l+ .+%.$", command.summary)
      local help = run("lathe help " .. command.name)
      assert.equal(0, help.code)
      assert.equal("", help.err)
      local options = 0
      for text in help.out:gmatch "\n   %-%-%l[%l-]* <[^>\n]*>%s%s+([^\n]*)" do
        options = options + 1
        assert.matches(text:find "^zstd " and "%.$" or "^%u", text)
      end
      assert.is_true(options >= 4) -- those of all commands
    end
  end)

  it("give back the first bytes where something is added and removed again", function()
    save("graph.hkx", sample_graph.fields { states = 5 })
    for _, steps in ipairs {
      { "add-event New", "remove-event New" }, { "add-variable New", "remove-variable New" },
      { "add-event New", "remove-event 4" },
    } do
      assert.equal(0, run(("lathe %s graph.hkx -o 1.hkx && lathe %s 1.hkx -o 2.hkx"):format(steps[1], steps[2])).code)
      assert.not_equal(helper.read(folder .. "/graph.hkx"), helper.read(folder .. "/1.hkx"))
      assert.equal(helper.read(folder .. "/graph.hkx"), helper.read(folder .. "/2.hkx"))
    end
  end)
end)

describe("lathe info of a behavior graph", function()
  -- The numbers of lines that are shown and said to be left out.
  local function cut(command)
    local result = run(command)
    assert.same({ 0, "" }, { result.code, result.err })
    local lines = lines_of(result.out)
    for _, line in ipairs(lines) do assert.is_true(utf8.len(line) <= WIDTH, line) end
    return lines, tonumber(lines[#lines]:match "^  %.%.%. (%d+) lines more: see them with %-%-full") or 0
  end

  it("fits a screen, and says how many lines there are", function()
    for states = 1, 60, 7 do
      save("graph.hkx", sample_graph.fields { states = states, events = 300, variables = 200 })
      local lines, left = cut "lathe info graph.hkx"
      assert.is_true(#lines < SCREEN)
      local tree = #lines_of(run("lathe info --full graph.hkx | sed -n '/^  machine/,$p'").out)
      assert.equal(1 + 2 * states, tree) -- each state leads to another
      local _, notes = table.concat(lines, "\n"):gsub("\n +%.%.%. %d+ [^\n]*more", "")
      assert.equal(tree, #lines - 8 + left - notes)
      assert.equal(left == 0, tree <= SCREEN - 10)
    end
  end)

  it("shows of a large machine as many states as where they lead", function()
    save("graph.hkx", sample_graph.fields { states = 500, events = 300 })
    local lines, left = cut "lathe info graph.hkx"
    assert.same({
      '  graph      "Sample.hkb": 1 state machine, 500 states, 500 transitions, 500 clips',
      "  events     300: Event1, Event2, Event3, Event4, Event5, Event6, Event7, Event8, Event9, Event10, …",
      "  variables  2: Variable1, Variable2",
      "  machine Machine, 500 states",
      "    0 State1 (start): clip Clip1 plays Animations\\Clip1.hkx",
      "      --Event1--> State2",
    }, table.move(lines, 6, 11, 1, {}))
    assert.equal("    ... 484 more", lines[#lines - 1])
    assert.equal(1001 - (#lines - 10), left)
  end)

  -- The root machine has states First and Second; First plays machine Inner, which Second plays, too.
  local function nested()
    local fields = sample_graph.fields { states = 3 }
    local list = fields.objects
    for i = 0, 1 do
      list[#list + 1] = { class = "hkbStateMachineStateInfo", name = i == 0 and "First" or "Second", state_id = i,
        generator = 3 }
    end
    list[#list + 1] = { class = "hkbStateMachine", name = "Outer", states = { #list - 1, #list },
      start_state_id = 1 }
    list[2].root_generator = #list
    return fields
  end

  it("shows once what several states play", function()
    save("graph.hkx", nested())
    local lines = cut "lathe info graph.hkx"
    assert.same({
      "  machine Outer, 2 states",
      "    0 First: machine Machine, 3 states",
      "      0 State1 (start): clip Clip1 plays Animations\\Clip1.hkx",
      "        --Event1--> State2",
      "      1 State2: clip Clip2 plays Animations\\Clip2.hkx",
      "        --Event2--> State3",
      "      2 State3: clip Clip3 plays Animations\\Clip3.hkx",
      "        --Event3--> State1",
      "    1 Second (start): machine Machine, 3 states (shown elsewhere)",
    }, table.move(lines, 9, #lines, 1, {}))
  end)

  it("ends where a machine is below itself", function()
    local fields = sample_graph.fields { states = 2 }
    fields.objects[8].generator = 3
    save("graph.hkx", fields)
    local lines = lines_of(run "lathe info --full graph.hkx".out)
    assert.same({
      "  machine Machine, 2 states",
      "    0 State1 (start): machine Machine, 2 states (shown elsewhere)",
      "      --Event1--> State2",
      "    1 State2: clip Clip2 plays Animations\\Clip2.hkx",
      "      --Event2--> State1",
    }, table.move(lines, #lines - 4, #lines, 1, {}))
  end)

  it("follows modifiers, however many, and generators that lead to themselves", function()
    local fields = sample_graph.fields { states = 2 }
    local list, n = fields.objects, 3000
    list[8].generator = #list + 1
    for i = 1, n do
      list[#list + 1] = { class = "hkbModifierGenerator", name = "M" .. i, generator = i < n and #list + 2 or 10 }
    end
    list[#list + 1] = { class = "hkbModifierGenerator", name = "Round", generator = #list + 1 }
    list[12].generator = #list
    save("graph.hkx", fields)
    local lines = cut "lathe info graph.hkx"
    assert.equal("    0 State1 (start): clip Clip1 plays Animations\\Clip1.hkx", lines[10])
    assert.equal("    1 State2: hkbModifierGenerator Round, 1 generator", lines[12])
    lines = lines_of(run "lathe info --full graph.hkx".out)
    assert.equal("    0 State1 (start): M1 > M2 > M3 > M4 > M5 > M6 > M7 > M8 > ... > "
      .. "clip Clip1 plays Animations\\Clip1.hkx", lines[#lines - 4])
  end)

  it("names what is wrong with a damaged one, beside the file's fields", function()
    for name, field in pairs { ["behavior.hkx"] = { "objects[3]", "states" }, ["character.hkx"] =
      { "objects[4]", "animation_names" } } do
      local bytes = helper.read("scripts/examples/" .. name)
      local doc <close> = assert(lathe.open("scripts/examples/" .. name))
      local at = lathe.span(doc:get(field[1]), field[2]) + 8 -- behind the pointer
      helper.write(folder .. "/" .. name, bytes:sub(1, at) .. "\xff\xff\xff\0" .. bytes:sub(at + 5))
    end
    local why = "16777215 elements of 8 bytes do not fit into %d+ bytes"
    for name, class in pairs { behavior = "hkbStateMachine", character = "hkbCharacterStringData" } do
      assert.matches(("\n  file_version +8\n.*\n  graph +%s %%(%s%%)\n$"):format(why, class),
        run(("lathe info %s.hkx"):format(name)).out)
      assert.matches('"graph":{"problem":"' .. why, run(("lathe info --json %s.hkx"):format(name)).out)
    end
    local result = run "lathe info --machine GuardRoot behavior.hkx"
    assert.equal(1, result.code)
    assert.matches("^lathe: behavior.hkx: " .. why, result.err)
  end)

  it("is as high as the terminal", function()
    save("graph.hkx", sample_graph.fields { states = 100 })
    for _, rows in ipairs { 24, 60 } do
      local result = run(("script -qec 'stty rows %d cols 70; lathe info graph.hkx' /dev/null"):format(rows))
      local lines = lines_of(result.out)
      assert.is_true(#lines < rows and #lines >= rows - 3, #lines)
      for _, line in ipairs(lines) do
        assert.is_true(utf8.len((line:gsub("\27%[%d+m", ""):gsub("\r", ""))) <= 70, line)
      end
    end
  end)

  it("has the same facts as JSON", function()
    save("graph.hkx", nested())
    local record = json.decode(run "lathe info --json graph.hkx".out).graph
    assert.same({ "Event1", "Event2", "Event3", "Event4" }, record.events)
    assert.same({ 3 + 2, 3, 3 }, { record.states, record.transitions, record.clips })
    local by_path = {}
    for _, node in ipairs(record.nodes) do by_path[node.path] = node end
    local outer = by_path[record.root]
    assert.equal("Outer", outer.name)
    assert.equal("Machine", by_path[outer.states[1].generator].name)
    assert.same({ { event = "Event1", to = "State2" } }, by_path[outer.states[2].generator].states[1].transitions)
    local inner = json.decode(run "lathe info --json --machine Machine graph.hkx".out).graph
    assert.equal(4, #inner.nodes)
    assert.equal("Machine", inner.nodes[1].name)
  end)
end)

describe("lathe info of the corpus's graphs", function()
  -- A path that commands find from another folder, too.
  local function corpus(sub)
    local path = helper.need_corpus(sub, pending)
    return path and path:match "^/" and path or path and helper.root .. "/" .. path
  end

  local function graphs()
    local root, list = corpus(GRAPHS), {}
    for _, game in ipairs { "skyrim-le", "skyrim-se", "xml" } do
      for _, name in ipairs(helper.list(("%s/%s"):format(root, game))) do
        list[#list + 1] = ("%s/%s/%s"):format(root, game, name)
      end
    end
    return list
  end

  it("answers on one screen which states there are, where events lead, and which clips are played", function()
    local path = corpus(GRAPHS .. "/skyrim-se/0_master.hkx")
    local lines = lines_of(run("lathe info " .. path).out)
    assert.is_true(#lines < SCREEN)
    assert.same({
      '  graph      "0_Master.hkb": 112 state machines, 336 states, 311 transitions, 289 clips',
      "  machine Master_Behavior, 10 states",
      "    from every state",
      "      --DeathAnim, Dismount_ATR--> AnimateToRagdoll",
      "      --Ragdoll, RagdollInstant--> FullyRagdoll",
      "    22 AnimateToRagdoll: machine AnimateToRagdoll_Behavior, 2 states",
      "      --Ragdoll--> FullyRagdoll",
      "      0 DeathAnimation (start): clip DeathAnimA plays Animations\\DeathAnimationA.hkx",
      "    49 MT WalkingCamera: plays Animations\\MT_WalkingCamera.hkx",
      "      --IdleWalkingCameraEnd--> Root",
      "  ... 1010 lines more: see them with --full, or --machine RootBehaviorGraph",
    }, { lines[6], lines[9], lines[10], lines[11], lines[12], lines[21], lines[22], lines[23], lines[32], lines[33],
      lines[#lines] })
  end)

  it("leaves out no state, event or clip that a machine leads to, with --full and in JSON", function()
    local met = 0
    for _, path in ipairs(graphs()) do
      local doc <close> = assert(lathe.open(path))
      local result = run("lathe info " .. helper.quote(path))
      assert.equal(0, result.code, path)
      if doc.graph then
        met = met + 1
        assert.is_true(#lines_of(result.out) < SCREEN, path)
        local whole = run("lathe info --full " .. helper.quote(path)).out
        local record = json.decode(run("lathe info --json " .. helper.quote(path)).out).graph
        local states, clips, leads = {}, 0, {}
        for _, node in ipairs(record.nodes) do
          clips = clips + (node.animation and 1 or 0)
          if node.animation then assert.matches(" " .. node.animation, whole, 1, true) end
          for _, state in ipairs(node.states or {}) do
            states[#states + 1] = state.path
            assert.matches((" %d %s"):format(state.id, state.name), whole, 1, true)
            for _, one in ipairs(state.transitions) do leads[#leads + 1] = one end
          end
          for _, one in ipairs(node.transitions or {}) do leads[#leads + 1] = one end
        end
        assert.equal(#doc.graph.states, #states, path)
        assert.equal(#doc.graph.clips, clips, path)
        for _, one in ipairs(leads) do
          assert.matches(("%s"):format(one.event or "(no event)"), whole, 1, true)
        end
        local told = {}
        for _, path_of in ipairs(states) do told[path_of] = true end
        for _, state in ipairs(doc.graph.states) do assert.is_true(told[lathe.path(state)]) end
      end
    end
    assert.is_true(met >= 20, met)
  end)
end)
