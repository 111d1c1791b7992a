/* Parts in parts, records in records: totals from the bottom up, work that stays in proportion. */
#include "made_up_test.h"

/* A tier over `n` others, each with one below it. */
#define TIERS                                                                                      \
    "{id = 1, kids = {{id = 2, kids = {{id = 3, kids = {{id = 4}}}, {id = 5}}}, {id = 6}}}"

/* ---- totals ---------------------------------------------------------------------------------------- */

/* Inside an edit, as a verb does it: totals follow at its end. */
static void grow(lathe_doc *doc, const char *path, uint64_t n)
{
    lathe_view kids = view_at(doc, path);
    rec_at at;
    uint32_t slot;
    OK(rec_enter(&kids, &at, &slot, err));
    OK(rec_insert(&at, slot, 0, n, NULL, 0, err));
}

static void inner_totals_first(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("tiers", TIERS);
    assert_int_equal(int_at(doc, "total"), 6);
    OK(lathe_edit_begin(doc, err));
    grow(doc, "kids[2].kids", 1);
    grow(doc, "kids[1].kids", 1); /* whose total is noted before those below */
    grow(doc, "kids[1].kids[2].kids[1].kids", 2);
    lathe_edit_end(doc, true, NULL);
    assert_int_equal(int_at(doc, "kids[1].kids[2].kids[1].total"), 3);
    assert_int_equal(int_at(doc, "kids[1].kids[2].total"), 4);
    assert_int_equal(int_at(doc, "kids[1].total"), 7);
    assert_int_equal(int_at(doc, "kids[2].total"), 2);
    assert_int_equal(int_at(doc, "total"), 10);
    assert_opens(doc);
    lathe_doc_close(doc);
}

enum { GROUPS = 300 };

static lathe_view group(lathe_doc *doc, uint64_t i)
{
    return item_view(view_at(doc, "groups"), i);
}

static void rename_group(lathe_doc *doc, uint64_t i, uint64_t size)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz";
    lathe_view view = group(doc, i);
    lathe_value name = v_bytes(text, size % sizeof text);
    rec_at at;
    uint32_t slot;
    OK(rec_enter(&view, &at, &slot, err));
    OK(rec_set_name(&at, "name", &name, err));
}

/* Groups whose id is odd have a name_size of their own, which stays. */
static lathe_doc *groups_doc(void)
{
    lathe_doc *doc = new_doc("nested", "{}");
    OK(lathe_view_insert(view_at(doc, "groups"), 0, GROUPS, err));
    for (uint64_t i = 0; i < GROUPS; i++) {
        set_value(group(doc, i), "id", v_int((int64_t)i));
        if (i % 2)
            set_value(group(doc, i), "name_size", v_int(200));
    }
    return doc;
}

/* Rows noted in any order, while records move, come, go and come back. */
static void many_totals(void **state)
{
    (void)state;
    lathe_doc *doc = groups_doc();
    uint64_t seed = 7, n = GROUPS;
    OK(lathe_edit_begin(doc, err));
    for (int k = 0; k < 900; k++) {
        rename_group(doc, below(&seed, n), below(&seed, 27));
        if (k % 50 == 7) { /* not kept */
            OK(rec_begin(doc, err));
            OK(lathe_view_remove(view_at(doc, "groups"), below(&seed, n - 20), 20, err));
            rename_group(doc, below(&seed, n - 20), below(&seed, 27));
            rec_end(doc, LATHE_ERR_INVALID, NULL);
        } else if (k % 50 == 30) {
            grow(doc, "groups", 1);
            set_value(group(doc, 0), "id", v_int(1000)); /* even */
            n++;
        } else if (k % 50 == 40) {
            OK(lathe_view_remove(view_at(doc, "groups"), below(&seed, n - 3), 3, err));
            n -= 3;
        }
    }
    lathe_edit_end(doc, true, NULL);
    assert_int_equal(int_at(doc, "group_count"), n);
    for (uint64_t i = 0; i < n; i++) {
        lathe_value name;
        OK(lathe_view_get(group(doc, i), "name", &name, err));
        bool own = get_int(group(doc, i), "id") % 2;
        assert_int_equal(get_int(group(doc, i), "name_size"), own ? 200 : name.as.s.n);
    }
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* ---- work ------------------------------------------------------------------------------------------ */

typedef struct shape {
    int levels;
    uint8_t small, large; /* of each on a side: leaves, and bushes of one level less */
    bool right_too;
} shape;

/* Writes one; returns how many it is made of. */
static uint64_t put_bush(uint8_t **p, shape s)
{
    uint8_t large = s.levels > 0 ? s.large : 0, small = s.levels > 0 ? s.small : 0, *count = NULL;
    uint64_t n = 1;
    s.levels--;
    memcpy(*p, "\1\11", 2);
    *p += 2;
    for (int side = 0; side < 2; side++) {
        bool on = side == 0 || s.right_too;
        count = (*p)++;
        *count = (uint8_t)(small + (on ? large : 0));
        for (uint8_t i = 0; on && i < large; i++)
            n += put_bush(p, s);
        for (uint8_t i = 0; i < small; i++, *p += 5, n++)
            memcpy(*p, "\1\11\0\0\0", 5);
    }
    *(*p)++ = 0;
    return n;
}

static bool no_finding(void *user, const lathe_error *finding)
{
    (void)user;
    show_error(finding);
    return false;
}

/* Steps for each record: one to open, some for each level to check, however many records there are. */
static void work_is_in_proportion(void **state)
{
    (void)state;
    static const shape shapes[] = {
        {5, 4, 1, false}, {60, 4, 1, false},  {24, 100, 1, false}, {10, 1, 1, true},
        {13, 0, 1, true}, {2, 0, 250, false}, {4, 2, 12, false},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        uint8_t *bytes = malloc(1 << 21), *end = bytes;
        uint64_t n = put_bush(&end, shapes[i]);
        made_up_steps = 0;
        lathe_doc *doc = parse_doc(bytes, (size_t)(end - bytes), "bush");
        assert_in_range(made_up_steps, n, 2 * n);
        made_up_steps = 0;
        assert_int_equal(lathe_doc_check(doc, no_finding, NULL), LATHE_OK);
        assert_in_range(made_up_steps, n, n * ((uint64_t)shapes[i].levels + 4));
        lathe_doc_close(doc);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_totals_first),
        cmocka_unit_test(many_totals),
        cmocka_unit_test(work_is_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
