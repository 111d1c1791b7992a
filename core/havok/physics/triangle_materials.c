/* shape:set_triangle_materials: materials of a compressed mesh, triangle by triangle. Runs cover primitives, so that
 * both triangles of a quad are of one material. Reference: formats/fo4-collision.md#3.4. */
#include "havok/physics/materials.h"
#include "havok/physics/mesh_read.h"

/* clang-format off */
static const char *const quad_words[] = {"refuse", "first", NULL};
static const rec_param list_param = {.name = "materials", .positional = true, .needed = true,
    .doc = "A name or number for each triangle, in the order of doc:meshes{what = \"collision\"}; or one for all."};
static const rec_param numbers_param = {.name = "triangle_materials",
    .doc = "Numbers into `materials`, from 0, a triangle each, as meshes have them: a buffer or a list."};
static const rec_param quads_param = {.name = "quads", .kind = LATHE_PARAM_TEXT, .values = quad_words,
    .doc = "Two triangles that are stored as one quad have one material. Others are refused, or become that of the first."};
const rec_param *const hk_triangle_materials_params[] = {&list_param, &numbers_param, &quads_param, NULL};
/* clang-format on */

typedef struct painter {
    const lathe_source *args;
    const void *list, *numbers; /* NULL: one value for all */
    lathe_value one;
    bool first; /* of a quad's two materials the first counts */
    rec_at shape, data;
    arena room;
    hk_mesh mesh;
    hk_mesh_triangles triangles;
    hk_entries entries;
    int32_t
        *wanted; /* the entry of each primitive, section by section from 256 times its number on */
    buf runs;    /* as the file has them */
    uint64_t changed;
    lathe_error *err;
} painter;

enum { KEYS = 256, PRIMITIVES = KEYS / 2, NO_WISH = -2 };

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

static lathe_result id_of(const painter *p, uint64_t i, uint32_t *id)
{
    lathe_value v = p->one, number;
    double at = (double)i;
    if (p->numbers && (!ask(p, p->numbers, i, &number) || !rec_number(&number, &at) || !(at >= 0) ||
                       at >= (double)p->args->count(p->args->user, p->list)))
        return bad(p, "a number of one of the materials, from 0, expected", i);
    if (p->list && !ask(p, p->list, (uint64_t)at, &v))
        v.kind = LATHE_KIND_NONE;
    return hk_material_number(&v, id)
               ? LATHE_OK
               : bad(p, "a name or a number from 0 to 4294967295 expected", i);
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
    p->first = rec_arg(args, "quads", &leaf) && rec_text_is(&leaf, "first");
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

static lathe_result paint(painter *p, uint64_t i)
{
    const hk_mesh_triangle *t = &p->triangles.triangles[i];
    int32_t *wanted = &p->wanted[t->key >> 1], entry;
    uint32_t id, before;
    lathe_result r = id_of(p, i, &id);
    if (r == LATHE_OK && *wanted != NO_WISH && p->first) {
        p->changed += *wanted != t->material;
        return LATHE_OK;
    }
    if (r == LATHE_OK && *wanted != NO_WISH && id_of(p, i - 1, &before) == LATHE_OK && before != id)
        return error_set(p->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "triangles %llu and %llu are one quad, which is of one material; quads = "
                         "\"first\" takes that of the first",
                         (unsigned long long)i, (unsigned long long)i + 1);
    if (r == LATHE_OK)
        r = entry_of(p, id, t->material, &entry);
    if (r == LATHE_OK) {
        *wanted = entry;
        p->changed += entry != t->material;
    }
    return r;
}

static lathe_result paint_all(painter *p)
{
    size_t n = p->mesh.n_sections * PRIMITIVES;
    p->wanted = arena_zalloc(&p->room, n * sizeof *p->wanted + 1);
    if (!p->wanted)
        return rec_no_memory(p->err);
    for (size_t i = 0; i < n; i++)
        p->wanted[i] = NO_WISH;
    lathe_result r = check_count(p);
    for (uint64_t i = 0; r == LATHE_OK && i < p->triangles.n_triangles; i++)
        r = paint(p, i);
    return r;
}

/* ---- runs --------------------------------------------------------------------------------------------------- */

static bool put_run(painter *p, uint32_t value, uint8_t index, uint8_t count)
{
    uint8_t bytes[4] = {0, 0, index, count};
    bytes_st16(bytes, (uint16_t)value, p->data.doc->containers[p->data.layout->container].big);
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

static bool put_old(painter *p, const hk_mesh_section *s)
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

static lathe_result store_runs(painter *p)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(p->data.layout, "primitive_data_runs");
    uint64_t n = p->runs.size / 4;
    lathe_result r = rec_find_present(&p->data, slot, &loc, p->err);
    if (r == LATHE_OK && n > loc.count)
        r = rec_insert(&p->data, slot, loc.count, n - loc.count, NULL, 0, p->err);
    else if (r == LATHE_OK && n < loc.count)
        r = rec_remove(&p->data, slot, n, loc.count - n, p->err);
    if (r == LATHE_OK && n)
        r = rec_find_present(&p->data, slot, &loc, p->err);
    return r == LATHE_OK && n ? rec_put_items(&p->data, slot, &loc, 0, n, p->runs.data, p->err) : r;
}

static lathe_result store_all(painter *p)
{
    uint64_t next = 0;
    lathe_result r = LATHE_OK;
    for (size_t s = 0; r == LATHE_OK && s < p->mesh.n_sections; s++)
        r = put_section(p, s, &next);
    if (r == LATHE_OK)
        r = store_runs(p);
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
    painter p = {.err = err};
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
