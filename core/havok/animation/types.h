/* The classes of skeletons and animations, as packfiles have them. */
#ifndef LATHE_HAVOK_ANIMATION_TYPES_H
#define LATHE_HAVOK_ANIMATION_TYPES_H

#include "record/schema.h"

/* animation.c, skeleton.c, container.c */
extern const rec_type hk_root_level_container, hk_memory_resource_container;
extern const rec_type hka_animation_container, hka_skeleton, hka_skeleton_mapper;
extern const rec_type hka_animation, hka_animation_binding, hka_spline_compressed_animation,
    hka_interleaved_uncompressed_animation, hka_lossless_compressed_animation;
extern const rec_type hka_animated_reference_frame, hka_default_animated_reference_frame;

#endif
