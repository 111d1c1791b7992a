/* doc:transform: moves a shape by whole steps of its grid. The boxes of each section are computed again,
 * because the size of their cells depends on the distance from the origin. Reference: formats/bphsh.md#5. */
#include "phive/build_parts.h"
#include "phive/edits.h"
#include "phive/scale_shape.h"

#include <math.h>
#include <stdio.h>

/* clang-format off */
static const rec_param translation_param = {.name = "translation", .unit = "m",
    .doc = "Where the origin goes: three numbers. Vertices on the grid move by the nearest whole steps."};
static const rec_param rotation_param = {.name = "rotation", .doc = "How all of it is turned about the origin: a quaternion x, y, z, w, or a matrix of nine numbers in three rows. Refused here: boxes and grid are along the axes, and doc:set_mesh builds a shape of turned triangles."};
static const rec_param scale_param = {.name = "scale", .kind = LATHE_PARAM_NUMBERS,
    .doc = "By what all of it is scaled from the origin, above 0. Or three such numbers, for x, y and z. That comes first."};
/* clang-format on */
const rec_param *const phive_transform_params[] = {&translation_param, &rotation_param,
                                                   &scale_param, NULL};

enum { EXACT = 1 << 24, GRID_MOST = 65535 };

typedef struct moving {
    phive_places places;
    double by[3];     /* as requested */
    int64_t steps[3]; /* of the grid */
    bool grid;        /* some section is on the grid */
    lathe_error *err;
} moving;

/* ---- arguments --------------------------------------------------------------------------------------------- */

static bool element(const lathe_source *args, const void *node, const lathe_value *leaf, uint64_t i,
                    double *out)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    if (node)
        return args->get(args->user, node, NULL, i, &v, &child) && !child && rec_number(&v, out);
    return (leaf->kind == LATHE_KIND_RECORD || leaf->kind == LATHE_KIND_ARRAY) &&
           lathe_view_item(leaf->as.v, i, &v, NULL) == LATHE_OK && rec_number(&v, out);
}

/* Reads three numbers, or (one) the same number for all. False: not given. */
static bool three(const lathe_source *args, const char *name, bool one, double out[3], bool *wrong)
{
    const void *node = NULL;
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    if (!args || !args->get(args->user, NULL, name, 0, &leaf, &node) ||
        (!node && leaf.kind == LATHE_KIND_NONE))
        return false;
    if (one && !node && rec_number(&leaf, &out[0])) {
        out[1] = out[2] = out[0];
        return true;
    }
    uint64_t n = node                             ? args->count(args->user, node)
                 : leaf.kind == LATHE_KIND_RECORD ? lathe_view_count(leaf.as.v)
                                                  : 0;
    *wrong = n != 3;
    for (uint64_t i = 0; i < 3 && !*wrong; i++)
        *wrong = !element(args, node, &leaf, i, &out[i]) || !isfinite(out[i]);
    return true;
}

static lathe_result check_scale(const double by[3], bool wrong, lathe_error *err)
{
    for (unsigned k = 0; !wrong && k < 3; k++) {
        if (by[k] < 0 && isfinite(by[k]))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "'scale' of transform: %.9g is no finite number above 0; doc:set_mesh "
                             "builds a shape of mirrored triangles",
                             by[k]);
        if (!(by[k] > 0) || !isfinite(by[k]))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "'scale' of transform: %.9g is no finite number above 0", by[k]);
    }
    return wrong ? error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                             "'scale' of transform: a finite number above 0, or three, expected")
                 : LATHE_OK;
}

static lathe_result read_args(const lathe_source *args, double move[3], double scale[3],
                              lathe_error *err)
{
    bool wrong = false, bad_scale = false;
    const void *node = NULL;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    bool moved = three(args, "translation", false, move, &wrong);
    bool scaled = three(args, "scale", true, scale, &bad_scale);
    if (args && args->get(args->user, NULL, "rotation", 0, &v, &node) &&
        (node || v.kind != LATHE_KIND_NONE))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "'rotation' of transform: boxes and grid are along the axes; doc:set_mesh "
                         "builds a shape of turned triangles");
    if (wrong)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'translation' of transform: three finite numbers expected");
    if (!moved && !scaled)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "transform: translation or scale expected");
    return scaled ? check_scale(scale, bad_scale, err) : LATHE_OK;
}

/* ---- vertices -------------------------------------------------------------------------------------------- */

static lathe_result find_steps(moving *m)
{
    for (unsigned k = 0; k < 3; k++) {
        double step = (double)m->places.from.step[k], n = m->by[k] != 0 ? m->by[k] / step : 0;
        if (!(step > 0) || !isfinite(step))
            return error_set(m->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "bitScale16Inv is %.9g: there is no grid to move on", step);
        if (!(fabs(n) < 2 * EXACT))
            return error_set(m->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "%.9g along %c are more steps of the grid than floats tell apart",
                             m->by[k], "xyz"[k]);
        m->steps[k] = (int64_t)round(n);
    }
    return LATHE_OK;
}

static lathe_result move_origin(const moving *m, const phive_section *s, uint32_t i, uint8_t *to)
{
    for (unsigned k = 0; k < 3; k++) {
        int64_t now = s->origin[k] + m->steps[k];
        if (!m->steps[k])
            continue;
        if (now < -EXACT || now + GRID_MOST >= EXACT || now == PHIVE_FLOATS)
            return error_set(m->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "section %u: its sectionOffset would be %lld along %c, from where on "
                             "floats skip steps of the grid",
                             i, (long long)now, "xyz"[k]);
        bytes_st32(to + 4 * k, (uint32_t)(int32_t)now, false);
    }
    return LATHE_OK;
}

static lathe_result move_floats(const moving *m, const phive_section *s, uint32_t i)
{
    lathe_result r = LATHE_OK;
    for (uint32_t v = 0; r == LATHE_OK && v < 3 * s->vertex_count; v++) {
        uint64_t at = s->vertices.at + 4 * (uint64_t)v;
        if (m->by[v % 3] != 0)
            r = phive_put_length(m->places.to + at,
                                 (double)phive_f32(m->places.from.data + at) + m->by[v % 3],
                                 "a vertex of section", i, m->err);
    }
    return r;
}

/* ---- boxes of a section ------------------------------------------------------------------------------------ */

enum { BOX_NODES = 256 }; /* node numbers are bytes */

typedef struct boxes {
    const moving *m;
    const phive_section *s;
    uint32_t section;
    float *rows;               /* its vertices */
    uint16_t order[BOX_NODES]; /* parents before children */
    uint32_t order_n;
    float of[BOX_NODES][6]; /* box of the contents of each node */
} boxes;

static lathe_result bad_node(const boxes *b, unsigned node, unsigned to, const char *why)
{
    return error_set(
        b->m->err, LATHE_ERR_INVALID,
        rec_encoded(b->m->places.from.doc, b->m->places.from.part,
                    b->s->nodes.at + (uint64_t)node * b->m->places.from.l->box_node.size),
        "section %u: tree node %u leads to %u, %s", b->section, node, to, why);
}

static const uint8_t *box_node(const boxes *b, unsigned i)
{
    return b->s->nodes.p + (size_t)i * b->m->places.from.l->box_node.size;
}

static bool box_leaf(const boxes *b, unsigned i)
{
    const uint8_t *data = box_node(b, i) + b->m->places.from.l->box_data;
    return data[2] > data[3];
}

static bool box_used(const boxes *b, unsigned i, unsigned lane, unsigned *to)
{
    const phive_layout *l = b->m->places.from.l;
    const uint8_t *p = box_node(b, i);
    *to = p[l->box_data + lane];
    return p[l->bytes[0] + lane] <= p[l->bytes[1] + lane];
}

static lathe_result sort_nodes(boxes *b)
{
    bool seen[BOX_NODES] = {true};
    b->order[0] = 0;
    b->order_n = 1;
    for (uint32_t k = 0; k < b->order_n; k++)
        for (unsigned lane = 0; lane < 4; lane++) {
            unsigned to, node = b->order[k];
            bool leaf = box_leaf(b, node);
            if (!box_used(b, node, lane, &to))
                continue;
            if (to >= (leaf ? b->s->primitives.count : b->s->nodes.count))
                return bad_node(b, node, to, leaf ? "which is no primitive" : "which is no node");
            if (leaf)
                continue;
            if (seen[to])
                return bad_node(b, node, to, "which another lane leads to");
            seen[to] = true;
            b->order[b->order_n++] = (uint16_t)to;
        }
    return LATHE_OK;
}

static lathe_result primitive_box(const boxes *b, unsigned i, float box[6])
{
    const uint8_t *c = phive_primitive(b->s, i);
    build_box_empty(box);
    for (unsigned k = 0; k < 4; k++) {
        if (c[k] >= b->s->vertex_count)
            return error_set(b->m->err, LATHE_ERR_RANGE,
                             rec_encoded(b->m->places.from.doc, b->m->places.from.part,
                                         b->s->primitives.at + 4 * (uint64_t)i),
                             "section %u primitive %u uses vertex %u of %u", b->section, i, c[k],
                             b->s->vertex_count);
        const float *v = b->rows + 3 * (size_t)c[k];
        const float point[6] = {v[0], v[0], v[1], v[1], v[2], v[2]};
        build_box_add(box, point);
    }
    return LATHE_OK;
}

static lathe_result put_nodes(boxes *b, const build_cells *cells)
{
    const phive_layout *l = b->m->places.from.l;
    for (uint32_t k = b->order_n; k-- > 0;) {
        unsigned node = b->order[k], to;
        uint8_t *p = b->m->places.to + b->s->nodes.at + (uint64_t)node * l->box_node.size;
        build_box_empty(b->of[node]);
        for (unsigned lane = 0; lane < 4; lane++) {
            float box[6];
            uint8_t bytes[6];
            lathe_result r = LATHE_OK;
            if (!box_used(b, node, lane, &to))
                continue;
            if (box_leaf(b, node))
                r = primitive_box(b, to, box);
            else
                memcpy(box, b->of[to], sizeof box);
            if (r != LATHE_OK)
                return r;
            if (!(box[0] <= box[1]))
                continue; /* an empty node */
            build_box_add(b->of[node], box);
            build_box_bytes(cells, box, bytes);
            for (unsigned i = 0; i < 6; i++)
                if (b->m->by[i / 2] != 0)
                    p[l->bytes[i] + lane] = bytes[i];
        }
    }
    return LATHE_OK;
}

static lathe_result box_section(const moving *m, const phive_section *s, uint32_t i, float *rows)
{
    const phive_layout *l = m->places.from.l;
    uint8_t *to = m->places.to + m->places.from.sections.at + (uint64_t)i * l->section.size;
    float box[6], lo[3], hi[3];
    build_cells cells;
    boxes b = {.m = m, .s = s, .section = i, .rows = rows};
    if (!s->vertex_count || !s->nodes.count)
        return LATHE_OK;
    phive_vertices(&m->places.now, s, 0, s->vertex_count, rows);
    phive_box(rows, s->vertex_count, lo, hi);
    for (unsigned k = 0; k < 6; k++)
        box[k] = k % 2 ? hi[k / 2] : lo[k / 2];
    build_choose_cells(&cells, box);
    for (unsigned k = 0; k < 3; k++) {
        if (m->by[k] == 0)
            continue;
        bytes_st32(to + l->cell + 4 * k, bytes_f32_narrow((double)cells.cell[k]), false);
        bytes_st16(to + l->cell_origin + 2 * k, (uint16_t)cells.origin[k], false);
    }
    lathe_result r = sort_nodes(&b);
    return r == LATHE_OK ? put_nodes(&b, &cells) : r;
}

/* ---- the verb ---------------------------------------------------------------------------------------------- */

static lathe_result each_section(moving *m)
{
    const phive_reading *from = &m->places.from;
    const mem *memory = &from->doc->mem;
    phive_section s;
    size_t most = 0;
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < from->sections.count; i++) {
        r = phive_read_section(from, i, &s, m->err);
        m->grid = m->grid || (r == LATHE_OK && !s.floats);
        most = r == LATHE_OK && s.vertex_count > most ? s.vertex_count : most;
    }
    if (r == LATHE_OK && m->grid)
        r = find_steps(m);
    float *rows = r == LATHE_OK ? mem_alloc(memory, (most + 1) * 3 * sizeof *rows) : NULL;
    if (r == LATHE_OK && !rows)
        r = rec_no_memory(m->err);
    for (uint32_t i = 0; r == LATHE_OK && i < from->sections.count; i++) {
        uint8_t *to = m->places.to + from->sections.at + (uint64_t)i * from->l->section.size;
        r = phive_read_section(from, i, &s, m->err);
        if (r == LATHE_OK)
            r = s.floats ? move_floats(m, &s, i) : move_origin(m, &s, i, to + from->l->origin);
        if (r == LATHE_OK)
            r = phive_places_section(&m->places, i, &s, m->err);
        if (r == LATHE_OK)
            r = box_section(m, &s, i, rows);
    }
    if (rows)
        mem_free(memory, rows, (most + 1) * 3 * sizeof *rows);
    return r;
}

/* Reports the difference between the actual and the requested movement: x, y and z. */
static void report_rounding(const moving *m, lathe_report *report)
{
    double off[3];
    char text[160];
    for (unsigned k = 0; k < 3; k++)
        off[k] = m->grid ? (double)m->steps[k] * (double)m->places.from.step[k] - m->by[k] : 0;
    if (!report || !report->result || (off[0] == 0 && off[1] == 0 && off[2] == 0))
        return;
    for (unsigned k = 0; k < 3; k++) {
        const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = off[k]};
        report->result(report->user, "rounded", &v);
    }
    int n = snprintf(text, sizeof text,
                     "the translation was rounded to steps of the grid, by %.6g, %.6g and %.6g",
                     off[0], off[1], off[2]);
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {text, (size_t)n}};
    report->result(report->user, "warnings", &v);
}

static lathe_result move_shape(lathe_doc *doc, uint32_t c, const double by[3], lathe_report *report,
                               lathe_error *err)
{
    moving m = {.by = {by[0], by[1], by[2]}, .err = err};
    lathe_result r = phive_places_begin(doc, c, &m.places, err);
    if (r == LATHE_OK)
        r = each_section(&m);
    if (r == LATHE_OK)
        r = phive_places_boxes(&m.places, NULL, NULL, err);
    if (r == LATHE_OK)
        r = phive_places_store(&m.places, err);
    if (r == LATHE_OK)
        report_rounding(&m, report);
    phive_places_end(&m.places);
    return r;
}

lathe_result phive_transform(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    double move[3] = {0, 0, 0}, scale[3] = {1, 1, 1};
    uint32_t c = self.doc->parts[self.part].container;
    lathe_result r = read_args(args, move, scale, err);
    if (r != LATHE_OK)
        return r;
    bool scales = scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
    bool moves = move[0] != 0 || move[1] != 0 || move[2] != 0;
    if (scales)
        r = phive_scale_shape(self.doc, c, scale, err);
    if (r == LATHE_OK && moves)
        r = move_shape(self.doc, c, move, report, err);
    if (r == LATHE_OK && report && (scales || moves))
        report->changed++;
    return r;
}
