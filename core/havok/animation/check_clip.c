/* Animations, their events, root motion and bindings. */
#include "havok/animation/check.h"

#include <math.h>

#define WARN LATHE_LEVEL_WARNING

/* ---- numbers that follow from others --------------------------------------------------------------------- */

/* As near as numbers come that were worked out in float. */
static bool agree(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fmax(fabs(a), fabs(b)) + 1e-5;
}

static void expect(rec_report *report, const rec_at *at, const char *name, double should)
{
    double is = hk_number(at, name);
    if (!agree(is, should))
        HK_FINDING(report, WARN, at, name, REC_NO_ITEM, "%.6g is stored, %.6g would agree", is,
                   should);
}

static void expect_count(rec_report *report, const rec_at *at, const char *name, uint64_t should,
                         const char *what)
{
    uint64_t is = hk_length(at, name);
    if (is != should)
        HK_FINDING(report, WARN, at, name, REC_NO_ITEM, "%llu of them for %llu %s",
                   (unsigned long long)is, (unsigned long long)should, what);
}

/* ---- animations ------------------------------------------------------------------------------------------ */

/* Times of a spline: frames of one length, blocks of max_frames_per_block that share one. */
static void check_times(rec_report *report, const rec_at *at)
{
    double frames = hk_number(at, "num_frames"), most = hk_number(at, "max_frames_per_block");
    double frame = hk_number(at, "frame_duration");
    if (most > 1)
        expect(report, at, "num_blocks", fmax(1, ceil((frames - 1) / (most - 1))));
    if (!(frame > 0)) {
        if (frames > 1)
            HK_FINDING(report, LATHE_LEVEL_ERROR, at, "frame_duration", REC_NO_ITEM,
                       "%.6g s: no moment but the first can be found", frame);
        return;
    }
    expect(report, at, "duration", (frames - 1) * frame);
    if (most > 1) {
        expect(report, at, "block_duration", (most - 1) * frame);
        expect(report, at, "block_inverse_duration", 1 / ((most - 1) * frame));
    }
}

static void check_odd(rec_report *report, const rec_at *at, const hk_poses *poses)
{
    hk_odd odd = {0};
    bytes_array data;
    rec_loc loc;
    lathe_error e;
    uint32_t slot = hk_array_row(at, "data", 1);
    if (slot == REC_NO_SLOT || hk_elements(at, "data", 1, &data, NULL) != LATHE_OK ||
        rec_find(at, slot, &loc, NULL) != LATHE_OK)
        return;
    while (!report->stopped && hk_spline_odd(&poses->as.spline, &odd)) {
        rec_fail(at, slot, loc.off, &e, LATHE_ERR_INVALID,
                 "block %llu, track %llu: rotation %llu has no direction",
                 (unsigned long long)odd.block, (unsigned long long)odd.track,
                 (unsigned long long)odd.point);
        e.offset = rec_encoded(at->doc, loc.data_part, loc.data + odd.offset);
        rec_found(report, LATHE_LEVEL_ERROR, &e);
    }
}

static void check_transforms(rec_report *report, const rec_at *at)
{
    bytes_array all;
    lathe_level level;
    bool big = hk_is_big(at);
    if (hk_transforms(at, "transforms", &all, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < all.count && !report->stopped; i++) {
        const char *wrong = hk_rotation_wrong(all.bytes + 48 * i + 16, big, &level);
        if (wrong)
            HK_FINDING(report, level, at, "transforms", i, "%s", wrong);
    }
}

static void check_rotations(rec_report *report, const rec_at *at, const char *name)
{
    bytes_array all;
    lathe_level level;
    bool big = hk_is_big(at);
    if (hk_elements(at, name, 16, &all, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < all.count && !report->stopped; i++) {
        const char *wrong = hk_rotation_wrong(all.bytes + 16 * i, big, &level);
        if (wrong)
            HK_FINDING(report, level, at, name, i, "%s", wrong);
    }
}

static void check_data(rec_report *report, const rec_at *at)
{
    hk_poses poses;
    lathe_error why;
    if (hk_is(at, "hkaSplineCompressedAnimation"))
        check_times(report, at);
    lathe_result r = hk_poses_open(at, &poses, &why);
    if (r == LATHE_ERR_MEMORY)
        return;
    if (r != LATHE_OK) {
        rec_found(report, LATHE_LEVEL_ERROR, &why);
        return;
    }
    if (poses.is_spline) {
        check_odd(report, at, &poses);
        expect_count(report, at, "block_offsets", (uint64_t)rec_int(at, "num_blocks"), "blocks");
        expect_count(report, at, "float_block_offsets", (uint64_t)rec_int(at, "num_blocks"),
                     "blocks");
    } else if (hk_is(at, "hkaInterleavedUncompressedAnimation")) {
        check_transforms(report, at);
    } else {
        check_rotations(report, at, "dynamic_rotations");
        check_rotations(report, at, "static_rotations");
    }
    hk_poses_close(&poses);
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static void check_events(rec_report *report, const rec_at *track, double duration)
{
    rec_at event;
    double before = -INFINITY;
    for (uint64_t i = 0; hk_record_at(track, "annotations", i, &event); i++) {
        double time = hk_number(&event, "time");
        if (!(time >= 0 && time <= duration + 1e-3))
            HK_FINDING(report, WARN, &event, "time", REC_NO_ITEM,
                       "%.6g s, outside of the animation's %.6g", time, duration);
        if (time < before)
            HK_FINDING(report, WARN, &event, "time", REC_NO_ITEM,
                       "%.6g s, behind one at %.6g: not in the order of time", time, before);
        before = time;
        if (!hk_text(&event, "text"))
            HK_FINDING(report, WARN, &event, "text", REC_NO_ITEM, "an event without a text");
    }
}

static void check_annotations(rec_report *report, const rec_at *at)
{
    rec_at track;
    double duration = hk_number(at, "duration");
    int64_t tracks = rec_int(at, "number_of_transform_tracks");
    if (!(duration >= 0))
        HK_FINDING(report, LATHE_LEVEL_ERROR, at, "duration", REC_NO_ITEM, "%.6g s", duration);
    if (tracks >= 0)
        expect_count(report, at, "annotation_tracks", (uint64_t)tracks, "transform tracks");
    uint64_t n = hk_length(at, "annotation_tracks");
    for (uint64_t i = 0; i < n && !report->stopped; i++)
        if (hk_record_at(at, "annotation_tracks", i, &track))
            check_events(report, &track, duration);
}

void hk_check_animation(rec_report *report, const rec_at *at, const hk_clips *clips)
{
    uint32_t number = clips->numbers[at->part], motion;
    if (!hk_object_opens(at->doc, at->part))
        return;
    check_data(report, at);
    check_annotations(report, at);
    if (!number || clips->list[number - 1].binding == REC_NO_PART)
        rec_finding(report, WARN, at, REC_NO_SLOT, REC_NO_ITEM, "nothing binds it to a skeleton");
    motion = hk_target(at, "extracted_motion", 0);
    if (motion == REC_NO_PART)
        return;
    if (!hk_object_is(at->doc, motion, "hkaDefaultAnimatedReferenceFrame"))
        return;
    rec_at frame = hk_object(at->doc, motion);
    if (!agree(hk_number(&frame, "duration"), hk_number(at, "duration")))
        expect(report, &frame, "duration", hk_number(at, "duration"));
    model_clip facts = {0};
    hk_poses_facts(at, &facts);
    if (facts.frame_count)
        expect_count(report, &frame, "reference_frame_samples", facts.frame_count, "frames");
}

void hk_check_motion(rec_report *report, const rec_at *at)
{
    if (!hk_length(at, "reference_frame_samples"))
        HK_FINDING(report, WARN, at, "reference_frame_samples", REC_NO_ITEM,
                   "root motion without samples");
}

/* ---- bindings -------------------------------------------------------------------------------------------- */

/* Entries of a map are numbers below `most`, each once; -1 binds to nothing. */
static void check_map(rec_report *report, const rec_at *at, const char *name, uint64_t tracks,
                      uint64_t most, const char *what)
{
    uint64_t n = hk_length(at, name);
    if (n && n != tracks)
        HK_FINDING(report, WARN, at, name, REC_NO_ITEM, "%llu of them for %llu track%s",
                   (unsigned long long)n, (unsigned long long)tracks, tracks == 1 ? "" : "s");
    for (uint64_t i = 0; i < n && !report->stopped; i++) {
        int32_t to = hk_index(at, name, i);
        if (to < -1 || to >= (int64_t)most)
            HK_FINDING(report, WARN, at, name, i, "%d is no %s of the skeleton, which has %llu",
                       (int)to, what, (unsigned long long)most);
    }
}

void hk_check_binding(rec_report *report, const rec_at *at, hk_clips *clips)
{
    enum { ANY = 1 << 15 }; /* of a skeleton that is elsewhere */
    uint64_t bones = ANY, slots = ANY;
    rec_at animation;
    uint32_t part = hk_target(at, "animation", 0);
    if (part == REC_NO_PART || !clips->numbers[part] ||
        !hk_animation_at(at->doc, part, &animation)) {
        HK_FINDING(report, WARN, at, "animation", REC_NO_ITEM, "binds no animation");
        return;
    }
    hk_clip *clip = &clips->list[clips->numbers[part] - 1];
    uint32_t skeleton = hk_skeleton_of(at->doc, clips, clip);
    if (skeleton != REC_NO_PART && hk_object_is(at->doc, skeleton, "hkaSkeleton")) {
        rec_at rig = hk_object(at->doc, skeleton);
        bones = hk_length(&rig, "bones");
        slots = hk_length(&rig, "float_slots");
    }
    int64_t tracks = rec_int(&animation, "number_of_transform_tracks");
    int64_t floats = rec_int(&animation, "number_of_float_tracks");
    check_map(report, at, "transform_track_to_bone_indices", tracks < 0 ? 0 : (uint64_t)tracks,
              bones, "bone");
    check_map(report, at, "float_track_to_float_slot_indices", floats < 0 ? 0 : (uint64_t)floats,
              slots, "float slot");
}
