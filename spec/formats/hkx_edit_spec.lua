-- Packfiles edited in place. The judge is sample_hkx_write: what a file must be when all of it is written anew.

local helper = require "helper"
local lathe = require "lathe"
local reader = require "hkx_reader"
local sample = require "sample_hkx"

local CORPUS = {
  ["skyrim-le"] = { game = "skyrim-le",
    "1hm_staggerbacksmallest", "SOSFastErect", "SOSMale", "skeever_skeleton", "skeleton", "skeleton_troll" },
  ["skyrim-se"] = { game = "skyrim-se",
    "bow_drawlight", "chair_idlearmscrossedvar1", "skeleton", "sneak_1hmattackintro", "sneakmtidle" },
  fo4 = { game = "fallout4", "CoughingAfterCryo", "Death1", "SneakIdle", "run_forward_to_idle", "skeleton" },
}

local LAYOUTS = {
  { game = "skyrim-le" }, { game = "skyrim-se" }, { game = "fallout4" }, { game = "fallout4", pointer_size = 4 },
  { game = "skyrim-le", endian = ">" }, { game = "fallout4", endian = ">" }, { game = "fallout4", embedded = true },
}

local function anew(bytes, layout)
  local file = reader.read(bytes)
  return (sample.build(file:graph(), layout))
end

local function hex_at(bytes, at)
  return (bytes:sub(at - 15, at + 16):gsub(".", function(c) return ("%02x "):format(c:byte()) end))
end

-- Equal bytes, with a message that can be read.
local function same_bytes(wanted, got, label)
  if wanted == got then return end
  local at = 1
  while wanted:byte(at) == got:byte(at) do at = at + 1 end
  error(("%s: %d bytes wanted, %d got; they differ at 0x%x:\n%s\n%s"):format(label or "", #wanted, #got, at - 1,
    hex_at(wanted, at), hex_at(got, at)), 2)
end

-- What holds after every edit.
local function judge(doc, layout, label)
  local bytes = doc:encode()
  same_bytes(anew(bytes, layout), bytes, label)
  return bytes
end

local function open(bytes)
  return assert(lathe.parse(bytes, { format = "hkx", history = 1000 }))
end

local function each_corpus_file(pending, test)
  for folder, names in pairs(CORPUS) do
    for _, name in ipairs(names) do
      local path = helper.need_corpus(("hkx/%s/%s.hkx"):format(folder, name), pending)
      if not path then return end
      helper.count("hkx", path)
      test(helper.read(path), { game = names.game }, folder .. "/" .. name)
    end
  end
end

local function objects_of(doc, class)
  local list = {}
  for _, object in ipairs(doc.objects) do
    if lathe.type(object) == class then list[#list + 1] = object end
  end
  return list
end

local function clips_of(doc)
  return objects_of(doc, "hkaSplineCompressedAnimation")
end

local TEXTS = { "", "x", "FootLeft", "SoundPlay.WPNFire", ("long"):rep(30), "fifteen letters", "sixteen letters!" }

describe("an edited packfile", function()
  it("has its annotations renamed", function()
    each_corpus_file(pending, function(bytes, layout, label)
      local doc <close> = open(bytes)
      for _, clip in ipairs(clips_of(doc)) do
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
    each_corpus_file(pending, function(bytes, layout, label)
      local doc <close> = open(bytes)
      for _, clip in ipairs(clips_of(doc)) do
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
