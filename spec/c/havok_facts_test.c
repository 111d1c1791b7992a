/* What is known of Havok's members by name: what a reflection in a file does not tell. */
#include "havok/named/facts_table.h"
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool facts_of(const char *class_name, const char *member, hk_fact *out)
{
    hk_known known;
    *out = (hk_fact){0};
    return hk_known_class(class_name, &known) && hk_known_member(&known, member, out);
}

static void knows(const char *class_name, const char *member, const char *unit, int power)
{
    hk_fact fact;
    assert_true(facts_of(class_name, member, &fact));
    assert_string_equal(fact.member, member);
    assert_int_equal(fact.power, power);
    if (unit)
        assert_string_equal(fact.unit, unit);
    else
        assert_null(fact.unit);
    assert_true(fact.doc && *fact.doc);
}

static void test_described(void **state)
{
    (void)state;
    knows("hkaSkeleton", "parentIndices", NULL, 0);
    knows("hkaSkeleton::Partition", "numBones", NULL, 0); /* a struct in a class */
    knows("hkaSkeletonPartition", "numBones", NULL, 0);
    knows("hkaAnimation", "duration", "s", 0); /* a base that no object is of */
    knows("hkaDefaultAnimatedReferenceFrame", "referenceFrameSamples", "units, radians", 1);
    knows("hkpConeLimitConstraintAtom", "minAngle", "radians", 0);
}

static void test_table(void **state)
{
    hk_fact fact;
    (void)state;
    knows("hkpCapsuleShape", "vertexA", "m", 1);
    knows("hkpStorageExtendedMeshShape::MeshSubpartStorage", "vertices", "m", 1);
    knows("hkQsTransformf", "translation", "units", 1);
    /* the table is asked before what packfiles have */
    knows("hkpSetLocalTransformsConstraintAtom", "transformA", "m", 0);
    knows("hkTransformf", "translation", "m", 1);
    assert_true(facts_of("hkVector4f", "w", &fact));
    assert_int_equal(fact.flags, REC_UNSCALED);
}

/* Of mesh shapes: lengths, and what is one divided by a length. */
static void test_mesh(void **state)
{
    hk_fact fact;
    (void)state;
    knows("hknpShape", "convexRadius", "m", 1);
    knows("hknpMeshShapeVertexConversionUtil", "bitScale16Inv", "m", 1);
    knows("hknpMeshShapeVertexConversionUtil", "bitScale16", "1/m", -1);
    knows("hknpMeshShape::GeometrySection", "bitScale8Inv", "m", 1);
    knows("hknpMeshShape::GeometrySection", "sectionOffset", NULL, 0);
    knows("hknpMeshShape::GeometrySection", "bitOffset", NULL, 0);
    knows("hkcdFourAabb", "hz", "m", 1);
    knows("hknpTransposedFourAabbs8", "hz", NULL, 0);
    knows("hkcdSimdTreeNamespace::Node", "filterMasks", NULL, 0);
    assert_true(facts_of("hkcdSimdTreeNamespace::Node", "flags", &fact));
    assert_int_equal(fact.values->since, 20230000);
    assert_int_equal(fact.values->shown, REC_FLAGS);
    assert_true(facts_of("hknpShape", "type", &fact));
    assert_int_equal(fact.values->since, 20210000);
    assert_int_equal(fact.values->shown, REC_ENUM);
    assert_string_equal(rec_names_name(fact.values->names), "shape type");
    assert_true(facts_of("hknpShape", "numShapeKeyBits", &fact));
    assert_null(fact.values);
}

/* Names of values as those of the SDK with that version has them. */
static const rec_names *names_for(const hk_values *values, int64_t version)
{
    rec_container container = {.version = version};
    lathe_doc doc = {.containers = &container, .containers_n = 1};
    rec_layout layout = {.container = 0};
    rec_at at = {.doc = &doc, .layout = &layout};
    return values->names_in ? values->names_in(&at) : values->names;
}

static int64_t number_of(const rec_names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(rec_names_item(names, i).name, name) == 0)
            return rec_names_item(names, i).value;
    return -1;
}

static void test_values(void **state)
{
    static const struct {
        const char *member, *name;
        int64_t before, since; /* 2023; -1: not there */
    } rows[] = {
        {"type", "box", 5, 5},
        {"type", "composite", 7, 6},
        {"type", "mesh", 8, 7},
        {"type", "extern_mesh", 10, -1},
        {"type", "user_5", 28, 26},
        {"dispatchType", "composite", 3, 2},
        {"dispatchType", "distance_field", 4, -1},
        {"flags", "is_composite_shape", 4, 4},
        {"flags", "is_triangle_or_quad_shape", 0x200, 0x100},
        {"flags", "is_quad_shape", 0x400, 0x200},
        {"flags", "is_sdf_edge_collision_enabled", 0x800, 0x400},
        {"flags", "has_surface_velocity", 0x8000, 0x800},
    };
    (void)state;
    for (size_t i = 0; i < REC_COUNT_OF(rows); i++) {
        hk_fact fact;
        assert_true(facts_of("hknpShape", rows[i].member, &fact));
        assert_int_equal(number_of(names_for(fact.values, 20210100), rows[i].name), rows[i].before);
        assert_int_equal(number_of(names_for(fact.values, 20220100), rows[i].name), rows[i].before);
        assert_int_equal(number_of(names_for(fact.values, 20230200), rows[i].name), rows[i].since);
        assert_ptr_equal(names_for(fact.values, 20220100), fact.values->names);
    }
}

static void test_unknown(void **state)
{
    hk_fact fact;
    (void)state;
    assert_false(facts_of("hkaSkeleton", "parent_indices", &fact)); /* as Havok spells it */
    assert_null(fact.member);
    assert_false(facts_of("hkaSkeletonX", "name", &fact));
    assert_false(facts_of("hkaSkeleto", "name", &fact));
    assert_false(facts_of("", "name", &fact));
    assert_false(facts_of("hkpMotion", "", &fact));
}

/* Each name and number once; flags are single bits. */
static void check_values(const hk_values *values)
{
    static const int64_t versions[] = {20210100, 20220100, 20230200};
    for (size_t i = 0; values && i < REC_COUNT_OF(versions); i++) {
        const lathe_named *all = rec_names_listed(names_for(values, versions[i]));
        for (uint32_t k = 0; k < names_for(values, versions[i])->count; k++) {
            for (uint32_t o = 0; o < k; o++) {
                assert_string_not_equal(all[o].name, all[k].name);
                assert_true(all[o].value != all[k].value);
            }
            assert_true(all[k].value >= 0);
            if (values->shown == REC_FLAGS)
                assert_true(all[k].value > 0 && (all[k].value & (all[k].value - 1)) == 0);
        }
    }
}

/* One entry a class, one a member, and each with a word of documentation. */
static void check_table(const hk_facts_of *table)
{
    for (const hk_facts_of *c = table; c->class_name; c++) {
        for (const hk_facts_of *d = table; d < c; d++)
            assert_string_not_equal(c->class_name, d->class_name);
        for (size_t i = 0; i < c->count; i++) {
            assert_true(c->facts[i].doc && *c->facts[i].doc);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(c->facts[i].member, c->facts[k].member);
            check_values(c->facts[i].values);
        }
    }
}

static void test_each_once(void **state)
{
    (void)state;
    check_table(hk_facts_table);
    check_table(hk_facts_mesh);
    for (const hk_facts_of *c = hk_facts_mesh; c->class_name; c++)
        for (const hk_facts_of *d = hk_facts_table; d->class_name; d++)
            assert_string_not_equal(c->class_name, d->class_name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_described), cmocka_unit_test(test_table),
        cmocka_unit_test(test_mesh),      cmocka_unit_test(test_values),
        cmocka_unit_test(test_unknown),   cmocka_unit_test(test_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
