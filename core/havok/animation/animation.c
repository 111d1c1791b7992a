/* What rows of animations depend on. Reference: formats/hkx-animation.md#3..5. */
#include "havok/animation/types.h"
#include "havok/objects/objects.h"

/* Numbered anew in 2014, so the names depend on the version. */
static bool is_old(const rec_at *at)
{
    return at->doc->containers[at->layout->container].version < HK_2014;
}

const rec_names *hk_animation_types_in(const rec_at *at)
{
    return is_old(at) ? &hka_animation__animation_type_2010 : &hka_animation__animation_type;
}

const rec_names *hk_blend_hints_in(const rec_at *at)
{
    return is_old(at) ? &hka_animation_binding__blend_hint_2010
                      : &hka_animation_binding__blend_hint;
}
