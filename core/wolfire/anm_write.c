/* Writes an animation back: only values that differ from what reading returns. Reference:
 * formats/wolfire.md#2. */
#include "wolfire/anm_pose.h"

#include "scene/motion.h"

#include <math.h>

#define MOST_BYTES (1ull << 31) /* maximum size of the new frames */

typedef struct writing {
    lathe_doc *doc;
    const model_motion *m;
    lathe_report *report;
    anm_facts facts; /* before the edit */
    bool chains;     /* the note that chains refer to bones by number was reported */
} writing;

/* ---- unsupported changes ----------------------------------------------------------------------------- */

static lathe_result refuse(lathe_error *err, const char *text)
{
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET, "%s", text);
}

static lathe_result refuse_facts(const writing *w, lathe_error *err)
{
    const model_motion *m = w->m;
    if (!m->frame_count)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "an animation needs at least one frame");
    if (m->frame_count > INT32_MAX || m->track_count > INT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%llu frames of %llu bones are too many",
                         (unsigned long long)m->frame_count, (unsigned long long)m->track_count);
    if (m->hint == MODEL_ADDITIVE)
        return refuse(err, "an .anm cannot be additive");
    if (!m->absolute)
        return refuse(err, "bones of an .anm are placed in model space, not on their parents");
    if (m->float_count)
        return refuse(err, "an .anm has no float tracks");
    for (uint64_t i = 0; i < m->track_count; i++)
        if (m->tracks[i].bone_index >= 0 && (uint64_t)m->tracks[i].bone_index != i)
            return error_set(
                err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                "track %llu is of bone %lld: an .anm has one for each bone, in their order",
                (unsigned long long)i + 1, (long long)m->tracks[i].bone_index);
    if (!m->looping && w->facts.version == 0)
        return refuse(err, "an .anm of version 0 is always looping");
    return LATHE_OK;
}

/* ---- root motion ------------------------------------------------------------------------------------- */

typedef struct path {
    const mem *mem;
    size_t n;
    float *moves; /* as read */
    anm_place *stored, *world;
} path;

static void free_path(path *p)
{
    mem_free(p->mem, p->moves, p->n * MODEL_MOVE * sizeof *p->moves);
    mem_free(p->mem, p->stored, p->n * sizeof *p->stored);
    mem_free(p->mem, p->world, p->n * sizeof *p->world);
}

static lathe_result make_path(const writing *w, uint64_t n, path *p, lathe_error *err)
{
    *p = (path){.mem = &w->doc->mem, .n = (size_t)n};
    if (n > SIZE_MAX / sizeof *p->stored)
        return rec_no_memory(err);
    p->moves = mem_alloc(p->mem, p->n * MODEL_MOVE * sizeof *p->moves);
    p->stored = mem_alloc(p->mem, p->n * sizeof *p->stored);
    p->world = mem_alloc(p->mem, p->n * sizeof *p->world);
    if (!p->moves || !p->stored || !p->world)
        return rec_no_memory(err);
    return anm_motion(lathe_doc_root(w->doc), n, p->moves, err);
}

/* NULL: no motion. */
static const float *move_of(const model_motion *m, uint64_t i)
{
    static const float still[MODEL_MOVE];
    return m->moves ? m->moves + i * MODEL_MOVE : still;
}

static bool same_move(const model_motion *m, const path *p, uint64_t i, uint64_t as)
{
    return memcmp(move_of(m, i), p->moves + as * MODEL_MOVE, MODEL_MOVE * sizeof(float)) == 0;
}

static lathe_result refuse_moves(lathe_error *err)
{
    return refuse(err, "root motion of a file that is not centered follows from its poses: centre "
                       "takes it out of them, and then it can be changed");
}

/* Before anything is written: in a file that is not centred, the root motion must be unchanged. */
static lathe_result check_moves(const writing *w, lathe_error *err)
{
    const model_motion *m = w->m;
    uint64_t n = w->facts.frames;
    rec_at frame;
    path p;
    if (w->facts.centered)
        return LATHE_OK;
    lathe_result r = anm_frame_at(w->doc, 0, &frame, err);
    if (r != LATHE_OK)
        return r;
    bool had = rec_int(&frame, "use_mobility") != 0;
    if (had != (m->moves != NULL))
        return refuse_moves(err);
    if (!had)
        return r;
    r = make_path(w, n, &p, err);
    for (uint64_t i = 0; r == LATHE_OK && i < m->frame_count; i++)
        if (!same_move(m, &p, i, i < n ? i : n - 1)) /* new frames are copies of the last one */
            r = refuse_moves(err);
    free_path(&p);
    return r;
}

static bool same_place(const anm_place *a, const anm_place *b)
{
    return (float)a->rotation == (float)b->rotation && (float)a->offset.x == (float)b->offset.x &&
           (float)a->offset.y == (float)b->offset.y && (float)a->offset.z == (float)b->offset.z;
}

/* World positions from the motion; unchanged ones keep the stored values. */
static lathe_result find_places(const writing *w, path *p, uint64_t *first, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *first = p->n;
    for (uint64_t i = 0; r == LATHE_OK && i < p->n; i++) {
        rec_at frame;
        r = anm_frame_at(w->doc, i, &frame, err);
        if (r == LATHE_OK)
            r = anm_stored_place(&frame, &p->stored[i], err);
        p->world[i] = p->stored[i];
    }
    if (r != LATHE_OK)
        return r;
    anm_to_world(p->world, p->n);
    for (uint64_t i = p->n; i-- > 0;) {
        const float *to = move_of(w->m, i);
        if (same_move(w->m, p, i, i))
            continue;
        for (int k = 0; k < MODEL_MOVE; k++)
            if (!isfinite(to[k]))
                return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                 "root motion of frame %llu is not finite", (unsigned long long)i);
        p->world[i] = (anm_place){to[3], {to[0], to[1], to[2]}};
        *first = i;
    }
    return r;
}

static lathe_result write_moves(const writing *w, lathe_error *err)
{
    uint64_t first = 0;
    path p;
    if (!w->facts.centered)
        return LATHE_OK;
    lathe_result r = make_path(w, w->m->frame_count, &p, err);
    if (r == LATHE_OK)
        r = find_places(w, &p, &first, err);
    if (r == LATHE_OK && first < p.n)
        anm_from_world(p.world, p.n);
    for (uint64_t i = first; r == LATHE_OK && i < p.n; i++) {
        rec_at frame;
        if (same_place(&p.world[i], &p.stored[i]))
            continue;
        r = anm_frame_at(w->doc, i, &frame, err);
        if (r == LATHE_OK)
            r = anm_set_place(&frame, &p.world[i], err);
    }
    free_path(&p);
    return r;
}

/* ---- frames ------------------------------------------------------------------------------------------ */

static lathe_result set_frame_count(const writing *w, lathe_error *err)
{
    uint64_t n = w->m->frame_count, had = w->facts.frames, bytes = 0;
    rec_at root = rec_root(w->doc, 0), frame;
    lathe_result r = LATHE_OK;
    if (n < had)
        return rec_remove(&root, rec_slot_find(root.layout, "frames"), n, had - n, err);
    for (uint64_t i = had; r == LATHE_OK && i < n; i++) {
        uint32_t part;
        r = anm_frame_at(w->doc, i - 1, &frame, err);
        if (r == LATHE_OK)
            r = anm_append_copy(&frame, &part, err);
        if (r == LATHE_OK && (bytes += rec_part_of(w->doc, part)->size) > MOST_BYTES)
            r = error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                          "more than 2 GiB of new key frames");
    }
    return r;
}

static lathe_result write_times(const writing *w, lathe_error *err)
{
    int64_t to = 0;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < w->m->frame_count; i++) {
        rec_at frame;
        r = anm_file_time(&w->facts, w->m->times[i], "a key frame at", &to, err);
        if (r == LATHE_OK)
            r = anm_frame_at(w->doc, i, &frame, err);
        if (r == LATHE_OK && to != rec_int(&frame, "time"))
            r = anm_set_time(&frame, to, err);
    }
    if (r == LATHE_OK)
        r = anm_file_time(&w->facts, w->m->duration, "an end at", &to, err);
    return r == LATHE_OK && to != w->facts.end ? anm_set_end(w->doc, to, err) : r;
}

static lathe_result write_looping(const writing *w, lathe_error *err)
{
    rec_at root = rec_root(w->doc, 0);
    const lathe_value v = {.kind = LATHE_KIND_BOOL, .as.b = w->m->looping};
    return w->m->looping == w->facts.looping ? LATHE_OK : rec_set_name(&root, "looping", &v, err);
}

/* ---- bones ------------------------------------------------------------------------------------------- */

static void tell_chains(writing *w, const rec_at *frame)
{
    if (w->chains || !w->report || !w->report->skipped ||
        rec_slot_find(frame->layout, "ik_bones") == REC_NO_SLOT ||
        rec_int(frame, "num_ik_bones") == 0)
        return;
    w->chains = true;
    w->report->skipped(w->report->user, "frames[1].ik_bones",
                       "chains name bones by number: they stay as they are");
}

static lathe_result resize(const rec_at *frame, const char *row, uint64_t had, uint64_t n,
                           lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, row);
    if (n < had)
        return rec_remove(frame, slot, n, had - n, err);
    return n > had ? rec_insert(frame, slot, had, n - had, NULL, 0, err) : LATHE_OK;
}

/* Resizes the physics weights. A new bone gets the weight of the last existing one. */
static lathe_result resize_weights(const rec_at *frame, const anm_items *weights, uint64_t n,
                                   lathe_error *err)
{
    uint64_t had = weights->count;
    double last = had ? anm_items_number(weights, had - 1) : 1;
    uint32_t slot = rec_slot_find(frame->layout, "weights");
    lathe_result r = resize(frame, "weights", had, n, err);
    for (uint64_t i = had; r == LATHE_OK && i < n; i++) {
        const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = last};
        r = rec_set_item(frame, slot, i, &v, err);
    }
    return r;
}

/* Sets the number of bones and of everything stored per bone. */
static lathe_result set_bone_count(writing *w, const rec_at *frame, lathe_error *err)
{
    anm_items bones, weights = {.count = 0};
    uint64_t n = w->m->track_count;
    lathe_result r = anm_items_of(frame, "bone_matrices", &bones, err);
    if (r == LATHE_OK && rec_slot_find(frame->layout, "weights") != REC_NO_SLOT)
        r = anm_items_of(frame, "weights", &weights, err);
    if (r != LATHE_OK || bones.count == n)
        return r;
    tell_chains(w, frame);
    uint64_t had = bones.count;
    if (weights.count == had && weights.data)
        r = resize_weights(frame, &weights, n, err);
    return r == LATHE_OK ? resize(frame, "bone_matrices", had, n, err) : r;
}

static lathe_result check_row(const float *row, uint64_t frame, uint64_t track, lathe_error *err)
{
    double length = 0;
    bool finite = true;
    for (int k = 0; k < MODEL_POSE; k++)
        finite = finite && isfinite(row[k]);
    for (int k = 3; k < 7; k++)
        length += (double)row[k] * (double)row[k];
    if (finite && length > 0)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "frame %llu of track %llu: %s",
                     (unsigned long long)frame, (unsigned long long)track + 1,
                     finite ? "a rotation of 0 0 0 0" : "not finite");
}

/* Encodes a bone. Returns false if its row equals what reading returns, so that its bytes stay. */
static bool changed_bone(const anm_items *bones, uint64_t i, const float *row, uint8_t bytes[64],
                         bool fresh)
{
    static const mat4 none = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    mat4 m = anm_items_matrix(bones, i);
    anm_pose pose = anm_pose_of(&m);
    float now[MODEL_POSE];
    anm_pose_row(&pose, now);
    if (!fresh && memcmp(now, row, sizeof now) == 0)
        return false;
    pose = (anm_pose){
        {row[0], row[1], row[2]}, {row[3], row[4], row[5], row[6]}, {row[7], row[8], row[9]}};
    m = anm_pose_matrix(&pose, fresh ? &none : &m);
    for (int k = 0; k < 16; k++) {
        float number = (float)m.m[k / 4][k % 4];
        uint32_t word;
        memcpy(&word, &number, sizeof word);
        bytes_st32(bytes + 4 * k, word, false);
    }
    return true;
}

static lathe_result write_bones(const writing *w, const rec_at *frame, uint64_t f, uint64_t had,
                                lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, "bone_matrices");
    uint8_t bytes[64];
    anm_items bones;
    rec_loc loc;
    lathe_result r = anm_items_of(frame, "bone_matrices", &bones, err);
    for (uint64_t i = 0; r == LATHE_OK && i < w->m->track_count; i++) {
        const float *row = model_motion_row(w->m, f, i);
        if (!changed_bone(&bones, i, row, bytes, i >= had))
            continue;
        r = check_row(row, f, i, err);
        if (r == LATHE_OK)
            r = rec_find(frame, slot, &loc, err);
        if (r == LATHE_OK)
            r = rec_put_items(frame, slot, &loc, i, 1, bytes, err);
        if (r == LATHE_OK)
            r = anm_items_of(frame, "bone_matrices", &bones, err);
    }
    return r;
}

static lathe_result write_poses(writing *w, uint64_t tracks_before, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t f = 0; r == LATHE_OK && f < w->m->frame_count; f++) {
        rec_at frame;
        anm_items bones;
        r = anm_frame_at(w->doc, f, &frame, err);
        if (r == LATHE_OK)
            r = anm_items_of(&frame, "bone_matrices", &bones, err);
        uint64_t had = r == LATHE_OK ? bones.count : 0;
        if (r == LATHE_OK && w->m->track_count != tracks_before)
            r = set_bone_count(w, &frame, err);
        if (r == LATHE_OK)
            r = anm_frame_at(w->doc, f, &frame, err);
        if (r == LATHE_OK)
            r = write_bones(w, &frame, f, had, err);
    }
    return r;
}

/* ---- the hook ---------------------------------------------------------------------------------------- */

lathe_result anm_clip_write(lathe_view source, const model_motion *m, const scene_precision *how,
                            lathe_report *report, lathe_error *err)
{
    writing w = {.doc = source.doc, .m = m, .report = report, .facts = anm_facts_of(source.doc)};
    anm_items bones = {.count = 0};
    rec_at frame;
    (void)how;
    lathe_result r = refuse_facts(&w, err);
    if (r == LATHE_OK)
        r = anm_frame_at(w.doc, 0, &frame, err);
    if (r == LATHE_OK)
        r = anm_items_of(&frame, "bone_matrices", &bones, err);
    if (r == LATHE_OK)
        r = check_moves(&w, err);
    if (r == LATHE_OK)
        r = set_frame_count(&w, err);
    if (r == LATHE_OK)
        r = write_times(&w, err);
    if (r == LATHE_OK)
        r = write_looping(&w, err);
    if (r == LATHE_OK)
        r = write_poses(&w, bones.count, err);
    if (r == LATHE_OK)
        r = write_moves(&w, err);
    return r == LATHE_OK ? anm_write_events(w.doc, m, report, err) : r;
}
