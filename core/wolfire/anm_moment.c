/* Makes a key frame for a moment between two others. Reference: formats/wolfire.md#2.5. */
#include "wolfire/anm_pose.h"

typedef struct making {
    lathe_doc *doc;
    const anm_moment *moment;
    const model_skeleton *skeleton; /* NULL: poses are blended in model space */
    const rec_at *frame;
    lathe_error *err;
} making;

static double sum(const double values[4], const double w[4])
{
    return values[0] * w[0] + values[1] * w[1] + values[2] * w[2] + values[3] * w[3];
}

static double between(double a, double b, double p)
{
    return a + (b - a) * p;
}

/* ---- matrices -------------------------------------------------------------------------------------- */

/* Blends each bone relative to its parent, as the game does; parents come first. */
static lathe_result blend_bones(const making *in, const anm_four *four, anm_matrices *out)
{
    const model_skeleton *skeleton = in->skeleton;
    const mem *memory = &in->doc->mem;
    size_t n = (size_t)out->count, size = n * sizeof(anm_pose);
    uint32_t *order;
    lathe_result r = anm_bone_order(skeleton, &order, in->err);
    if (r != LATHE_OK)
        return r;
    anm_pose *posed = mem_alloc(memory, size);
    for (size_t k = 0; posed && k < n; k++) {
        uint32_t b = order[k];
        int32_t parent = skeleton->bones[b].parent;
        anm_pose pose = anm_four_pose(four, b, parent);
        pose.q = quat_normalize(pose.q);
        posed[b] = parent < 0 ? pose : anm_pose_absolute(&posed[parent], &pose);
        out->m[b] = anm_pose_matrix(&posed[b], &out->m[b]);
    }
    if (!posed)
        r = rec_no_memory(in->err);
    mem_free(memory, posed, size);
    mem_free(&skeleton->mem, order, n * sizeof *order);
    return r;
}

static lathe_result make_matrices(const making *in, const char *row, bool through_parents)
{
    anm_matrices all;
    anm_four four;
    lathe_result r = anm_matrices_read(in->frame, row, &all, in->err);
    if (r == LATHE_OK)
        r = anm_four_of(in->doc, in->moment, row, all.count, &four, in->err);
    if (r == LATHE_OK && through_parents) {
        r = anm_fits(in->skeleton, all.count, in->err);
        if (r == LATHE_OK)
            r = blend_bones(in, &four, &all);
    }
    for (uint64_t i = 0; r == LATHE_OK && !through_parents && i < all.count; i++) {
        anm_pose pose = anm_four_pose(&four, i, -1);
        all.m[i] = anm_pose_matrix(&pose, &all.m[i]);
    }
    if (r == LATHE_OK)
        r = anm_matrices_write(in->frame, row, &all, in->err);
    anm_matrices_free(&all);
    return r;
}

/* Blends the mobility matrices if all four frames have one; else keeps that of the previous frame. */
static lathe_result make_mobility(const making *in)
{
    anm_pose pose[4];
    mat4 m, base;
    bool has = true;
    lathe_result r = anm_mobility(in->frame, &base, &has, in->err);
    for (int k = 0; r == LATHE_OK && has && k < 4; k++) {
        rec_at frame;
        r = anm_frame_at(in->doc, in->moment->frame[k], &frame, in->err);
        if (r == LATHE_OK)
            r = anm_mobility(&frame, &m, &has, in->err);
        if (r == LATHE_OK && has)
            pose[k] = anm_pose_of(&m);
    }
    if (r != LATHE_OK || !has)
        return r;
    anm_pose blended = anm_blend(pose, in->moment->w);
    m = anm_pose_matrix(&blended, &base);
    return anm_set_mobility(in->frame, &m, in->err);
}

/* ---- numbers --------------------------------------------------------------------------------------- */

static lathe_result make_weights(const making *in)
{
    anm_items now;
    anm_four four;
    lathe_result r = anm_items_of(in->frame, "weights", &now, in->err);
    size_t n = (size_t)now.count, size = n * sizeof(double);
    if (r == LATHE_OK)
        r = anm_four_of(in->doc, in->moment, "weights", n, &four, in->err);
    if (r != LATHE_OK || !n)
        return r;
    double *weights = mem_alloc(&in->doc->mem, size);
    if (!weights)
        return rec_no_memory(in->err);
    for (size_t i = 0; i < n; i++) {
        double values[4];
        for (int k = 0; k < 4; k++)
            values[k] = anm_items_number(&four.items[k], i);
        weights[i] = sum(values, in->moment->w);
    }
    r = anm_numbers_write(in->frame, "weights", weights, n, in->err);
    mem_free(&in->doc->mem, weights, size);
    return r;
}

static lathe_result key_weight(const making *in, int k, const char *row, uint64_t i, double *out)
{
    rec_at frame, key;
    lathe_result r = anm_frame_at(in->doc, in->moment->frame[k], &frame, in->err);
    if (r == LATHE_OK)
        r = anm_item(&frame, row, i, &key, in->err);
    return r == LATHE_OK ? anm_real(&key, "weight", out, in->err) : r;
}

/* Blends keys by index: the game also assumes that all frames have the same labels. */
static lathe_result make_keys(const making *in, const char *row, bool smooth)
{
    anm_items keys;
    lathe_result r = anm_items_of(in->frame, row, &keys, in->err);
    for (uint64_t i = 0; r == LATHE_OK && i < keys.count; i++) {
        double values[4] = {0, 0, 0, 0}, weight;
        rec_at key;
        for (int k = smooth ? 0 : 1; r == LATHE_OK && k < (smooth ? 4 : 3); k++)
            r = key_weight(in, k, row, i, &values[k]);
        if (r == LATHE_OK)
            r = anm_item(in->frame, row, i, &key, in->err);
        weight = smooth ? sum(values, in->moment->w) : between(values[1], values[2], in->moment->p);
        if (r == LATHE_OK)
            r = anm_set_real(&key, "weight", weight, in->err);
    }
    return r;
}

static lathe_result make_place(const making *in)
{
    anm_place at[2];
    double p = in->moment->p;
    lathe_result r = LATHE_OK;
    for (int k = 0; r == LATHE_OK && k < 2; k++) {
        rec_at frame;
        r = anm_frame_at(in->doc, in->moment->frame[k + 1], &frame, in->err);
        if (r == LATHE_OK)
            r = anm_stored_place(&frame, &at[k], in->err);
    }
    vec3 way = vec3_sub(at[1].offset, at[0].offset);
    anm_place place = {between(at[0].rotation, at[1].rotation, p),
                       vec3_add(at[0].offset, vec3_scale(way, p))};
    return r == LATHE_OK ? anm_set_place(in->frame, &place, in->err) : r;
}

lathe_result anm_make_moment(lathe_doc *doc, const anm_moment *moment,
                             const model_skeleton *skeleton, const rec_at *frame, lathe_error *err)
{
    const making in = {doc, moment, skeleton, frame, err};
    if (moment->is_key)
        return LATHE_OK;
    lathe_result r = make_matrices(&in, "bone_matrices", skeleton != NULL);
    if (r == LATHE_OK)
        r = make_matrices(&in, "weapon_matrices", false);
    if (r == LATHE_OK)
        r = make_mobility(&in);
    if (r == LATHE_OK)
        r = make_weights(&in);
    if (r == LATHE_OK)
        r = make_keys(&in, "shape_keys", true);
    if (r == LATHE_OK)
        r = make_keys(&in, "status_keys", false);
    return r == LATHE_OK && anm_facts_of(doc).centered ? make_place(&in) : r;
}
