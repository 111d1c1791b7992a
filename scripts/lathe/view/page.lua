--- Puts a page together: the template, the viewer's script and style, and data that no content of a file can
-- escape from.
-- @module lathe.view.page

local core = require "lathe.core"
local base64 = require "lathe.tree.base64"
local errors = require "lathe.errors"
local paths = require "lathe.paths"

local page = {}

local FILES <const> = { template = "page.html", script = "viewer.js", style = "viewer.css" }

-- The folder of this module.
local function here()
  return paths.folder((debug.getinfo(1, "S").source:gsub("^@", "")))
end

-- Where the viewer may be: beside the installed modules, or in the build folder of the tree.
local function folders()
  local list = {}
  local module = paths.folder(here())
  list[1] = paths.join(module, "viewer")
  local library = package.searchpath("lathe.core", package.cpath)
  if library then list[2] = paths.join(paths.folder(paths.folder(library)), "viewer") end
  list[#list + 1] = paths.join(paths.folder(paths.folder(module)), "build/viewer")
  return list
end

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read "a"
  file:close()
  return bytes
end

--- The parts of the viewer.
-- @treturn ?table `template`, `script`, `style`
-- @return the error
function page.viewer()
  for _, folder in ipairs(folders()) do
    local found = {}
    for name, file in pairs(FILES) do found[name] = read(paths.join(folder, file)) end
    if found.template and found.script and found.style then return found end
  end
  return nil, errors.new("unsupported", "this lathe was built without the viewer: `make viewer` builds it "
    .. "(it needs npm), and releases have it")
end

-- Characters that end an element or a script, or change how text runs.
local UNSAFE <const> = {
  ["<"] = "\\u003c", [">"] = "\\u003e", ["&"] = "\\u0026",
}

local function escape_wide(char)
  local code = utf8.codepoint(char)
  if code < 0x10000 then return ("\\u%04x"):format(code) end
  code = code - 0x10000
  return ("\\u%04x\\u%04x"):format(0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff))
end

--- JSON in ASCII that is safe inside a script element.
-- @tparam table value
-- @treturn string
function page.json(value)
  local json = require("dkjson").encode(value)
  return (json:gsub("[<>&]", UNSAFE):gsub("[\xc2-\xf4][\x80-\xbf]+", escape_wide))
end

--- Text in HTML.
-- @tparam string value
-- @treturn string
function page.html(value)
  local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
  return (value:gsub("[&<>\"']", entities))
end

-- The source of a Content-Security-Policy for a text: its hash.
local function source_of(content)
  local bytes = core.sha256(content):gsub("%x%x", function(hex) return string.char(tonumber(hex, 16)) end)
  return ("'sha256-%s'"):format(base64.encode(bytes))
end

local function policy_of(viewer)
  return table.concat({
    "default-src 'none'", "script-src " .. source_of(viewer.script), "style-src " .. source_of(viewer.style),
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  }, "; ")
end

--- Fills the template.
-- @tparam table viewer from `page.viewer`
-- @tparam string title
-- @tparam table data what the script reads
-- @tparam {[string]=string,...} blocks bytes by the names of their elements
-- @treturn string
function page.fill(viewer, title, data, blocks)
  local parts, names = {}, {}
  for name in pairs(blocks) do names[#names + 1] = name end
  table.sort(names)
  parts[1] = ('<script type="application/json" id="lathe-data">%s</script>'):format(page.json(data))
  for i, name in ipairs(names) do
    parts[i + 1] = ('<script type="text/plain" id="%s">%s</script>'):format(name, base64.encode(blocks[name]))
  end
  local values = {
    POLICY = policy_of(viewer), VERSION = core.VERSION, TITLE = page.html(title), STYLE = viewer.style,
    DATA = table.concat(parts, "\n"), SCRIPT = viewer.script,
  }
  return (viewer.template:gsub("@(%u+)@", values))
end

return page
