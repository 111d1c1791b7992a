/* Centring: moves position and heading out of the poses, as the game does at load, and back. Reference:
 * formats/wolfire.md#2.4. */
#include "wolfire/anm_pose.h"

#include <stdio.h>

enum { PLACE = 16 }; /* size of rotation and center_offset at the end of a frame */

typedef struct centring {
    anm_place *places; /* heading and world position of each frame */
    bool *mobile;
    vec3 base; /* the part of the position that stays in the poses: that of a first frame without
                * mobility */
    lathe_report *report;
} centring;

static lathe_result begin(lathe_doc *doc, const anm_facts *facts, centring *job, lathe_error *err)
{
    size_t n = (size_t)facts->frames;
    job->places = mem_zalloc(&doc->mem, n * sizeof *job->places);
    job->mobile = mem_zalloc(&doc->mem, n * sizeof *job->mobile);
    return job->places && job->mobile ? LATHE_OK : rec_no_memory(err);
}

static void end(lathe_doc *doc, const anm_facts *facts, centring *job)
{
    mem_free(&doc->mem, job->places, (size_t)facts->frames * sizeof *job->places);
    mem_free(&doc->mem, job->mobile, (size_t)facts->frames * sizeof *job->mobile);
}

/* Moves all bones and weapons of a frame by `first`, rotates them, then moves them by `then`. */
static lathe_result move(const rec_at *frame, vec3 first, double angle, vec3 then, lathe_error *err)
{
    static const char *const rows[] = {"bone_matrices", "weapon_matrices"};
    lathe_result r = LATHE_OK;
    for (size_t k = 0; r == LATHE_OK && k < REC_COUNT_OF(rows); k++) {
        anm_matrices all;
        r = anm_matrices_read(frame, rows[k], &all, err);
        for (uint64_t i = 0; r == LATHE_OK && i < all.count; i++) {
            double *t = all.m[i].m[3];
            vec3 at = vec3_add((vec3){t[0], t[1], t[2]}, first);
            t[0] = at.x, t[1] = at.y, t[2] = at.z;
            if (angle != 0) /* without a rotation the axes keep their exact bits */
                all.m[i] = anm_turn_matrix(&all.m[i], angle);
            at = vec3_add((vec3){t[0], t[1], t[2]}, then);
            t[0] = at.x, t[1] = at.y, t[2] = at.z;
        }
        if (r == LATHE_OK)
            r = anm_matrices_write(frame, rows[k], &all, err);
        anm_matrices_free(&all);
    }
    return r;
}

/* Sets `centered` for the whole file. This adds or removes the last fields of all frames, so the bytes are
 * cut or inserted right after, before anything reads them. */
static lathe_result set_centered(lathe_doc *doc, bool on, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    uint32_t frames = rec_slot_find(root.layout, "frames");
    uint64_t n = rec_kids(doc, root.part, frames);
    lathe_result r = rec_put_raw(&root, rec_slot_find(root.layout, "centered"), 0, on, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint32_t part = rec_kid(doc, root.part, frames, i);
        uint64_t size = rec_part_of(doc, part)->size;
        r = on ? rec_splice(doc, part, size, 0, NULL, PLACE, err)
               : rec_splice(doc, part, size - PLACE, PLACE, NULL, 0, err);
    }
    return r;
}

/* ---- centring ------------------------------------------------------------------------------------ */

static lathe_result find_place(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    centring *job = user;
    anm_place *place = &job->places[i];
    lathe_result r =
        anm_found_place(frame, i ? &place[-1].rotation : NULL, place, &job->mobile[i], err);
    if (r == LATHE_OK && i == 0 && !job->mobile[0])
        job->base = place->offset;
    return r;
}

static lathe_result take_out(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    const centring *job = user;
    vec3 out = vec3_sub(job->base, job->places[i].offset);
    return move(frame, out, -job->places[i].rotation, (vec3){0, 0, 0}, err);
}

static lathe_result store_place(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    const centring *job = user;
    return anm_set_place(frame, &job->places[i], err);
}

static lathe_result store_places(lathe_doc *doc, centring *job, uint64_t n, lathe_error *err)
{
    for (uint64_t i = 0; i < n; i++)
        job->places[i].offset = vec3_sub(job->places[i].offset, job->base);
    anm_from_world(job->places, n);
    return anm_each(doc, store_place, job, err);
}

static lathe_result raise_version(lathe_doc *doc, const anm_facts *facts, lathe_report *report,
                                  lathe_error *err)
{
    char reason[96];
    if (facts->version >= ANM_CENTERED)
        return LATHE_OK;
    lathe_result r = anm_set_version(doc, ANM_CENTERED, report, err);
    snprintf(reason, sizeof reason, "%d instead of %lld, which cannot be centered", ANM_CENTERED,
             (long long)facts->version);
    if (r == LATHE_OK && report && report->skipped)
        report->skipped(report->user, "version", reason);
    return r;
}

/* Centres a document as the game does at load. Versions below 10 become 10. */
static lathe_result centre(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    anm_facts facts = anm_facts_of(doc);
    centring job = {.report = report};
    if (facts.centered)
        return LATHE_OK;
    lathe_result r = raise_version(doc, &facts, report, err);
    if (r == LATHE_OK)
        r = begin(doc, &facts, &job, err);
    if (r == LATHE_OK)
        r = anm_each(doc, find_place, &job, err);
    if (r == LATHE_OK)
        r = anm_each(doc, take_out, &job, err);
    if (r == LATHE_OK)
        r = set_centered(doc, true, err);
    if (r == LATHE_OK)
        r = store_places(doc, &job, facts.frames, err);
    end(doc, &facts, &job);
    if (r == LATHE_OK && report)
        report->changed += facts.frames;
    return r;
}

/* ---- uncentring ---------------------------------------------------------------------------------- */

static lathe_result read_place(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    centring *job = user;
    mat4 m;
    lathe_result r = anm_stored_place(frame, &job->places[i], err);
    return r == LATHE_OK ? anm_mobility(frame, &m, &job->mobile[i], err) : r;
}

static lathe_result put_back(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    const centring *job = user;
    const anm_place *place = &job->places[i];
    char path[64];
    if (job->report && job->report->skipped && place->rotation != 0 && !job->mobile[i]) {
        snprintf(path, sizeof path, "frames[%llu].rotation", (unsigned long long)i + 1);
        job->report->skipped(job->report->user, path,
                             "now part of the pose: without a mobility matrix the game takes "
                             "the heading to be 0");
    }
    return move(frame, (vec3){0, 0, 0}, place->rotation, place->offset, err);
}

lathe_result anm_uncentre(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    anm_facts facts = anm_facts_of(doc);
    centring job = {.report = report};
    if (!facts.centered)
        return LATHE_OK;
    lathe_result r = begin(doc, &facts, &job, err);
    if (r == LATHE_OK)
        r = anm_each(doc, read_place, &job, err);
    if (r == LATHE_OK) {
        anm_to_world(job.places, facts.frames);
        r = anm_each(doc, put_back, &job, err);
    }
    if (r == LATHE_OK)
        r = set_centered(doc, false, err);
    end(doc, &facts, &job);
    if (r == LATHE_OK && report)
        report->changed += facts.frames;
    return r;
}

/* ---- verbs ------------------------------------------------------------------------------------------- */

lathe_result anm_verb_centre(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    (void)args;
    return centre(self.doc, report, err);
}

lathe_result anm_verb_uncentre(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    (void)args;
    return anm_uncentre(self.doc, report, err);
}
