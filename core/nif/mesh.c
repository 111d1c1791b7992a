/* Geometry of shapes as meshes. Vertices are decoded in plain loops: where they lie is found and checked once. */
#include "nif/mesh.h"

#include "gen/nif_types.h"

/* ---- where it lies --------------------------------------------------------------------------------------- */

static uint64_t number_of(const rec_at *at, const char *row)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    uint64_t raw;
    return slot != REC_NO_SLOT && rec_raw(at, slot, 0, &raw, NULL) == LATHE_OK ? raw : 0;
}

/* Packed vertices of a shape or of its partitions. */
static bool find_packed(const rec_at *at, bool floats, nif_shape *s)
{
    uint64_t arg = number_of(at, "vertex_desc") | (floats ? NIF_FULL_POSITIONS : 0);
    if (!nif_vertex_layout(arg, &s->layout) ||
        !nif_column_find(at, "vertices", s->layout.stride, &s->packed))
        return false;
    s->vertices = s->packed.count;
    return true;
}

/* Vertices of Skyrim SE's skinned shapes lie with the skin. */
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
    if (!find_packed(&at, true, s))
        return false;
    s->partition = at;
    s->partition_slot = rec_slot_find(at.layout, "partitions");
    return true;
}

static bool find_tri_shape(const rec_at *at, nif_shape *s)
{
    bool sse = NIF_AT_B(at) == NIF_SKYRIM_SE;
    if (!(sse && find_partition(at, s))) {
        if (!find_packed(at, sse, s))
            return false;
        nif_column_find(at, "triangles", 6, &s->triangles);
    }
    if (rec_is_a(at->layout->type, &nif_BSDynamicTriShape) &&
        (!nif_column_find(at, "dynamic_vertices", 16, &s->dynamic) ||
         s->dynamic.count < s->vertices))
        return false;
    return s->dynamic.p || s->layout.position >= 0;
}

/* What has fewer rows than there are vertices is not there. */
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

bool nif_shape_find(lathe_doc *doc, uint32_t part, nif_shape *shape)
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

/* ---- triangles ------------------------------------------------------------------------------------------- */

typedef struct sink {
    uint32_t *out;  /* NULL: they are counted */
    uint64_t count; /* of indices */
    uint64_t vertices;
} sink;

/* A triangle of vertices that are not there is left out. */
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

/* Every second triangle is turned over; those without an area only join strips. */
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

/* Those of parts are of the whole skin's vertices only in the copy, where it is there. */
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

/* ---- vertices -------------------------------------------------------------------------------------------- */

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static float float_at(const uint8_t *p)
{
    return float_of(bytes_ld32(p, false));
}

/* Exact: the exponent is moved by a product, which small numbers need no case of their own for. */
static float half_at(const uint8_t *p)
{
    uint32_t h = bytes_ld16(p, false), sign = (h & 0x8000) << 16, rest = (h & 0x7FFF) << 13;
    if (rest >= 0x7C00U << 13)
        return float_of(sign | 0x7F800000 | rest);
    return float_of(rest | sign) * 0x1p112F;
}

static float direction_at(const uint8_t *p)
{
    return (float)(*p * 2.0 / 255 - 1);
}

static float part_at(const uint8_t *p)
{
    return (float)(*p / 255.0);
}

typedef float (*lane_at)(const uint8_t *p);

/* n numbers of `size` bytes of each row. Inlined, and the loop with it. */
static inline void put_rows(float *out, const uint8_t *p, uint64_t stride, uint64_t rows,
                            lane_at get, size_t n, size_t size)
{
    for (uint64_t i = 0; i < rows; i++, p += stride, out += n)
        for (size_t k = 0; k < n; k++)
            out[k] = get(p + k * size);
}

static void put_packed(const nif_shape *s, model_mesh *mesh)
{
    const nif_vertex *v = &s->layout;
    const uint8_t *p = s->packed.p;
    if (s->dynamic.p)
        put_rows(mesh->positions, s->dynamic.p, 16, s->vertices, float_at, 3, 4);
    else if (v->full)
        put_rows(mesh->positions, p + v->position, v->stride, s->vertices, float_at, 3, 4);
    else
        put_rows(mesh->positions, p + v->position, v->stride, s->vertices, half_at, 3, 2);
    if (mesh->uvs)
        put_rows(mesh->uvs, p + v->uv, v->stride, s->vertices, half_at, 2, 2);
    if (mesh->normals)
        put_rows(mesh->normals, p + v->normal, v->stride, s->vertices, direction_at, 3, 1);
    if (mesh->colors)
        put_rows(mesh->colors, p + v->color, v->stride, s->vertices, part_at, 4, 1);
}

static void put_columns(const nif_shape *s, model_mesh *mesh)
{
    put_rows(mesh->positions, s->positions.p, 12, s->vertices, float_at, 3, 4);
    if (mesh->normals)
        put_rows(mesh->normals, s->normals.p, 12, s->vertices, float_at, 3, 4);
    if (mesh->uvs)
        put_rows(mesh->uvs, s->uvs.p, 8, s->vertices, float_at, 2, 4);
    if (mesh->colors)
        put_rows(mesh->colors, s->colors.p, 16, s->vertices, float_at, 4, 4);
}

static unsigned attributes_of(const nif_shape *s)
{
    bool normals = s->packed.p ? s->layout.normal >= 0 : s->normals.p != NULL;
    bool uvs = s->packed.p ? s->layout.uv >= 0 : s->uvs.p != NULL;
    bool colors = s->packed.p ? s->layout.color >= 0 : s->colors.p != NULL;
    return (normals ? MODEL_MESH_NORMALS : 0U) | (uvs ? MODEL_MESH_UVS : 0U) |
           (colors ? MODEL_MESH_COLORS : 0U);
}

/* ---- names ------------------------------------------------------------------------------------------------ */

/* A text of a block, copied. *out stays NULL where it is empty or no text. */
static lathe_result copy_text(const rec_at *at, const char *row, uint64_t i, model_mesh *mesh,
                              const char **out, lathe_error *err)
{
    lathe_value v;
    uint32_t slot = rec_slot_find(at->layout, row);
    lathe_result r = LATHE_ERR_NAME;
    if (slot != REC_NO_SLOT)
        r = at->layout->slots[slot].array ? rec_get_item(at, slot, i, false, &v, NULL)
                                          : rec_get(at, slot, false, &v, NULL);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || !v.as.s.n)
        return LATHE_OK;
    *out = model_mesh_text(mesh, v.as.s.p, v.as.s.n);
    return *out ? LATHE_OK : rec_no_memory(err);
}

/* The first texture of a property of any game. */
static lathe_result first_texture(const rec_at *property, model_mesh *mesh, lathe_error *err)
{
    static const char *const inside[] = {"body", "base"};
    rec_at at = *property, sub;
    for (size_t k = 0; k < 2; k++) {
        uint32_t slot = rec_slot_find(at.layout, inside[k]);
        rec_loc loc;
        if (slot != REC_NO_SLOT && rec_find(&at, slot, &loc, NULL) == LATHE_OK && loc.present &&
            rec_sub(&at, slot, 0, &sub, NULL) == LATHE_OK) {
            at = sub;
            break;
        }
    }
    uint32_t set = nif_target(&at, "texture_set", 0), source = nif_target(&at, "source", 0);
    if (set != REC_NO_PART) {
        at = nif_at(at.doc, set);
        return copy_text(&at, "textures", 0, mesh, &mesh->material, err);
    }
    if (source != REC_NO_PART) {
        at = nif_at(at.doc, source);
        return copy_text(&at, "file_name", 0, mesh, &mesh->material, err);
    }
    lathe_result r = copy_text(&at, "source_texture", 0, mesh, &mesh->material, err);
    if (r == LATHE_OK && !mesh->material)
        r = copy_text(&at, "file_name", 0, mesh, &mesh->material, err);
    return r;
}

static lathe_result name_by(lathe_doc *doc, uint32_t property, bool by_name, model_mesh *mesh,
                            lathe_error *err)
{
    if (property == REC_NO_PART || mesh->material)
        return LATHE_OK;
    rec_at at = nif_at(doc, property);
    return by_name ? copy_text(&at, "name", 0, mesh, &mesh->material, err)
                   : first_texture(&at, mesh, err);
}

/* The shader's name, which in Fallout 4 is the material's file, else the first texture. */
static lathe_result put_names(const rec_at *shape, model_mesh *mesh, lathe_error *err)
{
    nif_column old;
    lathe_result r = copy_text(shape, "name", 0, mesh, &mesh->name, err);
    nif_column_find(shape, "properties", 4, &old);
    uint32_t shader = nif_target(shape, "shader_property", 0);
    for (int pass = 0; r == LATHE_OK && pass < 2; pass++) {
        bool by_name = pass == 0;
        r = name_by(shape->doc, shader, by_name, mesh, err);
        for (uint64_t i = 0; r == LATHE_OK && !mesh->material && i < old.count; i++) {
            uint32_t part = nif_target(shape, "properties", i);
            if (!by_name || nif_block_is(shape->doc, part, &nif_BSShaderProperty))
                r = name_by(shape->doc, part, by_name, mesh, err);
        }
    }
    return r;
}

/* ---- a mesh ------------------------------------------------------------------------------------------------ */

lathe_result nif_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err)
{
    nif_shape shape;
    const nif_scene *scene = nif_scene_of(doc, 0, err);
    if (!scene)
        return LATHE_ERR_MEMORY;
    if (i >= scene->shape_count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    uint32_t part = nif_block(doc, 0, scene->shapes[i]);
    rec_at at = nif_at(doc, part);
    if (!at.layout || !nif_shape_find(doc, part, &shape))
        return rec_no_memory(err); /* it was found before */
    mesh->z_up = true;
    mesh->transform = nif_world(scene, doc, part);
    lathe_result r =
        model_mesh_alloc(mesh, (size_t)shape.vertices, (size_t)nif_indices(&shape, NULL),
                         attributes_of(&shape), err);
    if (r != LATHE_OK)
        return r;
    nif_indices(&shape, mesh->indices);
    if (shape.packed.p)
        put_packed(&shape, mesh);
    else
        put_columns(&shape, mesh);
    return put_names(&at, mesh, err);
}
