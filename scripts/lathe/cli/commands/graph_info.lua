--- What `lathe info` shows of behavior graphs, and of characters and projects.
-- @module lathe.cli.commands.graph_info

local formats = require "lathe.formats"
local out = require "lathe.cli.out"
local records = require "lathe.cli.pages.records"
local spelling = require "lathe.spelling"
local text = require "lathe.tree.text"

local graph_info = {}

--- Adds the options.
-- @param command an argparse command
function graph_info.options(command)
  command:option("--machine", "Show only this state machine of a behavior graph, and what is below it.")
    :argname "<name>"
  command:flag("--full", "Show all of a behavior graph, and all fields of its file (default: one screen).")
end

-- ---- facts ----------------------------------------------------------------------------------------

-- The state machines with a name.
local function machines_named(facts, name)
  local found, names = {}, {}
  for _, node in ipairs(facts.nodes) do
    if node.states and node.name then
      names[#names + 1] = node.name
      if node.name == name then found[#found + 1] = node end
    end
  end
  if #found > 0 then return found end
  return nil, ("the graph has no state machine '%s'%s"):format(name, spelling.hint(name, names))
end

-- The nodes below some nodes, with these.
local function reached(roots)
  local list, seen = {}, {}
  local function add(node)
    if node and not seen[node] then
      seen[node], list[#list + 1] = true, node
    end
  end
  for _, node in ipairs(roots) do add(node) end
  local i = 1
  while list[i] do
    for _, state in ipairs(list[i].states or {}) do add(state.generator) end
    for _, child in ipairs(list[i].children or {}) do add(child) end
    i = i + 1
  end
  return list
end

-- What a function of the format's part reads; nil and the problem if the file is damaged.
local function read(doc, what)
  local part = formats.of(doc.format)[what]
  if not part then return nil end
  local ok, facts = pcall(part, doc)
  if ok then return facts end
  return nil, tostring(type(facts) == "table" and facts.message or facts)
end

--- Reads the behavior graph of a document.
-- @param doc
-- @tparam table args the command's
-- @treturn ?table facts as `lathe.formats.hkx` gives them, with `roots`, the nodes to show; false: there is
--   no graph, or it is damaged; nil: the command fails for the file
-- @treturn ?string what is wrong
function graph_info.read(doc, args)
  local facts, problem = read(doc, "graph")
  if not facts then
    if args.machine then return nil, problem or "it has no behavior graph" end
    return false, problem
  end
  facts.roots = { facts.root }
  if args.machine then
    local machines, why = machines_named(facts, args.machine)
    if not machines then return nil, why end
    facts.roots = machines
  end
  return facts
end

-- ---- text -----------------------------------------------------------------------------------------

local function machine_count(facts)
  local n = 0
  for _, node in ipairs(facts.nodes) do n = n + (node.states and 1 or 0) end
  return n
end

-- Adds names after their number: as many as fit on one line, or with `whole` all on several lines.
local function add_names(add, label, names, whole)
  if #names == 0 then return end
  local line = ("%d: %s"):format(#names, names[1])
  for i = 2, #names do
    if whole and #line + #names[i] > out.columns() - 16 then
      add(label, line .. ",")
      label, line = "", names[i]
    else
      line = line .. ", " .. names[i]
    end
    if not whole and #line > out.columns() then break end
  end
  add(label, line, not whole)
end

--- Adds the lines with numbers and names.
-- @tparam table facts
-- @tparam function add (label, value, cut)
-- @tparam boolean whole all names
function graph_info.add(facts, add, whole)
  add("graph", ("%s: %s, %s, %s, %s"):format(text.quote(facts.name or ""),
    text.count(machine_count(facts), "state machine"), text.count(facts.states, "state"),
    text.count(facts.transitions, "transition"), text.count(facts.clips, "clip")))
  add_names(add, "events", facts.events, whole)
  add_names(add, "variables", facts.variables, whole)
end

--- Adds the lines of a character or project.
-- @param doc
-- @tparam function add
function graph_info.add_character(doc, add)
  local facts, problem = read(doc, "character")
  if problem then add("character", problem) end
  if not facts then return end
  add(facts.kind, (facts.name and text.quote(facts.name) .. " " or "") .. facts.path)
  for _, member in ipairs(facts.files) do
    add("  " .. member.name, table.concat(member.files, ", "), true)
  end
  add_names(add, "animation_files", facts.animations, false)
end

-- The machine with the most states of which only the name is shown, or not even that.
local function largest(facts, is_shown)
  local found
  for _, node in ipairs(reached(facts.roots)) do
    if node.states and node.name and not is_shown[node] and (not found or #node.states > #found.states) then
      found = node
    end
  end
  return found
end

local function quoted(name)
  return name:find "^[%w_.-]+$" and name or ("'%s'"):format(name:gsub("'", "'\\''"))
end

--- The tree.
-- @tparam table facts
-- @tparam table args the command's
-- @tparam integer used the number of lines of the file's overview so far
-- @treturn {string,...}
function graph_info.lines(facts, args, used)
  local room = not args.full and math.max(out.rows() - used - 2, 8) or nil
  local lines, left, is_shown = require("lathe.cli.commands.graph_tree").lines(facts.roots, room)
  for i, line in ipairs(lines) do
    lines[i] = args.full and "  " .. line or graph_info.cut("  " .. line)
  end
  if left > 0 then
    local machine = largest(facts, is_shown)
    local way = machine and (", or --machine %s"):format(quoted(machine.name)) or ""
    local more = ("  ... %d lines more: see them with --full%s"):format(left, way)
    lines[#lines + 1] = graph_info.cut(more)
  end
  return lines
end

--- Cuts a line at the width of the screen.
-- @tparam string line
-- @treturn string
function graph_info.cut(line)
  line = text.printable(line)
  local length = utf8.len(line)
  if length <= out.columns() then return line end
  return line:sub(1, utf8.offset(line, out.columns()) - 1) .. "…"
end

-- ---- JSON -----------------------------------------------------------------------------------------

local function array(list, each)
  local result = records.list {}
  for i, item in ipairs(list) do result[i] = each and each(item) or item end
  return result
end

local function transition_json(transition)
  return records.of("graph_transition", { event = transition.event, to = transition.to })
end

local function state_json(state)
  return records.of("graph_state", { id = state.id, name = state.name, path = state.path,
    generator = state.generator and state.generator.path,
    transitions = array(state.transitions, transition_json) })
end

local function node_json(node)
  return records.of("graph_node", { type = node.type, name = node.name, path = node.path,
    animation = node.animation, behavior = node.behavior, start_state_id = node.start_state_id,
    transitions = node.transitions and array(node.transitions, transition_json),
    states = node.states and array(node.states, state_json),
    children = node.children and array(node.children, function(child) return child.path end) })
end

--- The same facts for JSON.
-- @tparam table facts
-- @tparam table args the command's
-- @treturn table
function graph_info.json(facts, args)
  local root = facts.roots[1]
  return records.of("graph", { name = facts.name, path = facts.path, events = array(facts.events),
    variables = array(facts.variables), states = facts.states, transitions = facts.transitions,
    clips = facts.clips, root = root and root.path,
    nodes = array(args.machine and reached(facts.roots) or facts.nodes, node_json) })
end

--- The facts of a character or project for JSON.
-- @param doc
-- @treturn ?table
function graph_info.character_json(doc)
  local facts, problem = read(doc, "character")
  if not facts then return problem and { problem = problem } end
  facts.animations = #facts.animations
  facts.files = array(facts.files, function(member)
    return records.of("character_files", { name = member.name, files = array(member.files) })
  end)
  return records.of("character", facts)
end

return graph_info
