--- The pictures of README.md and of the guides: of samples that lathe made, never of a game's files.
-- `make pictures` draws all of them: guide_pictures.lua LATHE FOLDER
-- The page that shows a picture names its command, too, so that readers can draw the picture themselves.

local pictures = {}

--- Where the pictures are, from the top of the tree.
pictures.folder = "scripts/guides/pictures"

--- One for each picture: the command that draws NAME.png in a folder with all samples, and what has to run before it.
pictures.list = {
  { name = "turned", before = "lathe run turn.lua stock.nif -o turned",
    command = "lathe preview stock.nif turned/stock.nif -o turned.png --size 800x340" },
  { name = "stock", command = "lathe preview stock.nif -o stock.png --size 480x360" },
  { name = "sheet", command = "lathe preview stock.nif crate.solid biped.hkx volumes.fzx -o sheet.png --size 640x400" },
  { name = "bones", command = "lathe preview skeleton.hkx -o bones.png --bone-names --size 720x360" },
  { name = "strip", command = "lathe preview wave.hkx -o strip.png --size 800x280" },
  { name = "track", command = "lathe preview wave.hkx -o track.png --track 'NPC R Hand' --size 640x320" },
  { name = "volumes", before = "lathe run @mirror-volumes volumes.fzx -o both",
    command = "lathe preview volumes.fzx both/volumes.fzx -o volumes.png --view front --size 640x260" },
}

local function quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function run(command)
  if not os.execute(command) then error("failed: " .. command, 0) end
end

--- Draws all pictures with a program, and replaces those in a folder.
function pictures.make(program, folder)
  local scratch = os.tmpname()
  os.remove(scratch)
  local function lathe(command)
    run(("cd %s && PATH=%s:\"$PATH\" %s"):format(quote(scratch), quote(program:match "^(.*)/"), command))
  end
  run(("mkdir -p %s %s && rm -f %s/*.png"):format(quote(scratch), quote(folder), quote(folder)))
  lathe "lathe examples -o . > examples.txt"
  for _, picture in ipairs(pictures.list) do
    if picture.before then lathe(picture.before) end
    lathe(picture.command)
    run(("cp %s/%s.png %s"):format(quote(scratch), picture.name, quote(folder)))
  end
  run("rm -rf " .. quote(scratch))
end

if arg and arg[0] and arg[0]:match "guide_pictures%.lua$" then pictures.make(arg[1], arg[2]) end

return pictures
