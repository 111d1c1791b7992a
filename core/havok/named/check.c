#include "havok/named/check.h"

#include "havok/animation/check.h"
#include "havok/animation/mapper.h"
#include "havok/physics/check.h"

void hk_check_named(lathe_doc *doc, uint32_t c, rec_report *report)
{
    uint64_t n;
    hk_clips *clips = hk_clips_of(doc, c, NULL);
    const uint32_t *objects = hk_object_list(doc, c, &n);
    for (uint64_t i = 0; clips && i < n && !report->stopped; i++)
        if (hk_object_opens(doc, objects[i]))
            hk_check_model(report, doc, objects[i], clips);
    if (clips && c == 0)
        hk_check_link(doc, report, clips);
    if (clips) {
        hk_check_mappers(report, doc, c);
        hk_check_rigid(report, doc, c);
    }
}
