-- Packfiles as Havok XML: all of the corpus, against what was expected of them and against the games' own files.

local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local function corpus() return helper.need_corpus("hkx-behavior", pending) end

-- The files of a folder that end so, with what is expected of each.
local function each(folder, ending, fn)
  local names = helper.list(corpus() .. "/" .. folder, ending .. "$")
  for _, name in ipairs(names) do
    local path = ("%s/%s/%s"):format(corpus(), folder, name)
    local facts = json.decode(helper.read(("%s/expected/%s__%s.json"):format(corpus(), folder, name)))
    fn(path, facts, name)
  end
  return #names
end

local XML <const> = { "xml", "xml-other", "xml-stripped" }
local GAMES <const> = { "skyrim-le", "skyrim-se" }

local function each_xml(fn)
  local n = 0
  for _, folder in ipairs(XML) do
    n = n + each(folder, "%.xml", function(path, facts, name) fn(path, facts, name, folder) end)
  end
  return n
end

-- Objects of a text in their order: name, class, signature.
local function objects_of(text)
  local list = {}
  for tag in text:gmatch "<hkobject ([^>]*signature[^>]*)>" do
    list[#list + 1] = { tag:match 'name="([^"]*)"', tag:match 'class="([^"]*)"',
      ("0x%x"):format(tonumber(tag:match 'signature="([^"]*)"')) }
  end
  return list
end

local function means(doc)
  return assert(doc:serialize { as = "binary" })
end

describe("Havok XML of the corpus", function()
  it("opens, is its own bytes, and keeps names, order, classes and signatures when it is written anew", function()
    local objects = 0
    local files = each_xml(function(path, facts, name)
      local bytes = helper.read(path)
      local doc <close> = assert(lathe.open(path))
      assert.same({ "xml", facts.contentsversion, #facts.objects }, { doc.container,
        doc.contents_version, #doc.objects }, name)
      assert.is_true(bytes == doc:encode(), name)
      assert.is_true((doc:check()))
      local text = assert(doc:serialize())
      assert.same(facts.objects, objects_of(text), name)
      local again <close> = assert(lathe.parse(text))
      assert.is_true(text == assert(again:serialize()), name)
      objects = objects + #doc.objects
    end)
    assert.equal(24, files)
    assert.is_true(objects > 2500)
    helper.count("xml files", "opened", files)
  end)

  it("is the identity through a packfile where Havok's own tools wrote it", function()
    local n = 0
    each("xml", "%.xml", function(path, _, name)
      if name == "handmade_behavior.xml" then return end
      local doc <close> = assert(lathe.open(path))
      local packfile <close> = assert(lathe.parse(means(doc)))
      assert.is_true(helper.read(path) == assert(packfile:serialize { as = "xml" }), name)
      n = n + 1
    end)
    assert.equal(8, n)
  end)

  it("means the same when it comes back from a packfile", function()
    each_xml(function(path, _, name)
      local doc <close> = assert(lathe.open(path))
      local packfile <close> = assert(lathe.parse(means(doc)))
      local made <close> = assert(lathe.new("hkx", doc:totable()))
      assert.is_true(means(doc) == made:encode(), name)
      if name == "fo4_skeleton.xml" then return end -- its text has more than six decimals
      local text <close> = assert(lathe.parse(assert(packfile:serialize { as = "xml" })))
      assert.is_true(means(doc) == means(text), name)
    end)
  end)
end)

-- How many words of two files differ: floats that are near, or that XML does not say, which are 0 then.
local function lost(a, b, name)
  assert.equal(#a, #b, name)
  local n = 0
  for at = 1, #a - 3, 4 do
    if a:sub(at, at + 3) ~= b:sub(at, at + 3) then
      local was, is = string.unpack("<f", a, at), string.unpack("<f", b, at)
      assert.is_true(is == 0 or math.abs(was - is) <= 1e-6 * math.max(1, math.abs(was)), name)
      n = n + 1
    end
  end
  return n
end

describe("packfiles of the corpus as XML", function()
  it("are the text that was expected, name for name", function()
    local folder, n, sums = helper.tmpdir(), 0, {}
    for _, game in ipairs(GAMES) do
      n = n + each(game, "%.hkx", function(path, facts)
        local doc <close> = assert(lathe.open(path))
        local text = assert(doc:serialize { as = "xml" })
        local to = ("%s/%d.xml"):format(folder, #sums + 1)
        helper.write(to, text)
        sums[#sums + 1] = facts.xml.sha256 .. "  " .. to
        local again <close> = assert(lathe.parse(text))
        assert.is_true(text == assert(again:serialize()))
      end)
    end
    helper.write(folder .. "/sums", table.concat(sums, "\n") .. "\n")
    local result = helper.run("sha256sum --check --quiet sums", { cwd = folder })
    assert.same({ 28, 0, "" }, { n, result.code, result.out })
    helper.count("xml files", "written", n)
  end)

  it("come back from it to the byte but for what XML does not say, which converting counts", function()
    local decimals, lanes = " numbers with more than six decimals", " fourth lanes that are not 0"
    local losing = {
      ["skyrim-le/horsebehavior.hkx"] = { "20" .. decimals }, ["skyrim-se/horsebehavior.hkx"] = { "20" .. decimals },
      ["skyrim-le/wisp_skeleton.hkx"] = { "69" .. lanes },
      ["skyrim-se/wisp_skeleton.hkx"] = { "1652" .. decimals, "285" .. lanes },
    }
    for _, game in ipairs(GAMES) do
      each(game, "%.hkx", function(path, _, name)
        local doc <close> = assert(lathe.open(path))
        local told, n = {}, 0
        for i, entry in ipairs(assert(doc:convert "xml").skipped) do
          told[i], n = entry.reason, n + tonumber(entry.reason:match "^%d+")
        end
        assert.same(losing[game .. "/" .. name] or {}, told, name)
        local text <close> = assert(lathe.parse(assert(doc:encode())))
        assert.equal(n, lost(helper.read(path), assert(text:serialize { game = game }), name))
      end)
    end
  end)

  it("of both games are the files that the text of either becomes", function()
    for _, name in ipairs { "bashbehavior", "shout_behavior", "sprintbehavior", "staggerbehavior", "weapequip",
      "1st_idlebehavior", "defaultmale_project" } do
      local doc <close> = assert(lathe.open(("%s/xml/%s.xml"):format(corpus(), name)))
      for _, game in ipairs(GAMES) do
        assert.is_true(helper.read(("%s/%s/%s.hkx"):format(corpus(), game, name))
          == assert(doc:serialize { game = game }), name)
      end
    end
  end)

  it("of Fallout 4 come back, too", function()
    each("fo4", "%.hkx", function(path, _, name)
      local doc <close> = assert(lathe.open(path))
      local text <close> = assert(lathe.parse(assert(doc:serialize { as = "xml" })))
      assert.same({ "Fallout 4", "xml" }, { text.game, text.container })
      assert.same(doc.objects:totable(), text.objects:totable(), name) -- headers have other predicates
    end)
  end)
end)
