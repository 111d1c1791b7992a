/* Memory that runs out at every single call: nothing leaks, and the document is what it was or what it
 * should become. */
#include "made_up_test.h"

typedef struct op {
    const char *name, *format;
    lathe_result (*run)(lathe_doc *doc, lathe_error *err);
} op;

static lathe_result at(lathe_doc *doc, const char *path, lathe_view *view, lathe_error *err)
{
    lathe_value v;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), path, &v, err);
    if (r == LATHE_OK)
        *view = v.as.v;
    return r;
}

/* ---- the edits ------------------------------------------------------------------------------------- */

static lathe_result set_number(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "numbers", &v, err);
    return r == LATHE_OK ? try_set(v, "u32", v_int(77), err) : r;
}

static lathe_result grow_text(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "texts", &v, err);
    return r == LATHE_OK ? try_set(v, "s16", v_text("a text that is longer than the old one"), err)
                         : r;
}

static lathe_result insert_groups(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "groups", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 1, 3, err) : r;
}

static lathe_result remove_groups(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "groups", &v, err);
    return r == LATHE_OK ? lathe_view_remove(v, 0, 1, err) : r;
}

static lathe_result insert_shared(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "shared.names", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 1, 2, err) : r;
}

static lathe_result select_mode(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "choice", &v, err);
    return r == LATHE_OK ? try_set(v, "mode", v_int(3), err) : r;
}

static lathe_result build_groups(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "groups", &v, err);
    return r == LATHE_OK
               ? try_build(v, "{{id = 5, name = \"five\", items = {{id = 6, text = \"six\"}}}, {}}",
                           err)
               : r;
}

static lathe_result upgrade(lathe_doc *doc, lathe_error *err)
{
    return lathe_view_call(lathe_doc_root(doc), "upgrade", NULL, NULL, err);
}

static lathe_result write_column(lathe_doc *doc, lathe_error *err)
{
    static const float column[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    lathe_view v;
    lathe_result r = at(doc, "points", &v, err);
    return r == LATHE_OK ? lathe_view_write(v, "pos", 0, 3, LATHE_ELEM_F32, column, 0, err) : r;
}

static lathe_result insert_chunks(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 2, 2, err) : r;
}

static lathe_result remove_chunks(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks", &v, err);
    return r == LATHE_OK ? lathe_view_remove(v, 1, 2, err) : r;
}

static lathe_result insert_cells(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks[2].cells", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 1, 5, err) : r;
}

static lathe_result first_cells(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks[1].cells", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 0, 2, err) : r;
}

static lathe_result inner_section(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks[3].inner.sections", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 3, 1, err) : r;
}

static lathe_result inner_values(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "chunks[3].inner.sections[1].values", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 0, 9, err) : r;
}

static lathe_result several(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = insert_chunks(doc, err);
    if (r == LATHE_OK)
        r = inner_values(doc, err); /* of a chunk that has none any more: fails, unless … */
    if (r == LATHE_ERR_NAME)
        r = remove_chunks(doc, err);
    return rec_end(doc, r, err);
}

static lathe_result copy_bone(lathe_doc *doc, lathe_error *err)
{
    lathe_view v, from;
    lathe_result r = at(doc, "bones", &v, err);
    if (r == LATHE_OK)
        r = at(doc, "bones[1]", &from, err);
    return r == LATHE_OK ? try_item(v, 2, v_record(from), err) : r;
}

static lathe_result insert_bones(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "bones", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 0, 2, err) : r;
}

static lathe_result build_frame(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "frames[1]", &v, err);
    return r == LATHE_OK
               ? try_build(v, "{name = \"longer\", matrix = {rotation = {1, 0, 0, 0}}}", err)
               : r;
}

static lathe_result older(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = rec_convert(doc, 0, 1, NULL, NULL, err);
    rec_at root = rec_root(doc, 0);
    if (r == LATHE_OK)
        r = rec_put_raw(&root, rec_slot_find(root.layout, "version"), 0, 1, err);
    if (r == LATHE_OK)
        r = try_build(lathe_doc_root(doc), "{corners = {130, 131, 132}, mood = 9}", err);
    if (r == LATHE_OK)
        r = rec_convert(doc, 0, 4, NULL, NULL, err);
    root = rec_root(doc, 0);
    if (r == LATHE_OK)
        r = rec_put_raw(&root, rec_slot_find(root.layout, "version"), 0, 4, err);
    return rec_end(doc, r, err);
}

static lathe_result move_frame(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = lathe_edit_begin(doc, err);
    return r == LATHE_OK ? rec_end(doc, made_up_move(doc, "frames", 0, 1, err), err) : r;
}

static lathe_result retype_block(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[2]", &v, err);
    return r == LATHE_OK ? try_set(v, "type", v_text("solid"), err) : r;
}

static lathe_result replace_block(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[3]", &v, err);
    return r == LATHE_OK ? try_build(v, "{type = \"thing\", letter = \"x\"}", err) : r;
}

static lathe_result insert_block(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks", &v, err);
    return r == LATHE_OK ? lathe_view_insert(v, 1, 2, err) : r;
}

static lathe_result reshape_points(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[2]", &v, err);
    return r == LATHE_OK ? try_set(v, "shape", v_int(1), err) : r;
}

static lathe_result reshape_keys(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[3]", &v, err);
    return r == LATHE_OK ? try_set(v, "kind", v_int(3), err) : r;
}

static lathe_result remove_run(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[2].runs", &v, err);
    return r == LATHE_OK ? lathe_view_remove(v, 0, 1, err) : r;
}

static lathe_result grow_inside(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[6].held.sections[2]", &v, err);
    return r == LATHE_OK ? try_set(v, "text", v_text("a longer text"), err) : r;
}

static lathe_result fill_box(lathe_doc *doc, lathe_error *err)
{
    lathe_view v;
    lathe_result r = at(doc, "blocks[6]", &v, err);
    return r == LATHE_OK ? try_build(v, "{held = {bytes = \"what comes\"}}", err) : r;
}

static lathe_result copy_box(lathe_doc *doc, lathe_error *err)
{
    lathe_value v;
    lathe_view to;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "blocks[6].held", &v, err);
    if (r == LATHE_OK)
        r = at(doc, "blocks[6]", &to, err);
    return r == LATHE_OK ? try_set(to, "held", v, err) : r;
}

static const op ops[] = {
    {"set_number", "nested", set_number},
    {"grow_text", "nested", grow_text},
    {"insert_groups", "nested", insert_groups},
    {"remove_groups", "nested", remove_groups},
    {"insert_shared", "nested", insert_shared},
    {"select_mode", "nested", select_mode},
    {"build_groups", "nested", build_groups},
    {"upgrade", "nested", upgrade},
    {"write_column", "nested", write_column},
    {"insert_chunks", "parts", insert_chunks},
    {"remove_chunks", "parts", remove_chunks},
    {"insert_cells", "parts", insert_cells},
    {"first_cells", "parts", first_cells},
    {"inner_section", "parts", inner_section},
    {"inner_values", "parts", inner_values},
    {"several", "parts", several},
    {"copy_bone", "words", copy_bone},
    {"insert_bones", "words", insert_bones},
    {"build_frame", "words", build_frame},
    {"older", "words", older},
    {"move_frame", "words", move_frame},
    {"retype_block", "blocks", retype_block},
    {"replace_block", "blocks", replace_block},
    {"insert_block", "blocks", insert_block},
    {"reshape_points", "blocks", reshape_points},
    {"reshape_keys", "blocks", reshape_keys},
    {"remove_run", "blocks", remove_run},
    {"grow_inside", "blocks", grow_inside},
    {"fill_box", "blocks", fill_box},
    {"copy_box", "blocks", copy_box},
};
enum { OPS = sizeof ops / sizeof ops[0] };

/* ---- the runs --------------------------------------------------------------------------------------- */

static bytes_copy sample(const char *format)
{
    bytes_copy b = {0};
    for (size_t i = 0; i < SAMPLES; i++)
        if (strcmp(samples[i].format, format) == 0) {
            lathe_doc *doc = new_doc(format, samples[i].text);
            b = encode(doc);
            lathe_doc_close(doc);
        }
    assert_non_null(b.p);
    return b;
}

static lathe_options options_with(made_up_memory *m, const char *format)
{
    return (lathe_options){.size = sizeof(lathe_options),
                           .format = format,
                           .history = 4,
                           .alloc = made_up_alloc,
                           .alloc_user = m};
}

static void closed(lathe_doc *doc, const made_up_memory *m)
{
    lathe_doc_close(doc);
    assert_int_equal(m->blocks, 0);
    assert_int_equal(m->bytes, 0);
    assert_false(m->wrong_size);
}

/* One op with failure number k. Returns whether the op still met it. */
static bool run_edit(const op *o, bytes_copy before, bytes_copy after, size_t k, bool on)
{
    made_up_memory m = {0};
    lathe_options options = options_with(&m, o->format);
    lathe_doc *doc = parse_with(before.p, before.n, &options);
    lathe_error e = {.code = LATHE_OK};
    lathe_view root = lathe_doc_root(doc);
    m.fail_at = m.calls + k;
    m.fail_on = on;
    lathe_result r = o->run(doc, &e);
    bool met = m.calls >= m.fail_at;
    m.fail_at = 0;
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY) {
        show_error(&e);
        fail_msg("%s, call %zu: %s", o->name, k, lathe_result_name(r));
    }
    if (!same_as(doc, r == LATHE_OK ? after : before))
        fail_msg("%s, call %zu: other bytes after %s", o->name, k, lathe_result_name(r));
    assert_int_equal(lathe_doc_modified(doc), r == LATHE_OK);
    assert_true(lathe_view_same(root, lathe_doc_root(doc)));
    if (r != LATHE_OK) /* and it can be tried again */
        OK(o->run(doc, err));
    if (!same_as(doc, after))
        fail_msg("%s, call %zu: other bytes when it is tried again", o->name, k);
    closed(doc, &m);
    return met;
}

/* Undo and redo with failure number k. */
static bool run_undo(const op *o, bytes_copy before, bytes_copy after, size_t k, bool on)
{
    made_up_memory m = {0};
    lathe_options options = options_with(&m, o->format);
    lathe_doc *doc = parse_with(before.p, before.n, &options);
    OK(o->run(doc, err));
    m.fail_at = m.calls + k;
    m.fail_on = on;
    bool back = lathe_edit_undo(doc, 1);
    bool forth = back && lathe_edit_undo(doc, -1);
    bool met = m.calls >= m.fail_at;
    m.fail_at = 0;
    assert_true(same_as(doc, back && !forth ? before : after));
    assert_int_equal(lathe_doc_modified(doc), !back || forth);
    if (!back || forth)
        assert_true(lathe_edit_undo(doc, 1));
    assert_true(same_as(doc, before));
    closed(doc, &m);
    return met;
}

static void for_each_call(bool (*run)(const op *, bytes_copy, bytes_copy, size_t, bool))
{
    for (size_t i = 0; i < OPS; i++) {
        bytes_copy before = sample(ops[i].format);
        lathe_doc *doc = parse_doc(before.p, before.n, ops[i].format);
        OK(ops[i].run(doc, err));
        bytes_copy after = encode(doc);
        assert_opens(doc);
        lathe_doc_close(doc);
        for (int on = 0; on < 2; on++)
            for (size_t k = 1; run(&ops[i], before, after, k, on); k++)
                assert_true(k < 10000);
        free(before.p);
        free(after.p);
    }
}

static void edits_without_memory(void **state)
{
    (void)state;
    for_each_call(run_edit);
}

static void undo_without_memory(void **state)
{
    (void)state;
    for_each_call(run_undo);
}

/* A whole edit is taken back while no memory is left at all. */
static void rollback_needs_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPS; i++) {
        bytes_copy before = sample(ops[i].format);
        made_up_memory m = {0};
        lathe_options options = options_with(&m, ops[i].format);
        lathe_doc *doc = parse_with(before.p, before.n, &options);
        OK(lathe_edit_begin(doc, err));
        OK(ops[i].run(doc, err));
        ops[i].run(doc, NULL); /* not each can be done twice */
        m.fail_at = m.calls + 1;
        m.fail_on = true;
        lathe_edit_end(doc, false, NULL);
        m.fail_at = 0;
        assert_true(same_as(doc, before));
        assert_false(lathe_doc_modified(doc));
        closed(doc, &m);
        free(before.p);
    }
}

static void open_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * SAMPLES; i++) {
        bytes_copy b = sample(samples[i / 2].format);
        bool met = true;
        for (size_t k = 1; met; k++) {
            made_up_memory m = {.fail_at = k, .fail_on = i % 2};
            lathe_options options = options_with(&m, NULL);
            lathe_doc *doc = NULL;
            lathe_error e = {.code = LATHE_OK};
            lathe_result r = lathe_doc_parse(b.p, b.n, &options, &doc, &e);
            met = m.calls >= k;
            assert_true(r == LATHE_OK || (r == LATHE_ERR_MEMORY && met));
            assert_true((r == LATHE_OK) == (doc != NULL));
            m.fail_at = 0;
            if (doc)
                assert_true(same_as(doc, b));
            closed(doc, &m);
        }
        free(b.p);
    }
}

static void new_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * SAMPLES; i++) {
        bytes_copy b = sample(samples[i / 2].format);
        made_up_text t;
        bool met = true;
        assert_true(made_up_text_read(&t, samples[i / 2].text));
        for (size_t k = 1; met; k++) {
            made_up_memory m = {.fail_at = k, .fail_on = i % 2};
            lathe_options options = options_with(&m, NULL);
            lathe_doc *doc = NULL;
            lathe_error e = {.code = LATHE_OK};
            lathe_result r = lathe_doc_new(samples[i / 2].format, &t.source, &options, &doc, &e);
            met = m.calls >= k;
            if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
                show_error(&e);
            assert_true(r == LATHE_OK || (r == LATHE_ERR_MEMORY && met));
            m.fail_at = 0;
            if (doc)
                assert_true(same_as(doc, b));
            closed(doc, &m);
        }
        made_up_text_free(&t);
        free(b.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_without_memory),  cmocka_unit_test(new_without_memory),
        cmocka_unit_test(edits_without_memory), cmocka_unit_test(undo_without_memory),
        cmocka_unit_test(rollback_needs_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
