/* What the C tests of the engine share. Include it first: it brings cmocka along. */
#ifndef LATHE_MADE_UP_TEST_H
#define LATHE_MADE_UP_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- results ------------------------------------------------------------------------------------- */

static inline void show_error(const lathe_error *e)
{
    char text[1200];
    lathe_error_text(e, text, sizeof text);
    print_error("%s (%s)\n", text, lathe_result_name(e->code));
}

/* The call, with `err` as its last argument, must succeed, or fail with one code. */
#define OK(call)                                                                                   \
    do {                                                                                           \
        lathe_error *const err = &(lathe_error){.code = LATHE_OK};                                 \
        lathe_result result_ = (call);                                                             \
        if (result_ != LATHE_OK) {                                                                 \
            show_error(err);                                                                       \
            fail_msg("%s", #call);                                                                 \
        }                                                                                          \
    } while (0)
#define FAILS(expected, call)                                                                      \
    do {                                                                                           \
        lathe_error *const err = &(lathe_error){.code = LATHE_OK};                                 \
        lathe_result result_ = (call);                                                             \
        if (result_ != (expected) || err->code != (expected)) {                                    \
            show_error(err);                                                                       \
            fail_msg("%s: %s instead of %s", #call, lathe_result_name(result_),                    \
                     lathe_result_name(expected));                                                 \
        }                                                                                          \
        assert_true(err->message[0] != 0);                                                         \
    } while (0)

/* ---- values -------------------------------------------------------------------------------------- */

static inline lathe_value v_int(int64_t i)
{
    return (lathe_value){.kind = LATHE_KIND_INT, .as.i = i};
}

static inline lathe_value v_uint(uint64_t u)
{
    return (lathe_value){.kind = LATHE_KIND_UINT, .as.u = u};
}

static inline lathe_value v_real(double f)
{
    return (lathe_value){.kind = LATHE_KIND_REAL, .as.f = f};
}

static inline lathe_value v_bool(bool b)
{
    return (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = b};
}

static inline lathe_value v_bytes(const char *p, size_t n)
{
    return (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, n}};
}

static inline lathe_value v_text(const char *text)
{
    return v_bytes(text, strlen(text));
}

static inline lathe_value v_record(lathe_view v)
{
    return (lathe_value){.kind = LATHE_KIND_RECORD, .as.v = v};
}

static inline lathe_value v_array(lathe_view v)
{
    return (lathe_value){.kind = LATHE_KIND_ARRAY, .as.v = v};
}

/* ---- documents ----------------------------------------------------------------------------------- */

static inline lathe_doc *new_doc_with(const char *format, const char *text, const lathe_options *o)
{
    made_up_text t;
    lathe_doc *doc = NULL;
    assert_true(made_up_text_read(&t, text));
    OK(lathe_doc_new(format, &t.source, o, &doc, err));
    made_up_text_free(&t);
    return doc;
}

static inline lathe_doc *new_doc(const char *format, const char *text)
{
    return new_doc_with(format, text,
                        &(lathe_options){.size = sizeof(lathe_options), .history = 64});
}

static inline lathe_doc *parse_with(const void *bytes, size_t n, const lathe_options *o)
{
    lathe_doc *doc = NULL;
    OK(lathe_doc_parse(bytes, n, o, &doc, err));
    return doc;
}

static inline lathe_doc *parse_doc(const void *bytes, size_t n, const char *format)
{
    return parse_with(
        bytes, n, &(lathe_options){.size = sizeof(lathe_options), .format = format, .history = 64});
}

typedef struct bytes_copy {
    uint8_t *p;
    size_t n;
} bytes_copy;

static inline bytes_copy encode(lathe_doc *doc)
{
    bytes_copy b = {0};
    b.p = made_up_encode(doc, &b.n);
    assert_non_null(b.p);
    return b;
}

static inline bool same_as(lathe_doc *doc, bytes_copy b)
{
    bytes_copy now = encode(doc);
    bool same = now.n == b.n && memcmp(now.p, b.p, b.n) == 0;
    free(now.p);
    return same;
}

/* What is encoded opens again and encodes to the same. */
static inline void assert_opens(lathe_doc *doc)
{
    bytes_copy b = encode(doc);
    lathe_doc *again = parse_doc(b.p, b.n, lathe_doc_info(doc, "format"));
    assert_true(same_as(again, b));
    assert_false(lathe_doc_modified(again));
    lathe_doc_close(again);
    free(b.p);
}

/* ---- places --------------------------------------------------------------------------------------- */

static inline lathe_value at_path(lathe_doc *doc, const char *path)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    OK(lathe_view_at(lathe_doc_root(doc), path, &v, err));
    return v;
}

static inline lathe_view view_at(lathe_doc *doc, const char *path)
{
    lathe_value v = at_path(doc, path);
    assert_true(v.kind == LATHE_KIND_RECORD || v.kind == LATHE_KIND_ARRAY);
    return v.as.v;
}

static inline int64_t int_at(lathe_doc *doc, const char *path)
{
    lathe_value v = at_path(doc, path);
    assert_true(v.kind == LATHE_KIND_INT || v.kind == LATHE_KIND_UINT);
    return v.as.i;
}

static inline bool text_is(lathe_value v, const char *text)
{
    return v.kind == LATHE_KIND_STRING && v.as.s.n == strlen(text) &&
           memcmp(v.as.s.p, text, v.as.s.n) == 0;
}

static inline int64_t get_int(lathe_view view, const char *field)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    OK(lathe_view_get(view, field, &v, err));
    assert_true(v.kind == LATHE_KIND_INT || v.kind == LATHE_KIND_UINT);
    return v.as.i;
}

static inline void set_value(lathe_view view, const char *field, lathe_value v)
{
    OK(lathe_view_set(view, field, &v, err));
}

static inline lathe_result try_set(lathe_view view, const char *field, lathe_value v,
                                   lathe_error *err)
{
    return lathe_view_set(view, field, &v, err);
}

static inline lathe_result try_item(lathe_view view, uint64_t i, lathe_value v, lathe_error *err)
{
    return lathe_view_set_item(view, i, &v, err);
}

static inline lathe_result try_build(lathe_view view, const char *text, lathe_error *err)
{
    made_up_text t;
    assert_true(made_up_text_read(&t, text));
    lathe_result r = lathe_view_build(view, &t.source, err);
    made_up_text_free(&t);
    return r;
}

static inline lathe_view item_view(lathe_view array, uint64_t i)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    OK(lathe_view_item(array, i, &v, err));
    assert_int_equal(v.kind, LATHE_KIND_RECORD);
    return v.as.v;
}

static inline lathe_view array_of(lathe_view view, const char *field)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    OK(lathe_view_get(view, field, &v, err));
    assert_int_equal(v.kind, LATHE_KIND_ARRAY);
    return v.as.v;
}

static inline uint64_t below(uint64_t *state, uint64_t n)
{
    return n ? made_up_random(state) % n : 0;
}

/* ---- a sample of each format ----------------------------------------------------------------------- */

#define NESTED_SAMPLE                                                                              \
    "{numbers = {u8 = 1, i8 = -2, u16 = 3, i16 = -4, u32 = 5, i32 = -6, u64 = 7, i64 = -8,"        \
    " f16 = 1.5, upper = -2.5, f32 = 0.25, f64 = 1e300, big_u16 = 258, on = true,"                 \
    " colour = \"blue\", bits = {\"hot\", \"loud\"}, ranged = 10, ratio = 0.5, wide = 1000,"       \
    " packed = 12.3},"                                                                             \
    " texts = {fixed = \"fix\", s8 = \"one\", i8 = \"two\", s16 = \"three\", i16 = \"four\","      \
    " i32 = \"six\", s64 = \"seven\", i64 = \"eight\", zero = \"nine\", line = \"ten\"},"          \
    " blob = \"\\0blob\\n\","                                                                      \
    " groups = {{id = 100, name = \"first\", items = {{id = 1, text = \"a\", values = {1, 2}},"    \
    " {id = 2, text = \"\", values = {}}, {id = 3, text = \"ccc\", values = {-1}}}},"              \
    " {id = 200}, {id = 300, items = {{id = 4, values = {7, 8, 9}}}}},"                            \
    " points = {{id = 10, pos = {1, 2, 3}, weights = {1, 2, 3, 4}, half = 0.5, upper = 3,"         \
    " big = -5, wide = 77, ranged = -10, colour = 1}, {id = 11, pos = {x = 4, z = 6}}, {id = "     \
    "12}},"                                                                                        \
    " three = {0.5, 1.5, 2.5},"                                                                    \
    " shared = {left = {1, 2}, names = {\"n\", \"nn\"}, right = {{1, 2}, {3, 4}}, between = 9},"   \
    " choice = {mode = 2, any = 5, two = \"II\", side = 2, cells = {1, 2, 3, 4}},"                 \
    " words = {\"some\", \"\", \"words\"},"                                                        \
    " tree = {value = 1, children = {{value = 2, children = {{value = 3}}}, {value = 4}}},"        \
    " rest = {65535, 0, 1}}"

#define PARTS_SAMPLE                                                                               \
    "{chunks = {{id = 1, name = \"one\"},"                                                         \
    " {id = 2, name = \"second\", cells = {{id = 20, x = 0.5}, {id = 21}, {id = 22}},"             \
    " note = \"a note\"},"                                                                         \
    " {id = 3, name = \"\", has_inner = 1, inner = {sections = {{values = {1, 2}, text = \"s1\"}," \
    " {values = {}, text = \"s2\"}, {values = {3}, text = \"s3\"}}}},"                             \
    " {id = 4, name = \"four\", note = \"x\"}}}"

#define PACK_SAMPLE                                                                                \
    "{sections = {{values = {1, 2, 3}, text = \"a\"}, {text = \"bb\"}, {values = {9}}}}"

#define LAID_SAMPLE                                                                                \
    "{aligned = {a = 1, b = 2, c = 3, d = 4.5, e = 6, f = {7, 8, 9}, g = {1, 2, 3}},"              \
    " placed = {a = 1, b = 2, c = {3, 4, 5}, d = \"xyz\"},"                                        \
    " aligned_list = {{a = 1}, {a = 2}}, placed_list = {{a = 3}, {a = 4, d = \"end\"}}}"

#define LINKED_SAMPLE                                                                              \
    "{text = \"some text\", goals = {{id = 1}, {id = 2}, {id = 3}, {id = 4}, {id = 5}, {id = 6},"  \
    " {id = 7}, {id = 8}, {id = 9}}}"

#define WORDS_SAMPLE                                                                               \
    "{version = 5, vector = {3, 4}, bones = {{ends = {1, 2}, mass = 3},"                           \
    " {parent = 0, span = {from = 5}}, {parent = 1}}, flags = {1, 2, 3}, notes = {{text = \"a "    \
    "note\"}, {}, {}}, mood = 4,"                                                                  \
    " corners = {129, 2}, frames = {{time = 1, name = \"one\", style = 1, weight = 9,"             \
    " matrix = {translation = {1, 2, 3}, scale = {2, 2, 2}}}, {time = 2}}, trailing = \"tail\"}"

#define BLOCKS_SAMPLE                                                                              \
    "{blocks = {{type = \"links\", letter = \"b\", links = {1, 2, 255}},"                          \
    " {type = \"shape\", shape = 7, points = {{at = {1, 2}, weight = 3}, {at = {4, 5}}},"          \
    " runs = {2, 1}, steps = {10, 20, 30}, left = 1, right = 1, both = 5},"                        \
    " {type = \"keys\", kind = 2, keys = {{time = 1, value = \"a\"}, {value = \"bc\"}}},"          \
    " {type = \"solid\", mass = 6, reach = 8}, {type = \"unheard\", bytes = \"abc\"},"             \
    " {type = \"box\", held = {sections = {{values = {1, 2}, text = \"a\"}, {text = \"bb\"}}}}},"  \
    " tail = \"tail\"}"

#define OWN_SAMPLE                                                                                 \
    "{types = {{name = \"base\", rows = {{name = \"id\", kind = 2}}},"                             \
    " {name = \"vec\", vector = 1, rows = {{name = \"x\", kind = 4}, {name = \"y\", kind = 4}}},"  \
    " {name = \"node\", base = 1, rows = {{name = \"at\", kind = 7, type = 1},"                    \
    " {name = \"list\", kind = 7, type = 1, count = 2}, {name = \"on\", kind = 5},"                \
    " {name = \"few\", kind = 1, count = 3}, {name = \"next\", kind = 8}}}},"                      \
    " objects = {{class = \"node\", id = 5, at = {1, 2}, list = {{3, 4}, {5, 6}}, on = true,"      \
    " few = {7, 8, 9}, next = 1}, {class = \"base\", id = 6}}}"

static const struct {
    const char *format, *text;
} samples[] = {
    {"nested", NESTED_SAMPLE}, {"nested_big", NESTED_SAMPLE}, {"parts", PARTS_SAMPLE},
    {"pack", PACK_SAMPLE},     {"laid", LAID_SAMPLE},         {"linked", LINKED_SAMPLE},
    {"words", WORDS_SAMPLE},   {"blocks", BLOCKS_SAMPLE},     {"own", OWN_SAMPLE},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

#endif
