/* Collision of Fallout 4 with memory that runs out: made, read, scaled, set and opened. What fails says so, loses
 * nothing and has changed nothing; what is done is what it is with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"
#include "short_memory.h"

/* A NIF of Fallout 4 with one node, as sample_nif makes it. */
static const char one_node[] =
    "47616d656272796f2046696c6520466f726d61742c2056657273696f6e2032302e322e302e370a07000214010c0000"
    "00010000008200000001000100010001000100060000004e694e6f646500004c000000010000000400000004000000"
    "526f6f74000000000000000000000000ffffffff000000000000000000000000000000000000803f00000000000000"
    "00000000000000803f0000000000000000000000000000803f0000803fffffffff000000000100000000000000";

/* ---- arguments --------------------------------------------------------------------------------- */

typedef struct node { /* a number, a text, or what has others */
    const char *name, *text;
    double number;
    const struct node *kids;
    size_t n;
} node;

#define LIST(...)                                                                                  \
    .kids = (const node[]){__VA_ARGS__}, .n = sizeof(const node[]){__VA_ARGS__} / sizeof(node)
#define N(f)                                                                                       \
    {                                                                                              \
        .number = (f)                                                                              \
    }

static bool get(void *user, const void *at, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    const node *in = at ? at : user, *found = NULL;
    for (size_t k = 0; k < in->n; k++)
        if (name ? in->kids[k].name && strcmp(in->kids[k].name, name) == 0 : k == i)
            found = &in->kids[k];
    *child = NULL;
    if (!found)
        return false;
    if (found->text)
        *leaf =
            (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {found->text, strlen(found->text)}};
    else if (!found->kids)
        *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = found->number};
    else
        leaf->kind = found->kids->name ? LATHE_KIND_RECORD : LATHE_KIND_ARRAY;
    *child = found->kids ? found : NULL;
    return true;
}

static uint64_t count(void *user, const void *at)
{
    return ((const node *)(at ? at : user))->n;
}

/* A wedge of two quads and more: enough for a hull and for a mesh. */
#define POINTS                                                                                     \
    {                                                                                              \
        .name = "positions", LIST(N(0), N(0), N(0), N(90), N(0), N(0), N(90), N(90), N(0), N(0),   \
                                  N(90), N(0), N(0), N(0), N(50), N(90), N(0), N(50))              \
    }
#define TRIANGLES                                                                                  \
    {                                                                                              \
        .name = "indices",                                                                         \
        LIST(N(0), N(1), N(2), N(0), N(2), N(3), N(0), N(4), N(5), N(0), N(5), N(1))               \
    }
#define MESH                                                                                       \
    {                                                                                              \
        .name = "mesh", LIST(POINTS, TRIANGLES)                                                    \
    }
#define KIND(what)                                                                                 \
    {                                                                                              \
        .name = "kind", .text = (what)                                                             \
    }

static const node hull = {LIST(KIND("hull"), MESH, {.name = "mass", .number = 4})};
static const node mesh = {LIST(KIND("mesh"), MESH)};
static const node both = {LIST(
    KIND("compound"),
    {.name = "mesh",
     LIST({LIST(KIND("mesh"), MESH)}, {LIST(KIND("sphere"), {.name = "radius", .number = 9})})})};
static const node names = {LIST({.name = "from", .text = "metal"}, {.name = "to", .text = "wood"})};
static const node factor = {LIST({.name = "factor", .number = 2})};

/* ---- what is done ------------------------------------------------------------------------------ */

typedef lathe_result doing(lathe_doc *doc, lathe_error *err);

static lathe_result call(lathe_doc *doc, const char *verb, const node *args, lathe_error *err)
{
    node copy = *args;
    lathe_source source = {
        .size = offsetof(lathe_source, name), .user = &copy, .get = get, .count = count};
    return lathe_view_call(lathe_doc_root(doc), verb, &source, NULL, err);
}

static lathe_result make_hull(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_collision", &hull, err);
}

static lathe_result make_mesh(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_collision", &mesh, err);
}

static lathe_result make_both(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_collision", &both, err);
}

static lathe_result scale(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "scale", &factor, err);
}

static lathe_result set_materials(lathe_doc *doc, lathe_error *err)
{
    return call(doc, "set_materials", &names, err);
}

static lathe_result read_materials(lathe_doc *doc, lathe_error *err)
{
    lathe_view one;
    lathe_result r = doc->containers[0].format->scene->material(doc, 0, &one, err);
    if (r == LATHE_ERR_NAME)
        fail_msg("%s", err->message);
    return r;
}

static lathe_result set_body(lathe_doc *doc, lathe_error *err)
{
    lathe_view body;
    lathe_value wood = {.kind = LATHE_KIND_STRING, .as.s = {"wood", 4}};
    lathe_value layer = {.kind = LATHE_KIND_STRING, .as.s = {"clutter", 7}};
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = doc->containers[0].format->scene->body(doc, 0, &body, err);
    if (r == LATHE_OK)
        r = lathe_view_set(body, "material", &wood, err);
    if (r == LATHE_OK)
        r = lathe_view_set(body, "layer", &layer, err);
    lathe_edit_end(doc, r == LATHE_OK, NULL);
    return r;
}

static lathe_result read_meshes(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < 3; i++) {
        model_mesh made;
        model_mesh_init(&made, &doc->mem);
        r = doc->containers[0].format->scene->collision(doc, i, &made, err);
        model_mesh_free(&made);
    }
    return r == LATHE_ERR_NAME ? LATHE_OK : r; /* past the last */
}

/* What is there is not called absent. */
static lathe_result read_body(lathe_doc *doc, lathe_error *err)
{
    static const char *const rows[] = {"name", "material", "node", "shape", "source", "friction"};
    lathe_view body;
    lathe_value v;
    lathe_result r = doc->containers[0].format->scene->body(doc, 0, &body, err);
    for (size_t i = 0; r == LATHE_OK && i < sizeof rows / sizeof *rows; i++) {
        r = lathe_view_get(body, rows[i], &v, err);
        if (r == LATHE_OK && v.kind == LATHE_KIND_NONE)
            fail_msg("no %s", rows[i]);
    }
    return r;
}

static bool only_memory(void *user, const lathe_error *e)
{
    (void)user;
    if (e->code != LATHE_ERR_MEMORY)
        fail_msg("%d %s %s", (int)e->code, e->where, e->message);
    return true;
}

static lathe_result check(lathe_doc *doc, lathe_error *err)
{
    (void)err;
    lathe_doc_check(doc, only_memory, NULL);
    return LATHE_OK;
}

/* An edit inside of the packfile, which opens for it. */
static lathe_result set_inside(lathe_doc *doc, lathe_error *err)
{
    lathe_value object;
    const lathe_value radius = {.kind = LATHE_KIND_REAL, .as.f = 0.25};
    lathe_result r =
        lathe_view_at(lathe_doc_root(doc), "blocks[2].system.objects[2]", &object, err);
    return r == LATHE_OK ? lathe_view_set(object.as.v, "convex_radius", &radius, err) : r;
}

/* What is kept of names and places follows each of these. */
static const node by_name = {
    LIST(KIND("sphere"), {.name = "radius", .number = 9}, {.name = "node", .text = "Root"})};
static const node by_new_name = {
    LIST(KIND("box"), {.name = "size", .number = 7}, {.name = "node", .text = "Trunk"})};

static lathe_result rename_root(lathe_doc *doc, lathe_error *err)
{
    const lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {"Trunk", 5}};
    lathe_value root;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "blocks[1]", &root, err);
    return r == LATHE_OK ? lathe_view_set(root.as.v, "name", &name, err) : r;
}

static lathe_result make_and_follow(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = call(doc, "set_collision", &by_name, err);
    if (r == LATHE_OK)
        r = rename_root(doc, err);
    if (r == LATHE_OK)
        r = call(doc, "set_collision", &by_new_name, err);
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

/* ---- with ever more memory --------------------------------------------------------------------- */

static bytes start;

static lathe_doc *open_doc(const bytes *from, memory *m)
{
    lathe_options options = {
        .size = sizeof options, .format = "nif", .history = 4, .alloc = take, .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_error err;
    m->left = -1;
    assert_int_equal(lathe_doc_parse(from->data, from->n, &options, &doc, &err), LATHE_OK);
    return doc;
}

static void encode(lathe_doc *doc, bytes *out)
{
    lathe_error err;
    out->n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, out, &err), LATHE_OK);
}

static void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, a->n);
}

/* Gives what comes of it. */
static void must(doing *what, const bytes *from, bytes *out)
{
    memory m = {-1, 0};
    lathe_error err = {.code = LATHE_OK};
    lathe_doc *doc = open_doc(from, &m);
    lathe_result r = what(doc, &err);
    if (r != LATHE_OK)
        fail_msg("%s", err.message);
    encode(doc, out);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

/* False: it got along with what there was. */
static bool attempt(doing *what, const bytes *from, const bytes *want, long n)
{
    static bytes now;
    memory m = {-1, 0};
    lathe_error err;
    lathe_doc *doc = open_doc(from, &m);
    m.left = n;
    lathe_result r = what(doc, &err);
    bool ran_out = m.left == 0;
    m.left = -1;
    encode(doc, &now);
    assert_same(&now, r == LATHE_OK ? want : from);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        fail_msg("with memory for %ld calls: %s", n, err.message);
    if (r != LATHE_OK) { /* nothing is half done */
        assert_int_equal(what(doc, &err), LATHE_OK);
        encode(doc, &now);
        assert_same(&now, want);
    }
    while (lathe_edit_undo(doc, 1))
        ;
    encode(doc, &now);
    if (r != LATHE_OK)
        assert_same(&now, from);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return ran_out;
}

/* Every call of the first ones, then ever fewer. */
static void sweep(doing *what, const bytes *from)
{
    static bytes want;
    must(what, from, &want);
    long n = 0;
    while (attempt(what, from, &want, n))
        n += 1 + n / 40;
    assert_true(n > 8);
}

static int make_start(void **state)
{
    (void)state;
    for (size_t i = 0; i + 1 < sizeof one_node; i += 2) {
        char two[3] = {one_node[i], one_node[i + 1], 0};
        start.data[start.n++] = (uint8_t)strtoul(two, NULL, 16);
    }
    return 0;
}

static void making(void **state)
{
    (void)state;
    sweep(make_hull, &start);
    sweep(make_mesh, &start);
    sweep(make_both, &start);
}

static void following(void **state)
{
    (void)state;
    sweep(make_and_follow, &start);
}

/* ---- bounds follow positions ------------------------------------------------------------------- */

#define POINT(x, y)                                                                                \
    {                                                                                              \
        LIST(N(x), N(y), N(1))                                                                     \
    }
static const node shape = {
    LIST({.name = "type", .text = "BSTriShape"},
         {.name = "positions", LIST(POINT(0, 0), POINT(8, 0), POINT(0, 8), POINT(3, 3))})};

static lathe_result make_shape(lathe_doc *doc, lathe_error *err)
{
    lathe_value blocks, block;
    node copy = shape;
    lathe_source source = {
        .size = offsetof(lathe_source, name), .user = &copy, .get = get, .count = count};
    lathe_result r = lathe_edit_begin(doc, err);
    if (r == LATHE_OK)
        r = lathe_view_get(lathe_doc_root(doc), "blocks", &blocks, err);
    if (r == LATHE_OK)
        r = lathe_view_insert(blocks.as.v, 1, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(blocks.as.v, 1, &block, err);
    if (r == LATHE_OK)
        r = lathe_view_build(block.as.v, &source, err);
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

static lathe_result move_vertex(lathe_doc *doc, int i, double x, lathe_error *err)
{
    char path[64];
    lathe_value position;
    const lathe_value to = {.kind = LATHE_KIND_REAL, .as.f = x};
    snprintf(path, sizeof path, "blocks[2].vertices[%d].position", i);
    lathe_result r = lathe_view_at(lathe_doc_root(doc), path, &position, err);
    return r == LATHE_OK ? lathe_view_set(position.as.v, "x", &to, err) : r;
}

/* The second write finds what the first one kept. */
static void bounding(void **state)
{
    static bytes from, first, want, now;
    bool ran_out = true;
    (void)state;
    must(make_shape, &start, &from);
    for (long n = 0; ran_out; n++) {
        memory m = {-1, 0};
        lathe_error err;
        lathe_doc *doc = open_doc(&from, &m);
        assert_int_equal(move_vertex(doc, 2, 20, &err), LATHE_OK);
        encode(doc, n ? &now : &first);
        m.left = n;
        lathe_result r = move_vertex(doc, 4, -5, &err);
        ran_out = m.left == 0;
        m.left = -1;
        encode(doc, &now);
        if (r != LATHE_OK) {
            assert_int_equal(r, LATHE_ERR_MEMORY);
            assert_same(&now, &first);
            assert_int_equal(move_vertex(doc, 4, -5, &err), LATHE_OK);
            encode(doc, &now);
        }
        if (!n)
            want = now;
        assert_same(&now, &want);
        assert_false(first.n == want.n && memcmp(first.data, want.data, want.n) == 0);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

static void replacing(void **state)
{
    static bytes from;
    (void)state;
    must(make_both, &start, &from);
    sweep(make_hull, &from);
}

static void reading(void **state)
{
    static bytes from;
    (void)state;
    must(make_both, &start, &from);
    sweep(read_meshes, &from);
    must(make_hull, &start, &from);
    sweep(read_body, &from);
    sweep(read_materials, &from);
    sweep(check, &from);
}

static void editing(void **state)
{
    static bytes from;
    (void)state;
    must(make_both, &start, &from);
    sweep(scale, &from);
    sweep(set_body, &from);
    must(make_hull, &start, &from);
    sweep(scale, &from);
    sweep(set_inside, &from);
    sweep(set_materials, &from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making),    cmocka_unit_test(following), cmocka_unit_test(bounding),
        cmocka_unit_test(replacing), cmocka_unit_test(reading),   cmocka_unit_test(editing),
    };
    return cmocka_run_group_tests(tests, make_start, NULL);
}
