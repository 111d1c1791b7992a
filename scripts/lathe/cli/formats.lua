--- `lathe formats`: what lathe reads and writes.
-- @module lathe.cli.formats

local core = require "lathe.core"
local out = require "lathe.cli.out"

local formats = {
  name = "formats",
  summary = "List the formats and what can be done with each.",
  examples = { "lathe formats", "lathe formats --json" },
}

--- Adds the options.
-- @param command an argparse command
function formats.options(command)
  command:flag("--json", "One JSON value a line, for other programs.")
end

local function sorted_keys(set)
  local keys = {}
  for key, value in pairs(set) do
    if value then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

local function dotted(extensions)
  local list = {}
  for i, extension in ipairs(extensions) do list[i] = extension:gsub("^%.?", ".") end
  return list
end

local function show_table(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do widths[i] = math.max(widths[i] or 0, #cell) end
  end
  for n, row in ipairs(rows) do
    local cells = {}
    for i, cell in ipairs(row) do cells[i] = cell .. (" "):rep(widths[i] - #cell) end
    local line = table.concat(cells, "  "):gsub("%s+$", "")
    out.line(n == 1 and out.style("bold", line) or line)
  end
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function formats.run(args)
  local rows = { { "format", "files", "games", "can" } }
  for _, format in ipairs(core.formats()) do
    local can = sorted_keys(format.can)
    if args.json then
      out.json({
        name = format.name,
        doc = format.doc,
        extensions = dotted(format.extensions),
        games = format.games,
        can = can,
      }, { "name", "doc", "extensions", "games", "can" })
    else
      rows[#rows + 1] = {
        format.name,
        table.concat(dotted(format.extensions), " "),
        table.concat(format.games, ", "),
        table.concat(can, " "),
      }
    end
  end
  if not args.json then show_table(rows) end
  return 0
end

return formats
