-- What loading the library costs does not grow with the rows of its schemas. #tools: readelf, of a build for Linux.

local helper = require "helper"
local library_size = require "library_size"

local path = helper.build .. "/liblathe.so"

describe("the library #tools", function()
  it("has no relocation for a row, and nothing that is written", function()
    local bytes = library_size.sections(path)
    if not bytes[".rodata"] then return pending("no readelf, or no library of ELF") end
    local rows, types, relocations = 0, 0, library_size.relocations(path)
    for _, header in ipairs(helper.list(helper.build .. "/gen", "_types%.h$")) do
      local text = helper.read(helper.build .. "/gen/" .. header)
      rows = rows + (tonumber(text:match("rec_field rows%[(%d+)%];")) or 0)
      types = types + (tonumber(text:match("rec_type types%[(%d+)%];")) or 0)
    end
    assert.is_true(rows > 2000 and types > 400, rows .. " rows, " .. types .. " types")
    -- 6,300 are of functions, lists and names of values; a word of every row would be thousands more.
    assert.is_true(relocations < 7000, relocations .. " relocations")
  end)
end)
