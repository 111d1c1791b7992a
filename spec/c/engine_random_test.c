/* Thousands of random edits, undos and rollbacks against a model in plain arrays, with views held on
 * everything that ever was: each must show its element, or know that it was removed. */
#include "made_up_test.h"

enum { OUTER = 9, INNER = 9, HELD = 600, UNDO = 24 };

/* Two levels of arrays whose elements have ids; where cells refer to each other, `next` is the id of
 * the other one, or 0. */
typedef struct inner {
    int64_t id, next;
    int text;
} inner;

typedef struct outer {
    int64_t id;
    int name;
    size_t n;
    inner items[INNER];
} outer;

typedef struct model {
    size_t n;
    outer list[OUTER];
} model;

typedef struct shape {
    const char *format, *outer, *inner, *text; /* text: a string of the inner ones */
    bool refs;
} shape;

static const shape shapes[] = {
    {"nested", "groups", "items", "text", false},
    {"nested_big", "groups", "items", "text", false},
    {"parts", "chunks", "cells", NULL, true},
};

typedef struct held {
    lathe_view view;
    int64_t id;
    bool is_inner;
} held;

typedef struct world {
    const shape *shape;
    lathe_doc *doc;
    model now;
    struct {
        model m;
        bytes_copy bytes;
    } states[UNDO + 1]; /* of the steps that can be undone, oldest first, and the present */
    size_t states_n, present;
    held pool[HELD];
    size_t pool_n;
    int64_t next_id;
    uint64_t random;
} world;

static void hold(world *w, lathe_view view, int64_t id, bool is_inner)
{
    size_t i = w->pool_n < HELD ? w->pool_n++ : (size_t)below(&w->random, HELD);
    w->pool[i] = (held){view, id, is_inner};
}

/* ---- checking ------------------------------------------------------------------------------------ */

static bool in_model(const world *w, int64_t id, bool is_inner)
{
    for (size_t i = 0; i < w->now.n; i++) {
        if (!is_inner && w->now.list[i].id == id)
            return true;
        for (size_t k = 0; is_inner && k < w->now.list[i].n; k++)
            if (w->now.list[i].items[k].id == id)
                return true;
    }
    return false;
}

static void check_held(world *w)
{
    for (size_t i = 0; i < w->pool_n; i++) {
        held *h = &w->pool[i];
        lathe_value v;
        lathe_error e;
        lathe_result r = lathe_view_get(h->view, "id", &v, &e);
        if (!in_model(w, h->id, h->is_inner)) {
            assert_int_equal(r, LATHE_ERR_REMOVED);
            continue;
        }
        if (r != LATHE_OK)
            show_error(&e);
        assert_int_equal(r, LATHE_OK);
        assert_int_equal(v.as.i, h->id);
        if (below(&w->random, 8) == 0) /* some are looked at often, others never */
            rec_sync(&h->view, NULL);
    }
}

static void check_inner(const world *w, lathe_view view, const inner *in)
{
    lathe_value v;
    assert_int_equal(get_int(view, "id"), in->id);
    if (w->shape->text) {
        OK(lathe_view_get(view, w->shape->text, &v, err));
        assert_int_equal(v.as.s.n, in->text);
    }
    if (!w->shape->refs)
        return;
    OK(lathe_view_get(view, "next", &v, err));
    if (!in->next) {
        assert_int_equal(v.kind, LATHE_KIND_NULL);
        return;
    }
    assert_int_equal(v.kind, LATHE_KIND_RECORD);
    assert_int_equal(get_int(v.as.v, "id"), in->next);
}

static void check_all(world *w)
{
    lathe_view list = view_at(w->doc, w->shape->outer);
    assert_int_equal(lathe_view_count(list), w->now.n);
    for (size_t i = 0; i < w->now.n; i++) {
        const outer *o = &w->now.list[i];
        lathe_view view = item_view(list, i), items = array_of(view, w->shape->inner);
        lathe_value name;
        assert_int_equal(get_int(view, "id"), o->id);
        OK(lathe_view_get(view, "name", &name, err));
        assert_int_equal(name.as.s.n, o->name);
        assert_int_equal(lathe_view_count(items), o->n);
        for (size_t k = 0; k < o->n; k++)
            check_inner(w, item_view(items, k), &o->items[k]);
    }
    check_held(w);
}

/* ---- single changes ------------------------------------------------------------------------------- */

static void change_outer(world *w)
{
    lathe_view list = view_at(w->doc, w->shape->outer);
    model *m = &w->now;
    bool add = m->n == 0 || (m->n < OUTER && below(&w->random, 2));
    size_t most = add ? OUTER - m->n : m->n, n = 1 + (size_t)below(&w->random, most > 3 ? 3 : most);
    size_t i = (size_t)below(&w->random, add ? m->n + 1 : m->n - n + 1);
    if (!add) {
        OK(lathe_view_remove(list, i, n, err));
        memmove(m->list + i, m->list + i + n, (m->n - i - n) * sizeof m->list[0]);
        m->n -= n;
        return;
    }
    OK(lathe_view_insert(list, i, n, err));
    memmove(m->list + i + n, m->list + i, (m->n - i) * sizeof m->list[0]);
    m->n += n;
    for (size_t k = 0; k < n; k++) {
        lathe_view v = item_view(list, i + k);
        m->list[i + k] = (outer){.id = w->next_id++};
        set_value(v, "id", v_int(m->list[i + k].id));
        hold(w, v, m->list[i + k].id, false);
    }
}

/* What refers to a removed one refers to nothing any more. */
static void forget_target(outer *o, int64_t id)
{
    for (size_t k = 0; k < o->n; k++)
        if (o->items[k].next == id)
            o->items[k].next = 0;
}

static void remove_inner(world *w, outer *o, lathe_view items, size_t i, size_t n)
{
    OK(lathe_view_remove(items, i, n, err));
    for (size_t k = 0; k < n; k++)
        forget_target(o, o->items[i + k].id);
    memmove(o->items + i, o->items + i + n, (o->n - i - n) * sizeof o->items[0]);
    o->n -= n;
    (void)w;
}

static void change_inner(world *w)
{
    model *m = &w->now;
    if (!m->n)
        return;
    size_t g = (size_t)below(&w->random, m->n);
    outer *o = &m->list[g];
    lathe_view items = array_of(item_view(view_at(w->doc, w->shape->outer), g), w->shape->inner);
    bool add = o->n == 0 || (o->n < INNER && below(&w->random, 2));
    size_t most = add ? INNER - o->n : o->n, n = 1 + (size_t)below(&w->random, most > 3 ? 3 : most);
    size_t i = (size_t)below(&w->random, add ? o->n + 1 : o->n - n + 1);
    if (!add) {
        remove_inner(w, o, items, i, n);
        return;
    }
    OK(lathe_view_insert(items, i, n, err));
    memmove(o->items + i + n, o->items + i, (o->n - i) * sizeof o->items[0]);
    o->n += n;
    for (size_t k = 0; k < n; k++) {
        lathe_view v = item_view(items, i + k);
        o->items[i + k] = (inner){.id = w->next_id++};
        set_value(v, "id", v_int(o->items[i + k].id));
        hold(w, v, o->items[i + k].id, true);
    }
}

static void change_text(world *w)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    model *m = &w->now;
    if (!m->n)
        return;
    size_t g = (size_t)below(&w->random, m->n);
    outer *o = &m->list[g];
    int n = (int)below(&w->random, sizeof text);
    lathe_view view = item_view(view_at(w->doc, w->shape->outer), g);
    if (!w->shape->text || !o->n || below(&w->random, 2)) {
        set_value(view, "name", v_bytes(text, (size_t)n));
        o->name = n;
        return;
    }
    size_t i = (size_t)below(&w->random, o->n);
    set_value(item_view(array_of(view, w->shape->inner), i), w->shape->text,
              v_bytes(text, (size_t)n));
    o->items[i].text = n;
}

static void change_ref(world *w)
{
    model *m = &w->now;
    size_t g = (size_t)below(&w->random, m->n ? m->n : 1);
    outer *o = &m->list[g];
    if (!w->shape->refs || !m->n || o->n < 2)
        return;
    lathe_view items = array_of(item_view(view_at(w->doc, w->shape->outer), g), w->shape->inner);
    size_t from = (size_t)below(&w->random, o->n), to = (size_t)below(&w->random, o->n);
    if (from == to) /* 8 bytes back is no place of a cell */
        return;
    set_value(item_view(items, from), "next", v_record(item_view(items, to)));
    o->items[from].next = o->items[to].id;
}

static void change(world *w)
{
    switch (below(&w->random, 6)) {
    case 0: change_outer(w); break;
    case 1:
    case 2: change_inner(w); break;
    case 3:
    case 4: change_text(w); break;
    default: change_ref(w); break;
    }
}

/* ---- steps --------------------------------------------------------------------------------------- */

static void keep_state(world *w)
{
    while (w->states_n > w->present + 1)
        free(w->states[--w->states_n].bytes.p);
    if (w->states_n == UNDO + 1) {
        free(w->states[0].bytes.p);
        memmove(w->states, w->states + 1, UNDO * sizeof w->states[0]);
        w->states_n--;
    }
    w->states[w->states_n].m = w->now;
    w->states[w->states_n].bytes = encode(w->doc);
    w->present = w->states_n++;
}

/* Several changes as one; parts of it, or all, may be taken back. */
static void step(world *w)
{
    model before = w->now;
    bytes_copy was = encode(w->doc);
    uint64_t state = w->doc->state;
    OK(lathe_edit_begin(w->doc, err));
    for (uint64_t n = 1 + below(&w->random, 4); n > 0; n--) {
        model saved = w->now;
        bool drop = below(&w->random, 4) == 0;
        if (drop)
            OK(lathe_edit_begin(w->doc, err));
        change(w);
        change(w);
        if (drop) {
            lathe_edit_end(w->doc, false, NULL);
            w->now = saved;
            check_held(w);
        }
    }
    bool dropped = below(&w->random, 8) == 0;
    lathe_edit_end(w->doc, !dropped, NULL);
    if (dropped) {
        w->now = before;
        assert_true(same_as(w->doc, was));
    } else if (w->doc->state != state) { /* a step, even where its changes cancel out */
        keep_state(w);
    }
    free(was.p);
}

static void travel(world *w)
{
    int64_t back = (int64_t)below(&w->random, 5) - 2;
    if (!back)
        back = 1;
    bool can = back > 0 ? (size_t)back <= w->present : w->present + (size_t)-back < w->states_n;
    assert_int_equal(lathe_edit_undo(w->doc, (int)back), can);
    if (!can)
        return;
    w->present = (size_t)((int64_t)w->present - back);
    w->now = w->states[w->present].m;
    assert_true(same_as(w->doc, w->states[w->present].bytes));
}

static void forget_states(world *w)
{
    while (w->states_n)
        free(w->states[--w->states_n].bytes.p);
}

static void start(world *w, uint64_t seed, const shape *s)
{
    memset(w, 0, sizeof *w);
    w->shape = s;
    w->random = seed;
    w->next_id = 1;
    lathe_doc *made = new_doc(s->format, "{}");
    bytes_copy b = encode(made); /* history begins with the bytes */
    w->doc = parse_with(
        b.p, b.n,
        &(lathe_options){.size = sizeof(lathe_options), .format = s->format, .history = UNDO});
    free(b.p);
    lathe_doc_close(made);
    keep_state(w);
}

static void run(const shape *s, uint64_t seed, int steps)
{
    world *w = malloc(sizeof *w);
    assert_non_null(w);
    start(w, seed, s);
    for (int i = 0; i < steps; i++) {
        if (below(&w->random, 4) == 0)
            travel(w);
        else
            step(w);
        check_all(w);
        assert_int_equal(w->doc->undo_n, w->present);
        assert_int_equal(w->doc->redo_n, w->states_n - 1 - w->present);
        if (i % 16 == 0)
            assert_opens(w->doc);
    }
    assert_opens(w->doc);
    lathe_doc_close(w->doc);
    forget_states(w);
    free(w);
}

static void random_nested(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++)
        run(&shapes[0], seed, 100);
}

static void random_nested_big(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        run(&shapes[1], seed, 60);
}

static void random_parts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++)
        run(&shapes[2], seed, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_nested),
        cmocka_unit_test(random_nested_big),
        cmocka_unit_test(random_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
