/* Scaling: the walk over records that multiplies lengths, shared by all formats. */
#include "scene/scale.h"

#include "base/half.h"
#include "record/types.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- factors ------------------------------------------------------------------------------------------------ */

void scene_scale_begin(scene_scaling *s, double factor)
{
    buf_init(&s->changed, &s->doc->mem);
    for (int i = -SCENE_SCALE_POWERS; i <= SCENE_SCALE_POWERS; i++)
        s->by[i + SCENE_SCALE_POWERS] = pow(factor, i);
}

void scene_scale_skip(const scene_scaling *s, const rec_at *at, uint32_t slot, const char *reason)
{
    char path[256];
    if (!s->report || !s->report->skipped)
        return;
    rec_path(at, slot, REC_NO_ITEM, path, sizeof path);
    s->report->skipped(s->report->user, path, reason);
}

/* ---- copies ------------------------------------------------------------------------------------------------- */

/* Enlarges the table of copies, because opening embedded documents adds parts. */
static bool make_room(scene_scaling *s)
{
    size_t n = s->doc->parts_n;
    uint8_t **copies = mem_zalloc(&s->doc->mem, n * sizeof *copies);
    if (!copies)
        return false;
    if (s->copies)
        memcpy(copies, s->copies, s->parts * sizeof *copies);
    mem_free(&s->doc->mem, s->copies, s->parts * sizeof *copies);
    s->copies = copies;
    s->parts = n;
    return true;
}

uint8_t *scene_scale_copy(scene_scaling *s, uint32_t part)
{
    const rec_part *p = rec_part_of(s->doc, part);
    if (part >= s->parts && !make_room(s))
        return NULL;
    if (s->copies[part])
        return s->copies[part];
    uint8_t *copy = mem_alloc(&s->doc->mem, (size_t)p->size); /* only parts with bytes are scaled */
    if (!copy || !buf_put(&s->changed, &part, sizeof part)) {
        mem_free(&s->doc->mem, copy, (size_t)p->size);
        return NULL;
    }
    memcpy(copy, p->data, (size_t)p->size);
    return s->copies[part] = copy;
}

static uint32_t changed_part(const scene_scaling *s, size_t i)
{
    uint32_t part;
    memcpy(&part, s->changed.data + i * sizeof part, sizeof part);
    return part;
}

static void forget(scene_scaling *s)
{
    for (size_t i = 0; i < s->changed.size / sizeof(uint32_t); i++) {
        uint32_t part = changed_part(s, i);
        mem_free(&s->doc->mem, s->copies[part], (size_t)rec_part_of(s->doc, part)->size);
        s->copies[part] = NULL;
    }
    s->changed.size = 0;
}

lathe_result scene_scale_write(scene_scaling *s, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < s->changed.size / sizeof(uint32_t); i++) {
        uint32_t part = changed_part(s, i);
        const rec_part *p = rec_part_of(s->doc, part);
        if (memcmp(p->data, s->copies[part], (size_t)p->size) != 0)
            r = rec_splice(s->doc, part, 0, p->size, s->copies[part], p->size, err);
    }
    forget(s);
    return r;
}

void scene_scale_end(scene_scaling *s)
{
    forget(s);
    buf_free(&s->changed);
    mem_free(&s->doc->mem, s->copies, s->parts * sizeof *s->copies);
    s->copies = NULL;
    s->parts = 0;
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static double decode(rec_kind kind, uint32_t raw)
{
    if (kind == REC_F16)
        return half_to_double((uint16_t)raw);
    return kind == REC_F32 ? bytes_f32_widen(raw) : (double)raw;
}

/* Encodes a number. False: it does not fit. */
static bool encode(rec_kind kind, double v, uint32_t *raw)
{
    switch (kind) {
    case REC_F16: *raw = half_from_double(v); return isfinite(half_to_double((uint16_t)*raw));
    case REC_F32: *raw = bytes_f32_narrow(v); return isfinite(bytes_f32_widen(*raw));
    default: break;
    }
    if (!(v < 4294967295.5))
        return false;
    *raw = (uint32_t)floor(v + 0.5);
    return true;
}

/* Whether a number is never scaled: 0, NaN, infinity, and values that mean "none" or "unlimited". */
static bool stays(const scene_scaling *s, rec_kind kind, double v)
{
    return v == 0 || !isfinite(v) || (kind == REC_F32 && fabs(v) >= s->none);
}

/* The place of component `lane` of element `i`: in a vector, or in the translation of a matrix. */
static rec_at place_of(const rec_at *at, uint32_t *slot, uint64_t i, unsigned lane)
{
    rec_at element, vector;
    if (rec_slot_of(at, *slot)->row->kind != REC_RECORD ||
        rec_sub(at, *slot, i, &element, NULL) != LATHE_OK)
        return *at;
    bool moves = element.layout->type == &rec_mat4 && lane >= 12 && lane < 15;
    if (moves && rec_sub(&element, rec_slot_find(element.layout, "translation"), 0, &vector,
                         NULL) == LATHE_OK) {
        element = vector;
        lane -= 12;
    } else if (lane >= rec_lanes(element.layout->type)) {
        return *at;
    }
    *slot = lane;
    return element;
}

/* The error for component `lane` of element `i`: `v` does not fit at `off`. */
static lathe_result too_large(const rec_at *at, uint32_t slot, uint64_t i, unsigned lane,
                              uint64_t off, rec_kind kind, double v, lathe_error *err)
{
    char text[32];
    const char *name = kind == REC_F16 ? "f16" : kind == REC_F32 ? "f32" : "u32";
    rec_at place = place_of(at, &slot, i, lane);
    snprintf(text, sizeof text, "%.9g", v);
    if (strtod(text, NULL) != v)
        snprintf(text, sizeof text, "%.17g", v);
    return rec_fail(&place, slot, off, err, LATHE_ERR_RANGE, "%s does not fit into %s", text, name);
}

typedef struct run {
    uint32_t part;
    uint64_t off, n; /* n: elements */
} run;

static lathe_result scale_numbers(scene_scaling *s, const rec_at *at, uint32_t slot,
                                  const scene_scale_row *how, const run *of, uint8_t *copy,
                                  lathe_error *err)
{
    const uint8_t *p = rec_part_of(s->doc, of->part)->data + of->off;
    const bool big = rec_slot_of(at, slot)->big;
    const unsigned width = how->kind == REC_F16 ? 2 : 4;
    uint64_t n = of->n * how->lanes;
    uint8_t *q = copy + of->off;
    for (uint64_t i = 0, lane = 0; i < n; i++, lane = lane + 1 < how->period ? lane + 1 : 0) {
        double by = how->by[lane];
        uint32_t raw;
        if (by == 1)
            continue;
        double was =
            decode(how->kind, width == 2 ? bytes_ld16(p + 2 * i, big) : bytes_ld32(p + 4 * i, big));
        if (stays(s, how->kind, was))
            continue;
        if (!encode(how->kind, was * by, &raw))
            return too_large(at, slot, i / how->lanes, (unsigned)(i % how->lanes),
                             of->off + i * width, how->kind, was * by, err);
        bytes_st(q + i * width, raw, width, big);
    }
    return LATHE_OK;
}

static lathe_result turn_elements(scene_scaling *s, const rec_at *at, uint32_t slot,
                                  const scene_scale_row *how, const run *of, uint8_t *copy,
                                  lathe_error *err)
{
    const uint8_t *p = rec_part_of(s->doc, of->part)->data + of->off;
    const bool big = rec_slot_of(at, slot)->big;
    for (uint64_t i = 0; i < of->n; i++)
        if (!how->turn(p + i * how->width, copy + of->off + i * how->width, how->by, big))
            return rec_fail(at, slot, of->off + i * how->width, err, LATHE_ERR_RANGE,
                            "what is scaled does not fit into %s",
                            rec_type_name(rec_row_type(rec_slot_of(at, slot)->row)));
    return LATHE_OK;
}

static lathe_result scale_leaf(scene_scaling *s, const rec_at *at, uint32_t slot,
                               const scene_scale_row *how, const run *of, lathe_error *err)
{
    uint64_t size = rec_part_of(s->doc, of->part)->size;
    uint64_t width = how->turn ? how->width : (how->kind == REC_F16 ? 2u : 4u) * how->lanes;
    if (of->off > size || (width && of->n > (size - of->off) / width))
        return rec_fail(at, slot, of->off, err, LATHE_ERR_BOUNDS, "outside of its %s",
                        rec_type_name(at->layout->type));
    if (!of->n)
        return LATHE_OK;
    uint8_t *copy = scene_scale_copy(s, of->part);
    if (!copy)
        return rec_no_memory(err);
    return how->turn ? turn_elements(s, at, slot, how, of, copy, err)
                     : scale_numbers(s, at, slot, how, of, copy, err);
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

static lathe_result walk(scene_scaling *s, const rec_at *at, int power, unsigned family, int depth,
                         lathe_error *err);

static lathe_result walk_records(scene_scaling *s, const rec_at *at, uint32_t slot, uint64_t n,
                                 const scene_scale_row *how, int depth, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = walk(s, &sub, how->power, how->family, depth + 1, err);
    }
    return r;
}

static lathe_result walk_row(scene_scaling *s, const rec_at *at, uint32_t slot, int outer,
                             unsigned family, int depth, lathe_error *err)
{
    scene_scale_row how;
    how.leaf = false;
    how.power = 0;
    how.family = family;
    how.most = UINT64_MAX;
    how.counted = 1;
    how.turn = NULL;
    if (!s->row(s, at, slot, outer, &how))
        return LATHE_OK;
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    bool array = rec_slot_of(at, slot)->array;
    run of = {array ? loc.data_part : loc.part, array ? loc.data : loc.off, array ? loc.count : 1};
    if (of.n && s->look)
        s->look(s, at, slot, how.family);
    if (of.n > how.most)
        of.n = how.most;
    if (!how.leaf)
        return walk_records(s, at, slot, of.n, &how, depth, err);
    if (!(how.family & s->wanted))
        return LATHE_OK;
    if (of.n && s->refuse)
        return rec_fail(at, slot, of.off, err, LATHE_ERR_UNSUPPORTED, "%s", s->refuse);
    if (s->report)
        s->report->changed += of.n * how.counted;
    return scale_leaf(s, at, slot, &how, &of, err);
}

static lathe_result walk(scene_scaling *s, const rec_at *at, int power, unsigned family, int depth,
                         lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (depth > REC_DEPTH)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED, "nested too deep");
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!at->layout->slots[slot].never && !rec_unstored(at->layout->slots[slot].row))
            r = walk_row(s, at, slot, power, family, depth, err);
    return r;
}

lathe_result scene_scale_record(scene_scaling *s, const rec_at *at, unsigned family,
                                lathe_error *err)
{
    return walk(s, at, 0, family, 0, err);
}

/* ---- records of numbers ------------------------------------------------------------------------------------- */

/* Adds the factors for the floats of a record, which starts `off` words into the element. */
static bool add_flat(const scene_scaling *s, const rec_layout *l, int outer, uint64_t off,
                     scene_scale_row *out)
{
    if (l->size == REC_DYNAMIC || rec_type_hooks(l->type)->load)
        return false;
    for (uint32_t i = 0; i < l->count; i++) {
        const rec_slot *sl = &l->slots[i];
        int power = scene_scale_power(sl->row, outer);
        if (sl->never || rec_unstored(sl->row))
            continue;
        if (sl->array || sl->varies || sl->conditional || sl->off == REC_DYNAMIC ||
            sl->row->kind == REC_POINTER || sl->row->kind == REC_STR)
            return false;
        if (sl->row->kind == REC_RECORD) {
            unsigned before = out->counted;
            if (!add_flat(s, sl->sub, power, off + sl->off, out))
                return false;
            out->counted = out->counted > before ? before + 1 : before;
        } else if (sl->row->kind == REC_F32 && power) {
            if ((off + sl->off) % 4)
                return false;
            out->by[(off + sl->off) / 4] = scene_scale_by(s, power);
            out->counted++;
        }
    }
    return true;
}

bool scene_scale_flat(const scene_scaling *s, const rec_layout *element, int outer,
                      scene_scale_row *out)
{
    if (element->size == REC_DYNAMIC || element->size % 4 || !element->size ||
        element->size > 4 * SCENE_SCALE_PERIOD)
        return false;
    out->lanes = out->period = (unsigned)(element->size / 4);
    out->kind = REC_F32;
    for (unsigned i = 0; i < out->lanes; i++)
        out->by[i] = 1;
    out->counted = 0;
    out->leaf = add_flat(s, element, outer, 0, out);
    if (out->counted > 1 && element->type->flags & REC_VECTOR)
        out->counted = 1;
    return out->leaf;
}

/* ---- formats with few lengths ------------------------------------------------------------------------------- */

typedef struct by_rules {
    const scene_scale_rule *rules;
    bool keep_mass;
} by_rules;

enum { MATRIX = 16, TRANSLATION = 12 };

/* The number of numbers in an element that has nothing else; 0: it has other contents. */
static unsigned numbers_of(const rec_field *row)
{
    if (row->kind == REC_F32)
        return 1;
    const rec_type *type = row->kind == REC_RECORD ? rec_row_type(row) : NULL;
    return type == &rec_vec3 ? 3 : type == &rec_mat4 ? MATRIX : 0;
}

static bool rule_row(const scene_scaling *s, const rec_at *at, uint32_t slot, int outer,
                     scene_scale_row *out)
{
    const by_rules *by = s->user;
    const rec_field *row = rec_slot_of(at, slot)->row;
    const scene_scale_rule *rule = by->rules;
    (void)outer;
    while (rule->row && strcmp(rule->row, rec_row_name(row)) != 0)
        rule++;
    if (!rule->row || (rule->power >= 3 && by->keep_mass))
        return false;
    if (!rule->power)
        return true;
    out->leaf = true;
    out->kind = REC_F32;
    out->counted = rule->counted;
    out->lanes = out->period = numbers_of(row);
    bool matrix = out->lanes == MATRIX;
    for (unsigned i = 0; i < out->lanes; i++)
        out->by[i] =
            matrix && (i < TRANSLATION || i == MATRIX - 1) ? 1 : scene_scale_by(s, rule->power);
    return out->lanes > 0;
}

static const rec_param what_param = {
    .name = "what",
    .doc = "What is scaled. A file that holds none of it stays as it is. Default: all.",
    .kind = LATHE_PARAM_TEXT,
    .values = model_scale_words};
const rec_param *const scene_scale_params[] = {&model_scale_param_factor, &what_param,
                                               &model_scale_param_mass, NULL};

lathe_result scene_scale_rules(lathe_view self, const scene_scale_rule *rules, unsigned family,
                               const lathe_source *args, lathe_report *report, lathe_error *err)
{
    model_scale how;
    lathe_result r = model_scale_args(args, &how, err);
    if (r == LATHE_OK && how.uneven)
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                      "different factors scale collision of Fallout 4 alone");
    if (r != LATHE_OK || !(how.wanted & family))
        return r;
    const by_rules by = {.rules = rules, .keep_mass = how.keep_mass};
    scene_scaling s = {.doc = self.doc,
                       .report = report,
                       .wanted = family,
                       .none = INFINITY,
                       .row = rule_row,
                       .user = &by};
    rec_at root = rec_root(self.doc, 0);
    scene_scale_begin(&s, how.factor);
    r = scene_scale_record(&s, &root, family, err);
    if (r == LATHE_OK)
        r = scene_scale_write(&s, err);
    scene_scale_end(&s);
    return r;
}
