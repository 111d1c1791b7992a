#include "havok/named/verbs.h"

#include "havok/animation/retime.h"
#include "havok/named/scale.h"

/* Classes are known by their names. */
static const rec_type classes[] = {
    {.name = "hkaSplineCompressedAnimation", .flags = REC_OWN},
    {.name = "hkaInterleavedUncompressedAnimation", .flags = REC_OWN},
    {.name = "hkaLosslessCompressedAnimation", .flags = REC_OWN},
};

const rec_verb hk_named_verbs[] = {
    HK_RETIME(NULL),
    HK_RETIME(&classes[0]),
    HK_RETIME(&classes[1]),
    HK_RETIME(&classes[2]),
    {.name = "scale", .doc = hk_scale_doc, .params = hk_scale_params, .run = hk_scale_named},
    {0},
};
