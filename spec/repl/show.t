$ lathe wave.hkx stock.nif skeleton.hkx behavior.hkx crate.solid lift.anm progress.sav3 --skeleton skeleton.hkx

# Lists.
lathe> doc
hkx document wave.hkx, 1952 bytes
  user_tag         = 0
  file_version     = 8
  pointer_size     = 8 bytes
  little_endian    = true
  reuse_padding    = false
  empty_base       = true
  contents_version = "hk_2010.2.0-r1"
  flags            = 0
  max_predicate    = -1
  predicates       = 0 bytes
  class_names      = hkClassName[9]
  root             = -> objects[1]
  objects          = hkObject[5]
lists
  animations = 1 animation
lathe> doc.animations
1 animation
       duration [s]  frame_count  looping  absolute  blend_hint  skeleton_name  tracks  float_tracks
  [1]             1           31  false    false     "normal"    "NPC Root"          6             0
  left out for want of room: annotations; doc.animations[1] shows all
lathe> doc.animations[1].annotations
1 annotation
       time [s]  text       track
  [1]       0.5  "WaveTop"      0
lathe> anim = doc.animations[1]
lathe> anim.tracks
6 tracks
       bone              bone_index
  [1]  "NPC Root"                 0
  [2]  "NPC COM"                  1
  [3]  "NPC Spine"                2
  [4]  "NPC Head"                 3
  [5]  "NPC R UpperArm"           4
  [6]  "NPC R Hand"               5
lathe> docs[2].bodies
1 body
       name     motion     position [m]  orientation  friction  restitution  mass [kg]  layer
  [1]  "Stock"  "dynamic"  0 0 0         0 0 0 1           0.5     0.400391         12  clutter
  left out for want of room: density, linear_damping, angular_damping, max_linear_speed,
    max_angular_speed, gravity_factor, filter_info, material, shape, source,
    node; docs[2].bodies[1] shows all
lathe> docs[2].materials
2 materials
       name                             type                      place
  [1]  "Materials\\Workshop\\Ash.BGSM"  BSLightingShaderProperty  blocks[3]
  [2]  "wood"                           hknpConvexPolytopeShape   blocks[5].system.objects[2]
lathe> docs[4].events
5 events
       name            id  source
  [0]  "moveStart"      0  -> objects[18].event_infos[1]
  [1]  "moveStop"       1  -> objects[18].event_infos[2]
  [2]  "gestureStart"   2  -> objects[18].event_infos[3]
  [3]  "gestureStop"    3  -> objects[18].event_infos[4]
  [4]  "FootLeft"       4  -> objects[18].event_infos[5]
lathe> docs[4].graph.transitions
4 transitions
       from         event           to         machine
  [1]  every state  "gestureStart"  "Gesture"  "GuardRoot"
  [2]  "Gesture"    "gestureStop"   "Idle"     "GuardRoot"
  [3]  "Idle"       "moveStart"     "Walk"     "GuardRoot"
  [4]  "Walk"       "moveStop"      "Idle"     "GuardRoot"
lathe> docs[4].graph.states
3 states
       name       transitions     generator          state_id  probability  enable
  [1]  "Gesture"  -> objects[5]   "GestureSelector"         2            1  true
  [2]  "Idle"     -> objects[12]  "Idle"                    0            1  true
  [3]  "Walk"     -> objects[15]  "Walk"                    1            1  true
lathe> docs[3].animations
0 animations

# Poses.
lathe> bones = docs[3].skeletons[1].bones
lathe> bones
6 bones
       name              parent            t        q        turn [degrees about x y z]
  [1]  "NPC Root"        -                  0 0  0  0 0 0 1  0 0 0
  [2]  "NPC COM"         "NPC Root"         0 0 68  0 0 0 1  0 0 0
  [3]  "NPC Spine"       "NPC COM"          0 0 20  0 0 0 1  0 0 0
  [4]  "NPC Head"        "NPC Spine"        0 0 30  0 0 0 1  0 0 0
  [5]  "NPC R UpperArm"  "NPC Spine"       16 0 20  0 0 0 1  0 0 0
  [6]  "NPC R Hand"      "NPC R UpperArm"  40 0  0  0 0 0 1  0 0 0
lathe> bones[3]
bone 3 "NPC Spine": parent 1
  name   = "NPC Spine"
  parent = 1
  t      = 0 0 20
  q      = 0 0 0 1
  turn   = 0 0 0 (degrees about x, y, z)
  s      = 1 1 1
lathe> bones[3].pose
pose
  t      = 0 0 20
  q      = 0 0 0 1
  turn   = 0 0 0 (degrees about x, y, z)
  s      = 1 1 1
lathe> bones[3].pose.q
{ 0.0, 0.0, 0.0, 1.0 }
lathe> anim:sample(3)
buffer f32 6 x 10
       bone              t        q                       turn [degrees about x y z]
  [1]  "NPC Root"         0 0  0  0         0 0        1  0     0 0
  [2]  "NPC COM"          0 0 68  0         0 0        1  0     0 0
  [3]  "NPC Spine"        0 0 20  0         0 0        1  0     0 0
  [4]  "NPC Head"         0 0 30  0         0 0        1  0     0 0
  [5]  "NPC R UpperArm"  16 0 20  0 -0.108007 0  0.99415  0 -12.4 0
  [6]  "NPC R Hand"      40 0  0  0   0.28153 0 0.959552  0  32.7 0
lathe> pose = anim:sample(3)
lathe> pose
buffer f32 6 x 10; bones of animations[1] of wave.hkx, which has as many tracks
       bone              t        q                       turn [degrees about x y z]
  [1]  "NPC Root"         0 0  0  0         0 0        1  0     0 0
  [2]  "NPC COM"          0 0 68  0         0 0        1  0     0 0
  [3]  "NPC Spine"        0 0 20  0         0 0        1  0     0 0
  [4]  "NPC Head"         0 0 30  0         0 0        1  0     0 0
  [5]  "NPC R UpperArm"  16 0 20  0 -0.108007 0  0.99415  0 -12.4 0
  [6]  "NPC R Hand"      40 0  0  0   0.28153 0 0.959552  0  32.7 0
lathe> anim:decode()
buffer f32 186 x 10
        frame  bone              t        q                        turn [degrees about x y z]
  [1]       0  "NPC Root"         0 0  0  0          0 0        1  0     0 0
  [2]       0  "NPC COM"          0 0 68  0          0 0        1  0     0 0
  [3]       0  "NPC Spine"        0 0 20  0          0 0        1  0     0 0
  [4]       0  "NPC Head"         0 0 30  0          0 0        1  0     0 0
  [5]       0  "NPC R UpperArm"  16 0 20  0          0 0        1  0     0 0
  [6]       0  "NPC R Hand"      40 0  0  0          0 0        1  0     0 0
  [7]       1  "NPC Root"         0 0  0  0          0 0        1  0     0 0
  [8]       1  "NPC COM"          0 0 68  0          0 0        1  0     0 0
  [9]       1  "NPC Spine"        0 0 20  0          0 0        1  0     0 0
  [10]      1  "NPC Head"         0 0 30  0          0 0        1  0     0 0
  [11]      1  "NPC R UpperArm"  16 0 20  0 -0.0367312 0 0.999325  0 -4.21 0
  [12]      1  "NPC R Hand"      40 0  0  0   0.175481 0 0.984483  0 20.21 0
  [13]      2  "NPC Root"         0 0  0  0          0 0        1  0     0 0
  [14]      2  "NPC COM"          0 0 68  0          0 0        1  0     0 0
  [15]      2  "NPC Spine"        0 0 20  0          0 0        1  0     0 0
  [16]      2  "NPC Head"         0 0 30  0          0 0        1  0     0 0
  [17]      2  "NPC R UpperArm"  16 0 20  0 -0.0728462 0 0.997343  0 -8.35 0
  [18]      2  "NPC R Hand"      40 0  0  0    0.28153 0 0.959552  0  32.7 0
  [19]      3  "NPC Root"         0 0  0  0          0 0        1  0     0 0
  [20]      3  "NPC COM"          0 0 68  0          0 0        1  0     0 0
  ... 166 more: dump(anim:decode()) prints all
lathe> dump(anim:sample(3))
buffer f32 6 x 10; bones of animations[1] of wave.hkx, which has as many tracks
       bone              t        q                       turn [degrees about x y z]
  [1]  "NPC Root"         0 0  0  0         0 0        1  0     0 0
  [2]  "NPC COM"          0 0 68  0         0 0        1  0     0 0
  [3]  "NPC Spine"        0 0 20  0         0 0        1  0     0 0
  [4]  "NPC Head"         0 0 30  0         0 0        1  0     0 0
  [5]  "NPC R UpperArm"  16 0 20  0 -0.108007 0  0.99415  0 -12.4 0
  [6]  "NPC R Hand"      40 0  0  0   0.28153 0 0.959552  0  32.7 0
lathe> anim.root_motion
nil
lathe> lathe.buffer("u16", 2, 3, { 1, 2, 3, 4, 5, 6 })
buffer u16 2 x 3
       1  2  3
  [1]  1  2  3
  [2]  4  5  6

# Arrays.
lathe> docs[5].vertices
vec3[8] vertices  (model units)
         x    y    z
  [1]  -25  -25  -25
  [2]   25  -25  -25
  [3]  -25   25  -25
  [4]   25   25  -25
  [5]  -25  -25   25
  [6]   25  -25   25
  [7]  -25   25   25
  [8]   25   25   25
lathe> docs[5].triangles
solid_triangle[12] triangles
        a  b  c  gx [texture widths]  gy [texture heights]
  [1]   0  2  3  [3]                  [3]
  [2]   0  3  1  [3]                  [3]
  [3]   4  5  7  [3]                  [3]
  [4]   4  7  6  [3]                  [3]
  [5]   0  1  5  [3]                  [3]
  [6]   0  5  4  [3]                  [3]
  [7]   2  6  7  [3]                  [3]
  [8]   2  7  3  [3]                  [3]
  [9]   0  4  6  [3]                  [3]
  [10]  0  6  2  [3]                  [3]
  [11]  1  3  7  [3]                  [3]
  [12]  1  7  5  [3]                  [3]
lathe> docs[2].blocks[2].vertices
BSVertexData[1625] blocks[2].vertices
        position [game units]  bitangent_x  uv           normal                    bitangent_y
  [1]   0 0 0                            0          0 1  0.00392157 0.00392157 -1            1
  [2]   0 0 0                            0  0.0416565 1  0.00392157 0.00392157 -1            1
  [3]   0 0 0                            0   0.083313 1  0.00392157 0.00392157 -1            1
  [4]   0 0 0                            0      0.125 1  0.00392157 0.00392157 -1            1
  [5]   0 0 0                            0   0.166626 1  0.00392157 0.00392157 -1            1
  [6]   0 0 0                            0   0.208374 1  0.00392157 0.00392157 -1            1
  [7]   0 0 0                            0       0.25 1  0.00392157 0.00392157 -1            1
  [8]   0 0 0                            0   0.291748 1  0.00392157 0.00392157 -1            1
  [9]   0 0 0                            0   0.333252 1  0.00392157 0.00392157 -1            1
  [10]  0 0 0                            0      0.375 1  0.00392157 0.00392157 -1            1
  [11]  0 0 0                            0   0.416748 1  0.00392157 0.00392157 -1            1
  [12]  0 0 0                            0   0.458252 1  0.00392157 0.00392157 -1            1
  [13]  0 0 0                            0        0.5 1  0.00392157 0.00392157 -1            1
  [14]  0 0 0                            0   0.541504 1  0.00392157 0.00392157 -1            1
  [15]  0 0 0                            0   0.583496 1  0.00392157 0.00392157 -1            1
  [16]  0 0 0                            0      0.625 1  0.00392157 0.00392157 -1            1
  [17]  0 0 0                            0   0.666504 1  0.00392157 0.00392157 -1            1
  [18]  0 0 0                            0   0.708496 1  0.00392157 0.00392157 -1            1
  [19]  0 0 0                            0       0.75 1  0.00392157 0.00392157 -1            1
  [20]  0 0 0                            0   0.791504 1  0.00392157 0.00392157 -1            1
  ... 1605 more: dump(docs[2].blocks[2].vertices) prints all
  left out for want of room: color; docs[2].blocks[2].vertices[1] shows all
lathe> docs[2].blocks
NiObject[7] blocks
  [1] = BSFadeNode name="Stock" extra_data_list=[1] controller=false flags=14 translation=(0 0 0) rotation=mat33 ...
  [2] = BSTriShape name="Stock:0" extra_data_list=[0] controller=false flags=14 translation=(0 0 0) rotation=mat33 ...
  [3] = BSLightingShaderProperty shader_type="default" name="Materials\\Workshop\\Ash.BGSM" extra_data_list=[0] ...
  [4] = BSShaderTextureSet textures=[2]
  [5] = bhkPhysicsSystem size=1568 system=hkPackfile
  [6] = bhkNPCollisionObject target=BSFadeNode flags=128 data=bhkPhysicsSystem body_id=0
  [7] = BSXFlags name="BSX" value=194
lathe> docs[6].frames
anm_frame[6] frames
       time [ms]  bone_matrices [m]  use_mobility  events
  [1]          0  [5]                false
  [2]        200  [5]                false
  [3]        400  [5]                false
  [4]        600  [5]                false         [1]
  [5]        800  [5]                false
  [6]       1000  [5]                false
lathe> docs[7].levels
save_level[1] levels
       campaign_id  save_category  save_name                                           md5  values
  [1]  ""           ""             "intro"    16 bytes: 00 00 00 00 00 00 00 00 00 00 00 …  [2]
  left out for want of room: arrays; docs[7].levels[1] shows all

# Plain tables.
lathe> lathe.describe(docs[5].vertices[1])
       name  type  kind    offset  size  doc
  [1]  x     f32   number       0     4  First coordinate.
  [2]  y     f32   number       4     4  Second coordinate.
  [3]  z     f32   number       8     4  Third coordinate.
lathe> lathe.verbs(docs[5])
       name             query  doc
  [1]  scale                   Multiplies every position.
  [2]  bounding_sphere  true   The game's bounding sphere: center {x, y, z}, radius.
lathe> { { 1, 2 }, { 3 } }
  [1] = { 1, 2 }
  [2] = { 3 }
lathe> t = {}; for i = 1, 100 do t[i] = { i } end
lathe> t
  [1] = { 1 }
  [2] = { 2 }
  [3] = { 3 }
  [4] = { 4 }
  [5] = { 5 }
  [6] = { 6 }
  [7] = { 7 }
  [8] = { 8 }
  [9] = { 9 }
  [10] = { 10 }
  [11] = { 11 }
  [12] = { 12 }
  [13] = { 13 }
  [14] = { 14 }
  [15] = { 15 }
  [16] = { 16 }
  [17] = { 17 }
  [18] = { 18 }
  [19] = { 19 }
  [20] = { 20 }
  ... 80 more
