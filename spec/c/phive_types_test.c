/* TYPE sections of mesh shapes as they are made without a file: sizes and checksums of all three, where members lie in each
 * when it is read back, and memory that runs out. */
#include "phive/types.h"

#include "phive/layout.h"
#include "phive/types_table.h"
#include "record/doc.h"
#include "tagfile/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"

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

static buf made(const mem *m, int variant)
{
    buf b;
    buf_init(&b, m);
    assert_true(phive_types_bytes(m, variant, &b));
    return b;
}

/* 21: the real section's. 22 and 23: those of the sections in the corpus, which another program made by the same rule. */
static const struct {
    int variant;
    size_t size;
    uint32_t crc;
} figures[] = {{21, 2528, 0x1F2AB037}, {22, 2572, 0x88580318}, {23, 2864, 0x2EC08008}};

static void test_bytes(void **state)
{
    mem m = mem_default();
    (void)state;
    for (size_t i = 0; i < REC_COUNT_OF(figures); i++) {
        buf b = made(&m, figures[i].variant);
        assert_int_equal(b.size, figures[i].size);
        assert_int_equal(crc32_of(b.data, b.size), figures[i].crc);
        buf_free(&b);
    }
}

/* It is appended, and other variants are refused without a byte. */
static void test_appended(void **state)
{
    mem m = mem_default();
    (void)state;
    buf b;
    buf_init(&b, &m);
    assert_true(buf_put(&b, "abc", 3));
    assert_false(phive_types_bytes(&m, 20, &b));
    assert_false(phive_types_bytes(&m, 24, &b));
    assert_int_equal(b.size, 3);
    assert_true(phive_types_bytes(&m, 21, &b));
    assert_int_equal(b.size, 3 + 2528);
    assert_int_equal(crc32_of(b.data + 3, b.size - 3), 0x1F2AB037);
    buf_free(&b);
}

/* ---- read back ------------------------------------------------------------------------------------------- */

typedef struct reading {
    lathe_doc doc;
    buf bytes;
    tag_types *types;
} reading;

static void read_back(reading *r, int variant)
{
    lathe_error err;
    memset(r, 0, sizeof *r);
    r->doc.mem = mem_default();
    arena_init(&r->doc.arena, &r->doc.mem);
    r->bytes = made(&r->doc.mem, variant);
    assert_int_equal(tag_types_read(&r->doc, r->bytes.data, r->bytes.size, 0, &r->types, &err),
                     LATHE_OK);
}

static void put_away(reading *r)
{
    arena_free(&r->doc.arena);
    buf_free(&r->bytes);
}

static uint32_t id_of(const tag_types *types, const char *name)
{
    char text[160];
    for (uint32_t id = 1; id < types->count; id++) {
        tag_display(types, id, text, sizeof text);
        if (strcmp(text, name) == 0)
            return id;
    }
    return 0;
}

/* Where a member of a class or of its parents lies; -1: there is none. */
static int offset_of(const tag_types *types, const char *class_name, const char *member)
{
    for (uint32_t id = id_of(types, class_name); id; id = types->all[id].parent)
        for (uint32_t i = 0; i < types->all[id].members_n; i++)
            if (strcmp(types->all[id].members[i].name, member) == 0)
                return (int)types->all[id].members[i].offset;
    return -1;
}

enum { OF_21, OF_22, OF_23, VARIANTS };

static const char tree_23[] =
    "hkcdSimdTreeNamespace::hkcdSimdTree<"
    "hkcdSimdTreeNamespace::RelArrayStorage<hkcdSimdTreeNamespace::Node>>";

static const struct {
    const char *class_name, *member;
    int at[VARIANTS]; /* -1: not there */
} places[] = {
    {"hknpMeshShape", "refCount", {0x10, 0x10, 0x10}},
    {"hknpMeshShape", "type", {0x18, 0x18, 0x18}},
    {"hknpMeshShape", "dispatchType", {0x19, 0x19, 0x19}},
    {"hknpMeshShape", "flags", {0x1A, 0x1A, 0x1A}},
    {"hknpMeshShape", "numShapeKeyBits", {0x1C, 0x1C, 0x1C}},
    {"hknpMeshShape", "convexRadius", {0x20, 0x20, 0x20}},
    {"hknpMeshShape", "userData", {0x28, 0x28, 0x28}},
    {"hknpMeshShape", "properties", {0x30, 0x30, 0x30}},
    {"hknpMeshShape", "shapeTagCodecInfo", {0x40, 0x40, 0x40}},
    {"hknpMeshShape", "vertexConversionUtil", {0x50, 0x50, 0x50}},
    {"hknpMeshShape", "shapeTagTable", {0x70, 0x70, 0x70}},
    {"hknpMeshShape", "topLevelTree", {0x78, 0x78, 0x78}},
    {"hknpMeshShape", "geometrySections", {0x90, 0x90, 0x90}},
    {"hknpMeshShape", "primitiveMapping", {-1, 0x98, 0x98}},
    {"hknpMeshShapeVertexConversionUtil", "bitScale16Inv", {0x10, 0x10, 0x10}},
    {"hkcdSimdTree", "nodes", {0, 0, -1}},
    {"hkcdSimdTree", "isCompact", {0x10, 0x10, -1}},
    {tree_23, "nodes", {-1, -1, 0}},
    {tree_23, "firstFreeIndex", {-1, -1, 0x10}},
    {tree_23, "isCompact", {-1, -1, 0x14}},
    {"hkcdSimdTree::Node", "hz", {0x50, 0x50, -1}},
    {"hkcdSimdTree::Node", "data", {0x60, 0x60, -1}},
    {"hkcdSimdTree::Node", "isLeaf", {0x70, 0x70, -1}},
    {"hkcdSimdTree::Node", "isActive", {0x71, 0x71, -1}},
    {"hkcdSimdTreeNamespace::Node", "data", {-1, -1, 0x60}},
    {"hkcdSimdTreeNamespace::Node", "isLeaf", {-1, -1, -1}},
    {"hkcdSimdTreeNamespace::Node", "filterMasks", {-1, -1, 0x70}},
    {"hkcdSimdTreeNamespace::Node", "flags", {-1, -1, 0x74}},
    {"hkcdSimdTreeNamespace::Node", "maxDepth", {-1, -1, 0x75}},
    {"hkcdSimdTreeNamespace::Node", "splittingAxisCache", {-1, -1, 0x76}},
    {"hkcdSimdTreeNamespace::Node", "numAddRemoveOperationsSinceLastRebalance", {-1, -1, 0x77}},
    {"hkcdSimdTreeNamespace::Node", "parent", {-1, -1, 0x78}},
    {"hkcdSimdTreeNamespace::Node", "numLeaves", {-1, -1, 0x7C}},
    {"hknpMeshShape::GeometrySection", "sectionBvh", {0, 0, 0}},
    {"hknpMeshShape::GeometrySection", "primitives", {8, 8, 8}},
    {"hknpMeshShape::GeometrySection", "quantizedVertices", {0x10, -1, -1}},
    {"hknpMeshShape::GeometrySection", "vertexBuffer", {-1, 0x10, 0x10}},
    {"hknpMeshShape::GeometrySection", "interiorPrimitiveBitField", {0x18, 0x18, 0x18}},
    {"hknpMeshShape::GeometrySection", "sectionOffset", {0x20, 0x20, 0x20}},
    {"hknpMeshShape::GeometrySection", "bitScale8Inv", {0x2C, 0x2C, 0x2C}},
    {"hknpMeshShape::GeometrySection", "bitOffset", {0x38, 0x38, 0x38}},
    {"hknpMeshShape::GeometrySection::Vertex16_3", "z", {4, -1, -1}},
    {"hknpMeshShape::GeometrySection::Primitive", "dId", {3, 3, 3}},
    {"hknpMeshShape::ShapeTagTableEntry", "shapeTag", {4, 4, 4}},
    {"hknpAabb8TreeNode", "hz", {0x14, 0x14, 0x14}},
    {"hknpAabb8TreeNode", "data", {0x18, 0x18, 0x18}},
};

static void test_members(void **state)
{
    (void)state;
    for (int v = OF_21; v < VARIANTS; v++) {
        reading r;
        read_back(&r, 21 + v);
        for (size_t i = 0; i < REC_COUNT_OF(places); i++)
            assert_int_equal(offset_of(r.types, places[i].class_name, places[i].member),
                             places[i].at[v]);
        put_away(&r);
    }
}

/* Numbers that programs which know the games write in items; sizes; hashes. 0: not there. */
static const struct {
    const char *name;
    uint32_t id[VARIANTS], size;
    uint32_t hash; /* 0: it has none */
} types[] = {
    {"hknpMeshShape", {1, 1, 1}, 160, 0xEF99260B},
    {"hknpMeshShape::ShapeTagTableEntry", {5, 5, 5}, 8, 0x86242BCF},
    {"hkcdSimdTree::Node", {0x0E, 0x10, 0}, 128, 0xE4C7731E},
    {"hkcdSimdTreeNamespace::Node", {0, 0, 9}, 128, 0x51410009},
    {"hknpMeshShape::GeometrySection", {9, 9, 11}, 64, 0xBC093FDD},
    {"hknpAabb8TreeNode", {0x2B, 0x2D, 0x31}, 28, 0xD075C85D},
    {"hknpMeshShape::GeometrySection::Primitive", {0x2D, 0x2F, 0x33}, 4, 0x0DEE5974},
    {"hknpMeshShape::GeometrySection::Vertex16_3", {0x2F, 0, 0}, 6, 0x27539477},
    {"hkUint8", {0x13, 0x16, 0x16}, 1, 0xDDD4337B},
    {"unsigned int", {0x1C, 0x1F, 0x1F}, 4, 0},
    {"hknpMeshShapePrimitiveMapping", {0, 0x0B, 0x0D}, 0, 0},
    {"hkRelPtr<hknpMeshShapePrimitiveMapping>", {0, 0x0A, 0x0C}, 8, 0},
    {"hknpShape", {0x0A, 0x0C, 0x0E}, 64, 0},
    {"hkcdSimdTree", {7, 7, 0}, 24, 0},
    {"T[N]<hkUint8, 4>", {0x37, 0x37, 0x2D}, 4, 0},
};

static void test_numbers(void **state)
{
    static const uint32_t counts[VARIANTS] = {56, 56, 59}, hashes[VARIANTS] = {8, 7, 7};
    (void)state;
    for (int v = OF_21; v < VARIANTS; v++) {
        reading r;
        read_back(&r, 21 + v);
        assert_int_equal(r.types->count, counts[v]);
        assert_int_equal(r.types->hashes_n, hashes[v]);
        assert_false(r.types->odd);
        for (size_t i = 0; i < REC_COUNT_OF(types); i++) {
            uint32_t id = id_of(r.types, types[i].name);
            assert_int_equal(id, types[i].id[v]);
            if (!id)
                continue;
            assert_int_equal(r.types->all[id].is.size, types[i].size);
            assert_int_equal(r.types->all[id].hash, types[i].hash);
            assert_int_equal(r.types->all[id].hashed != 0, types[i].hash != 0);
        }
        put_away(&r);
    }
}

/* What reads shapes finds all of its members in each. */
static void test_layout(void **state)
{
    (void)state;
    for (int v = OF_21; v < VARIANTS; v++) {
        reading r;
        phive_layout layout;
        lathe_error err;
        read_back(&r, 21 + v);
        assert_int_equal(phive_layout_read(r.types, 1, &layout, &err), LATHE_OK);
        assert_int_equal(layout.variant, 21 + v);
        assert_int_equal(layout.shape.size, 160);
        assert_int_equal(layout.sections, 0x90);
        assert_int_equal(layout.mapping, v == OF_21 ? PHIVE_ABSENT : 0x98);
        assert_int_equal(layout.node.type, types[v == OF_23 ? 3 : 2].id[v]);
        assert_int_equal(layout.vertex.size, v == OF_21 ? 6 : 1);
        assert_int_equal(layout.vertex.type, v == OF_21 ? 0x2F : 0x16);
        assert_int_equal(layout.bit.type, v == OF_21 ? 0x13 : 0x16);
        put_away(&r);
    }
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static bool is_class(const char *name, uint8_t variant)
{
    for (const phive_class *c = phive_classes; c->name; c++)
        if (strcmp(c->name, name) == 0 && (!c->in || c->in & variant))
            return true;
    return false;
}

/* A class is there once a variant, and whatever it names is there, too. */
static void check_class(const phive_class *c, uint8_t variant)
{
    for (const phive_class *d = phive_classes; d < c; d++)
        assert_true(strcmp(d->name, c->name) != 0 || (d->in && !(d->in & variant)));
    assert_true(!c->parent || is_class(c->parent, variant));
    assert_true(!c->sub_type || is_class(c->sub_type, variant));
    for (size_t i = 0; i < REC_COUNT_OF(c->args) && c->args[i].name; i++)
        assert_int_equal(c->args[i].name[0] == 't',
                         c->args[i].type && is_class(c->args[i].type, variant));
    for (uint32_t i = 0; i < c->members_n; i++)
        if (!c->members[i].in || c->members[i].in & variant)
            assert_true(is_class(c->members[i].type, variant));
}

static void test_table(void **state)
{
    (void)state;
    for (uint8_t variant = PHIVE_21; variant <= PHIVE_23; variant = (uint8_t)(2 * variant))
        for (const phive_class *c = phive_classes; c->name; c++)
            if (!c->in || c->in & variant)
                check_class(c, variant);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static void test_memory(void **state)
{
    (void)state;
    for (long left = 0;; left++) {
        memory short_of = {left, 0};
        mem m = {take, &short_of};
        buf b;
        buf_init(&b, &m);
        bool done = phive_types_bytes(&m, 23, &b);
        if (done)
            assert_int_equal(crc32_of(b.data, b.size), 0x2EC08008);
        buf_free(&b);
        assert_int_equal(short_of.blocks, 0);
        if (done) {
            assert_true(left > 10);
            return;
        }
    }
}

/* ---- the corpus ------------------------------------------------------------------------------------------ */

/* The TYPE section of a file of the corpus. */
static size_t type_section(const char *folder, int variant, uint8_t *to, size_t cap)
{
    char path[512];
    snprintf(path, sizeof path, "%s/bphsh/v%d_box.bphsh", folder, variant);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    static uint8_t file[8192];
    size_t n = fread(file, 1, sizeof file, f), size = 0;
    fclose(f);
    for (size_t i = 4; i + 4 < n && !size; i++)
        if (memcmp(file + i, "TYPE", 4) == 0) {
            size = (size_t)file[i - 3] << 16 | (size_t)file[i - 2] << 8 | file[i - 1];
            assert_true(size <= cap && size <= n - (i - 4));
            memcpy(to, file + i - 4, size);
        }
    return size;
}

static void test_corpus(void **state)
{
    const char *folder = getenv("LATHE_CORPUS");
    mem m = mem_default();
    (void)state;
    if (!folder)
        skip();
    for (int variant = 21; variant <= 23; variant++) {
        uint8_t theirs[4096];
        size_t n = type_section(folder, variant, theirs, sizeof theirs);
        buf b = made(&m, variant);
        assert_int_equal(b.size, n);
        assert_memory_equal(b.data, theirs, n);
        buf_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_appended),
        cmocka_unit_test(test_members), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_layout),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
