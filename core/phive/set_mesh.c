/* doc:set_mesh: replaces the triangles and rebuilds sections, trees and tags. Everything that does not depend
 * on the triangles is kept. */
#include "phive/set_mesh.h"

#include "phive/build.h"
#include "phive/write.h"
#include "scene/hooks.h"
#include "scene/soup.h"

#include <stdio.h>

/* clang-format off */
static const rec_param mesh_param = {.name = "mesh", .positional = true, .needed = true,
    .doc = "A mesh as doc:meshes gives it, a list of such, or a document: all of its meshes. In metres, y up."};
static const rec_param materials_param = {.name = "materials",
    .doc = "A row for each material of the mesh, in its order: a name, a number, or a table of the row's fields. Tags and layers that "
           "it does not say are those of the row that was of the same material, or of a new row. One for all: a name or number. Without it the mesh's own names "
           "are looked for in the rows that are there, and the others come behind them."};
static const rec_param quads_param = {.name = "quads", .kind = LATHE_PARAM_BOOLEAN,
    .doc = "False: each triangle is a primitive of its own, and no two are stored as one."};
static const rec_param flat_param = {.name = "flat_quads", .kind = LATHE_PARAM_BOOLEAN,
    .doc = "True: quads that are flat and convex are marked as one face of four corners, as the game's own builder of Tears of the Kingdom does."};
static const rec_param interior_param = {.name = "interior", .kind = LATHE_PARAM_BOOLEAN,
    .doc = "False: no triangle is marked as one whose edges need no test, which is always safe, and slower in the game."};
const rec_param *const phive_set_mesh_params[] = {&mesh_param, &materials_param, &quads_param, &flat_param, &interior_param, NULL};
/* clang-format on */

typedef struct mesher {
    lathe_doc *doc;
    uint32_t c;
    const lathe_source *args;
    lathe_report *report;
    const void *list; /* the argument for materials; NULL: none */
    uint64_t listed;
    lathe_value one; /* for all triangles */
    buf ids;         /* uint32_t each: materials of the resulting rows */
    size_t had;      /* number of existing rows that are kept */
    scene_soup soup;
} mesher;

/* ---- materials ------------------------------------------------------------------------------------------------ */

static lathe_value ask(const lathe_source *s, const void *node, const char *name, uint64_t i,
                       const void **child)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    *child = NULL;
    if (!s->get(s->user, node, name, i, &v, child))
        v.kind = LATHE_KIND_NONE;
    return v;
}

static size_t rows(const mesher *m)
{
    return m->ids.size / sizeof(uint32_t);
}

static uint32_t id_of_row(const mesher *m, size_t i)
{
    uint32_t id;
    memcpy(&id, m->ids.data + i * sizeof id, sizeof id);
    return id;
}

static lathe_result add_row(mesher *m, uint32_t id, lathe_error *err)
{
    if (rows(m) > PHIVE_TAG_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than %d materials",
                         PHIVE_TAG_MAX + 1);
    return buf_put(&m->ids, &id, sizeof id) ? LATHE_OK : rec_no_memory(err);
}

/* The first row of a material; added if there is none. There are few rows, so the search is linear. */
static lathe_result row_of(mesher *m, uint32_t id, uint32_t *row, lathe_error *err)
{
    size_t i = 0;
    while (i < rows(m) && id_of_row(m, i) != id)
        i++;
    *row = (uint32_t)i;
    return i < rows(m) ? LATHE_OK : add_row(m, id, err);
}

/* Converts the material of a triangle in a mesh to a row. */
static lathe_result material_of(void *user, const lathe_value *said, uint64_t number, uint32_t *row,
                                lathe_error *err)
{
    mesher *m = user;
    uint32_t id;
    bool silent = said->kind == LATHE_KIND_NONE || said->kind == LATHE_KIND_BOOL;
    *row = 0;
    if (m->one.kind != LATHE_KIND_NONE)
        return LATHE_OK;
    if (m->list) {
        *row = (uint32_t)(number == REC_NO_ITEM ? 0 : number);
        if ((number == REC_NO_ITEM && m->listed == 1) || number < m->listed)
            return LATHE_OK;
        return error_set(
            err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
            number == REC_NO_ITEM
                ? "materials: %llu are given, but the triangles have no numbers of theirs"
                : "materials: %llu are given, a triangle is of number %llu, counted from 0",
            (unsigned long long)m->listed, (unsigned long long)number);
    }
    if (silent)
        return rows(m) ? LATHE_OK : add_row(m, 0, err);
    lathe_result r = phive_material_number(m->doc, m->c, said, &id, err);
    if (r != LATHE_OK)
        return r;
    if (number < m->had &&
        id_of_row(m, (size_t)number) == id) { /* rows may differ only in their masks */
        *row = (uint32_t)number;
        return LATHE_OK;
    }
    return row_of(m, id, row, err);
}

/* The material of a row that is passed as a name, a number, or a table. */
static lathe_result id_of_given(mesher *m, const lathe_value *v, const void *child, uint32_t *id,
                                lathe_error *err)
{
    lathe_value value = *v;
    const void *deeper;
    if (child) {
        value = ask(m->args, child, "material_id", 0, &deeper);
        if (value.kind == LATHE_KIND_NONE)
            value = ask(m->args, child, "name", 0, &deeper);
        *id = 0;
        if (value.kind == LATHE_KIND_NONE)
            return LATHE_OK;
    }
    return phive_material_number(m->doc, m->c, &value, id, err);
}

static lathe_result read_given(mesher *m, lathe_error *err)
{
    const void *child;
    uint32_t id;
    char where[40];
    lathe_result r = LATHE_OK;
    m->one = ask(m->args, NULL, "materials", 0, &m->list);
    if (m->one.kind == LATHE_KIND_NONE)
        return r;
    if (!m->list) {
        r = phive_material_number(m->doc, m->c, &m->one, &id, err);
        if (r != LATHE_OK)
            error_where(err, "materials");
        return r == LATHE_OK ? add_row(m, id, err) : r;
    }
    if (m->one.kind != LATHE_KIND_ARRAY)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "materials: a list, a name or a number expected");
    m->one.kind = LATHE_KIND_NONE;
    m->listed = m->args->count(m->args->user, m->list);
    for (uint64_t i = 0; r == LATHE_OK && i < m->listed; i++) {
        lathe_value v = ask(m->args, m->list, NULL, i, &child);
        r = id_of_given(m, &v, child, &id, err);
        snprintf(where, sizeof where, "materials[%llu]", (unsigned long long)i + 1);
        if (r == LATHE_OK)
            r = add_row(m, id, err);
        else
            error_where(err, where);
    }
    return r;
}

static lathe_result read_rows(mesher *m, lathe_error *err)
{
    const rec_part *p = rec_part_of(m->doc, phive_part_of(m->doc, m->c, PHIVE_TABLES));
    lathe_result r = LATHE_OK;
    uint32_t n = phive_counts_of(m->doc, m->c).rows;
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++)
        r = add_row(m, bytes_ld32(p->data + (size_t)i * PHIVE_MATERIAL, false), err);
    m->had = n;
    return r;
}

/* ---- triangles ------------------------------------------------------------------------------------------------ */

/* Adds all meshes of a document: its collision meshes if it has any, else its visible ones. */
static lathe_result add_view(scene_soup *soup, lathe_view view, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    const scene_hooks *hooks = scene_of(at.doc->containers[0].format);
    bool whole = at.part == at.doc->containers[0].root && !at.off && slot == REC_NO_SLOT;
    if (!whole || (!hooks->collision && !hooks->mesh))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s has no triangles of its own",
                         rec_type_name(at.layout->type));
    uint64_t i = 0;
    for (; r == LATHE_OK; i++) {
        model_mesh mesh;
        model_mesh_init(&mesh, soup->mem);
        r = hooks->collision ? hooks->collision(at.doc, i, &mesh, err)
                             : hooks->mesh(at.doc, i, &mesh, err);
        if (r == LATHE_OK && !mesh.left_out)
            r = scene_soup_add_mesh(soup, &mesh, err);
        model_mesh_free(&mesh);
    }
    return r == LATHE_ERR_NAME && i > 1 ? LATHE_OK : r;
}

static lathe_result read_mesh(mesher *m, lathe_error *err)
{
    const void *node;
    lathe_value v = ask(m->args, NULL, "mesh", 0, &node);
    m->soup = (scene_soup){.mem = &m->doc->mem,
                           .source = m->args,
                           .place = mat4_identity(),
                           .unit = 1,
                           .user = m,
                           .material = material_of,
                           .view = add_view};
    scene_soup_open(&m->soup);
    lathe_result r = scene_soup_add(&m->soup, &v, node, err);
    if (r == LATHE_OK && scene_soup_points(&m->soup) && !scene_soup_triangles(&m->soup))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "a mesh with positions and no triangles: indices expected");
    return r;
}

static bool flag(const mesher *m, const char *name, bool otherwise)
{
    lathe_value v;
    return rec_arg(m->args, name, &v) && v.kind == LATHE_KIND_BOOL ? v.as.b : otherwise;
}

static lathe_result build(mesher *m, const phive_reading *r, phive_built *built, lathe_error *err)
{
    size_t n = scene_soup_triangles(&m->soup);
    const uint32_t *rows_of = (const uint32_t *)(const void *)m->soup.materials.data;
    const uint16_t *of = (const uint16_t *)(const void *)m->soup.of.data;
    uint16_t *tags = mem_alloc(&m->doc->mem, n * sizeof *tags + 1);
    if (!tags)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++)
        tags[i] = (uint16_t)rows_of[of[i]];
    const phive_mesh mesh = {(const float *)(const void *)m->soup.positions.data,
                             scene_soup_points(&m->soup),
                             (const uint32_t *)(const void *)m->soup.triangles.data, n, tags};
    phive_build_options o = {.variant = r->l->variant,
                             .quads = flag(m, "quads", true),
                             .flat_quads = flag(m, "flat_quads", false)};
    o.interior = flag(m, "interior", true) ? PHIVE_INTERIOR_ALL : PHIVE_INTERIOR_NONE;
    for (unsigned k = 0; k < 3; k++) { /* an existing grid is kept */
        o.scale[k] = phive_f32(r->data + r->l->scale + 4 * k);
        o.scale_inv[k] = r->step[k];
    }
    lathe_result done = phive_build(built, &mesh, &o, &m->doc->mem, err);
    mem_free(&m->doc->mem, tags, n * sizeof *tags + 1);
    return done;
}

/* ---- storing -------------------------------------------------------------------------------------------------- */

static lathe_result put_tagfile(const mesher *m, const phive_reading *r, const phive_built *built,
                                lathe_error *err)
{
    lathe_doc *doc = m->doc;
    tag_ordered with;
    buf was, file;
    tag_ordered_init(&with, &doc->mem);
    buf_init(&was, &doc->mem);
    buf_init(&file, &doc->mem);
    lathe_result done = phive_write(built, r->l, r->data, &with, err);
    if (done == LATHE_OK && !rec_part_bytes(doc, phive_part_of(doc, m->c, PHIVE_TAGFILE), &was))
        done = rec_no_memory(err);
    if (done == LATHE_OK)
        done = tag_refill(was.data, was.size, &with, &file, err);
    tag_ordered_free(&with);
    buf_free(&was);
    if (done == LATHE_OK) {
        rec_at root = rec_root(doc, m->c);
        const lathe_value v = {.kind = LATHE_KIND_STRING,
                               .as.s = {(const char *)file.data, file.size}};
        done = rec_set(&root, phive_row(PHIVE_TAGFILE), &v, err);
    }
    buf_free(&file);
    return done;
}

static lathe_result put_number(const rec_at *row, const char *name, uint64_t value,
                               lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_UINT, .as.u = value};
    return rec_set(row, rec_slot_find(row->layout, name), &v, err);
}

/* Both tables before the edit. */
typedef struct tables_were {
    const uint8_t *materials, *masks;
    uint32_t rows, mask; /* size of a row of masks in bytes */
} tables_were;

/* Sets the values of a row except the material: those of the first former row with the same material, else
 * defaults. */
static lathe_result put_rest(const rec_at *row, uint32_t id, const tables_were *was,
                             lathe_error *err)
{
    uint32_t i = 0, half = was->mask / 2;
    while (i < was->rows && bytes_ld32(was->materials + (size_t)i * PHIVE_MATERIAL, false) != id)
        i++;
    bool found = i < was->rows;
    const uint8_t *p = was->materials + (size_t)i * PHIVE_MATERIAL,
                  *q = was->masks + (size_t)i * was->mask;
    uint64_t all = half == 8 ? UINT64_MAX : UINT32_MAX;
    lathe_result r = put_number(row, "sub_material_id", found ? bytes_ld32(p + 4, false) : 0, err);
    if (r == LATHE_OK)
        r = put_number(row, "user_tag_mask", found ? bytes_ld64(p + 8, false) : 0, err);
    if (r == LATHE_OK)
        r = put_number(row, "layer_mask", found ? bytes_ld(q, half, false) : all, err);
    return r == LATHE_OK ? put_number(row, "sub_layer_mask",
                                      found ? bytes_ld(q + half, half, false) : all, err)
                         : r;
}

static lathe_result put_row(const mesher *m, const rec_at *tables, size_t i, const tables_were *was,
                            lathe_error *err)
{
    rec_at row;
    const void *child = NULL;
    lathe_result r = rec_sub(tables, rec_slot_find(tables->layout, "materials"), i, &row, err);
    if (r == LATHE_OK)
        r = put_number(&row, "material_id", id_of_row(m, i), err);
    if (r == LATHE_OK)
        r = put_rest(&row, id_of_row(m, i), was, err);
    if (m->list)
        ask(m->args, m->list, NULL, i, &child);
    if (r != LATHE_OK || !child)
        return r;
    rec_from from = {.source = m->args, .node = child};
    return rec_build(&row, &from, err);
}

/* Resizes the tables: appends new rows, or removes rows at the end. */
static lathe_result put_rows(const mesher *m, lathe_error *err)
{
    uint32_t part = phive_part_of(m->doc, m->c, PHIVE_TABLES);
    rec_at tables = {
        .doc = m->doc, .layout = rec_part_root(m->doc, part), .part = part, .slot = REC_NO_SLOT};
    if (!tables.layout)
        return rec_no_memory(err);
    uint32_t slot = rec_slot_find(tables.layout, "materials");
    phive_counts counts = phive_counts_of(m->doc, m->c);
    uint64_t have = counts.rows, want = rows(m);
    const rec_part *p = rec_part_of(m->doc, part);
    uint8_t *copy = mem_alloc(&m->doc->mem, (size_t)p->size + 1);
    if (!copy)
        return rec_no_memory(err);
    size_t size = (size_t)p->size + 1;
    if (p->size)
        memcpy(copy, p->data, (size_t)p->size);
    const tables_were was = {copy, copy + have * PHIVE_MATERIAL + counts.rest, counts.rows,
                             phive_mask_size(m->doc, m->c)};
    lathe_result r = LATHE_OK;
    if (want > have)
        r = rec_insert(&tables, slot, have, want - have, NULL, 0, err);
    else if (want < have)
        r = rec_remove(&tables, slot, want, have - want, err);
    for (size_t i = m->had; r == LATHE_OK && i < want; i++)
        r = put_row(m, &tables, i, &was, err);
    mem_free(&m->doc->mem, copy, size);
    return r;
}

static void finding(const mesher *m, size_t n, const char *what)
{
    char text[128];
    if (!n || !m->report || !m->report->skipped)
        return;
    snprintf(text, sizeof text, "%zu %s", n, what);
    m->report->skipped(m->report->user, "shape", text);
}

static lathe_result set_mesh(mesher *m, lathe_error *err)
{
    phive_reading r;
    phive_built built = {.variant = PHIVE_NO_VARIANT};
    lathe_result done = read_given(m, err);
    if (done == LATHE_OK && m->one.kind == LATHE_KIND_NONE && !m->list)
        done = read_rows(m, err);
    if (done == LATHE_OK)
        done = read_mesh(m, err);
    if (done == LATHE_OK)
        done = phive_read(m->doc, m->c, &r, err);
    if (done == LATHE_OK)
        done = build(m, &r, &built, err);
    if (done != LATHE_OK)
        return done;
    finding(m, built.dropped, "triangles with two corners at one place are left out");
    finding(m, built.float_sections,
            "sections have vertices that are floats: their triangles do not fit the grid");
    done = put_tagfile(m, &r, &built, err);
    if (done == LATHE_OK)
        done = put_rows(m, err);
    if (done == LATHE_OK && m->report)
        m->report->changed += built.triangle_count;
    phive_built_free(&built);
    return done;
}

lathe_result phive_set_mesh(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    mesher m = {.doc = self.doc, .args = args, .report = report};
    buf_init(&m.ids, &m.doc->mem);
    lathe_result r = set_mesh(&m, err);
    if (m.soup.mem)
        scene_soup_close(&m.soup);
    buf_free(&m.ids);
    return r;
}
