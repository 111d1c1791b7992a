/* Locates the geometry of a shape: found and checked once, for reading and editing. */
#include "gen/nif_types.h"
#include "nif/geometry/mesh.h"

/* ---- locating -------------------------------------------------------------------------------------------- */

static uint64_t number_of(const rec_at *at, const char *row)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    uint64_t raw;
    return slot != REC_NO_SLOT && rec_raw(at, slot, 0, &raw, NULL) == LATHE_OK ? raw : 0;
}

/* Locates packed vertices of a shape, of its partitions or of an object of packed geometry. forced:
 * NIF_FULL_POSITIONS, NIF_HALF_POSITIONS or 0. */
static bool find_packed(const rec_at *at, uint64_t forced, nif_shape *s)
{
    uint64_t arg = NIF_DESCRIPTOR(number_of(at, "vertex_desc")) | forced;
    if (!nif_vertex_layout(arg, &s->layout) ||
        !nif_column_find(at, "vertices", s->layout.stride, &s->packed))
        return false;
    s->vertices = s->packed.count;
    return true;
}

/* Locates the vertices of Skyrim SE's skinned shapes, which are in the skin. */
static bool find_partition(const rec_at *shape, nif_shape *s)
{
    uint32_t skin = nif_target(shape, "skin", 0);
    if (skin == REC_NO_PART)
        return false;
    rec_at at = nif_at(shape->doc, skin);
    uint32_t part = nif_target(&at, "skin_partition", 0);
    if (!nif_block_is(shape->doc, part, &nif_NiSkinPartition))
        return false;
    at = nif_at(shape->doc, part);
    if (!find_packed(&at, NIF_FULL_POSITIONS, s))
        return false;
    s->partition = at;
    s->partition_slot = rec_slot_find(at.layout, "partitions");
    return true;
}

static bool find_tri_shape(const rec_at *at, nif_shape *s)
{
    bool sse = NIF_AT_B(at) == NIF_SKYRIM_SE;
    if (!(sse && find_partition(at, s))) {
        if (!find_packed(at, sse ? NIF_FULL_POSITIONS : 0, s))
            return false;
        nif_column_find(at, "triangles", 6, &s->triangles);
    }
    if (rec_is_a(at->layout->type, &nif_BSDynamicTriShape) &&
        (!nif_column_find(at, "dynamic_vertices", 16, &s->dynamic) ||
         s->dynamic.count < s->vertices))
        return false;
    return s->dynamic.p || s->layout.position >= 0;
}

/* Locates a column of floats; one with fewer rows than vertices counts as missing. */
static void find_floats(const rec_at *at, const char *row, uint64_t n, uint64_t vertices,
                        nif_column *out)
{
    if (!nif_column_find(at, row, 4 * n, out) || out->count < vertices)
        *out = (nif_column){0};
}

bool nif_data_find(lathe_doc *doc, uint32_t part, nif_shape *s)
{
    *s = (nif_shape){0};
    if (!nif_block_is(doc, part, &nif_NiTriBasedGeomData))
        return false;
    rec_at at = nif_at(doc, part);
    if (!nif_column_find(&at, "vertices", 12, &s->positions))
        return false;
    s->vertices = s->positions.count;
    find_floats(&at, "normals", 3, s->vertices, &s->normals);
    find_floats(&at, "uvs", 2, s->vertices, &s->uvs);
    find_floats(&at, "colors", 4, s->vertices, &s->colors);
    find_floats(&at, "tangents", 3, s->vertices, &s->tangents);
    find_floats(&at, "bitangents", 3, s->vertices, &s->bitangents);
    s->data = part;
    nif_column_find(&at, "triangles", 6, &s->triangles);
    nif_column_find(&at, "strip_lengths", 2, &s->strip_lengths);
    nif_column_find(&at, "points", 2, &s->points);
    return true;
}

static bool find_shape(lathe_doc *doc, uint32_t part, nif_shape *shape)
{
    *shape = (nif_shape){0};
    if (nif_block_is(doc, part, &nif_BSTriShape)) {
        rec_at at = nif_at(doc, part);
        return find_tri_shape(&at, shape);
    }
    if (nif_block_is(doc, part, &nif_NiTriBasedGeom)) {
        rec_at at = nif_at(doc, part);
        return nif_data_find(doc, nif_target(&at, "data", 0), shape);
    }
    return false;
}

/* The shape that was located last. Each table of numbers needs the same one several times. */
typedef struct last_shape {
    rec_cached cached;
    uint64_t changes; /* doc->changes at that time */
    uint32_t part;
    nif_shape shape;
} last_shape;

static void release(lathe_doc *doc, rec_cached *what)
{
    mem_free(&doc->mem, what, sizeof(last_shape));
}

static const rec_cache last_shapes = {.lasts = true, .release = release};

static void note_shape(lathe_doc *doc, uint32_t part, const nif_shape *shape)
{
    uint32_t c = doc->parts[part].container;
    last_shape *last = rec_cache_find(doc, c, &last_shapes);
    if (!last) {
        last = mem_zalloc(&doc->mem, sizeof *last);
        if (!last)
            return;
        rec_cache_put(doc, c, &last_shapes, &last->cached);
    }
    last->changes = doc->changes;
    last->part = part;
    last->shape = *shape;
}

bool nif_shape_find(lathe_doc *doc, uint32_t part, nif_shape *shape)
{
    bool kept = part < doc->parts_n && !rec_part_of(doc, part)->scratch;
    const last_shape *last =
        kept ? rec_cache_find(doc, doc->parts[part].container, &last_shapes) : NULL;
    if (last && last->changes == doc->changes && last->part == part) {
        *shape = last->shape;
        return true;
    }
    if (!find_shape(doc, part, shape))
        return false;
    if (kept)
        note_shape(doc, part, shape);
    return true;
}

bool nif_is_packed_object(const rec_at *at)
{
    return at->layout->type == &nif_PackedGeom;
}

bool nif_geometry_find(const rec_at *at, nif_shape *shape)
{
    uint64_t halves = at->layout->arg & NIF_PACKED_HALF ? NIF_HALF_POSITIONS : 0;
    if (!nif_is_packed_object(at))
        return at->off == 0 && nif_shape_find(at->doc, at->part, shape);
    *shape = (nif_shape){0};
    if (!find_packed(at, halves, shape) || shape->layout.position < 0)
        return false;
    nif_column_find(at, "triangles", 6, &shape->triangles);
    return true;
}

/* ---- triangles ------------------------------------------------------------------------------------------- */

typedef struct sink {
    uint32_t *out;  /* NULL: only counts */
    uint64_t count; /* number of indices */
    uint64_t vertices;
} sink;

/* Adds a triangle; skips it if a vertex does not exist. */
static void add_triangle(sink *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (a >= s->vertices || b >= s->vertices || c >= s->vertices)
        return;
    if (s->out) {
        s->out[s->count] = a;
        s->out[s->count + 1] = b;
        s->out[s->count + 2] = c;
    }
    s->count += 3;
}

static void add_triangles(sink *s, nif_column t)
{
    for (const uint8_t *p = t.p, *end = t.p ? t.p + 6 * t.count : p; p != end; p += 6)
        add_triangle(s, bytes_ld16(p, false), bytes_ld16(p + 2, false), bytes_ld16(p + 4, false));
}

/* Adds strips: reverses every second triangle, and skips degenerate ones, which only join strips. */
static void add_strips(sink *s, nif_column lengths, nif_column points)
{
    uint64_t at = 0;
    for (uint64_t k = 0; k < lengths.count; k++) {
        uint64_t n = bytes_ld16(lengths.p + 2 * k, false);
        if (n > points.count - at)
            return;
        for (uint64_t i = 0; i + 2 < n; i++) {
            const uint8_t *p = points.p + 2 * (at + i);
            uint32_t a = bytes_ld16(p, false), b = bytes_ld16(p + 2 + 2 * (i % 2), false),
                     c = bytes_ld16(p + 4 - 2 * (i % 2), false);
            if (a != b && b != c && c != a)
                add_triangle(s, a, b, c);
        }
        at += n;
    }
}

/* Adds triangles of partitions. Only the copy, if there is one, has indices of the whole skin's vertices. */
static void add_partitions(sink *s, const nif_shape *shape)
{
    rec_loc parts;
    nif_column triangles;
    rec_at part;
    if (rec_find(&shape->partition, shape->partition_slot, &parts, NULL) != LATHE_OK ||
        !parts.present)
        return;
    for (uint64_t i = 0; i < parts.count; i++)
        if (rec_sub(&shape->partition, shape->partition_slot, i, &part, NULL) == LATHE_OK &&
            nif_column_find(&part, "triangles_copy", 6, &triangles))
            add_triangles(s, triangles);
}

uint64_t nif_indices(const nif_shape *shape, uint32_t *out)
{
    sink s = {.out = out, .vertices = shape->vertices};
    if (shape->partition.doc)
        add_partitions(&s, shape);
    add_triangles(&s, shape->triangles);
    add_strips(&s, shape->strip_lengths, shape->points);
    return s.count;
}

/* The bands are disjoint and contiguous. */
void nif_take_bands(const rec_at *at, int lod, nif_shape *shape)
{
    static const char *const of_shape[] = {"lod0_triangles", "lod1_triangles", "lod2_triangles"},
                             *const of_object[] = {"tri_count0", "tri_count1", "tri_count2"};
    const char *const *rows = nif_is_packed_object(at) ? of_object : of_shape;
    uint64_t n = 0;
    if (lod < 0 || rec_slot_find(at->layout, rows[0]) == REC_NO_SLOT)
        return;
    for (int i = 0; i <= lod && i < 3; i++)
        n += number_of(at, rows[i]);
    if (n < shape->triangles.count)
        shape->triangles.count = n;
}
