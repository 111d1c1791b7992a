/* What Phive shapes cost: the largest file of the corpus (some 2,500 sections), from memory, in one thread. Ratios to memcpy
 * of the same bytes; and a mesh of 200,000 triangles that is built. */
#include "bench_files.h"
#include "lathe.h"
#include "phive/build.h"

#include <math.h>
#include <time.h>

enum { ROUNDS = 20, REPEATS = 20, SIDE = 316 }; /* the best round counts */

static bench_file file;
static uint8_t *copy;
static float *numbers;
static lathe_doc *held;
static uint64_t seen; /* so that nothing is optimised away */

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

static void copied(void)
{
    memcpy(copy, file.bytes, file.size);
    seen += copy[file.size / 2];
}

static lathe_doc *open_one(void)
{
    const lathe_options o = {.size = sizeof o, .path = "bench.bphsh"};
    lathe_doc *doc;
    if (lathe_doc_parse(file.bytes, file.size, &o, &doc, NULL) != LATHE_OK)
        stop("the file does not open");
    return doc;
}

static void opened(void)
{
    lathe_doc_close(open_one());
}

static void materials(void)
{
    static const char *const names[] = {"material_id", "user_tag_mask", "layer_mask"};
    lathe_doc *doc = open_one();
    lathe_value list, row, v;
    if (lathe_view_at(lathe_doc_root(doc), "tables.materials", &list, NULL) != LATHE_OK)
        stop("no materials");
    for (uint64_t i = 0; lathe_view_item(list.as.v, i, &row, NULL) == LATHE_OK; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (lathe_view_get(row.as.v, names[k], &v, NULL) == LATHE_OK)
                seen += v.as.u;
    lathe_doc_close(doc);
}

static void read_table(lathe_doc *doc, const char *name, uint64_t columns)
{
    lathe_value v;
    if (lathe_view_get(lathe_doc_root(doc), name, &v, NULL) != LATHE_OK)
        stop("no such table");
    uint64_t n = lathe_view_count(v.as.v);
    if (n * columns * sizeof *numbers > 4 * file.size ||
        lathe_view_read(v.as.v, NULL, 0, n, LATHE_ELEM_F32, numbers, 0, NULL) != LATHE_OK)
        stop("the table is not to be read");
    seen += n;
}

static void geometry_of(lathe_doc *doc)
{
    read_table(doc, "vertices", 3);
    read_table(doc, "section_bounds", 6);
}

static void geometry(void)
{
    geometry_of(held);
}

static void opened_geometry(void)
{
    lathe_doc *doc = open_one();
    geometry_of(doc);
    lathe_doc_close(doc);
}

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

static void line(const char *what, double ns, double base)
{
    printf("  %-52s %9.1f us %8.2f x memcpy\n", what, ns / 1e3, ns / base);
}

/* ---- building --------------------------------------------------------------------------------------------- */

typedef struct counted {
    size_t now, peak;
} counted;

static void *count(void *user, void *ptr, size_t old_size, size_t new_size)
{
    counted *c = user;
    c->now = c->now - (ptr ? old_size : 0) + new_size;
    c->peak = c->now > c->peak ? c->now : c->peak;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static void fill_hills(float *positions, uint32_t *indices)
{
    for (uint32_t i = 0; i < SIDE + 1; i++)
        for (uint32_t k = 0; k < SIDE + 1; k++) {
            float *p = positions + 3 * (i * (SIDE + 1) + k);
            p[0] = (float)i * 0.5F;
            p[1] = 3 * sinf((float)i * 0.1F) * cosf((float)k * 0.13F);
            p[2] = (float)k * 0.5F;
        }
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = 0; k < SIDE; k++) {
            uint32_t a = i * (SIDE + 1) + k, *t = indices + 6 * (i * SIDE + k);
            const uint32_t two[6] = {a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1};
            memcpy(t, two, sizeof two);
        }
}

static void build(void)
{
    size_t vertices = (SIDE + 1) * (SIDE + 1), triangles = 2 * SIDE * SIDE;
    counted c = {0};
    const mem m = {.fn = count, .user = &c};
    float *positions = malloc(vertices * 3 * sizeof *positions);
    uint32_t *indices = malloc(triangles * 3 * sizeof *indices);
    if (!positions || !indices)
        stop("no memory");
    fill_hills(positions, indices);
    const phive_mesh mesh = {positions, vertices, indices, triangles, NULL};
    const phive_build_options o = {.variant = PHIVE_V22, .quads = true};
    phive_built b;
    double start = now();
    if (phive_build(&b, &mesh, &o, &m, NULL) != LATHE_OK)
        stop("the mesh is not built");
    double took = now() - start;
    size_t result = b.vertex_bytes + b.bit_bytes + b.node_count * sizeof *b.nodes +
                    4 * b.primitive_count + b.section_count * sizeof *b.sections +
                    b.top_count * sizeof *b.top;
    printf("  %zu triangles built into %zu sections: %.2f s, at most %.1f x the memory of the "
           "result (20 are allowed)\n",
           triangles, b.section_count, took / 1e9, (double)c.peak / (double)result);
    phive_built_free(&b);
    free(positions);
    free(indices);
}

int main(void)
{
    build();
    if (!bench_read_all("bphsh", ".bphsh")) {
        puts("  no corpus: no more is measured");
        return 0;
    }
    for (size_t i = 0; i < bench_count; i++)
        if (bench_files[i].size > file.size)
            file = bench_files[i];
    copy = malloc(file.size);
    numbers = malloc(4 * file.size);
    if (!copy || !numbers)
        return 1;
    held = open_one();
    printf("  the largest file of the corpus, %.1f KB\n", (double)file.size / 1e3);
    double base = best_of(copied);
    line("memcpy", base, base);
    line("open and close", best_of(opened), base);
    line("open and all materials", best_of(materials), base);
    line("all vertices and boxes of sections, of an open file", best_of(geometry), base);
    line("open, all vertices and boxes of sections", best_of(opened_geometry), base);
    lathe_doc_close(held);
    for (size_t i = 0; i < bench_count; i++)
        free(bench_files[i].bytes);
    free(copy);
    free(numbers);
    return seen == 0;
}
