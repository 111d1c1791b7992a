#include "havok/animation/check.h"

void hk_check_model(rec_report *report, lathe_doc *doc, uint32_t part, hk_clips *clips)
{
    rec_at at = hk_object(doc, part);
    if (hk_is_animation(doc, part))
        hk_check_animation(report, &at, clips);
    else if (hk_object_is(doc, part, "hkaSkeleton"))
        hk_check_skeleton(report, &at);
    else if (hk_object_is(doc, part, "hkaAnimationBinding"))
        hk_check_binding(report, &at, clips);
    else if (hk_object_is(doc, part, "hkaDefaultAnimatedReferenceFrame"))
        hk_check_motion(report, &at);
    else if (hk_object_is(doc, part, "hkRootLevelContainer"))
        hk_check_root(report, &at);
    else if (hk_object_is(doc, part, "hkaAnimationContainer"))
        hk_check_container(report, &at);
}
