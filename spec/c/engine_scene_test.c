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
                            " 10, 0, 0, 0, 0, 0, 1, 1, 1, 1, 11, 0, 0, 0, 0, 0, 1, 1, 1, 1},"
                            " notes = {{time = 1, text = \"n\"}}}}}";

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
    lathe_value name;
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
    assert_int_equal(count_of(doc, LATHE_EVENTS), 0);
    FAILS(LATHE_ERR_NAME, lathe_list_item(doc, LATHE_GRAPHS, 0, &item, err));
    FAILS(LATHE_ERR_NAME, lathe_list_name(doc, LATHE_EVENTS, 0, &name, err));
    FAILS(LATHE_ERR_NAME, lathe_list_find(doc, LATHE_STATES, "x", 1, &n, err));
    FAILS(LATHE_ERR_TYPE, lathe_list_name(doc, LATHE_BODIES, 0, &name, err));
    FAILS(LATHE_ERR_TYPE, lathe_list_find(doc, LATHE_MESHES, "x", 1, &n, err));
    FAILS(LATHE_ERR_RANGE, lathe_list_name(doc, LATHE_LIST_COUNT, 0, &name, err));
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
    FAILS(LATHE_ERR_NAME, lathe_mesh_open(doc, LATHE_MESHES, 2, NULL, &mesh, err));
    FAILS(LATHE_ERR_TYPE, lathe_mesh_open(doc, LATHE_BODIES, 0, NULL, &mesh, err));
    OK(lathe_mesh_open(doc, LATHE_MESHES, 0, NULL, &mesh, err));
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

static void meshes_have_options(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("shapes", shapes);
    made_up_memory m = {0};
    lathe_mesh *mesh = NULL;
    lathe_joint joint = {.size = sizeof joint};
    lathe_surface surface = {.size = sizeof surface};
    const char *text = NULL, *other = NULL;
    const lathe_mesh_options counted = {
        .size = sizeof counted, .alloc = made_up_alloc, .alloc_user = &m};
    OK(lathe_mesh_open(doc, LATHE_COLLISION, 0, &counted, &mesh, err));
    FAILS(LATHE_ERR_NAME, lathe_mesh_open(doc, LATHE_COLLISION, 1, NULL, &mesh, err));
    assert_true(m.blocks > 0);
    FAILS(LATHE_ERR_NAME, lathe_mesh_joint(mesh, UINT64_MAX, &joint, err));
    FAILS(LATHE_ERR_NAME, lathe_mesh_texture(mesh, 99, &text, &other, err));
    FAILS(LATHE_ERR_NAME, lathe_mesh_material(mesh, 99, &text, err));
    assert_true(!text && !other);
    (void)lathe_mesh_surface(mesh, &surface);
    lathe_doc_close(doc);
    lathe_mesh_close(mesh);
    assert_int_equal(m.blocks, 0);
}

static void formats_have_lists(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("shapes", shapes);
    size_t n;
    const lathe_format *const *all = lathe_formats(&n);
    lathe_format_info info = {.size = sizeof info};
    for (size_t i = 0; i < n; i++) {
        lathe_format_describe(all[i], &info);
        if (strcmp(info.name, "shapes") == 0) {
            assert_true(lathe_format_has(all[i], LATHE_MESHES));
            assert_true(lathe_format_has(all[i], LATHE_COLLISION));
            assert_false(lathe_format_has(all[i], LATHE_SKELETONS));
            assert_false(lathe_format_has(all[i], LATHE_LIST_COUNT));
        }
    }
    assert_int_equal(lathe_list_value(doc, LATHE_BODIES, 0).kind, LATHE_KIND_NONE);
    assert_int_equal(lathe_list_value(doc, LATHE_ANIMATIONS, 7).kind, LATHE_KIND_RECORD);
    lathe_doc_close(doc);
}

static void skeletons_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    lathe_skeleton_info rig = {.size = sizeof rig};
    lathe_bone bone = {.size = sizeof bone}, brief = {.size = offsetof(lathe_bone, pose)};
    const char *name = NULL;
    uint64_t number = 99;
    OK(lathe_skeleton_describe(doc, 0, &rig, err));
    assert_true(rig.bones == 2 && !rig.has_slots && rig.slots == 0);
    OK(lathe_skeleton_bone(doc, 0, 1, &bone, err));
    assert_true(strcmp(bone.name, "tip") == 0 && bone.parent == 0 && bone.mirror == 1);
    brief.pose[0] = 7;
    OK(lathe_skeleton_bone(doc, 0, 1, &brief, err));
    assert_true(brief.pose[0] == 7 && brief.parent == 0);
    FAILS(LATHE_ERR_NAME, lathe_skeleton_bone(doc, 0, 2, &bone, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_describe(doc, 1, &rig, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_describe(doc, LATHE_LINKED, &rig, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_slot(doc, 0, 0, &name, err));
    OK(lathe_skeleton_find(doc, 0, "tip", 3, &number, err));
    assert_int_equal(number, 1);
    FAILS(LATHE_ERR_NAME, lathe_skeleton_find(doc, 0, "tips", 4, &number, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_find(doc, 0, "", 0, &number, err));
    FAILS(LATHE_ERR_READONLY, lathe_skeleton_set(doc, 0, 0, LATHE_BONE_NAME, &bone, err));
    FAILS(LATHE_ERR_NAME, lathe_skeleton_set(doc, 0, 2, LATHE_BONE_NAME, &bone, err));
    bone.name = NULL;
    FAILS(LATHE_ERR_TYPE, lathe_skeleton_set(doc, 0, 0, LATHE_BONE_NAME, &bone, err));
    lathe_doc_close(doc);
}

static void linked_skeletons_are_copies(void **state)
{
    (void)state;
    lathe_doc *rigs = new_doc("moves", moves);
    const lathe_options linked = {.size = sizeof linked, .skeleton = rigs};
    lathe_doc *doc = new_doc_with("walk",
                                  "{frame_count = 1, bones = {1}, keys = {0, 0, 0, 0, 0, 0, "
                                  "1, 1, 1, 1}}",
                                  &linked);
    lathe_skeleton_info rig = {.size = sizeof rig};
    lathe_bone bone = {.size = sizeof bone};
    lathe_view view;
    lathe_doc_close(rigs);
    OK(lathe_skeleton_describe(doc, LATHE_LINKED, &rig, err));
    assert_true(rig.bones == 2 && !rig.source.doc);
    OK(lathe_skeleton_bone(doc, LATHE_LINKED, 1, &bone, err));
    FAILS(LATHE_ERR_READONLY,
          lathe_skeleton_set(doc, LATHE_LINKED, 1, LATHE_BONE_NAME, &bone, err));
    FAILS(LATHE_ERR_TYPE, lathe_list_item(doc, LATHE_SKELETONS, LATHE_LINKED, &view, err));
    lathe_doc_close(doc);
}

static void animations_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    lathe_clip_info info = {.size = sizeof info};
    lathe_view view;
    const char *name = NULL;
    int64_t number = 9;
    uint64_t track = 9;
    float rows[4 * LATHE_POSE];
    OK(lathe_clip_describe(doc, 0, &info, err));
    assert_true(info.frames == 2 && info.tracks == 2 && info.duration == 1 && !info.has_motion);
    FAILS(LATHE_ERR_NAME, lathe_clip_describe(doc, 1, &info, err));
    OK(lathe_clip_ready(doc, 0, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_ready(doc, 1, err));
    OK(lathe_clip_binding(doc, 0, &view, err));
    assert_null(view.doc);
    FAILS(LATHE_ERR_NAME, lathe_clip_binding(doc, 1, &view, err));
    OK(lathe_clip_track(doc, 0, LATHE_BONE_TRACKS, 1, &name, &number, err));
    assert_true(strcmp(name, "tip") == 0 && number == 1);
    FAILS(LATHE_ERR_NAME, lathe_clip_track(doc, 0, LATHE_BONE_TRACKS, 2, &name, &number, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_track(doc, 0, LATHE_FLOAT_TRACKS, 0, &name, &number, err));
    OK(lathe_clip_find(doc, 0, LATHE_BONE_TRACKS, "root", 4, &track, err));
    assert_int_equal(track, 0);
    FAILS(LATHE_ERR_NAME, lathe_clip_find(doc, 0, LATHE_FLOAT_TRACKS, "root", 4, &track, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_find(doc, 1, LATHE_BONE_TRACKS, "root", 4, &track, err));
    OK(lathe_clip_decode(doc, 0, NULL, rows, 4 * LATHE_POSE, err));
    assert_true(rows[2 * LATHE_POSE] == 10 && rows[3 * LATHE_POSE] == 11);
    FAILS(LATHE_ERR_RANGE, lathe_clip_decode(doc, 0, NULL, rows, 2 * LATHE_POSE, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_decode(doc, 0, NULL, rows, 4 * LATHE_POSE + 1, err));
    lathe_doc_close(doc);
}

static void samples_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves), *bare = new_doc("shapes", shapes);
    lathe_sampling how = {.size = sizeof how, .at = 0.5};
    made_up_text t;
    float rows[4 * LATHE_POSE];
    const uint64_t row = LATHE_POSE;
    OK(lathe_clip_sample(doc, 0, &how, 1, 1, rows, row, err));
    assert_true(rows[0] == 6);
    how.by_time = true;
    how.at = 99;
    OK(lathe_clip_sample(doc, 0, &how, 1, 1, rows, row, err));
    assert_true(rows[0] == 11);
    how.by_time = false;
    how.at = 1;
    how.skeleton = doc;
    OK(lathe_clip_sample(doc, 0, &how, 0, LATHE_ALL, rows, 2 * row, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_sample(doc, 0, &how, 0, LATHE_ALL, rows, row, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row - 1, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_sample(doc, 0, &how, 1, 2, rows, 2 * row, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_sample(doc, 0, &how, 1, UINT64_MAX / 2, rows, row, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_sample(doc, 1, &how, 0, 1, rows, row, err));
    how.skeleton = bare;
    FAILS(LATHE_ERR_INVALID, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    how.skeleton = NULL;
    how.at = 2;
    FAILS(LATHE_ERR_NAME, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    how.at = NAN;
    FAILS(LATHE_ERR_TYPE, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    how.by_time = true;
    FAILS(LATHE_ERR_TYPE, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    assert_true(made_up_text_read(&t, "{time = 0, skeleton = {-1, 0}}"));
    how.args = &t.source;
    OK(lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    made_up_text_free(&t);
    assert_true(made_up_text_read(&t, "{skeleton = {-1, 0}}"));
    FAILS(LATHE_ERR_TYPE, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    made_up_text_free(&t);
    assert_true(made_up_text_read(&t, "{frame = 0, skeleton = {1, 0}}"));
    FAILS(LATHE_ERR_INVALID, lathe_clip_sample(doc, 0, &how, 0, 1, rows, row, err));
    made_up_text_free(&t);
    lathe_doc_close(doc);
    lathe_doc_close(bare);
}

static void frames_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("moves", moves);
    double times[2] = {9, 9}, axes[6];
    float rows[4 * LATHE_POSE] = {0};
    uint64_t frame = 9;
    OK(lathe_clip_times(doc, 0, times, 2, err));
    assert_true(times[0] == 0 && times[1] == 1);
    FAILS(LATHE_ERR_RANGE, lathe_clip_times(doc, 0, times, 1, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_times(doc, 1, times, 2, err));
    OK(lathe_clip_frame_at(doc, 0, 0.6, &frame, err));
    assert_int_equal(frame, 1);
    OK(lathe_clip_frame_at(doc, 0, -INFINITY, &frame, err));
    assert_int_equal(frame, 0);
    FAILS(LATHE_ERR_TYPE, lathe_clip_frame_at(doc, 0, NAN, &frame, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_motion(doc, 0, rows, 2 * LATHE_MOTION, err));
    OK(lathe_clip_axes(doc, 0, axes, axes + 3, err));
    assert_true(axes[2] == 1 && axes[4] == 1);
    rows[6] = NAN;
    FAILS(LATHE_ERR_RANGE, lathe_clip_set(doc, 0, 0, 0, LATHE_BONE_ROTATION, rows, err));
    rows[6] = 0;
    FAILS(LATHE_ERR_RANGE, lathe_clip_set(doc, 0, 0, 0, LATHE_BONE_ROTATION, rows, err));
    FAILS(LATHE_ERR_RANGE, lathe_clip_set(doc, 0, 0, 0, LATHE_BONE_NAME, rows, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_set(doc, 0, 2, 0, LATHE_BONE_SCALE, rows, err));
    FAILS(LATHE_ERR_NAME, lathe_clip_set(doc, 0, 0, 2, LATHE_BONE_SCALE, rows, err));
    FAILS(LATHE_ERR_UNSUPPORTED, lathe_clip_set(doc, 0, 0, 0, LATHE_BONE_SCALE, rows, err));
    lathe_doc_close(doc);
}

static void annotations_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc =
        new_doc("moves", "{clips = {{length = 2, notes = {{time = 1, text = \"b\"}, {time = 0.5, "
                         "text = \"a\"}}}, {}}}");
    lathe_annotation note = {.size = sizeof note};
    uint64_t n = 0, id = 0;
    OK(lathe_annotation_count(doc, 0, &n, err));
    assert_int_equal(n, 2);
    OK(lathe_annotation_id(doc, 0, 0, &id, err));
    assert_true(id != 0);
    OK(lathe_annotation_read(doc, 0, id, &note, err));
    assert_true(note.time == 0.5 && note.length == 1 && note.text[0] == 'a' && note.source.doc);
    FAILS(LATHE_ERR_NAME, lathe_annotation_id(doc, 0, 2, &id, err));
    FAILS(LATHE_ERR_NAME, lathe_annotation_count(doc, 2, &n, err));
    FAILS(LATHE_ERR_NAME, lathe_annotation_read(doc, 0, 0, &note, err));
    FAILS(LATHE_ERR_NAME, lathe_annotation_read(doc, 0, id + 1, &note, err));
    FAILS(LATHE_ERR_NAME, lathe_annotation_read(doc, 1, id, &note, err));
    FAILS(LATHE_ERR_UNSUPPORTED,
          lathe_annotation_set(doc, 0, id, LATHE_ANNOTATION_TIME, &note, err));
    FAILS(LATHE_ERR_UNSUPPORTED, lathe_annotation_add(doc, 0, &note, err));
    FAILS(LATHE_ERR_UNSUPPORTED, lathe_annotation_remove(doc, 0, id, err));
    lathe_doc_close(doc);
}

static void paths_begin_with_items(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("shapes", shapes), *other = new_doc("moves", moves);
    lathe_view root = lathe_doc_root(doc), moved = lathe_doc_root(other), item;
    lathe_value v = {.kind = LATHE_KIND_COUNT};
    OK(lathe_list_item(doc, LATHE_BODIES, 0, &item, err));
    OK(lathe_view_at(root, "bodies[1]", &v, err));
    assert_true(v.kind == LATHE_KIND_RECORD && lathe_view_same(v.as.v, item));
    OK(lathe_view_at(root, "bodies[1].name", &v, err));
    assert_true(v.kind == LATHE_KIND_STRING && v.as.s.n == 1 && v.as.s.p[0] == 'b');
    v.kind = LATHE_KIND_COUNT;
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies[2].name", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies[1].nome", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies[1]name", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies[0]", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "bodies[99999999999999999999]", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(root, "materials[1]", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(item, "bodies[1]", &v, err));
    assert_int_equal(v.kind, LATHE_KIND_COUNT);
    OK(lathe_view_at(moved, "animations[1].frame_count", &v, err));
    assert_true(v.kind == LATHE_KIND_INT && v.as.i == 2);
    OK(lathe_view_at(moved, "skeletons[1].bones[2].name", &v, err));
    OK(lathe_view_at(moved, "bones[2].name", &v, err));
    FAILS(LATHE_ERR_NAME, lathe_view_at(moved, "animations[2]", &v, err));
    lathe_doc_close(doc);
    lathe_doc_close(other);
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
    uint64_t n = 0, found;
    const lathe_sampling how = {.size = sizeof how, .skeleton = doc};
    m.fail_at = m.calls + k;
    lathe_result r = lathe_list_count(doc, LATHE_MESHES, &n, &e);
    if (r == LATHE_OK && n)
        r = lathe_mesh_open(doc, LATHE_MESHES, 0, NULL, &mesh, &e);
    if (r == LATHE_OK && !n)
        r = lathe_skeleton_bone(doc, 0, 1, &bone, &e);
    if (r == LATHE_OK && !n)
        r = lathe_skeleton_find(doc, 0, "tip", 3, &found, &e);
    if (r == LATHE_OK && !n)
        r = lathe_clip_find(doc, 0, LATHE_BONE_TRACKS, "tip", 3, &found, &e);
    if (r == LATHE_OK && !n)
        r = lathe_clip_sample(doc, 0, &how, 0, LATHE_ALL, rows, 2 * LATHE_POSE, &e);
    if (r == LATHE_OK && !n)
        r = lathe_annotation_id(doc, 0, 0, &found, &e);
    if (r == LATHE_OK && !n)
        r = lathe_clip_decode(doc, 0, NULL, rows, 4 * LATHE_POSE, &e);
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
        cmocka_unit_test(lists_are_counted),      cmocka_unit_test(meshes_are_copies),
        cmocka_unit_test(meshes_have_options),    cmocka_unit_test(formats_have_lists),
        cmocka_unit_test(skeletons_are_checked),  cmocka_unit_test(linked_skeletons_are_copies),
        cmocka_unit_test(animations_are_checked), cmocka_unit_test(samples_are_checked),
        cmocka_unit_test(frames_are_checked),     cmocka_unit_test(annotations_are_checked),
        cmocka_unit_test(paths_begin_with_items), cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
