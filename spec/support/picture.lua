-- Draws the picture of README.md: scripts/examples/stock.nif, and what turn.lua makes of it.
-- usage: picture.lua STOCK.nif TURNED.nif OUT.png [WIDTH HEIGHT]
-- The committed picture is this one with its bytes deflated, as any PNG optimiser does.

package.path = "spec/support/?.lua;" .. package.path
local lathe = require "lathe"
local render = require "render"

local before, after, out = arg[1], arg[2], arg[3]
local width, height = math.tointeger(arg[4] or 640), math.tointeger(arg[5] or 420)

local docs = {}
for i, path in ipairs { before, after } do
  docs[i] = assert(lathe.open(path))
  docs[i].blocks[1].translation.x = i == 1 and -52 or 52 -- side by side
end
local glb = out .. ".glb"
assert(lathe.export(docs, glb))
local file = assert(io.open(glb, "rb"))
local picture = render.png(file:read "a", { size = width, height = height, turn = 0, tilt = 14, perspective = true })
file:close()
os.remove(glb)
file = assert(io.open(out, "wb"))
assert(file:write(picture))
assert(file:close())
