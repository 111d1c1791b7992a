-- The pictures of README.md and of the guides: all there, all shown, all drawn by a command that the page names.
-- #tools: no C is run.

local guides = require "guides"
local helper = require "helper"
local pictures = require "guide_pictures"

-- The pages that show a picture, by its path.
local function shown()
  local pages = {}
  for _, page in ipairs(guides.pages()) do
    for _, path in ipairs(guides.pictures(page)) do
      pages[path] = pages[path] or {}
      table.insert(pages[path], page)
    end
  end
  return pages
end

local function path_of(name) return ("%s/%s.png"):format(pictures.folder, name) end

describe("pictures of the guides #tools", function()
  it("are those that make pictures draws, and no others", function()
    local made = {}
    for _, picture in ipairs(pictures.list) do made[#made + 1] = picture.name .. ".png" end
    table.sort(made)
    assert.same(made, helper.list(pictures.folder, "."))
    for path in pairs(shown()) do
      assert.is_true(helper.exists(helper.root .. "/" .. path), path .. " is shown, but not there")
    end
  end)

  it("are shown, on pages that name the commands", function()
    local pages = shown()
    for _, picture in ipairs(pictures.list) do
      local path = path_of(picture.name)
      assert.truthy(pages[path], "no page shows " .. path)
      for _, page in ipairs(pages[path]) do
        local text = helper.read(page)
        for _, command in ipairs { picture.command, picture.before } do
          assert.truthy(text:find(command .. "\n", 1, true), page .. " does not name: " .. command)
        end
      end
    end
  end)

  it("have the size that their commands say, and are small together", function()
    local total = 0
    for _, picture in ipairs(pictures.list) do
      local bytes = helper.read(path_of(picture.name))
      local width, height = (">I4I4"):unpack(bytes, 17)
      assert.equal(picture.command:match "%-%-size (%S+)", ("%dx%d"):format(width, height))
      total = total + #bytes
    end
    assert.is_true(total < 256 * 1024, total)
  end)
end)
