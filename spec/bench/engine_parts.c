/* The engine on a document of 64 MB in 10,000 parts (the made-up format parts), against memcpy of the
 * same bytes: opening, one field, a text that grows, views that follow. */
#include "made_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* In place of made_up_formats.c: `loose` is `parts` without anything that looks at all parts at once,
 * as in a format without a table of its parts. */
static lathe_format loose;
const lathe_format *const rec_formats[] = {&made_up_parts, &made_up_pack, &loose, NULL};

enum { PARTS = 10000, NAME = 6668, HEAD = 10, ROW = 8, FOOT = 10, FIXED = 31 };

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One line: what, milliseconds, times the copy, and ns for each of n (0: not said). */
static void line(const char *what, double ns, double copy, double n)
{
    printf("  %-52s %10.3f ms %8.2f x memcpy", what, ns / 1e6, ns / copy);
    if (n > 0)
        printf(" %10.1f ns each", ns / n);
    printf("\n");
}

static void die(const lathe_error *err)
{
    char text[1024];
    lathe_error_text(err, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != LATHE_OK)                                                                    \
            die(&err);                                                                             \
    } while (0)

/* As made_up.h describes the bytes. */
static uint8_t *make(size_t *size)
{
    size_t chunk = FIXED + NAME, at = HEAD + ROW * PARTS;
    *size = at + chunk * PARTS + FOOT;
    uint8_t *p = calloc(*size, 1), *foot = p + *size - FOOT;
    if (!p)
        exit(1);
    memcpy(p, "PRTS", 4);
    bytes_st32(p + 4, (uint32_t)*size, false);
    bytes_st16(p + 8, PARTS, false);
    for (size_t i = 0; i < PARTS; i++, at += chunk) {
        bytes_st32(p + HEAD + ROW * i, (uint32_t)at, false);
        bytes_st32(p + HEAD + ROW * i + 4, (uint32_t)chunk, false);
        bytes_st32(p + at, (uint32_t)i, false);
        bytes_st32(p + at + 4, NAME, false);
        bytes_st16(p + at + 25, NAME, false);
        memset(p + at + 27, 'a', NAME);
    }
    bytes_st32(foot, (uint32_t)*size, false);
    bytes_st16(foot + 4, PARTS, false);
    memcpy(foot + 6, "ENDS", 4);
    return p;
}

static bool discard(void *user, const void *bytes, size_t n)
{
    uint8_t **to = user;
    memcpy(*to, bytes, n);
    *to += n;
    return true;
}

static lathe_view chunks_of(lathe_doc *doc)
{
    lathe_value v;
    lathe_error err;
    TRY(lathe_view_get(lathe_doc_root(doc), "chunks", &v, &err));
    return v.as.v;
}

static double encode(lathe_doc *doc, uint8_t *to)
{
    lathe_error err;
    double t = now();
    TRY(lathe_doc_encode(doc, discard, &to, &err));
    return now() - t;
}

/* Views of all parts are read; before, the text of `grown` of them got longer by one. */
static double read_all(lathe_view *views)
{
    lathe_value v;
    lathe_error err;
    double t = now();
    for (int i = 0; i < PARTS; i++)
        TRY(lathe_view_get(views[i], "id", &v, &err));
    return now() - t;
}

static void grow(lathe_view *views, int from, int to, size_t by)
{
    static char text[NAME + 64];
    lathe_error err;
    lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {text, NAME + by}};
    memset(text, 'b', sizeof text);
    for (int i = from; i < to; i++)
        TRY(lathe_view_set(views[i], "name", &v, &err));
}

/* Opening is the least of five: the first ones meet cold pages. */
static lathe_doc *open_best(const char *format, const uint8_t *bytes, size_t size, double *best)
{
    lathe_options options = {.size = sizeof options, .format = format, .history = 4};
    lathe_doc *doc = NULL;
    lathe_error err;
    *best = 1e300;
    for (int i = 0; i < 5; i++) {
        lathe_doc_close(doc);
        double t = now();
        TRY(lathe_doc_parse(bytes, size, &options, &doc, &err));
        t = now() - t;
        *best = t < *best ? t : *best;
    }
    return doc;
}

static double copy_best(const uint8_t *bytes, size_t size, uint8_t *to)
{
    double best = 1e300;
    for (int i = 0; i < 5; i++) {
        double t = now();
        memcpy(to, bytes, size);
        t = now() - t;
        best = t < best ? t : best;
    }
    return best;
}

static void edits(lathe_doc *doc, lathe_view *views, int parts, double copy)
{
    lathe_error err;
    double t = now();
    grow(views, 0, 1, 1);
    line("one text grows (first edit)", now() - t, copy, 0);
    t = now();
    for (size_t i = 0; i < 100; i++)
        grow(views, PARTS / 2, PARTS / 2 + 1, 2 + i % 2);
    line("one text grows and shrinks, 100 edits", now() - t, copy, 100);
    TRY(lathe_edit_begin(doc, &err));
    t = now();
    grow(views, 0, parts, 5);
    lathe_edit_end(doc, true, NULL);
    line("a text grows in many parts, one edit", now() - t, copy, parts);
    t = now();
    if (!lathe_edit_undo(doc, 1))
        exit(1);
    line("… undone", now() - t, copy, parts);
    if (!lathe_edit_undo(doc, -1))
        exit(1);
}

/* The first `parts` parts take part in the edit of many. */
static void run(const char *format, int parts, const uint8_t *bytes, size_t size, uint8_t *to)
{
    lathe_view *views = malloc(PARTS * sizeof *views);
    lathe_error err;
    lathe_value v;
    double opened, copy = copy_best(bytes, size, to);
    if (!views)
        exit(1);
    printf("  format %s: %.1f MB in %d parts, many = %d\n", format, (double)size / 1e6, PARTS,
           parts);
    line("memcpy", copy, copy, 0);
    lathe_doc *doc = open_best(format, bytes, size, &opened);
    line("parse (copies the bytes, finds the parts)", opened, copy, PARTS);
    lathe_view chunks = chunks_of(doc);
    double t = now();
    for (int i = 0; i < PARTS; i++) {
        TRY(lathe_view_item(chunks, (uint64_t)i, &v, &err));
        views[i] = v.as.v;
    }
    line("a view of each part", now() - t, copy, PARTS);
    read_all(views);
    line("one field of each", read_all(views), copy, PARTS);
    line("encode, nothing edited", encode(doc, to), copy, 0);
    edits(doc, views, parts, copy);
    line("one field of each, behind a cut", read_all(views), copy, PARTS);
    line("one field of each, once more", read_all(views), copy, PARTS);
    line("encode, edited", encode(doc, to), copy, 0);
    lathe_doc_close(doc);
    free(views);
}

int main(void)
{
    size_t size;
    uint8_t *bytes = make(&size), *to = malloc(size + (1 << 20));
    if (!to)
        return 1;
    memset(to, 1, size + (1 << 20));
    loose = made_up_parts;
    loose.name = "loose";
    loose.relayout = NULL;
    loose.derives = false;
    run("loose", PARTS, bytes, size, to);
    run("parts", PARTS / 10, bytes, size, to);
    free(bytes);
    free(to);
    return 0;
}
