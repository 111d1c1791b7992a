/* Edits with memory that runs out at each of their allocations: what fails says so and has changed nothing; what is done is
 * what it is with all memory. Include it after short_memory.h, with SWEEP_FORMAT defined as the format of the documents. SWEEP_STEP(n):
 * how many allocations the next attempt has more than n. */
#ifndef LATHE_MEMORY_SWEEP_H
#define LATHE_MEMORY_SWEEP_H

#ifndef SWEEP_STEP
#define SWEEP_STEP(n) (1 + (n) / 40)
#endif

typedef lathe_result doing(lathe_doc *doc, lathe_error *err);

static inline lathe_doc *open_doc(const bytes *from, memory *m)
{
    lathe_options options = {.size = sizeof options,
                             .format = SWEEP_FORMAT,
                             .history = 4,
                             .alloc = take,
                             .alloc_user = m};
    lathe_doc *doc = NULL;
    lathe_error err;
    m->left = -1;
    assert_int_equal(lathe_doc_parse(from->data, from->n, &options, &doc, &err), LATHE_OK);
    return doc;
}

static inline void encode(lathe_doc *doc, bytes *out)
{
    lathe_error err;
    out->n = 0;
    assert_int_equal(lathe_doc_encode(doc, keep, out, &err), LATHE_OK);
}

static inline void assert_same(const bytes *a, const bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->data, b->data, a->n);
}

/* Gives what comes of it, which must open again. */
static inline void must(doing *what, const bytes *from, bytes *out)
{
    memory m = {-1, 0};
    lathe_error err = {.code = LATHE_OK};
    lathe_doc *doc = open_doc(from, &m), *again = NULL;
    if (what(doc, &err) != LATHE_OK)
        fail_msg("%s: %s", err.where, err.message);
    encode(doc, out);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    if (lathe_doc_parse(out->data, out->n, NULL, &again, &err) != LATHE_OK)
        fail_msg("it does not open again: %s", err.message);
    lathe_doc_close(again);
}

/* With memory for n allocations. False: that was enough. */
static inline bool attempt(doing *what, const bytes *from, const bytes *want, long n)
{
    static bytes now;
    memory m = {-1, 0};
    lathe_error err;
    lathe_doc *doc = open_doc(from, &m);
    m.left = n;
    lathe_result r = what(doc, &err);
    bool ran_out = m.left == 0;
    m.left = -1;
    encode(doc, &now);
    assert_same(&now, r == LATHE_OK ? want : from);
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY)
        fail_msg("with memory for %ld calls: %s", n, err.message);
    if (r != LATHE_OK) { /* nothing is half done */
        assert_int_equal(what(doc, &err), LATHE_OK);
        encode(doc, &now);
        assert_same(&now, want);
    }
    while (lathe_edit_undo(doc, 1))
        ;
    encode(doc, &now);
    if (r != LATHE_OK || !ran_out) /* else there may have been no room for the step back */
        assert_same(&now, from);
    lathe_doc_close(doc);
    assert_int_equal(m.blocks, 0);
    return ran_out;
}

static inline void sweep(doing *what, const bytes *from)
{
    static bytes want;
    long n = 0;
    must(what, from, &want);
    while (attempt(what, from, &want, n))
        n += SWEEP_STEP(n);
    assert_true(n > 2);
}

#endif
