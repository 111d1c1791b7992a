/* What is known of Havok's members by name: what a reflection in a file does not tell. */
#include "havok/facts_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void knows(const char *class_name, const char *member, const char *unit, int power)
{
    hk_fact fact;
    assert_true(hk_facts(class_name, member, &fact));
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
    assert_true(hk_facts("hkVector4f", "w", &fact));
    assert_int_equal(fact.flags, REC_UNSCALED);
}

static void test_unknown(void **state)
{
    hk_fact fact;
    (void)state;
    assert_false(hk_facts("hkaSkeleton", "parent_indices", &fact)); /* as Havok spells it */
    assert_null(fact.member);
    assert_false(hk_facts("hkaSkeletonX", "name", &fact));
    assert_false(hk_facts("hkaSkeleto", "name", &fact));
    assert_false(hk_facts("", "name", &fact));
    assert_false(hk_facts("hkpMotion", "", &fact));
}

/* One entry a class, one a member, and each with a word of documentation. */
static void test_each_once(void **state)
{
    (void)state;
    for (const hk_facts_of *c = hk_facts_table; c->class_name; c++) {
        for (const hk_facts_of *d = hk_facts_table; d < c; d++)
            assert_string_not_equal(c->class_name, d->class_name);
        for (size_t i = 0; i < c->count; i++) {
            assert_true(c->facts[i].doc && *c->facts[i].doc);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(c->facts[i].member, c->facts[k].member);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_described),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
