/* Blocks of precombined geometry, as the middle of a scene: told apart as the reference says, edited, drawn, undone.
 *
 * An input is a byte of choices (SHARED …), the length of a script, the block's bytes, and the script: what is done with
 * it, from its end. The scene around the block is always the same. */
#include "fuzz_one.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

enum { EDITS = 16, PREFIX = 32, MOST_MESHES = 24 };
/* The block's type; whether the scene is also edited as any document is; whether there is a geometry file. */
enum { SHARED = 1, ANY_EDITS = 2, WITH_FILE = 4 };

/* ---- the scene ------------------------------------------------------------------------------------------- */

static void put(fuzz_bytes *b, const void *p, size_t n)
{
    fuzz_sink(b, p, n);
}

static void put_int(fuzz_bytes *b, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(b, &(uint8_t){(uint8_t)(v >> 8 * i)}, 1);
}

static void put_text(fuzz_bytes *b, const char *text)
{
    put_int(b, strlen(text), 4);
    put(b, text, strlen(text));
}

static uint32_t u32_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A shape without vertices: its totals and its descriptor are the block's. */
static void put_shape(fuzz_bytes *b, const uint8_t *block, size_t size)
{
    static const uint8_t nothing[16], one[] = {0, 0, 0x80, 0x3F};
    bool said = size >= PREFIX;
    put_int(b, UINT32_MAX, 4);
    put_int(b, 1, 4); /* extra data: block 1 */
    put_int(b, 1, 4);
    put_int(b, UINT32_MAX, 4);
    put_int(b, 526, 4);
    put(b, nothing, 12);
    for (int i = 0; i < 9; i++)
        put(b, i % 4 == 0 ? one : nothing, 4);
    put(b, one, 4);
    put_int(b, UINT32_MAX, 4);
    put(b, nothing, 16);
    for (int i = 0; i < 3; i++)
        put_int(b, UINT32_MAX, 4);
    put(b, said ? block + 4 : nothing, 8);
    put_int(b, said ? u32_at(block + 16) : 0, 4);
    put_int(b, said ? u32_at(block + 12) : 0, 2);
    put_int(b, 0, 4);
}

static void put_header(fuzz_bytes *b, const char *type, const uint32_t sizes[3])
{
    static const char first[] = "Gamebryo File Format, Version 20.2.0.7\n\x07\0\x02\x14\x01";
    put(b, first, sizeof first - 1);
    put_int(b, 12, 4);
    put_int(b, 3, 4);
    put_int(b, 130, 4);
    for (int i = 0; i < 4; i++)
        put(b, "\x01", 2);
    put_int(b, 3, 2);
    put_text(b, "BSTriShape");
    put_text(b, type);
    put_text(b, "BSXFlags");
    for (size_t i = 0; i < 3; i++)
        put_int(b, i, 2);
    for (size_t i = 0; i < 3; i++)
        put_int(b, sizes[i], 4);
    put_int(b, 1, 4);
    put_int(b, 3, 4);
    put_text(b, "PCD");
    put_int(b, 0, 4);
}

static const char *const types[] = {"BSPackedCombinedGeomDataExtra",
                                    "BSPackedCombinedSharedGeomDataExtra"};

static fuzz_bytes scene_from(bool shared, const uint8_t *block, size_t size)
{
    fuzz_bytes shape = {NULL, 0, 0}, scene = {NULL, 0, 0};
    put_shape(&shape, block, size);
    put_header(&scene, types[shared], (const uint32_t[]){(uint32_t)shape.n, (uint32_t)size, 8});
    put(&scene, shape.p, shape.n);
    put(&scene, block, size);
    put_int(&scene, UINT32_MAX, 4);
    put_int(&scene, 2, 4);
    put_int(&scene, 1, 4);
    put_int(&scene, 0, 4);
    free(shape.p);
    return scene;
}

/* ---- the geometry file ----------------------------------------------------------------------------------- */

static void put_row(fuzz_bytes *b, uint32_t offset, const uint8_t *desc, uint32_t vertices,
                    uint32_t indices)
{
    put_int(b, offset, 4);
    put(b, desc, 8);
    put_int(b, vertices, 4);
    put_int(b, indices, 4);
}

/* Vertices that are bytes of the block, and indices of them, one of which may be too large. */
static void put_stream(fuzz_bytes *b, const uint8_t *block, size_t size, uint64_t vertex_bytes,
                       uint32_t vertices, uint32_t indices)
{
    for (uint64_t i = 0; i < vertex_bytes; i++)
        put(b, &block[i % size], 1);
    for (uint32_t i = 0; i < indices; i++)
        put_int(b, vertices ? (i * 7 + block[i % size] / 250) % (vertices + 1) : i, 2);
}

/* A plain file with the first object of a block that has a table; none of it where that is too large. False: there is
 * none. */
static bool geometry_of(const uint8_t *p, size_t size, fuzz_bytes *out, uint32_t *hash)
{
    enum { MOST = 300, FARTHEST = 4096 };
    uint64_t n = size >= PREFIX ? u32_at(p + 28) : 0, at = PREFIX + 8 * n;
    if (!n || size < 44 || at > size - 44 || u32_at(p + at + 32) > (size - at - 44) / 72)
        return false;
    const uint8_t *desc = p + at + 36 + 72 * u32_at(p + at + 32);
    uint32_t vertices = u32_at(p + at), offset = u32_at(p + PREFIX + 4);
    uint64_t triangles = (uint64_t)u32_at(p + at + 8) + u32_at(p + at + 16) + u32_at(p + at + 24);
    uint64_t stride = (desc[0] & 15) * 4U;
    if (vertices > MOST || triangles > MOST || offset > FARTHEST)
        return false;
    *hash = u32_at(p + PREFIX);
    if (desc[6] & 0x40 && *hash & 1 && stride > 8)
        stride -= 8; /* halves, though the descriptor says floats */
    put(out, "bpsg", 4);
    put_int(out, offset ? 2 : 1, 4);
    if (offset)
        put_row(out, 0, desc, 0, 0);
    put_row(out, offset, desc, vertices, (uint32_t)(3 * triangles));
    put_stream(out, p, size, offset, 0, 0);
    put_stream(out, p, size, vertices * stride, vertices, (uint32_t)(3 * triangles));
    return true;
}

static void open_geometry(const uint8_t *block, size_t size, lathe_geometry *given)
{
    fuzz_bytes b = {NULL, 0, 0};
    lathe_options options = {.size = sizeof options, .format = "geometry"};
    lathe_error err;
    *given = (lathe_geometry){.renamed = true};
    if (geometry_of(block, size, &b, &given->hash))
        PROMISE(lathe_doc_parse(b.p, b.n, &options, &given->doc, &err) == LATHE_OK);
    free(b.p);
}

/* ---- what the reference says of its layout (formats/precombined.md#6) ------------------------------------- */

enum { INLINE = 1, TABLE = 2 };

/* Whether objects of such a layout end where the block does; the kind of positions that a descriptor with the flag
 * 0x400 stands for is `halves`. */
static bool walk(const uint8_t *p, uint64_t size, int layout, bool halves, bool *geometry)
{
    uint64_t at = PREFIX, n = size >= PREFIX ? u32_at(p + 28) : 0;
    if (size < PREFIX || n > (size - PREFIX) / 44)
        return false;
    at += layout & TABLE ? 8 * n : 0;
    for (uint64_t i = 0; i < n; i++) {
        if (at > size || size - at < 44)
            return false;
        uint64_t vertices = u32_at(p + at), instances = u32_at(p + at + 32);
        uint64_t triangles =
            (uint64_t)u32_at(p + at + 8) + u32_at(p + at + 16) + u32_at(p + at + 24);
        at += 36 + 72 * instances;
        if (triangles > UINT32_MAX || at > size || size - at < 8)
            return false;
        uint64_t desc = u32_at(p + at) | (uint64_t)u32_at(p + at + 4) << 32;
        uint64_t stride = (desc & 15) * 4;
        if (halves && desc >> 54 & 1)
            stride = stride < 8 ? 0 : stride - 8;
        at += 8;
        if (!(layout & INLINE))
            continue;
        *geometry = *geometry || vertices || triangles;
        if (vertices && !stride)
            return false; /* not a byte for any number of them: no walk is bounded by the block then */
        at += vertices * stride + 6 * triangles;
    }
    return at == size;
}

/* Its name, or NULL. */
static const char *layout_of(bool shared, const uint8_t *p, size_t size)
{
    static const int orders[2][3] = {{INLINE, INLINE | TABLE, TABLE},
                                     {TABLE, INLINE | TABLE, INLINE}};
    static const char *const names[] = {NULL, "inline", "shared", "inline+table"};
    for (int i = 0; i < 3; i++) {
        int layout = orders[shared][i];
        bool geometry = false;
        if (walk(p, size, layout, false, &geometry))
            return layout == (INLINE | TABLE) && !geometry ? "shared" : names[layout];
        if (layout & INLINE && walk(p, size, layout, true, &geometry))
            return names[layout];
    }
    return NULL;
}

static lathe_view block_of(lathe_doc *doc)
{
    lathe_value v;
    lathe_error err;
    PROMISE(lathe_view_at(lathe_doc_root(doc), "blocks[2]", &v, &err) == LATHE_OK);
    return v.as.v;
}

static bool is_layout(lathe_view block, const char *name)
{
    lathe_value v;
    lathe_error err;
    lathe_result r = lathe_view_get(block, "layout", &v, &err);
    if (!name)
        return lathe_view_problem(block, &err);
    return r == LATHE_OK && v.kind == LATHE_KIND_STRING && v.as.s.n == strlen(name) &&
           memcmp(v.as.s.p, name, v.as.s.n) == 0;
}

/* ---- looking --------------------------------------------------------------------------------------------- */

static void meshes(lathe_doc *doc)
{
    mem m = mem_default();
    lathe_error err;
    const lathe_format *format = doc->containers[0].format;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < MOST_MESHES; i++) {
        model_mesh mesh;
        model_mesh_init(&mesh, &m);
        r = format->scene->mesh(doc, i, &mesh, &err);
        for (size_t k = 0; r == LATHE_OK && k < mesh.index_count; k++)
            PROMISE(mesh.indices[k] < mesh.vertex_count);
        model_mesh_free(&mesh);
    }
    PROMISE(r == LATHE_OK || err.message[0]);
}

static void look(lathe_doc *doc)
{
    int budget = 300;
    size_t findings = 0;
    lathe_doc_check(doc, fuzz_finding, &findings);
    fuzz_walk(block_of(doc), false, 0, &budget);
    meshes(doc);
}

/* ---- edits ----------------------------------------------------------------------------------------------- */

static int edit_depth; /* what follows from an edit does so when the outermost one ends */

/* An array of an object, or the objects themselves. */
static bool pick_list(fuzz_dice *d, lathe_doc *doc, lathe_view *list)
{
    static const char *const names[] = {"combined", "triangles", "vertices"};
    lathe_value v;
    lathe_error err;
    if (lathe_view_get(block_of(doc), fuzz_roll(d, 8) ? "data" : "objects", &v, &err) != LATHE_OK ||
        v.kind != LATHE_KIND_ARRAY)
        return false;
    *list = v.as.v;
    uint64_t n = lathe_view_count(*list);
    if (fuzz_roll(d, 3) == 0)
        return true;
    if (!n ||
        lathe_view_item(*list, fuzz_roll(d, n < 256 ? (uint32_t)n : 256), &v, &err) != LATHE_OK ||
        v.kind != LATHE_KIND_RECORD ||
        lathe_view_get(v.as.v, names[fuzz_roll(d, 3)], &v, &err) != LATHE_OK ||
        v.kind != LATHE_KIND_ARRAY)
        return false;
    *list = v.as.v;
    return true;
}

static uint64_t number_at(lathe_view record, const char *name)
{
    lathe_value v;
    lathe_error err;
    bool there = lathe_view_get(record, name, &v, &err) == LATHE_OK;
    return there && v.kind == LATHE_KIND_UINT  ? v.as.u
           : there && v.kind == LATHE_KIND_INT ? (uint64_t)v.as.i
                                               : 0;
}

/* Whether the block says how many vertices and triangles all instances have. */
static bool totals_agree(lathe_doc *doc)
{
    lathe_view block = block_of(doc);
    lathe_value data, object;
    lathe_error err;
    uint64_t vertices = 0, triangles = 0;
    if (lathe_view_get(block, "data", &data, &err) != LATHE_OK || data.kind != LATHE_KIND_ARRAY)
        return false;
    for (uint64_t i = 0; i < lathe_view_count(data.as.v); i++) {
        PROMISE(lathe_view_item(data.as.v, i, &object, &err) == LATHE_OK);
        uint64_t instances = number_at(object.as.v, "num_combined");
        vertices += number_at(object.as.v, "num_vertices") * instances;
        triangles += (number_at(object.as.v, "tri_count0") + number_at(object.as.v, "tri_count1") +
                      number_at(object.as.v, "tri_count2")) *
                     instances;
    }
    return vertices == number_at(block, "num_vertices") &&
           triangles == number_at(block, "num_triangles");
}

/* Totals that were right follow. */
static lathe_result resize(fuzz_dice *d, lathe_doc *doc, bool grow, lathe_error *err)
{
    lathe_view list;
    if (!pick_list(d, doc, &list))
        return LATHE_OK;
    uint64_t n = lathe_view_count(list);
    uint64_t i = fuzz_roll(d, n < 255 ? (uint32_t)n + 1 : 256), of = 1 + fuzz_roll(d, 3);
    bool agreed = totals_agree(doc);
    lathe_result r =
        grow ? lathe_view_insert(list, i, of, err) : lathe_view_remove(list, i, of, err);
    PROMISE(r != LATHE_OK || !agreed || edit_depth || totals_agree(doc));
    return r;
}

static lathe_result set(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    fuzz_spot s = fuzz_pick_below(d, block_of(doc));
    lathe_value v = fuzz_value(
        d, doc, s.info.flags & LATHE_FIELD_ARRAY && !s.array ? LATHE_KIND_ARRAY : s.info.kind);
    if (s.array)
        return lathe_view_set_item(s.view, s.index, &v, err);
    return s.info.name ? lathe_view_set(s.view, s.info.name, &v, err) : LATHE_OK;
}

/* A table of numbers of an object, with as many rows or others. */
static lathe_result write_numbers(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const char *const names[] = {"positions", "positions", "normals",  "tangents",
                                        "uvs",       "colors",    "triangles"};
    static const float some[] = {0, 1, -0.5f, 65504, 1e9f, 1e-9f, 300};
    enum { MOST = 300 };
    float numbers[4 * MOST];
    lathe_value v;
    char path[32];
    snprintf(path, sizeof path, "data[%u]", 1 + fuzz_roll(d, 3));
    if (lathe_view_at(block_of(doc), path, &v, err) != LATHE_OK || v.kind != LATHE_KIND_RECORD ||
        lathe_view_get(v.as.v, names[fuzz_roll(d, 7)], &v, err) != LATHE_OK ||
        v.kind != LATHE_KIND_ARRAY)
        return LATHE_OK;
    uint64_t n = lathe_view_count(v.as.v);
    n = fuzz_roll(d, 2) ? n : n + fuzz_roll(d, 4) - (n ? 1 : 0);
    for (size_t i = 0; i < 4 * MOST; i++)
        numbers[i] = some[(i + fuzz_roll(d, 2)) % 7];
    return lathe_view_write(v.as.v, NULL, 0, n < MOST ? n : MOST, LATHE_ELEM_F32, numbers, 0, err);
}

static lathe_result scale(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double factors[] = {2, 0.5, 10, 1e30, 1, -1, 0, 0.1};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    one factor = {fuzz_roll(d, 2) ? "factor" : "scale", factors[fuzz_roll(d, 8)]};
    lathe_source args = source_of(&factor);
    return lathe_view_call(lathe_doc_root(doc), factor.name[0] == 'f' ? "scale" : "transform",
                           &args, &report, err);
}

/* The geometry document that the block is converted into: of each input another one. */
static lathe_doc *store;

static lathe_doc *open_store(void)
{
    static const uint8_t empty[8] = {'b', 'p', 's', 'g'};
    lathe_options options = {
        .size = sizeof options, .format = "geometry", .path = "Some - Geometry.psg"};
    lathe_doc *doc = NULL;
    lathe_error err;
    PROMISE(lathe_doc_parse(empty, sizeof empty, &options, &doc, &err) == LATHE_OK);
    return doc;
}

static bool get_conversion(void *user, const void *node, const char *name, uint64_t index,
                           lathe_value *leaf, const void **child)
{
    static const char *const layouts[] = {"inline", "shared", "inline+table"};
    const uint32_t *rolled = user;
    (void)node, (void)index;
    *child = NULL;
    if (!name || strcmp(name, "to") != 0) {
        *leaf = (lathe_value){.kind = LATHE_KIND_RECORD};
        leaf->as.v = lathe_doc_root(store);
        return name && strcmp(name, "into") == 0 && rolled[1];
    }
    const char *to = layouts[rolled[0]];
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {to, strlen(to)}};
    return true;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result convert(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    uint32_t rolled[] = {fuzz_roll(d, 3), fuzz_roll(d, 4)};
    const lathe_source args = {
        .size = sizeof args, .user = rolled, .get = get_conversion, .count = count_none};
    fuzz_bytes before = fuzz_encode(store);
    lathe_result r = lathe_view_call(lathe_doc_root(doc), "convert", &args, &report, err);
    if (r != LATHE_OK) {
        PROMISE(fuzz_still(store, &before));
        return r;
    }
    free(before.p);
    return r;
}

static lathe_result edit_once(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    switch (fuzz_roll(d, 11)) {
    case 0:
    case 1: return resize(d, doc, true, err);
    case 2:
    case 3: return resize(d, doc, false, err);
    case 4:
    case 5: return write_numbers(d, doc, err);
    case 6: return scale(d, doc, err);
    case 7: return convert(d, doc, err);
    default: return set(d, doc, err);
    }
}

/* What fails has changed nothing. */
static void edit(fuzz_dice *d, lathe_doc *doc)
{
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    uint32_t how = fuzz_roll(d, 8);
    lathe_result r = LATHE_OK;
    if (how == 0) {
        lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
    } else if (how == 1) {
        r = lathe_edit_begin(doc, &err);
        edit_depth = 1;
        for (uint32_t n = fuzz_roll(d, 4); r == LATHE_OK && n > 0; n--)
            edit_once(d, doc, &err);
        edit_depth = 0;
        if (r == LATHE_OK)
            lathe_edit_end(doc, fuzz_roll(d, 3) != 0, NULL);
    } else {
        r = edit_once(d, doc, &err);
    }
    if (r != LATHE_OK)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
}

/* What was edited opens again with its packed geometry, in the layout that the reference gives its bytes. */
static void reopen(lathe_doc *doc, bool shared)
{
    fuzz_bytes b = fuzz_encode(doc);
    lathe_options options = {.size = sizeof options, .format = "nif"};
    lathe_doc *again = NULL;
    lathe_error err;
    uint64_t off, size;
    PROMISE(lathe_view_span(block_of(doc), NULL, &off, &size, &err) == LATHE_OK);
    PROMISE(lathe_doc_parse(b.p, b.n, &options, &again, &err) == LATHE_OK);
    if (strcmp(lathe_view_type(block_of(doc)), types[shared]) ==
        0) { /* its type may have been set */
        const char *layout = layout_of(shared, b.p + off, (size_t)size);
        PROMISE(is_layout(block_of(again), layout));
        PROMISE(layout || lathe_view_problem(block_of(doc), &err));
    }
    look(again);
    PROMISE(fuzz_still(again, &b));
    lathe_doc_close(again);
}

/* All that happens to one document. */
static void live(const fuzz_bytes *scene, fuzz_dice *d, bool shared, const lathe_geometry *given,
                 const char *layout)
{
    fuzz_memory memory = {.until = -1};
    lathe_options options = {.size = sizeof options,
                             .format = "nif",
                             .history = 4 * EDITS,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory,
                             .geometry = given,
                             .geometry_count = given->doc ? 1 : 0};
    lathe_doc *doc = NULL;
    lathe_error err;
    store = open_store();
    PROMISE(lathe_doc_parse(scene->p, scene->n, &options, &doc, &err) == LATHE_OK);
    PROMISE(memory.peak <= 64 * 1024 + 64 * scene->n); /* whatever the counts in it say */
    PROMISE(is_layout(block_of(doc), layout));
    lathe_doc_close(given->doc); /* who uses it keeps it */
    look(doc);
    for (int i = 0; i < EDITS; i++)
        edit(d, doc);
    look(doc);
    reopen(doc, shared);
    while (lathe_edit_undo(doc, 1))
        continue;
    fuzz_bytes start = fuzz_encode(doc);
    PROMISE(fuzz_same(&start, scene));
    free(start.p);
    lathe_doc_close(doc);
    lathe_doc_close(store);
    PROMISE(memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    bool shared = data[0] & SHARED;
    size_t script = data[1] < size - 2 ? data[1] : size - 2, block_size = size - 2 - script;
    const uint8_t *block = data + 2;
    fuzz_dice d = fuzz_dice_of(block + block_size, script);
    fuzz_bytes scene = scene_from(shared, block, block_size);
    lathe_geometry given = {.doc = NULL};
    if (data[0] & WITH_FILE)
        open_geometry(block, block_size, &given);
    live(&scene, &d, shared, &given, layout_of(shared, block, block_size));
    if (data[0] & ANY_EDITS)
        fuzz_document("nif", scene.p, scene.n, false);
    free(scene.p);
    return 0;
}
