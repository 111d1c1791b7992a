/* The scene for C: lists, meshes, bones and animations of made-up formats; what is refused, and memory that runs out at every
 * single call. */
#include "made_up_test.h"

#include <math.h>

static const char shapes[] =
    "{shapes = {{triangles = 2, name = \"a\"}, {flags = 64, triangles = 1, name = \"b\"}}}";
static const char moves[] = "{bones = {{name = \"root\"}, {parent = 0, mirror = 1, name = "
                            "\"tip\"}}, clips = {{frame_count = 2, bones = {0, 1},"
                            " length = 1, title = \"x\", keys = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, "
                            "0, 0, 0, 0, 0, 1, 1, 1, 1,"
                            " 10, 0, 0, 0, 0, 0, 1, 1, 1, 1, 11, 0, 0, 0, 0, 0, 1, 1, 1, 1}}}}";

static uint64_t count_of(lathe_doc *doc, lathe_list list)
{
    uint64_t n = 99;
    OK(lathe_list_count(doc, list, &n, err));
    return n;
}

static void lists_are_counted(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("shapes", shapes), *other = new_doc("moves", moves);
    lathe_view item;
    uint64_t n;
    assert_int_equal(count_of(doc, LATHE_MESHES), 2);
    assert_int_equal(count_of(doc, LATHE_COLLISION), 1);
    assert_int_equal(count_of(doc, LATHE_BODIES), 1);
    assert_int_equal(count_of(doc, LATHE_SKELETONS), 0);
    assert_int_equal(count_of(other, LATHE_SKELETONS), 1);
    assert_int_equal(count_of(other, LATHE_ANIMATIONS), 1);
    assert_int_equal(count_of(other, LATHE_MESHES), 0);
    FAILS(LATHE_ERR_RANGE, lathe_list_count(doc, LATHE_LIST_COUNT, &n, err));
    FAILS(LATHE_ERR_RANGE, lathe_list_item(doc, (lathe_list)99, 0, &item, err));
    FAILS(LATHE_ERR_TYPE, lathe_list_item(doc, LATHE_MESHES, 0, &item, err));
    FAILS(LATHE_ERR_NAME, lathe_list_item(doc, LATHE_BODIES, 1, &item, err));
    FAILS(LATHE_ERR_NAME, lathe_list_item(doc, LATHE_MATERIALS, 0, &item, err));
    FAILS(LATHE_ERR_NAME, lathe_list_item(other, LATHE_ANIMATIONS, 1, &item, err));
    OK(lathe_list_item(doc, LATHE_BODIES, 0, &item, err));
    assert_string_equal(lathe_view_type(item), "shape");
    OK(lathe_list_item(other, LATHE_SKELETONS, 0, &item, err));
    OK(lathe_list_item(other, LATHE_ANIMATIONS, 0, &item, err));
    assert_string_equal(lathe_view_type(item), "walk");
    lathe_doc_close(doc);
    lathe_doc_close(other);
}

static void meshes_are_copies(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("shapes", shapes);
    lathe_mesh *mesh = NULL;
    lathe_mesh_info info = {.size = sizeof info};
    uint32_t lanes = 0;
    lathe_elem elem = LATHE_ELEM_U8;
    double positions[12], other[12];
    uint8_t indices[6];
    FAILS(LATHE_ERR_NAME, lathe_mesh_open(doc, LATHE_MESHES, 2, &mesh, err));
    FAILS(LATHE_ERR_TYPE, lathe_mesh_open(doc, LATHE_BODIES, 0, &mesh, err));
    OK(lathe_mesh_open(doc, LATHE_MESHES, 0, &mesh, err));
    assert_int_equal(lathe_mesh_count(mesh, LATHE_MESH_POSITIONS, &lanes, &elem), 4);
    assert_true(lanes == 3 && elem == LATHE_ELEM_F32);
    assert_int_equal(lathe_mesh_count(mesh, LATHE_MESH_INDICES, &lanes, &elem), 2);
    assert_true(lanes == 3 && elem == LATHE_ELEM_U32);
    assert_int_equal(lathe_mesh_count(mesh, LATHE_MESH_PART_COUNT, NULL, NULL), 0);
    OK(lathe_mesh_read(mesh, LATHE_MESH_POSITIONS, 0, 4, LATHE_ELEM_F64, positions, err));
    OK(lathe_mesh_read(mesh, LATHE_MESH_POSITIONS, 3, 1, LATHE_ELEM_F64, other, err));
    assert_memory_equal(other, positions + 9, 3 * sizeof *other);
    OK(lathe_mesh_read(mesh, LATHE_MESH_INDICES, 0, 2, LATHE_ELEM_U8, indices, err));
    assert_true(indices[0] < 4 && indices[5] < 4);
    FAILS(LATHE_ERR_NAME,
          lathe_mesh_read(mesh, LATHE_MESH_POSITIONS, 3, 2, LATHE_ELEM_F64, other, err));
    FAILS(LATHE_ERR_NAME,
          lathe_mesh_read(mesh, LATHE_MESH_POSITIONS, UINT64_MAX, 2, LATHE_ELEM_F64, other, err));
    FAILS(LATHE_ERR_TYPE,
          lathe_mesh_read(mesh, LATHE_MESH_POSITIONS, 0, 1, LATHE_ELEM_COUNT, other, err));
    lathe_doc_close(doc);
    lathe_mesh_describe(mesh, &info);
    assert_string_equal(info.name, "a");
    assert_true(info.transform[15] == 1 && !info.left_out && !info.body);
    lathe_mesh_info brief = {.size = offsetof(lathe_mesh_info, transform)};
    brief.metres = 7;
    lathe_mesh_describe(mesh, &brief);
    assert_true(brief.metres == 7 && strcmp(brief.name, "a") == 0);
    lathe_mesh_close(mesh);
    lathe_mesh_close(NULL);
}

static void animations_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    lathe_clip_info info = {.size = sizeof info};
    lathe_bone bone = {.size = sizeof bone};
    const char *name = NULL;
    int64_t number = 9;
    uint64_t bones = 0;
    float rows[4 * LATHE_POSE];
    OK(lathe_skeleton_count(doc, 0, &bones, err));
    assert_int_equal(bones, 2);
    OK(lathe_skeleton_bone(doc, 0, 1, &bone, err));
    assert_true(strcmp(bone.name, "tip") == 0 && bone.parent == 0 && bone.mirror == 1);
    FAILS(LATHE_ERR_NAME, lathe_skeleton_bone(doc, 0, 2, &bone, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_count(doc, 1, &bones, err));
    OK(lathe_clip_describe(doc, 0, &info, err));
    assert_true(info.frames == 2 && info.tracks == 2 && info.duration == 1);
    FAILS(LATHE_ERR_NAME, lathe_clip_describe(doc, 1, &info, err));
    OK(lathe_clip_track(doc, 0, 1, &name, &number, err));
    assert_true(strcmp(name, "tip") == 0 && number == 1);
    FAILS(LATHE_ERR_NAME, lathe_clip_track(doc, 0, 2, &name, &number, err));
    OK(lathe_clip_sample(doc, 0, 0.5, 1, 1, rows, err));
    assert_true(rows[0] == 6);
    FAILS(LATHE_ERR_RANGE, lathe_clip_sample(doc, 0, NAN, 0, 1, rows, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_sample(doc, 0, 2, 0, 1, rows, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_sample(doc, 0, 0, 1, UINT64_MAX, rows, err));
    OK(lathe_clip_decode(doc, 0, rows, 4 * LATHE_POSE, err));
    assert_true(rows[2 * LATHE_POSE] == 10 && rows[3 * LATHE_POSE] == 11);
    FAILS(LATHE_ERR_RANGE, lathe_clip_decode(doc, 0, rows, 2 * LATHE_POSE, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_decode(doc, 0, rows, 4 * LATHE_POSE + 1, err));
    lathe_doc_close(doc);
}

/* With call number k refused. Returns whether it was met. */
static bool run_without(const bytes_copy *b, const char *format, size_t k)
{
    made_up_memory m = {0};
    lathe_options options = {
        .size = sizeof options, .format = format, .alloc = made_up_alloc, .alloc_user = &m};
    lathe_doc *doc = parse_with(b->p, b->n, &options);
    lathe_mesh *mesh = NULL;
    lathe_bone bone = {.size = sizeof bone};
    float rows[4 * LATHE_POSE];
    lathe_error e;
    uint64_t n = 0;
    m.fail_at = m.calls + k;
    lathe_result r = lathe_list_count(doc, LATHE_MESHES, &n, &e);
    if (r == LATHE_OK && n)
        r = lathe_mesh_open(doc, LATHE_MESHES, 0, &mesh, &e);
    if (r == LATHE_OK && !n)
        r = lathe_skeleton_bone(doc, 0, 1, &bone, &e);
    if (r == LATHE_OK && !n)
        r = lathe_clip_decode(doc, 0, rows, 4 * LATHE_POSE, &e);
    bool met = m.calls >= m.fail_at;
    m.fail_at = 0;
    assert_true(r == LATHE_OK || (r == LATHE_ERR_MEMORY && met));
    if (r == LATHE_OK)
        lathe_mesh_close(mesh);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    assert_int_equal(m.bytes, 0);
    return met;
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        lathe_doc *doc = i ? new_doc("moves", moves) : new_doc("shapes", shapes);
        bytes_copy b = encode(doc);
        size_t k = 1;
        while (run_without(&b, i ? "moves" : "shapes", k))
            k++;
        assert_true(k > 2 && k < 1000);
        free(b.p);
        lathe_doc_close(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_counted),
        cmocka_unit_test(meshes_are_copies),
        cmocka_unit_test(animations_are_checked),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
