/* Alpha blending of a shape: the bits of NiAlphaProperty by name, and the properties used together with a
 * shader. formats/nif.md#8 */
#include "gen/nif_types.h"
#include "nif/materials/materials.h"

#include <stdio.h>

/* ---- the flags by name --------------------------------------------------------------------------------- */

static const char *const factors[] = {"one",
                                      "zero",
                                      "src_color",
                                      "one_minus_src_color",
                                      "dst_color",
                                      "one_minus_dst_color",
                                      "src_alpha",
                                      "one_minus_src_alpha",
                                      "dst_alpha",
                                      "one_minus_dst_alpha",
                                      "src_alpha_saturate"};
static const char *const functions[] = {"always",  "less",      "equal",         "less_equal",
                                        "greater", "not_equal", "greater_equal", "never"};

/* A group of bits in the flags. No names: a boolean. */
typedef struct bits {
    const char *row;
    uint8_t from, count, named;
    const char *const *names;
} bits;

static const bits parts[] = {
    {"blend", 0, 1, 0, NULL},
    {"source", 1, 4, sizeof factors / sizeof factors[0], factors},
    {"destination", 5, 4, sizeof factors / sizeof factors[0], factors},
    {"test", 9, 1, 0, NULL},
    {"compare", 10, 3, sizeof functions / sizeof functions[0], functions},
    {"no_sorting", 13, 1, 0, NULL},
};

static const bits *bits_of(const rec_field *row)
{
    const bits *b = parts;
    while (strcmp(b->row, rec_row_name(row)) != 0)
        b++;
    return b;
}

static unsigned mask_of(const bits *b)
{
    return (1U << b->count) - 1;
}

static rec_at property_of(const rec_at *at, uint32_t *flags)
{
    rec_at block = nif_at(at->doc, at->part);
    *flags = block.layout ? rec_slot_find(block.layout, "flags") : REC_NO_SLOT;
    return block;
}

/* A factor without a name is shown as a number. */
lathe_result nif_get_alpha(const rec_at *at, const rec_field *row, lathe_value *out,
                           lathe_error *err)
{
    uint32_t flags;
    uint64_t raw;
    const bits *b = bits_of(row);
    rec_at block = property_of(at, &flags);
    out->kind = LATHE_KIND_NONE;
    if (flags == REC_NO_SLOT)
        return LATHE_OK;
    lathe_result r = rec_raw(&block, flags, 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    unsigned value = (unsigned)(raw >> b->from) & mask_of(b);
    if (value < b->named)
        return rec_text(at, b->names[value], strlen(b->names[value]), out, err);
    out->kind = b->named ? LATHE_KIND_INT : LATHE_KIND_BOOL;
    if (b->named)
        out->as.i = value;
    else
        out->as.b = value != 0;
    return LATHE_OK;
}

static bool number_of(const bits *b, const lathe_value *v, unsigned *out)
{
    double number;
    if (!b->named) {
        *out = v->kind == LATHE_KIND_BOOL && v->as.b;
        return v->kind == LATHE_KIND_BOOL;
    }
    for (unsigned k = 0; v->kind == LATHE_KIND_STRING && k < b->named; k++)
        if (strlen(b->names[k]) == v->as.s.n && memcmp(b->names[k], v->as.s.p, v->as.s.n) == 0) {
            *out = k;
            return true;
        }
    if (v->kind == LATHE_KIND_BOOL || !rec_number(v, &number) ||
        !(number >= 0 && number <= mask_of(b)) || number != (double)(unsigned)number)
        return false;
    *out = (unsigned)number;
    return true;
}

static lathe_result refuse(const rec_at *at, const rec_field *row, const bits *b, lathe_error *err)
{
    char list[256] = "true or false";
    size_t n = 0;
    for (unsigned k = 0; k < b->named; k++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k ? ", " : "", b->names[k]);
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err, LATHE_ERR_TYPE,
                    "%s expected", list);
}

lathe_result nif_set_alpha(const rec_at *at, const rec_field *row, const lathe_value *value,
                           lathe_error *err)
{
    uint32_t flags;
    uint64_t raw;
    unsigned number;
    const bits *b = bits_of(row);
    rec_at block = property_of(at, &flags);
    if (flags == REC_NO_SLOT)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME, "absent here");
    if (!number_of(b, value, &number))
        return refuse(at, row, b, err);
    lathe_result r = rec_raw(&block, flags, 0, &raw, err);
    uint64_t now = (raw & ~((uint64_t)mask_of(b) << b->from)) | (uint64_t)number << b->from;
    lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = now};
    return r == LATHE_OK ? rec_set(&block, flags, &v, err) : r;
}

/* ---- properties of the same shape ---------------------------------------------------------------------- */

/* Property i of a shape, of list.count + 2; REC_NO_PART: none. */
static uint32_t property(const rec_at *shape, const nif_column *list, uint64_t i)
{
    static const char *const single[] = {"shader_property", "alpha_property"};
    return i < list->count ? nif_target(shape, "properties", i)
                           : nif_target(shape, single[i - list->count], 0);
}

/* Cached data of a container: for each block, the properties that a shape uses together with it. */
typedef struct partners {
    rec_cached cached;
    uint64_t count;
    struct {
        uint32_t alpha, material; /* block numbers plus 1; 0: none */
    } of[];
} partners;

static size_t size_of(uint64_t count)
{
    return sizeof(partners) + (size_t)count * sizeof((partners *)NULL)->of[0];
}

static void release(lathe_doc *doc, rec_cached *what)
{
    mem_free(&doc->mem, what, size_of(((partners *)what)->count));
}

static const rec_cache lists = {.release = release};

/* Records that a shape uses certain properties together; the first shape that uses one decides. */
static void note_shape(partners *all, const rec_at *shape)
{
    lathe_doc *doc = shape->doc;
    nif_column list;
    uint32_t alpha = 0, material = 0;
    nif_column_find(shape, "properties", 4, &list);
    for (uint64_t i = 0; i < list.count + 2; i++) {
        uint32_t to = property(shape, &list, i);
        if (nif_block_is(doc, to, &nif_NiAlphaProperty))
            alpha = (uint32_t)nif_number(doc, to) + 1;
        if (nif_block_is(doc, to, &nif_NiMaterialProperty))
            material = (uint32_t)nif_number(doc, to) + 1;
    }
    for (uint64_t i = 0; (alpha || material) && i < list.count + 2; i++) {
        uint32_t to = property(shape, &list, i);
        uint64_t number = to == REC_NO_PART ? all->count : nif_number(doc, to);
        if (number >= all->count)
            continue;
        all->of[number].alpha = all->of[number].alpha ? all->of[number].alpha : alpha;
        all->of[number].material = all->of[number].material ? all->of[number].material : material;
    }
}

/* Includes shapes with packed geometry, or geometry in another file. */
static bool is_shape(lathe_doc *doc, uint32_t part)
{
    return nif_block_is(doc, part, &nif_BSTriShape) || nif_block_is(doc, part, &nif_NiTriBasedGeom);
}

/* Collected for all blocks at once, because each shader needs it. NULL: out of memory. */
static partners *partners_of(lathe_doc *doc, uint32_t c)
{
    uint64_t n = nif_total(doc, c);
    partners *all = rec_cache_find(doc, c, &lists);
    if (all)
        return all;
    all = mem_zalloc(&doc->mem, size_of(n));
    if (!all)
        return NULL;
    all->count = n;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t part = nif_block(doc, c, i);
        rec_at shape = is_shape(doc, part) ? nif_at(doc, part) : (rec_at){0};
        if (shape.layout)
            note_shape(all, &shape);
    }
    rec_cache_put(doc, c, &lists, &all->cached);
    return all;
}

static lathe_result partner(const rec_at *at, bool material, lathe_value *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container;
    const partners *all = partners_of(doc, c);
    if (!all)
        return rec_no_memory(err);
    out->kind = LATHE_KIND_NONE;
    const rec_part *p = rec_part_of(doc, at->part);
    uint64_t i = p->owner == REC_NO_PART || !p->alive ? all->count : nif_number(doc, at->part);
    if (i >= all->count || nif_block(doc, c, i) != at->part)
        return LATHE_OK; /* a block outside of the scene */
    uint32_t found = material ? all->of[i].material : all->of[i].alpha;
    if (!found)
        return LATHE_OK;
    rec_at block = nif_at(doc, nif_block(doc, c, found - 1));
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&block);
    return LATHE_OK;
}

lathe_result nif_shader_alpha(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    (void)row;
    return partner(at, false, out, err);
}

lathe_result nif_shader_material(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    (void)row;
    return partner(at, true, out, err);
}
