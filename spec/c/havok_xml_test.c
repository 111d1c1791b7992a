/* The parts of Havok XML that know no document: numbers, text, the tree of a file, the order of objects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "havok/xml/number.h"
#include "havok/xml/order.h"
#include "havok/xml/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sequence that is the same on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static void prints(const char *wanted, uint32_t bits)
{
    char text[HK_XML_NUMBER + 1];
    text[hk_xml_print_real(text, bits)] = 0;
    assert_string_equal(text, wanted);
}

/* What C's own printf gives, below 10^17. */
static void prints_as_c(uint32_t bits)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%f", (double)float_of(bits));
    prints(wanted, bits);
}

static void prints_reals(void **state)
{
    uint64_t seed = 1;
    (void)state;
    prints("0.000000", 0);
    prints("-0.000000", 0x80000000u);
    prints("1.000000", bits_of(1));
    prints("0.049805", 0x3D4C0000u);
    prints("-0.000000", bits_of(-1e-30f));
    prints("340282001837565600000000000000000000000.000000", bits_of(3.40282e38f));
    prints("-340282346638528860000000000000000000000.000000", bits_of(-3.4028235e38f));
    prints("18446726481523507000.000000", bits_of(1.8446727e19f));
    prints("99999998430674944.000000", bits_of(9.9999998e16f));
    prints("100000007020609540.000000", bits_of(1.0000001e17f));
    prints("1.#INF00", 0x7F800000u);
    prints("-1.#INF00", 0xFF800000u);
    prints("1.#QNAN0", 0x7FC00000u);
    prints("-1.#IND00", 0xFFC00000u);
    prints("-1.#QNAN0", 0xFFC00001u);
    for (int i = 0; i < 200000; i++) {
        uint64_t r = next_random(&seed);
        uint32_t bits = (uint32_t)r, near = (bits & 0x807FFFFFu) | (uint32_t)(100 + (r >> 40) % 80)
                                                                       << 23;
        if (float_of(near) < 9e16f && float_of(near) > -9e16f)
            prints_as_c(near);
    }
}

static uint32_t reads(const char *text)
{
    uint32_t bits = 0;
    assert_int_equal(hk_xml_read_real(text, strlen(text), &bits), HK_XML_READ);
    return bits;
}

static void reads_reals(void **state)
{
    static const char *const wrong[] = {"",    "-",       "+",   ".",     "1.#", "1.#IN",
                                        "x",   "1x",      "1e",  "1e+",   "0x1", "1.2.3",
                                        "nah", "1.#INF1", "--1", "1,000", "e5"};
    uint64_t seed = 2;
    uint32_t bits;
    (void)state;
    assert_int_equal(reads("1"), bits_of(1));
    assert_int_equal(reads("+1."), bits_of(1));
    assert_int_equal(reads("-.5"), bits_of(-0.5f));
    assert_int_equal(reads("1.5e-3"), bits_of(1.5e-3f));
    assert_int_equal(reads("-0.000000"), 0x80000000u);
    assert_int_equal(reads("340282001837565600000000000000000000000.000000"), bits_of(3.40282e38f));
    assert_int_equal(reads("1e-60"), 0);
    assert_int_equal(reads("0e999999999"), 0);
    assert_int_equal(reads("1e-999999999"), 0);
    assert_int_equal(reads("-1.#IND00"), 0xFFC00000u);
    assert_int_equal(reads("1.#QNAN0"), 0x7FC00000u);
    assert_int_equal(reads("1.#INF00"), 0x7F800000u);
    assert_int_equal(reads("-1.#INF"), 0xFF800000u);
    assert_int_equal(reads("NaN"), 0x7FC00000u);
    assert_int_equal(reads("-inf"), 0xFF800000u);
    assert_int_equal(reads("Infinity"), 0x7F800000u);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(hk_xml_read_real(wrong[i], strlen(wrong[i]), &bits), HK_XML_NO_NUMBER);
    assert_int_equal(hk_xml_read_real("1e39", 4, &bits), HK_XML_TOO_LARGE);
    assert_int_equal(hk_xml_read_real("1e999999999", 11, &bits), HK_XML_TOO_LARGE);
    for (int i = 0; i < 200000;
         i++) { /* what is printed reads as what prints the same, and %.9g as itself */
        char text[64], again[64];
        bits = (uint32_t)next_random(&seed);
        if ((bits & 0x7F800000u) == 0x7F800000u)
            continue;
        size_t n = hk_xml_print_real(text, bits);
        text[n] = 0;
        again[hk_xml_print_real(again, reads(text))] = 0;
        assert_string_equal(text, again);
        assert_int_equal(hk_xml_keeps_real(bits), reads(text) == bits);
        snprintf(text, sizeof text, "%.9g", (double)float_of(bits));
        assert_int_equal(reads(text), bits);
    }
}

static void keeps_halves(void **state)
{
    (void)state;
    assert_int_equal(hk_xml_half_of(reads("0.049805")), 0x3D4C);
    assert_true(hk_xml_keeps_half(0x3D4C));
    assert_true(hk_xml_keeps_half(0x3F80));
    assert_false(hk_xml_keeps_half(0x0001));
    for (uint32_t half = 0x3C00; half < 0x4700; half++)
        assert_true(hk_xml_keeps_half((uint16_t)half));
}

static void reads_integers(void **state)
{
    static const struct {
        const char *text;
        hk_xml_reading result;
        bool negative;
        uint64_t magnitude;
    } rows[] = {
        {"0", HK_XML_READ, false, 0},
        {"-12", HK_XML_READ, true, 12},
        {"+7", HK_XML_READ, false, 7},
        {"18446744073709551615", HK_XML_READ, false, UINT64_MAX},
        {"18446744073709551616", HK_XML_TOO_LARGE, false, 0},
        {"99999999999999999999999999", HK_XML_TOO_LARGE, false, 0},
        {"0x1880", HK_XML_READ, false, 0x1880},
        {"-0xA", HK_XML_READ, true, 10},
        {"0x", HK_XML_NO_NUMBER, false, 0},
        {"", HK_XML_NO_NUMBER, false, 0},
        {"-", HK_XML_NO_NUMBER, false, 0},
        {"1.0", HK_XML_NO_NUMBER, false, 0},
        {"12a", HK_XML_NO_NUMBER, false, 0},
    };
    char text[HK_XML_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool negative;
        uint64_t magnitude;
        hk_xml_reading r =
            hk_xml_read_int(rows[i].text, strlen(rows[i].text), &negative, &magnitude);
        assert_int_equal(r, rows[i].result);
        if (r == HK_XML_READ)
            assert_true(negative == rows[i].negative && magnitude == rows[i].magnitude);
    }
    assert_int_equal(hk_xml_print_int(text, INT64_MIN), 20);
    assert_memory_equal(text, "-9223372036854775808", 20);
}

/* ---- the tree -------------------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "<?xml version=\"1.0\" encoding=\"ascii\"?>\n<hkpackfile classversion=\"8\">\n<hksection "     \
    "name=\"__data__\">\n"
#define TAIL "</hksection></hkpackfile>\n"

static lathe_result opens(const char *text, size_t n, lathe_error *err)
{
    mem m = mem_default();
    hk_xml_tree tree;
    char *exact = malloc(n + !n); /* so that a byte behind the end is noticed */
    memcpy(exact, text, n);
    lathe_result r = hk_xml_tree_open(&tree, &m, exact, n, err);
    hk_xml_tree_close(&tree);
    free(exact);
    return r;
}

static void refuses(const char *text, const char *wanted)
{
    lathe_error err;
    assert_int_not_equal(opens(text, strlen(text), &err), LATHE_OK);
    assert_string_equal(err.message, wanted);
    assert_true(err.offset <= strlen(text));
}

#define OBJECT "<hkobject name=\"#1\" class=\"A\">"

static void names_what_is_wrong(void **state)
{
    (void)state;
    refuses("", "line 1, column 1: no hkpackfile in the file");
    refuses("<hkpackfile>", "line 1, column 13: the text ends inside of hkpackfile");
    refuses("<hkpackfile>\n<x/>", "line 2, column 1: no element 'x' is known");
    refuses("<hkobject/>", "line 1, column 1: 'hkobject' inside of the file");
    refuses("<hkpackfile/><hkpackfile/>", "line 1, column 14: 'hkpackfile' inside of the file");
    refuses("<hkpackfile/>\n\ntext", "line 3, column 1: text in the file");
    refuses("<hkpackfile></hksection>", "line 1, column 13: '</hksection>' ends hkpackfile");
    refuses("<hkpackfile/></hkpackfile>", "line 1, column 14: '</hkpackfile>' ends nothing");
    refuses("<hkpackfile a></hkpackfile>", "line 1, column 14: '=' expected behind 'a'");
    refuses("<hkpackfile a=1/>", "line 1, column 15: a value in quotes expected");
    refuses("<hkpackfile a=\"1/>", "line 1, column 15: the value does not end");
    refuses("<hkpackfile a=\"<\"/>", "line 1, column 16: '<' in an attribute");
    refuses("<hkpackfile a=\"1\"b=\"2\"/>", "line 1, column 18: '>' expected");
    refuses("<hkpackfile classversion=\"8\" classversion=\"8\"/>",
            "line 1, column 30: 'classversion' is given twice");
    refuses("<hkpackfile classversion=\"&bad;\"/>",
            "line 1, column 27: '&bad;' is none of &amp; &lt; &gt; &quot; &apos; and &#N;");
    refuses("<hkpackfile", "line 1, column 1: the tag does not end");
    refuses("<hkpackfile /", "line 1, column 1: the tag does not end");
    refuses("<!DOCTYPE lolz [<!ENTITY lol \"lol\">]><hkpackfile/>",
            "line 1, column 1: a document type: lathe does not read such files");
    refuses("<hkpackfile><![CDATA[x]]></hkpackfile>",
            "line 1, column 13: a CDATA section: lathe does not read such files");
    refuses("<hkpackfile><?php ?></hkpackfile>",
            "line 1, column 13: a processing instruction: lathe does not read such files");
    refuses("<hkpackfile><!-- x </hkpackfile>", "line 1, column 13: the comment does not end");
    refuses("<?xml version=\"1.0\" encoding=\"utf-16\"?><hkpackfile/>",
            "line 1, column 31: the encoding 'utf-16': lathe reads ascii and UTF-8");
    refuses("<?xml version=\"1.0\" encoding=\"ascii\"?><hkpackfile a=\"\xC3\xA9\"/>",
            "line 1, column 54: a byte 0xc3, which is no ASCII, as the file says it is");
    refuses("<hkpackfile a=\"\xC3\"/>", "line 1, column 16: a byte 0xc3, which is no UTF-8");
    refuses("<hkpackfile a=\"\xC3\xA9\"><\x01", "line 1, column 20: a control character 0x01");
    refuses("<hkpackfile><hksection name=\"__types__\"/></hkpackfile>",
            "line 1, column 13: a section '__types__': lathe knows __data__ alone");
    refuses(HEAD "<hkobject class=\"A\"/>" TAIL, "line 4, column 1: an object without a name");
    refuses(HEAD "<hkobject name=\"#1\"/>" TAIL, "line 4, column 1: an object without a class");
    refuses(HEAD "<hkobject name=\"#1\" class=\"A\" signature=\"12\"/>" TAIL,
            "line 4, column 42: '12' is no signature");
    refuses(HEAD OBJECT "<hkparam/></hkobject>" TAIL,
            "line 4, column 31: a parameter without a name");
    refuses(HEAD OBJECT "<hkparam name=\"a\">x<hkobject/></hkparam></hkobject>" TAIL,
            "line 4, column 50: 'hkobject' beside text");
    refuses(HEAD OBJECT "<hkparam name=\"a\"><hkobject/>x</hkparam></hkobject>" TAIL,
            "line 4, column 60: text beside elements");
    refuses(HEAD OBJECT "x</hkobject>" TAIL, "line 4, column 31: text in hkobject");
}

static const char *const LAWFUL =
    "\xEF\xBB\xBF<?xml version='1.0' standalone=\"no\" encoding=\"UTF-8\"?>\r\n<!-- a -->\r\n"
    "<hkpackfile contentsversion=\"hk_2010.2.0-r1\" classversion='8' toplevelobject=\"#0&#49;\" "
    ">\r\n"
    "  <hksection name=\"__data__\">\r\n"
    "    <hkobject class=\"A\" name=\"#01\" signature=\"0X0000aBc\">\r\n"
    "      <!-- n SERIALIZE_IGNORED --> <!--n SERIALIZE_IGNORED-->\r\n"
    "      <hkparam name=\"x\">1 <!-- one --> 2</hkparam>\r\n"
    "      <hkparam name=\"e\" numelements=\"0\"/>\r\n"
    "      <hkparam name=\"s\" numelements='2'><hkcstring>a&amp;b&#x41;\r\n</hkcstring> <!-- 0 "
    "-->\r\n"
    "        <hkcstring></hkcstring></hkparam>\r\n"
    "    </hkobject>\r\n  </hksection>\r\n</hkpackfile>\r\n<!-- end -->\r\n";

static void reads_a_tree(void **state)
{
    mem m = mem_default();
    hk_xml_tree t;
    buf text;
    (void)state;
    assert_int_equal(hk_xml_tree_open(&t, &m, LAWFUL, strlen(LAWFUL), NULL), LATHE_OK);
    assert_true(hk_xml_is(t.version, "8") && hk_xml_is(t.top, "#01"));
    assert_int_equal(t.objects_n, 1);
    assert_int_equal(t.objects[0].signature, 0xABC);
    assert_int_equal(t.comments, 4);
    hk_xml_node *object = hk_xml_node_of(&t, t.objects[0].node);
    assert_true(hk_xml_is(object->name, "#01") && object->count == 3);
    hk_xml_node *texts = hk_xml_child(&t, object, 2), *first = hk_xml_child(&t, texts, 0);
    assert_true(hk_xml_is(texts->name, "s") && texts->count == 2 && !first->plain);
    assert_int_equal(hk_xml_child(&t, texts, 1)->text_n, 0);
    assert_ptr_equal(hk_xml_child(&t, texts, 0), first);
    buf_init(&text, &m);
    assert_int_equal(hk_xml_decode(&t.text, (hk_xml_span){first->text, first->text_n}, &text, NULL),
                     LATHE_OK);
    assert_int_equal(text.size, 5);
    assert_memory_equal(text.data, "a&bA\n", 5);
    buf_free(&text);
    hk_xml_tree_close(&t);
}

/* Cut off anywhere, it is refused at a place in it, or is whole. */
static void refuses_what_is_cut_off(void **state)
{
    size_t n = strlen(LAWFUL), whole = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        lathe_error err = {.code = LATHE_OK};
        lathe_result r = opens(LAWFUL, i, &err);
        whole += r == LATHE_OK;
        assert_true(r == LATHE_OK ? i + strlen("\r\n<!-- end -->\r\n") >= n : err.offset <= i);
        assert_true(r == LATHE_OK || strncmp(err.message, "line ", 5) == 0);
    }
    assert_true(whole > 0);
}

static void bounds_depth_and_time(void **state)
{
    enum { MANY = 1000000 };
    static const char deep[] = "<hkobject><hkparam name=\"a\">", flat[] = "<hkparam name=\"a\"/>";
    buf text;
    mem m = mem_default();
    lathe_error err;
    (void)state;
    buf_init(&text, &m);
    buf_put(&text, HEAD OBJECT "<hkparam name=\"a\">", strlen(HEAD OBJECT "<hkparam name=\"a\">"));
    for (int i = 0; i < MANY / 2; i++)
        buf_put(&text, deep, sizeof deep - 1);
    assert_int_equal(opens((const char *)text.data, text.size, &err), LATHE_ERR_LIMIT);
    assert_non_null(strstr(err.message, "elements nested deeper than 63"));
    text.size = strlen(HEAD OBJECT);
    for (int i = 0; i < MANY; i++)
        buf_put(&text, flat, sizeof flat - 1);
    buf_put(&text, "</hkobject>" TAIL, strlen("</hkobject>" TAIL));
    assert_int_equal(opens((const char *)text.data, text.size, &err), LATHE_OK);
    buf_free(&text);
}

/* ---- text ------------------------------------------------------------------------------------------------ */

static void encodes(const char *p, size_t n, const char *wanted, bool kept)
{
    mem m = mem_default();
    buf out, back;
    buf_init(&out, &m);
    buf_init(&back, &m);
    assert_true(hk_xml_encode(&out, p, n));
    assert_int_equal(out.size, strlen(wanted));
    assert_memory_equal(out.data, wanted, out.size);
    assert_int_equal(hk_xml_keeps_text(p, n), kept);
    const hk_xml_text text = {(const char *)out.data, (const char *)out.data + out.size};
    assert_int_equal(hk_xml_decode(&text, (hk_xml_span){text.p, (uint32_t)out.size}, &back, NULL),
                     LATHE_OK);
    if (kept) {
        assert_int_equal(back.size, n);
        assert_memory_equal(back.data, p, n);
    }
    buf_free(&out);
    buf_free(&back);
}

static void escapes_texts(void **state)
{
    (void)state;
    encodes("a<b>&\"'c", 8, "a&lt;b&gt;&amp;\"'c", true);
    encodes("\n\r\t\x7F", 4, "&#10;&#13;&#9;&#127;", true);
    encodes("\xC3\xA9\xF0\x9F\x98\x80", 6, "&#233;&#128512;", true);
    encodes("\xE9!", 2, "&#233;!", false);
    encodes("\xE2\x90\x80", 3, "&#9216;", false);
    encodes("\xE2\x90\x80!", 4, "&#9216;!", true);
}

/* ---- order ----------------------------------------------------------------------------------------------- */

/* Edges are pairs; of an object in their order. */
static hk_xml_graph graph_of(uint32_t n, uint32_t root, const uint32_t (*edges)[2], size_t count,
                             uint32_t *first, uint32_t *to)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        first[i] = used;
        for (size_t k = 0; k < count; k++)
            if (edges[k][0] == i)
                to[used++] = edges[k][1];
    }
    first[n] = used;
    return (hk_xml_graph){n, root, first, to};
}

static void orders_objects(void **state)
{
    /* 0 -> 1 -> {2, 3, 2}, 3 -> 1 (a circle), 0 -> 4; 5 is reached by nothing, and leads to 4 */
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {1, 3}, {1, 2}, {3, 1}, {0, 4}, {5, 4}};
    mem m = mem_default();
    uint32_t first[7], to[7], order[6], number[6];
    const hk_xml_graph g = graph_of(6, 0, edges, 7, first, to);
    (void)state;
    assert_true(hk_xml_order(&m, &g, 8, order, number));
    const uint32_t wanted[6] = {4, 5, 2, 1, 3, 0}, numbers[6] = {8, 12, 13, 11, 10, 9};
    assert_memory_equal(order, wanted, sizeof order);
    assert_memory_equal(number, numbers, sizeof number);
}

static void keeps_an_order(void **state)
{
    /* 3, 1 and 0 had names; 2 is new below 1, 4 is new below 2 and 0, 5 is new and alone */
    static const uint32_t edges[][2] = {{0, 1}, {0, 3}, {1, 2}, {2, 4}, {0, 4}, {2, 3}};
    static const uint32_t kept[] = {3, 1, 0}, wanted[] = {3, 4, 2, 1, 0, 5};
    mem m = mem_default();
    uint32_t first[7], to[6], order[6], number[6];
    const hk_xml_graph g = graph_of(6, 0, edges, 6, first, to);
    (void)state;
    assert_true(hk_xml_order_kept(&m, &g, kept, 3, 90, order, number));
    assert_memory_equal(order, wanted, sizeof order);
    const uint32_t numbers[6] = {UINT32_MAX, UINT32_MAX, 91, UINT32_MAX, 90, 92};
    assert_memory_equal(number, numbers, sizeof number);
}

/* A chain as long as memory allows takes no stack. */
static void follows_long_chains(void **state)
{
    enum { N = 1000000 };
    mem m = mem_default();
    uint32_t *first = malloc((N + 1) * sizeof *first), *to = malloc(N * sizeof *to);
    uint32_t *order = malloc(N * sizeof *order), *number = malloc(N * sizeof *number);
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        first[i] = i;
        to[i] = (i + 1) % N;
    }
    first[N] = N;
    const hk_xml_graph g = {N, 0, first, to};
    assert_true(hk_xml_order(&m, &g, 1, order, number));
    assert_int_equal(order[N - 1], N - 1); /* it is entered last and, as a circle, left last */
    assert_int_equal(number[0], 1);
    free(first);
    free(to);
    free(order);
    free(number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_reals),
        cmocka_unit_test(reads_reals),
        cmocka_unit_test(keeps_halves),
        cmocka_unit_test(reads_integers),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(reads_a_tree),
        cmocka_unit_test(refuses_what_is_cut_off),
        cmocka_unit_test(bounds_depth_and_time),
        cmocka_unit_test(escapes_texts),
        cmocka_unit_test(orders_objects),
        cmocka_unit_test(keeps_an_order),
        cmocka_unit_test(follows_long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
