/* What Havok tagfiles cost: the largest file of the corpus, from memory, in one thread. Ratios to memcpy of the same bytes;
 * and opening against a plain loop that reads what opening has to read: the TYPE section and the item table. */
#include "bench_files.h"
#include "lathe.h"

#include <time.h>

enum { ROUNDS = 40, REPEATS = 50 }; /* the best round counts */

static bench_file file;
static uint8_t *copy;
static uint64_t seen; /* so that nothing is optimised away */

/* Of this process alone, whatever else the machine does. */
/* Of this process alone, whatever else the machine does. */
static double now(void)
{
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
}

static void stop(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* ---- the plain loop ------------------------------------------------------------------------------------ */

/* A section's payload that is being read. */
typedef struct plain_part {
    const uint8_t *p, *end;
} plain_part;

typedef struct plain_member {
    const char *name;
    uint32_t flags, extra, offset, type;
} plain_member;

typedef struct plain_arg {
    const char *name;
    uint64_t value;
} plain_arg;

typedef struct plain_type {
    const char *name;
    uint32_t args, args_n; /* numbers of the first, and how many */
    uint32_t parent, opt, format, sub_type, version, size, alignment, flags, attribute, mutable_;
    uint32_t members, members_n, interfaces, interfaces_n, hash;
} plain_type;

typedef struct plain_item {
    uint32_t type, kind, offset, count;
} plain_item;

typedef struct plain_file {
    plain_part data, tstr, tnam, fstr, tbod, thsh, item;
    const char **names, **fields;
    plain_type *types;
    plain_arg *args;
    plain_member *members;
    uint32_t *interfaces; /* type and offset */
    plain_item *items;
    uint32_t names_n, fields_n, types_n, args_n, members_n, interfaces_n, items_n;
} plain_file;

/* Room for one more of an array that doubles. */
static void *plain_room(void *list, uint32_t n, size_t size)
{
    if (n & (n - 1) || (n && n < 16))
        return list;
    list = realloc(list, (n ? 2 * (size_t)n : 16) * size);
    if (!list)
        stop("no memory");
    return list;
}

static uint64_t plain_number(plain_part *s)
{
    uint8_t first = s->p < s->end ? *s->p : 0xFF;
    int more = first < 0x80   ? 0
               : first < 0xC0 ? 1
               : first < 0xE0 ? 2
               : first < 0xE8 ? 3
               : first < 0xF0 ? 4
               : first < 0xF8 ? 7
               : first < 0xF9 ? 5
               : first < 0xFA ? 8
                              : 99;
    static const uint8_t kept[] = {0x7F, 0x3F, 0x1F, 0x07, 0x07, 0, 0, 0x07, 0};
    if (more > s->end - s->p - 1)
        stop("a bad packed integer");
    uint64_t v = first & kept[more];
    for (int i = 1; i <= more; i++)
        v = v << 8 | s->p[i];
    s->p += more + 1;
    return v;
}

/* A number below a limit. */
static uint32_t plain_below(plain_part *s, uint64_t limit)
{
    uint64_t v = plain_number(s);
    if (v >= limit)
        stop("a number out of its range");
    return (uint32_t)v;
}

static uint32_t plain_u32(plain_part *s)
{
    return plain_below(s, (uint64_t)UINT32_MAX + 1);
}

static const char **plain_texts(const plain_part *s, uint32_t *n)
{
    const char **list = NULL;
    for (const uint8_t *p = s->p, *q; p < s->end; p = q + 1) {
        q = memchr(p, 0, (size_t)(s->end - p));
        if (!q)
            break;
        list = plain_room(list, *n, sizeof *list);
        list[(*n)++] = (const char *)p;
    }
    return list;
}

static void plain_names(plain_file *f)
{
    plain_part s = f->tnam;
    f->types_n = plain_below(&s, (uint64_t)(s.end - s.p));
    f->types = calloc(f->types_n + (size_t)1, sizeof *f->types);
    if (!f->types)
        stop("no memory");
    for (uint32_t id = 1; id < f->types_n; id++) {
        plain_type *t = &f->types[id];
        t->name = f->names[plain_below(&s, f->names_n)];
        t->args_n = plain_u32(&s);
        t->args = f->args_n;
        for (uint32_t i = 0; i < t->args_n; i++) {
            f->args = plain_room(f->args, f->args_n, sizeof *f->args);
            plain_arg *a = &f->args[f->args_n++];
            a->name = f->names[plain_below(&s, f->names_n)];
            a->value = a->name[0] == 't' ? plain_below(&s, f->types_n) : plain_number(&s);
        }
    }
}

static void plain_members(plain_file *f, plain_part *s, plain_type *t)
{
    uint32_t n = plain_u32(s);
    t->members_n = (n & 0xFFFF) + (n >> 16);
    t->members = f->members_n;
    for (uint32_t i = 0; i < t->members_n; i++) {
        f->members = plain_room(f->members, f->members_n, sizeof *f->members);
        plain_member *m = &f->members[f->members_n++];
        m->name = f->fields[plain_below(s, f->fields_n)];
        m->flags = plain_u32(s);
        m->extra = m->flags & 0x80 ? plain_u32(s) : 0;
        m->offset = plain_u32(s);
        m->type = plain_below(s, f->types_n);
    }
}

static void plain_interfaces(plain_file *f, plain_part *s, plain_type *t)
{
    t->interfaces_n = plain_u32(s);
    t->interfaces = f->interfaces_n;
    for (uint32_t i = 0; i < t->interfaces_n; i++) {
        f->interfaces = plain_room(f->interfaces, f->interfaces_n, 2 * sizeof *f->interfaces);
        f->interfaces[2 * f->interfaces_n] = plain_below(s, f->types_n);
        f->interfaces[2 * f->interfaces_n++ + 1] = plain_u32(s);
    }
}

static void plain_bodies(plain_file *f)
{
    plain_part s = f->tbod;
    while (s.p < s.end) {
        uint32_t id = plain_below(&s, f->types_n);
        plain_type *t = &f->types[id];
        if (!id)
            continue;
        t->parent = plain_below(&s, f->types_n);
        t->opt = plain_u32(&s);
        t->format = t->opt & 0x01 ? plain_u32(&s) : 0;
        t->sub_type = t->opt & 0x02 ? plain_below(&s, f->types_n) : 0;
        t->version = t->opt & 0x04 ? plain_u32(&s) : 0;
        t->size = t->opt & 0x08 ? plain_u32(&s) : 0;
        t->alignment = t->opt & 0x08 ? plain_u32(&s) : 0;
        t->flags = t->opt & 0x10 ? plain_u32(&s) : 0;
        if (t->opt & 0x20)
            plain_members(f, &s, t);
        if (t->opt & 0x40)
            plain_interfaces(f, &s, t);
        t->attribute = t->opt & 0x80 ? plain_u32(&s) : 0;
        t->mutable_ = t->opt & 0x100 ? plain_u32(&s) : 0;
    }
}

static uint32_t plain_word(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void plain_hashes(plain_file *f)
{
    plain_part s = f->thsh;
    uint32_t n = plain_u32(&s);
    for (uint32_t i = 0; i < n; i++, s.p += 4) {
        uint32_t id = plain_below(&s, f->types_n);
        if (s.end - s.p < 4)
            stop("a hash behind the end");
        f->types[id].hash = plain_word(s.p);
    }
}

static void plain_items(plain_file *f)
{
    uint64_t have = (uint64_t)(f->data.end - f->data.p);
    f->items_n = (uint32_t)((f->item.end - f->item.p) / 12);
    f->items = malloc((f->items_n + (size_t)1) * sizeof *f->items);
    if (!f->items)
        stop("no memory");
    for (uint32_t i = 0; i < f->items_n; i++) {
        const uint8_t *p = f->item.p + 12 * (size_t)i;
        plain_item item = {plain_word(p) & 0xFFFFFF, p[3], plain_word(p + 4), plain_word(p + 8)};
        if (item.type >= f->types_n || item.offset > have)
            stop("an item outside of the data");
        f->items[i] = item;
    }
}

/* All sections in a span, those in others too. */
static void plain_sections(plain_file *f, const uint8_t *p, const uint8_t *end)
{
    const struct {
        const char *name;
        plain_part *to;
    } known[] = {{"DATA", &f->data}, {"TSTR", &f->tstr}, {"TNAM", &f->tnam}, {"FSTR", &f->fstr},
                 {"TBOD", &f->tbod}, {"THSH", &f->thsh}, {"ITEM", &f->item}};
    while (p < end) {
        if (end - p < 8)
            stop("a section without a header");
        uint32_t word = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        uint32_t size = word & 0x3FFFFFFF;
        if (size < 8 || size > end - p)
            stop("a section of a wrong size");
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (memcmp(p + 4, known[i].name, 4) == 0)
                *known[i].to = (plain_part){p + 8, p + size};
        if (!(word >> 30))
            plain_sections(f, p + 8, p + size);
        p += size;
    }
}

static void plain_loop(void)
{
    plain_file f = {0};
    plain_sections(&f, file.bytes, file.bytes + file.size);
    f.names = plain_texts(&f.tstr, &f.names_n);
    f.fields = plain_texts(&f.fstr, &f.fields_n);
    plain_names(&f);
    plain_bodies(&f);
    plain_hashes(&f);
    plain_items(&f);
    seen += f.types_n + f.members_n + f.items_n + f.types[f.types_n - 1].hash;
    free(f.names);
    free(f.fields);
    free(f.types);
    free(f.args);
    free(f.members);
    free(f.interfaces);
    free(f.items);
}

/* ---- the same by lathe --------------------------------------------------------------------------------- */

static lathe_doc *open_one(void)
{
    lathe_options options = {.size = sizeof options, .format = "tagfile"};
    lathe_doc *doc = NULL;
    if (lathe_doc_parse(file.bytes, file.size, &options, &doc, NULL) != LATHE_OK)
        stop("cannot be opened");
    return doc;
}

static void copied(void)
{
    memcpy(copy, file.bytes, file.size);
    seen += copy[seen % file.size];
}

static void opened(void)
{
    lathe_doc_close(open_one());
}

static void a_field(void)
{
    lathe_doc *doc = open_one();
    lathe_value v;
    if (lathe_view_at(lathe_doc_root(doc), "root.named_variants[1].class_name", &v, NULL) !=
        LATHE_OK)
        stop("no such field");
    seen += v.as.s.n;
    lathe_doc_close(doc);
}

static void touch(lathe_view record, int depth);

static void touch_value(lathe_value v, bool ref, int depth)
{
    lathe_value one;
    seen++;
    if (v.kind == LATHE_KIND_RECORD && !ref && depth < 60)
        touch(v.as.v, depth + 1);
    uint64_t n = v.kind == LATHE_KIND_ARRAY ? lathe_view_count(v.as.v) : 0;
    for (uint64_t i = 0; i < n; i++)
        if (lathe_view_item(v.as.v, i, &one, NULL) == LATHE_OK)
            touch_value(one, ref, depth + 1);
}

static void touch(lathe_view record, int depth)
{
    lathe_field_info info = {.size = sizeof info};
    lathe_value v;
    for (uint64_t i = 0; lathe_view_describe(record, i, &info); i++)
        if (!(info.flags & LATHE_FIELD_COMPUTED) &&
            lathe_view_get(record, info.name, &v, NULL) == LATHE_OK)
            touch_value(v, info.flags & LATHE_FIELD_REF, depth);
}

static void everything(void)
{
    lathe_doc *doc = open_one();
    lathe_value objects, object;
    if (lathe_view_get(lathe_doc_root(doc), "objects", &objects, NULL) != LATHE_OK)
        stop("no objects");
    for (uint64_t i = 0; lathe_view_item(objects.as.v, i, &object, NULL) == LATHE_OK; i++)
        touch(object.as.v, 0);
    lathe_doc_close(doc);
}

/* ---- lines ----------------------------------------------------------------------------------------------- */

static double best_of(void (*what)(void))
{
    double best = 1e300;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < REPEATS; i++)
            what();
        double took = (now() - start) / REPEATS;
        best = took < best ? took : best;
    }
    return best;
}

static void line(const char *what, double ns, double base, const char *of)
{
    printf("  %-44s %9.1f us %8.2f x %s\n", what, ns / 1e3, ns / base, of);
}

int main(void)
{
    if (!bench_read_all("tagfile", ".hkx")) {
        puts("  no corpus: nothing is measured");
        return 0;
    }
    for (size_t i = 0; i < bench_count; i++)
        if (bench_files[i].size > file.size)
            file = bench_files[i];
    copy = malloc(file.size);
    if (!copy)
        return 1;
    printf("  the largest file of the corpus, %.1f KB\n", (double)file.size / 1e3);
    double base = best_of(copied), plain = best_of(plain_loop), open = best_of(opened);
    seen = 0;
    everything();
    double fields = (double)seen;
    line("memcpy", base, base, "memcpy");
    line("a plain loop over TYPE and ITEM", plain, base, "memcpy");
    line("open and close", open, base, "memcpy");
    line("open and one field", best_of(a_field), base, "memcpy");
    line("open and touch of every field", best_of(everything), base, "memcpy");
    printf("  %.0f fields and elements\n", fields);
    line("open and close", open, plain, "the plain loop (3 are allowed)");
    for (size_t i = 0; i < bench_count; i++)
        free(bench_files[i].bytes);
    free(copy);
    return seen == 0;
}
