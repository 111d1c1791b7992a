/* doc:scale: visits all fields of all blocks once and multiplies lengths, masses and values that depend on
 * them. */
#include "nif/scale.h"

#include "base/half.h"
#include "gen/nif_types.h"
#include "havok/scale.h"
#include "scene/scale.h"

#include <float.h>
#include <math.h>

typedef struct scaling {
    scene_scaling walk;
    model_scale how;
    const uint8_t *keys;   /* for each block: whether its keys are lengths */
    const rec_type *block; /* the current block, and whether its keys are lengths */
    bool are_lengths;
} scaling;

/* ---- fields ----------------------------------------------------------------------------------------------- */

/* Number of floats in a record that consists of floats only; 0: it does not. */
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

static void set_lanes(const scene_scaling *walk, const nif_scale_rule *rule, scene_scale_row *out)
{
    out->period = rule->period;
    for (unsigned i = 0; i < rule->period; i++) {
        uint64_t bit = (uint64_t)1 << i;
        out->by[i] = rule->up & bit     ? scene_scale_by(walk, 1)
                     : rule->down & bit ? scene_scale_by(walk, -1)
                                        : 1;
    }
}

/* Scales a float. Zero, NaN, infinity and values that mean none are unchanged. */
static bool turn_full(const uint8_t *from, uint8_t *to, const double *by, bool big)
{
    for (int i = 0; i < 3; i++) {
        double v = bytes_f32_widen(bytes_ld32(from + 4 * i, big));
        uint32_t raw = bytes_f32_narrow(v * by[0]);
        if (v == 0 || !isfinite(v) || fabs(v) >= (double)FLT_MAX)
            continue;
        if (!isfinite(bytes_f32_widen(raw)))
            return false;
        bytes_st(to + 4 * i, raw, 4, big);
    }
    return true;
}

static bool turn_halves(const uint8_t *from, uint8_t *to, const double *by, bool big)
{
    for (int i = 0; i < 3; i++) {
        double v = half_to_double(bytes_ld16(from + 2 * i, big));
        uint16_t raw = half_from_double(v * by[0]);
        if (v == 0 || !isfinite(v))
            continue;
        if (!isfinite(half_to_double(raw)))
            return false;
        bytes_st(to + 2 * i, raw, 2, big);
    }
    return true;
}

/* Scales vertices with a plain layout directly: their only length is the position at the start. */
static bool scale_vertices(const scene_scaling *walk, const nif_vertex *v, scene_scale_row *out)
{
    out->leaf = true;
    out->turn = v->full ? turn_full : turn_halves;
    out->width = v->stride;
    out->by[0] = scene_scale_by(walk, 1);
    return v->position == 0;
}

static bool scale_row(const scene_scaling *walk, const rec_at *at, uint32_t slot, int outer,
                      scene_scale_row *out)
{
    const scaling *s = walk->user;
    const rec_slot *sl = rec_slot_of(at, slot);
    if (at->layout->type == &nif_PackedGeom && rec_row_type(sl->row) == &nif_BSVertexData)
        return false; /* its instances are scaled */
    const rec_field *row = sl->row;
    nif_scale_rule rule = nif_scale_rule_of(at, row, outer, s->are_lengths);
    rec_kind kind = row->kind;
    unsigned lanes = row->type ? floats_of(rec_row_type(row), &kind) : 1;
    out->leaf = lanes && (kind == REC_F32 || kind == REC_F16 || kind == REC_U32);
    if (!rule.power && !rule.period && (!row->type || out->leaf || !nif_scales(rec_row_type(row))))
        return false;
    out->family = nif_scale_family_of(at, row, s->block, out->family);
    out->power = rule.power;
    bool other = !(out->family & walk->wanted);
    if (other && (out->leaf || !row->type || !nif_scales_other(rec_row_type(row))))
        return false;
    nif_vertex v;
    if (rec_row_type(row) == &nif_BSVertexData && sl->sub && nif_vertex_layout(sl->sub->arg, &v))
        return scale_vertices(walk, &v, out);
    if (!out->leaf)
        return rec_row_type(row) != NULL;
    /* inertia is mass times length squared */
    int power = s->how.keep_mass && rule.power >= 3 ? rule.power - 3 : rule.power;
    out->kind = rule.period ? REC_F32 : kind;
    out->lanes = lanes;
    out->period = 1;
    out->by[0] = scene_scale_by(walk, power);
    if (rule.period)
        set_lanes(walk, &rule, out);
    return true;
}

/* Reports vertices that are stored as opaque bytes, so that their positions cannot be scaled. */
static void look(const scene_scaling *walk, const rec_at *at, uint32_t slot, unsigned family)
{
    const rec_slot *sl = rec_slot_of(at, slot);
    if (rec_row_type(sl->row) != &nif_BSVertexData || !(family & walk->wanted) || !sl->sub)
        return;
    uint32_t bytes = rec_slot_find(sl->sub, "bytes");
    if (bytes != REC_NO_SLOT && !sl->sub->slots[bytes].never)
        scene_scale_skip(walk, at, slot, "their descriptor does not add up: they stay as they are");
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* Scales the packfile in a block, which is an embedded document. */
static lathe_result scale_system(scaling *s, const rec_at *block, lathe_error *err)
{
    lathe_doc *doc = block->doc;
    uint32_t slot = block->layout->embeds, part = rec_kid(doc, block->part, slot, 0);
    if (part == REC_NO_PART || !rec_part_whole(doc, part))
        return LATHE_OK;
    if (!rec_part_root(doc, part))
        return rec_no_memory(err);
    if (!rec_opaque(doc, part, NULL))
        return hk_scale_objects(doc, doc->parts[part].container, &s->how, s->walk.report, err);
    scene_scale_skip(&s->walk, block, slot, "it does not parse, and stays as it is");
    return LATHE_OK;
}

static lathe_result scale_block(scaling *s, lathe_doc *doc, uint32_t part, lathe_error *err)
{
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    s->block = block.layout->type;
    unsigned family = nif_scale_family(s->block);
    const char *lacks = nif_scale_lacks(&block), *elsewhere = nif_scale_elsewhere(&block);
    if (rec_opaque(doc, part, NULL))
        lacks = "it does not parse, and stays as it is";
    if (lacks && family & s->walk.wanted)
        scene_scale_skip(&s->walk, &block, REC_NO_SLOT, lacks);
    else if (elsewhere && family & s->walk.wanted)
        scene_scale_skip(&s->walk, &block, REC_NO_SLOT, elsewhere);
    if (!lacks && nif_has_system(s->block))
        return family & s->walk.wanted ? scale_system(s, &block, err) : LATHE_OK;
    if (lacks || !nif_scales(s->block))
        return LATHE_OK;
    lathe_result r = scene_scale_record(&s->walk, &block, family, err);
    return r == LATHE_OK ? scene_scale_write(&s->walk, err) : r;
}

static lathe_result scale_blocks(scaling *s, lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t total = nif_total(doc, c);
    uint8_t *keys = nif_scale_keys(doc, c, total);
    lathe_result r = LATHE_OK;
    if (!keys)
        return rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        s->are_lengths = keys[i];
        r = scale_block(s, doc, nif_block(doc, c, i), err);
    }
    if (r == LATHE_OK && total != (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS))
        scene_scale_skip(&s->walk, &root, NIF_REST,
                         "blocks that are not known, which stay as they are");
    scene_scale_end(&s->walk);
    mem_free(&doc->mem, keys, (size_t)total + 1);
    return r;
}

/* ---- the verb --------------------------------------------------------------------------------------------- */

lathe_result nif_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err)
{
    scaling s = {
        .walk = {
            .doc = self.doc, .report = report, .none = FLT_MAX, .row = scale_row, .look = look}};
    lathe_result r = model_scale_args(args, &s.how, err);
    if (r != LATHE_OK)
        return r;
    s.walk.user = &s;
    s.walk.wanted = s.how.wanted;
    if (s.how.uneven)
        s.walk.refuse = "cannot be scaled by different factors";
    scene_scale_begin(&s.walk, s.how.factor);
    return scale_blocks(&s, self.doc, 0, err);
}

static const rec_param what = {
    .name = "what",
    .doc = "What is scaled. collision: Havok's blocks, the packfiles in them, and bounding volumes "
           "of Morrowind. geometry: shapes, particles, bounds, nodes' and skins' translations, and "
           "all else that is not named here. skeleton: nodes' and skins' translations alone. "
           "animation: keys and interpolators. Default: all.",
    .kind = LATHE_PARAM_TEXT,
    .values = model_scale_words};
const rec_param *const nif_scale_params[] = {&model_scale_param_factor, &what,
                                             &model_scale_param_mass, NULL};

const char nif_scale_doc[] =
    "Multiplies lengths; masses and inertia follow. Nodes keep their scale, and the largest float, "
    "which stands for none, stays. What cannot be scaled is told.";
