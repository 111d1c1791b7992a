/* Reads a mesh shape in bulk. */
#include "phive/read.h"

#include <stdio.h>

/* ---- arrays ------------------------------------------------------------------------------------------------ */

/* The name of an array in errors: its section, if it belongs to one, and its name. */
typedef struct array_name {
    const char *name;
    uint32_t section;
} array_name;

enum { NO_SECTION = 0xFFFFFFF };

static lathe_result outside(const phive_reading *r, uint64_t at, array_name of, int64_t offset,
                            int64_t count, uint32_t elem, lathe_error *err)
{
    char what[64];
    if (of.section == NO_SECTION)
        snprintf(what, sizeof what, "%s", of.name);
    else
        snprintf(what, sizeof what, "section %u: %s", of.section, of.name);
    return error_set(err, LATHE_ERR_BOUNDS, rec_encoded(r->doc, r->part, at),
                     "%s outside DATA: %lld elements of %u bytes at 0x%llx%+lld of 0x%llx", what,
                     (long long)count, elem, (unsigned long long)at, (long long)offset,
                     (unsigned long long)r->size);
}

/* Reads the array with a header at `at`: of 8 bytes, or (wide) of 16. */
static lathe_result find(const phive_reading *r, uint64_t at, bool wide, uint32_t elem,
                         array_name of, phive_array *out, lathe_error *err)
{
    const uint8_t *p = r->data + at;
    int64_t offset = wide ? (int64_t)bytes_ld64(p, false) : (int32_t)bytes_ld32(p, false);
    int64_t count = (int32_t)bytes_ld32(p + (wide ? 8 : 4), false);
    *out = (phive_array){.at = at};
    if (!count)
        return LATHE_OK;
    bool inside = count > 0 && offset > 0 && (uint64_t)offset <= r->size - at &&
                  (uint64_t)count <= (r->size - at - (uint64_t)offset) / elem;
    if (!inside)
        return outside(r, at, of, offset, count, elem, err);
    out->at = at + (uint64_t)offset;
    out->p = r->data + out->at;
    out->count = (uint32_t)count;
    return LATHE_OK;
}

static unsigned bits_of(uint32_t n)
{
    unsigned bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

lathe_result phive_read(lathe_doc *doc, uint32_t c, phive_reading *out, lathe_error *err)
{
    rec_at shape;
    phive_reading *r = out;
    memset(r, 0, sizeof *r);
    lathe_result done = phive_shape(doc, c, &shape, &r->l, &r->container, err);
    if (done != LATHE_OK)
        return done;
    const rec_part *p = rec_part_of(doc, shape.part);
    r->doc = doc;
    r->part = shape.part;
    r->data = p->data; /* phive_shape checked that the shape's own bytes are there */
    r->size = p->size;
    for (unsigned i = 0; i < 3; i++)
        r->step[i] = phive_f32(r->data + r->l->scale_inv + 4 * i);
    done = find(r, r->l->tags, false, r->l->tag.size, (array_name){"shape tag table", NO_SECTION},
                &r->tags, err);
    if (done == LATHE_OK)
        done = find(r, r->l->nodes, true, r->l->node.size, (array_name){"tree nodes", NO_SECTION},
                    &r->nodes, err);
    if (done == LATHE_OK)
        done = find(r, r->l->sections, false, r->l->section.size,
                    (array_name){"geometry sections", NO_SECTION}, &r->sections, err);
    unsigned key_bits = r->data[r->l->key_bits],
             used = r->sections.count ? bits_of(r->sections.count - 1) : 0;
    r->shift = key_bits > used && key_bits - used < 31 ? key_bits - used : PHIVE_KEY_BITS;
    return done;
}

lathe_result phive_read_section(const phive_reading *r, uint32_t i, phive_section *s,
                                lathe_error *err)
{
    const phive_layout *l = r->l;
    uint64_t at = r->sections.at + (uint64_t)i * l->section.size;
    const uint8_t *p = r->data + at;
    unsigned floats = 0;
    for (unsigned k = 0; k < 3; k++) {
        s->origin[k] = (int32_t)bytes_ld32(p + l->origin + 4 * k, false);
        s->cell[k] = phive_f32(p + l->cell + 4 * k);
        s->cell_origin[k] = (int16_t)bytes_ld16(p + l->cell_origin + 2 * k, false);
        floats += s->origin[k] == PHIVE_FLOATS;
    }
    s->floats = floats == 3;
    if (floats && (floats < 3 || l->variant == PHIVE_V21))
        return error_set(err, LATHE_ERR_INVALID, rec_encoded(r->doc, r->part, at + l->origin),
                         floats < 3
                             ? "section %u: sectionOffset is that of floats on some axes only"
                             : "section %u: this variant has no vertices of floats",
                         i);
    const struct {
        uint32_t head, elem;
        const char *name;
        phive_array *to;
    } arrays[] = {
        {l->bvh, l->box_node.size, "nodes", &s->nodes},
        {l->primitives, l->primitive.size, "primitives", &s->primitives},
        {l->vertices, l->vertex.size, "vertices", &s->vertices},
        {l->bits, l->bit.size, "interior bits", &s->bits},
    };
    for (unsigned k = 0; k < REC_COUNT_OF(arrays); k++) {
        lathe_result done = find(r, at + arrays[k].head, false, arrays[k].elem,
                                 (array_name){arrays[k].name, i}, arrays[k].to, err);
        if (done != LATHE_OK)
            return done;
    }
    s->vertex_count =
        (uint32_t)((uint64_t)s->vertices.count * l->vertex.size / (s->floats ? 12 : 6));
    if (s->primitives.count > PHIVE_PRIMITIVES)
        return error_set(err, LATHE_ERR_RANGE, rec_encoded(r->doc, r->part, at + l->primitives),
                         "section %u: %u primitives, a key has room for %d", i, s->primitives.count,
                         PHIVE_PRIMITIVES);
    return LATHE_OK;
}

void phive_read_points(const phive_reading *r, uint32_t i, phive_section *s)
{
    const phive_layout *l = r->l;
    uint64_t at = r->sections.at + (uint64_t)i * l->section.size, head = at + l->vertices;
    const uint8_t *p = r->data + at;
    *s = (phive_section){.floats = true};
    for (unsigned k = 0; k < 3; k++) {
        s->origin[k] = (int32_t)bytes_ld32(p + l->origin + 4 * k, false);
        s->floats = s->floats && s->origin[k] == PHIVE_FLOATS;
    }
    s->vertices.count = bytes_ld32(r->data + head + 4, false);
    if (!s->vertices.count)
        return;
    s->vertices.at = head + bytes_ld32(r->data + head, false);
    s->vertices.p = r->data + s->vertices.at;
    s->vertex_count =
        (uint32_t)((uint64_t)s->vertices.count * l->vertex.size / (s->floats ? 12 : 6));
}

static uint64_t triangles_of(const phive_section *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->primitives.count; i++) {
        const uint8_t *p = phive_primitive(s, i);
        n += p[2] == p[3] ? 1 : 2;
    }
    return n;
}

lathe_result phive_count(const phive_reading *r, uint64_t *vertices, uint64_t *triangles,
                         lathe_error *err)
{
    phive_state *state = phive_state_of(r->doc, r->doc->containers[r->container].outer);
    uint64_t bytes = 0;
    phive_section s;
    *vertices = *triangles = 0;
    for (uint32_t i = 0; state->counted != r->doc->changes + 1 && i < r->sections.count; i++) {
        lathe_result done = phive_read_section(r, i, &s, err);
        if (done != LATHE_OK)
            return done;
        bytes += (uint64_t)s.vertices.count * r->l->vertex.size +
                 (uint64_t)s.primitives.count * r->l->primitive.size;
        if (bytes > r->size)
            return error_set(
                err, LATHE_ERR_INVALID,
                rec_encoded(r->doc, r->part, r->sections.at + (uint64_t)i * r->l->section.size),
                "section %u: sections share their vertices or primitives: they take more bytes "
                "than DATA has",
                i);
        *vertices += s.vertex_count;
        *triangles += triangles_of(&s);
    }
    if (state->counted != r->doc->changes + 1) {
        state->counted = r->doc->changes + 1;
        state->vertices = *vertices;
        state->triangles = *triangles;
    }
    *vertices = state->vertices;
    *triangles = state->triangles;
    return LATHE_OK;
}

/* ---- vertices ---------------------------------------------------------------------------------------------- */

void phive_vertices(const phive_reading *r, const phive_section *s, uint32_t from, uint32_t n,
                    float *out)
{
    if (!n) /* then there may be no array */
        return;
    const uint8_t *p = s->vertices.p + (size_t)from * (s->floats ? 12 : 6);
    if (s->floats) {
        for (uint32_t i = 0; i < 3 * n; i++)
            out[i] = phive_f32(p + 4 * (size_t)i);
        return;
    }
    for (uint32_t i = 0; i < n; i++, p += 6, out += 3)
        for (unsigned k = 0; k < 3; k++)
            out[k] = phive_grid(r, s, k, bytes_ld16(p + 2 * k, false));
}

void phive_box(const float *rows, uint64_t n, float lo[3], float hi[3])
{
    for (unsigned k = 0; k < 3; k++)
        lo[k] = hi[k] = n ? rows[k] : 0;
    for (uint64_t i = 1; i < n; i++)
        for (unsigned k = 0; k < 3; k++) {
            float v = rows[3 * i + k];
            lo[k] = v < lo[k] ? v : lo[k];
            hi[k] = v > hi[k] ? v : hi[k];
        }
}

/* ---- tags -------------------------------------------------------------------------------------------------- */

uint32_t phive_tag_key(const phive_reading *r, uint32_t row)
{
    return bytes_ld32(r->tags.p + (size_t)row * r->l->tag.size + r->l->tag_key, false);
}

uint32_t phive_tag(const phive_reading *r, uint32_t row)
{
    return bytes_ld16(r->tags.p + (size_t)row * r->l->tag.size + r->l->tag_tag, false);
}

uint32_t phive_tag_of(const phive_reading *r, uint32_t key, uint32_t *hint)
{
    uint32_t lo = 0, hi = r->tags.count;
    if (hint && *hint < hi && phive_tag_key(r, *hint) <= key) {
        lo = *hint;
        if (lo + 1 == hi || phive_tag_key(r, lo + 1) > key)
            return phive_tag(r, lo);
    }
    while (lo < hi) { /* the first row with a greater key */
        uint32_t mid = lo + (hi - lo) / 2;
        if (phive_tag_key(r, mid) <= key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return PHIVE_NO_TAG;
    if (hint)
        *hint = lo - 1;
    return phive_tag(r, lo - 1);
}
