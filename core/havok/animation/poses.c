/* The data of animations, from their members to what spline.c and uncompressed.c open. */
#include "havok/animation/clip.h"

#include <string.h>

#define SPLINE "hkaSplineCompressedAnimation"
#define INTERLEAVED "hkaInterleavedUncompressedAnimation"

/* ---- facts of each class --------------------------------------------------------------------------------- */

static lathe_result spline_facts(const rec_at *at, hk_spline_facts *f, lathe_error *err)
{
    bytes_array data;
    *f = (hk_spline_facts){.big = rec_int(at, "endian") != 0,
                           .tables_big = hk_is_big(at),
                           .transform_tracks = rec_int(at, "number_of_transform_tracks"),
                           .float_tracks = rec_int(at, "number_of_float_tracks"),
                           .frames = rec_int(at, "num_frames"),
                           .blocks = rec_int(at, "num_blocks"),
                           .max_frames_per_block = rec_int(at, "max_frames_per_block"),
                           .mask_size = rec_int(at, "mask_and_quantization_size"),
                           .block_duration = hk_number(at, "block_duration"),
                           .block_inverse_duration = hk_number(at, "block_inverse_duration"),
                           .frame_duration = hk_number(at, "frame_duration")};
    lathe_result r = hk_elements(at, "data", 1, &data, err);
    f->data = data.bytes;
    f->size = data.count;
    if (r == LATHE_OK)
        r = hk_elements(at, "block_offsets", 4, &f->block_offsets, err);
    if (r == LATHE_OK)
        r = hk_elements(at, "float_block_offsets", 4, &f->float_block_offsets, err);
    return r;
}

static lathe_result interleaved_facts(const rec_at *at, hk_interleaved_facts *f, lathe_error *err)
{
    *f = (hk_interleaved_facts){.big = hk_is_big(at),
                                .transform_tracks = rec_int(at, "number_of_transform_tracks"),
                                .float_tracks = rec_int(at, "number_of_float_tracks"),
                                .duration = hk_number(at, "duration")};
    lathe_result r = hk_transforms(at, "transforms", &f->transforms, err);
    return r == LATHE_OK ? hk_elements(at, "floats", 4, &f->floats, err) : r;
}

static lathe_result lossless_facts(const rec_at *at, hk_lossless_facts *f, lathe_error *err)
{
    *f = (hk_lossless_facts){.big = hk_is_big(at),
                             .transform_tracks = rec_int(at, "number_of_transform_tracks"),
                             .float_tracks = rec_int(at, "number_of_float_tracks"),
                             .frames = rec_int(at, "num_frames"),
                             .duration = hk_number(at, "duration")};
    const struct {
        const char *name;
        bytes_array *array;
        unsigned size; /* of an element */
    } members[] = {
        {"dynamic_translations", &f->dynamic_translations, 4},
        {"static_translations", &f->static_translations, 4},
        {"translation_type_and_offsets", &f->translation_codes, 8},
        {"dynamic_rotations", &f->dynamic_rotations, 16},
        {"static_rotations", &f->static_rotations, 16},
        {"rotation_type_and_offsets", &f->rotation_codes, 2},
        {"dynamic_scales", &f->dynamic_scales, 4},
        {"static_scales", &f->static_scales, 4},
        {"scale_type_and_offsets", &f->scale_codes, 8},
        {"floats", &f->floats, 4},
    };
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(members); i++)
        r = hk_elements(at, members[i].name, members[i].size, members[i].array, err);
    return r;
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

lathe_result hk_blame(const rec_at *at, const lathe_error *why, lathe_error *err)
{
    rec_loc loc;
    rec_at place = *at;
    bool in_data = why->offset != LATHE_NO_OFFSET;
    uint32_t slot = rec_slot_find(at->layout, in_data ? "data" : why->where);
    uint64_t off = at->off;
    if (slot != REC_NO_SLOT && rec_find(at, slot, &loc, NULL) == LATHE_OK)
        off = loc.off;
    lathe_result r = rec_fail(&place, slot, off, err, why->code, "%s", why->message);
    if (err && in_data && slot != REC_NO_SLOT && loc.count)
        err->offset = rec_encoded(at->doc, loc.data_part, loc.data + why->offset);
    return r;
}

static lathe_result open_spline(const rec_at *at, hk_spline *s, lathe_error *err)
{
    hk_spline_facts facts;
    lathe_error why = {.code = LATHE_OK};
    lathe_result r = spline_facts(at, &facts, err);
    if (r != LATHE_OK)
        return r;
    r = hk_spline_open(s, &facts, &at->doc->mem, &why);
    if (r == LATHE_ERR_MEMORY)
        return error_pass(err, &why);
    return r == LATHE_OK ? r : hk_blame(at, &why, err);
}

static lathe_result open_plain(const rec_at *at, hk_uncompressed *u, lathe_error *err)
{
    hk_interleaved_facts interleaved;
    hk_lossless_facts lossless;
    lathe_error why = {.code = LATHE_OK};
    lathe_result r;
    if (hk_is(at, INTERLEAVED)) {
        r = interleaved_facts(at, &interleaved, err);
        if (r != LATHE_OK)
            return r;
        r = hk_interleaved_open(u, &interleaved, &why);
    } else {
        r = lossless_facts(at, &lossless, err);
        if (r != LATHE_OK)
            return r;
        r = hk_lossless_open(u, &lossless, &why);
    }
    return r == LATHE_OK ? r : hk_blame(at, &why, err);
}

static bool is_plain(const rec_at *at)
{
    return hk_is(at, INTERLEAVED) || hk_is(at, "hkaLosslessCompressedAnimation");
}

lathe_result hk_poses_open(const rec_at *at, hk_poses *poses, lathe_error *err)
{
    bool opens = hk_object_opens(at->doc, at->part);
    *poses = (hk_poses){.is_spline = opens && hk_is(at, SPLINE)};
    if (poses->is_spline)
        return open_spline(at, &poses->as.spline, err);
    if (opens && is_plain(at))
        return open_plain(at, &poses->as.plain, err);
    const lathe_error *problem =
        at->doc->parts[at->part].problem; /* of a class that is described */
    if (problem)
        return rec_fail(at, REC_NO_SLOT, at->off, err, problem->code, "%s", problem->message);
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "lathe does not read animations of this class");
}

void hk_poses_close(hk_poses *poses)
{
    if (poses->is_spline)
        hk_spline_free(&poses->as.spline);
}

lathe_result hk_poses_of(hk_clips *clips, hk_clip *clip, lathe_doc *doc, hk_poses **poses,
                         lathe_error *err)
{
    uint32_t number = clips->numbers[clip->part];
    size_t oldest = 0;
    for (size_t i = 0; i < HK_OPENED; i++) {
        if (clips->opened[i].clip == number) {
            clips->opened[i].used = ++clips->clock;
            *poses = &clips->opened[i].poses;
            return LATHE_OK;
        }
        if (clips->opened[i].used < clips->opened[oldest].used)
            oldest = i;
    }
    hk_poses made;
    rec_at at = hk_object(doc, clip->part);
    lathe_result r = hk_poses_open(&at, &made, err);
    if (r != LATHE_OK)
        return r;
    if (clips->opened[oldest].clip)
        hk_poses_close(&clips->opened[oldest].poses);
    clips->opened[oldest].clip = number;
    clips->opened[oldest].used = ++clips->clock;
    clips->opened[oldest].poses = made;
    *poses = &clips->opened[oldest].poses;
    return LATHE_OK;
}

/* ---- facts ---------------------------------------------------------------------------------------------------- */

static uint64_t at_most(int64_t n, uint64_t most)
{
    return n >= 0 && (uint64_t)n <= most ? (uint64_t)n : 0;
}

/* The same limits as those of hk_spline_open. */
static lathe_result facts_of_spline(const rec_at *at, model_clip *facts)
{
    hk_spline_facts f;
    lathe_result r = spline_facts(at, &f, NULL);
    if (r != LATHE_OK)
        return r;
    uint64_t blocks = at_most(f.blocks, f.block_offsets.count), each = blocks ? f.size / blocks : 0;
    uint64_t frames = at_most(f.max_frames_per_block, INT32_MAX);
    frames = frames < HK_FRAMES_MAX ? frames : HK_FRAMES_MAX;
    facts->frame_count = at_most(f.frames, frames * blocks);
    facts->track_count = at_most(f.transform_tracks, each / 4);
    facts->float_track_count = at_most(f.float_tracks, each - 4 * facts->track_count);
    return LATHE_OK;
}

static lathe_result facts_of_plain(const rec_at *at, model_clip *facts)
{
    hk_uncompressed u;
    lathe_result r = open_plain(at, &u, NULL);
    if (r != LATHE_OK)
        return r;
    facts->frame_count = u.frames;
    facts->track_count = u.transform_tracks;
    facts->float_track_count = u.float_tracks;
    return LATHE_OK;
}

lathe_result hk_poses_facts(const rec_at *at, model_clip *facts)
{
    if (hk_is(at, SPLINE))
        return facts_of_spline(at, facts);
    if (is_plain(at))
        return facts_of_plain(at, facts);
    uint64_t size = at->doc->parts[at->part].size; /* a mask or more for each track */
    facts->track_count = at_most(rec_int(at, "number_of_transform_tracks"), size);
    facts->float_track_count = at_most(rec_int(at, "number_of_float_tracks"), size);
    return LATHE_OK;
}
