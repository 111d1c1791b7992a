/* doc:scale: one walk over all rows of all blocks that multiplies lengths, masses and what follows from them. */
#include "nif/scale.h"
#include "base/half.h"

#include <float.h>
#include <math.h>

typedef struct scaling {
    double factor;
    unsigned wanted;
    bool keep_mass;
    lathe_report *report;
    const uint8_t *keys; /* for each block whether its keys are lengths */
    /* the block at hand: a copy of its bytes that is changed while the document is read */
    const rec_type *block;
    buf bytes;
    bool are_lengths;
} scaling;

/* ---- numbers -------------------------------------------------------------------------------------------- */

/* Inertia goes with mass times length squared. */
static double multiplier(const scaling *s, int power)
{
    if (s->keep_mass && power >= 3)
        power -= 3;
    return pow(s->factor, power);
}

static double decode(rec_kind kind, uint64_t raw)
{
    if (kind == REC_F16)
        return half_to_double((uint16_t)raw);
    return kind == REC_F32 ? bytes_f32_widen((uint32_t)raw) : (double)raw;
}

/* False where it does not fit. */
static bool encode(rec_kind kind, double v, uint64_t *raw)
{
    switch (kind) {
    case REC_F16: *raw = half_from_double(v); return isfinite(half_to_double((uint16_t)*raw));
    case REC_F32: *raw = bytes_f32_narrow(v); return isfinite(bytes_f32_widen((uint32_t)*raw));
    default: break;
    }
    if (!(v < 4294967295.5))
        return false;
    *raw = (uint64_t)floor(v + 0.5);
    return true;
}

/* Zero stays whatever it is multiplied by. What is no number stays, and so does the largest float, which stands
 * for "none" or "without end". */
static bool stays(rec_kind kind, double v)
{
    return v == 0 || !isfinite(v) || (kind == REC_F32 && fabs(v) >= (double)FLT_MAX);
}

static lathe_result scale_one(scaling *s, const rec_at *at, uint32_t slot, rec_kind kind,
                              uint64_t off, double by, lathe_error *err)
{
    static const char *const names[] = {"f16", "f32", "u32"};
    unsigned width = kind == REC_F16 ? 2 : 4;
    uint64_t raw;
    if (off > s->bytes.size || width > s->bytes.size - off)
        return rec_fail(at, slot, off, err, LATHE_ERR_BOUNDS, "outside of its block");
    uint8_t *p = s->bytes.data + off;
    double was = decode(kind, width == 2 ? bytes_ld16(p, false) : bytes_ld32(p, false));
    if (stays(kind, was))
        return LATHE_OK;
    if (!encode(kind, was * by, &raw))
        return rec_fail(at, slot, off, err, LATHE_ERR_RANGE, "%.9g does not fit into %s", was * by,
                        names[kind == REC_F16   ? 0
                              : kind == REC_F32 ? 1
                                                : 2]);
    bytes_st(p, raw, width, false);
    return LATHE_OK;
}

static lathe_result scale_run(scaling *s, const rec_at *at, uint32_t slot, rec_kind kind,
                              uint64_t off, uint64_t n, int power, lathe_error *err)
{
    double by = multiplier(s, power);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = scale_one(s, at, slot, kind, off + i * (kind == REC_F16 ? 2 : 4), by, err);
    return r;
}

static lathe_result scale_lanes(scaling *s, const rec_at *at, uint32_t slot,
                                const nif_scale_rule *rule, uint64_t off, uint64_t n,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint64_t bit = (uint64_t)1 << i % rule->period;
        if ((rule->up | rule->down) & bit)
            r = scale_one(s, at, slot, REC_F32, off + 4 * i,
                          rule->up & bit ? s->factor : 1 / s->factor, err);
    }
    return r;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

static lathe_result walk(scaling *s, const rec_at *at, int power, unsigned family, int depth,
                         lathe_error *err);

/* Floats that a record is nothing but; 0: it is something else. */
static unsigned floats_of(const rec_type *type, rec_kind *kind)
{
    *kind = type == &nif_hvec3 ? REC_F16 : REC_F32;
    if (type == &rec_vec3 || type == &nif_hvec3)
        return 3;
    if (type == &nif_xform)
        return 13;
    if (type == &rec_mat4)
        return 16;
    return type == &rec_vec4 || type == &nif_bound ? 4 : 0;
}

static lathe_result walk_records(scaling *s, const rec_at *at, uint32_t slot, uint64_t n, int power,
                                 unsigned family, int depth, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = walk(s, &sub, power, family, depth + 1, err);
    }
    return r;
}

static void tell(const scaling *s, const rec_at *at, uint32_t slot, const char *reason)
{
    char path[256];
    if (!s->report || !s->report->skipped)
        return;
    rec_path(at, slot, REC_NO_ITEM, path, sizeof path);
    s->report->skipped(s->report->user, path, reason);
}

/* Vertices of which nobody knows where their positions are. */
static void tell_vertices(const scaling *s, const rec_at *at, uint32_t slot, const rec_slot *sl,
                          unsigned family)
{
    if (sl->row->type != &nif_BSVertexData || !(family & s->wanted) || !sl->sub)
        return;
    uint32_t bytes = rec_slot_find(sl->sub, "bytes");
    if (bytes != REC_NO_SLOT && !sl->sub->slots[bytes].never)
        tell(s, at, slot, "their descriptor does not add up: they stay as they are");
}

static lathe_result walk_row(scaling *s, const rec_at *at, uint32_t slot, int outer,
                             unsigned family, int depth, lathe_error *err)
{
    const rec_slot *sl = rec_slot_of(at, slot);
    const rec_field *row = sl->row;
    nif_scale_rule rule = nif_scale_rule_of(at, row, outer, s->are_lengths);
    rec_kind kind = row->kind;
    unsigned lanes = row->type ? floats_of(row->type, &kind) : 1;
    rec_loc loc;
    family = nif_scale_family_of(at, row, s->block, family);
    bool leaf = lanes && (kind == REC_F32 || kind == REC_F16 || kind == REC_U32);
    if (!rule.power && !rule.period && (!row->type || leaf || !nif_scales(row->type)))
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    uint64_t n = sl->array ? loc.count : 1, off = sl->array ? loc.data : loc.off;
    if (n)
        tell_vertices(s, at, slot, sl, family);
    if (!leaf)
        return row->type ? walk_records(s, at, slot, n, rule.power, family, depth, err) : LATHE_OK;
    if (!(family & s->wanted))
        return LATHE_OK;
    if (s->report)
        s->report->changed += n;
    return rule.period ? scale_lanes(s, at, slot, &rule, off, n * lanes, err)
                       : scale_run(s, at, slot, kind, off, n * lanes, rule.power, err);
}

static lathe_result walk(scaling *s, const rec_at *at, int power, unsigned family, int depth,
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

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* What the walk changed goes into the document in one piece. */
static lathe_result scale_bytes(scaling *s, const rec_at *block, unsigned family, lathe_error *err)
{
    lathe_doc *doc = block->doc;
    const rec_part *p = rec_part_of(doc, block->part);
    s->bytes.size = 0;
    if (!p->size)
        return LATHE_OK;
    if (!buf_put(&s->bytes, p->data, (size_t)p->size))
        return rec_no_memory(err);
    lathe_result r = walk(s, block, 0, family, 0, err);
    p = rec_part_of(doc, block->part);
    if (r != LATHE_OK || memcmp(p->data, s->bytes.data, s->bytes.size) == 0)
        return r;
    return rec_splice(doc, block->part, 0, s->bytes.size, s->bytes.data, s->bytes.size, err);
}

static lathe_result scale_block(scaling *s, lathe_doc *doc, uint32_t part, lathe_error *err)
{
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    s->block = block.layout->type;
    unsigned family = nif_scale_family(s->block);
    const char *lacks = nif_scale_lacks(s->block), *elsewhere = nif_scale_elsewhere(&block);
    if (rec_opaque(doc, part, NULL))
        lacks = "it does not parse, and stays as it is";
    if (lacks && family & s->wanted)
        tell(s, &block, REC_NO_SLOT, lacks);
    else if (elsewhere && family & s->wanted)
        tell(s, &block, REC_NO_SLOT, elsewhere);
    return lacks || !nif_scales(s->block) ? LATHE_OK : scale_bytes(s, &block, family, err);
}

static lathe_result scale_blocks(scaling *s, lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t total = nif_total(doc, c);
    uint8_t *keys = nif_scale_keys(doc, c, total);
    lathe_result r = LATHE_OK;
    if (!keys)
        return rec_no_memory(err);
    buf_init(&s->bytes, &doc->mem);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        s->are_lengths = keys[i];
        r = scale_block(s, doc, nif_block(doc, c, i), err);
    }
    if (r == LATHE_OK && total != (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS))
        tell(s, &root, NIF_REST, "blocks that are not known, which stay as they are");
    buf_free(&s->bytes);
    mem_free(&doc->mem, keys, (size_t)total + 1);
    return r;
}

/* ---- the verb --------------------------------------------------------------------------------------------- */

static unsigned wanted(const lathe_source *args)
{
    static const char *const words[] = {"collision", "geometry", "skeleton", "animation"};
    lathe_value what;
    if (rec_arg(args, "what", &what))
        for (unsigned i = 0; i < REC_COUNT_OF(words); i++)
            if (rec_text_is(&what, words[i]))
                return 1u << i;
    return NIF_ALL;
}

lathe_result nif_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err)
{
    scaling s = {.wanted = wanted(args), .report = report};
    lathe_value mass;
    s.factor = NAN;
    s.keep_mass = rec_arg(args, "mass", &mass) && rec_text_is(&mass, "keep");
    rec_arg_number(args, "factor", &s.factor);
    if (!isfinite(s.factor) || !(s.factor > 0))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "nothing can be scaled by %.9g: a finite number above 0 is needed",
                         isnan(s.factor) ? (double)NAN : s.factor); /* without a sign */
    return scale_blocks(&s, self.doc, 0, err);
}

static const char *const kinds[] = {"all", "collision", "geometry", "skeleton", "animation", NULL};
static const char *const masses[] = {"density", "keep", NULL};
static const rec_param factor = {.name = "factor",
                                 .doc = "What lengths are multiplied by: 2 doubles them.",
                                 .kind = LATHE_PARAM_NUMBER,
                                 .positional = true,
                                 .needed = true};
static const rec_param what = {
    .name = "what",
    .doc = "What is scaled. collision: Havok's blocks and bounding volumes of Morrowind. geometry: "
           "shapes, particles, bounds, nodes' and skins' translations, and all else that is not "
           "named here. skeleton: nodes' and skins' translations alone. animation: keys and "
           "interpolators. Left out: all.",
    .kind = LATHE_PARAM_TEXT,
    .values = kinds};
static const rec_param mass = {
    .name = "mass",
    .doc =
        "What is twice as large weighs eight times as much (density), or as much as before (keep). "
        "Left out: density.",
    .kind = LATHE_PARAM_TEXT,
    .values = masses};
const rec_param *const nif_scale_params[] = {&factor, &what, &mass, NULL};

const char nif_scale_doc[] =
    "Multiplies lengths; masses and inertia follow. Nodes keep their scale, and the largest float, "
    "which stands for none, stays. What cannot be scaled is told.";
