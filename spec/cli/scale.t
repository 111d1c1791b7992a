# Collision alone, with its mass as it was: what the bodies weigh, and how dense they are.
$ lathe scale 2 ball.nif --what collision --mass keep -n
ball.nif: would change (11 changes, 7 values differ)
  blocks[2].system.objects[1].motion_cinfos[1].mass_factor: 4 -> 0.5
  blocks[2].system.objects[1].motion_cinfos[1].inverse_inertia_local.x: 8 -> 2
  blocks[2].system.objects[1].motion_cinfos[1].inverse_inertia_local.y: 8 -> 2
  blocks[2].system.objects[1].motion_cinfos[1].inverse_inertia_local.z: 8 -> 2
  blocks[2].system.objects[1].motion_cinfos[1].center_of_mass_world.z: 1 -> 2
  blocks[2].system.objects[1].body_cinfos[1].position.z: 1 -> 2
  blocks[2].system.objects[2].convex_radius: 0.25 -> 0.5

# There and back.
$ lathe scale 2 ball.nif --what collision -o big.nif
ball.nif: 11 changes -> big.nif
$ lathe get big.nif 'blocks[2].system.objects[1].motion_cinfos[1].inverse_mass'
0.0625
$ lathe scale 0.5 big.nif --what collision -o back.nif
big.nif: 11 changes -> back.nif
$ cmp back.nif ball.nif

# Another factor along each axis: not of what is round, or moves.
$ lathe scale 1,1,2 ball.nif --what collision -o tall.nif
lathe: ball.nif: blocks[2].system.objects[1].body_cinfos[1] at 0x3d0: a dynamic body, whose inertia would be another: cannot be scaled by different factors (hknpPhysicsSystemData)
[exit 1]
$ lathe scale 1,x,2 ball.nif -n
lathe scale: the factor is a number above 0: 'x' is not a number
[exit 2]
$ lathe scale 1 1 2 ball.nif -n
lathe scale: factors for x, y and z are one word: 1,1,2
[exit 2]
$ lathe scale 1,2 ball.nif -n
lathe scale: the factor is a number above 0, or three as in 1,1,2: '1,2' is not a number
[exit 2]
$ lathe scale 2 ball.nif --mass heavy -n
lathe scale: argument for option '--mass' must be one of 'density', 'keep'
[exit 2]
