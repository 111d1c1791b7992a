-- Arrays with keys: lookups, writes, what is repeated, names in place of lists, paths. And parts that
-- begin with a field which comes and goes. Runs on the made-up formats.

local lathe = require "lathe.core"
local outcome = require "outcome"

local raises = outcome.raises

local function s1(text) return string.pack("<s1", text) end
local function s2(text) return string.pack("<s2", text) end

local function pairs_of(list)
  local out = { string.pack("<I2", #list) }
  for i, pair in ipairs(list) do out[i + 1] = s2(pair[1]) .. s2(pair[2]) end
  return table.concat(out)
end

local BYTES = "KEYS\2" .. "\2\0" .. "\1" .. s1 "red" .. "\7\0" .. "\2" .. s1 "append" .. "\8\0" .. "\2\0"
  .. s1 "a note" .. s2 "one" .. "\1\0\0\0"
  .. pairs_of { { "a", "1" }, { "", "empty" }, { "b", "2" }, { "a", "3" }, { "totable", "t" }, { 'q"\0\\', "odd" } }
  .. "\3\0" .. s2 "x" .. "\2\0" .. s2 "1" .. s2 "2" .. s2 "y" .. "\0\0" .. s2 "x" .. "\1\0" .. s2 "3"
  .. "\3" .. "\5\0\0\0n\0" .. "\xff\xff\xff\xffm\0" .. "\6\0\0\0n\0"
  .. s1 "" .. s2 "two" .. "\2\0\0\0" .. "\0\0" .. "\0\0" .. "\0"

local function parse(bytes)
  return assert(lathe.parse(bytes or BYTES, { history = 50 }))
end

describe("a key", function()
  it("finds an element, or a value of it", function()
    local doc = parse()
    local values, numbers = doc.groups.one.values, doc.groups["one"].numbers
    assert.equal("2", values.b)
    assert.equal("empty", values[""])
    assert.equal("odd", values['q"\0\\'])
    assert.equal(-1, numbers.m)
    assert.equal(2, doc.groups.two.id)
    assert.equal(7, doc.tags.red.bits)
    assert.equal("groups[1].values", lathe.path(values))
    assert.equal("groups[2]", lathe.path(doc.groups.two))
    assert.is_true(doc.groups[1] == doc.groups.one)
  end)

  it("gives nil where it is missing, also where a method has the name", function()
    local doc = parse()
    local values = doc.groups[1].values
    for _, name in ipairs { "c", "append", "insert", "remove", "resize", "assign", "pack", "tobuffer", "q" } do
      assert.is_nil(values[name])
    end
    assert.equal("t", values.totable)
    assert.equal(8, doc.tags.append.bits)
    assert.is_nil(doc.tags.totable)
    raises("attempt to call a nil value", function() values:append {} end)
    raises("elements are numbered with integers", function() values[1.5] = "x" end)
    raises("no method 'true' of arrays", function() return values[true] end)
  end)

  it("leaves numbers, lengths and loops as they are", function()
    local values = parse().groups[1].values
    assert.equal(6, #values)
    assert.equal("3", values[4].value)
    assert.is_nil(values[7])
    local keys = {}
    for i, v in ipairs(values) do keys[i] = v.key end
    for i, v in pairs(values) do assert.equal(keys[i], v.key) end
    assert.same({ "a", "", "b", "a", "totable", 'q"\0\\' }, keys)
    assert.equal("array", lathe.type(values))
  end)

  it("counts the last, the first, or all of what is repeated", function()
    local group = parse().groups[1]
    assert.equal("3", group.values.a)
    assert.equal(5, group.numbers.n)
    assert.same({ "1", "2", "3" }, group.lists.x)
    assert.equal("groups[1].lists[2].texts", lathe.path(group.lists.y))
    assert.equal(0, #group.lists.y)
    assert.is_nil(group.lists.z)
  end)

  it("has the functions of the module in place of methods", function()
    local values = parse().groups[2].values
    lathe.append(values, { key = "k", value = "v" })
    lathe.insert(values, 1, { key = "append", value = "w" })
    assert.same({ { key = "append", value = "w" }, { key = "k", value = "v" } }, lathe.totable(values))
    assert.same({ key = "append", value = "w" }, lathe.remove(values, 1))
    lathe.resize(values, 3)
    assert.equal("", values[""])
    lathe.assign(values, { { key = "1", value = "2" } })
    assert.equal("2", values["1"])
    raises("", lathe.pack, values)
    raises("", lathe.tobuffer, values, "key")
  end)
end)

describe("writing by key", function()
  it("sets what counts and nothing else", function()
    local doc = parse()
    local group = doc.groups.one
    local a, last = group.values[1], group.values[6]
    group.values.a = "three"
    assert.equal("1", a.value)
    assert.equal("three", group.values[4].value)
    assert.equal("odd", last.value)
    group.numbers.n = -7
    assert.same({ -7, -1, 6 }, { group.numbers[1].number, group.numbers[2].number, group.numbers[3].number })
    assert.is_true(doc:undo(2))
    assert.equal(BYTES, doc:encode())
  end)

  it("appends a new key, whatever its bytes", function()
    local doc = parse()
    local values = doc.groups.two.values
    for _, key in ipairs { "new", "append", "", "\0", "a\0b", '"', "ü", "\xff" } do
      local n = #values
      values[key] = "v" .. key
      assert.equal("v" .. key, values[key])
      assert.equal(n + 1, #values)
      assert.equal(key, values[n + 1].key)
    end
    assert.equal(8, doc.groups[2].value_count)
    local again = parse((doc:encode()))
    assert.equal("va\0b", again.groups.two.values["a\0b"])
    assert.is_true(doc:undo(8))
    assert.equal(BYTES, doc:encode())
  end)

  it("removes all that have the key", function()
    local doc = parse()
    local values = doc.groups.one.values
    local b = values[3]
    values.a = nil
    assert.is_nil(values.a)
    assert.equal(4, #values)
    assert.equal("2", b.value)
    assert.equal("groups[1].values[2]", lathe.path(b))
    values.a = nil
    doc:undo()
    assert.equal(BYTES, doc:encode())
    doc:redo()
    values[""] = nil
    assert.is_nil(values[""])
    raises("key_value was removed", function()
      local gone = values.b and values[1]
      values[gone.key] = nil
      return gone.key
    end)
  end)

  it("is one step, which changes nothing where it fails", function()
    local doc = parse()
    local group = doc.groups.one
    raises("groups[1].values[7].value: a string expected", function() group.values.new = 5 end)
    raises("70000 bytes of text, more than the limit of 65535", function() group.values[("k"):rep(70000)] = "v" end)
    raises("70000 bytes of text", function() group.values.new = ("v"):rep(70000) end)
    raises("text that contains its terminator, the byte 0x00", function() group.numbers["a\0b"] = 1 end)
    raises("1099511627776 is not in", function() group.numbers.new = 1 << 40 end)
    assert.equal(BYTES, doc:encode())
    assert.is_false(doc.modified)
    group.values.b = "2"
    assert.is_false(doc.modified)
  end)

  it("is refused past what the count holds", function()
    local doc = parse()
    local numbers = doc.groups.two.numbers
    doc:edit(function() for i = 1, 255 do numbers["n" .. i] = i end end)
    raises("256 is not in 0 .. 255", function() numbers.n256 = 256 end)
    raises("number_count at 0x", function() numbers.n256 = 256 end)
    assert.equal(255, #numbers)
    numbers.n255 = 0
    numbers.n1 = nil
    numbers.n256 = 256
    assert.equal(256, numbers.n256)
  end)

  it("is refused while a merged key is repeated", function()
    local doc = parse()
    local lists = doc.groups.one.lists
    raises('groups[1].lists at 0x60: the key "x" is there 2 times, and read merged', function() lists.x = { "4" } end)
    assert.equal(BYTES, doc:encode())
    lists.y = { "5", "6" }
    assert.same({ "5", "6" }, lists.y:totable())
    lists.y:append "7"
    assert.equal("7", doc.groups.one.lists.y[3])
    lists[3].texts = { "8" }
    assert.same({ "1", "2", "8" }, lists.x)
    lists.x = nil
    lists.x = { "9" }
    assert.same({ "9" }, lists.x:totable())
    lists.z = lists.x
    assert.equal("9", lists.z[1])
    lists.x = {}
    assert.equal(0, #lists.x)
  end)

  it("takes whole elements", function()
    local doc = parse()
    doc.tags.blue = { flag = 3 }
    assert.same({ flag = 3, name = "blue", bits = 7 }, doc.tags[3]:totable())
    doc.tags.red = { bits = 1 }
    assert.same({ flag = 1, name = "red", bits = 1 }, doc.tags[1]:totable())
    doc.tags.pink = doc.tags.red
    assert.same({ flag = 1, name = "pink", bits = 1 }, doc.tags[4]:totable())
    doc.tags.red = { name = "other" } -- the key is what it is put under
    assert.equal("red", doc.tags[1].name)
    doc.tags.append = nil
    assert.equal(3, doc.tag_count)
  end)

  it("makes and removes parts", function()
    local doc = parse()
    local two = doc.groups.two
    doc.groups.three = { id = 3, values = { { key = "k", value = "v" } } }
    assert.equal("v", doc.groups.three.values.k)
    assert.equal("three", doc.groups[3].name)
    doc.groups.copy = doc.groups.one
    assert.equal("3", doc.groups.copy.values.a)
    doc.groups.three = { values = { k = "w" } }
    assert.same({ 3, "w" }, { doc.groups.three.id, doc.groups.three.values.k })
    doc.groups.one = nil
    assert.equal("groups[1]", lathe.path(two))
    assert.equal(3, doc.group_count)
    assert.equal(doc:encode(), lathe.new("keys", doc:totable()):encode())
    doc:undo(4)
    assert.equal(BYTES, doc:encode())
  end)
end)

describe("names in place of a list", function()
  it("are sorted by their bytes", function()
    local doc = assert(lathe.new("keys", {
      tags = { red = { bits = 1 }, blue = {} },
      groups = {
        b = { values = { y = "2", x = "1", Z = "0", [""] = "e" }, lists = { l = { "1", "2" }, k = {} } },
        a = { id = 5, numbers = { n = -1 }, values = {} },
      },
    }))
    assert.same({ { flag = 0, name = "blue", bits = 7 }, { flag = 0, name = "red", bits = 1 } }, lathe.totable(doc.tags))
    assert.same({ "a", "b" }, { doc.groups[1].name, doc.groups[2].name })
    assert.same({ { key = "", value = "e" }, { key = "Z", value = "0" }, { key = "x", value = "1" },
      { key = "y", value = "2" } }, lathe.totable(doc.groups.b.values))
    assert.same({ { key = "k", count = 0, texts = {} }, { key = "l", count = 2, texts = { "1", "2" } } },
      lathe.totable(doc.groups.b.lists))
    assert.equal(-1, doc.groups.a.numbers.n)
    assert.equal(doc:encode(), lathe.new("keys", doc:totable()):encode())
  end)

  it("replace an array", function()
    local doc = parse()
    doc.groups.one.values = { b = "9", a = "8" }
    assert.same({ { key = "a", value = "8" }, { key = "b", value = "9" } }, lathe.totable(doc.groups.one.values))
    lathe.assign(doc.groups.one.numbers, { z = 1 })
    assert.equal(1, doc.groups.one.numbers.z)
    doc.groups = { solo = { values = { k = "v" } }, copy = doc.groups.two }
    assert.same({ "copy", "solo" }, { doc.groups[1].name, doc.groups[2].name })
    assert.equal(2, doc.groups.copy.id)
    assert.equal("v", doc.groups.solo.values.k)
    doc:undo(3)
    assert.equal(BYTES, doc:encode())
  end)

  it("are refused where they are wrong", function()
    local function fails(message, fields)
      local doc, err = lathe.new("keys", fields)
      assert.is_nil(doc)
      assert.matches(message, tostring(err), 1, true)
    end
    fails("groups[1].values[1].value", { groups = { a = { values = { k = 5 } } } })
    fails("not a mix", { groups = { a = { values = { { key = "x" }, y = "2" } } } })
    fails("a key that contains a zero byte can only be given in a list",
      { groups = { a = { values = { ["x\0y"] = "1" } } } })
    fails("a key that contains a zero byte", { groups = { a = { values = { x = "2", ["x\0y"] = "1" } } } })
    fails('key_group expected for "a"', { groups = { a = 5 } })
    fails("no field 'valus' in key_group; did you mean 'values'?", { groups = { a = { valus = {} } } })
    fails("no field 'bit' in key_tag; did you mean 'bits'?", { tags = { a = { bit = 1 } } })
    fails("no field 'vale' in key_value", { groups = { a = { values = { { vale = "x" } } } } })
    fails("does not agree", { groups = { a = { value_count = 3, values = { x = "y" } } } })
    local many = {}
    for i = 1, 256 do many["n" .. i] = i end
    fails("number_count at 0x", { groups = { a = { numbers = many } } })
  end)
end)

describe("a path with keys", function()
  it("finds and sets", function()
    local doc = parse()
    assert.equal("2", doc:get 'groups["one"].values["b"]')
    assert.equal("2", doc:get "groups['one'].values.b")
    assert.equal("empty", doc:get [==[groups[1].values[""]]==])
    assert.equal("odd", doc:get [==[groups[1].values["q\"\0\\"]]==])
    assert.equal("odd", doc:get [==[groups[1].values['q"\x00\92']]==])
    assert.same({ "1", "2", "3" }, doc:get 'groups.one.lists["x"]')
    assert.is_nil((doc:get 'groups["none"]'))
    assert.is_nil((doc:get 'groups.one.values["none"]'))
    assert.equal("x]y", assert(doc:set('groups[1].values["a.b[c]"]', "x]y")))
    assert.equal("x]y", doc.groups[1].values["a.b[c]"])
    assert.equal(4, doc:set("groups.two.numbers.four", 4))
    assert.is_true(doc:set('groups.two.numbers["four"]', nil))
    assert.is_nil(doc.groups.two.numbers.four)
    assert.equal(9, assert(doc:set('tags["red"].bits', 9)))
    assert.equal("array", lathe.type(assert(doc:set('groups["two"].lists["n"]', { "1" }))))
  end)

  it("says what is wrong with it", function()
    local doc = parse()
    local function fails(message, path, ...)
      local value, err
      if select("#", ...) > 0 then value, err = doc:set(path, ...) else value, err = doc:get(path) end
      assert.is_nil(value)
      assert.matches(message, tostring(err), 1, true)
    end
    fails([[no field or element after 'groups["none"]']], 'groups["none"].values')
    fails("is not a path", 'groups["one')
    fails("is not a path", 'groups["one"')
    fails("is not a path", 'groups["one"]x')
    fails("is not a path", [==[groups["\q"]]==])
    fails("is not a path", [==[groups["\300"]]==])
    fails("is not a path to a field or element", 'groups["one', 1)
    fails("is not a path to a field or element", [==[groups["\x1"]]==], 1)
    fails("no array with keys", 'groups[1]["x"]')
    fails("texts: no array with keys", 'groups[1].lists[1].texts["x"]')
    fails("texts: no array with keys", 'groups[1].lists[1].texts["x"]', "y")
    fails("is there 2 times", 'groups[1].lists["x"][1]')
    fails("is there 2 times", 'groups[1].lists["x"]', { "1" })
    assert.equal(BYTES, doc:encode())
  end)
end)

describe("keyed arrays", function()
  it("are described", function()
    local rows = {}
    for _, row in ipairs(lathe.describe("key_group")) do rows[row.name] = row end
    assert.same({ "key", "value" }, { rows.values.key, rows.values.value })
    assert.same({ "key", "texts" }, { rows.lists.key, rows.lists.value })
    assert.is_nil(rows.id.key)
    local row = lathe.describe(parse().groups)[1]
    assert.same({ "name" }, { row.key, row.value })
  end)
end)

describe("a part that begins with what comes and goes", function()
  it("keeps its views", function()
    local doc = parse()
    doc.groups[1].lists = {}
    local before = doc:encode()
    local one, values, a, two = doc.groups.one, doc.groups.one.values, doc.groups.one.values[1], doc.groups.two
    local report = assert(doc:set_version { version = 1 })
    assert.equal("groups[1].note", report.skipped[1].path)
    assert.same({ nil, "one", 1, 6, "1", "two" }, { one.note, one.name, one.id, #values, a.value, two.name })
    assert.equal("groups[1].values[1]", lathe.path(a))
    assert.equal(doc:encode(), parse((doc:encode())):encode())
    assert.same({ 26, 2 + 3 }, { select(1, lathe.span(one, "name")), select(2, lathe.span(one, "name")) })
    one.name = "a longer name"
    assert.equal("a longer name", doc.groups[1].name)
    assert.equal("1", a.value)
    assert.equal(one, doc.groups["a longer name"])
    assert(doc:set_version { version = 2 })
    assert.same({ "", "a longer name", "1", 2 }, { one.note, one.name, a.value, two.id })
    one.note = "new"
    assert.equal("a longer name", one.name)
    assert.equal(doc:encode(), parse((doc:encode())):encode())
    doc:undo(4)
    assert.equal(before, doc:encode())
    assert.same({ "a note", "one", "1", "groups[1]" }, { one.note, one.name, a.value, lathe.path(one) })
    doc:redo(4)
    assert.same({ "new", "a longer name", "1" }, { one.note, one.name, a.value })
  end)

  it("is new in either version", function()
    for version = 1, 2 do
      local doc = assert(lathe.new("keys", { version = version, groups = { g = { id = 4 } } }))
      assert.same({ 4, version == 2 and "" or nil }, { doc.groups.g.id, doc.groups.g.note })
      assert.equal(doc:encode(), lathe.new("keys", doc:totable()):encode())
    end
  end)
end)

describe("a prompt", function()
  it("offers keys", function()
    local complete = require "lathe.repl.complete"
    local doc = parse()
    local env = { doc = doc }
    local function words(line)
      local from = line:match ".*[ (='\"{>]()" or 1
      return complete.words(line, from, #line, env)
    end
    assert.same({ 'one"]', 'two"]' }, words 'doc.groups["')
    assert.same({ "two']" }, words "x = doc.groups['t")
    assert.same({ 'groups.one.values["totable"]' }, complete.words('doc.groups.one.values["to', 5, 25, env))
    assert.same({ '"]', 'a"]', 'b"]', 'q\\"\\x00\\\\"]', 'totable"]' }, words 'doc.groups["one"].values["')
    assert.same({ "doc.groups.one", "doc.groups.two" }, words "doc.groups.")
    assert.same({ "doc.groups.one.values.a", "doc.groups.one.values.b", "doc.groups.one.values.totable" },
      words "doc.groups.one.values.")
    assert.same({ 'x"]' }, words 'doc.groups.one.lists["x')
    assert.same({}, words 'doc.groups[1].lists[1].texts["')
    assert.same({}, words 'none["')
    assert.same({}, words "doc.groups:")
    doc.groups = { ["a b"] = {}, ["c.d"] = {}, ["e]f[g"] = {}, ['h"i'] = {}, ["j'k"] = {}, ["l\\m"] = {} }
    for _, key in ipairs { "a b", "c.d", "e]f[g", 'h\\"i', "j'k", "l\\\\m" } do
      for stop = 1, #key do
        local line = 'x = doc.groups["' .. key:sub(1, stop)
        if key:sub(stop, stop) ~= "\\" then
          assert.same({ line .. key:sub(stop + 1) .. '"]' }, complete.words(line, 1, #line, env))
        end
      end
      local line = 'doc.groups["' .. key .. '"].i'
      assert.same({ line .. "d" }, complete.words(line, 1, #line, env))
    end
    assert.same({ "doc.groups['j\\'k']" }, complete.words("doc.groups['j", 1, 13, env))
    assert.same({ "doc.groups['h\"i']" }, complete.words("doc.groups['h", 1, 13, env))
  end)
end)

describe("the command line", function()
  it("knows what a key stands for", function()
    local schema = require "lathe.tree.schema"
    local literal = require "lathe.cli.verbs.literal"
    local doc, cache = parse(), schema.new()
    local function row(path)
      local value, found = cache:locate(doc, path)
      return value, found and found.name
    end
    assert.same({ "2", "value" }, { row 'groups["one"].values["b"]' })
    assert.same({ "2", "value" }, { row "groups.one.values.b" })
    assert.same({ "2", "value" }, { row "groups.one.values[3].value" })
    assert.same({ 5, "number" }, { row 'groups["one"].numbers["n"]' })
    assert.same({ nil, "value" }, { row 'groups.one.values["new.x[1]"]' })
    assert.same({ 2, "id" }, { row 'groups["two"].id' })
    assert.same({ 7, "bits" }, { row 'tags["red"].bits' })
    assert.equal("groups", select(2, row 'groups["one"]'))
    assert.equal("texts", select(2, row 'groups["one"].lists["y"]'))
    local function read(source, path)
      local value, found, keyed = cache:locate(doc, path)
      assert.is_true(keyed)
      return literal.read(source, value, found, cache)
    end
    assert.equal("12", read("12", "groups.one.values.new"))
    assert.equal(12, read("12", "groups.one.numbers.new"))
    assert.same({ "1", "2" }, read('{"1", 2}', "groups.one.lists.new"))
    assert.same({ id = 3 }, read("{id = 3}", "groups.new"))
    assert.same({ id = 3, values = { x = "5", y = "z" }, lists = { l = { "a", "b" } } },
      read("{id = 3, values = {x = 5, y = z}, lists = {l = {a, b}}}", "groups.new"))
  end)
end)
