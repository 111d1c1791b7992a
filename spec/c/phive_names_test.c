/* Names of materials, layers and user tags: those that are built in both ways, the nearest, and those of an option. */
#include "made_up_test.h"

#include "phive/names.h"
#include "record/doc.h"

#include "short_memory.h"

static const struct {
    int64_t variant;
    const char *of;
    uint32_t counts[PHIVE_SETS];
    const char *first, *last;
} figures[] = {
    {21, "Splatoon 3", {39, 0, 0, 0, 0}, "Undefined", "BallGoal"},
    {22, "Tears of the Kingdom", {54, 0, 26, 0, 24}, "Undefined", "HorseDeleteImmediatelyOnDeath"},
    {23, "an unknown game", {0, 0, 0, 0, 0}, NULL, NULL},
};

static void built_in_both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < REC_COUNT_OF(figures); i++) {
        const phive_names *names = phive_names_built_in(figures[i].variant);
        assert_string_equal(names->of, figures[i].of);
        for (phive_set set = 0; set < PHIVE_SETS; set++) {
            const rec_name *rows = names->sets[set].rows;
            assert_int_equal(names->counts[set], figures[i].counts[set]);
            for (uint32_t k = 0; k < names->counts[set]; k++) {
                uint64_t number = 0;
                assert_string_equal(phive_name(names, set, (uint64_t)rows[k].value), rows[k].name);
                assert_true(
                    phive_name_find(names, set, rows[k].name, strlen(rows[k].name), &number));
                assert_int_equal(number, (uint64_t)rows[k].value);
                assert_true(!k || (uint64_t)rows[k - 1].value < number);
                assert_true(strlen(rows[k].name) <= PHIVE_NAME);
            }
            assert_null(rows[names->counts[set]].name);
            assert_null(phive_name(names, set, UINT64_MAX));
        }
        uint32_t n = figures[i].counts[PHIVE_MATERIALS];
        if (n) {
            assert_string_equal(phive_name(names, PHIVE_MATERIALS, 0), figures[i].first);
            assert_string_equal(phive_name(names, PHIVE_MATERIALS, n - 1), figures[i].last);
        }
        assert_null(phive_name(names, PHIVE_MATERIALS, n));
    }
}

static void masks(void **state)
{
    (void)state;
    const phive_names *totk = phive_names_built_in(22);
    assert_string_equal(phive_name(totk, PHIVE_LAYERS, 1 << 25), "RiddenRaumiGolem");
    assert_string_equal(phive_name(totk, PHIVE_USER_TAGS, 0x41), "NoDashUpAndNoClimb");
    assert_string_equal(phive_name(totk, PHIVE_USER_TAGS, 0x80000000000), "IgnoredByNavMesh");
    for (const rec_name *row = totk->tag_bits.rows; row->name; row++)
        assert_int_equal(row->value & (row->value - 1), 0);
}

static void nearest(void **state)
{
    (void)state;
    const phive_names *totk = phive_names_built_in(22);
    char text[256], longer[80];
    uint64_t number = 99;
    assert_true(phive_name_find(totk, PHIVE_MATERIALS, "stoneNOslip", 11, &number));
    assert_int_equal(number, 9);
    assert_false(phive_name_find(totk, PHIVE_MATERIALS, "Stoen", 5, &number));
    assert_false(phive_name_find(totk, PHIVE_MATERIALS, "", 0, &number));
    assert_string_equal(phive_name_near(totk, PHIVE_MATERIALS, "Stoen", 5), "Stone");
    assert_null(phive_name_near(totk, PHIVE_MATERIALS, "Zzyzx", 5));
    assert_null(phive_name_near(totk, PHIVE_MATERIALS, "Sto\0ne", 6));
    phive_name_refuse(totk, PHIVE_MATERIALS, "Stoen", 5, text, sizeof text);
    assert_string_equal(text,
                        "'Stoen' is no material of Tears of the Kingdom; did you mean 'Stone'?");
    phive_name_refuse(totk, PHIVE_LAYERS, "Zzyzx", 5, text, sizeof text);
    assert_string_equal(text, "'Zzyzx' is no layer of Tears of the Kingdom");
    memset(longer, 'x', sizeof longer);
    assert_null(phive_name_near(totk, PHIVE_MATERIALS, longer, sizeof longer));
    phive_name_refuse(totk, PHIVE_MATERIALS, longer, sizeof longer, text, sizeof text);
    assert_int_equal(strlen(text),
                     PHIVE_NAME + strlen("'' is no material of Tears of the Kingdom"));
}

/* ---- the option -------------------------------------------------------------------------------------------- */

/* { names = { materials = list } }: nodes are addresses of these. */
static const char NAMES = 'n', LIST = 'l';
static const char *const list[] = {"Air", "", "Rock"};

static bool get(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    (void)user;
    if (name && (strcmp(name, "names") == 0 || strcmp(name, "materials") == 0)) {
        leaf->kind = node ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
        *child = node ? &LIST : &NAMES;
        return true;
    }
    if (name || node != &LIST || i >= REC_COUNT_OF(list))
        return false;
    *leaf = v_text(list[i]);
    return true;
}

static uint64_t count(void *user, const void *node)
{
    (void)user;
    return node == &LIST ? REC_COUNT_OF(list) : 0;
}

static const lathe_source option = {.size = sizeof option, .get = get, .count = count};

static lathe_result read_with(memory *m, phive_names *out, lathe_error *err)
{
    lathe_doc doc = {.mem = {take, m}, .extra = &option};
    arena_init(&doc.arena, &doc.mem);
    lathe_result r = phive_names_read(&doc, 22, out, err);
    if (r == LATHE_OK) {
        uint64_t number = 0;
        assert_string_equal(phive_name(out, PHIVE_MATERIALS, 2), "Rock");
        assert_null(phive_name(out, PHIVE_MATERIALS, 1));
        assert_true(phive_name_find(out, PHIVE_MATERIALS, "Rock", 4, &number));
        assert_int_equal(number, 2);
        assert_false(phive_name_find(out, PHIVE_MATERIALS, "Stone", 5, &number));
        assert_string_equal(phive_name(out, PHIVE_LAYERS, 1), "Object");
        assert_string_equal(out->of, "the names that were given");
    }
    arena_free(&doc.arena);
    return r;
}

static void overridden_in_short_memory(void **state)
{
    (void)state;
    lathe_error err;
    phive_names names;
    lathe_result r = LATHE_ERR_MEMORY;
    long calls = 0;
    for (; r != LATHE_OK && calls < 100; calls++) {
        memory m = {.left = calls};
        r = read_with(&m, &names, &err);
        assert_true(r == LATHE_OK || r == LATHE_ERR_MEMORY);
        assert_int_equal(m.blocks, 0);
    }
    assert_int_equal(r, LATHE_OK);
    assert_true(calls > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_both_ways),
        cmocka_unit_test(masks),
        cmocka_unit_test(nearest),
        cmocka_unit_test(overridden_in_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
