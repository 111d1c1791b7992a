/* Limits and shortages met half-way: what was begun is not left begun. */
#include "made_up_test.h"

/* ---- parts in parts ---------------------------------------------------------------------------------- */

/* A column of tiers: each but the last has one below it. */
static uint8_t *column(uint32_t levels, size_t *n)
{
    *n = 6 * (size_t)(levels + 1);
    uint8_t *p = calloc(1, *n);
    for (uint32_t i = 0; i <= levels; i++) {
        bytes_st32(p + 6 * i + 1, levels + 1 - i, false);
        p[6 * i + 5] = i < levels;
    }
    return p;
}

static void parts_too_deep_do_not_open(void **state)
{
    (void)state;
    for (uint32_t levels = REC_DEPTH - 2; levels < 3 * REC_DEPTH; levels++) {
        size_t n;
        uint8_t *bytes = column(levels, &n);
        lathe_options o = {.size = sizeof o, .format = "tiers", .history = 2};
        lathe_doc *doc = NULL;
        if (levels > REC_DEPTH) {
            FAILS(LATHE_ERR_LIMIT, lathe_doc_parse(bytes, n, &o, &doc, err));
        } else {
            OK(lathe_doc_parse(bytes, n, &o, &doc, err));
            assert_true(same_as(doc, (bytes_copy){bytes, n}));
        }
        lathe_doc_close(doc);
        free(bytes);
    }
}

static void parts_do_not_grow_too_deep(void **state)
{
    (void)state;
    size_t n;
    uint8_t *bytes = column(REC_DEPTH - 1, &n);
    lathe_doc *doc = parse_doc(bytes, n, "tiers");
    lathe_view kids = array_of(lathe_doc_root(doc), "kids"), below;
    for (int i = 0; i < REC_DEPTH - 1; i++)
        kids = array_of(item_view(kids, 0), "kids");
    OK(lathe_view_insert(kids, 0, 1, err));
    below = array_of(item_view(kids, 0), "kids");
    FAILS(LATHE_ERR_LIMIT, lathe_view_insert(below, 0, 1, err));
    FAILS(LATHE_ERR_LIMIT, try_build(kids, "{{kids = {{kids = {{}}}}}}", err));
    OK(lathe_view_insert(kids, 0, 1, err));
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 2));
    assert_true(same_as(doc, (bytes_copy){bytes, n}));
    free(bytes);
    lathe_doc_close(doc);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void assert_same_layout(const rec_layout *a, const rec_layout *b, int depth)
{
    assert_true(a->ready && b->ready);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->min_size, b->min_size);
    assert_int_equal(a->recursive, b->recursive);
    for (uint32_t i = 0; i < a->count; i++) {
        const rec_slot *s = &a->slots[i], *t = &b->slots[i];
        assert_ptr_equal(s->row, t->row);
        assert_true(s->off == t->off && s->size == t->size && s->elem == t->elem);
        assert_true(s->elem_min == t->elem_min && s->counts == t->counts);
        assert_true(s->selects == t->selects && s->count_slot == t->count_slot);
        assert_int_equal(s->sub != NULL, t->sub != NULL);
        if (s->sub && depth > 0)
            assert_same_layout(s->sub, t->sub, depth - 1);
    }
}

/* Layouts that memory was too short for are made when it is asked for them again. */
static void layouts_are_made_again(void **state)
{
    (void)state;
    const rec_type *types[] = {made_up_nested.root, made_up_bush.root, made_up_parts.root};
    lathe_doc *good = new_doc("pack", "{}");
    bytes_copy b = encode(good);
    for (size_t t = 0; t < 3; t++) {
        const rec_layout *whole = rec_layout_of(good, 0, types[t]), *made = NULL;
        for (size_t fail = 1; !made; fail++) {
            made_up_memory m = {0};
            lathe_options o = {.size = sizeof o, .alloc = made_up_alloc, .alloc_user = &m};
            lathe_doc *doc = parse_with(b.p, b.n, &o);
            for (size_t k = 0; k < fail; k++) { /* every call fails once */
                m.fail_at = m.calls + fail - k;
                made = rec_layout_of(doc, 0, types[t]);
            }
            m.fail_at = 0;
            assert_same_layout(rec_layout_of(doc, 0, types[t]), whole, 4);
            lathe_doc_close(doc);
            assert_int_equal(m.blocks, 0);
        }
    }
    free(b.p);
    lathe_doc_close(good);
}

static void edit_thrice(lathe_doc *doc)
{
    OK(lathe_view_insert(view_at(doc, "goals"), 2, 3, err));
    set_value(lathe_doc_root(doc), "text", v_text("another text"));
    OK(lathe_view_remove(view_at(doc, "goals"), 0, 1, err));
}

/* All steps or none, there and back. */
static void steps_of_undo(void **state)
{
    (void)state;
    lathe_doc *plain = new_doc("linked", LINKED_SAMPLE);
    bytes_copy before = encode(plain), after;
    int failures = 0;
    edit_thrice(plain);
    after = encode(plain);
    for (size_t fail = 0; fail < 40; fail++) {
        made_up_memory m = {0};
        lathe_options o = {
            .size = sizeof o, .alloc = made_up_alloc, .alloc_user = &m, .history = 9};
        lathe_doc *doc = parse_with(before.p, before.n, &o);
        edit_thrice(doc);
        m.fail_at = m.calls + 1 + fail;
        bool done = lathe_edit_undo(doc, 3);
        assert_true(same_as(doc, done ? before : after));
        failures += !done;
        m.fail_at = 0;
        assert_true(done || lathe_edit_undo(doc, 3));
        m.fail_at = m.calls + 1 + fail;
        done = lathe_edit_undo(doc, -3);
        assert_true(same_as(doc, done ? after : before));
        m.fail_at = 0;
        assert_true(done || lathe_edit_undo(doc, -3));
        assert_true(same_as(doc, after));
        lathe_doc_close(doc);
        assert_int_equal(m.blocks, 0);
    }
    assert_true(failures > 3);
    free(before.p);
    free(after.p);
    lathe_doc_close(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_too_deep_do_not_open),
        cmocka_unit_test(parts_do_not_grow_too_deep),
        cmocka_unit_test(layouts_are_made_again),
        cmocka_unit_test(steps_of_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
