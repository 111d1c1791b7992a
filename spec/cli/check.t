# Sound files, and one with bytes that the game ignores.
$ lathe check rig.fzx tail.solid tri.solid
rig.fzx: ok, 1 warning
  warning: objects[3].label at 0x82: M on the central part chest: the game flips the volume in place and fails
tail.solid: ok, 1 warning
  warning: trailing at 0x4c: 2 trailing bytes, which the game ignores
tri.solid: ok
3 ok, 0 failed
$ lathe check --json tail.solid
{"file":"tail.solid","ok":true,"findings":[{"level":"warning","code":"invalid","where":"trailing","offset":76,"message":"2 trailing bytes, which the game ignores"}]}

# A broken one does not stop the others.
$ lathe check cut.solid tri.solid
tri.solid: ok
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
1 ok, 1 failed
[exit 1]
$ lathe check .
ball.nif: ok, 1 warning
  warning: blocks[2].system at 0xd0: body 0: no bhkNPCollisionObject has it
clip.hkx: ok
crate.nif: ok
floor.hkx: ok, 1 warning
  warning: objects[7].materials[3] at 0x700: its collision_filter_info is 0x00000003, but that of body 1 is 0x00000001
floor.nif: ok, 1 warning
  warning: blocks[5].system.objects[7].materials[3] at 0x87d: its collision_filter_info is 0x00000003, but that of body 1 is 0x00000001
odd.hkx: ok
rig.fzx: ok, 1 warning
  warning: objects[3].label at 0x82: M on the central part chest: the game flips the volume in place and fails
spheres.nif: ok, 1 warning
  warning: blocks[2].material.material at 0x72: 0x0000004D is no known material
tail.solid: ok, 1 warning
  warning: trailing at 0x4c: 2 trailing bytes, which the game ignores
tri.solid: ok
waves.hkx: ok
lathe: cut.solid: solid at 0x0: 3 vertices and 1 triangles do not fit into 30 bytes
11 ok, 1 failed
[exit 1]

# What the game would stumble over.
$ lathe set tri.solid 'triangles[1].b=7' -o bad.solid
tri.solid: 1 change -> bad.solid
$ lathe check bad.solid
bad.solid: 1 error, 1 warning
  error: triangles[1].b at 0x2c: vertex index 7 of 3
  warning: triangles[1] at 0x28: fillers (1, 2, 0) instead of (7, 2, 0)
[exit 1]
