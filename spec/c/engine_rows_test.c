/* How rows lie in memory: a unit that is written by hand, one that is made at open, and how large they are. */
#include "made_up_test.h"

#include "record/own_unit.h"
#include "short_memory.h"

/* Thousands of rows of classes are in the library, all of them in every process that loads it. */
_Static_assert(sizeof(rec_field) <= 104, "rows are about 100 bytes or less");
_Static_assert(sizeof(rec_type) <= 40, "types, too");

/* ---- a unit by hand ---------------------------------------------------------------------------------- */

static bool never(const rec_setting *in)
{
    return in->arg == UINT64_MAX;
}

static uint64_t three(const rec_at *at)
{
    (void)at;
    return 3;
}

static const char texts[] = "\0\0" /* none, and the empty one */
                            "pair\0"
                            "first\0"
                            "second\0"
                            "Not yet.\0"
                            "pair first\0"
                            "A\0B";
enum { EMPTY = 1, PAIR = 2, FIRST = 7, SECOND = 13, NOT_YET = 20, PAIR_FIRST = 29, A_NUL_B = 40 };
static const double numbers[] = {0, 2.5, 1, 2, 3};
static const rec_type *const outside[] = {NULL, &rec_vec3};
static const rec_condition conditions[] = {
    {0}, {.only = never, .when = FIRST, .when_eq = true, .when_value = 7, .uses = PAIR_FIRST}};
static const rec_rare rares[] = {{0},
                                 {.count = three, .why = NOT_YET, .range = {-1, 1}},
                                 {.init_bytes = A_NUL_B, .init_size = 3},
                                 {.bits_of = REC_ARGUMENT}};
enum { ROW_PAIR, ROW_PLAIN, ROW_VECTOR, ROW_BYTES, ROW_BITS, ROWS };

typedef struct by_hand {
    rec_unit head;
    rec_type types[2];
    rec_field rows[ROWS];
} by_hand;

#define ROW(i) .back = offsetof(by_hand, rows) + (i) * sizeof(rec_field)
static const by_hand unit = {
    .head = {.texts = texts,
             .types = unit.types,
             .rows = unit.rows,
             .types_n = 2,
             .outside = outside,
             .numbers = numbers,
             .conditions = conditions,
             .rares = rares},
    .types = {{.back = offsetof(by_hand, types), .name = FIRST, .doc = EMPTY, .count = 2},
              {.back = offsetof(by_hand, types) + sizeof(rec_type),
               .name = PAIR,
               .doc = NOT_YET,
               .base = 1,
               .first = 2,
               .count = 3}},
    .rows = {[ROW_PAIR] = {ROW(0), .name = PAIR, .doc = EMPTY, .kind = REC_RECORD, .type = 2},
             [ROW_PLAIN] = {ROW(1), .name = SECOND, .doc = NOT_YET, .kind = REC_F32, .by = FIRST,
                            .init = 1, .condition = 1, .rare = 1},
             [ROW_VECTOR] = {ROW(2), .name = FIRST, .doc = EMPTY, .kind = REC_RECORD, .type = 3,
                             .init = 2, .power = 1},
             [ROW_BYTES] = {ROW(3), .name = PAIR, .kind = REC_BYTES, .n = 3, .rare = 2},
             [ROW_BITS] = {ROW(4), .name = PAIR, .low = 4, .bits = 2, .rare = 3}},
};

static void same_text(const char *a, const char *b)
{
    if (a && b)
        assert_string_equal(a, b);
    else
        assert_true(a == b);
}

static void same_words(const rec_field *a, const rec_field *b)
{
    same_text(rec_row_name(a), rec_row_name(b));
    same_text(rec_row_doc(a), rec_row_doc(b));
    same_text(rec_row_by(a), rec_row_by(b));
    same_text(rec_row_why(a), rec_row_why(b));
    same_text(rec_row_when(a), rec_row_when(b));
    same_text(rec_row_uses(a), rec_row_uses(b));
    same_text(rec_row_bits_of(a), rec_row_bits_of(b));
    assert_ptr_equal(rec_row_type(a), rec_row_type(b));
    assert_true(rec_row_init(a) == rec_row_init(b));
    assert_ptr_equal(rec_row_rare(a)->count, rec_row_rare(b)->count);
    assert_ptr_equal(rec_row_condition(a)->only, rec_row_condition(b)->only);
    assert_int_equal(rec_row_condition(a)->when_value, rec_row_condition(b)->when_value);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->power, b->power);
}

static void words_of_rows(void **state)
{
    (void)state;
    const rec_type *derived = &unit.types[1];
    assert_string_equal(rec_type_name(derived), "pair");
    assert_string_equal(rec_type_doc(derived), "Not yet.");
    assert_ptr_equal(rec_type_base(derived), &unit.types[0]);
    assert_null(rec_type_base(&unit.types[0]));
    assert_null(rec_type_hooks(derived)->load);
    assert_int_equal(rec_row_count(derived), ROWS);
    for (uint32_t i = 0; i < ROWS; i++)
        assert_ptr_equal(rec_row(derived, i), &unit.rows[i]);
    const rec_field *plain = &unit.rows[ROW_PLAIN], *vector = &unit.rows[ROW_VECTOR];
    assert_string_equal(rec_row_name(plain), "second");
    assert_string_equal(rec_row_by(plain), "first");
    assert_null(rec_row_original(plain));
    assert_null(rec_row_names(plain));
    assert_null(rec_row_init_lanes(plain));
    assert_true(rec_row_init(plain) == 2.5);
    assert_true(rec_row_rare(plain)->range[0] == -1);
    assert_string_equal(rec_row_uses(plain), "pair first");
    assert_ptr_equal(rec_row_type(&unit.rows[ROW_PAIR]), derived);
    assert_ptr_equal(rec_row_type(vector), &rec_vec3);
    assert_true(rec_row_init_lanes(vector)[2] == 3);
    assert_null(rec_row_condition(vector)->only);
    assert_null(rec_row_why(vector));
    assert_string_equal(rec_row_doc(vector), "");
    assert_memory_equal(rec_row_init_bytes(&unit.rows[ROW_BYTES]), "A\0B", 3);
    assert_true(rec_is_argument(&unit.rows[ROW_BITS]));
    assert_false(rec_is_argument(plain));
    rec_lone_row lone;
    const rec_field *alone = rec_plain_row(&lone, vector);
    assert_string_equal(rec_row_name(alone), "first");
    assert_ptr_equal(rec_row_type(alone), &rec_vec3);
    assert_int_equal(alone->power, 0);
}

/* ---- units that are made ------------------------------------------------------------------------------ */

/* Copies all rows, and one more of its own. */
static bool make(lathe_doc *doc, rec_unit *made)
{
    rec_own own;
    rec_own_begin(&own, doc, "made", ROWS + 1);
    for (uint32_t i = 0; i < ROWS; i++) {
        const rec_field *row = rec_own_copy(&own, &unit.rows[i]);
        if (row && !own.short_of_memory)
            same_words(row, &unit.rows[i]);
    }
    rec_field *row = rec_own_row(&own);
    if (row) {
        row->name = rec_own_text(&own, "own");
        row->kind = REC_RECORD;
        row->type = rec_own_type(&own, &unit.types[1]);
        rec_own_rare(&own, row)->why = rec_own_text(&own, "it is made");
    }
    assert_null(row ? rec_own_row(&own) : NULL);
    return rec_own_end(&own, made);
}

static void made_units(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("blocks", "{}");
    rec_unit made;
    assert_true(make(doc, &made));
    assert_string_equal(made.texts + REC_OWN_NAME, "made");
    for (uint32_t i = 0; i < ROWS; i++)
        same_words(&made.rows[i], &unit.rows[i]);
    assert_true(rec_row_init_lanes(&made.rows[ROW_VECTOR])[2] == 3);
    assert_memory_equal(rec_row_init_bytes(&made.rows[ROW_BYTES]), "A\0B", 3);
    assert_string_equal(rec_row_name(&made.rows[ROWS]), "own");
    assert_string_equal(rec_row_why(&made.rows[ROWS]), "it is made");
    assert_ptr_equal(rec_row_type(&made.rows[ROWS]), &unit.types[1]);
    by_hand typed = {.head = made};
    typed.types[0] =
        (rec_type){.back = offsetof(by_hand, types), .name = REC_OWN_NAME, .count = ROWS + 1};
    assert_string_equal(rec_type_name(&typed.types[0]), "made");
    assert_ptr_equal(rec_row(&typed.types[0], ROWS), &made.rows[ROWS]);
    lathe_doc_close(doc);
}

/* Without memory nothing is made, and nothing is lost. */
static void made_without_memory(void **state)
{
    (void)state;
    bool done = false;
    for (long calls = 0; !done; calls++) {
        memory m = {.left = -1};
        lathe_doc *doc = new_doc_with(
            "blocks", "{}",
            &(lathe_options){.size = sizeof(lathe_options), .alloc = take, .alloc_user = &m});
        rec_unit made = {.texts = texts};
        m.left = calls;
        done = make(doc, &made);
        m.left = -1;
        assert_true(done || made.texts == texts);
        assert_true(calls || !done);
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_rows),
        cmocka_unit_test(made_units),
        cmocka_unit_test(made_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
