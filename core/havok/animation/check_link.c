/* Animations against a skeleton of another file: the one that the check was given, or that the document is linked to. */
#include "havok/animation/check.h"

#include <string.h>

typedef struct against {
    rec_report *report;
    const model_skeleton *skeleton;
} against;

/* Entries of a map, from its first: those behind the last bone. No entry: track i drives number i. */
static void check_map(const against *a, const rec_at *binding, const char *name, uint64_t tracks,
                      uint64_t most, lathe_level level, const char *what)
{
    uint64_t n = hk_length(binding, name);
    if (n == 0 && tracks > most)
        HK_FINDING(a->report, level, binding, name, REC_NO_ITEM,
                   "empty, so each track drives the %s of its number: of %llu track%s the skeleton "
                   "has %llu",
                   what, (unsigned long long)tracks, tracks == 1 ? "" : "s",
                   (unsigned long long)most);
    for (uint64_t i = 0; i < n && i < tracks && !a->report->stopped; i++) {
        int32_t to = hk_index(binding, name, i);
        if (to >= (int64_t)most)
            HK_FINDING(a->report, level, binding, name, i, "no %s %ld: the skeleton has %llu", what,
                       (long)to, (unsigned long long)most);
    }
}

static void check_clip(const against *a, lathe_doc *doc, const hk_clip *clip)
{
    rec_at animation;
    if (clip->binding == REC_NO_PART || !hk_animation_at(doc, clip->part, &animation))
        return;
    rec_at binding = hk_object(doc, clip->binding);
    const char *said = hk_text(&binding, "original_skeleton_name"), *is = a->skeleton->name;
    int64_t tracks = rec_int(&animation, "number_of_transform_tracks");
    int64_t floats = rec_int(&animation, "number_of_float_tracks");
    if (said && is && strcmp(said, is) != 0)
        HK_FINDING(a->report, LATHE_LEVEL_WARNING, &binding, "original_skeleton_name", REC_NO_ITEM,
                   "made for another skeleton: this one is called '%s'", is);
    check_map(a, &binding, "transform_track_to_bone_indices", tracks < 0 ? 0 : (uint64_t)tracks,
              a->skeleton->bone_count, LATHE_LEVEL_ERROR, "bone");
    check_map(a, &binding, "float_track_to_float_slot_indices", floats < 0 ? 0 : (uint64_t)floats,
              a->skeleton->slot_count, LATHE_LEVEL_WARNING, "float slot");
}

void hk_check_link(lathe_doc *doc, rec_report *report, const hk_clips *clips)
{
    model_skeleton given;
    bool is_given = false;
    lathe_error why;
    against a = {.report = report};
    if (!clips->count)
        return;
    lathe_result r = scene_skeleton_arg(doc, doc->extra, "skeleton", &given, &is_given, &why);
    if (r != LATHE_OK) {
        why.offset = LATHE_NO_OFFSET;
        rec_found(report, LATHE_LEVEL_ERROR, &why);
        return;
    }
    a.skeleton = is_given ? &given : scene_linked(doc);
    for (size_t i = 0; a.skeleton && i < clips->count && !report->stopped; i++)
        check_clip(&a, doc, &clips->list[i]);
    if (is_given)
        model_skeleton_free(&given);
}
