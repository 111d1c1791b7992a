#include "havok/physics/mesh_read.h"

#include "havok/objects/objects.h"

typedef struct reader {
    const rec_at *data;
    arena *room;
    bool big;
    lathe_error *err;
} reader;

/* Elements of an array, as they lie in the file; refuses those of another size. */
static lathe_result bytes_of(const reader *rd, const rec_at *at, const char *name, uint64_t size,
                             bytes_array *out)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT || rec_slot_of(at, slot)->elem != size)
        return error_set(rd->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "%s: not laid out as in Fallout 4", name);
    return hk_array_of(at, name, out, rd->err);
}

static void *room_for(const reader *rd, uint64_t n, size_t size)
{
    return n <= SIZE_MAX / size - 1 ? arena_zalloc(rd->room, (size_t)n * size + 1) : NULL;
}

/* Integers of 2, 4 or 8 bytes, copied: in a file they lie anywhere, and the other way round. */
static lathe_result integers(const reader *rd, const rec_at *at, const char *name, unsigned size,
                             const void **out, size_t *n)
{
    bytes_array in;
    lathe_result r = bytes_of(rd, at, name, size, &in);
    uint8_t *to = r == LATHE_OK ? room_for(rd, in.count, size) : NULL;
    if (r == LATHE_OK && !to)
        return rec_no_memory(rd->err);
    for (uint64_t i = 0; r == LATHE_OK && i < in.count; i++) {
        const uint8_t *p = in.bytes + i * size;
        uint64_t wide = size == 8 ? bytes_ld64(p, rd->big) : 0;
        uint32_t word = size == 4 ? bytes_ld32(p, rd->big) : 0;
        uint16_t half = size == 2 ? bytes_ld16(p, rd->big) : 0;
        const void *from = size == 8 ? (void *)&wide : size == 4 ? (void *)&word : (void *)&half;
        memcpy(to + i * size, from, size);
    }
    *out = to;
    *n = r == LATHE_OK ? (size_t)in.count : 0;
    return r;
}

/* A member of fixed place: where its bytes are. */
static const uint8_t *member(const rec_at *at, const char *name)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    return at->doc->parts[at->part].data + at->off + at->layout->slots[slot].off;
}

static uint32_t word(const reader *rd, const rec_at *at, const char *name)
{
    return bytes_ld32(member(at, name), rd->big);
}

static void floats(const reader *rd, const uint8_t *p, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = bytes_ld32(p + 4 * i, rd->big);
        memcpy(&out[i], &bits, sizeof bits);
    }
}

/* Two vectors of four numbers. */
static void domain(const reader *rd, const rec_at *at, float *min, float *max)
{
    const uint8_t *p = member(at, "domain");
    floats(rd, p, 3, min);
    floats(rd, p + 16, 3, max);
}

static lathe_result read_section(const reader *rd, const rec_at *at, hk_packed_section *s)
{
    bytes_array nodes;
    lathe_result r = bytes_of(rd, at, "nodes", HK_MESH_NODE, &nodes);
    if (r != LATHE_OK)
        return r;
    uint32_t shared = word(rd, at, "shared_vertices"), primitives = word(rd, at, "primitives"),
             runs = word(rd, at, "data_runs");
    *s = (hk_packed_section){.nodes = nodes.bytes,
                             .n_nodes = (size_t)nodes.count,
                             .first_packed = word(rd, at, "first_packed_vertex"),
                             .first_shared = shared >> 8,
                             .n_packed = (uint8_t)shared,
                             .first_primitive = primitives >> 8,
                             .n_primitives = (uint8_t)primitives,
                             .first_run = runs >> 8,
                             .n_runs = (uint8_t)runs,
                             .n_packed_again = *member(at, "num_packed_vertices"),
                             .n_shared = *member(at, "num_shared_indices"),
                             .leaf = bytes_ld16(member(at, "leaf_index"), rd->big)};
    domain(rd, at, s->min, s->max);
    floats(rd, member(at, "codec_parms"), 6, s->parms);
    return r;
}

static lathe_result read_sections(const reader *rd, hk_mesh *out)
{
    rec_loc loc;
    rec_at at;
    uint32_t slot = rec_slot_find(rd->data->layout, "sections");
    lathe_result r = rec_find(rd->data, slot, &loc, rd->err);
    uint64_t n = r == LATHE_OK && loc.present ? loc.count : 0;
    hk_packed_section *sections = room_for(rd, n, sizeof *sections);
    if (r == LATHE_OK && !sections)
        return rec_no_memory(rd->err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub(rd->data, slot, i, &at, rd->err);
        if (r == LATHE_OK)
            r = read_section(rd, &at, &sections[i]);
    }
    out->sections = sections;
    out->n_sections = (size_t)n;
    return r;
}

static lathe_result read_runs(const reader *rd, hk_mesh *out)
{
    bytes_array in;
    lathe_result r = bytes_of(rd, rd->data, "primitive_data_runs", 4, &in);
    hk_mesh_run *runs = r == LATHE_OK ? room_for(rd, in.count, sizeof *runs) : NULL;
    if (r == LATHE_OK && !runs)
        return rec_no_memory(rd->err);
    for (uint64_t i = 0; r == LATHE_OK && i < in.count; i++) {
        const uint8_t *p = in.bytes + 4 * i;
        runs[i] = (hk_mesh_run){.value = bytes_ld16(p, rd->big), .index = p[2], .count = p[3]};
    }
    out->runs = runs;
    out->n_runs = r == LATHE_OK ? (size_t)in.count : 0;
    return r;
}

static lathe_result read_bits(const reader *rd, const rec_at *shape, const char *name,
                              hk_mesh_bits *out)
{
    rec_at field;
    const void *words;
    lathe_result r = rec_sub(shape, rec_slot_find(shape->layout, name), 0, &field, rd->err);
    if (r == LATHE_OK)
        r = integers(rd, &field, "words", 4, &words, &out->n_words);
    if (r == LATHE_OK) {
        out->words = words;
        out->bits = (int32_t)word(rd, &field, "num_bits");
    }
    return r;
}

static lathe_result read_primitives(const reader *rd, hk_mesh *out)
{
    bytes_array in;
    lathe_result r = bytes_of(rd, rd->data, "primitives", 4, &in);
    uint8_t(*primitives)[4] = r == LATHE_OK ? room_for(rd, in.count, sizeof *primitives) : NULL;
    if (r == LATHE_OK && !primitives)
        return rec_no_memory(rd->err);
    if (r == LATHE_OK && in.count)
        memcpy(primitives, in.bytes, (size_t)in.count * sizeof *primitives);
    out->primitives = (const uint8_t(*)[4])primitives;
    out->n_primitives = r == LATHE_OK ? (size_t)in.count : 0;
    return r;
}

static lathe_result read_arrays(const reader *rd, hk_mesh *out)
{
    bytes_array in;
    const void *p = NULL;
    lathe_result r = bytes_of(rd, rd->data, "nodes", HK_MESH_TOP_NODE, &in);
    if (r == LATHE_OK) {
        out->nodes = in.bytes;
        out->n_nodes = (size_t)in.count;
        r = read_primitives(rd, out);
    }
    if (r == LATHE_OK) {
        r = integers(rd, rd->data, "shared_vertices_index", 2, &p, &out->n_shared_index);
        out->shared_index = p;
    }
    if (r == LATHE_OK) {
        r = integers(rd, rd->data, "packed_vertices", 4, &p, &out->n_packed);
        out->packed = p;
    }
    if (r == LATHE_OK) {
        r = integers(rd, rd->data, "shared_vertices", 8, &p, &out->n_shared);
        out->shared = p;
    }
    return r == LATHE_OK ? read_runs(rd, out) : r;
}

lathe_result hk_mesh_read(const rec_at *shape, arena *room, hk_mesh *out, lathe_error *err)
{
    lathe_doc *doc = shape->doc;
    uint32_t part = hk_target(shape, "data", 0);
    *out = (hk_mesh){0};
    if (part == REC_NO_PART || doc->parts[part].root->type != &hknp_compressed_mesh_shape_data)
        return rec_fail(shape, rec_slot_find(shape->layout, "data"), shape->off, err,
                        LATHE_ERR_INVALID, "no triangles");
    rec_at data = hk_object(doc, part);
    reader rd = {&data, room, doc->containers[data.layout->container].big, err};
    domain(&rd, &data, out->min, out->max);
    out->primitive_keys = (int32_t)word(&rd, &data, "num_primitive_keys");
    out->bits_per_key = (int32_t)word(&rd, &data, "bits_per_key");
    out->max_key = word(&rd, &data, "max_key_value");
    lathe_result r = read_sections(&rd, out);
    if (r == LATHE_OK)
        r = read_arrays(&rd, out);
    if (r == LATHE_OK)
        r = read_bits(&rd, shape, "quad_is_flat", &out->flat);
    return r == LATHE_OK ? read_bits(&rd, shape, "triangle_is_interior", &out->interior) : r;
}
