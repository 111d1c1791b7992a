/* PHXANM (.anm): animations of Overgrowth, versions 0 to 11. Reference: formats/wolfire.md#2. */
#include "wolfire/anm.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

bool anm_is_centered(const rec_at *at)
{
    rec_at root = rec_root(at->doc, at->layout->container);
    return rec_int(&root, "centered") != 0;
}

/* ---- opening ------------------------------------------------------------------------------------- */

static lathe_result check_version(const rec_at *root, int64_t version, lathe_error *err)
{
    uint32_t v = (uint32_t)version;
    uint32_t swapped = v >> 24 | (v >> 8 & 0xFF00) | (v << 8 & 0xFF0000) | v << 24;
    if (version >= 0 && version <= ANM_NEWEST)
        return LATHE_OK;
    return rec_fail(root, 0, 0, err, LATHE_ERR_UNSUPPORTED,
                    "version %lld, only 0 to %d are known%s", (long long)version, ANM_NEWEST,
                    swapped <= ANM_NEWEST ? " (byte-swapped?)" : "");
}

static lathe_result no_frames(const rec_at *root, lathe_error *err)
{
    uint32_t slot = rec_slot_find(root->layout, "frame_count");
    rec_loc loc;
    lathe_result r = rec_find(root, slot, &loc, err);
    return r == LATHE_OK
               ? rec_fail(root, slot, loc.off, err, LATHE_ERR_INVALID,
                          "no key frames: the game refuses the file (corrupt, sub error 1)")
               : r;
}

/* Fails if the frame count is impossible: checks the minimum size of the frames, so nothing is allocated for
 * it (2.2). */
static lathe_result check_frame_count(const rec_at *root, uint64_t head, lathe_error *err)
{
    static const uint8_t least[ANM_NEWEST + 1] = {8, 8, 12, 16, 20, 24, 28, 32, 32, 33, 33, 33};
    uint32_t slot = rec_slot_find(root->layout, "frame_count");
    const rec_part *p = rec_part_of(root->doc, root->part);
    int64_t n = rec_int(root, "frame_count");
    uint64_t each = least[rec_int(root, "version")] + (rec_int(root, "centered") ? 16u : 0u);
    if (n == 0)
        return no_frames(root, err);
    if (n < 0)
        return rec_fail(root, slot, head - 4, err, LATHE_ERR_INVALID, "negative count %lld",
                        (long long)n);
    if ((uint64_t)n > (p->size - head) / each)
        return rec_fail(root, slot, head - 4, err, LATHE_ERR_BOUNDS,
                        "%lld key frames of at least %llu bytes do not fit into %llu bytes",
                        (long long)n, (unsigned long long)each,
                        (unsigned long long)(p->size - head));
    return LATHE_OK;
}

static lathe_result open_anm(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint32_t frames = rec_slot_find(root.layout, "frames");
    uint64_t head = 0, end;
    rec_loc loc;
    lathe_result r = rec_find(&root, 0, &loc, err);
    if (r == LATHE_OK)
        r = check_version(&root, rec_int(&root, "version"), err);
    if (r == LATHE_OK)
        r = rec_set_version(doc, c, rec_int(&root, "version"), err);
    if (r == LATHE_OK)
        r = rec_find(&root, rec_slot_find(root.layout, "frame_count"), &loc, err);
    if (r == LATHE_OK) {
        head = loc.off + loc.size;
        r = check_frame_count(&root, head, err);
    }
    if (r == LATHE_OK)
        r = rec_split_run(doc, root.part, head, frames, (uint64_t)rec_int(&root, "frame_count"),
                          &end, err);
    return r == LATHE_OK ? rec_split_tail(doc, root.part, head, end,
                                          rec_slot_find(root.layout, "trailing"), err)
                         : r;
}

/* New documents have version 11 and are not centred: then frames need no heading and offset, because the game
 * computes both at load. */
static lathe_result begin_anm(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    int64_t version = ANM_NEWEST;
    wolfire_given_version(from, &root, &version);
    lathe_result r = check_version(&root, version, err);
    return r == LATHE_OK ? rec_set_version(doc, c, version, err) : r;
}

/* The format has no signature: checks for a known version and a possible frame count. */
static int sniff_anm(const uint8_t *bytes, size_t n)
{
    uint32_t version = n >= 12 ? bytes_ld32(bytes, false) : UINT32_MAX;
    size_t head = version == 0 ? 12 : version < 10 ? 17 : version == 10 ? 18 : 14;
    if (version > ANM_NEWEST || n < head)
        return REC_SNIFF_NO;
    uint32_t frames = bytes_ld32(bytes + head - 4, false);
    return frames && frames <= (n - head) / 8 ? REC_SNIFF_MAYBE : REC_SNIFF_NO;
}

/* Fails if an edit leaves a document that could not be opened again. */
static lathe_result relayout_anm(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    return rec_int(&root, "frame_count") ? LATHE_OK : no_frames(&root, err);
}

/* ---- properties of a clip ------------------------------------------------------------------------ */

anm_facts anm_facts_of(lathe_doc *doc)
{
    rec_at root = rec_root(doc, 0);
    anm_facts f = {.version = rec_int(&root, "version"), .start = rec_int(&root, "start")};
    f.end = rec_int(&root, "length"); /* without a stored start it is 0 */
    f.frames = (uint64_t)rec_int(&root, "frame_count");
    f.centered = rec_int(&root, "centered") != 0;
    f.looping = f.version == 0 || rec_int(&root, "looping") != 0;
    f.stores_start = f.version >= 1 && f.version < 11;
    return f;
}

static lathe_result set_top(lathe_doc *doc, const char *name, int64_t i, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = i};
    return rec_set_name(&root, name, &v, err);
}

lathe_result anm_set_start(lathe_doc *doc, int64_t start, lathe_error *err)
{
    return start == 0 && !anm_facts_of(doc).stores_start ? LATHE_OK
                                                         : set_top(doc, "start", start, err);
}

lathe_result anm_set_end(lathe_doc *doc, int64_t end, lathe_error *err)
{
    return set_top(doc, "length", end, err);
}

lathe_result anm_frame_at(lathe_doc *doc, uint64_t i, rec_at *frame, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    return rec_sub(&root, rec_slot_find(root.layout, "frames"), i, frame, err);
}

static const char *const extensions[] = {"anm", NULL};
static const char *const games[] = {"Overgrowth", NULL};

static const scene_hooks anm_scene = {
    .count = scene_count_one,
    .clips = &anm_clips,
};

static const char *const compared_with[] = {"skeleton", NULL};

const lathe_format format_anm = {
    .name = "anm",
    .doc = "Overgrowth animation",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &anm_root,
    .sniff = sniff_anm,
    .open = open_anm,
    .begin = begin_anm,
    .relayout = relayout_anm,
    .check = anm_check,
    .scene = &anm_scene,
    .shared = scene_clip_verbs,
    .verbs = anm_verbs,
};
