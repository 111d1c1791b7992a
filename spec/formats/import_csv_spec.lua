-- lathe.import of clips in .csv.

local helper = require "helper"
local lathe = require "lathe"

local HEAD = "frame,time,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n"
local REST = ",0,0,0,1,1,1,1\n"

local folder

local function import(text, opts) return lathe.import(helper.write(folder .. "/a.csv", text), opts) end

local function message(text, opts)
  local clips, err = import(text, opts)
  if clips then return "it was read" end
  return (tostring(err):gsub("^.-a%.csv: ", ""))
end

describe("a clip in .csv", function()
  before_each(function() folder = helper.tmpdir() end)

  it("has bones in the order of its first frame", function()
    local one = assert(import(HEAD .. '0,0,"a ""b"", c",1,2,3' .. REST .. "0,0,B,4,5,6" .. REST
      .. "1,0.5,B,7,8,9" .. REST .. '1,0.5,"a ""b"", c",-1,2e1,.5' .. REST))[1]
    assert.same({ { 'a "b", c', "B" }, 2, 2, 0.5 }, { one.bones, one.frame_count, one.fps, one.duration })
    assert.same({ 1, 2, 3, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(1) })
    assert.same({ -1, 20, 0.5, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(3) })
    assert.same({ 7, 8, 9, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(4) })
  end)

  it("may have its columns in any order, and more, and lines as other systems end them", function()
    local one = assert(import("\xef\xbb\xbfbone,time,frame,sx,sy,sz,qx,qy,qz,qw,tx,ty,tz,rx\r\n"
      .. "A,0,0,1,2,3,0,0,0,1,4,5,6,90\r\n"))[1]
    assert.same({ 4, 5, 6, 0, 0, 0, 1, 1, 2, 3 }, { one.samples:row(1) })
  end)

  it("is taken at another rate between its lines", function()
    local text = HEAD .. "0,0,A,0,0,0" .. REST .. "1,1,A,4,0,0" .. REST
    local one = assert(import(text, { fps = 4 }))[1]
    assert.same({ 5, 4, 1 }, { one.frame_count, one.fps, one.duration })
    for i = 0, 4 do assert.equal(i, one.samples:at(i + 1, 1)) end
    assert.equal(3, one.report.resampled)
  end)

  it("fits into the tracks of another one", function()
    local like = { bones = { "C", "A" }, fps = 1, frame_count = 1, times = { 0 }, skeleton = { bones = {
      { name = "C", pose = { t = { 7, 8, 9 }, q = { 0, 0, 0, 1 }, s = { 1, 1, 1 } } } } } }
    local one = assert(import(HEAD .. "0,0,A,1,2,3" .. REST .. "0,0,B,4,5,6" .. REST, { like = like }))[1]
    assert.same({ { "C" }, { "B" } }, { one.report.missing, one.report.extra })
    assert.same({ 7, 8, 9, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(1) })
    assert.same({ 1, 2, 3, 0, 0, 0, 1, 1, 1, 1 }, { one.samples:row(2) })
    assert.equal("none of its bones is one of the clip's: they are another one's",
      message(HEAD .. "0,0,X,1,2,3" .. REST, { like = like }))
  end)

  it("is refused by line where it is wrong", function()
    local a = "0,0,A,1,2,3" .. REST
    local cases = {
      { "frame,time\n", "line 1: there is no column 'bone'" },
      { "frame,frame\n", "line 1: a second column 'frame'" },
      { HEAD, "line 2: there is no frame" },
      { HEAD .. "0,0,A,1,2,x" .. REST, "line 2: tz is no finite number: 'x'" },
      { HEAD .. "0,0,A,1,2,nan" .. REST, "line 2: tz is no finite number: 'nan'" },
      { HEAD .. "0,0,A,1,2,1e99" .. REST, "line 2: tz is no finite number: '1e99'" },
      { HEAD .. "0,0,A,1,2\n", "line 2: tz is no finite number: ''" },
      { HEAD .. "0,0,A,1,2,3,0,0,0,0,1,1,1\n", "line 2: its rotation is none" },
      { HEAD .. "0.5,0,A,1,2,3" .. REST, "line 2: frame is no whole number" },
      { HEAD .. "1,0,A,1,2,3" .. REST, "line 2: the first frame is 1, not 0" },
      { HEAD .. a .. a, "line 3: a second line of 'A' in frame 0" },
      { HEAD .. a .. "1,0,A,1,2,3" .. REST, "line 3: the time of frame 1 is 0, behind that of frame 0, 0" },
      { HEAD .. a .. "1,1,B,1,2,3" .. REST, "line 3: frame 0 has no bone 'B'" },
      { HEAD .. a .. "0,0,B,1,2,3" .. REST .. "1,1,A,1,2,3" .. REST, "line 5: frame 1 has 1 of 2 bones" },
      { HEAD .. a .. "0,1,B,1,2,3" .. REST, "line 3: the time of frame 0 is 1 here, and 0 before" },
      { HEAD .. '0,0,"A,1,2,3' .. REST, "line 2: a quote has no end" },
      { HEAD .. '0,0,"A"b,1,2,3' .. REST, "line 2: something stands behind a quote" },
    }
    for _, case in ipairs(cases) do assert.equal(case[2], message(case[1])) end
  end)
end)
