# What is named.
$ lathe materials crate.nif tri.solid
crate.nif: 2 materials
  blocks[2] BSLightingShaderProperty Materials\Old\Crate.BGSM
    diffuse: textures/old/crate_d.dds
    glow: Textures\Old\crate_s.dds
  blocks[4] BSEffectShaderProperty
    diffuse: textures\fx\glow.dds
tri.solid: skipped: solid files have no set-materials
$ lathe materials crate.nif --json
{"file":"crate.nif","ok":true,"materials":[{"path":"blocks[2]","kind":"shader","type":"BSLightingShaderProperty","name":"Materials\\Old\\Crate.BGSM","textures":[{"slot":"diffuse","file":"textures/old/crate_d.dds"},{"slot":"glow","file":"Textures\\Old\\crate_s.dds"}],"flags":[],"colors":{"emissive_color":[0.0,0.0,0.0],"specular_color":[0.0,0.0,0.0]},"alpha":0.0},{"path":"blocks[4]","kind":"shader","type":"BSEffectShaderProperty","textures":[{"slot":"diffuse","file":"textures\\fx\\glow.dds"}],"flags":[],"colors":{"base_color":[0.0,0.0,0.0,0.0]}}]}

# Looking first, then into a folder.
$ lathe materials crate.nif --set 'textures\old\*=textures\new\*' --dry-run
crate.nif: would change (2 changes)
  blocks[3].textures[1]: "textures/old/crate_d.dds" -> "textures\\new\\crate_d.dds"
  blocks[3].textures[3]: "Textures\\Old\\crate_s.dds" -> "textures\\new\\crate_s.dds"
$ lathe materials crate.nif --set 'textures\old\*=textures\new\*' --set 'materials\old\*=materials\new\*' -o out
made the folder out
crate.nif: 3 changes -> out/crate.nif
$ lathe materials out/crate.nif
out/crate.nif: 2 materials
  blocks[2] BSLightingShaderProperty materials\new\Crate.BGSM
    diffuse: textures\new\crate_d.dds
    glow: textures\new\crate_s.dds
  blocks[4] BSEffectShaderProperty
    diffuse: textures\fx\glow.dds
$ lathe materials crate.nif --set '*=x\*' --textures --files --json -o out
{"file":"crate.nif","ok":true,"written":"out/crate.nif","report":{"changed":4,"skipped":[]}}
$ lathe materials crate.nif tri.solid --set 'nothing*=x' --in-place
crate.nif: unchanged
tri.solid: skipped: solid files have no set-materials
0 changed, 1 unchanged, 1 skipped, 0 failed
  1 skipped: solid files have no set-materials
lathe materials: --set 'nothing*=x' matched no name that it would change
$ lathe materials crate.nif --textures --files --set '*\old\*=*\new\*' --in-place && lathe diff crate.nif.bak crate.nif
crate.nif: 3 changes
strings[3]: added "Materials\\new\\Crate.BGSM"
blocks[2].name: "Materials\\Old\\Crate.BGSM" -> "Materials\\new\\Crate.BGSM"
blocks[3].textures[1]: "textures/old/crate_d.dds" -> "textures\\new\\crate_d.dds"
blocks[3].textures[3]: "Textures\\Old\\crate_s.dds" -> "Textures\\new\\crate_s.dds"
[exit 1]

# One of them by its path.
$ lathe get crate.nif 'materials[1].textures.glow'
Textures\new\crate_s.dds
$ lathe get crate.nif 'materials[2].name'
false
$ lathe set crate.nif 'materials[1].textures.diffuse=textures\my\crate.dds' 'materials[2].textures.diffuse=fx.dds' -o out
crate.nif: 2 changes -> out/crate.nif
$ lathe get out/crate.nif 'materials[1].textures.diffuse'
textures\my\crate.dds
$ lathe get crate.nif 'materials[0].name'
lathe: crate.nif: materials[0].name: there are 2 materials, numbered from 1
[exit 1]
$ lathe set crate.nif 'materials[3].name=a' -o out
lathe: crate.nif: materials[3].name: there are 2 materials, numbered from 1
[exit 1]
$ lathe get tri.solid 'materials[1].name'
lathe: tri.solid: materials[1].name: there are 0 materials, numbered from 1
[exit 1]
$ lathe get crate.nif 'blocks[0].name'
lathe: crate.nif: 'blocks[0].name' is not a path: elements are numbered from 1, see '[0].name'
[exit 1]

# Paths as the games look for them, and what collision is made of.
$ lathe materials crate.nif --normalise --dry-run
crate.nif: unchanged
$ lathe materials spheres.nif
spheres.nif: 2 materials
  blocks[1].material bhkSphereShape stone
  blocks[2].material bhkSphereShape 0x0000004D
$ lathe materials spheres.nif --set stone=wood --set 77=glass -o out
spheres.nif: 2 changes -> out/spheres.nif
$ lathe materials out/spheres.nif --json
{"file":"out/spheres.nif","ok":true,"materials":[{"path":"blocks[1].material","kind":"collision","type":"bhkSphereShape","name":"wood","textures":[]},{"path":"blocks[2].material","kind":"collision","type":"bhkSphereShape","name":"glass","textures":[]}]}

# Collision of Fallout 4: of shapes, and what triangles of meshes are of; in a NIF, or a packfile alone.
$ lathe materials floor.nif
floor.nif: 5 materials
  blocks[5].system.objects[2] hknpConvexPolytopeShape wood
  blocks[5].system.objects[5] hknpCompressedMeshShape 0xFCB37EA0
  blocks[5].system.objects[7].materials[1] hknpBSMaterialProperties stone
  blocks[5].system.objects[7].materials[2] hknpBSMaterialProperties metal
  blocks[5].system.objects[7].materials[3] hknpBSMaterialProperties wood
$ lathe materials floor.nif floor.hkx --set wood=snow --set 0xFCB37EA0=metal -o out
floor.nif: 3 changes -> out/floor.nif
floor.hkx: 3 changes -> out/floor.hkx
2 changed, 0 unchanged, 0 failed
$ lathe materials out/floor.hkx
out/floor.hkx: 5 materials
  objects[2] hknpConvexPolytopeShape snow
  objects[5] hknpCompressedMeshShape metal
  objects[7].materials[1] hknpBSMaterialProperties stone
  objects[7].materials[2] hknpBSMaterialProperties metal
  objects[7].materials[3] hknpBSMaterialProperties snow
$ lathe info out/floor.nif | grep materials
  format                  nif: scene of NetImmerse, Gamebryo or the Creation Engine: meshes, materials, collision
  materials               collision of snow × 2, metal × 2, stone
$ lathe get floor.nif 'materials[5].name'
wood
$ lathe get floor.nif 'blocks[5].system.objects[8].primitive_data_runs[2].material'
metal
$ lathe set floor.nif 'blocks[5].system.objects[8].primitive_data_runs[2].material=ice' --dry-run
floor.nif: would change (1 change, 2 values differ)
  blocks[5].system.objects[7].materials[4]: added hknpBSMaterial
  blocks[5].system.objects[8].primitive_data_runs[2].value: 1 -> 3
$ lathe set floor.nif 'materials[5].name=0xFCB37EA0' 'blocks[5].system.objects[2].material=Glass' -o out
floor.nif: 2 changes -> out/floor.nif
$ lathe materials floor.nif --set nothing=x --json -o out
{"file":"floor.nif","ok":true,"report":{"changed":0,"skipped":[],"warnings":["no known material 'nothing'"]}}
lathe materials: --set 'nothing=x' matched no name that it would change: no known material 'nothing'
$ lathe materials floor.hkx --normalise --in-place
floor.hkx: unchanged

# One kind of names; and stars that reach collision materials, which are told where nobody knows them.
$ cp crate.nif.bak crate.nif
$ lathe materials crate.nif --set '*=metal' -o out
lathe: crate.nif: '*' matches textures and files: choose one of them, or all
[exit 1]
$ lathe materials crate.nif --textures --set '*=metal' -o out
lathe: crate.nif: 'textures/old/crate_d.dds' would become 'metal': the new path would lose its extension
[exit 1]
$ lathe materials crate.nif --files --set '*\old\*=*\older\*' -n
crate.nif: would change (1 change, 2 values differ)
  strings[3]: added "Materials\\older\\Crate.BGSM"
  blocks[2].name: "Materials\\Old\\Crate.BGSM" -> "Materials\\older\\Crate.BGSM"
$ lathe materials floor.nif --collision --set '*=metl' -n
floor.nif: would change (5 changes)
  warning: no known material 'metl'; did you mean 'metal'?
  blocks[5].system.objects[2].user_data: 500811281 (wood) -> 2282207124
  blocks[5].system.objects[5].user_data: 4239621792 -> 2282207124
  blocks[5].system.objects[7].materials[1].material_id: 3741512247 (stone) -> 2282207124
  blocks[5].system.objects[7].materials[2].material_id: 104858580 (metal) -> 2282207124
  blocks[5].system.objects[7].materials[3].material_id: 500811281 (wood) -> 2282207124
$ lathe materials spheres.nif --set stone=wodd -o out --json
{"file":"spheres.nif","ok":true,"written":"out/spheres.nif","report":{"changed":1,"skipped":[],"warnings":["no known material 'wodd'; did you mean 'wood'?"]}}
$ lathe materials spheres.nif --set stone=wodd --allow-unknown -o out
spheres.nif: 1 change -> out/spheres.nif
$ lathe materials spheres.nif --set stne=wood -n
spheres.nif: unchanged
lathe materials: --set 'stne=wood' matched no name that it would change: no known material 'stne'; did you mean 'stone'?
$ lathe materials spheres.nif floor.nif --set stone=wodd --set stne=wood -n | grep -v '^  blocks'
2 would change, 0 unchanged, 0 failed
lathe materials: --set 'stne=wood' matched no name that it would change: no known material 'stne'; did you mean 'stone'?
spheres.nif: would change (1 change)
  warning: no known material 'wodd'; did you mean 'wood'?
floor.nif: would change (1 change)
  warning: no known material 'wodd'; did you mean 'wood'?
$ lathe check out/spheres.nif
out/spheres.nif: ok, 2 warnings
  warning: blocks[1].material.material at 0x6a: 0xFE2D1FDA is no known material but the number of 'wodd'; did you mean 'wood'?
  warning: blocks[2].material.material at 0x72: 0x0000004D is no known material
$ lathe check out/spheres.nif --allow-unknown
out/spheres.nif: ok
$ lathe set floor.nif 'bodies[1].material=metl' 'materials[5].name=wodd' -n
floor.nif: would change (2 changes)
  warning: no known material 'metl'; did you mean 'metal'?
  warning: no known material 'wodd'; did you mean 'wood'?
  blocks[5].system.objects[2].user_data: 500811281 (wood) -> 2282207124
  blocks[5].system.objects[7].materials[3].material_id: 500811281 (wood) -> 4264370138
$ lathe set spheres.nif 'blocks[1].material.material=metl' -o out
spheres.nif: 1 change -> out/spheres.nif
  warning: no known material 'metl'; did you mean 'metal'?
$ lathe set spheres.nif 'blocks[1].material.material=metl' --allow-unknown -o out
spheres.nif: 1 change -> out/spheres.nif
$ lathe set floor.nif 'bodies[1].material=metl' --json -n
{"file":"floor.nif","ok":true,"changes":[{"path":"blocks[5].system.objects[2].user_data","old":500811281,"old_name":"wood","new":2282207124}],"warnings":["no known material 'metl'; did you mean 'metal'?"]}

# What it does not take.
$ lathe materials crate.nif --set 'textures\*=x'
lathe materials: say where to write: -o OUT or --in-place (or look first with --dry-run)
[exit 2]
$ lathe materials crate.nif --set 'textures\*' -o out
lathe materials: 'textures\*' is not OLD=NEW
[exit 2]
$ lathe materials crate.nif -o out
lathe materials: nothing is written without --set or --normalise
[exit 2]
$ lathe materials crate.nif --collision
lathe materials: --collision goes with --set
[exit 2]
$ lathe materials crate.nif --set 'a*=*b*' -o out
lathe materials: --set 'a*=*b*': the replacement has more * (2) than the pattern (1)
[exit 2]
