/* Stored positions through cuts, data behind the record, padding, totals, documents in documents. */
#include "made_up_test.h"

static lathe_doc *parts_doc(void)
{
    return new_doc("parts", PARTS_SAMPLE);
}

/* Stored number of a field of chunk 2. */
static uint64_t raw_of(lathe_doc *doc, const char *record, const char *field)
{
    lathe_view view = view_at(doc, record);
    rec_at at;
    uint32_t slot;
    uint64_t raw = 0;
    rec_loc loc = {0};
    OK(rec_enter(&view, &at, &slot, err));
    slot = rec_slot_find(at.layout, field);
    OK(rec_find(&at, slot, &loc, err));
    unsigned width = (unsigned)loc.size;
    raw = bytes_ld(doc->parts[loc.part].data + loc.off, width, at.layout->slots[slot].big);
    return raw;
}

/* ---- cuts exactly at positions ---------------------------------------------------------------------- */

static void links_follow_their_cells(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]"), cells = view_at(doc, "chunks[2].cells");
    set_value(chunk, "link", v_record(item_view(cells, 0)));
    set_value(chunk, "near", v_record(item_view(cells, 1)));
    uint64_t start = raw_of(doc, "chunks[2]", "cells");
    assert_int_equal(raw_of(doc, "chunks[2]", "link"), start);
    assert_int_equal(start % 16, 0);
    OK(lathe_view_insert(cells, 0, 1, err));
    assert_int_equal(raw_of(doc, "chunks[2]", "cells"), start); /* the array begins where it did */
    assert_int_equal(raw_of(doc, "chunks[2]", "link"), start + 10); /* its first cell moved */
    assert_int_equal(int_at(doc, "chunks[2].link.id"), 20);
    assert_int_equal(int_at(doc, "chunks[2].near.id"), 21);
    OK(lathe_view_insert(cells, 2, 1, err)); /* exactly where `near` points */
    assert_int_equal(int_at(doc, "chunks[2].link.id"), 20);
    assert_int_equal(int_at(doc, "chunks[2].near.id"), 21);
    OK(lathe_view_insert(cells, 5, 1, err)); /* at the end: nothing moves */
    assert_int_equal(int_at(doc, "chunks[2].near.id"), 21);
    assert_opens(doc);
    lathe_doc_close(doc);
}

static void targets_removed_are_nulled(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]"), cells = view_at(doc, "chunks[2].cells");
    set_value(chunk, "link", v_record(item_view(cells, 1)));
    set_value(item_view(cells, 2), "next", v_record(item_view(cells, 0)));
    set_value(item_view(cells, 0), "next", v_record(item_view(cells, 2)));
    OK(lathe_view_remove(cells, 1, 1, err));
    assert_int_equal(at_path(doc, "chunks[2].link").kind, LATHE_KIND_NULL);
    assert_int_equal(int_at(doc, "chunks[2].cells[1].next.id"), 22);
    assert_int_equal(int_at(doc, "chunks[2].cells[2].next.id"), 20);
    OK(lathe_view_remove(cells, 0, 2, err));
    assert_int_equal(lathe_view_count(cells), 0);
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 2));
    assert_int_equal(int_at(doc, "chunks[2].link.id"), 21);
    assert_true(lathe_edit_undo(doc, -2));
    OK(lathe_view_insert(cells, 0, 2, err)); /* from nothing again */
    assert_int_equal(raw_of(doc, "chunks[2]", "cells") % 16, 0);
    assert_opens(doc);
    lathe_doc_close(doc);
}

/* A format may say that a position has no way of pointing nowhere. */
static void targets_that_must_stay(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]"), cells = view_at(doc, "chunks[2].cells");
    set_value(chunk, "id", v_int(666));
    set_value(chunk, "link", v_record(item_view(cells, 1)));
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_INVALID, lathe_view_remove(cells, 1, 1, err));
    FAILS(LATHE_ERR_INVALID, lathe_view_remove(cells, 0, 3, err));
    assert_true(same_as(doc, before));
    OK(lathe_view_remove(cells, 0, 1, err));
    OK(lathe_view_remove(cells, 1, 1, err));
    assert_int_equal(int_at(doc, "chunks[2].link.id"), 21);
    free(before.p);
    lathe_doc_close(doc);
}

static void references_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc(), *other = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]");
    FAILS(LATHE_ERR_TYPE, try_set(chunk, "link", v_record(chunk), err));
    FAILS(LATHE_ERR_TYPE, try_set(chunk, "link", v_text("x"), err));
    FAILS(LATHE_ERR_TYPE, try_set(chunk, "link", v_real(0.5), err));
    FAILS(LATHE_ERR_TYPE,
          try_set(chunk, "link", v_record(view_at(other, "chunks[2].cells[1]")), err));
    FAILS(LATHE_ERR_TYPE, try_set(view_at(doc, "chunks[1]"), "link",
                                  v_record(view_at(doc, "chunks[2].cells[1]")), err));
    set_value(chunk, "link", v_int(3)); /* a stored number is taken as it is … */
    FAILS(LATHE_ERR_INVALID, lathe_view_at(chunk, "link", &(lathe_value){0}, err));
    set_value(chunk, "link", v_bool(false));
    assert_int_equal(at_path(doc, "chunks[2].link").kind, LATHE_KIND_NULL);
    lathe_doc_close(doc);
    lathe_doc_close(other);
}

/* A name so long that a 16-bit position from behind it can't reach any more changes nothing. */
static void overflow_is_refused_first(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]"), cells = view_at(doc, "chunks[2].cells");
    char *text = calloc(1, 65536);
    lathe_error e;
    OK(lathe_view_insert(cells, 3, 6000, err)); /* 60,000 bytes between */
    set_value(chunk, "near", v_record(item_view(cells, 5999)));
    set_value(chunk, "note", v_text("")); /* lies behind the cells, too */
    set_value(chunk, "name", v_bytes(text, 65535));
    assert_int_equal(get_int(item_view(cells, 2), "id"), 22); /* only what stands between counts */
    bytes_copy before = encode(doc);
    lathe_value v = v_int(0);
    assert_int_equal(lathe_view_insert(cells, 1, 600, &e), LATHE_ERR_RANGE);
    assert_non_null(strstr(e.message, "16 bits"));
    assert_true(same_as(doc, before));
    OK(lathe_view_get(chunk, "near", &v, err));
    assert_true(lathe_view_same(v.as.v, item_view(cells, 5999)));
    free(before.p);
    free(text);
    lathe_doc_close(doc);
}

/* Signed positions backwards overflow, too. */
static void signed_overflow(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view cells = view_at(doc, "chunks[2].cells");
    OK(lathe_view_insert(cells, 2, 3000, err));
    set_value(item_view(cells, 3002), "next", v_record(item_view(cells, 1)));
    set_value(item_view(cells, 0), "next", v_record(item_view(cells, 3002)));
    bytes_copy before = encode(doc);
    FAILS(LATHE_ERR_RANGE, lathe_view_insert(cells, 2, 300, err));
    assert_true(same_as(doc, before));
    assert_int_equal(int_at(doc, "chunks[2].cells[3003].next.id"), 21);
    OK(lathe_view_insert(cells, 3003, 300, err)); /* behind them it may grow, but not be reached */
    FAILS(LATHE_ERR_RANGE,
          try_set(item_view(cells, 0), "next", v_record(item_view(cells, 3302)), err));
    free(before.p);
    lathe_doc_close(doc);
}

/* ---- padding --------------------------------------------------------------------------------------- */

/* What lies behind the cells moves by 16 at a time; growing back gives the old bytes. */
static void padding_is_used_and_made(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[1]");
    OK(lathe_view_insert(array_of(chunk, "cells"), 0, 3, err));
    lathe_view cells = array_of(chunk, "cells");
    rec_part *p = &doc->parts[chunk.part];
    uint64_t start = raw_of(doc, "chunks[1]", "cells"), end = p->size;
    assert_int_equal(end, start + 32);
    set_value(chunk, "note", v_text("the note")); /* right behind the cells and their padding */
    bytes_copy before = encode(doc);
    uint64_t note = p->size - 8;
    assert_int_equal(note % 16, 0);
    for (uint64_t n = 1; n <= 40; n++) {
        OK(lathe_view_insert(cells, n % 4, n, err));
        uint64_t now = doc->parts[chunk.part].size - 8;
        assert_int_equal(now % 16, 0);
        assert_int_equal(now, (start + 30 + 10 * n + 15) / 16 * 16);
        assert_true(text_is(at_path(doc, "chunks[1].note"), "the note"));
        OK(lathe_view_remove(cells, n % 4, n, err));
        assert_true(same_as(doc, before));
    }
    free(before.p);
    lathe_doc_close(doc);
}

/* Bytes that are not zeros are somebody's: they stay, and move by as much as is inserted. */
static void no_padding_no_change(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]"), cells = view_at(doc, "chunks[2].cells");
    OK(lathe_edit_begin(doc, err));
    OK(rec_cut_bytes(doc, chunk.part, raw_of(doc, "chunks[2]", "cells") + 30, 2, NULL, 0,
                     LATHE_NO_OFFSET, err));
    lathe_edit_end(doc, true, NULL);
    assert_true(text_is(at_path(doc, "chunks[2].note"), "a note"));
    uint64_t size = doc->parts[chunk.part].size;
    OK(lathe_view_insert(cells, 3, 1, err)); /* the note begins right behind the third cell */
    assert_int_equal(doc->parts[chunk.part].size, size + 10);
    assert_true(text_is(at_path(doc, "chunks[2].note"), "a note"));
    OK(lathe_view_insert(cells, 0, 1, err));
    assert_int_equal(doc->parts[chunk.part].size, size + 20);
    assert_true(text_is(at_path(doc, "chunks[2].note"), "a note"));
    assert_opens(doc);
    lathe_doc_close(doc);
}

static void notes_elsewhere(void **state)
{
    (void)state;
    static const char *const notes[] = {"", "x", "a longer note than before", "", "again"};
    lathe_doc *doc = parts_doc();
    lathe_view chunk = view_at(doc, "chunks[2]");
    set_value(chunk, "near", v_record(view_at(doc, "chunks[2].cells[2]")));
    for (int i = 0; i < 5; i++) {
        set_value(chunk, "note", v_text(notes[i]));
        assert_true(text_is(at_path(doc, "chunks[2].note"), notes[i]));
        assert_int_equal(get_int(chunk, "note_size"), strlen(notes[i]));
        assert_int_equal(int_at(doc, "chunks[2].near.id"), 21);
        assert_int_equal(get_int(chunk, "weight"), 6 + 24 + (int64_t)strlen(notes[i]));
        assert_opens(doc);
    }
    FAILS(LATHE_ERR_READONLY, try_set(chunk, "note_size", v_int(3), err));
    FAILS(LATHE_ERR_READONLY, try_set(chunk, "cell_count", v_int(3), err));
    FAILS(LATHE_ERR_TYPE, try_set(chunk, "note", v_int(3), err));
    lathe_doc_close(doc);
}

/* ---- totals ----------------------------------------------------------------------------------------- */

static void totals_that_agree(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("nested", NESTED_SAMPLE);
    assert_int_equal(int_at(doc, "item_total"), 4);
    assert_int_equal(int_at(doc, "groups[1].name_size"), 5);
    OK(lathe_view_insert(view_at(doc, "groups[2].items"), 0, 6, err));
    assert_int_equal(int_at(doc, "item_total"), 10);
    OK(lathe_view_remove(view_at(doc, "groups"), 1, 1, err));
    assert_int_equal(int_at(doc, "item_total"), 4);
    set_value(view_at(doc, "groups[1]"), "name", v_text("ab"));
    assert_int_equal(int_at(doc, "groups[1].name_size"), 2);
    assert_int_equal(int_at(doc, "groups[2].name_size"), 0);
    set_value(view_at(doc, "groups[2]"), "name", v_text("abcd")); /* 0 agreed, too */
    assert_int_equal(int_at(doc, "groups[2].name_size"), 4);
    OK(try_build(view_at(doc, "groups"), "{{items = {{}, {}}}, {}, {items = {{}}}}", err));
    assert_int_equal(int_at(doc, "item_total"), 3);
    lathe_doc_close(doc);
}

static bool one_finding(void *user, const lathe_error *finding)
{
    lathe_error *to = user;
    assert_int_equal(to->code, LATHE_OK); /* the only one */
    *to = *finding;
    return true;
}

static void totals_that_lie_stay(void **state)
{
    (void)state;
    lathe_doc *doc =
        new_doc("nested", "{item_total = 99, groups = {{name_size = 3, name = \"x\"}}}");
    lathe_error found = {.code = LATHE_OK};
    OK(lathe_view_insert(view_at(doc, "groups[1].items"), 0, 2, err));
    set_value(view_at(doc, "groups[1]"), "name", v_text("xy"));
    assert_int_equal(int_at(doc, "item_total"), 99);
    assert_int_equal(int_at(doc, "groups[1].name_size"), 3);
    set_value(view_at(doc, "groups[1]"), "name", v_text("xyz")); /* agrees by chance … */
    assert_int_equal(lathe_doc_check(doc, one_finding, &found), LATHE_OK);
    assert_string_equal(found.where, "item_total");
    assert_int_equal(found.level, LATHE_LEVEL_WARNING);
    assert_non_null(strstr(found.message, "99"));
    set_value(view_at(doc, "groups[1]"), "name", v_text("")); /* … and follows from then on */
    assert_int_equal(int_at(doc, "groups[1].name_size"), 0);
    lathe_doc_close(doc);
}

/* ---- documents in documents -------------------------------------------------------------------------- */

static uint64_t pack_length(lathe_doc *doc)
{
    uint64_t off, size;
    OK(lathe_view_span(view_at(doc, "chunks[3].inner"), NULL, &off, &size, err));
    return size;
}

static void inner_edits_update_outer_sizes(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view sections = view_at(doc, "chunks[3].inner.sections");
    lathe_view last = item_view(sections, 2);
    lathe_value v;
    assert_int_equal(int_at(doc, "chunks[3].inner.value_total"), 3);
    set_value(item_view(sections, 0), "text", v_text("a much longer text"));
    OK(lathe_view_insert(array_of(item_view(sections, 1), "values"), 0, 5, err));
    OK(lathe_view_insert(sections, 1, 2, err));
    OK(lathe_view_remove(sections, 0, 1, err));
    OK(lathe_view_get(last, "text", &v, err));
    assert_true(text_is(v, "s3"));
    assert_int_equal(int_at(doc, "chunks[3].inner.value_total"), 6);
    assert_int_equal(int_at(doc, "chunks[3].inner.length"), pack_length(doc));
    assert_int_equal(int_at(doc, "chunks[3].inner_size"), pack_length(doc));
    assert_int_equal(int_at(doc, "total"), lathe_doc_size(doc));
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 4));
    assert_opens(doc);
    lathe_doc_close(doc);
}

static void inner_documents_come_and_go(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view first = view_at(doc, "chunks[1]"), third = view_at(doc, "chunks[3]");
    lathe_view section = view_at(doc, "chunks[3].inner.sections[2]");
    bytes_copy before = encode(doc);
    lathe_value v;
    set_value(first, "has_inner", v_int(1));
    assert_int_equal(int_at(doc, "chunks[1].inner.length"), 17); /* laid out */
    assert_int_equal(int_at(doc, "chunks[1].inner_size"), 17);
    assert_opens(doc);
    OK(lathe_view_insert(view_at(doc, "chunks[1].inner.sections"), 0, 2, err));
    assert_opens(doc);
    set_value(third, "has_inner", v_int(0));
    assert_int_equal(at_path(doc, "chunks[3].inner").kind, LATHE_KIND_NONE);
    FAILS(LATHE_ERR_REMOVED, lathe_view_get(section, "text", &v, err));
    assert_opens(doc);
    assert_true(lathe_edit_undo(doc, 3));
    assert_true(same_as(doc, before));
    OK(lathe_view_get(section, "text", &v, err));
    assert_true(text_is(v, "s2"));
    assert_true(lathe_edit_undo(doc, -3));
    assert_opens(doc);
    free(before.p);
    lathe_doc_close(doc);
}

/* A section that would be longer than 64 KiB is refused by relayout, and all is as it was. */
static void relayout_may_refuse(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    lathe_view sections = view_at(doc, "chunks[3].inner.sections");
    bytes_copy before = encode(doc);
    OK(lathe_edit_begin(doc, err));
    for (int i = 0; i < 2; i++) /* 255 values of 2 bytes at most: make the section a giant */
        OK(rec_splice(doc, item_view(sections, 0).part, 3, 0, NULL, 0, err));
    lathe_edit_end(doc, true, NULL);
    assert_true(same_as(doc, before));
    FAILS(LATHE_ERR_RANGE,
          lathe_view_insert(array_of(item_view(sections, 0), "values"), 0, 254, err));
    FAILS(LATHE_ERR_RANGE,
          lathe_view_insert(view_at(doc, "chunks[3].inner.sections"), 0, 253, err));
    assert_true(same_as(doc, before));
    OK(lathe_view_insert(view_at(doc, "chunks[3].inner.sections"), 0, 252, err));
    assert_opens(doc);
    free(before.p);
    lathe_doc_close(doc);
}

static void spans_of_parts(void **state)
{
    (void)state;
    lathe_doc *doc = parts_doc();
    uint64_t off, size, next, sum = 0;
    lathe_view chunks = view_at(doc, "chunks");
    for (uint64_t i = 0; i < 4; i++) {
        OK(lathe_view_span(item_view(chunks, i), NULL, &off, &size, err));
        lathe_view place = item_view(view_at(doc, "places"), i);
        assert_int_equal(off, get_int(place, "offset"));
        assert_int_equal(size, get_int(place, "size"));
        assert_true(i == 0 || off == next);
        next = off + size;
        sum += size;
    }
    OK(lathe_view_span(chunks, NULL, &off, &size, err));
    assert_int_equal(size, sum);
    assert_int_equal(off, 10 + 4 * 8);
    lathe_doc_close(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_follow_their_cells),
        cmocka_unit_test(targets_removed_are_nulled),
        cmocka_unit_test(targets_that_must_stay),
        cmocka_unit_test(references_are_checked),
        cmocka_unit_test(overflow_is_refused_first),
        cmocka_unit_test(signed_overflow),
        cmocka_unit_test(padding_is_used_and_made),
        cmocka_unit_test(no_padding_no_change),
        cmocka_unit_test(notes_elsewhere),
        cmocka_unit_test(totals_that_agree),
        cmocka_unit_test(totals_that_lie_stay),
        cmocka_unit_test(inner_edits_update_outer_sizes),
        cmocka_unit_test(inner_documents_come_and_go),
        cmocka_unit_test(relayout_may_refuse),
        cmocka_unit_test(spans_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
