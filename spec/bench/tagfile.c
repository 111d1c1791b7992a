/* What tagfiles cost, over all files of the corpus, from memory: ratios to memcpy of the same bytes. Opening is compared with a
 * plain loop over the TYPE section and the items, which checks bounds and keeps nothing. */
#include "bench_files.h"
#include "lathe.h"

#include <time.h>

enum { ROUNDS = 200 };

static uint8_t *out;
static uint64_t seen; /* so that nothing is optimised away */

static double now(void)
{
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
}

/* ---- the plain loop -------------------------------------------------------------------------------------- */

typedef struct span {
    const uint8_t *p, *end;
} span;

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* The payload of a section by its name; nothing where there is none. */
static span section_of(span in, const char *name, const char *other)
{
    while (in.end - in.p >= 8) {
        uint32_t size = be32(in.p) & 0x3FFFFFFF;
        if (size < 8 || size > (size_t)(in.end - in.p))
            break;
        if (memcmp(in.p + 4, name, 4) == 0 || memcmp(in.p + 4, other, 4) == 0)
            return (span){in.p + 8, in.p + size};
        in.p += size;
    }
    return (span){NULL, NULL};
}

static uint64_t packed(span *s)
{
    if (s->p >= s->end)
        exit(1);
    uint8_t first = *s->p++;
    if (first < 0x80)
        return first;
    size_t n = first < 0xC0    ? 1
               : first < 0xE0  ? 2
               : first < 0xE8  ? 3
               : first < 0xF0  ? 4
               : first < 0xF8  ? 7
               : first == 0xF8 ? 5
                               : 8;
    uint64_t value = first < 0xC0   ? first & 0x3F
                     : first < 0xE0 ? first & 0x1F
                     : first < 0xF8 ? first & 7
                                    : 0;
    if ((size_t)(s->end - s->p) < n || first > 0xF9)
        exit(1);
    while (n-- > 0)
        value = value << 8 | *s->p++;
    return value;
}

static const uint8_t **strings_of(span s, uint32_t *n)
{
    static const uint8_t *index[2][1 << 14];
    static int which;
    const uint8_t **list = index[which++ & 1];
    for (*n = 0; s.p < s.end && *n < 1 << 14; s.p++) {
        const uint8_t *end = memchr(s.p, 0, (size_t)(s.end - s.p));
        if (!end)
            break;
        list[(*n)++] = s.p;
        s.p = end;
    }
    return list;
}

static void below(uint64_t i, uint64_t n)
{
    if (i >= n)
        exit(1);
    seen += i;
}

static void read_names(span s, const uint8_t **texts, uint32_t texts_n, uint64_t *types)
{
    *types = packed(&s);
    for (uint64_t i = 1; i < *types; i++) {
        below(packed(&s), texts_n);
        for (uint64_t k = packed(&s); k-- > 0;) {
            uint64_t name = packed(&s);
            below(name, texts_n);
            uint64_t value = packed(&s);
            if (texts[name][0] == 't')
                below(value, *types);
        }
    }
}

static void read_bodies(span s, uint32_t fields, uint64_t types)
{
    while (s.p < s.end) {
        uint64_t id = packed(&s);
        if (!id)
            continue;
        below(id, types);
        below(packed(&s), types);
        uint64_t opt = packed(&s);
        for (int bit = 0; bit < 5; bit++)
            for (int n = opt >> bit & 1 ? (bit == 3 ? 2 : 1) : 0; n > 0; n--)
                seen += packed(&s);
        uint64_t count = opt & 0x20 ? packed(&s) : 0;
        for (uint64_t n = (count & 0xFFFF) + (count >> 16); n > 0; n--) {
            below(packed(&s), fields);
            seen += packed(&s) & 0x80 ? packed(&s) : 0;
            seen += packed(&s);
            below(packed(&s), types);
        }
        for (uint64_t n = opt & 0x40 ? packed(&s) : 0; n > 0; n--) {
            below(packed(&s), types);
            seen += packed(&s);
        }
        seen += opt & 0x80 ? packed(&s) : 0;
        seen += opt & 0x100 ? packed(&s) : 0;
    }
}

static void plain(const bench_file *f)
{
    span all = section_of((span){f->bytes, f->bytes + f->size}, "TAG0", "TAG0");
    span data = section_of(all, "DATA", "DATA"), type = section_of(all, "TYPE", "TYPE");
    span items = section_of(section_of(all, "INDX", "INDX"), "ITEM", "ITEM");
    uint32_t texts_n, fields_n;
    uint64_t types;
    const uint8_t **texts = strings_of(section_of(type, "TSTR", "TST1"), &texts_n);
    strings_of(section_of(type, "FSTR", "FST1"), &fields_n);
    read_names(section_of(type, "TNAM", "TNA1"), texts, texts_n, &types);
    read_bodies(section_of(type, "TBOD", "TBDY"), fields_n, types);
    span hashes = section_of(type, "THSH", "THSH");
    for (uint64_t n = hashes.p < hashes.end ? packed(&hashes) : 0; n > 0; n--) {
        below(packed(&hashes), types);
        if (hashes.end - hashes.p < 4)
            exit(1);
        seen += le32(hashes.p);
        hashes.p += 4;
    }
    for (; items.end - items.p >= 12; items.p += 12) {
        below(le32(items.p) & 0xFFFFFF, types);
        below(le32(items.p + 4), (uint64_t)(data.end - data.p) + 1);
        seen += le32(items.p + 8);
    }
}

/* ---- lathe ----------------------------------------------------------------------------------------------- */

static lathe_doc *opened(const bench_file *f)
{
    lathe_options options = {.size = sizeof options, .format = "tagfile"};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(f->bytes, f->size, &options, &doc, &err) != LATHE_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return doc;
}

static void just_open(const bench_file *f)
{
    lathe_doc_close(opened(f));
}

static void a_field(const bench_file *f)
{
    lathe_doc *doc = opened(f);
    lathe_value v;
    if (lathe_view_at(lathe_doc_root(doc), "root.named_variants[1].name", &v, NULL) == LATHE_OK)
        seen += v.as.s.n;
    lathe_doc_close(doc);
}

/* Arrays of pointers lead to other objects, which are touched on their own. */
static void touch_object(lathe_view object, int depth)
{
    uint64_t n = lathe_view_count(object);
    for (uint64_t i = 0; i < n; i++) {
        lathe_field_info info = {.size = sizeof info};
        lathe_value v = {.kind = LATHE_KIND_NONE};
        if (!lathe_view_describe(object, i, &info) || info.flags & LATHE_FIELD_COMPUTED)
            continue;
        seen++;
        if (lathe_view_get(object, info.name, &v, NULL) != LATHE_OK || info.flags & LATHE_FIELD_REF)
            continue;
        if (v.kind == LATHE_KIND_RECORD && depth < 20)
            touch_object(v.as.v, depth + 1);
        for (uint64_t k = 0, count = v.kind == LATHE_KIND_ARRAY ? lathe_view_count(v.as.v) : 0;
             k < count; k++) {
            lathe_value e = {.kind = LATHE_KIND_NONE};
            seen++;
            if (lathe_view_item(v.as.v, k, &e, NULL) == LATHE_OK && e.kind == LATHE_KIND_RECORD &&
                depth < 20)
                touch_object(e.as.v, depth + 1);
        }
    }
}

static void every_field(const bench_file *f)
{
    lathe_doc *doc = opened(f);
    lathe_value objects, one;
    if (lathe_view_get(lathe_doc_root(doc), "objects", &objects, NULL) == LATHE_OK)
        for (uint64_t i = 0; lathe_view_item(objects.as.v, i, &one, NULL) == LATHE_OK &&
                             one.kind == LATHE_KIND_RECORD;
             i++)
            touch_object(one.as.v, 0);
    lathe_doc_close(doc);
}

static void copy(const bench_file *f)
{
    memcpy(out, f->bytes, f->size);
    seen += out[f->size / 2];
}

/* ---- figures --------------------------------------------------------------------------------------------- */

static double measure(void (*what)(const bench_file *f), const bench_file *f, int rounds)
{
    double best = 1e300;
    for (int i = 0; i < 5; i++) {
        double start = now();
        for (int k = 0; k < rounds; k++)
            what(f);
        double took = (now() - start) / rounds;
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    const bench_file *largest = NULL;
    double loops = 0, opens = 0;
    if (!bench_read_all("tagfile", ".hkx")) {
        printf("  there is no corpus of tagfiles\n");
        return 0;
    }
    for (size_t i = 0; i < bench_count; i++)
        largest = !largest || bench_files[i].size > largest->size ? &bench_files[i] : largest;
    out = calloc(largest->size, 1);
    if (!out)
        return 1;
    for (size_t i = 0; i < bench_count; i++) {
        const bench_file *f = &bench_files[i];
        double loop = measure(plain, f, ROUNDS), open = measure(just_open, f, ROUNDS);
        printf("  %6zu bytes: open %8.0f ns, plain loop %8.0f ns %17.2f x the loop\n", f->size,
               open, loop, open / loop);
        loops += loop;
        opens += open;
    }
    printf("  %-46s %10.2f x the plain loop\n", "open, all files", opens / loops);
    double memory = measure(copy, largest, 100 * ROUNDS);
    const struct {
        const char *name;
        void (*fn)(const bench_file *f);
    } lines[] = {{"open", just_open},
                 {"open and one field", a_field},
                 {"open and touch every field", every_field}};
    printf("  the largest: %zu bytes, memcpy %.0f ns\n", largest->size, memory);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        double took = measure(lines[i].fn, largest, 10);
        printf("  %-46s %10.3f ms %8.1f x memcpy\n", lines[i].name, took / 1e6, took / memory);
    }
    for (size_t i = 0; i < bench_count; i++)
        free(bench_files[i].bytes);
    free(out);
    return seen == 0;
}
