/* core/phive/write: a built shape as DATA and ITEM, by the types of each variant. What is asserted of a triangle are the bytes
 * of a file in the corpus; of more sections than a chunk has, the order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "phive/types.h"
#include "phive/write.h"
#include "record/doc.h"

#include <stdlib.h>
#include <string.h>

#include "short_memory.h"

typedef struct written {
    lathe_doc doc; /* for the memory of the types */
    buf types_bytes;
    tag_types *types;
    phive_layout layout;
    phive_built built;
    tag_ordered out;
} written;

static uint32_t crc32_of(const uint8_t *p, size_t n)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint32_t shape_type(const tag_types *types)
{
    for (uint32_t id = 1; id < types->count; id++)
        if (strcmp(types->all[id].name, "hknpMeshShape") == 0)
            return id;
    return 0;
}

/* `n` triangles, each too far from the next for a section of both. */
static void start(written *w, int variant, uint32_t n)
{
    lathe_error err;
    memset(w, 0, sizeof *w);
    w->doc.mem = mem_default();
    arena_init(&w->doc.arena, &w->doc.mem);
    buf_init(&w->types_bytes, &w->doc.mem);
    assert_true(phive_types_bytes(&w->doc.mem, variant, &w->types_bytes));
    assert_int_equal(
        tag_types_read(&w->doc, w->types_bytes.data, w->types_bytes.size, 0, &w->types, &err),
        LATHE_OK);
    assert_int_equal(phive_layout_read(w->types, shape_type(w->types), &w->layout, &err), LATHE_OK);

    float(*points)[3] = calloc(3 * (size_t)n + 1, sizeof *points);
    uint32_t *indices = calloc(3 * (size_t)n + 1, sizeof *indices);
    uint16_t *tags = calloc((size_t)n + 1, sizeof *tags);
    for (uint32_t i = 0; i < n; i++) {
        const float x = 200.0F * (float)(i % 64), z = 200.0F * (float)(i / 64);
        const float at[3][3] = {{x, 0, z}, {x, 0, z + 1}, {x + 1, 0, z}};
        memcpy(points + 3 * (size_t)i, at, sizeof at);
        for (uint32_t c = 0; c < 3; c++)
            indices[3 * i + c] = 3 * i + c;
        tags[i] = (uint16_t)(i % 2);
    }
    const phive_mesh mesh = {points[0], 3 * (size_t)n, indices, n, tags};
    const phive_build_options options = {.variant = (phive_variant)variant};
    assert_int_equal(phive_build(&w->built, &mesh, &options, &w->doc.mem, &err), LATHE_OK);
    free(points);
    free(indices);
    free(tags);
    tag_ordered_init(&w->out, &w->doc.mem);
}

static void stop(written *w)
{
    tag_ordered_free(&w->out);
    phive_built_free(&w->built);
    arena_free(&w->doc.arena);
    buf_free(&w->types_bytes);
}

static void write_out(written *w, const uint8_t *root)
{
    lathe_error err;
    assert_int_equal(phive_write(&w->built, &w->layout, root, &w->out, &err), LATHE_OK);
    assert_int_equal(w->out.data.size % 16, 0);
    assert_int_equal(w->out.objects, 1);
}

/* Item i: its type with its kind, where it begins, how many elements. */
static void item(const written *w, size_t i, uint32_t type, uint32_t offset, uint32_t count)
{
    const uint8_t *row = w->out.items.data + i * 12;
    assert_true((i + 1) * 12 <= w->out.items.size);
    assert_int_equal(bytes_ld32(row, false), type);
    assert_int_equal(bytes_ld32(row + 4, false), offset);
    assert_int_equal(bytes_ld32(row + 8, false), count);
}

/* Every byte of v22_onetri's DATA, and its items. */
static void one_triangle(void **state)
{
    (void)state;
    written w;
    start(&w, 22, 1);
    write_out(&w, NULL);
    assert_int_equal(w.out.data.size, 720);
    assert_int_equal(crc32_of(w.out.data.data, 720), 0xC1D3AE8F);
    assert_int_equal(w.out.items.size, 9 * 12);
    item(&w, 0, 0, 0, 0);
    item(&w, 1, 0x10000001, 0, 1);
    item(&w, 2, 0x20000005, 0xA0, 2);
    item(&w, 3, 0x20000010, 0xB0, 3);
    item(&w, 4, 0x20000009, 0x230, 1);
    item(&w, 5, 0x2000002D, 0x270, 1);
    item(&w, 6, 0x2000002F, 0x290, 1);
    item(&w, 7, 0x20000016, 0x2A0, 20);
    item(&w, 8, 0x20000016, 0x2C0, 1);
    stop(&w);

    start(&w, 21, 1); /* vertices are counted, and the end has no padding */
    write_out(&w, NULL);
    item(&w, 3, 0x2000000E, 0xB0, 3);
    item(&w, 5, 0x2000002B, 0x270, 1);
    item(&w, 6, 0x2000002D, 0x290, 1);
    item(&w, 7, 0x2000002F, 0x2A0, 3);
    item(&w, 8, 0x20000013, 0x2C0, 1);
    stop(&w);
}

static void nothing(void **state)
{
    (void)state;
    written w;
    start(&w, 22, 0);
    write_out(&w, NULL);
    assert_int_equal(w.out.items.size, 5 * 12);
    item(&w, 2, 0x20000005, 0xA0, 1);
    item(&w, 3, 0x20000010, 0xB0, 2);
    item(&w, 4, 0x20000009, 0x1B0, 0);
    assert_int_equal(w.out.data.size, 0x1B0);
    assert_int_equal(w.out.data.data[w.layout.key_bits], 0);
    stop(&w);
}

/* What V23's nodes have behind their lanes: formats/bphsh.md#3.5, as v23_box and v23_multi have it. */
static void nodes_of_v23(void **state)
{
    (void)state;
    static const uint8_t none[16] = {0};
    static const uint8_t root[16] = {0xFF, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3};
    static const uint8_t leaf[16] = {0xFF, 0xFF, 0xFF, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3};
    written w;
    start(&w, 23, 3);
    write_out(&w, NULL);
    const uint8_t *data = w.out.data.data, *nodes = data + 0xC0;
    assert_int_equal(w.built.top_count, 3);
    assert_int_equal(bytes_ld32(data + w.layout.nodes, false), 0xC0 - w.layout.nodes);
    assert_int_equal(bytes_ld32(data + w.layout.nodes + 8, false), 3);
    assert_memory_equal(nodes + 0x70, none, 16);
    assert_memory_equal(nodes + 0x80 + 0x70, root, 16);
    assert_memory_equal(nodes + 0x100 + 0x70, leaf, 16);
    assert_int_equal(bytes_ld32(nodes, false), 0x7F7FFFEE); /* node 0 has empty lanes, too */
    assert_int_equal(bytes_ld32(nodes + 0x1C, false), 0xFF7FFFEE);
    assert_int_equal(data[w.layout.compact], 1);
    assert_int_equal(data[w.layout.type], 7);
    assert_int_equal(data[w.layout.dispatch_type], 2);
    stop(&w);
}

/* What does not follow from the triangles stays, what does not. */
static void old_root(void **state)
{
    (void)state;
    uint8_t root[0xA0];
    written w;
    start(&w, 23, 1);
    memset(root, 0xEE, sizeof root);
    root[w.layout.type] = 8;
    bytes_st64(root + w.layout.user_data, 0x123456789, false);
    write_out(&w, root);
    const uint8_t *data = w.out.data.data;
    assert_int_equal(data[w.layout.type], 8);
    assert_int_equal(bytes_ld64(data + w.layout.user_data, false), 0x123456789);
    assert_int_equal(data[w.layout.key_bits], 9);
    assert_int_equal(bytes_ld32(data + w.layout.scale, false), 0x44000000);
    assert_int_equal(bytes_ld32(data + w.layout.scale_inv + 8, false), 0x3B000000);
    assert_int_equal(bytes_ld32(data + w.layout.first_free, false), 0);
    assert_int_equal(data[w.layout.compact], 1);
    assert_int_equal(bytes_ld64(data + w.layout.mapping, false), 0);
    stop(&w);
}

/* Arrays lie side by side in chunks of 1,024 sections, and each head leads to its own. */
static void chunks(void **state)
{
    (void)state;
    enum { SECTIONS = 1030, LEFT = SECTIONS - 1024 };
    static const uint32_t types[4] = {0x2000002D, 0x2000002F, 0x20000016, 0x20000016};
    written w;
    start(&w, 22, SECTIONS);
    assert_int_equal(w.built.section_count, SECTIONS);
    write_out(&w, NULL);
    const phive_layout *l = &w.layout;
    const uint32_t heads[4] = {l->bvh, l->primitives, l->vertices, l->bits};
    assert_int_equal(w.out.items.size, (5 + 4 * SECTIONS) * 12);
    const uint32_t sections = bytes_ld32(w.out.items.data + 4 * 12 + 4, false);
    uint32_t end = 0;
    for (uint32_t i = 0; i < 4 * SECTIONS; i++) {
        const uint32_t in = i < 4 * 1024 ? i : i - 4 * 1024, per = i < 4 * 1024 ? 1024 : LEFT;
        const uint32_t kind = in / per, section = in % per + (i < 4 * 1024 ? 0 : 1024);
        const uint8_t *row = w.out.items.data + (5 + (size_t)i) * 12;
        const uint32_t at = bytes_ld32(row + 4, false);
        assert_int_equal(bytes_ld32(row, false), types[kind]);
        assert_int_equal(at % 16, 0);
        assert_true(at >= end);
        const uint32_t head = sections + section * 0x40 + heads[kind];
        assert_int_equal(head + bytes_ld32(w.out.data.data + head, false), at);
        assert_int_equal(bytes_ld32(w.out.data.data + head + 4, false), bytes_ld32(row + 8, false));
        end = at + 1;
    }
    stop(&w);
}

static void short_memory(void **state)
{
    (void)state;
    long calls = 0;
    for (bool done = false; !done; calls++) {
        written w;
        lathe_error err;
        memory left = {.left = calls};
        const mem m = {.fn = take, .user = &left};
        start(&w, 22, 40);
        tag_ordered_free(&w.out);
        tag_ordered_init(&w.out, &m);
        const lathe_result r = phive_write(&w.built, &w.layout, NULL, &w.out, &err);
        done = r == LATHE_OK;
        if (!done)
            assert_int_equal(r, LATHE_ERR_MEMORY);
        stop(&w);
        assert_int_equal(left.blocks, 0);
    }
    assert_true(calls > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triangle), cmocka_unit_test(nothing), cmocka_unit_test(nodes_of_v23),
        cmocka_unit_test(old_root),     cmocka_unit_test(chunks),  cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
