/* Ragdolls of Skyrim with memory that runs out: read, drawn, checked, set and scaled. What fails says so, loses nothing and
 * has changed nothing; what is done is what it is with all the memory in the world. */
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

#define SWEEP_FORMAT "hkx"
#define SWEEP_STEP(n) 1
#include "memory_sweep.h"

/* ---- a ragdoll of two bodies ----------------------------------------------------------------------- */

#define SET(what, ...)                                                                             \
    {                                                                                              \
        .name = (what), .list = (const given[]){__VA_ARGS__},                                      \
        .n = GIVEN_COUNT(((const given[]){__VA_ARGS__}))                                           \
    }
#define FLOATS(what, ...)                                                                          \
    {                                                                                              \
        .name = (what), .floats = (const float[]){__VA_ARGS__},                                    \
        .n = GIVEN_COUNT(((const float[]){__VA_ARGS__}))                                           \
    }
#define INTEGERS(what, ...)                                                                        \
    {                                                                                              \
        .name = (what), .numbers = (const uint32_t[]){__VA_ARGS__},                                \
        .n = GIVEN_COUNT(((const uint32_t[]){__VA_ARGS__}))                                        \
    }
#define TEXT(what, text)                                                                           \
    {                                                                                              \
        .name = (what), .v = GIVEN_TEXT(text)                                                      \
    }
#define REAL(what, number)                                                                         \
    {                                                                                              \
        .name = (what), .v = GIVEN_REAL(number)                                                    \
    }
#define INT(what, number)                                                                          \
    {                                                                                              \
        .name = (what), .v = GIVEN_INT(number)                                                     \
    }
#define POSE(what, x, y, z)                                                                        \
    SET(what, FLOATS("translation", x, y, z, 0), FLOATS("rotation", 0, 0, 0, 1),                   \
        FLOATS("scale", 1, 1, 1, 0))

enum { RAGDOLL = 2, MAPPER, LOWER, UPPER, JOINT, BONES, SKELETON, CAPSULE, HULL, DATA };

#define BODY(label, shape, z)                                                                      \
    SET(NULL, TEXT("class", "hkpRigidBody"), TEXT("name", label),                                  \
        SET("collidable", INT("shape", shape)),                                                    \
        SET("motion", INT("type", 1), FLOATS("inertia_and_mass_inv", 1, 1, 1, 0.5f),               \
            SET("motion_state", REAL("object_radius", 4),                                          \
                SET("transform", FLOATS("translation", 0, 0, z, 1)),                               \
                SET("swept_transform", FLOATS("center_of_mass0", 0, 0, z, 0),                      \
                    FLOATS("center_of_mass1", 0, 0, z, 0)))))
#define BONED(label, first, second, below)                                                         \
    SET(NULL, TEXT("class", "hkaSkeleton"), TEXT("name", label),                                   \
        SET("bones", SET(NULL, TEXT("name", first)), SET(NULL, TEXT("name", second))),             \
        {.name = "parent_indices",                                                                 \
         .list = (const given[]){{.v = GIVEN_INT(-1)}, {.v = GIVEN_INT(0)}},                       \
         .n = 2},                                                                                  \
        SET("reference_pose", POSE(NULL, 0, 0, below), POSE(NULL, 0, 0, 8)))

static given top =
    SET(NULL, TEXT("game", "skyrim-se"),
        SET("objects",
            SET(NULL, TEXT("class", "hkRootLevelContainer"),
                SET("named_variants",
                    SET(NULL, INT("variant", RAGDOLL), TEXT("class_name", "hkaRagdollInstance")),
                    SET(NULL, INT("variant", MAPPER), TEXT("class_name", "hkaSkeletonMapper")))),
            SET(NULL, TEXT("class", "hkaRagdollInstance"), INTEGERS("rigid_bodies", LOWER, UPPER),
                INTEGERS("constraints", JOINT), INTEGERS("bone_to_rigid_body_map", 0, 1),
                INT("skeleton", BONES)),
            SET(NULL, TEXT("class", "hkaSkeletonMapper"),
                SET("mapping", INT("skeleton_a", SKELETON), INT("skeleton_b", BONES),
                    SET("simple_mappings",
                        SET(NULL, INT("bone_a", 0), INT("bone_b", 0),
                            POSE("a_from_b_transform", 0, 0, 6)),
                        SET(NULL, INT("bone_a", 1), INT("bone_b", 1),
                            POSE("a_from_b_transform", 0, 0, 6))))),
            BODY("Lower", CAPSULE, 16), BODY("Upper", HULL, 24),
            SET(NULL, TEXT("class", "hkpConstraintInstance"), INT("data", DATA),
                INTEGERS("entities", UPPER, LOWER)),
            BONED("Lower", "Lower", "Upper", 16), BONED("Root", "Spine", "Head", 10),
            SET(NULL, TEXT("class", "hkpCapsuleShape"), REAL("radius", 2),
                FLOATS("vertex_a", 0, 0, 0, 2), FLOATS("vertex_b", 0, 0, 4, 2)),
            SET(NULL, TEXT("class", "hkpConvexVerticesShape"), INT("num_vertices", 4),
                SET("rotated_vertices", SET(NULL, FLOATS("x", 0, 4, 0, 0), FLOATS("y", 0, 0, 4, 0),
                                            FLOATS("z", 0, 0, 0, 4)))),
            SET(NULL, TEXT("class", "hkpBallAndSocketConstraintData"),
                SET("atoms", SET("pivots", FLOATS("translation_b", 0, 0, 8, 0))))));

static given factor = SET(NULL, REAL("factor", 2));

/* ---- what is done ------------------------------------------------------------------------------ */

static lathe_result scale(lathe_doc *doc, lathe_error *err)
{
    lathe_source source = given_source(&factor);
    return lathe_view_call(lathe_doc_root(doc), "scale", &source, NULL, err);
}

static lathe_result set_body(lathe_doc *doc, lathe_error *err)
{
    static const lathe_value wood = GIVEN_TEXT("wood"), layer = GIVEN_TEXT("biped"),
                             eight = GIVEN_REAL(8);
    lathe_view body;
    lathe_value position;
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = doc->containers[0].format->scene->body(doc, 1, &body, err);
    if (r == LATHE_OK)
        r = lathe_view_set(body, "material", &wood, err);
    if (r == LATHE_OK)
        r = lathe_view_set(body, "layer", &layer, err);
    if (r == LATHE_OK)
        r = lathe_view_set(body, "mass", &eight, err);
    if (r == LATHE_OK)
        r = lathe_view_get(body, "position", &position, err);
    if (r == LATHE_OK)
        r = lathe_view_set(position.as.v, "x", &eight, err);
    lathe_edit_end(doc, r == LATHE_OK, NULL);
    return r;
}

/* What is there is not called absent. */
static lathe_result read_body(lathe_doc *doc, lathe_error *err)
{
    static const char *const rows[] = {"name",  "motion", "mass",        "friction", "layer",
                                       "shape", "source", "filter_info", "material"};
    lathe_view body;
    lathe_value v;
    uint64_t n;
    lathe_result r = scene_count(doc, LATHE_BODIES, &n, err);
    if (r == LATHE_OK)
        assert_int_equal(n, 2);
    if (r == LATHE_OK)
        r = doc->containers[0].format->scene->body(doc, 0, &body, err);
    for (size_t i = 0; r == LATHE_OK && i < sizeof rows / sizeof *rows; i++) {
        r = lathe_view_get(body, rows[i], &v, err);
        bool none = v.kind == LATHE_KIND_NONE && strcmp(rows[i], "material") != 0;
        if (r == LATHE_OK && none)
            fail_msg("no %s", rows[i]);
    }
    return r;
}

static lathe_result read_meshes(lathe_doc *doc, lathe_error *err)
{
    uint64_t n;
    lathe_result r = scene_count(doc, LATHE_COLLISION, &n, err);
    if (r == LATHE_OK)
        assert_int_equal(n, 2);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        model_mesh made;
        model_mesh_init(&made, &doc->mem);
        r = doc->containers[0].format->scene->collision(doc, i, &made, err);
        if (r == LATHE_OK && (made.left_out || made.vertex_count < 4))
            fail_msg("%s", made.left_out ? made.left_out : "no corners");
        model_mesh_free(&made);
    }
    return r;
}

static lathe_result read_materials(lathe_doc *doc, lathe_error *err)
{
    lathe_view one;
    uint64_t n;
    lathe_result r = scene_count(doc, LATHE_MATERIALS, &n, err);
    if (r == LATHE_OK)
        assert_int_equal(n, 1);
    return r == LATHE_OK ? doc->containers[0].format->scene->material(doc, 0, &one, err) : r;
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

/* ---- with ever more memory --------------------------------------------------------------------- */

static bytes start, named;

static int make_start(void **state)
{
    lathe_source source = given_source(&top);
    lathe_doc *doc = NULL;
    lathe_error err;
    (void)state;
    if (lathe_doc_new("hkx", &source, NULL, &doc, &err) != LATHE_OK) {
        printf("%s: %s\n", err.where, err.message);
        return 1;
    }
    encode(doc, &start);
    lathe_doc_close(doc);
    must(set_body, &start, &named);
    return 0;
}

static void reading(void **state)
{
    (void)state;
    sweep(read_body, &start);
    sweep(read_body, &named);
    sweep(read_meshes, &start);
    sweep(read_materials, &named);
}

static void checking(void **state)
{
    (void)state;
    sweep(check, &start);
}

static void editing(void **state)
{
    (void)state;
    sweep(set_body, &start);
    sweep(scale, &start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading),
        cmocka_unit_test(checking),
        cmocka_unit_test(editing),
    };
    return cmocka_run_group_tests(tests, make_start, NULL);
}
