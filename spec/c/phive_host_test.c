/* Phive shapes through the C interface alone: made of a mesh, read as tables of numbers, edited by verbs, compressed; and with
 * memory that runs out at every single call: nothing leaks then, and nothing is half done. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "short_memory.h"

/* A tent: a floor of two triangles, which are one quad, and two roofs of one each. */
static const float places[] = {0, 0, 0, 2, 0, 0, 2, 0, 3, 0, 0, 3, 1, 1.5f, 1.5f};
static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 0, 4, 1, 2, 4, 3};
static const uint32_t kinds[] = {0, 0, 1, 1};
static const given names[] = {{.v = GIVEN_TEXT("Stone")}, {.v = GIVEN_TEXT("Wood")}};
static const given mesh[] = {{.name = "positions", .floats = places, .n = GIVEN_COUNT(places)},
                             {.name = "indices", .numbers = corners, .n = GIVEN_COUNT(corners)},
                             {.name = "materials", .list = names, .n = 2},
                             {.name = "triangle_materials", .numbers = kinds, .n = 4}};
#define MESH                                                                                       \
    {                                                                                              \
        .name = "mesh", .list = mesh, .n = GIVEN_COUNT(mesh)                                       \
    }

static bytes file; /* of the tent */

static lathe_result call(lathe_doc *doc, const char *verb, const given *args, size_t n,
                         uint64_t *changed, lathe_error *err)
{
    lathe_report report = {.size = sizeof report};
    given top = {.list = args, .n = n};
    const lathe_source source = given_source(&top);
    lathe_result r = lathe_view_call(lathe_doc_root(doc), verb, &source, &report, err);
    *changed = report.changed;
    return r;
}

static lathe_result make(memory *m, lathe_doc **doc, lathe_error *err)
{
    const given fields[] = {{.name = "variant", .v = GIVEN_TEXT("v22")}, MESH};
    given top = {.list = fields, .n = GIVEN_COUNT(fields)};
    const lathe_source source = given_source(&top);
    const lathe_options options = {.size = sizeof options, .alloc = take, .alloc_user = m};
    return lathe_doc_new("bphsh", &source, &options, doc, err);
}

static lathe_result open_with(memory *m, lathe_doc **doc, lathe_error *err)
{
    const lathe_options options = {
        .size = sizeof options, .format = "bphsh", .history = 9, .alloc = take, .alloc_user = m};
    return lathe_doc_parse(file.data, file.n, &options, doc, err);
}

static int make_file(void **state)
{
    memory m = {.left = -1};
    lathe_doc *doc = NULL;
    lathe_error err;
    (void)state;
    assert_int_equal(make(&m, &doc, &err), LATHE_OK);
    assert_int_equal(lathe_doc_encode(doc, keep, &file, &err), LATHE_OK);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return 0;
}

static lathe_value at(lathe_doc *doc, const char *path)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    lathe_error err;
    if (lathe_view_at(lathe_doc_root(doc), path, &v, &err) != LATHE_OK)
        fail_msg("%s: %s", path, err.message);
    return v;
}

static void text_is(lathe_doc *doc, const char *path, const char *text)
{
    lathe_value v = at(doc, path);
    assert_int_equal(v.kind, LATHE_KIND_STRING);
    assert_int_equal(v.as.s.n, strlen(text));
    assert_memory_equal(v.as.s.p, text, v.as.s.n);
}

static bool tell(void *user, const lathe_error *finding)
{
    (void)user;
    fail_msg("%s: %s", finding->where, finding->message);
    return false;
}

static void same_bytes(lathe_doc *doc, const bytes *expected)
{
    static bytes now;
    lathe_error err;
    now.n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, &now, &err), LATHE_OK);
    assert_int_equal(now.n, expected->n);
    assert_memory_equal(now.data, expected->data, now.n);
}

/* A table of numbers; the count is what is asked for. */
static void read_rows(lathe_doc *doc, const char *name, uint64_t rows, lathe_elem elem, void *to)
{
    lathe_value v = at(doc, name);
    lathe_error err;
    assert_int_equal(v.kind, LATHE_KIND_ARRAY);
    assert_int_equal(lathe_view_count(v.as.v), rows);
    assert_int_equal(lathe_view_read(v.as.v, NULL, 0, rows, elem, to, 0, &err), LATHE_OK);
}

static lathe_doc *open_tent(memory *m)
{
    lathe_doc *doc = NULL;
    lathe_error err;
    assert_int_equal(open_with(m, &doc, &err), LATHE_OK);
    return doc;
}

static void close_tent(lathe_doc *doc, const memory *m)
{
    lathe_doc_close(doc);
    assert_int_equal(m->blocks, 0);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static void fields_are_read(void **state)
{
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m);
    lathe_field_info info = {.size = sizeof info};
    bool named = false;
    (void)state;
    text_is(doc, "variant", "v22");
    assert_string_equal(lathe_doc_info(doc, "format"), "bphsh");
    assert_string_equal(lathe_doc_info(doc, "game"), "Tears of the Kingdom");
    assert_int_equal(lathe_doc_check(doc, tell, NULL), LATHE_OK);
    lathe_value shape = at(doc, "shape"), bits = at(doc, "shape.num_shape_key_bits");
    assert_string_equal(lathe_view_type(shape.as.v), "hknpMeshShape");
    assert_int_equal(bits.as.i, 9);
    for (uint64_t i = 0; lathe_view_describe(shape.as.v, i, &info); i++)
        named = named ||
                (strcmp(info.name, "geometry_sections") == 0 && info.flags & LATHE_FIELD_ARRAY);
    assert_true(named);
    assert_int_equal(lathe_view_count(at(doc, "shape.geometry_sections").as.v), 1);
    assert_int_equal(lathe_view_count(at(doc, "shape.geometry_sections[1].primitives").as.v), 3);
    close_tent(doc, &m);
}

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(float));
}

static void tables_of_numbers_are_read(void **state)
{
    static const float box[6] = {0, 0, 0, 2, 1.5f, 3};
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m);
    float rows[15], sorted[15], boxes[6];
    uint32_t triangles[12], of[4], wood = 0;
    lathe_elem elem;
    (void)state;
    read_rows(doc, "vertices", 5, LATHE_ELEM_F32, rows);
    memcpy(sorted, places, sizeof sorted);
    qsort(sorted, 5, 3 * sizeof(float), by_place);
    qsort(rows, 5, 3 * sizeof(float), by_place);
    assert_memory_equal(rows, sorted, sizeof rows);
    assert_int_equal(lathe_view_lanes(at(doc, "vertices").as.v, NULL, &elem), 3);
    assert_int_equal(elem, LATHE_ELEM_F32);
    read_rows(doc, "section_bounds", 1, LATHE_ELEM_F32, boxes);
    assert_memory_equal(boxes, box, sizeof box);
    read_rows(doc, "triangles", 4, LATHE_ELEM_U32, triangles);
    for (int i = 0; i < 12; i++)
        assert_in_range(triangles[i], 0, 4);
    read_rows(doc, "triangle_materials", 4, LATHE_ELEM_U32, of);
    for (int i = 0; i < 4; i++)
        wood += of[i];
    assert_int_equal(wood, 2);
    close_tent(doc, &m);
}

static void materials_are_rows(void **state)
{
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m);
    lathe_error err;
    lathe_value row = at(doc, "tables.materials[2]"), v = {.kind = LATHE_KIND_UINT, .as.u = 6};
    (void)state;
    assert_int_equal(lathe_view_count(at(doc, "tables.materials").as.v), 2);
    text_is(doc, "tables.materials[1].name", "Stone");
    text_is(doc, "tables.materials[2].name", "Wood");
    assert_int_equal(at(doc, "tables.materials[2].layer_mask").as.u, UINT32_MAX);
    assert_int_equal(lathe_view_count(at(doc, "tables.materials[2].triangles").as.v), 2);
    assert_int_equal(lathe_view_set(row.as.v, "layer_mask", &v, &err), LATHE_OK);
    assert_int_equal(at(doc, "tables.hit_masks[2].layer_mask").as.u, 6);
    v.as.u = (uint64_t)1 << 32;
    assert_int_equal(lathe_view_set(row.as.v, "layer_mask", &v, &err), LATHE_ERR_RANGE);
    assert_string_equal(err.where, "tables.hit_masks[2].layer_mask");
    close_tent(doc, &m);
}

/* ---- verbs ----------------------------------------------------------------------------------------------- */

static const given rule[] = {{.name = "from", .v = GIVEN_TEXT("St*")},
                             {.name = "to", .v = GIVEN_TEXT("Grass")}};
static const uint32_t numbers[] = {1, 1, 0, 2};
static const given list[] = {
    {.v = GIVEN_TEXT("Wood")}, {.v = GIVEN_TEXT("Sand")}, {.v = GIVEN_INT(77777)}};
static const given paint[] = {{.name = "materials", .list = list, .n = 3},
                              {.name = "triangle_materials", .numbers = numbers, .n = 4}};

static void materials_are_set(void **state)
{
    static const given bad[] = {{.name = "from", .v = GIVEN_TEXT("Grass")},
                                {.name = "to", .v = GIVEN_TEXT("Grasss")}};
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m);
    uint32_t of[4];
    uint64_t changed;
    lathe_error err;
    (void)state;
    assert_int_equal(call(doc, "set_materials", rule, 2, &changed, &err), LATHE_OK);
    assert_int_equal(changed, 1);
    text_is(doc, "tables.materials[1].name", "Grass");
    assert_int_equal(call(doc, "set_materials", bad, 2, &changed, &err), LATHE_ERR_RANGE);
    assert_non_null(strstr(err.message, "did you mean 'Grass'?"));
    text_is(doc, "tables.materials[1].name", "Grass");
    assert_int_equal(call(doc, "set_triangle_materials", paint, 2, &changed, &err), LATHE_OK);
    assert_int_equal(lathe_view_count(at(doc, "tables.materials").as.v), 4);
    text_is(doc, "tables.materials[3].name", "Sand");
    assert_int_equal(at(doc, "tables.materials[4].name").as.i, 77777);
    read_rows(doc, "triangle_materials", 4, LATHE_ELEM_U32, of);
    assert_int_equal(of[0], 2);
    assert_int_equal(of[1], 2);
    assert_int_equal(of[2], 1);
    assert_int_equal(of[3], 3);
    assert_int_equal(lathe_doc_check(doc, tell, NULL), LATHE_OK);
    while (lathe_edit_undo(doc, 1))
        continue;
    same_bytes(doc, &file);
    close_tent(doc, &m);
}

static const float by[] = {2, 2, 2}, to[] = {1, -2, 4};
static const given twice = {.name = "factor", .floats = by, .n = 3};
static const given move = {.name = "translation", .floats = to, .n = 3};

static void shapes_are_scaled_and_moved(void **state)
{
    static const float back[] = {0.5f, 0.5f, 0.5f};
    static const given half = {.name = "factor", .floats = back, .n = 3};
    static const given mirror = {.name = "factor", .v = GIVEN_REAL(-1)};
    static const float larger[6] = {0, 0, 0, 4, 3, 6}, moved[6] = {1, -2, 4, 3, -0.5f, 7};
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m);
    float box[6];
    uint64_t changed;
    lathe_error err;
    (void)state;
    assert_int_equal(call(doc, "scale", &twice, 1, &changed, &err), LATHE_OK);
    assert_int_equal(changed, 1);
    read_rows(doc, "bounds", 2, LATHE_ELEM_F32, box);
    assert_memory_equal(box, larger, sizeof box);
    assert_int_equal(call(doc, "scale", &half, 1, &changed, &err), LATHE_OK);
    same_bytes(doc, &file);
    assert_int_equal(call(doc, "scale", &mirror, 1, &changed, &err), LATHE_ERR_RANGE);
    same_bytes(doc, &file);
    assert_int_equal(call(doc, "transform", &move, 1, &changed, &err), LATHE_OK);
    read_rows(doc, "bounds", 2, LATHE_ELEM_F32, box);
    assert_memory_equal(box, moved, sizeof box);
    assert_int_equal(lathe_doc_check(doc, tell, NULL), LATHE_OK);
    close_tent(doc, &m);
}

/* A triangle in place of the tent: what materials there were stay, as the mesh names one of them. */
static const uint32_t one_triangle[] = {0, 1, 4};
static const given wood = {.v = GIVEN_TEXT("Wood")};
static const given triangle[] = {{.name = "positions", .floats = places, .n = GIVEN_COUNT(places)},
                                 {.name = "indices", .numbers = one_triangle, .n = 3},
                                 {.name = "materials", .list = &wood, .n = 1}};
static const given other = {.name = "mesh", .list = triangle, .n = GIVEN_COUNT(triangle)};

static void is_one_triangle(lathe_doc *doc)
{
    float rows[9];
    uint32_t of;
    read_rows(doc, "vertices", 3, LATHE_ELEM_F32, rows);
    read_rows(doc, "triangle_materials", 1, LATHE_ELEM_U32, &of);
    assert_int_equal(of, 1);
    assert_int_equal(lathe_view_count(at(doc, "tables.materials").as.v), 2);
    assert_int_equal(lathe_doc_check(doc, tell, NULL), LATHE_OK);
}

static void a_mesh_is_set(void **state)
{
    static bytes made;
    const lathe_options plain = {.size = sizeof plain};
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m), *again = NULL;
    uint64_t changed;
    lathe_error err;
    (void)state;
    assert_int_equal(call(doc, "set_mesh", &other, 1, &changed, &err), LATHE_OK);
    assert_int_equal(changed, 1);
    is_one_triangle(doc);
    assert_int_equal(lathe_doc_serialize(lathe_doc_root(doc), NULL, keep, &made, &err), LATHE_OK);
    assert_int_equal(lathe_doc_parse(made.data, made.n, &plain, &again, &err), LATHE_OK);
    assert_string_equal(lathe_doc_info(again, "format"), "bphsh");
    is_one_triangle(again);
    lathe_doc_close(again);
    assert_true(lathe_edit_undo(doc, 1));
    same_bytes(doc, &file);
    close_tent(doc, &m);
}

/* ---- options ---------------------------------------------------------------------------------------------- */

static void names_are_given(void **state)
{
    static const given known[] = {{.name = "0", .v = GIVEN_TEXT("Air")},
                                  {.name = "Rock", .v = GIVEN_INT(7)}};
    static const given sets = {.name = "materials", .list = known, .n = 2};
    static const given option = {.name = "names", .list = &sets, .n = 1};
    given top = {.list = &option, .n = 1};
    const lathe_source extra = given_source(&top);
    const lathe_options options = {.size = sizeof options, .format = "bphsh", .extra = &extra};
    lathe_doc *doc = NULL;
    lathe_error err;
    (void)state;
    assert_int_equal(lathe_doc_parse(file.data, file.n, &options, &doc, &err), LATHE_OK);
    text_is(doc, "tables.materials[1].name", "Rock");
    assert_int_equal(at(doc, "tables.materials[2].name").kind, LATHE_KIND_INT);
    const lathe_value text = GIVEN_TEXT("air");
    assert_int_equal(lathe_view_set(at(doc, "tables.materials[2]").as.v, "material", &text, &err),
                     LATHE_OK);
    assert_int_equal(at(doc, "tables.materials[2].material_id").as.i, 0);
    lathe_doc_close(doc);
}

static void files_are_compressed(void **state)
{
    static bytes packed;
    const lathe_options options = {.size = sizeof options, .path = "a.Nin_NX_NVN.bphsh.zs"};
    memory m = {.left = -1};
    lathe_doc *doc = open_tent(&m), *again = NULL;
    lathe_error err;
    (void)state;
    if (lathe_doc_set_compression(doc, "zstd", &err) != LATHE_OK) {
        assert_non_null(strstr(err.message, "ZSTD=no")); /* built without */
        close_tent(doc, &m);
        return;
    }
    assert_int_equal(lathe_doc_encode(doc, keep, &packed, &err), LATHE_OK);
    close_tent(doc, &m);
    assert_true(packed.n < file.n);
    assert_int_equal(lathe_doc_parse(packed.data, packed.n, &options, &again, &err), LATHE_OK);
    assert_string_equal(lathe_doc_info(again, "compression"), "zstd");
    assert_string_equal(lathe_doc_info(again, "format"), "bphsh");
    text_is(again, "variant", "v22");
    same_bytes(again, &packed);
    assert_int_equal(lathe_doc_set_compression(again, NULL, &err), LATHE_OK);
    same_bytes(again, &file);
    lathe_doc_close(again);
}

/* ---- without memory --------------------------------------------------------------------------------------- */

/* What fails leaves the file's bytes. */
static lathe_result verb(lathe_doc *doc, memory *m, const char *name, const given *args, size_t n,
                         lathe_error *err)
{
    uint64_t changed;
    lathe_result r = call(doc, name, args, n, &changed, err);
    if (r == LATHE_OK)
        return r;
    m->left = -1;
    same_bytes(doc, &file);
    return r;
}

static lathe_result use(lathe_doc *doc, memory *m, bytes *made, lathe_error *err)
{
    lathe_value v;
    float rows[15];
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "vertices", &v, err);
    if (r == LATHE_OK && v.kind != LATHE_KIND_ARRAY)
        r = LATHE_ERR_MEMORY;
    if (r == LATHE_OK)
        r = lathe_view_read(v.as.v, NULL, 0, 5, LATHE_ELEM_F32, rows, 0, err);
    if (r == LATHE_OK)
        r = verb(doc, m, "set_mesh", &other, 1, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_doc_encode(doc, keep, made, err);
    m->left = -1;
    is_one_triangle(doc);
    return r;
}

static const struct {
    const char *name;
    const given *args;
    size_t n;
} verbs[] = {{"set_materials", rule, 2},
             {"set_triangle_materials", paint, 2},
             {"scale", &twice, 1},
             {"transform", &move, 1}};
static size_t which;

static lathe_result open_and_call(memory *m, bytes *made, lathe_error *err)
{
    lathe_doc *doc = NULL;
    lathe_result r = open_with(m, &doc, err);
    if (r == LATHE_OK)
        r = verb(doc, m, verbs[which].name, verbs[which].args, verbs[which].n, err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, keep, made, err);
    lathe_doc_close(doc);
    return r;
}

static lathe_result open_and_use(memory *m, bytes *made, lathe_error *err)
{
    lathe_doc *doc = NULL;
    lathe_result r = open_with(m, &doc, err);
    if (r == LATHE_OK)
        r = use(doc, m, made, err);
    lathe_doc_close(doc);
    return r;
}

static lathe_result only_make(memory *m, bytes *made, lathe_error *err)
{
    lathe_doc *doc = NULL;
    lathe_result r = make(m, &doc, err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, keep, made, err);
    lathe_doc_close(doc);
    return r;
}

static long run_out(lathe_result (*what)(memory *m, bytes *made, lathe_error *err))
{
    static bytes made;
    lathe_error err = {.message = ""};
    long n = 0;
    for (lathe_result r = LATHE_ERR_MEMORY; r != LATHE_OK; n++) {
        memory m = {.left = n};
        made.n = 0;
        r = what(&m, &made, &err);
        if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
            fail_msg("call %ld: %s %s", n, err.where, err.message);
        assert_int_equal(m.blocks, 0);
        assert_true(n < 20000);
    }
    return n;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(run_out(open_and_use) > 100);
    assert_true(run_out(only_make) > 100);
    for (which = 0; which < GIVEN_COUNT(verbs); which++)
        assert_true(run_out(open_and_call) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_read),
        cmocka_unit_test(tables_of_numbers_are_read),
        cmocka_unit_test(materials_are_rows),
        cmocka_unit_test(materials_are_set),
        cmocka_unit_test(shapes_are_scaled_and_moved),
        cmocka_unit_test(a_mesh_is_set),
        cmocka_unit_test(names_are_given),
        cmocka_unit_test(files_are_compressed),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_file, NULL);
}
