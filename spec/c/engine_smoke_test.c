/* The made-up formats: samples open, encode to themselves, can be built again from a copy. */
#include "made_up_test.h"

static void say(void *user, const char *problem)
{
    (void)user;
    print_error("%s\n", problem);
}

static void formats_are_lawful(void **state)
{
    (void)state;
    for (const lathe_format *const *f = rec_formats; *f; f++)
        assert_int_equal(rec_lint(*f, say, NULL), 0);
}

static void samples_encode_to_themselves(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        lathe_doc *doc = new_doc(samples[i].format, samples[i].text);
        assert_string_equal(lathe_doc_info(doc, "format"), samples[i].format);
        assert_true(lathe_doc_modified(doc));
        assert_opens(doc);
        lathe_doc_close(doc);
    }
}

static void samples_are_sniffed(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        lathe_doc *doc = new_doc(samples[i].format, samples[i].text);
        bytes_copy b = encode(doc);
        lathe_doc *again = parse_doc(b.p, b.n, NULL);
        assert_string_equal(lathe_doc_info(again, "format"), samples[i].format);
        lathe_doc_close(again);
        lathe_doc_close(doc);
        free(b.p);
    }
}

/* new(totable(doc)): chunks apart, whose data lie behind the record. */
static void copies_are_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        lathe_doc *doc = new_doc(samples[i].format, samples[i].text), *made = NULL;
        bytes_copy b = encode(doc);
        made_up_copy *copy = made_up_copy_of(lathe_doc_root(doc));
        OK(lathe_doc_new(samples[i].format, &copy->source, NULL, &made, err));
        if (!same_as(made, b))
            fail_msg("%s differs", samples[i].format);
        made_up_copy_free(copy);
        lathe_doc_close(made);
        lathe_doc_close(doc);
        free(b.p);
    }
}

static void empty_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        lathe_doc *doc = NULL;
        OK(lathe_doc_new(samples[i].format, NULL, NULL, &doc, err));
        assert_opens(doc);
        lathe_doc_close(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_lawful),  cmocka_unit_test(samples_encode_to_themselves),
        cmocka_unit_test(samples_are_sniffed), cmocka_unit_test(copies_are_equal),
        cmocka_unit_test(empty_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
