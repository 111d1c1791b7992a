-- Packfiles edited in place: texts and arrays of every kind, in files as Havok writes them.

local edits = require "hkx_edits"

local same_bytes, judge, open = edits.same_bytes, edits.judge, edits.open

local CLIP = "hkaSplineCompressedAnimation"

local TEXTS = { "", "x", "FootLeft", "SoundPlay.WPNFire", ("long"):rep(30), "fifteen letters", "sixteen letters!" }

describe("an edited packfile", function()
  it("has its annotations renamed", function()
    edits.each_corpus_file(pending, function(bytes, layout, label)
      local doc <close> = open(bytes)
      for _, clip in ipairs(edits.objects_of(doc, CLIP)) do
        for t, track in ipairs(clip.annotation_tracks) do
          for i, annotation in ipairs(track.annotations) do
            if t < 4 and i < 4 then
              local was = annotation.text
              for k, text in ipairs(TEXTS) do
                annotation.text = text
                judge(doc, layout, ("%s %d %d %d"):format(label, t, i, k))
                assert.equal(text, annotation.text)
              end
              annotation.text = was
              same_bytes(bytes, doc:encode(), label)
            end
          end
        end
      end
    end)
  end)

  it("gets annotations, and loses them", function()
    edits.each_corpus_file(pending, function(bytes, layout, label)
      local doc <close> = open(bytes)
      for _, clip in ipairs(edits.objects_of(doc, CLIP)) do
        for _, t in ipairs { 1, 2, #clip.annotation_tracks } do
          local list = clip.annotation_tracks[t].annotations
          local n = #list
          for k, text in ipairs(TEXTS) do
            list:insert(k % 2 == 0 and 1 or #list + 1, { time = k / 8, text = text })
            judge(doc, layout, ("%s %d +%d"):format(label, t, k))
          end
          for k = 1, #TEXTS do
            list:remove(k % 2 == 1 and 1 or #list)
            judge(doc, layout, ("%s %d -%d"):format(label, t, k))
          end
          assert.equal(n, #list)
          for _ = 1, #TEXTS * 2 do assert.is_true(doc:undo()) end
          same_bytes(bytes, doc:encode(), label)
        end
      end
    end)
  end)
end)

local function random_edits(bytes, layout, label, count, seed)
  math.randomseed(seed)
  local doc <close> = open(bytes)
  local before, steps = { bytes }, {}
  local plain = doc:totable()
  for k = 1, count do
    local ok, what = pcall(edits.random_edit, doc, plain)
    steps[k] = ("%s seed %d #%d: %s"):format(label, seed, k, what)
    assert(ok, steps[k])
    local now = judge(doc, layout, steps[k])
    assert.same(plain, doc:totable(), steps[k])
    if k % 4 == 0 then
      local again <close> = open(now)
      assert.same(plain, again:totable(), steps[k])
    end
    if now ~= before[#before] then before[#before + 1] = now end
  end
  for k = #before - 1, 1, -1 do
    repeat assert.is_true(doc:undo(), label) until doc:encode() ~= before[k + 1]
    same_bytes(before[k], doc:encode(), ("%s seed %d undo to %d"):format(label, seed, k))
  end
  while doc:redo() do end
  same_bytes(before[#before], doc:encode(), label .. " redo")
end

describe("random edits of a packfile", function()
  it("leave a file as if it were written anew: built ones", function()
    for l, layout in ipairs(edits.LAYOUTS) do
      for name, opts in pairs(edits.samples(layout)) do
        for seed = 1, 6 do
          random_edits(edits.make(name, opts), layout, ("%s %d"):format(name, l), 40, seed)
        end
      end
    end
  end)

  it("leave a file as if it were written anew: the corpus #corpus", function()
    edits.each_corpus_file(pending, function(bytes, layout, label)
      random_edits(bytes, layout, label, 12, 1)
    end)
  end)
end)

-- ---- many -----------------------------------------------------------------------------------------

describe("thousands of annotations", function()
  local function thousands()
    local list = {}
    for i = 1, 5000 do list[i] = { track = i // 2000, time = i, text = "event" .. i } end
    return edits.make("clip", { game = "skyrim-se", frames = 2, tracks = 3, annotations = list })
  end

  it("are renamed, added and removed in one edit", function()
    local layout, bytes = { game = "skyrim-se" }, thousands()
    local doc <close> = open(bytes)
    local tracks = edits.objects_of(doc, CLIP)[1].annotation_tracks
    doc:edit(function()
      for _, track in ipairs(tracks) do
        for i, annotation in ipairs(track.annotations) do annotation.text = ("x"):rep(i % 40) end
      end
    end)
    judge(doc, layout)
    assert.equal(("x"):rep(39), tracks[1].annotations[39].text)
    doc:edit(function()
      for i = 1, 1000 do tracks[2].annotations:insert(i, { time = i, text = i % 3 > 0 and "new" .. i }) end
      for _ = 1, 1000 do tracks[1].annotations:remove(2) end
    end)
    judge(doc, layout)
    assert.same({ 999, 3000, 1001 }, { #tracks[1].annotations, #tracks[2].annotations, #tracks[3].annotations })
    tracks[2].annotations = {}
    judge(doc, layout)
    tracks:resize(0)
    judge(doc, layout)
    for _ = 1, 4 do assert.is_true(doc:undo()) end
    same_bytes(bytes, doc:encode())
  end)
end)
