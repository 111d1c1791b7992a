/* Verbs: what their schema says of arguments is checked before they run, told to those who ask, and
 * looked over by the lint. */
#include "made_up_adhoc.h"
#include "made_up_test.h"
#include "record/record.h"

/* ---- arguments ----------------------------------------------------------------------------------- */

typedef struct answers {
    char text[256];
} answers;

static void answered(void *user, const char *name, const lathe_value *value)
{
    answers *a = user;
    size_t n = strlen(a->text);
    char *to = a->text + n;
    size_t cap = sizeof a->text - n;
    switch (value->kind) {
    case LATHE_KIND_REAL: snprintf(to, cap, "%s=%g;", name, value->as.f); break;
    case LATHE_KIND_INT: snprintf(to, cap, "%s=%lld;", name, (long long)value->as.i); break;
    case LATHE_KIND_BOOL: snprintf(to, cap, "%s=%d;", name, value->as.b); break;
    default: snprintf(to, cap, "%s=%.*s;", name, (int)value->as.s.n, value->as.s.p); break;
    }
}

static lathe_result tell(lathe_doc *doc, const lathe_source *args, answers *a, lathe_error *e)
{
    lathe_report report = {.size = sizeof report, .user = a, .result = answered};
    a->text[0] = '\0';
    return lathe_view_call(lathe_doc_root(doc), "tell", args, &report, e);
}

static void tells(lathe_doc *doc, const char *options, const char *answer)
{
    made_up_text text;
    answers a;
    assert_true(made_up_text_read(&text, options));
    OK(tell(doc, &text.source, &a, err));
    assert_string_equal(a.text, answer);
    made_up_text_free(&text);
}

static void refuses(lathe_doc *doc, const char *options, lathe_result code, const char *says)
{
    made_up_text text;
    answers a;
    lathe_error e;
    assert_true(made_up_text_read(&text, options));
    assert_int_equal(tell(doc, &text.source, &a, &e), code);
    assert_int_equal(e.code, code);
    assert_string_equal(e.message, says);
    assert_string_equal(a.text, ""); /* it did not run */
    made_up_text_free(&text);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    answers a;
    tells(doc, "{ratio = 0.5}", "ratio=0.5;");
    tells(doc, "{ratio = 2, count = 3, name = \"x\", side = \"left\", loud = false, thing = {1}}",
          "ratio=2;count=3;name=x;side=left;loud=0;");
    tells(doc, "{ratio = 2, count = 3.0}", "ratio=2;count=3;");
    refuses(doc, "{count = 3}", LATHE_ERR_TYPE, "tell needs 'ratio': a number");
    FAILS(LATHE_ERR_TYPE, tell(doc, NULL, &a, err));
    refuses(doc, "{ratio = \"2\"}", LATHE_ERR_TYPE,
            "'ratio' of tell: a number expected, got a string");
    refuses(doc, "{ratio = 1, count = 2.5}", LATHE_ERR_TYPE,
            "'count' of tell: an integer expected, got 2.5");
    refuses(doc, "{ratio = 1, count = 1e300}", LATHE_ERR_TYPE,
            "'count' of tell: an integer expected, got 1e+300");
    refuses(doc, "{ratio = 1, name = true}", LATHE_ERR_TYPE,
            "'name' of tell: a string expected, got a boolean");
    refuses(doc, "{ratio = 1, loud = 1}", LATHE_ERR_TYPE,
            "'loud' of tell: true or false expected, got an integer");
    refuses(doc, "{ratio = 1, side = \"up\"}", LATHE_ERR_RANGE,
            "'side' of tell is one of left, right");
    refuses(doc, "{ratio = 1, side = \"lef\"}", LATHE_ERR_RANGE,
            "'side' of tell is one of left, right");
    refuses(doc, "{ratio = 1, conut = 2}", LATHE_ERR_NAME,
            "no option 'conut' of tell; did you mean 'count'?");
    refuses(doc, "{ratio = 1, sideways = 2}", LATHE_ERR_NAME,
            "no option 'sideways' of tell, which takes ratio, count, name, side, loud, thing");
    lathe_doc_close(doc);
}

/* A source that cannot tell what it holds is asked for what the verb knows, and nothing else. */
static void names_may_be_unknown(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    made_up_text text;
    answers a;
    assert_true(made_up_text_read(&text, "{ratio = 1, conut = 2}"));
    text.source.name = NULL;
    OK(tell(doc, &text.source, &a, err));
    assert_string_equal(a.text, "ratio=1;");
    made_up_text_free(&text);
    lathe_doc_close(doc);
}

static void arrays_have_no_verbs(void **state)
{
    (void)state;
    lathe_doc *doc = new_doc("parts", PARTS_SAMPLE);
    OK(lathe_view_call(view_at(doc, "chunks[1]"), "hush", NULL, NULL, err));
    FAILS(LATHE_ERR_NAME, lathe_view_call(view_at(doc, "chunks"), "hush", NULL, NULL, err));
    lathe_error e;
    assert_int_equal(lathe_view_call(view_at(doc, "chunks[1]"), "hsuh", NULL, NULL, &e),
                     LATHE_ERR_NAME);
    assert_string_equal(e.message, "no verb 'hsuh' for chunk; did you mean 'hush'?");
    lathe_doc_close(doc);
}

/* ---- what is told of them -------------------------------------------------------------------------- */

static const lathe_format *format_of(const char *name)
{
    size_t n;
    const lathe_format *const *all = lathe_formats(&n);
    for (size_t i = 0; i < n; i++) {
        lathe_format_info info = {.size = sizeof info};
        lathe_format_describe(all[i], &info);
        if (strcmp(info.name, name) == 0)
            return all[i];
    }
    fail_msg("no format %s", name);
    return NULL;
}

static void verbs_are_described(void **state)
{
    (void)state;
    const lathe_format *parts = format_of("parts");
    lathe_verb_info info = {.size = sizeof info};
    assert_true(lathe_verb_describe(parts, 1, &info));
    assert_int_equal(info.size, sizeof info);
    assert_string_equal(info.name, "tell");
    assert_null(info.type);
    assert_true(info.query);
    assert_string_equal(info.params[0]->name, "ratio");
    assert_string_equal(info.params[0]->unit, "m");
    assert_true(info.params[0]->positional && info.params[0]->needed);
    assert_string_equal(info.params[3]->values[1], "right");
    assert_null(info.params[6]);
    assert_true(lathe_verb_describe(parts, 2, &info));
    assert_string_equal(info.type, "chunk");
    assert_null(info.params);
    assert_false(lathe_verb_describe(parts, 3, &info));
    assert_false(lathe_verb_describe(format_of("laid"), 0, &info));
    lathe_verb_info shorter = {.size = offsetof(lathe_verb_info, type)}; /* of an older host */
    assert_true(lathe_verb_describe(parts, 1, &shorter));
    assert_string_equal(shorter.name, "tell");
    assert_null(shorter.params);
}

/* ---- lint ------------------------------------------------------------------------------------------ */

static lathe_result nothing(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *e)
{
    (void)self, (void)args, (void)report, (void)e;
    return LATHE_OK;
}

static void keep_problem(void *user, const char *problem)
{
    snprintf(user, 256, "%s", problem);
}

static void lint_says(const rec_verb *verbs, const char *says)
{
    static const adhoc_row rows[] = {{.name = "x", .kind = REC_U8, .doc = "d"}};
    static const adhoc_type type = {.name = "t", .doc = "d", ADHOC_ROWS(rows)};
    static const char *const extensions[] = {"x", NULL};
    adhoc_types made = {.n = 0};
    const lathe_format format = {.name = "f",
                                 .doc = "d",
                                 .extensions = extensions,
                                 .root = adhoc_type_of(&made, &type),
                                 .verbs = verbs};
    char text[256] = "";
    size_t n = rec_lint(&format, keep_problem, text);
    adhoc_types_free(&made);
    assert_string_equal(text, says);
    assert_int_equal(n, says[0] ? 1 : 0);
}

static void params_are_linted(void **state)
{
    (void)state;
    static const char *const words[] = {"a", NULL}, *const none[] = {NULL};
    static const rec_param first = {.name = "first", .doc = "d", .positional = true};
    static const rec_param last = {.name = "last", .doc = "d"};
    static const struct {
        rec_param param;
        const char *says;
    } planted[] = {
        {{.name = "good", .doc = "d", .kind = LATHE_PARAM_TEXT, .values = words}, ""},
        {{.name = "Bad", .doc = "d"}, "v: its option 'Bad' is not snake_case"},
        {{.name = "bad"}, "v: no doc of its option 'bad'"},
        {{.name = "bad", .doc = "d", .kind = LATHE_PARAM_COUNT},
         "v: its option 'bad' is of no kind"},
        {{.name = "bad", .doc = "d", .values = words},
         "v: its option 'bad' has values, but is no text"},
        {{.name = "bad", .doc = "d", .kind = LATHE_PARAM_TEXT, .values = none},
         "v: its option 'bad' has values, but is no text"},
        {{.name = "bad", .doc = "d", .positional = true},
         "v: its option 'bad' has a position behind one without"},
        {{.name = "first", .doc = "d"}, "v: its option 'first' twice"},
    };
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const rec_param *const params[] = {&first, &last, &planted[i].param, NULL};
        const rec_verb verbs[] = {{.name = "v", .doc = "d", .params = params, .run = nothing}, {0}};
        lint_says(verbs, planted[i].says);
    }
}

static void verbs_are_linted(void **state)
{
    (void)state;
    static const struct {
        rec_verb verb;
        const char *says;
    } planted[] = {
        {{.name = "good", .doc = "d", .run = nothing}, ""},
        {{.name = "Bad", .doc = "d", .run = nothing}, "t: the verb 'Bad' is not snake_case"},
        {{.name = "bad", .run = nothing}, "t: no doc of the verb 'bad'"},
        {{.name = "bad", .doc = "d"}, "t: the verb 'bad' does nothing"},
        {{.name = "x", .doc = "d", .run = nothing},
         "t: the verb 'x' has the name of a method or field"},
        {{.name = "save", .doc = "d", .run = nothing},
         "t: the verb 'save' has the name of a method or field"},
        {{.name = "first", .doc = "d", .run = nothing}, "t: the verb 'first' twice"},
    };
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const rec_verb verbs[] = {
            {.name = "first", .doc = "d", .run = nothing}, planted[i].verb, {0}};
        lint_says(verbs, planted[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_checked), cmocka_unit_test(names_may_be_unknown),
        cmocka_unit_test(arrays_have_no_verbs),  cmocka_unit_test(verbs_are_described),
        cmocka_unit_test(params_are_linted),     cmocka_unit_test(verbs_are_linted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
