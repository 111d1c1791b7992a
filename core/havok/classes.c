/* The classes that are described, and the signatures of those that files were seen with. */
#include "havok/types.h"

/* clang-format off */
const hk_class hk_classes[] = {
    {&hk_root_level_container, 0x2772C11E, 0x2772C11E},
    {&hk_memory_resource_container, 0x4762F92A, 0x1DE13A73},
    {&hka_animation_container, 0x8DC20333, 0x26859F4C},
    {&hka_skeleton, 0x366E8220, 0xFEC1CEDB},
    {&hka_skeleton_mapper, 0x12DF42A5, 0xACE9849C},
    {&hka_spline_compressed_animation, 0x792EE0BB, 0x8C3B5F7E},
    {&hka_interleaved_uncompressed_animation, 0x930AF031, 0xCD9801FB},
    {&hka_lossless_compressed_animation, 0, 0},
    {&hka_animation_binding, 0x66EAC971, 0x0FAF9150},
    {&hka_default_animated_reference_frame, 0x6D85E445, 0x60F8E0B8},
    {NULL, 0, 0},
};

/* Any other class: its bytes, and what points out of them. */
static const rec_field opaque_rows[] = {
    {.name = "bytes", .kind = REC_BYTES, .flags = REC_REST,
     .doc = "The object and its data, as they are. Its class is not described."},
};
const rec_type hk_opaque = {.name = "hkObject", .doc = "An object of a class that is not described.",
                            REC_ROWS(opaque_rows)};
/* clang-format on */

const hk_class *hk_class_find(const char *name)
{
    for (const hk_class *c = hk_classes; c->type; c++)
        if (strcmp(c->type->name, name) == 0)
            return c;
    return NULL;
}

const rec_type *hk_type(size_t i)
{
    return i < REC_COUNT_OF(hk_classes) ? hk_classes[i].type : NULL;
}
