/* Fills the sections: primitives sorted by tag, vertices, interior bits, boxes. */
#include "phive/build_parts.h"

#include "base/bytes.h"

/* ORIGIN_MOST: an origin plus 16 bits stays exact as a float. formats/bphsh.md#5 */
enum { GRID_VERTEX = 6, FLOAT_VERTEX = 12, END_PAD = 2, ORIGIN_MOST = PHIVE_GRID_STEPS - 65535 };

/* A section while it is being filled. */
typedef struct filling {
    build *b;
    const build_section *from;
    phive_built *out;
    phive_built_section *section;
    uint32_t order[PHIVE_SECTION_PRIMITIVES]; /* primitives sorted by tag */
    float floats[PHIVE_SECTION_VERTICES][3];  /* vertices of a float section */
} filling;

/* ---- sizes ---------------------------------------------------------------------------------------------- */

static bool has_end_pad(const build *b, size_t section)
{
    const build_section *s = &b->sections[section];
    return b->options->variant != PHIVE_V21 && section + 1 == b->section_count && !s->is_float &&
           !s->leaf_group;
}

static size_t bit_bytes(const build *b, size_t primitives)
{
    return ((b->options->variant == PHIVE_V21 ? 1 : 2) * primitives + 7) / 8;
}

static lathe_result take_room(build *b, phive_built *out)
{
    size_t nodes = 0;
    for (size_t i = 0; i < b->section_count; i++) {
        const build_section *s = &b->sections[i];
        nodes += build_box_nodes(s->count);
        out->vertex_bytes += (size_t)s->vertices * (s->is_float ? FLOAT_VERTEX : GRID_VERTEX) +
                             (has_end_pad(b, i) ? END_PAD : 0);
        out->bit_bytes += bit_bytes(b, s->count);
        out->vertex_count += s->vertices;
        out->float_sections += s->is_float;
    }
    arena *a = &out->arena;
    out->sections = arena_zalloc(a, b->section_count * sizeof *out->sections);
    out->nodes = arena_zalloc(a, nodes * sizeof *out->nodes);
    out->primitives = arena_zalloc(a, b->primitive_count * sizeof *out->primitives);
    out->vertices = arena_zalloc(a, out->vertex_bytes);
    out->bits = arena_zalloc(a, out->bit_bytes);
    return out->sections && out->nodes && out->primitives && out->vertices && out->bits
               ? LATHE_OK
               : build_no_memory(b->err);
}

/* ---- primitives ------------------------------------------------------------------------------------------- */

/* Sorts the section's primitives by tag; those with the same tag keep the order of the leaves. Numbers the
 * leaves accordingly. */
static void order_by_tag(filling *f)
{
    const uint32_t *leaves = f->b->sweep.order[0] + f->from->first;
    const size_t n = f->from->count;
    uint32_t tags[PHIVE_SECTION_PRIMITIVES], by_tag[PHIVE_SECTION_PRIMITIVES];
    uint32_t scratch[PHIVE_SECTION_PRIMITIVES];
    uint8_t number[PHIVE_SECTION_PRIMITIVES];
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        tags[i] = f->b->primitives[leaves[i]].tag;
        by_tag[i] = (uint32_t)i;
        sorted = sorted && (i == 0 || tags[i - 1] <= tags[i]);
    }
    if (!sorted)
        build_sort(by_tag, scratch, n, tags, 1);
    for (size_t i = 0; i < n; i++) {
        f->order[i] = leaves[by_tag[i]];
        number[by_tag[i]] = (uint8_t)i;
    }
    build_number_leaves(f->out->nodes + f->section->first_node, f->section->node_count, number);
}

/* The index of a corner in the section. If it is new, adds `vertex`. */
static uint8_t number_corner(filling *f, const build_primitive *p, int corner, uint32_t *vertices)
{
    build *b = f->b;
    const uint32_t spot = p->corner[corner];
    uint8_t *at = f->out->vertices + f->section->first_vertex_byte;
    if (p->is_float) {
        uint32_t k = 0;
        build_corner(b, p, corner, f->floats[*vertices]);
        while (memcmp(f->floats[k], f->floats[*vertices], sizeof f->floats[0]) != 0)
            k++;
        if (k == *vertices) {
            for (size_t axis = 0; axis < 3; axis++) {
                uint32_t bits;
                memcpy(&bits, &f->floats[k][axis], sizeof bits);
                bytes_st32(at + k * FLOAT_VERTEX + axis * 4, bits, false);
            }
            ++*vertices;
        }
        return (uint8_t)k;
    }
    if (b->stamps[spot] != b->stamp) {
        b->stamps[spot] = b->stamp;
        b->locals[spot] = (uint8_t)*vertices;
        for (size_t axis = 0; axis < 3; axis++)
            bytes_st16(at + *vertices * GRID_VERTEX + axis * 2,
                       (uint16_t)(b->spots[spot][axis] - f->section->origin[axis]), false);
        ++*vertices;
    }
    return b->locals[spot];
}

/* True if the corners of a quad are in one plane and its angles are below 180 degrees, with a tolerance for
 * rounding. */
static bool flat_and_convex(const build *b, const build_primitive *p)
{
    double at[4][3], normal[3] = {0}, square = 0;
    for (int i = 0; i < 4; i++)
        build_spot_position(b, p->corner[i], at[i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (at[2][j] - at[0][j]) * (at[3][k] - at[1][k]) -
                    (at[2][k] - at[0][k]) * (at[3][j] - at[1][j]);
        square += normal[i] * normal[i];
    }
    if (!(square > 0))
        return false;
    double off = 0;
    for (int i = 0; i < 3; i++)
        off += normal[i] * (at[1][i] - at[0][i]);
    if (fabs(off) > 1e-3 * sqrt(square))
        return false;
    for (int i = 0; i < 4; i++) {
        double u[3], v[3], turn = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = at[(i + 1) % 4][k] - at[i][k];
            v[k] = at[(i + 2) % 4][k] - at[(i + 1) % 4][k];
        }
        for (int k = 0; k < 3; k++)
            turn += normal[k] * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
        if (!(turn > 1e-6 * square))
            return false;
    }
    return true;
}

static void set_bits(filling *f, size_t number, unsigned bits)
{
    uint8_t *to = f->out->bits + f->section->first_bit_byte;
    if (f->b->options->variant == PHIVE_V21)
        to[number / 8] |= (uint8_t)(bits << number % 8);
    else
        to[number / 4] |= (uint8_t)(bits << number % 4 * 2);
}

/* Stores a primitive. a b c d equals c d a b: uses the one with b < d, or with b > d if the quad is marked as
 * flat and convex. */
static void put_primitive(filling *f, size_t number, uint32_t *vertices)
{
    const build_primitive *p = &f->b->primitives[f->order[number]];
    phive_built *out = f->out;
    uint8_t *to = out->primitives[f->section->first_primitive + number], v[4];
    const bool quad = p->corner[3] != p->corner[2];
    unsigned bits = p->interior;
    for (int corner = 0; corner < 3 + quad; corner++)
        v[corner] = number_corner(f, p, corner, vertices);
    if (!quad)
        v[3] = v[2];
    out->quad_count += quad;
    out->triangle_count += 1u + quad;
    const bool marked = quad && f->b->options->flat_quads && flat_and_convex(f->b, p);
    out->flat_quad_count += marked;
    const bool turned = quad && (v[1] > v[3]) != marked;
    for (int corner = 0; corner < 4; corner++)
        to[corner] = v[(corner + (turned ? 2 : 0)) % 4];
    if (turned)
        bits = bits >> 1 | (bits & 1) << 1;
    if (f->b->options->variant == PHIVE_V21)
        bits = quad ? bits == 3 : bits; /* one bit for both triangles */
    out->interior_count += (bits & 1) + (bits >> 1);
    set_bits(f, number, bits);
}

/* ---- a section --------------------------------------------------------------------------------------------- */

static void find_origin(const build *b, const build_section *from, int32_t origin[3])
{
    for (int k = 0; k < 3; k++)
        origin[k] = from->is_float ? PHIVE_FLOAT_ORIGIN : ORIGIN_MOST;
    if (from->is_float)
        return;
    for (size_t i = 0; i < from->count; i++) {
        const build_primitive *p = &b->primitives[b->sweep.order[0][from->first + i]];
        for (int corner = 0; corner < 4; corner++)
            for (int k = 0; k < 3; k++) {
                const int32_t q = b->spots[p->corner[corner]][k];
                origin[k] = q < origin[k] ? q : origin[k];
            }
    }
}

static void fill_section(filling *f, float box[6])
{
    build *b = f->b;
    phive_built *out = f->out;
    phive_built_section *s = f->section;
    build_cells cells;
    build_box_empty(box);
    for (size_t i = 0; i < f->from->count; i++)
        build_box_add(box, b->boxes[b->sweep.order[0][f->from->first + i]]);
    build_choose_cells(&cells, box);
    memcpy(s->cell, cells.cell, sizeof s->cell);
    memcpy(s->cell_origin, cells.origin, sizeof s->cell_origin);
    find_origin(b, f->from, s->origin);
    s->node_count = (uint32_t)build_box_tree(&b->sweep, &cells, f->from->first, f->from->count,
                                             out->nodes + out->node_count);
    out->node_count += s->node_count;
    order_by_tag(f);
    uint32_t vertices = 0;
    b->stamp++;
    for (size_t i = 0; i < f->from->count; i++)
        put_primitive(f, i, &vertices);
}

lathe_result build_fill_sections(build *b, phive_built *out, float (*boxes)[6], uint16_t *tags)
{
    const lathe_result r = take_room(b, out);
    if (r != LATHE_OK)
        return r;
    filling f = {.b = b, .out = out};
    size_t vertex_at = 0, bit_at = 0;
    for (size_t i = 0; i < b->section_count; i++) {
        f.from = &b->sections[i];
        f.section = &out->sections[i];
        *f.section = (phive_built_section){
            .is_float = f.from->is_float,
            .leaf_group = f.from->leaf_group,
            .vertex_count = f.from->vertices,
            .first_node = (uint32_t)out->node_count,
            .first_primitive = (uint32_t)out->primitive_count,
            .primitive_count = f.from->count,
            .first_vertex_byte = vertex_at,
            .vertex_bytes =
                (size_t)f.from->vertices * (f.from->is_float ? FLOAT_VERTEX : GRID_VERTEX) +
                (has_end_pad(b, i) ? END_PAD : 0),
            .first_bit_byte = bit_at,
            .bit_bytes = bit_bytes(b, f.from->count),
        };
        fill_section(&f, boxes[i]);
        for (size_t k = 0; k < f.from->count; k++)
            tags[out->primitive_count + k] = b->primitives[f.order[k]].tag;
        out->primitive_count += f.from->count;
        vertex_at += f.section->vertex_bytes;
        bit_at += f.section->bit_bytes;
    }
    out->section_count = b->section_count;
    return LATHE_OK;
}
