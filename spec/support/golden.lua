--- Golden pictures (spec/golden): makes the files that they show, draws them with the module or with
-- spec/c/preview_host, and compares pixels. Pillow reads the PNG files: other builds pack the same pixels otherwise.

local files = require "golden_files"
local helper = require "helper"
local lathe = require "lathe"
local lfs = require "lfs"
local scenes = require "golden_scenes"

local golden = {}

local KEPT <const>, SIZE <const> = helper.root .. "/spec/golden", "200x150"
local PATHS <const> = { against = true, clip = true, data = true, mesh = true, skeleton = true }
local NUMBERED <const> = { -- as in lathe.h
  view = { iso = 0, front = 1, side = 2, top = 3 },
  what = { auto = 0, meshes = 1, collision = 2, skeleton = 3, pose = 4, strip = 5, track = 6, cell = 7 },
}

--- A new folder with all files.
function golden.folder()
  local folder = helper.tmpdir()
  lfs.mkdir(folder .. "/textures")
  for _, name in ipairs(helper.list("scripts/examples", "%.%w+$")) do
    helper.write(folder .. "/" .. name, helper.read("scripts/examples/" .. name))
  end
  for name, make in pairs(files) do helper.write(folder .. "/" .. name, make()) end
  return folder
end

--- Draws with the module into folder/into. Gives the reports by name.
function golden.by_module(folder, into)
  local reports = {}
  lfs.mkdir(folder .. "/" .. into)
  for _, scene in ipairs(scenes) do
    local docs, opts = {}, { size = SIZE }
    for i, name in ipairs(scene[2]) do docs[i] = folder .. "/" .. name end
    for name, value in pairs(scene[3]) do opts[name] = PATHS[name] and folder .. "/" .. value or value end
    reports[scene[1]] = assert(lathe.preview(docs, ("%s/%s/%s.png"):format(folder, into, scene[1]), opts))
  end
  return reports
end

local function words(scene, into)
  local opts, names = {}, {}
  for name, value in pairs(scene[3]) do opts[name] = value end
  opts.width, opts.height = (opts.size or SIZE):match "(%d+)x(%d+)"
  opts.size = nil
  if not opts.what then opts.what = opts.time and "pose" or opts.frames and "strip" or opts.track and "track" end
  for name in pairs(opts) do names[#names + 1] = name end
  table.sort(names)
  local out = { ("%s/%s.png"):format(into, scene[1]) }
  for _, name in ipairs(scene[2]) do out[#out + 1] = "doc=" .. name end
  for _, name in ipairs(names) do
    local value = opts[name]
    if value == true then value = 1 end
    out[#out + 1] = ("%s=%s"):format(name, NUMBERED[name] and NUMBERED[name][value] or value)
  end
  return table.concat(out, "\t")
end

--- Draws with a program, preview_host of some build. command: a list of words.
function golden.by_host(folder, into, command, env)
  local lines = {}
  lfs.mkdir(folder .. "/" .. into)
  for i, scene in ipairs(scenes) do lines[i] = words(scene, into) .. "\n" end
  local r = helper.run(command, { cwd = folder, stdin = table.concat(lines), env = env })
  assert(r.code == 0, r.err)
end

-- ---- comparing -------------------------------------------------------------------------------------

local function size_of(path)
  return (">I4I4"):unpack(helper.read(path), 17)
end

-- Pixels of PNG files, as rows of r, g, b, a. Nil if Pillow is not there.
local function pixels_of(paths)
  local python = "/usr/bin/python3"
  if helper.run({ python, "-c", "import PIL" }).code ~= 0 then return nil end
  local command = { python, "spec/support/dds_pixels.py" }
  table.move(paths, 1, #paths, 3, command)
  local r = helper.run(command, { env = { LD_PRELOAD = false } })
  assert(r.code == 0, r.err)
  local list, at = {}, 1
  for i, path in ipairs(paths) do
    local width, height = size_of(path)
    list[i] = { width = width, height = height, rgba = r.out:sub(at, at + 4 * width * height - 1) }
    at = at + 4 * width * height
  end
  assert(at == #r.out + 1)
  return list
end

-- What differs, in words; nil if nothing does.
local function difference(kept, new)
  if kept.width ~= new.width or kept.height ~= new.height then
    return ("%d x %d pixels, not %d x %d"):format(new.width, new.height, kept.width, kept.height)
  end
  if kept.rgba == new.rgba then return nil end
  local n, first = 0, nil
  for at = 1, #kept.rgba, 4 do
    if kept.rgba:sub(at, at + 3) ~= new.rgba:sub(at, at + 3) then
      n, first = n + 1, first or at
    end
  end
  local function color(p) return ("%08x"):format((">I4"):unpack(p.rgba, first)) end
  local i = (first - 1) // 4
  return ("%d pixels differ; the first one is (%d, %d): %s, not %s"):format(n, i % kept.width, i // kept.width,
    color(new), color(kept))
end

--- Compares what was drawn with spec/golden. A list of lines about what differs, each with the path of the new picture in
-- the build folder; nil if Pillow is not installed. update: takes over what differs or is new.
function golden.compare(folder, into, update)
  local paths, named, lines = {}, {}, {}
  for _, scene in ipairs(scenes) do
    local name = scene[1]
    local kept, new = ("%s/%s.png"):format(KEPT, name), ("%s/%s/%s.png"):format(folder, into, name)
    if not helper.exists(kept) then
      if update then
        helper.write(kept, helper.read(new))
      else
        lines[#lines + 1] = name .. ": no such picture in spec/golden"
      end
    else
      named[#named + 1] = name
      table.move({ kept, new }, 1, 2, #paths + 1, paths)
    end
  end
  local pixels = pixels_of(paths)
  if not pixels then return nil end
  for i, name in ipairs(named) do
    local why = difference(pixels[2 * i - 1], pixels[2 * i])
    if why and update then
      helper.write(paths[2 * i - 1], helper.read(paths[2 * i]))
    elseif why then
      lfs.mkdir(helper.build .. "/golden")
      local path = helper.write(("%s/golden/%s_%s.png"):format(helper.build, name, into), helper.read(paths[2 * i]))
      lines[#lines + 1] = ("%s: %s; see %s"):format(name, why, path)
    end
  end
  return lines
end

return golden
