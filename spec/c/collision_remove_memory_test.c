/* Collision that is removed, and bodies that are added to a system, with memory that runs out: what fails says so, loses
 * nothing and has changed nothing; what is done is what it is with all the memory in the world. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "given.h"
#include "record/record.h"
#include "scene/hooks.h"
#include "short_memory.h"

#define SWEEP_FORMAT "nif"
#include "memory_sweep.h"

/* ---- documents --------------------------------------------------------------------------------- */

#define TEXT(key, text)                                                                            \
    {                                                                                              \
        .name = (key), .v = GIVEN_TEXT(text)                                                       \
    }
#define INT(key, number)                                                                           \
    {                                                                                              \
        .name = (key), .v = GIVEN_INT(number)                                                      \
    }
#define FIRST_NODE(...)                                                                            \
    {                                                                                              \
        GIVEN_LIST(TEXT("type", "NiNode"), TEXT("name", "Root"),                                   \
                   {.name = "children", GIVEN_LIST({.v = GIVEN_INT(1)})}, __VA_ARGS__)             \
    }
#define ROOT                                                                                       \
    {                                                                                              \
        .name = "footer", GIVEN_LIST({.name = "roots", GIVEN_LIST({.v = GIVEN_INT(0)})})           \
    }

/* Two nodes of Fallout 4. */
static const given two_nodes = {
    GIVEN_LIST(INT("bs_version", 130),
               {.name = "blocks",
                GIVEN_LIST(FIRST_NODE(INT("flags", 14)),
                           {GIVEN_LIST(TEXT("type", "NiNode"), TEXT("name", "Lid"))})},
               ROOT)};

/* Two nodes of Skyrim with bodies that a hinge joins. */
#define OBJECT(node, body)                                                                         \
    {                                                                                              \
        GIVEN_LIST(TEXT("type", "bhkCollisionObject"), INT("target", node), INT("body", body))     \
    }
static const given joined_nodes = {GIVEN_LIST(
    INT("bs_version", 100),
    {.name = "blocks",
     GIVEN_LIST(
         FIRST_NODE(INT("collision_object", 2)),
         {GIVEN_LIST(TEXT("type", "NiNode"), TEXT("name", "Lid"), INT("collision_object", 5))},
         OBJECT(0, 3),
         {GIVEN_LIST(TEXT("type", "bhkRigidBody"), INT("shape", 4),
                     {.name = "constraints", GIVEN_LIST({.v = GIVEN_INT(8)})})},
         {GIVEN_LIST(TEXT("type", "bhkBoxShape"))}, OBJECT(1, 6),
         {GIVEN_LIST(TEXT("type", "bhkRigidBody"), INT("shape", 7))},
         {GIVEN_LIST(TEXT("type", "bhkBoxShape"))},
         {GIVEN_LIST(TEXT("type", "bhkHingeConstraint"),
                     {.name = "info", GIVEN_LIST(INT("entity_a", 3), INT("entity_b", 6))})})},
    ROOT)};

static bytes bare, one_body, two_bodies, joined_bodies, skyrim;

static void make_file(const given *values, bytes *out)
{
    const lathe_source source = given_source(values);
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_new("nif", &source, NULL, &doc, &err) != LATHE_OK)
        fail_msg("%s: %s", err.where, err.message);
    encode(doc, out);
    lathe_doc_close(doc);
}

/* ---- what is done ------------------------------------------------------------------------------ */

#define BOX TEXT("kind", "box"), INT("size", 90)
#define SPHERE TEXT("kind", "sphere"), INT("radius", 9), INT("mass", 4)

static const given box = {GIVEN_LIST(BOX, TEXT("node", "Root"))};
static const given second = {GIVEN_LIST(SPHERE, TEXT("node", "Lid"), INT("system", 3))};
static const given first_again = {GIVEN_LIST(SPHERE, TEXT("node", "Root"), INT("system", 3))};
static const given first = {GIVEN_LIST(TEXT("node", "Root"))};
static const given lid = {GIVEN_LIST(TEXT("node", "Lid"))};
static const given with_constraints = {
    GIVEN_LIST(TEXT("node", "Lid"), TEXT("constraints", "remove"))};
static const given ends = {GIVEN_LIST(INT("body_a", 0), INT("body_b", 1))};

static lathe_result make_one(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &box, err);
}

static lathe_result join(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &second, err);
}

static lathe_result join_again(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "set_collision", &first_again, err);
}

static lathe_result remove_first(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "remove_collision", &first, err);
}

static lathe_result remove_second(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "remove_collision", &lid, err);
}

static lathe_result remove_joined(lathe_doc *doc, lathe_error *err)
{
    return given_call(doc, "remove_collision", &with_constraints, err);
}

static lathe_result remove_body(lathe_doc *doc, lathe_error *err)
{
    lathe_view body;
    lathe_result r = doc->containers[0].format->scene->body(doc, 1, &body, err);
    if (r != LATHE_OK)
        return r;
    const given args = {
        GIVEN_LIST({.name = "node", .v = {.kind = LATHE_KIND_RECORD, .as.v = body}})};
    return given_call(doc, "remove_collision", &args, err);
}

/* A constraint of the two bodies. */
static lathe_result constrain(lathe_doc *doc, lathe_error *err)
{
    const lathe_source source = given_source(&ends);
    lathe_value list;
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_at(lathe_doc_root(doc), "blocks[3].system.objects[1].constraint_cinfos", &list,
                      err);
    if (r == LATHE_OK)
        r = lathe_view_insert(list.as.v, 0, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_build_item(list.as.v, 0, &source, err);
    lathe_result end = lathe_edit_end(doc, r == LATHE_OK, r == LATHE_OK ? err : NULL);
    return r == LATHE_OK ? end : r;
}

/* ---- with ever more memory --------------------------------------------------------------------- */

static int make_files(void **state)
{
    (void)state;
    make_file(&two_nodes, &bare);
    make_file(&joined_nodes, &skyrim);
    must(make_one, &bare, &one_body);
    must(join, &one_body, &two_bodies);
    must(constrain, &two_bodies, &joined_bodies);
    return 0;
}

static void joining(void **state)
{
    (void)state;
    sweep(join, &one_body);
    sweep(join_again, &two_bodies);
    sweep(join_again, &one_body);
}

static void removing(void **state)
{
    (void)state;
    sweep(remove_first, &one_body);
    sweep(remove_first, &two_bodies);
    sweep(remove_second, &two_bodies);
    sweep(remove_body, &two_bodies);
}

static void constraints(void **state)
{
    (void)state;
    sweep(remove_joined, &joined_bodies);
    sweep(remove_joined, &skyrim);
}

/* Constraints are refused, and nothing changes. */
static void refused(void **state)
{
    static bytes now;
    const bytes *const files[] = {&joined_bodies, &skyrim};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        memory m = {-1, 0};
        lathe_error err;
        lathe_doc *doc = open_doc(files[i], &m);
        assert_int_equal(remove_second(doc, &err), LATHE_ERR_UNSUPPORTED);
        assert_non_null(strstr(err.message, i ? "blocks[9]" : "[1]"));
        encode(doc, &now);
        assert_same(&now, files[i]);
        assert_false(lathe_edit_undo(doc, 1));
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joining),
        cmocka_unit_test(removing),
        cmocka_unit_test(constraints),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
