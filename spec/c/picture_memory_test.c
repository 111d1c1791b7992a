/* Textures are read and pictures drawn with memory that runs out at every single call: each says so and keeps nothing, and with
 * all the memory that it asks for the result is the same again. */
#include "lathe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "picture/pixels.h"
#include "short_memory.h"
#include "small_clips.h"

/* ---- textures ------------------------------------------------------------------------------------ */

static void put32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

enum {
    HEADER = 128,
    MORE = 20,
    SIDE = 16,
    COLORS = SIDE * SIDE * 4,
    BC7 = 98 /* DXGI_FORMAT_BC7_UNORM */
};

/* One level of SIDE x SIDE pixels: of the kind of a letter code with blocks of so many bytes, or uncompressed. "DX10" is BC7.
 * Returns the bytes. */
static size_t make_dds(uint8_t *out, const char *code, size_t block)
{
    const bool more = code && strcmp(code, "DX10") == 0;
    const size_t header = more ? HEADER + MORE : HEADER;
    const size_t n = header + (code ? SIDE * SIDE / 16 * block : COLORS);
    memset(out, 0, header);
    memcpy(out, "DDS ", 4);
    put32(out + 4, 124);
    put32(out + 8, 0x1007);
    put32(out + 12, SIDE);
    put32(out + 16, SIDE);
    put32(out + 28, 1);
    put32(out + 76, 32);
    put32(out + 80, code ? 4 : 0x41);
    if (code)
        memcpy(out + 84, code, 4);
    put32(out + 88, 32);
    for (unsigned i = 0; i < 4; i++)
        put32(out + 92 + 4 * i, 0xffU << 8 * i);
    if (more) {
        put32(out + HEADER, BC7);
        put32(out + HEADER + 4, 3); /* two dimensions */
        put32(out + HEADER + 12, 1);
    }
    for (size_t i = header; i < n; i++)
        out[i] = (uint8_t)(i * 37);
    return n;
}

static bool same_textures(const picture_texture *a, const picture_texture *b)
{
    bool same = a->level_count == b->level_count && a->has_alpha == b->has_alpha;
    for (unsigned i = 0; same && i < a->level_count; i++)
        same = a->levels[i].width == b->levels[i].width &&
               memcmp(a->levels[i].rgba, b->levels[i].rgba,
                      (size_t)4 * a->levels[i].width * a->levels[i].height) == 0;
    return same;
}

/* Returns how many calls it needs. */
static long read_at_every_call(const uint8_t *file, size_t n, uint32_t largest)
{
    memory m = {.left = -1};
    const mem short_mem = {take, &m};
    picture_texture wanted, t;
    lathe_error err;
    assert_int_equal(picture_dds_read(&short_mem, file, n, largest, &wanted, &err), LATHE_OK);
    const long held = m.blocks;
    for (long calls = 0;; calls++) {
        err = (lathe_error){.code = LATHE_OK};
        m.left = calls;
        lathe_result r = picture_dds_read(&short_mem, file, n, largest, &t, &err);
        m.left = -1;
        if (r == LATHE_OK) {
            assert_true(same_textures(&wanted, &t));
            picture_texture_free(&short_mem, &t);
            picture_texture_free(&short_mem, &wanted);
            assert_int_equal(m.blocks, 0);
            return calls;
        }
        assert_int_equal(r, LATHE_ERR_MEMORY);
        assert_int_equal(err.code, LATHE_ERR_MEMORY);
        assert_string_equal(err.message, "out of memory");
        assert_int_equal(t.level_count, 0);
        assert_int_equal(m.blocks, held);
    }
}

static void textures(void **state)
{
    static const struct {
        const char *code;
        size_t block;
    } kinds[] = {{"DXT1", 8},  {"DXT3", 16}, {"DXT5", 16}, {"ATI1", 8},
                 {"ATI2", 16}, {"DX10", 16}, {NULL, 0}};
    uint8_t file[HEADER + MORE + COLORS];
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = make_dds(file, kinds[i].code, kinds[i].block);
        /* levels of 16, 8, 4, 2 and 1 pixels: each asks for its pixels and sums, the first for its rows too */
        assert_int_equal(read_at_every_call(file, n, 64), 5 * 2 + 1);
        assert_int_equal(read_at_every_call(file, n, 4), 3 * 2 + 1); /* reduced from 16 */
    }
}

/* ---- pictures ------------------------------------------------------------------------------------ */

typedef struct digest {
    uint64_t hash, size;
} digest;

static bool add(void *user, const void *p, size_t n)
{
    digest *d = user;
    const uint8_t *byte = p;
    for (size_t i = 0; i < n; i++)
        d->hash = (d->hash ^ byte[i]) * 0x100000001b3U;
    d->size += n;
    return true;
}

/* A .solid of one triangle: numbers have the most significant byte first. */
static const uint8_t triangle[] = {
    0,    3,    0, 1,                               /* vertices, triangles */
    0,    0,    0, 0, 0,    0,    0, 0, 0, 0, 0, 0, /* 0, 0, 0 */
    0x40, 0x80, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, /* 4, 0, 0 */
    0,    0,    0, 0, 0x40, 0x80, 0, 0, 0, 0, 0, 0, /* 0, 4, 0 */
    0,    0,    0, 0, 0,    1,    0, 0, 0, 2, 0, 0, /* corners, each with two bytes after it */
    0,    0,    0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* Names of the two tracks of small_spline. */
static const char bones[] =
    "<?xml version=\"1.0\" encoding=\"ascii\"?>\n"
    "<hkpackfile classversion=\"8\" contentsversion=\"hk_2010.2.0-r1\" toplevelobject=\"#1\">"
    "<hksection name=\"__data__\">"
    "<hkobject name=\"#2\" class=\"hkaSkeleton\" signature=\"0x366e8220\">"
    "<hkparam name=\"name\">Root</hkparam>"
    "<hkparam name=\"parentIndices\" numelements=\"2\">-1 0</hkparam>"
    "<hkparam name=\"bones\" numelements=\"2\">"
    "<hkobject><hkparam name=\"name\">Root</hkparam></hkobject>"
    "<hkobject><hkparam name=\"name\">Arm</hkparam></hkobject></hkparam>"
    "<hkparam name=\"referencePose\" numelements=\"2\">"
    "(0 0 0)(0 0 0 1)(1 1 1) (0 0 5)(0 0 0 1)(1 1 1)</hkparam>"
    "</hkobject>"
    "<hkobject name=\"#1\" class=\"hkRootLevelContainer\">"
    "<hkparam name=\"namedVariants\" numelements=\"1\"><hkobject>"
    "<hkparam name=\"name\">x</hkparam><hkparam name=\"variant\">#2</hkparam>"
    "</hkobject></hkparam></hkobject></hksection></hkpackfile>\n";

typedef struct scene {
    const uint8_t *data;
    size_t size;
    const char *format;
    bool against;   /* compared with the same file */
    unsigned cells; /* 0: one document, which is open */
    lathe_preview_options options;
    memory *memory; /* of the documents too */
    long opened;
} scene;

static lathe_result open_one(void *user, size_t i, lathe_doc **doc, lathe_error *err)
{
    scene *s = user;
    const lathe_options options = {
        .size = sizeof options, .format = s->format, .alloc = take, .alloc_user = s->memory};
    (void)i;
    lathe_result r = lathe_doc_parse(s->data, s->size, &options, doc, err);
    s->opened += r == LATHE_OK;
    return r;
}

static void close_one(void *user, size_t i, lathe_doc *doc)
{
    scene *s = user;
    (void)i;
    s->opened--;
    lathe_doc_close(doc);
}

/* Draws with memory for so many calls; -1: for all. */
static lathe_result draw(scene *s, long calls, digest *d, lathe_error *err)
{
    lathe_preview_document list[3] = {{NULL, "one"}, {NULL, "two"}, {NULL, "three"}};
    lathe_preview_document other = {NULL, "other"};
    memory m = {.left = -1};
    lathe_preview_options o = s->options;
    o.size = sizeof o;
    o.width = o.height = s->cells ? 256 : 128;
    o.alloc = take;
    o.alloc_user = &m;
    o.open = open_one;
    o.close = close_one;
    o.user = s;
    s->memory = &m;
    s->opened = 0;
    *d = (digest){0xcbf29ce484222325U, 0};
    *err = (lathe_error){.code = LATHE_OK};
    if (!s->cells)
        assert_int_equal(open_one(s, 0, &list[0].doc, err), LATHE_OK);
    if (s->against) {
        assert_int_equal(open_one(s, 1, &other.doc, err), LATHE_OK);
        o.against = &other;
    }
    m.left = calls;
    lathe_result r = lathe_preview(list, s->cells ? s->cells : 1, &o, add, d, NULL, err);
    m.left = -1;
    if (list[0].doc)
        close_one(s, 0, list[0].doc);
    if (other.doc)
        close_one(s, 1, other.doc);
    assert_int_equal(s->opened, 0);
    assert_int_equal(m.blocks, 0);
    return r;
}

static void draw_at_every_call(scene s)
{
    for (int svg = 0; svg < 2; svg++) {
        digest wanted, d;
        lathe_error err;
        s.options.svg = svg != 0;
        if (draw(&s, -1, &wanted, &err) != LATHE_OK)
            fail_msg("%s", err.message);
        assert_true(wanted.size > 500);
        long calls = 0;
        for (; draw(&s, calls, &d, &err) != LATHE_OK; calls++) {
            const char *says = strstr(err.message, "out of memory"); /* behind a document's name */
            if (err.code != LATHE_ERR_MEMORY || !says || strcmp(says, "out of memory") != 0)
                fail_msg("after %ld calls: %d, %s", calls, (int)err.code, err.message);
        }
        assert_true(calls > 10);
        assert_true(d.hash == wanted.hash && d.size == wanted.size);
    }
}

static void pictures_of_meshes(void **state)
{
    scene s = {.data = triangle, .size = sizeof triangle, .format = "solid"};
    (void)state;
    s.options.title = "a long title, which does not fit into one line: caf\xc3\xa9 \xff";
    draw_at_every_call(s);
    s.against = true;
    draw_at_every_call(s);
}

static void sheets(void **state)
{
    scene s = {.data = triangle, .size = sizeof triangle, .format = "solid", .cells = 3};
    (void)state;
    draw_at_every_call(s);
}

static lathe_doc *open_bones(void)
{
    const lathe_options options = {.size = sizeof options, .format = "hkx"};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(bones, sizeof bones - 1, &options, &doc, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return doc;
}

static void curves(void **state)
{
    scene s = {.data = small_spline, .size = sizeof small_spline, .format = "hkx"};
    (void)state;
    s.options.skeleton = open_bones();
    s.options.what = LATHE_PREVIEW_TRACK;
    s.options.track = "Arm";
    draw_at_every_call(s);
    s.against = true;
    draw_at_every_call(s);
    lathe_doc_close(s.options.skeleton);
}

static void bones_and_poses(void **state)
{
    static const lathe_preview_what kinds[] = {LATHE_PREVIEW_POSE, LATHE_PREVIEW_STRIP};
    scene s = {.data = small_spline, .size = sizeof small_spline, .format = "hkx"};
    (void)state;
    s.options.skeleton = open_bones();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        s.options.what = kinds[i];
        draw_at_every_call(s);
    }
    lathe_doc_close(s.options.skeleton);
    s = (scene){.data = (const uint8_t *)bones, .size = sizeof bones - 1, .format = "hkx"};
    s.options.what = LATHE_PREVIEW_SKELETON;
    s.options.names = true;
    draw_at_every_call(s);
    s.against = true;
    draw_at_every_call(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures), cmocka_unit_test(pictures_of_meshes), cmocka_unit_test(sheets),
        cmocka_unit_test(curves),   cmocka_unit_test(bones_and_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
