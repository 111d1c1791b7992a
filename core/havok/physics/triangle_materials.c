/* shape:set_triangle_materials: materials of a compressed mesh, triangle by triangle. Runs cover primitives, so that
 * both triangles of a quad are of one material. Reference: formats/fo4-collision.md#3.4. */
#include "havok/physics/materials.h"
#include "havok/physics/maths/mesh_cut.h"
#include "havok/physics/mesh_read.h"
#include "model/material_name.h"

/* clang-format off */
static const char *const quad_words[] = {"refuse", "first", "cut", NULL};
static const rec_param list_param = {.name = "materials", .positional = true, .needed = true,
    .doc = "A name or number for each triangle, in the order of doc:meshes{what = \"collision\"}; or one for all."};
static const rec_param numbers_param = {.name = "triangle_materials",
    .doc = "Numbers into `materials`, from 0, a triangle each, as meshes have them: a buffer or a list."};
static const rec_param quads_param = {.name = "quads", .kind = LATHE_PARAM_TEXT, .values = quad_words,
    .doc = "Two triangles that are stored as one quad have one material. Others are refused, become that of the first, or the quad is cut in two."};
const rec_param *const hk_triangle_materials_params[] = {&list_param, &numbers_param, &quads_param, &hk_unknown_param, NULL};
/* clang-format on */

typedef struct painter {
    const lathe_source *args;
    const void *list, *numbers; /* NULL: one value for all */
    lathe_value one;
    bool first, cut; /* of a quad's two materials the first counts; or it becomes two triangles */
    rec_at shape, data;
    arena room;
    hk_mesh mesh;
    hk_mesh_triangles triangles;
    hk_entries entries;
    int32_t *of;     /* the entry of each triangle */
    int32_t *wanted; /* of each primitive, by key / 2 */
    uint8_t *cuts;   /* of each primitive that there was, by key / 2; NULL: none is cut */
    buf runs;        /* as the file has them */
    uint64_t changed;
    hk_names names;
    lathe_error *err;
} painter;

enum { PRIMITIVES = HK_MESH_PRIMITIVES };

/* ---- what is asked for ---------------------------------------------------------------------------------- */

static lathe_result bad(const painter *p, const char *what, uint64_t triangle)
{
    return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "triangle %llu: %s",
                     (unsigned long long)triangle + 1, what);
}

static bool ask(const painter *p, const void *node, uint64_t i, lathe_value *out)
{
    const void *child = NULL;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    return p->args->get(p->args->user, node, NULL, i, out, &child) && !child;
}

static lathe_result id_of(painter *p, uint64_t i, uint32_t *id)
{
    lathe_value v = p->one, number;
    double at = (double)i;
    if (p->numbers && (!ask(p, p->numbers, i, &number) || !rec_number(&number, &at) || !(at >= 0) ||
                       at >= (double)p->args->count(p->args->user, p->list)))
        return bad(p, "a number of one of the materials, from 0, expected", i);
    if (p->list && !ask(p, p->list, (uint64_t)at, &v))
        v.kind = LATHE_KIND_NONE;
    if (!hk_material_number(&v, id))
        return bad(p, "a name or a number from 0 to 4294967295 expected", i);
    if (!model_material_name(*id)) /* there may be millions */
        hk_names_check_arg(&p->names, &v);
    return LATHE_OK;
}

static lathe_result read_list(const painter *p, const char *name, const void **node,
                              lathe_value *leaf)
{
    *node = NULL;
    *leaf = (lathe_value){.kind = LATHE_KIND_NONE};
    p->args->get(p->args->user, NULL, name, 0, leaf, node);
    bool nested = leaf->kind == LATHE_KIND_ARRAY || leaf->kind == LATHE_KIND_RECORD;
    if (nested && (!*node || leaf->kind != LATHE_KIND_ARRAY))
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "'%s': a list expected", name);
    return LATHE_OK;
}

static lathe_result read_args(painter *p, const lathe_source *args)
{
    lathe_value leaf;
    p->args = args;
    lathe_result r = read_list(p, "materials", &p->list, &p->one);
    if (r == LATHE_OK)
        r = read_list(p, "triangle_materials", &p->numbers, &leaf);
    if (r == LATHE_OK && leaf.kind != LATHE_KIND_NONE && (!p->list || !p->numbers))
        r = error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "'triangle_materials' is a list of numbers into a list of materials");
    bool told = rec_arg(args, "quads", &leaf);
    p->first = told && rec_text_is(&leaf, "first");
    p->cut = told && rec_text_is(&leaf, "cut");
    return r;
}

static lathe_result check_count(const painter *p)
{
    const void *list = p->numbers ? p->numbers : p->list;
    uint64_t n = list ? p->args->count(p->args->user, list) : p->triangles.n_triangles;
    if (n == p->triangles.n_triangles)
        return LATHE_OK;
    return error_set(p->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "the mesh has %llu triangles, and materials are given for %llu",
                     (unsigned long long)p->triangles.n_triangles, (unsigned long long)n);
}

/* ---- which entries that makes ----------------------------------------------------------------------------- */

/* A triangle without an entry is of the mesh's own material; where that is asked for it stays so. */
static lathe_result entry_of(painter *p, uint32_t id, int32_t was, int32_t *entry)
{
    uint32_t now, unused;
    bool there = was >= 0 && hk_entries_id(&p->entries, (uint32_t)was, &unused);
    *entry = was;
    if (!there && id == (uint32_t)rec_int(&p->shape, "user_data"))
        return LATHE_OK;
    lathe_result r =
        hk_entries_find(&p->entries, id, there ? (uint32_t)was : HK_NO_ENTRY, &now, p->err);
    *entry = (int32_t)now;
    return r;
}

/* Both triangles of a quad: number i and the one in front of it. */
static lathe_result agree(painter *p, uint64_t i)
{
    uint32_t key = p->triangles.triangles[i].key;
    if (!(key & 1) || p->of[i] == p->of[i - 1])
        return LATHE_OK;
    if (p->first) {
        p->of[i] = p->of[i - 1];
        return LATHE_OK;
    }
    if (!p->cut)
        return error_set(p->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "triangles %llu and %llu are one quad, which has one material; quads = "
                         "\"first\" takes that of the first, \"cut\" makes it two",
                         (unsigned long long)i, (unsigned long long)i + 1);
    if (!p->cuts)
        p->cuts = arena_zalloc(&p->room, p->mesh.n_sections * PRIMITIVES);
    if (!p->cuts)
        return rec_no_memory(p->err);
    p->cuts[key >> 1] = 1;
    return LATHE_OK;
}

static lathe_result paint_all(painter *p)
{
    size_t n = p->triangles.n_triangles;
    lathe_result r = check_count(p);
    p->of = arena_zalloc(&p->room, n * sizeof *p->of + 1);
    if (!p->of)
        return rec_no_memory(p->err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint32_t id;
        r = id_of(p, i, &id);
        if (r == LATHE_OK)
            r = entry_of(p, id, p->triangles.triangles[i].material, &p->of[i]);
        if (r == LATHE_OK)
            r = agree(p, i);
        if (r == LATHE_OK)
            p->changed += p->of[i] != p->triangles.triangles[i].material;
    }
    return r;
}

/* ---- quads that are cut ------------------------------------------------------------------------------------- */

/* An array becomes n elements, whose bytes are ready. */
static lathe_result store_array(const rec_at *at, const char *row, uint64_t n, const uint8_t *bytes,
                                lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r == LATHE_OK && n > loc.count)
        r = rec_insert(at, slot, loc.count, n - loc.count, NULL, 0, err);
    else if (r == LATHE_OK && n < loc.count)
        r = rec_remove(at, slot, n, loc.count - n, err);
    if (r == LATHE_OK && n)
        r = rec_find_present(at, slot, &loc, err);
    return r == LATHE_OK && n ? rec_put_items(at, slot, &loc, 0, n, bytes, err) : r;
}

static bool is_big(const painter *p)
{
    return p->data.doc->containers[p->data.layout->container].big;
}

static lathe_result store_bits(painter *p, const char *row, const hk_mesh_bits *bits)
{
    rec_at at;
    uint8_t *bytes = arena_zalloc(&p->room, bits->n_words * 4 + 1);
    if (!bytes)
        return rec_no_memory(p->err);
    for (size_t i = 0; i < bits->n_words; i++)
        bytes_st32(bytes + 4 * i, bits->words[i], is_big(p));
    lathe_result r = rec_sub(&p->shape, rec_slot_find(p->shape.layout, row), 0, &at, p->err);
    if (r == LATHE_OK)
        r = hk_set_int(&at, "num_bits", bits->bits, p->err);
    return r == LATHE_OK ? store_array(&at, "words", bits->n_words, bytes, p->err) : r;
}

static lathe_result store_section(painter *p, size_t i)
{
    rec_at at;
    const hk_packed_section *s = &p->mesh.sections[i];
    uint32_t slot = rec_slot_find(p->data.layout, "sections");
    lathe_result r = rec_sub(&p->data, slot, i, &at, p->err);
    if (r == LATHE_OK)
        r = hk_set_int(&at, "primitives", s->first_primitive << 8 | s->n_primitives, p->err);
    return r == LATHE_OK ? store_array(&at, "nodes", s->n_nodes, s->nodes, p->err) : r;
}

/* Keys of the triangles, as they are now. */
static void follow(painter *p)
{
    uint32_t section = UINT32_MAX, to = 0;
    for (size_t i = 0; i < p->triangles.n_triangles; i++) {
        hk_mesh_triangle *t = &p->triangles.triangles[i];
        uint32_t was = t->key;
        bool two = p->cuts[was >> 1] != 0;
        to = was >> 8 != section ? 0
                                 : to + (!(was & 1) || two); /* the next primitive, or the same */
        section = was >> 8;
        t->key = section << 8 | to << 1 | (two ? 0 : was & 1);
    }
}

static lathe_result cut_quads(painter *p)
{
    hk_mesh made;
    lathe_result r = hk_only_mesh(&p->data, p->err);
    if (r == LATHE_OK)
        r = hk_mesh_cut(&p->mesh, p->cuts, &p->room, &made, p->err);
    if (r != LATHE_OK)
        return r;
    p->mesh = made;
    for (size_t i = 0; r == LATHE_OK && i < made.n_sections; i++)
        r = store_section(p, i);
    if (r == LATHE_OK)
        r = store_array(&p->data, "primitives", made.n_primitives, made.primitives[0], p->err);
    if (r == LATHE_OK)
        r = hk_set_int(&p->data, "max_key_value", made.max_key, p->err);
    if (r == LATHE_OK)
        r = hk_set_int(&p->data, "bits_per_key", made.bits_per_key, p->err);
    if (r == LATHE_OK)
        r = hk_set_int(&p->shape, "num_shape_key_bits", made.bits_per_key, p->err);
    if (r == LATHE_OK)
        r = store_bits(p, "quad_is_flat", &made.flat);
    if (r == LATHE_OK)
        r = store_bits(p, "triangle_is_interior", &made.interior);
    follow(p);
    return r;
}

/* ---- runs --------------------------------------------------------------------------------------------------- */

static bool put_run(painter *p, uint32_t value, uint8_t index, uint8_t count)
{
    uint8_t bytes[4] = {0, 0, index, count};
    bytes_st16(bytes, (uint16_t)value, is_big(p));
    return buf_put(&p->runs, bytes, sizeof bytes);
}

/* Runs of a section that are to be others: as few as there can be. */
static bool put_new(painter *p, size_t section)
{
    const int32_t *wanted = p->wanted + section * PRIMITIVES;
    unsigned n = p->mesh.sections[section].n_primitives;
    for (unsigned i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && wanted[end] == wanted[i])
            end++;
        if (wanted[i] >= 0 && !put_run(p, (uint32_t)wanted[i], (uint8_t)i, (uint8_t)(end - i)))
            return false;
    }
    return true;
}

static bool put_old(painter *p, const hk_packed_section *s)
{
    size_t from = s->first_run < p->mesh.n_runs ? s->first_run : p->mesh.n_runs;
    size_t n = s->n_runs < p->mesh.n_runs - from ? s->n_runs : p->mesh.n_runs - from;
    for (size_t i = from; i < from + n; i++)
        if (!put_run(p, p->mesh.runs[i].value, p->mesh.runs[i].index, p->mesh.runs[i].count))
            return false;
    return true;
}

/* What its section's primitives were of: triangles are in the order of keys. */
static bool section_changed(const painter *p, size_t section, uint64_t *next)
{
    bool changed = false;
    for (; *next < p->triangles.n_triangles; ++*next) {
        const hk_mesh_triangle *t = &p->triangles.triangles[*next];
        if (t->key >> 8 != section)
            break;
        changed = changed || p->wanted[t->key >> 1] != t->material;
    }
    return changed;
}

static lathe_result put_section(painter *p, size_t section, uint64_t *next)
{
    rec_at at;
    size_t first = p->runs.size / 4;
    bool changed = section_changed(p, section, next);
    if (!(changed ? put_new(p, section) : put_old(p, &p->mesh.sections[section])))
        return rec_no_memory(p->err);
    size_t n = p->runs.size / 4 - first;
    uint32_t word = (uint32_t)(first << 8 | n);
    lathe_result r =
        rec_sub(&p->data, rec_slot_find(p->data.layout, "sections"), section, &at, p->err);
    if (first >= 1 << 24)
        return rec_fail(&p->data, rec_slot_find(p->data.layout, "primitive_data_runs"), p->data.off,
                        p->err, LATHE_ERR_LIMIT, "more than %d runs", 1 << 24);
    return r == LATHE_OK && (uint32_t)rec_int(&at, "data_runs") != word
               ? hk_set_int(&at, "data_runs", word, p->err)
               : r;
}

static lathe_result store_all(painter *p)
{
    uint64_t next = 0;
    lathe_result r = p->cuts ? cut_quads(p) : LATHE_OK;
    p->wanted = arena_zalloc(&p->room, p->mesh.n_sections * PRIMITIVES * sizeof *p->wanted + 1);
    if (!p->wanted)
        return rec_no_memory(p->err);
    for (size_t i = 0; i < p->triangles.n_triangles; i++)
        p->wanted[p->triangles.triangles[i].key >> 1] = p->of[i];
    for (size_t s = 0; r == LATHE_OK && s < p->mesh.n_sections; s++)
        r = put_section(p, s, &next);
    if (r == LATHE_OK)
        r = store_array(&p->data, "primitive_data_runs", p->runs.size / 4, p->runs.data, p->err);
    return r == LATHE_OK ? hk_entries_store(&p->entries, p->err) : r;
}

/* ---- the verb --------------------------------------------------------------------------------------------------- */

static lathe_result change(painter *p, const lathe_source *args)
{
    rec_at entries;
    lathe_result r = hk_entries_of_data(&p->data, &entries, p->err);
    if (r == LATHE_OK)
        r = hk_entries_read(&entries, &p->entries, p->err);
    if (r == LATHE_OK)
        r = read_args(p, args);
    if (r == LATHE_OK)
        r = paint_all(p);
    return r == LATHE_OK && p->changed ? store_all(p) : r;
}

lathe_result hk_set_triangle_materials(lathe_view self, const lathe_source *args,
                                       lathe_report *report, lathe_error *err)
{
    uint32_t none;
    painter p = {.err = err, .names = hk_names_of(args, report)};
    const mem *memory = &self.doc->mem;
    lathe_result r = rec_enter(&self, &p.shape, &none, err);
    if (r != LATHE_OK)
        return r;
    arena_init(&p.room, memory);
    buf_init(&p.runs, memory);
    r = hk_mesh_read(&p.shape, &p.room, &p.mesh, err);
    if (r == LATHE_OK) {
        p.data = hk_object(self.doc, hk_target(&p.shape, "data", 0));
        p.entries.surfaces = p.data; /* of the document, should there be none */
        r = hk_mesh_decode(&p.mesh, memory, &p.triangles, err);
    }
    if (r == LATHE_OK)
        r = change(&p, args);
    if (r == LATHE_OK && report)
        report->changed += p.changed;
    if (p.data.doc)
        hk_entries_free(&p.entries);
    hk_mesh_triangles_free(&p.triangles);
    buf_free(&p.runs);
    arena_free(&p.room);
    return r;
}
