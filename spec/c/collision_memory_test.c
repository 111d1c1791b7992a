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

#include "given.h"
#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"
#include "short_memory.h"

#define SWEEP_FORMAT "nif"
#include "memory_sweep.h"

/* A NIF of Fallout 4 with one node, as sample_nif makes it. */
static const char one_node[] =
    "47616d656272796f2046696c6520466f726d61742c2056657273696f6e2032302e322e302e370a07000214010c0000"
    "00010000008200000001000100010001000100060000004e694e6f646500004c000000010000000400000004000000"
    "526f6f74000000000000000000000000ffffffff000000000000000000000000000000000000803f00000000000000"
    "00000000000000803f0000000000000000000000000000803f0000803fffffffff000000000100000000000000";

/* ---- arguments --------------------------------------------------------------------------------- */

/* A wedge of two quads and more: enough for a hull and for a mesh. */
#define POINTS                                                                                     \
    {                                                                                              \
        .name = "positions",                                                                       \
        GIVEN_FLOATS(0, 0, 0, 90, 0, 0, 90, 90, 0, 0, 90, 0, 0, 0, 50, 90, 0, 50)                  \
    }
#define TRIANGLES                                                                                  \
    {                                                                                              \
        .name = "indices", GIVEN_FLOATS(0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 1)                        \
    }
#define MESH                                                                                       \
    {                                                                                              \
        .name = "mesh", GIVEN_LIST(POINTS, TRIANGLES)                                              \
    }
#define KIND(what)                                                                                 \
    {                                                                                              \
        .name = "kind", .v = GIVEN_TEXT(what)                                                      \
    }

static const given hull = {GIVEN_LIST(KIND("hull"), MESH, {.name = "mass", .v = GIVEN_REAL(4)})};
static const given mesh = {GIVEN_LIST(KIND("mesh"), MESH)};
static const given both = {
    GIVEN_LIST(KIND("compound"),
               {.name = "mesh",
                GIVEN_LIST({GIVEN_LIST(KIND("mesh"), MESH)},
                           {GIVEN_LIST(KIND("sphere"), {.name = "radius", .v = GIVEN_REAL(9)})})})};
static const given names = {GIVEN_LIST({.name = "from", .v = GIVEN_TEXT("metal")},
                                       {.name = "to", .v = GIVEN_TEXT("wood")})};
static const given factor = {GIVEN_LIST({.name = "factor", .v = GIVEN_REAL(2)})};

/* ---- what is done ------------------------------------------------------------------------------ */

static lathe_result make_hull(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &hull, err);
}

static lathe_result make_mesh(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &mesh, err);
}

static lathe_result make_both(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &both, err);
}

static lathe_result scale(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "scale", &factor, err);
}

static lathe_result set_materials(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_materials", &names, err);
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
static const given by_name = {GIVEN_LIST(KIND("sphere"), {.name = "radius", .v = GIVEN_REAL(9)},
                                         {.name = "node", .v = GIVEN_TEXT("Root")})};
static const given by_new_name = {GIVEN_LIST(KIND("box"), {.name = "size", .v = GIVEN_REAL(7)},
                                             {.name = "node", .v = GIVEN_TEXT("Trunk")})};

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
    r = given_call(doc, "set_collision", &by_name, err);
    if (r == LATHE_OK)
        r = rename_root(doc, err);
    if (r == LATHE_OK)
        r = given_call(doc, "set_collision", &by_new_name, err);
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

/* ---- with ever more memory --------------------------------------------------------------------- */

static bytes start;

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
        GIVEN_FLOATS(x, y, 1)                                                                      \
    }
static const given shape = {GIVEN_LIST(
    {.name = "type", .v = GIVEN_TEXT("BSTriShape")},
    {.name = "positions", GIVEN_LIST(POINT(0, 0), POINT(8, 0), POINT(0, 8), POINT(3, 3))})};

static lathe_result make_shape(lathe_doc *doc, lathe_error *err)
{
    lathe_value blocks, block;
    const lathe_source source = given_nameless(&shape);
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
