"""What an animator does by hand: opens a .glb, turns a bone by an angle in every frame, exports it again.

usage: blender --background --factory-startup --python raise_arm.py -- IN.glb FPS BONE DEGREES OUT.glb
"""
import math
import sys

import bpy
from mathutils import Matrix


def main(source, fps, bone, degrees, target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(float(fps))
    bpy.ops.import_scene.gltf(filepath=source)
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    first, last = armature.animation_data.action.frame_range
    pose = armature.pose.bones[bone]
    for frame in range(round(first), round(last) + 1):
        scene.frame_set(frame)
        head = pose.matrix.translation.copy()
        turn = Matrix.Translation(head) @ Matrix.Rotation(math.radians(float(degrees)), 4, "Y")
        pose.matrix = turn @ Matrix.Translation(-head) @ pose.matrix
        bpy.context.view_layer.update()
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLB")


main(*sys.argv[sys.argv.index("--") + 1:])
