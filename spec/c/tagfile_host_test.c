/* Tagfiles through the C interface alone: opened, described, edited, appended to, written anew; and with memory that runs out
 * at every single call: nothing leaks then, and nothing is half done. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

/* Two tracks and a root, of classes that no game has: `plain` of sample_tagfile. */
static const char hex[] =
    "00000538544147304000001053444b5632303135303130304000012844415441020000000000000000000000000000"
    "00"
    "05000000000000000900000000000000030000000000000006000000000000000a0000000000000004000000000000"
    "00"
    "07000000000000000b0000000000000003000000000000000800000000000000000000000000000000000000000000"
    "00"
    "4f6e650054776f004f6e6520616761696e004e6f6e650000686b547261636b00686b547261636b00686b547261636b"
    "00"
    "00000000000000000000000000000000070000000000003f0c0000000000000000000000000000000d000000000000"
    "00"
    "ffff000001000200030066697273740000000000000000000000000000000000f9ffffff0000000000000000000000"
    "00"
    "00000000000000000e0000000000000000000000000000000000000000000000000002d45459504540000088545054"
    "52"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00"
    "000000000000000000000000000000000000000000000000000000000000000040000074545354527573686f727400"
    "68"
    "6b5265666572656e6365644f626a656374007465787400542a00745400686b56617269616e7400686b417272617900"
    "69"
    "6e7400686b526f6f744c6576656c436f6e7461696e657200666c6f61740073686f727400686b547261636b00636861"
    "72"
    "0000000040000034544e414d1000000100020003010402050006010405030104050700080009000a000601040b0301"
    "04"
    "0b0b000c0000000040000094465354526d656d53697a65416e64466c61677300726566436f756e74006e616d650063"
    "6c"
    "6173734e616d650076617269616e74006d5f64617461006d5f73697a65006d5f6361706163697479416e64466c6167"
    "73"
    "006e616d656456617269616e7473006e756d6265724f66547261636b730077656967687400706172656e74496e6469"
    "63"
    "6573006c6162656c00000000400000b854424f44010009c040040202020029071008020025080101250a0103000903"
    "08"
    "0804000b060208080500290718080302200003032008030420100406002b0805100803052200070622080807220c08"
    "07"
    "000b06050808080009c08204040409002907100801082000060a0009d7460504040b0009c0420402020c002b080b10"
    "08"
    "030522000d0622080807220c080d000b060b08080e022d0703300804092010080a20140a0b20180c0c2028030f0009"
    "a0"
    "0401010040000048544853480c09f003000005ec0300000ef50300000f0e0000000b0a000000010000000002e90300"
    "00"
    "0302000000064d00000008070000000a090000000c4d000000000000400000085450414400000124494e4458400000"
    "bc"
    "4954454d0000000000000000000000000900001000000000010000000500002010000000040000000e000010a00000"
    "00"
    "010000000e000010e0000000010000000f00002070000000040000000f00002074000000040000000f000020780000"
    "00"
    "0a0000000f00002082000000050000000f00002088000000080000000f00002090000000080000000f000020980000"
    "00"
    "080000000b000020d0000000050000000f000020da000000060000000f000020100100000100000040000060505443"
    "48"
    "030000000900000010000000180000002800000030000000400000004800000058000000c800000008010000040000"
    "00"
    "030000002000000038000000500000000600000001000000000000000c00000001000000b8000000";

static uint8_t file[sizeof hex / 2];

static int unhex(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof file; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], 0};
        file[i] = (uint8_t)strtoul(two, NULL, 16);
    }
    return 0;
}

static lathe_result open_with(memory *m, lathe_doc **doc, lathe_error *err)
{
    const lathe_options options = {
        .size = sizeof options, .format = "tagfile", .history = 9, .alloc = take, .alloc_user = m};
    return lathe_doc_parse(file, sizeof file, &options, doc, err);
}

static lathe_result at(lathe_doc *doc, const char *path, lathe_value *out, lathe_error *err)
{
    return lathe_view_at(lathe_doc_root(doc), path, out, err);
}

static bool get_class(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    (void)node, (void)i;
    *child = NULL;
    if (!name || strcmp(name, "class") != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {user, strlen(user)}};
    return true;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result append_track(lathe_doc *doc, lathe_error *err)
{
    lathe_value list, made;
    static char class[] = "hkTrack";
    const lathe_source source = {
        .size = sizeof source, .user = class, .get = get_class, .count = count_none};
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = at(doc, "objects", &list, err);
    uint64_t n = r == LATHE_OK ? lathe_view_count(list.as.v) : 0;
    if (r == LATHE_OK)
        r = lathe_view_insert(list.as.v, n, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(list.as.v, n, &made, err);
    if (r == LATHE_OK)
        r = lathe_view_build(made.as.v, &source, err);
    lathe_edit_end(doc, r == LATHE_OK, NULL);
    return r;
}

/* A number, a text, an array and an object. */
static lathe_result edit(lathe_doc *doc, lathe_error *err)
{
    lathe_value track, list, three = {.kind = LATHE_KIND_INT, .as.i = 3},
                             text = {.kind = LATHE_KIND_STRING, .as.s = {"a longer label", 14}};
    lathe_result r = at(doc, "objects[2]", &track, err);
    if (r == LATHE_OK)
        r = lathe_view_set(track.as.v, "number_of_tracks", &three, err);
    if (r == LATHE_OK)
        r = lathe_view_set(track.as.v, "label", &text, err);
    if (r == LATHE_OK)
        r = at(doc, "objects[2].parent_indices", &list, err);
    if (r == LATHE_OK)
        r = lathe_view_insert(list.as.v, 1, 2, err);
    if (r == LATHE_OK)
        r = lathe_view_set_item(list.as.v, 2, &three, err);
    return r == LATHE_OK ? append_track(doc, err) : r;
}

static void is_edited(lathe_doc *doc)
{
    lathe_value v;
    lathe_error err;
    assert_int_equal(at(doc, "objects[2].number_of_tracks", &v, &err), LATHE_OK);
    assert_int_equal(v.as.i, 3);
    assert_int_equal(at(doc, "objects[2].label", &v, &err), LATHE_OK);
    assert_memory_equal(v.as.s.p, "a longer label", 14);
    assert_int_equal(at(doc, "objects[2].parent_indices[3]", &v, &err), LATHE_OK);
    assert_int_equal(v.as.i, 3);
    assert_int_equal(at(doc, "objects[2].parent_indices[4]", &v, &err), LATHE_OK);
    assert_int_equal(v.as.i, 0);
    assert_int_equal(at(doc, "objects[4]", &v, &err), LATHE_OK);
    assert_string_equal(lathe_view_type(v.as.v), "hkTrack");
}

static void a_host_edits(void **state)
{
    static bytes encoded, made;
    memory m = {.left = -1};
    lathe_doc *doc = NULL, *again = NULL;
    lathe_error err;
    lathe_value track;
    lathe_field_info info = {.size = sizeof info};
    const lathe_options plain = {.size = sizeof plain, .format = "tagfile"};
    (void)state;
    assert_int_equal(open_with(&m, &doc, &err), LATHE_OK);
    assert_int_equal(at(doc, "objects[2]", &track, &err), LATHE_OK);
    assert_true(lathe_view_describe(track.as.v, 0, &info) && info.name[0]);
    assert_int_equal(edit(doc, &err), LATHE_OK);
    is_edited(doc);
    assert_int_equal(lathe_doc_encode(doc, keep, &encoded, &err), LATHE_OK);
    assert_int_equal(lathe_doc_serialize(lathe_doc_root(doc), NULL, keep, &made, &err), LATHE_OK);
    assert_int_equal(lathe_doc_parse(encoded.data, encoded.n, &plain, &again, &err), LATHE_OK);
    is_edited(again);
    lathe_doc_close(again);
    assert_int_equal(lathe_doc_parse(made.data, made.n, &plain, &again, &err), LATHE_OK);
    is_edited(again);
    lathe_doc_close(again);
    while (lathe_edit_undo(doc, 1))
        continue;
    encoded.n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, &encoded, &err), LATHE_OK);
    assert_int_equal(encoded.n, sizeof file);
    assert_memory_equal(encoded.data, file, sizeof file);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
}

static lathe_result all_of_it(memory *m, bytes *made, lathe_error *err)
{
    lathe_doc *doc = NULL;
    lathe_result r = open_with(m, &doc, err);
    if (r != LATHE_OK)
        return r;
    r = edit(doc, err);
    if (r == LATHE_OK)
        r = lathe_doc_serialize(lathe_doc_root(doc), NULL, keep, made, err);
    lathe_doc_close(doc);
    return r;
}

static void memory_runs_out(void **state)
{
    static bytes made;
    lathe_error err;
    long n = 0;
    (void)state;
    for (lathe_result r = LATHE_ERR_MEMORY; r != LATHE_OK; n++) {
        memory m = {.left = n};
        made.n = 0;
        r = all_of_it(&m, &made, &err);
        if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
            fail_msg("call %ld: %s %s", n, err.where, err.message);
        assert_int_equal(m.blocks, 0);
        assert_true(n < 10000);
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_edits),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, unhex, NULL);
}
