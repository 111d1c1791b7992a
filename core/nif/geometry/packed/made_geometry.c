/* Makes geometry from the options of a verb: as an object of a block in a temporary document, with the code
 * that makes documents. */
#include "nif/geometry/packed/set_geometry.h"

/* Nodes of the document's source; everything except the given lists is constant. */
static const char blocks_node, block_node, data_node, object_node;

/* The descriptor of vertices that have only positions, as floats. */
#define FLOATS (NIF_FULL_PRECISION | (uint64_t)NIF_HAS_POSITION << 44 | 4)

typedef struct given {
    const lathe_source *args;
    const void *mesh; /* a table with the lists; NULL: the options themselves */
    bool full;        /* positions are floats */
} given;

static bool is(const char *a, const char *b)
{
    return a && strcmp(a, b) == 0;
}

static bool child_of(lathe_value *leaf, const void **child, lathe_kind kind, const void *node)
{
    leaf->kind = kind;
    *child = node;
    return true;
}

static bool get_block(const char *name, lathe_value *leaf, const void **child)
{
    static const char type[] = "BSPackedCombinedGeomDataExtra";
    if (is(name, "data"))
        return child_of(leaf, child, LATHE_KIND_ARRAY, &data_node);
    if (!is(name, "type"))
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {type, sizeof type - 1}};
    return true;
}

static bool get_field(const given *g, const char *name, lathe_value *leaf, const void **child)
{
    static const char *const lists[] = {"positions", "triangles", "normals",
                                        "tangents",  "uvs",       "colors"};
    const lathe_source *s = g->args;
    if (g->full && is(name, "vertex_desc")) {
        *leaf = (lathe_value){.kind = LATHE_KIND_UINT, .as.u = FLOATS};
        return true;
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (!is(name, lists[i]))
            continue;
        const char *wanted = g->mesh && is(name, "triangles") ? "indices" : name;
        if (g->mesh && is(name, "tangents"))
            return false; /* in meshes they are along u */
        return s->get(s->user, g->mesh, wanted, 0, leaf, child);
    }
    return false;
}

static bool get(void *user, const void *node, const char *name, uint64_t index, lathe_value *leaf,
                const void **child)
{
    const given *g = user;
    *child = NULL;
    if (node == &blocks_node || node == &data_node)
        return !name && !index &&
               child_of(leaf, child, LATHE_KIND_RECORD,
                        node == &blocks_node ? (const void *)&block_node : &object_node);
    if (node == &block_node)
        return get_block(name, leaf, child);
    if (node == &object_node)
        return get_field(g, name, leaf, child);
    if (node)
        return g->args->get(g->args->user, node, name, index, leaf, child);
    if (is(name, "blocks"))
        return child_of(leaf, child, LATHE_KIND_ARRAY, &blocks_node);
    if (!is(name, "bs_version"))
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_INT, .as.i = NIF_FALLOUT4};
    return true;
}

static uint64_t count(void *user, const void *node)
{
    const given *g = user;
    if (!node || node == &block_node || node == &object_node)
        return 0;
    return node == &blocks_node || node == &data_node ? 1 : g->args->count(g->args->user, node);
}

void nif_made_close(nif_made *made)
{
    buf_free(&made->places);
    lathe_doc_close(made->doc);
    made->doc = NULL;
}

lathe_result nif_made_open(const lathe_source *args, bool full, const mem *m, nif_made *out,
                           lathe_error *err)
{
    given g = {.args = args, .full = full};
    lathe_source source = {.size = sizeof source, .user = &g, .get = get, .count = count};
    lathe_options options = {.size = sizeof options, .alloc = m->fn, .alloc_user = m->user};
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    bool lost = false;
    *out = (nif_made){.doc = NULL};
    buf_init(&out->places, m);
    if (!args)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "positions or a mesh expected");
    if (args->get(args->user, NULL, "mesh", 0, &leaf, &g.mesh) && !g.mesh)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'mesh': a mesh of doc:meshes, or a table like it, expected");
    lathe_result r = lathe_doc_new("nif", &source, &options, &out->doc, err);
    if (r != LATHE_OK)
        return r;
    const rec_part *p = rec_part_of(out->doc, nif_block(out->doc, 0, 0));
    out->data = p->data;
    if (nif_packed_scan(p->data, p->size, NIF_PACKED_INLINE, &out->places, &lost) &&
        ((const nif_packed_place *)(const void *)out->places.data)->vertices)
        return LATHE_OK;
    return lost ? rec_no_memory(err)
                : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "positions or a mesh expected");
}
