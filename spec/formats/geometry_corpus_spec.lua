-- Every geometry file of the corpus, in both forms, against its figures and a reader in plain Lua. #corpus: pending, loudly,
-- where there is none.

local crc32 = require "crc32"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"
local reader = require "geometry_reader"

local FORMS = { "csg", "psg" }

local function each(pending, run)
  local folder = helper.need_corpus("precombined", pending)
  local names = helper.list(folder, "Geometry%.json$")
  assert.is_true(#names > 0)
  for _, name in ipairs(names) do
    local base = folder .. "/" .. name:gsub("%.json$", "")
    run(base, assert(json.decode(helper.read(base .. ".json"))))
  end
end

describe("geometry files of the corpus #corpus", function()
  it("have the figures that were given for them", function()
    each(pending, function(base, figures)
      for _, form in ipairs(FORMS) do
        local path = base .. "." .. form
        local doc <close> = assert(lathe.open(path))
        assert.same({ form, figures[form .. "_bytes"], figures.stream_bytes, tonumber(figures.hash) },
          { doc.form, doc.size, doc.stream_size, doc.hash })
        local rows, pieces = {}, {}
        for i, row in ipairs(doc.rows) do
          rows[i] = { row.data_offset, row.vertex_desc, row.num_vertices, row.num_indices }
          pieces[i] = row.data
          assert.same({ row.num_vertices, row.num_indices }, { row.positions.rows, row.triangles.rows * 3 })
        end
        assert.same(figures.rows, rows)
        assert.equal(figures.stream_crc32, crc32.zlib(table.concat(pieces)))
        assert.equal(form == "csg" and figures.chunks or 0, doc.chunks and #doc.chunks or 0)
        helper.count("geometry", path)
      end
    end)
  end)

  it("come back byte for byte, also from their tables and in the other form", function()
    each(pending, function(base)
      local bytes = {}
      for _, form in ipairs(FORMS) do bytes[form] = helper.read(base .. "." .. form) end
      for i, form in ipairs(FORMS) do
        local doc <close> = assert(lathe.open(base .. "." .. form))
        assert.is_true(doc:encode() == bytes[form])
        local built <close> = assert(lathe.new("geometry", doc:totable()))
        assert.is_true(built:encode() == bytes[form])
        local fine, list = doc:check()
        assert(fine and #list == 0, tostring(list and list[1]))
        assert(doc:convert { to = FORMS[3 - i] })
        assert.is_true(doc:encode() == bytes[FORMS[3 - i]])
      end
    end)
  end)

  it("hold what a reader in plain Lua finds", function()
    each(pending, function(base)
      local file = reader.read(helper.read(base .. ".csg"))
      local doc <close> = assert(lathe.open(base .. ".psg"))
      assert.equal(#file.rows, #doc.rows)
      for i, row in ipairs(doc.rows) do assert.is_true(reader.data(file, i) == row.data, "row " .. i) end
    end)
  end)
end)
