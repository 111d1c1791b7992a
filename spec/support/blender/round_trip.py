"""Blender's part of a round trip: imports a .glb, tells where its bones are in each frame, and exports it again.

usage: blender --background --factory-startup --python round_trip.py -- IN.glb FPS BONE_DIR POSES.json OUT.glb
BONE_DIR: how the importer lays bones: BLENDER, TEMPERANCE (its default) or FORTUNE.
POSES.json: "rest" and a list "frames", each with a matrix (rows) by bone, in Blender's world.
"""
import json
import sys

import bpy


def rows(matrix):
    return [list(row) for row in matrix]


def bones_of(armature, evaluated):
    """Matrices in the world: of poses, or at rest."""
    place = armature.matrix_world
    if evaluated:
        return {bone.name: rows(place @ bone.matrix) for bone in armature.pose.bones}
    return {bone.name: rows(place @ bone.matrix_local) for bone in armature.data.bones}


def main(source, fps, bone_dir, poses, target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    whole = round(float(fps))
    scene.render.fps, scene.render.fps_base = whole, whole / float(fps)
    bpy.ops.import_scene.gltf(filepath=source, bone_heuristic=bone_dir)
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    first, last = armature.animation_data.action.frame_range
    frames = []
    for frame in range(round(first), round(last) + 1):
        scene.frame_set(frame)
        frames.append(bones_of(armature, True))
    with open(poses, "w") as f:
        json.dump({"rest": bones_of(armature, False), "frames": frames}, f)
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLB")


main(*sys.argv[sys.argv.index("--") + 1:])
