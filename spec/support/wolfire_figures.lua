--- What the specs of Wolfire's corpus share: its figures, and the malformed files.
-- `raw` figures are what a file stores, `engine` what the game's own loader made of it.

local assert = require "luassert"
local checks = require "format_checks"
local helper = require "helper"
local json = require "dkjson"
local lathe = require "lathe"

local figures = {}

--- The figures of a file: "raw", "engine" or "samples".
function figures.read(folder, name, kind)
  return assert(json.decode(helper.read(("%s/expected/%s.%s.json"):format(folder, name, kind)), 1, nil))
end

--- Whether there are such figures.
function figures.exist(folder, name, kind)
  return helper.exists(("%s/expected/%s.%s.json"):format(folder, name, kind))
end

--- The figures have f32 in 9 digits: the same bits once they are f32 again.
function figures.f32(value)
  if type(value) == "string" then
    value = assert(({ nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge })[value])
  end
  return (string.unpack("<f", string.pack("<f", value)))
end

--- Asserts the same bits; but the figures write -0 so that it reads as the integer 0.
function figures.exactly(list, vector)
  assert.equal(#list, #vector)
  for i, v in ipairs(list) do
    local want, got = figures.f32(v), vector[i]
    if string.pack("<d", want) ~= string.pack("<d", got) and not (want == 0 and got == 0) and
        not (want ~= want and got ~= got) then
      assert.equal(want, got)
    end
  end
end

--- The bytes of a text of the figures, which map each byte to the character of its number.
function figures.bytes(text)
  return (text:gsub("[\xC2\xC3][\x80-\xBF]", function(c) return string.char(utf8.codepoint(c)) end))
end

--- Raises where numbers are not equal but for rounding.
function figures.near(expected, got, label)
  for i, v in ipairs(expected) do
    local limit = 1e-5 * math.max(1, math.abs(v))
    local off = math.abs(v - got[i])
    if off ~= off or off > limit then
      error(("%s: %.9g instead of %.9g"):format(label, got[i], v))
    end
  end
end

--- Calls test(doc, name, folder) for each file of a folder of the corpus. Inside an `it`, whose `pending` it
-- is given.
function figures.each(pending, folder, extension, test)
  local path = helper.need_corpus(folder, pending)
  local names = helper.list(path, "%." .. extension .. "$")
  assert(#names > 0, folder .. " is empty")
  for _, name in ipairs(names) do
    local doc <close> = assert(lathe.open(path .. "/" .. name))
    local ok, err = pcall(test, doc, name, path)
    if not ok then error(name .. ": " .. tostring(err), 0) end
  end
end

--- A test for figures.each: the file is kept to the byte, and nothing is wrong with it.
function figures.keeps(doc, name, path)
  local file = helper.read(path .. "/" .. name)
  assert.equal(file, doc:encode())
  checks.round_trip(doc.format, file)
  assert.is_true(doc:check())
end

local function refused(path, says, doc, err)
  assert.is_nil(doc)
  assert.equal(path .. ": " .. says, tostring(err))
  assert.same({ path, "integer" }, { err.path, math.type(err.offset) })
end

local function kept(path, says, doc)
  assert.equal(helper.read(path), doc:encode())
  local fine, list = doc:check()
  local texts, broken = {}, false
  for i, finding in ipairs(list) do
    broken = broken or finding.level == "error"
    texts[i] = finding.level .. " " .. tostring(finding):sub(#path + 3)
  end
  assert.same(says, texts)
  assert.equal(not broken or nil, fine)
end

local function are_all_there(pending, mine, says)
  local folder = helper.need_corpus("wolfire/bad", pending)
  for name, entry in pairs(assert(json.decode(helper.read(folder .. "/bad.json")))) do
    if mine[name:match("%.(%w+)$")] then
      local text, should = says[name], entry.reader_should
      assert(text, name .. " is not tested")
      if should:find("^error:") and not should:find("better:") then -- by opening, or by check()
        assert(type(text) == "string" or text[1]:find("^error "), name)
      end
      if should:find("^read") then assert.equal("table", type(text), name) end
      if should:find("warn") then assert(type(text) == "table" and #text > 0, name) end
    end
  end
end

local function is_as_it_should(pending, name, text)
  local path = helper.need_corpus("wolfire/bad", pending) .. "/" .. name
  local doc, err = lathe.open(path)
  if type(text) == "string" then
    refused(path, text, doc, err)
  else
    kept(path, text, assert(doc, err))
    doc:close()
  end
  helper.count("bad", name)
end

--- The tests of the malformed files of these extensions: a list of { title =, run = function(pending) }.
-- `says` has what lathe says of each: the error, or the list of check()'s findings for those that open.
function figures.bad_files(extensions, says)
  local mine, cases = {}, {}
  for _, extension in ipairs(extensions) do mine[extension] = true end
  cases[1] = {
    title = "are all there, with what a reader should say",
    run = function(pending) are_all_there(pending, mine, says) end,
  }
  for name, text in pairs(says) do
    cases[#cases + 1] = {
      title = name .. (type(text) == "table" and " opens and is kept" or " is refused by name"),
      run = function(pending) is_as_it_should(pending, name, text) end,
    }
  end
  return cases
end

return figures
