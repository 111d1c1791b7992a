/* Mirrors an animation: swaps left and right. Reference: formats/wolfire.md#6.
 *
 * The matrix of a bone maps its rest axes to the pose. The axes of a bone and of its counterpart are not
 * mirror images of each other. So the motion from rest to pose is reflected. */
#include "wolfire/anm_pose.h"

#include "scene/clip.h"

typedef struct mirroring {
    lathe_doc *doc;
    const model_bone *bones;
    size_t n;
    mat4 *rest, *back; /* of each bone at rest, in model space, and its inverse */
} mirroring;

/* ---- the skeleton --------------------------------------------------------------------------------- */

static lathe_result bone_error(const mirroring *job, size_t i, const char *what, lathe_error *err)
{
    const char *name = job->bones[i].name;
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "bone %zu%s%s%s %s", i,
                     name ? " (" : "", name ? name : "", name ? ")" : "", what);
}

static lathe_result check_mirrors(const mirroring *job, lathe_error *err)
{
    for (size_t i = 0; i < job->n; i++) {
        int32_t other = job->bones[i].mirror;
        if (other < 0 || (size_t)other >= job->n)
            return bone_error(job, i, "has no bone on its other side", err);
        if (job->bones[other].mirror != (int64_t)i)
            return bone_error(job, i, "is not the other side of the bone on its other side", err);
    }
    return LATHE_OK;
}

static lathe_result rest_of(const mirroring *job, const model_skeleton *skeleton, lathe_error *err)
{
    uint32_t *order;
    lathe_result r = anm_bone_order(skeleton, &order, err);
    size_t k = 0;
    for (; r == LATHE_OK && k < job->n; k++) {
        const model_bone *bone = &job->bones[order[k]];
        const double *p = bone->pose;
        mat4 *rest = &job->rest[order[k]];
        *rest =
            mat4_compose((vec3){p[0], p[1], p[2]}, quat_normalize((quat){p[3], p[4], p[5], p[6]}),
                         (vec3){p[7], p[8], p[9]});
        if (bone->parent >= 0)
            *rest = mat4_mul(&job->rest[bone->parent], rest);
        if (!mat4_invert(rest, &job->back[order[k]]))
            r = bone_error(job, order[k], "has a rest pose without an inverse", err);
    }
    mem_free(&skeleton->mem, order, job->n * sizeof *order);
    return r;
}

/* ---- names ------------------------------------------------------------------------------------------ */

typedef struct text {
    char *p;
    size_t n;
} text;

static bool starts(const text *t, size_t i, const char *word)
{
    size_t n = strlen(word);
    return n <= t->n - i && memcmp(t->p + i, word, n) == 0;
}

/* Swaps the words "left" and "right". `out` must have room for 5 bytes per 4. */
static size_t swap_words(const text *in, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < in->n;) {
        bool left = starts(in, i, "left"), right = !left && starts(in, i, "right");
        const char *word = left ? "right" : "left";
        if (left || right) {
            memcpy(out + n, word, strlen(word));
            n += strlen(word);
            i += left ? 4 : 5;
        } else {
            out[n++] = in->p[i++];
        }
    }
    return n;
}

/* Swaps the last letter of a name that ends in _l or _r. */
static size_t swap_ending(const text *in, char *out)
{
    memcpy(out, in->p, in->n);
    if (in->n >= 2 && in->p[in->n - 2] == '_') {
        char *last = &out[in->n - 1];
        *last = (char)(*last == 'l' ? 'r' : *last == 'r' ? 'l' : *last);
    }
    return in->n;
}

static lathe_result rename_text(const rec_at *record, const char *field,
                                size_t swap(const text *in, char *out), lathe_error *err)
{
    const mem *memory = &record->doc->mem;
    uint32_t slot = rec_slot_find(record->layout, field);
    lathe_value v;
    lathe_result r = rec_get(record, slot, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || v.as.s.n == 0)
        return r;
    text name = {.n = v.as.s.n};
    size_t room = 3 * name.n;
    name.p = mem_alloc(memory, room);
    if (!name.p)
        return rec_no_memory(err);
    memcpy(name.p, v.as.s.p, name.n); /* the value is borrowed, and its bytes are about to change */
    v.as.s.p = name.p + name.n;
    v.as.s.n = swap(&name, name.p + name.n);
    r = rec_set(record, slot, &v, err);
    mem_free(memory, name.p, room);
    return r;
}

/* ---- bone numbers ------------------------------------------------------------------------------------ */

/* Maps a bone to its counterpart. Other numbers (-1, and invalid ones) stay. */
static int64_t other_side(const mirroring *job, int64_t bone)
{
    return bone >= 0 && (uint64_t)bone < job->n ? job->bones[bone].mirror : bone;
}

static lathe_result swap_number(const mirroring *job, const rec_at *record, const char *field,
                                lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = other_side(job, rec_int(record, field))};
    return rec_set_name(record, field, &v, err);
}

static lathe_result swap_path(const mirroring *job, const rec_at *chain, lathe_error *err)
{
    uint32_t slot = rec_slot_find(chain->layout, "path");
    uint64_t n = (uint64_t)rec_int(chain, "num_path");
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        lathe_value v;
        r = rec_get_item(chain, slot, i, false, &v, err);
        if (r != LATHE_OK)
            break;
        v.as.i = other_side(job, v.as.i);
        r = rec_set_item(chain, slot, i, &v, err);
    }
    return r;
}

/* ---- poses ---------------------------------------------------------------------------------------------- */

static lathe_result mirror_bones(const mirroring *job, const rec_at *frame, lathe_error *err)
{
    anm_matrices all, out = {.mem = &job->doc->mem};
    lathe_result r = anm_matrices_read(frame, "bone_matrices", &all, err);
    if (r == LATHE_OK && all.count != job->n)
        r = anm_refuse(frame, "bone_matrices", err, LATHE_ERR_INVALID,
                       "%llu bones, but the skeleton has %zu", (unsigned long long)all.count,
                       job->n);
    if (r == LATHE_OK)
        r = anm_matrices_read(frame, "bone_matrices", &out, err);
    for (size_t i = 0; r == LATHE_OK && i < job->n; i++) {
        size_t other = (size_t)job->bones[i].mirror;
        mat4 moved = mat4_mul(&all.m[other], &job->back[other]);
        moved = anm_reflect(&moved);
        out.m[i] = mat4_mul(&moved, &job->rest[i]);
    }
    if (r == LATHE_OK)
        r = anm_matrices_write(frame, "bone_matrices", &out, err);
    anm_matrices_free(&all);
    anm_matrices_free(&out);
    return r;
}

/* Mirrors weapons, and rotates them by half a turn about their third axis, so that the other hand can hold them. */
static lathe_result mirror_weapons(const rec_at *frame, lathe_error *err)
{
    anm_matrices all;
    lathe_result r = anm_matrices_read(frame, "weapon_matrices", &all, err);
    for (uint64_t i = 0; r == LATHE_OK && i < all.count; i++) {
        mat4 m = anm_reflect(&all.m[i]);
        for (int k = 0; k < 6; k++)
            m.m[k / 3][k % 3] = anm_negated(m.m[k / 3][k % 3]);
        all.m[i] = m;
    }
    if (r == LATHE_OK)
        r = anm_matrices_write(frame, "weapon_matrices", &all, err);
    anm_matrices_free(&all);
    return r;
}

static lathe_result mirror_weights(const mirroring *job, const rec_at *frame, lathe_error *err)
{
    anm_items weights;
    lathe_result r = anm_items_of(frame, "weights", &weights, err);
    size_t n = (size_t)weights.count, size = n * sizeof(double);
    if (r != LATHE_OK || !n)
        return r;
    double *out = mem_alloc(&job->doc->mem, size);
    if (!out)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint64_t other = (uint64_t)other_side(job, (int64_t)i);
        out[i] = anm_items_number(&weights, other < n ? other : i);
    }
    r = anm_numbers_write(frame, "weights", out, n, err);
    mem_free(&job->doc->mem, out, size);
    return r;
}

static lathe_result mirror_place(const mirroring *job, const rec_at *frame, lathe_error *err)
{
    anm_place place;
    mat4 m;
    bool has;
    lathe_result r = anm_mobility(frame, &m, &has, err);
    if (r == LATHE_OK && has) {
        m = anm_reflect(&m);
        r = anm_set_mobility(frame, &m, err);
    }
    if (r != LATHE_OK || !anm_facts_of(job->doc).centered)
        return r;
    r = anm_stored_place(frame, &place, err);
    place.rotation = anm_negated(place.rotation);
    place.offset.x = anm_negated(place.offset.x);
    return r == LATHE_OK ? anm_set_place(frame, &place, err) : r;
}

/* ---- records --------------------------------------------------------------------------------------------- */

typedef lathe_result visit(const mirroring *job, const rec_at *record, lathe_error *err);

static lathe_result mirror_weapon(const mirroring *job, const rec_at *weapon, lathe_error *err)
{
    return anm_facts_of(job->doc).version < ANM_WEAPON_IDS
               ? LATHE_OK
               : swap_number(job, weapon, "relative_id", err);
}

static lathe_result mirror_event(const mirroring *job, const rec_at *event, lathe_error *err)
{
    lathe_result r = swap_number(job, event, "bone", err);
    return r == LATHE_OK ? rename_text(event, "name", swap_words, err) : r;
}

static lathe_result mirror_chain(const mirroring *job, const rec_at *chain, lathe_error *err)
{
    lathe_result r = swap_path(job, chain, err);
    return r == LATHE_OK ? rename_text(chain, "label", swap_words, err) : r;
}

static lathe_result mirror_shape(const mirroring *job, const rec_at *key, lathe_error *err)
{
    (void)job;
    return rename_text(key, "label", swap_ending, err);
}

static lathe_result mirror_status(const mirroring *job, const rec_at *key, lathe_error *err)
{
    (void)job;
    return rename_text(key, "label", swap_words, err);
}

static lathe_result mirror_records(const mirroring *job, const rec_at *frame, lathe_error *err)
{
    static const struct {
        const char *row;
        visit *each;
    } rows[] = {{"weapon_matrices", mirror_weapon},
                {"events", mirror_event},
                {"ik_bones", mirror_chain},
                {"shape_keys", mirror_shape},
                {"status_keys", mirror_status}};
    lathe_result r = LATHE_OK;
    for (size_t k = 0; r == LATHE_OK && k < REC_COUNT_OF(rows); k++) {
        anm_items items;
        rec_at record;
        r = anm_items_of(frame, rows[k].row, &items, err);
        for (uint64_t i = 0; r == LATHE_OK && i < items.count; i++) {
            r = anm_item(frame, rows[k].row, i, &record, err);
            if (r == LATHE_OK)
                r = rows[k].each(job, &record, err);
        }
    }
    return r;
}

static lathe_result mirror_frame(void *user, const rec_at *frame, uint64_t i, lathe_error *err)
{
    const mirroring *job = user;
    (void)i;
    lathe_result r = mirror_bones(job, frame, err);
    if (r == LATHE_OK)
        r = mirror_weapons(frame, err);
    if (r == LATHE_OK)
        r = mirror_weights(job, frame, err);
    if (r == LATHE_OK)
        r = mirror_place(job, frame, err);
    return r == LATHE_OK ? mirror_records(job, frame, err) : r;
}

static lathe_result mirror_all(lathe_doc *doc, const model_skeleton *skeleton, lathe_error *err)
{
    mirroring job = {.doc = doc, .bones = skeleton->bones, .n = skeleton->bone_count};
    size_t size = job.n * sizeof(mat4);
    lathe_result r = check_mirrors(&job, err);
    if (r != LATHE_OK)
        return r;
    job.rest = mem_alloc(&doc->mem, size);
    job.back = mem_alloc(&doc->mem, size);
    if (!job.rest || !job.back)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = rest_of(&job, skeleton, err);
    if (r == LATHE_OK)
        r = anm_each(doc, mirror_frame, &job, err);
    mem_free(&doc->mem, job.rest, size);
    mem_free(&doc->mem, job.back, size);
    return r;
}

lathe_result anm_verb_mirror(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    model_skeleton skeleton;
    bool given;
    lathe_result r = scene_skeleton_arg(self.doc, args, "skeleton", &skeleton, &given, err);
    if (r != LATHE_OK)
        return r;
    r = mirror_all(self.doc, &skeleton, err);
    if (r == LATHE_OK && report)
        report->changed += anm_facts_of(self.doc).frames;
    model_skeleton_free(&skeleton);
    return r;
}
