/* doc:set_triangle_materials: materials by triangle. The two triangles of a quad may have different ones,
 * because they have different keys. */
#include "phive/edits.h"
#include "phive/rows.h"
#include "phive/tags.h"

/* clang-format off */
static const rec_param list_param = {.name = "materials", .positional = true,
    .doc = "A name or number for each triangle, in the order of doc:meshes{what = \"collision\"}; or one for all. One of doc.materials stands for itself. Where no row has that material a new one is appended, which is otherwise like that of the first such triangle."};
static const rec_param numbers_param = {.name = "triangle_materials",
    .doc = "Numbers into `materials`, from 0, a triangle each, as meshes have them: a buffer or a list. Without `materials`: into doc.materials, from 0."};
/* clang-format on */
const rec_param *const phive_paint_params[] = {&list_param, &numbers_param, NULL};

/* The value for a triangle: a row of the file, a material of any row, or no change. */
typedef struct wish {
    enum { OF_ROW, OF_MATERIAL, AS_IT_IS } kind;
    uint32_t number;
} wish;

typedef struct painter {
    lathe_doc *doc;
    uint32_t c;
    const lathe_source *args;
    const void *list, *numbers; /* NULL: one value for all; row numbers */
    lathe_value one;
    uint64_t list_n;
    wish *wishes; /* for each entry of the list, or for the one value */
    size_t wishes_n;
    phive_tags tags;
    phive_rows rows;
    uint64_t changed;
    lathe_error *err;
} painter;

/* ---- arguments ------------------------------------------------------------------------------------------ */

static lathe_result read_list(const painter *p, const char *name, const void **node,
                              lathe_value *leaf)
{
    *node = NULL;
    *leaf = (lathe_value){.kind = LATHE_KIND_NONE};
    p->args->get(p->args->user, NULL, name, 0, leaf, node);
    if (*node && leaf->kind != LATHE_KIND_ARRAY)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "'%s': a list expected", name);
    return LATHE_OK;
}

/* The number of a row of this document's materials. */
static lathe_result row_of_view(const painter *p, lathe_view view, uint32_t *row)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, p->err);
    if (r != LATHE_OK)
        return r;
    if (at.doc != p->doc || slot != REC_NO_SLOT || at.layout->type != &phive_material_type ||
        at.layout->container != p->c)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "one of this document's materials expected");
    *row = (uint32_t)(at.off / PHIVE_MATERIAL);
    return LATHE_OK;
}

/* Reads a value. `nested`: it is a table, so not a material. */
static lathe_result read_wish(painter *p, const lathe_value *v, bool nested, wish *out)
{
    *out = (wish){.kind = OF_MATERIAL};
    if (v->kind == LATHE_KIND_RECORD && !nested) {
        out->kind = OF_ROW;
        return row_of_view(p, v->as.v, &out->number);
    }
    if (v->kind == LATHE_KIND_STRING && rec_text_is(v, "none")) { /* as in meshes */
        out->kind = AS_IT_IS;
        return LATHE_OK;
    }
    return phive_material_number(p->doc, p->c, v, &out->number, p->err);
}

static lathe_result read_wishes(painter *p)
{
    bool one = p->one.kind != LATHE_KIND_NONE && !p->list;
    p->list_n = p->list ? p->args->count(p->args->user, p->list) : 0;
    p->wishes_n = one ? 1 : (size_t)p->list_n;
    if (p->list_n > SIZE_MAX / 2 / sizeof *p->wishes)
        return rec_no_memory(p->err);
    p->wishes = mem_zalloc(&p->doc->mem, (p->wishes_n + 1) * sizeof *p->wishes);
    if (!p->wishes)
        return rec_no_memory(p->err);
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < p->wishes_n; i++) {
        lathe_value v = p->one;
        const void *child = NULL;
        if (p->list && !p->args->get(p->args->user, p->list, NULL, i, &v, &child))
            v.kind = LATHE_KIND_NONE;
        r = read_wish(p, &v, child != NULL, &p->wishes[i]);
        if (r != LATHE_OK && p->list && p->err && r != LATHE_ERR_MEMORY) {
            lathe_error why = *p->err;
            r = error_set(p->err, r, LATHE_NO_OFFSET, "'materials', %llu: %s",
                          (unsigned long long)i + 1, why.message);
        }
    }
    return r;
}

static lathe_result read_args(painter *p)
{
    lathe_value leaf;
    if (!p->args)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_triangle_materials takes materials or triangle_materials");
    lathe_result r = read_list(p, "materials", &p->list, &p->one);
    if (r == LATHE_OK)
        r = read_list(p, "triangle_materials", &p->numbers, &leaf);
    bool one = !p->list && p->one.kind != LATHE_KIND_NONE;
    if (r == LATHE_OK && !p->numbers && leaf.kind != LATHE_KIND_NONE)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'triangle_materials': a list expected");
    if (r == LATHE_OK && p->numbers && one)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'triangle_materials' is a list of numbers into a list of materials");
    if (r == LATHE_OK && !p->numbers && !one && !p->list)
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_triangle_materials takes materials or triangle_materials");
    return r == LATHE_OK ? read_wishes(p) : r;
}

static lathe_result check_count(const painter *p)
{
    const void *list = p->numbers ? p->numbers : p->list;
    uint64_t n = list ? p->args->count(p->args->user, list) : p->tags.n;
    if (n == p->tags.n)
        return LATHE_OK;
    return error_set(p->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "the mesh has %llu triangles, and materials are given for %llu",
                     (unsigned long long)p->tags.n, (unsigned long long)n);
}

/* ---- triangle by triangle --------------------------------------------------------------------------------- */

static lathe_result wish_of(const painter *p, size_t i, wish *out)
{
    lathe_value v;
    const void *child = NULL;
    double at = (double)i;
    uint64_t most = p->list ? p->list_n : p->rows.n;
    if (!p->numbers) {
        *out = p->wishes[p->list ? i : 0];
        return LATHE_OK;
    }
    bool there = p->args->get(p->args->user, p->numbers, NULL, i, &v, &child) && !child &&
                 rec_number(&v, &at) && at >= 0 && at <= UINT32_MAX && at == (double)(uint32_t)at;
    if (there && !p->list && at == (double)most && phive_tag_row(p->tags.of[i]) >= most) {
        out->kind = AS_IT_IS; /* triangles without a material come after the others, as in meshes */
        return LATHE_OK;
    }
    if (!there || !(at < (double)most))
        return error_set(p->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "triangle %llu: a number of one of the %llu materials, from 0, expected",
                         (unsigned long long)i, (unsigned long long)most);
    *out = p->list ? p->wishes[(size_t)at] : (wish){OF_ROW, (uint32_t)at};
    return LATHE_OK;
}

static lathe_result paint_one(painter *p, size_t i)
{
    wish w = {.kind = AS_IT_IS};
    uint32_t was = phive_tag_row(p->tags.of[i]), now = was;
    lathe_result r = wish_of(p, i, &w);
    if (r == LATHE_OK && w.kind == AS_IT_IS && was < p->rows.n)
        return error_set(p->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "triangle %llu: every triangle is of a material", (unsigned long long)i);
    if (r == LATHE_OK && w.kind == OF_MATERIAL)
        r = phive_rows_find(&p->rows, w.number, was, &now, p->err);
    else if (r == LATHE_OK && w.kind == OF_ROW)
        now = w.number;
    if (r == LATHE_OK && now != was) {
        p->tags.of[i] = phive_tag_with(p->tags.of[i], now);
        p->changed++;
    }
    return r;
}

static lathe_result paint_all(painter *p)
{
    lathe_result r = phive_tags_read(p->doc, p->c, &p->tags, p->err);
    if (r == LATHE_OK)
        r = phive_rows_read(p->doc, p->c, &p->rows, p->err);
    if (r == LATHE_OK)
        r = read_args(p);
    if (r == LATHE_OK)
        r = check_count(p);
    for (size_t i = 0; r == LATHE_OK && i < p->tags.n; i++)
        r = paint_one(p, i);
    return r;
}

lathe_result phive_paint(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    painter p = {
        .doc = self.doc, .c = self.doc->parts[self.part].container, .args = args, .err = err};
    lathe_result r = paint_all(&p);
    uint64_t added = r == LATHE_OK ? p.rows.n - p.rows.stored : 0;
    if (r == LATHE_OK)
        r = phive_rows_store(&p.rows, err);
    if (r == LATHE_OK && p.changed)
        r = phive_tags_store(p.doc, p.c, &p.tags, err);
    if (r == LATHE_OK && report) {
        const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = (int64_t)added};
        report->changed += p.changed;
        if (added && report->result)
            report->result(report->user, "added", &v);
    }
    if (p.wishes)
        mem_free(&p.doc->mem, p.wishes, (p.wishes_n + 1) * sizeof *p.wishes);
    phive_rows_free(&p.rows);
    phive_tags_free(&p.tags);
    return r;
}
