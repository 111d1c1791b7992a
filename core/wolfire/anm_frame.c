/* Fields of key frames as numbers and matrices, and the position of the character in a frame. */
#include "wolfire/anm_pose.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { NUMBERS = 16 };
#define TURN (2 * 3.14159265358979323846)

lathe_result anm_refuse(const rec_at *frame, const char *row, lathe_error *err, lathe_result code,
                        const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    uint32_t slot = row ? rec_slot_find(frame->layout, row) : REC_NO_SLOT;
    return rec_fail(frame, slot, frame->off, err, code, "%s", text);
}

/* ---- columns ------------------------------------------------------------------------------------- */

lathe_result anm_items_of(const rec_at *frame, const char *name, anm_items *out, lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, name);
    rec_loc loc;
    lathe_result r = rec_find(frame, slot, &loc, err);
    *out = (anm_items){.count = 0};
    if (r != LATHE_OK || !loc.present)
        return r;
    /* The fields of a weapon depend on the version, but within a file all weapons have the same size. */
    uint64_t step = frame->layout->slots[slot].elem;
    if (step == REC_DYNAMIC)
        step = loc.count ? loc.size / loc.count : 0;
    *out = (anm_items){rec_part_of(frame->doc, loc.part)->data + loc.data, loc.count, step};
    return LATHE_OK;
}

/* Float k of item i; 0 if the item is too short or there is none. */
static double number_of(const anm_items *items, uint64_t i, uint64_t k)
{
    if (i >= items->count || items->step < 4 * (k + 1))
        return 0;
    return bytes_f32_widen(bytes_ld32(items->data + i * items->step + 4 * k, false));
}

mat4 anm_items_matrix(const anm_items *items, uint64_t i)
{
    mat4 m;
    for (uint64_t k = 0; k < NUMBERS; k++)
        m.m[k / 4][k % 4] = number_of(items, i, k);
    return m;
}

double anm_items_number(const anm_items *items, uint64_t i)
{
    return number_of(items, i, 0);
}

lathe_result anm_matrices_read(const rec_at *frame, const char *name, anm_matrices *out,
                               lathe_error *err)
{
    anm_items items;
    lathe_result r = anm_items_of(frame, name, &items, err);
    *out = (anm_matrices){.mem = &frame->doc->mem};
    if (r != LATHE_OK || !items.count)
        return r;
    if (items.count > SIZE_MAX / sizeof *out->m)
        return rec_no_memory(err);
    out->m = mem_alloc(out->mem, (size_t)items.count * sizeof *out->m);
    if (!out->m)
        return rec_no_memory(err);
    out->count = items.count;
    for (uint64_t i = 0; i < out->count; i++)
        out->m[i] = anm_items_matrix(&items, i);
    return LATHE_OK;
}

void anm_matrices_free(anm_matrices *matrices)
{
    mem_free(matrices->mem, matrices->m, (size_t)matrices->count * sizeof *matrices->m);
    *matrices = (anm_matrices){.mem = matrices->mem};
}

static lathe_result set_matrix(const rec_at *matrix, const mat4 *m, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = 0; r == LATHE_OK && k < NUMBERS; k++) {
        lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = m->m[k / 4][k % 4]};
        r = rec_set(matrix, k, &v, err);
    }
    return r;
}

/* A bone is a matrix, a weapon contains one. */
lathe_result anm_matrices_write(const rec_at *frame, const char *name, const anm_matrices *in,
                                lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, name);
    const rec_layout *element = frame->layout->slots[slot].sub;
    uint32_t column = rec_slot_find(element, "matrix");
    lathe_result r = LATHE_OK;
    if (column == REC_NO_SLOT)
        return in->count ? anm_numbers_write(frame, name, in->m[0].m[0], in->count, err) : r;
    for (uint64_t i = 0; r == LATHE_OK && i < in->count; i++) {
        rec_at record, matrix;
        r = rec_sub(frame, slot, i, &record, err);
        if (r == LATHE_OK)
            r = rec_sub(&record, column, 0, &matrix, err);
        if (r == LATHE_OK)
            r = set_matrix(&matrix, &in->m[i], err);
    }
    return r;
}

lathe_result anm_numbers_write(const rec_at *frame, const char *name, const double *numbers,
                               uint64_t n, lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, name);
    return lathe_view_write(rec_array_view(frame, slot), NULL, 0, n, LATHE_ELEM_F64, numbers, 0,
                            err);
}

/* ---- single numbers ------------------------------------------------------------------------------ */

lathe_result anm_real(const rec_at *record, const char *name, double *out, lathe_error *err)
{
    lathe_value v;
    lathe_result r = rec_get(record, rec_slot_find(record->layout, name), false, &v, err);
    *out = r == LATHE_OK && v.kind == LATHE_KIND_REAL ? v.as.f : 0;
    return r;
}

lathe_result anm_set_real(const rec_at *record, const char *name, double v, lathe_error *err)
{
    lathe_value value = {.kind = LATHE_KIND_REAL, .as.f = v};
    return rec_set_name(record, name, &value, err);
}

lathe_result anm_set_time(const rec_at *frame, int64_t time, lathe_error *err)
{
    lathe_value value = {.kind = LATHE_KIND_INT, .as.i = time};
    return rec_set_name(frame, "time", &value, err);
}

lathe_result anm_time(lathe_doc *doc, const anm_facts *facts, uint64_t i, double *ms,
                      lathe_error *err)
{
    rec_at frame;
    lathe_result r = anm_frame_at(doc, i, &frame, err);
    if (r == LATHE_OK)
        *ms = (double)(rec_int(&frame, "time") - facts->start);
    return r;
}

/* ---- records in a frame ---------------------------------------------------------------------------- */

lathe_result anm_item(const rec_at *frame, const char *array, uint64_t i, rec_at *out,
                      lathe_error *err)
{
    return rec_sub(frame, rec_slot_find(frame->layout, array), i, out, err);
}

lathe_result anm_mobility(const rec_at *frame, mat4 *m, bool *has, lathe_error *err)
{
    anm_items items;
    uint32_t slot = rec_slot_find(frame->layout, "mobility_matrix");
    rec_loc loc;
    lathe_result r = rec_find(frame, slot, &loc, err);
    *has = r == LATHE_OK && loc.present;
    if (!*has)
        return r;
    items =
        (anm_items){rec_part_of(frame->doc, loc.part)->data + loc.off, 1, NUMBERS * sizeof(float)};
    *m = anm_items_matrix(&items, 0);
    return LATHE_OK;
}

lathe_result anm_set_mobility(const rec_at *frame, const mat4 *m, lathe_error *err)
{
    rec_at record;
    lathe_result r = anm_item(frame, "mobility_matrix", 0, &record, err);
    return r == LATHE_OK ? set_matrix(&record, m, err) : r;
}

/* ---- places ---------------------------------------------------------------------------------------- */

lathe_result anm_stored_place(const rec_at *frame, anm_place *out, lathe_error *err)
{
    rec_at offset;
    lathe_result r = anm_real(frame, "rotation", &out->rotation, err);
    if (r == LATHE_OK)
        r = anm_item(frame, "center_offset", 0, &offset, err);
    if (r == LATHE_OK)
        r = anm_real(&offset, "x", &out->offset.x, err);
    if (r == LATHE_OK)
        r = anm_real(&offset, "y", &out->offset.y, err);
    return r == LATHE_OK ? anm_real(&offset, "z", &out->offset.z, err) : r;
}

lathe_result anm_set_place(const rec_at *frame, const anm_place *place, lathe_error *err)
{
    rec_at offset;
    lathe_result r = anm_set_real(frame, "rotation", place->rotation, err);
    if (r == LATHE_OK)
        r = anm_item(frame, "center_offset", 0, &offset, err);
    if (r == LATHE_OK)
        r = anm_set_real(&offset, "x", place->offset.x, err);
    if (r == LATHE_OK)
        r = anm_set_real(&offset, "y", place->offset.y, err);
    return r == LATHE_OK ? anm_set_real(&offset, "z", place->offset.z, err) : r;
}

/* In the game's memory the third column is the second one of the file, negated (2.3). */
static anm_place place_of_mobility(const mat4 *m, const double *before)
{
    double angle = atan2(-m->m[1][0], -m->m[1][2]);
    double turns = before ? (angle - *before) / TURN : 0;
    if (turns > 0.5)
        angle -= TURN * ceil(turns - 0.5);
    else if (turns < -0.5)
        angle += TURN * ceil(-turns - 0.5);
    return (anm_place){angle, {-m->m[3][0], m->m[3][1], -m->m[3][2]}};
}

static lathe_result mean_of_bones(const rec_at *frame, vec3 *out, lathe_error *err)
{
    anm_items bones;
    vec3 sum = {0, 0, 0};
    lathe_result r = anm_items_of(frame, "bone_matrices", &bones, err);
    if (r == LATHE_OK && !bones.count)
        return anm_refuse(frame, "bone_matrices", err, LATHE_ERR_INVALID,
                          "neither bones nor a mobility matrix: nothing says where it is");
    for (uint64_t i = 0; r == LATHE_OK && i < bones.count; i++) {
        mat4 m = anm_items_matrix(&bones, i);
        sum = vec3_add(sum, (vec3){m.m[3][0], m.m[3][1], m.m[3][2]});
    }
    if (r == LATHE_OK)
        *out = vec3_scale(sum, 1 / (double)bones.count);
    return r;
}

lathe_result anm_found_place(const rec_at *frame, const double *before, anm_place *out,
                             bool *mobile, lathe_error *err)
{
    mat4 m;
    lathe_result r = anm_mobility(frame, &m, mobile, err);
    *out = (anm_place){.rotation = 0};
    if (r != LATHE_OK)
        return r;
    if (!*mobile)
        return mean_of_bones(frame, &out->offset, err);
    *out = place_of_mobility(&m, before);
    return LATHE_OK;
}

vec3 anm_step(vec3 world, vec3 before, const anm_place *now)
{
    return vec3_add(world, anm_turn(vec3_sub(now->offset, before), now->rotation));
}

void anm_to_world(anm_place *places, uint64_t n)
{
    vec3 before = places[0].offset;
    for (uint64_t i = 1; i < n; i++) {
        vec3 stored = places[i].offset;
        places[i].offset = anm_step(places[i - 1].offset, before, &places[i]);
        before = stored;
    }
}

void anm_from_world(anm_place *places, uint64_t n)
{
    vec3 before = places[0].offset;
    for (uint64_t i = 1; i < n; i++) {
        vec3 world = places[i].offset;
        vec3 step = anm_turn(vec3_sub(world, before), -places[i].rotation);
        places[i].offset = vec3_add(places[i - 1].offset, step);
        before = world;
    }
}

lathe_result anm_each(lathe_doc *doc, anm_visit *visit, void *user, lathe_error *err)
{
    uint64_t n = anm_facts_of(doc).frames;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at frame;
        r = anm_frame_at(doc, i, &frame, err);
        if (r == LATHE_OK)
            r = visit(user, &frame, i, err);
    }
    return r;
}

/* ---- copies ------------------------------------------------------------------------------------------ */

/* The bytes of a frame without its events, which happen only once. */
static lathe_result bytes_without_events(const rec_at *frame, buf *out, lathe_error *err)
{
    const rec_part *p = rec_part_of(frame->doc, frame->part);
    rec_loc count = {.present = false}, events;
    lathe_result r = rec_find(frame, rec_slot_find(frame->layout, "num_events"), &count, err);
    if (r == LATHE_OK)
        r = rec_find(frame, rec_slot_find(frame->layout, "events"), &events, err);
    if (r != LATHE_OK)
        return r;
    uint64_t from = count.present ? count.off : p->size;
    uint64_t to = count.present ? events.off + events.size : p->size;
    static const uint8_t none[4];
    return buf_put(out, p->data, (size_t)from) &&
                   buf_put(out, none, count.present ? sizeof none : 0) &&
                   buf_put(out, p->data + to, (size_t)(p->size - to))
               ? LATHE_OK
               : rec_no_memory(err);
}

lathe_result anm_append_copy(const rec_at *frame, uint32_t *part, lathe_error *err)
{
    lathe_doc *doc = frame->doc;
    rec_at root = rec_root(doc, 0);
    uint32_t frames = rec_slot_find(root.layout, "frames");
    uint64_t n = rec_kids(doc, root.part, frames);
    buf copy;
    buf_init(&copy, &doc->mem);
    lathe_result r = bytes_without_events(frame, &copy, err);
    if (r == LATHE_OK)
        r = rec_insert(&root, frames, n, 1, NULL, 0, err);
    if (r == LATHE_OK) {
        *part = rec_kid(doc, root.part, frames, n);
        r = rec_splice(doc, *part, 0, rec_part_of(doc, *part)->size, copy.data, copy.size, err);
    }
    buf_free(&copy);
    return r;
}
