/* What Fallout 4's collision costs: all files of the corpus from memory, opened, changed and written to memory. How many
 * NIFs a second, in one process and shared out among two; and one field against memcpy of the same bytes. */
#define _POSIX_C_SOURCE 200809L

#include "bench_files.h"
#include "lathe.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, REPEATS = 20 }; /* so that a process is worth its start */

static double total; /* bytes */
static uint8_t *out;
static size_t out_n;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool put(void *user, const void *bytes, size_t n)
{
    (void)user;
    memcpy(out + out_n, bytes, n);
    out_n += n;
    return true;
}

/* ---- arguments of a verb ------------------------------------------------------------------------------- */

static bool argument(void *user, const void *node, const char *name, uint64_t index,
                     lathe_value *leaf, const void **child)
{
    (void)user, (void)node, (void)index, (void)child;
    if (name && strcmp(name, "factor") == 0)
        *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = 2};
    else if (name && strcmp(name, "what") == 0)
        *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {"collision", 9}};
    else
        return false;
    return true;
}

static uint64_t no_count(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static const lathe_source arguments = {sizeof arguments, NULL, argument, no_count, NULL};

/* ---- what is done to each file ---------------------------------------------------------------------------- */

static void copied(const bench_file *f)
{
    memcpy(out, f->bytes, f->size);
}

static lathe_doc *open_one(const bench_file *f)
{
    lathe_options options = {.size = sizeof options, .format = "nif"};
    lathe_doc *doc = NULL;
    if (lathe_doc_parse(f->bytes, f->size, &options, &doc, NULL) != LATHE_OK)
        exit(1);
    return doc;
}

static void written(lathe_doc *doc)
{
    out_n = 0;
    if (lathe_doc_encode(doc, put, NULL, NULL) != LATHE_OK)
        exit(1);
    lathe_doc_close(doc);
}

static void opened(const bench_file *f)
{
    written(open_one(f));
}

static void scaled(const bench_file *f)
{
    lathe_doc *doc = open_one(f);
    lathe_report report = {.size = sizeof report};
    if (lathe_view_call(lathe_doc_root(doc), "scale", &arguments, &report, NULL) != LATHE_OK)
        exit(1);
    written(doc);
}

static void one_field(const bench_file *f)
{
    lathe_doc *doc = open_one(f);
    lathe_value blocks, block, body, friction = {.kind = LATHE_KIND_REAL, .as.f = 0.75};
    bool done = false;
    if (lathe_view_get(lathe_doc_root(doc), "blocks", &blocks, NULL) != LATHE_OK)
        exit(1);
    for (uint64_t i = 0; !done && lathe_view_item(blocks.as.v, i, &block, NULL) == LATHE_OK; i++) {
        const char *type = lathe_view_type(block.as.v);
        if (strcmp(type, "bhkPhysicsSystem") != 0 && strcmp(type, "bhkRagdollSystem") != 0)
            continue;
        done = lathe_view_at(block.as.v, "system.objects[1].body_cinfos[1].body", &body, NULL) ==
                   LATHE_OK &&
               lathe_view_set(body.as.v, "friction", &friction, NULL) == LATHE_OK;
    }
    if (!done)
        exit(1);
    written(doc);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

static void share(void (*what)(const bench_file *), size_t from, size_t step)
{
    for (int r = 0; r < REPEATS; r++)
        for (size_t i = from; i < bench_count; i += step)
            what(&bench_files[i]);
}

/* Nanoseconds for all files, the best of some rounds. */
static double best_of(void (*what)(const bench_file *), int processes)
{
    double best = 0;
    for (int r = 0; r < ROUNDS; r++) {
        double start = now();
        pid_t child = processes > 1 ? fork() : -1;
        if (child == 0) {
            share(what, 1, 2);
            _exit(0);
        }
        share(what, 0, child > 0 ? 2 : 1);
        if (child > 0)
            waitpid(child, NULL, 0);
        double took = (now() - start) / REPEATS;
        best = r && best < took ? best : took;
    }
    return best;
}

static void line(const char *what, double ns, double copy)
{
    printf("  %-38s %8.0f NIFs/s  %7.0f MB/s  %6.1f x memcpy\n", what,
           (double)bench_count / ns * 1e9, total / ns * 1e3, ns / copy);
}

int main(void)
{
    size_t most = 0;
    if (!bench_read("nif-fo4-collision")) {
        puts("  no corpus: nothing is measured");
        return 0;
    }
    for (size_t i = 0; i < bench_count; i++) {
        total += (double)bench_files[i].size;
        most = bench_files[i].size > most ? bench_files[i].size : most;
    }
    out = malloc(most * 2 + 65536);
    if (!out)
        return 1;
    printf("  %zu files of the corpus, %.1f MB\n", bench_count, total / 1e6);
    double copy = best_of(copied, 1), one = best_of(scaled, 1), two = best_of(scaled, 2);
    line("memcpy", copy, copy);
    line("open and encode", best_of(opened, 1), copy);
    line("one field, open and encode", best_of(one_field, 1), copy);
    line("rescale collision", one, copy);
    line("rescale collision, two processes", two, copy);
    printf("  two processes: %.2f x as fast as one\n", one / two);
    return 0;
}
