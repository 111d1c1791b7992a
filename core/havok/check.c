/* What a game or a tool would stumble over in a packfile: each room looks at what it knows. */
#include "havok/check.h"

#include "record/form.h"

#include "havok/animation/check.h"
#include "havok/animation/mapper.h"
#include "havok/behavior/check.h"
#include "havok/packfile/check.h"
#include "havok/physics/check.h"
#include "havok/physics/rigid.h"

static void check_object(rec_report *report, lathe_doc *doc, uint32_t part, hk_clips *clips)
{
    rec_at at = hk_object(doc, part);
    const lathe_error *problem =
        doc->parts[part].problem; /* other signatures are reported once, by hk_check_tables */
    if (at.layout->type == &hk_opaque && problem && problem->code != LATHE_ERR_UNSUPPORTED)
        rec_found(report, LATHE_LEVEL_ERROR, problem);
    hk_check_rels(report, &at);
    hk_check_convex(report, &at);
    hk_check_model(report, doc, part, clips);
}

/* Of XML that was changed. */
static void check_text(rec_report *report, lathe_doc *doc)
{
    const char *lost = rec_form_forgotten(doc);
    rec_at root = rec_root(doc, 0);
    if (lost)
        rec_finding(report, LATHE_LEVEL_WARNING, &root, REC_NO_SLOT, REC_NO_ITEM, "%s", lost);
}

void hk_check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    uint64_t n;
    hk_clips *clips = hk_clips_of(doc, c, NULL);
    if (!rec_places(doc) || !clips)
        return;
    hk_check_tables(report, doc, c);
    if (c == 0)
        check_text(report, doc);
    const uint32_t *objects = hk_object_list(doc, c, &n);
    for (uint64_t i = 0; i < n && !report->stopped; i++)
        check_object(report, doc, objects[i], clips);
    if (c == 0)
        hk_check_link(doc, report, clips);
    hk_check_mappers(report, doc, c);
    if (hk_is_rigid(doc, c))
        hk_check_rigid(report, doc, c);
    hk_check_collision(report, doc, c);
    hk_check_graph(report, doc, c);
}
