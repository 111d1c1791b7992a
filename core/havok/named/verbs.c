#include "havok/named/verbs.h"

#include "gen/named_types.h"
#include "havok/animation/retime.h"
#include "havok/named/scale.h"

const rec_verb hk_named_verbs[] = {
    HK_RETIME(NULL),
    HK_RETIME(&hk_named_spline_animation),
    HK_RETIME(&hk_named_interleaved_animation),
    HK_RETIME(&hk_named_lossless_animation),
    {.name = "scale", .doc = hk_scale_doc, .params = hk_scale_params, .run = hk_scale_named},
    {0},
};
