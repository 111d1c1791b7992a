/* What scenes cost, over all files of the corpus, from memory, in one thread; without a corpus, over one that is made
 * here of every described block. Ratios to memcpy of the same bytes. */
#include "bench_files.h"
#include "lathe.h"

#include <time.h>

enum { ROUNDS = 5, MADE_VERTICES = 20000 };

static double total; /* bytes */

/* Of this process alone, whatever else the machine does. */
static double now(void)
{
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
}

static lathe_value text(const char *p)
{
    return (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, strlen(p)}};
}

static lathe_value view_of(lathe_view from, const char *field)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    if (lathe_view_get(from, field, &v, NULL) != LATHE_OK)
        v.kind = LATHE_KIND_NONE;
    return v;
}

/* A block of each type, and shapes with vertices. */
static void make_one(void)
{
    lathe_doc *doc = NULL;
    bench_file f = {NULL, 0};
    size_t n;
    const lathe_format *const *formats = lathe_formats(&n), *const *nif = NULL;
    lathe_format_info info = {.size = sizeof info};
    for (size_t i = 0; i < n; i++) {
        lathe_format_describe(formats[i], &info);
        nif = strcmp(info.name, "nif") == 0 ? formats + i : nif;
    }
    if (!nif || lathe_doc_new("nif", NULL, NULL, &doc, NULL) != LATHE_OK)
        exit(1);
    lathe_value blocks = view_of(lathe_doc_root(doc), "blocks"), block;
    for (size_t i = 0; lathe_format_type(*nif, i); i++) {
        lathe_value type = text(lathe_format_type(*nif, i));
        lathe_value desc = {.kind = LATHE_KIND_INT, .as.i = 0x1B00000650408};
        bool shape = strcmp(type.as.s.p, "BSTriShape") == 0;
        lathe_edit_begin(doc, NULL);
        bool ok = lathe_view_insert(blocks.as.v, i, 1, NULL) == LATHE_OK &&
                  lathe_view_item(blocks.as.v, i, &block, NULL) == LATHE_OK &&
                  lathe_view_set(block.as.v, "type", &type, NULL) == LATHE_OK;
        if (ok && shape && lathe_view_item(blocks.as.v, i, &block, NULL) == LATHE_OK &&
            lathe_view_set(block.as.v, "vertex_desc", &desc, NULL) == LATHE_OK) {
            lathe_value list = view_of(block.as.v, "vertices");
            if (list.kind == LATHE_KIND_ARRAY)
                lathe_view_insert(list.as.v, 0, MADE_VERTICES, NULL);
        }
        lathe_edit_end(doc, true, NULL);
    }
    if (lathe_doc_encode(doc, bench_keep, &f, NULL) != LATHE_OK)
        exit(1);
    lathe_doc_close(doc);
    bench_files[bench_count++] = f;
}

/* ---- looking ------------------------------------------------------------------------------------------- */

static double room[1 << 16]; /* what is read in bulk, piece by piece */
static uint64_t seen;        /* fields, so that nothing is optimised away */

/* Names of the fields of a record as a host would keep them: asked once for each type and version. */
typedef struct names {
    const char *type;
    uint64_t rows, version;
    uint32_t count;
    struct {
        const char *name;
        bool ref, computed;
    } field[96];
} names;

static names known[4096];
static uint64_t version; /* of the file that is looked at */
/* Also what is worked out from stored fields: their bytes are read twice then. */
static bool computed;

static const names *names_of(lathe_view record)
{
    const char *type = lathe_view_type(record);
    uint64_t rows = lathe_view_count(record);
    lathe_field_info info = {.size = sizeof info};
    size_t at = (size_t)(((uintptr_t)type >> 3 ^ rows * 31 ^ version * 0x9E3779B1u) % 4096);
    while (known[at].type &&
           (known[at].type != type || known[at].rows != rows || known[at].version != version))
        at = (at + 1) % 4096;
    names *n = &known[at];
    if (n->type)
        return n;
    *n = (names){.type = type, .rows = rows, .version = version};
    while (n->count < 96 && lathe_view_describe(record, n->count, &info)) {
        n->field[n->count].name = info.name;
        n->field[n->count].computed = info.flags & LATHE_FIELD_COMPUTED;
        n->field[n->count++].ref = info.flags & LATHE_FIELD_REF;
    }
    return n;
}

static void touch(lathe_view record);

/* All elements of an array of one size, or of one member of each. */
static bool touch_bulk(lathe_view array, const char *member, uint64_t n)
{
    lathe_elem elem;
    uint32_t lanes = lathe_view_lanes(array, member, &elem);
    uint64_t most = lanes ? sizeof room / sizeof *room / lanes : 0;
    for (uint64_t i = 0; lanes && i < n; i += most)
        if (lathe_view_read(array, member, i, n - i < most ? n - i : most, elem, room, 0, NULL) !=
            LATHE_OK)
            return false;
    seen += lanes ? n : 0;
    return lanes > 0;
}

static void touch_array(lathe_view array)
{
    lathe_value v;
    uint64_t n = lathe_view_count(array);
    if (!n || touch_bulk(array, NULL, n))
        return;
    if (lathe_view_item(array, 0, &v, NULL) == LATHE_OK && v.kind == LATHE_KIND_RECORD && n > 8) {
        const names *members = names_of(v.as.v);
        bool all = true;
        for (uint32_t k = 0; all && k < members->count; k++)
            all = touch_bulk(array, members->field[k].name, n);
        if (all)
            return;
    }
    for (uint64_t i = 0; i < n && lathe_view_item(array, i, &v, NULL) == LATHE_OK; i++) {
        seen++;
        if (v.kind == LATHE_KIND_RECORD)
            touch(v.as.v);
    }
}

static void touch(lathe_view record)
{
    const names *n = names_of(record);
    lathe_value v;
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->field[i].computed && !computed)
            continue;
        if (lathe_view_get(record, n->field[i].name, &v, NULL) != LATHE_OK)
            continue;
        seen++;
        if (v.kind == LATHE_KIND_ARRAY)
            touch_array(v.as.v);
        else if (v.kind == LATHE_KIND_RECORD && !n->field[i].ref)
            touch(v.as.v);
    }
}

static void each_block(lathe_doc *doc, void (*what)(lathe_view block))
{
    lathe_value blocks = view_of(lathe_doc_root(doc), "blocks"), block;
    uint64_t n = blocks.kind == LATHE_KIND_ARRAY ? lathe_view_count(blocks.as.v) : 0;
    for (uint64_t i = 0; i < n && lathe_view_item(blocks.as.v, i, &block, NULL) == LATHE_OK; i++)
        what(block.as.v);
}

static void type_of(lathe_view block)
{
    seen += lathe_view_type(block)[0] != 0;
}

static double vertex_bytes, vertex_time;

/* Everything that packed vertices have. */
static void vertices(lathe_view block)
{
    lathe_value list = view_of(block, "vertices");
    uint64_t off, size;
    if (list.kind != LATHE_KIND_ARRAY || !lathe_view_count(list.as.v) ||
        lathe_view_span(list.as.v, NULL, &off, &size, NULL) != LATHE_OK)
        return;
    double start = now();
    touch_array(list.as.v);
    vertex_time += now() - start;
    vertex_bytes += (double)size;
}

/* ---- lines ----------------------------------------------------------------------------------------------- */

static uint8_t *out;
static size_t out_n;

static bool put(void *user, const void *bytes, size_t n)
{
    (void)user;
    memcpy(out + out_n, bytes, n);
    out_n += n;
    return true;
}

static lathe_doc *open_one(const bench_file *f)
{
    lathe_options options = {.size = sizeof options, .format = "nif"};
    lathe_doc *doc = NULL;
    return lathe_doc_parse(f->bytes, f->size, &options, &doc, NULL) == LATHE_OK ? doc : NULL;
}

static void encode(lathe_doc *doc)
{
    out_n = 0;
    lathe_doc_encode(doc, put, NULL, NULL);
}

/* Types and sizes, as the header has them. */
static void listed(lathe_doc *doc)
{
    static uint32_t number[1 << 16];
    lathe_value types = view_of(lathe_doc_root(doc), "block_types"), name,
                of = view_of(lathe_doc_root(doc), "block_type_index"),
                sizes = view_of(lathe_doc_root(doc), "block_sizes");
    if (types.kind != LATHE_KIND_ARRAY || of.kind != LATHE_KIND_ARRAY)
        return;
    uint64_t n = lathe_view_count(of.as.v), kinds = lathe_view_count(types.as.v);
    for (uint64_t i = 0; i < kinds; i++)
        if (lathe_view_item(types.as.v, i, &name, NULL) == LATHE_OK)
            seen += name.as.s.n;
    if (n <= 1 << 16)
        lathe_view_read(of.as.v, NULL, 0, n, LATHE_ELEM_U32, number, 0, NULL);
    if (n <= 1 << 16 && sizes.kind == LATHE_KIND_ARRAY)
        lathe_view_read(sizes.as.v, NULL, 0, n, LATHE_ELEM_U32, number, 0, NULL);
}

static void all_blocks(lathe_doc *doc)
{
    each_block(doc, type_of);
}

static void a_field(lathe_doc *doc)
{
    lathe_value blocks = view_of(lathe_doc_root(doc), "blocks"), block;
    if (blocks.kind == LATHE_KIND_ARRAY &&
        lathe_view_item(blocks.as.v, 0, &block, NULL) == LATHE_OK)
        seen += view_of(block.as.v, "name").kind != LATHE_KIND_NONE;
}

static void everything(lathe_doc *doc)
{
    lathe_value v = view_of(lathe_doc_root(doc), "version"),
                bs = view_of(lathe_doc_root(doc), "bs_version");
    version = v.as.u * 1000 + (bs.kind == LATHE_KIND_NONE ? 0 : bs.as.u);
    each_block(doc, touch);
}

static void everything_computed(lathe_doc *doc)
{
    computed = true;
    everything(doc);
    computed = false;
}

static void edited(lathe_doc *doc)
{
    lathe_value blocks = view_of(lathe_doc_root(doc), "blocks"), block, name = text("renamed");
    if (blocks.kind == LATHE_KIND_ARRAY &&
        lathe_view_item(blocks.as.v, 0, &block, NULL) == LATHE_OK)
        lathe_view_set(block.as.v, "name", &name, NULL);
    encode(doc);
}

static void touched_and_encoded(lathe_doc *doc)
{
    everything(doc);
    encode(doc);
}

static double copy_time;
static const char *only; /* lines with this in it; NULL: all */

static void line(const char *what, double ns, double bytes)
{
    printf("  %-44s %9.3f ms %9.0f MB/s %8.2f x memcpy\n", what, ns / 1e6, bytes * 1e3 / ns,
           ns / (copy_time * bytes / total));
}

/* Opening, what is done to the document, closing. */
static void measure(const char *what, void (*with)(lathe_doc *doc))
{
    double best = 1e300;
    if (only && !strstr(what, only))
        return;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (size_t i = 0; i < bench_count; i++) {
            lathe_doc *doc = open_one(&bench_files[i]);
            if (doc)
                with(doc);
            lathe_doc_close(doc);
        }
        double took = now() - start;
        best = took < best ? took : best;
    }
    line(what, best, total);
}

static void measure_vertices(void)
{
    double best = 1e300, bytes = 0;
    if (only && !strstr("vertices", only))
        return;
    for (int round = 0; round < ROUNDS; round++) {
        vertex_bytes = vertex_time = 0;
        for (size_t i = 0; i < bench_count; i++) {
            lathe_doc *doc = open_one(&bench_files[i]);
            if (doc)
                each_block(doc, vertices);
            lathe_doc_close(doc);
        }
        bytes = vertex_bytes;
        best = vertex_time < best ? vertex_time : best;
    }
    if (bytes > 0)
        line("decode vertices (bytes of them alone)", best, bytes);
}

static void measure_copy(void)
{
    copy_time = 1e300;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        double start = now();
        for (size_t i = 0; i < bench_count; i++)
            memcpy(out, bench_files[i].bytes, bench_files[i].size);
        double took = now() - start;
        copy_time = took < copy_time ? took : copy_time;
    }
    line("memcpy", copy_time, total);
}

int main(int argc, char **argv)
{
    size_t largest = 0;
    only = argc > 1 ? argv[1] : NULL;
    bool corpus = bench_read("nif");
    if (!corpus)
        make_one();
    for (size_t i = 0; i < bench_count; i++) {
        total += (double)bench_files[i].size;
        largest = bench_files[i].size > largest ? bench_files[i].size : largest;
    }
    out = calloc(largest + 4096, 1);
    if (!out)
        return 1;
    printf("  %zu %s, %.1f MB\n", bench_count,
           corpus ? "files of the corpus" : "file made here: there is no corpus", total / 1e6);
    measure_copy();
    measure("open and list blocks", listed);
    measure("open and a view of each block", all_blocks);
    measure("open and one field", a_field);
    measure("open and touch every stored field", everything);
    measure("open and touch computed fields, too", everything_computed);
    measure("open, edit and encode", edited);
    measure("open, touch every stored field and encode", touched_and_encoded);
    measure_vertices();
    for (size_t i = 0; i < bench_count; i++)
        free(bench_files[i].bytes);
    free(out);
    return seen == 0;
}
