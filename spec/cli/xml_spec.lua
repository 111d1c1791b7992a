-- Havok XML on the command line.

local helper = require "helper"
local lathe = require "lathe"
local sample = require "sample_hkx"
local transcript = dofile "spec/cli/transcript.lua"

describe("lathe with Havok XML", function()
  local folder, env, packfile, text

  before_each(function()
    folder, env = transcript.folder()
    packfile = sample.skeleton { game = "skyrim-le", bones = { "A", "B" } }
    local doc <close> = assert(lathe.parse(packfile))
    text = assert(doc:serialize { as = "xml" })
    assert(os.execute("mkdir " .. helper.quote(folder .. "/in")))
    helper.write(folder .. "/in/a.xml", (text:gsub("\t</hksection>", "\t<!-- mine -->\n%0")))
    helper.write(folder .. "/in/b.hkx", packfile)
    helper.write(folder .. "/in/c.xml", "<other/>")
  end)

  local function says(command, out, err, code)
    local r = helper.run(command, { cwd = folder, env = env })
    assert.same({ out or "", err or "", code or 0 }, { r.out, r.err, r.code }, command)
  end

  local function read(name) return helper.read(folder .. "/" .. name) end

  it("converts packfiles, and back to the same bytes", function()
    says("lathe convert in/b.hkx --to xml -o rig.xml", "in/b.hkx: Skyrim LE -> XML, 4 objects -> rig.xml\n")
    assert.equal(text, read "rig.xml")
    says("lathe convert rig.xml --to skyrim-le -o rig.hkx", "rig.xml: XML -> Skyrim LE, 4 objects -> rig.hkx\n")
    assert.is_true(packfile == read "rig.hkx")
    says("lathe convert rig.xml --to xml -o again.xml 2>/dev/null",
      "rig.xml: unchanged -> again.xml\n  note: nothing to do: no value of the file would change\n")
  end)

  it("finds XML in folders by its content, and gives names that say what files are", function()
    says("lathe convert in --to xml -o out 2>/dev/null",
      "in/a.xml: unchanged\n  note: nothing to do: no value of the file would change\n"
      .. "in/b.hkx: Skyrim LE -> XML, 4 objects -> out/b.xml\n")
    assert.equal(text, read "out/b.xml")
    says("lathe convert in --to skyrim-se -o out 2>/dev/null",
      "in/a.xml: XML -> Skyrim SE, 4 objects -> out/a.hkx\nin/b.hkx: Skyrim LE -> Skyrim SE, 4 objects -> out/b.hkx\n")
    assert.is_true(read "out/a.hkx" == read "out/b.hkx")
    says("lathe convert in/a.xml --to skyrim-se --in-place", "",
      "lathe: in/a.xml: --in-place would leave another file under the name of XML: give -o\n", 1)
    says("lathe convert in/b.hkx --to skyrim-se -o x.xml", "",
      "lathe convert: -o x.xml would be XML, whatever it is converted to: give it another name\n", 2)
  end)

  it("edits XML as XML, tells that comments go, and writes it where a name says so", function()
    says("lathe set in/a.xml objects[3].bones[1].name=Root -o c.xml", "in/a.xml: 1 change -> c.xml\n"
      .. "  note: its comments are not written: the file was changed\n")
    assert.equal((text:gsub(">A<", ">Root<")), read "c.xml")
    says("lathe set in/b.hkx objects[3].bones[1].name=Root -o d.xml", "in/b.hkx: 1 change -> d.xml\n")
    assert.equal(read "c.xml", read "d.xml")
    says("lathe check c.xml in/a.xml", "c.xml: ok\nin/a.xml: ok\n", "2 ok, 0 failed\n")
    says("lathe diff c.xml in/b.hkx | tail -n 1", 'objects[3].bones[1].name: "Root" -> "A"\n')
  end)
end)
