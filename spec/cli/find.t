$ mkdir m && cp examples/stock.nif examples/crate.solid examples/skeleton.hkx examples/wave.hkx m
$ lathe find m --texture 'TEXTURES/workshop/*'
m/stock.nif
$ lathe find m --texture '*_d.dds' --material wood --json
{"file":"m/stock.nif","ok":true,"path":"materials[1].textures.diffuse","condition":"texture","value":"textures\\workshop\\ash_d.dds"}
{"file":"m/stock.nif","ok":true,"path":"materials[2]","condition":"material","value":"wood"}
$ lathe find m --texture '*_d.dds' --material metal
no file matches; a pattern must match the whole name: --material '*metal*' finds a part of it
$ lathe get m/stock.nif 'materials[1].textures.diffuse'
textures\workshop\ash_d.dds
$ lathe find m --bone '*head*' --json
{"file":"m/skeleton.hkx","ok":true,"path":"skeletons[1].bones[4]","condition":"bone","value":"NPC Head"}
$ lathe find m --type 'bhk*' --json
{"file":"m/stock.nif","ok":true,"path":"blocks[5]","condition":"type","value":"bhkPhysicsSystem"}
{"file":"m/stock.nif","ok":true,"path":"blocks[6]","condition":"type","value":"bhkNPCollisionObject"}

# An expression; one that fails for a file is no match.
$ lathe find m --where 'doc.format == "solid" or #doc.bodies > 0'
m/crate.solid
m/stock.nif
$ lathe find m/crate.solid m/stock.nif --where 'doc.vertices[1].x < 0'
m/crate.solid
lathe: m/stock.nif: no match, as the expression failed: --where:1: no field 'vertices' in nif
$ lathe find m --where 'doc.format == "solid"' --json
{"file":"m/crate.solid","ok":true,"path":"","condition":"where"}
$ lathe find m --type 'bhk*' --where '#doc.blocks > 100'
no file matches
$ lathe find m --where 'doc.x ==='
lathe find: --where: unexpected symbol near '='
[exit 2]
$ lathe find m --where 'true end, function() return true'
lathe find: --where: <eof> expected near 'end'
[exit 2]

# It cannot get out of the sandbox, and its globals are gone with each file.
$ lathe find m/crate.solid --where 'io.open("rig.fzx") ~= nil'
no file matches
$ lathe find m/crate.solid --where 'os.execute("touch made") or true'; test -e made
lathe: m/crate.solid: no match, as the expression failed: --where:1: os.execute is not allowed in the sandbox
no file matches
[exit 1]
$ lathe find m/crate.solid --where '(function() while true do end end)()' --max-seconds 0.2
lathe: m/crate.solid: no match, as the expression failed: --where:1: the script ran for more than 0.2 s; --max-seconds N allows more
no file matches
$ lathe find m/crate.solid m/stock.nif --where '(function() local had = seen; seen = true; return had end)()'
no file matches

# Exit code.
$ lathe find m/crate.solid missing.nif --type nothing
no file matches; a pattern must match the whole name: --type '*nothing*' finds a part of it
lathe: missing.nif: cannot open: No such file or directory
[exit 1]
$ lathe find m
lathe find: say what to find: --texture, --material, --bone, --type or --where
[exit 2]
