/* The objects that lead to all others. Reference: formats/hkx-animation.md#1. */
#include "havok/animation/types.h"
#include "havok/packfile/types.h"

/* clang-format off */
static const rec_field named_variant_rows[] = {
    {.name = "name", HK_STRING, .doc = "\"Merged Animation Container\", \"Resource Data\" …"},
    {.name = "class_name", .original = "className", HK_STRING, .doc = "The object's class."},
    {.name = "variant", HK_POINTER(hk_opaque), .doc = "The object."},
};
static const rec_type named_variant = {.name = "hkRootLevelContainerNamedVariant", .doc = "An object and its name.",
                                       .flags = REC_ALIGNED, REC_ROWS(named_variant_rows)};

static const rec_field root_rows[] = {
    {.name = "named_variants", .original = "namedVariants", HK_STRUCTS(named_variant),
     .doc = "What the file is made for: games look objects up by the name of their class."},
};
const rec_type hk_root_level_container = {.name = "hkRootLevelContainer", .doc = "Leads to all other objects.",
                                          .flags = REC_ALIGNED, REC_ROWS(root_rows)};

static const rec_field memory_rows[] = {
    HK_REFERENCED,
    {.name = "name", HK_STRING, .flags = REC_DERIVED, .init_bytes = "", .doc = "Empty in all games' files."},
    {.name = "parent", HK_POINTER(hk_memory_resource_container), .doc = "Not saved: none."},
    {.name = "resource_handles", .original = "resourceHandles", HK_POINTERS(hk_opaque), .doc = "hkMemoryResourceHandle."},
    {.name = "children", HK_POINTERS(hk_memory_resource_container), .doc = "Containers in it."},
};
const rec_type hk_memory_resource_container = {.name = "hkMemoryResourceContainer", .doc = "Where tools keep their own data.",
                                               .flags = REC_ALIGNED, REC_ROWS(memory_rows)};

static const rec_field animation_rows[] = {
    HK_REFERENCED,
    {.name = "skeletons", HK_POINTERS(hka_skeleton), .flags = REC_DERIVED, .doc = "hkaSkeleton. The first is the animated one."},
    {.name = "animations", HK_POINTERS(hka_animation), .doc = "Of some class derived from hkaAnimation."},
    {.name = "bindings", HK_POINTERS(hka_animation_binding), .doc = "What each animation moves."},
    {.name = "attachments", HK_POINTERS(hk_opaque), .doc = "hkaBoneAttachment."},
    {.name = "skins", HK_POINTERS(hk_opaque), .doc = "hkaMeshBinding."},
};
const rec_type hka_animation_container = {.name = "hkaAnimationContainer", .doc = "Skeletons and animations of a file.",
                                          .flags = REC_ALIGNED, REC_ROWS(animation_rows)};
