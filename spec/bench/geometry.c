/* What shared geometry files cost: a .csg of 300 MB with 40,000 rows, which is made below build/ once. Opening it, checking
 * its tables and listing all rows, against a plain loop that reads and checks the same tables; the buffers of rows,
 * against zlib alone on their chunks; and the most memory that it takes. */
#define _POSIX_C_SOURCE 200809L

#include "lathe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !defined(LATHE_ZLIB)

int main(void)
{
    puts("  built without zlib: nothing to measure");
    return 0;
}

#else

#include <zlib.h>

enum { CHUNK = 65536, ROWS = 40000, STRIDE = 20, ROUNDS = 15, PICKED = 400 };
#define DESC 0x0001B00000430205u
#define SIZE 300e6 /* bytes that the file shall have at least */

static char path[512];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "geometry: %s\n", what);
    exit(1);
}

static uint32_t le32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put32(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static uint64_t state = 88172645463325252u;

static uint32_t roll(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

typedef struct maker {
    FILE *f;
    uint8_t *head, chunk[CHUNK];
    size_t filled, chunks;
    uint64_t at, stream;
} maker;

static void flush(maker *m)
{
    static uint8_t packed[2 * CHUNK];
    uLongf n = sizeof packed;
    need(compress2(packed, &n, m->chunk, m->filled, 6) == Z_OK, "cannot pack");
    need(fwrite(packed, 1, n, m->f) == n, "cannot write");
    put32(m->head + 12 + 8 * m->chunks, n);
    put32(m->head + 12 + 8 * m->chunks + 4, m->at);
    m->at += n;
    m->chunks++;
    m->filled = 0;
}

static void put(maker *m, const uint8_t *p, size_t n)
{
    m->stream += n;
    while (n) {
        size_t some = CHUNK - m->filled < n ? CHUNK - m->filled : n;
        memcpy(m->chunk + m->filled, p, some);
        m->filled += some;
        p += some;
        n -= some;
        if (m->filled == CHUNK)
            flush(m);
    }
}

static uint32_t vertices_of(uint32_t row)
{
    return 100 + row * 7919 % 520;
}

static uint32_t indices_of(uint32_t row)
{
    return 3 * (vertices_of(row) + row % 50);
}

/* Positions by chance, as much as packs to half of it. */
static void put_row(maker *m, uint32_t row)
{
    static uint8_t bytes[620 * STRIDE + 6 * 670];
    uint32_t n = vertices_of(row), indices = indices_of(row);
    uint8_t *p = bytes;
    for (uint32_t i = 0; i < n; i++, p += STRIDE) {
        memset(p, 128, STRIDE);
        for (int k = 0; k < 6; k += 2) {
            p[k] = (uint8_t)roll(256);
            p[k + 1] = (uint8_t)(0x40 + roll(8));
        }
        for (int k = 8; k < STRIDE; k++)
            p[k] = (uint8_t)(k % 2 ? 48 + roll(12) : roll(256));
    }
    for (uint32_t i = 0; i < indices; i++, p += 2) {
        uint32_t v = (i / 3 + roll(20)) % n;
        p[0] = (uint8_t)v;
        p[1] = (uint8_t)(v >> 8);
    }
    put(m, bytes, (size_t)(p - bytes));
}

static void make_file(void)
{
    static maker m;
    uint64_t stream = 0;
    struct stat st;
    if (stat(path, &st) == 0 && (double)st.st_size >= SIZE)
        return;
    for (uint32_t i = 0; i < ROWS; i++)
        stream += (uint64_t)vertices_of(i) * STRIDE + 2 * (uint64_t)indices_of(i);
    size_t chunks = (size_t)((stream + CHUNK - 1) / CHUNK), head = 12 + 8 * chunks + 20 * ROWS;
    m.head = calloc(1, head);
    m.f = fopen(path, "wb");
    need(m.head && m.f && fwrite(m.head, 1, head, m.f) == head, "cannot write the file");
    m.at = head;
    uint8_t *row = m.head + 12 + 8 * chunks;
    for (uint32_t i = 0; i < ROWS; i++, row += 20) {
        put32(row, m.stream);
        put32(row + 4, DESC & 0xFFFFFFFF);
        put32(row + 8, DESC >> 32);
        put32(row + 12, vertices_of(i));
        put32(row + 16, indices_of(i));
        put_row(&m, i);
    }
    if (m.filled)
        flush(&m);
    memcpy(m.head, "bcsg", 4);
    put32(m.head + 4, ROWS);
    put32(m.head + 8, chunks);
    need(m.chunks == chunks && fseek(m.f, 0, SEEK_SET) == 0 &&
             fwrite(m.head, 1, head, m.f) == head && fclose(m.f) == 0,
         "cannot write the file");
    free(m.head);
}

/* ---- tables -------------------------------------------------------------------------------------------- */

static uint32_t offsets[ROWS], vertices[ROWS], indices[ROWS];
static uint64_t descs[ROWS];

/* Size of the unpacked last chunk. */
static size_t last_size(FILE *f, const uint8_t *entry)
{
    static uint8_t packed[2 * CHUNK], plain[CHUNK];
    uLongf n = sizeof plain;
    need(fseek(f, le32(entry + 4), SEEK_SET) == 0 &&
             fread(packed, 1, le32(entry), f) == le32(entry) &&
             uncompress(plain, &n, packed, le32(entry)) == Z_OK,
         "cannot unpack");
    return n;
}

/* What a program would do that knows this one format. */
static void plain_loop(void)
{
    uint8_t first[12];
    FILE *f = fopen(path, "rb");
    need(f && fread(first, 1, 12, f) == 12, "cannot read");
    uint64_t n = le32(first + 4), m = le32(first + 8), size = 8 * m + 20 * n, at = 12 + size,
             bad = 0;
    uint8_t *tables = malloc(size);
    need(tables && n == ROWS && fread(tables, 1, size, f) == size, "cannot read");
    for (uint64_t k = 0; k < m; k++) {
        bad += le32(tables + 8 * k + 4) != at || le32(tables + 8 * k) > 2 * CHUNK;
        at += le32(tables + 8 * k);
    }
    uint64_t stream = (m - 1) * CHUNK + last_size(f, tables + 8 * (m - 1));
    need(fseek(f, 0, SEEK_END) == 0 && (uint64_t)ftell(f) == at,
         "chunks do not end where the file does");
    const uint8_t *row = tables + 8 * m;
    for (uint64_t i = 0; i < n; i++, row += 20) {
        offsets[i] = le32(row);
        descs[i] = le32(row + 4) | (uint64_t)le32(row + 8) << 32;
        vertices[i] = le32(row + 12);
        indices[i] = le32(row + 16);
        uint64_t end = i + 1 < n ? le32(row + 20) : stream;
        bad += end < offsets[i] || end > stream ||
               (uint64_t)vertices[i] * (descs[i] & 15) * 4 + (uint64_t)indices[i] * 2 !=
                   end - offsets[i] ||
               indices[i] % 3;
    }
    need(!bad, "the tables are bad");
    free(tables);
    fclose(f);
}

static bool tables_only(void *user, const void *node, const char *name, uint64_t i,
                        lathe_value *leaf, const void **child)
{
    (void)user, (void)node, (void)i, (void)child;
    *leaf = (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = true};
    return name && strcmp(name, "tables") == 0;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static bool told(void *user, const lathe_error *e)
{
    char text[512];
    (void)user;
    lathe_error_text(e, text, sizeof text);
    need(false, text);
    return false;
}

static lathe_view rows_of(lathe_doc *doc)
{
    lathe_value v;
    need(lathe_view_get(lathe_doc_root(doc), "rows", &v, NULL) == LATHE_OK, "no rows");
    return v.as.v;
}

static lathe_doc *open_file(void)
{
    lathe_doc *doc = NULL;
    lathe_error e;
    if (lathe_doc_open(path, NULL, &doc, &e) != LATHE_OK)
        told(NULL, &e);
    return doc;
}

static void list(lathe_doc *doc)
{
    lathe_view rows = rows_of(doc);
    need(lathe_view_count(rows) == ROWS &&
             lathe_view_read(rows, "data_offset", 0, ROWS, LATHE_ELEM_U32, offsets, 0, NULL) ==
                 LATHE_OK &&
             lathe_view_read(rows, "vertex_desc", 0, ROWS, LATHE_ELEM_U64, descs, 0, NULL) ==
                 LATHE_OK &&
             lathe_view_read(rows, "num_vertices", 0, ROWS, LATHE_ELEM_U32, vertices, 0, NULL) ==
                 LATHE_OK &&
             lathe_view_read(rows, "num_indices", 0, ROWS, LATHE_ELEM_U32, indices, 0, NULL) ==
                 LATHE_OK,
         "cannot list");
}

static void by_lathe(void)
{
    static const lathe_source tables = {sizeof tables, NULL, tables_only, count_none, NULL};
    lathe_doc *doc = open_file();
    need(lathe_doc_check_with(doc, &tables, told, NULL) == LATHE_OK, "bad");
    list(doc);
    lathe_doc_close(doc);
}

static double least(void (*what)(void), int rounds)
{
    double best = 1e300;
    for (int i = 0; i < rounds; i++) {
        double start = now();
        what();
        double taken = now() - start;
        best = taken < best ? taken : best;
    }
    return best;
}

static void tables(void)
{
    double plain = least(plain_loop, ROUNDS);
    double lathe = least(by_lathe, ROUNDS);
    printf("  %-52s %10.3f ms\n", "plain loop: read, check and list 40,000 rows", plain / 1e6);
    printf("  %-52s %10.3f ms   x %.2f (< 2)\n", "lathe: open, check tables, list", lathe / 1e6,
           lathe / plain);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static float room[3 * 65536];

static void read_row(lathe_view row)
{
    static const char *const names[] = {"positions", "normals", "uvs", "triangles"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lathe_value v;
        need(lathe_view_get(row, names[i], &v, NULL) == LATHE_OK && v.kind == LATHE_KIND_ARRAY,
             names[i]);
        uint64_t n = lathe_view_count(v.as.v);
        lathe_elem elem = i == 3 ? LATHE_ELEM_U16 : LATHE_ELEM_F32;
        need(lathe_view_read(v.as.v, NULL, 0, n, elem, room, 0, NULL) == LATHE_OK, names[i]);
    }
}

/* Unpacks the chunks that a row spans, from memory. */
static double by_zlib(const uint8_t *packed[2], const uint32_t size[2], int n)
{
    static uint8_t plain[CHUNK];
    double start = now();
    for (int i = 0; i < n; i++) {
        uLongf got = sizeof plain;
        need(uncompress(plain, &got, packed[i], size[i]) == Z_OK, "cannot unpack");
    }
    return now() - start;
}

static void buffers(void)
{
    static uint8_t packed[2][2 * CHUNK], entry[8];
    lathe_doc *doc = open_file();
    lathe_view rows = rows_of(doc);
    FILE *f = fopen(path, "rb");
    double zlib = 0, lathe = 0;
    need(f != NULL, "cannot read");
    for (uint32_t k = 0; k < PICKED; k++) {
        uint32_t i = (uint32_t)((uint64_t)k * 15485863 % (ROWS - 1)), n = 0;
        uint64_t end = offsets[i] + (uint64_t)vertices[i] * STRIDE + 2 * (uint64_t)indices[i];
        const uint8_t *from[2] = {packed[0], packed[1]};
        uint32_t size[2];
        lathe_value row;
        for (uint64_t c = offsets[i] / CHUNK; c * CHUNK < end; c++, n++) {
            need(n < 2 && fseek(f, (long)(12 + 8 * c), SEEK_SET) == 0 &&
                     fread(entry, 1, 8, f) == 8 && fseek(f, le32(entry + 4), SEEK_SET) == 0,
                 "cannot read");
            size[n] = le32(entry);
            need(fread(packed[n], 1, size[n], f) == size[n], "cannot read");
        }
        need(lathe_view_item(rows, i, &row, NULL) == LATHE_OK, "no row");
        zlib += by_zlib(from, size, (int)n);
        double start = now();
        read_row(row.as.v);
        lathe += now() - start;
    }
    printf("  %-52s %10.1f us\n", "zlib alone on the chunks of a row", zlib / PICKED / 1e3);
    printf("  %-52s %10.1f us   x %.2f (< 1.2)\n",
           "lathe: positions, normals, uvs and triangles of it", lathe / PICKED / 1e3,
           lathe / zlib);
    fclose(f);
    lathe_doc_close(doc);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static double peak(void (*what)(void), double *taken)
{
    struct rusage use;
    int status = 1;
    double start = now();
    fflush(stdout);
    pid_t child = fork();
    need(child >= 0, "cannot fork");
    if (child == 0) {
        what();
        need(getrusage(RUSAGE_SELF, &use) == 0, "getrusage");
        _exit((int)(use.ru_maxrss / 1024));
    }
    need(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status),
         "the child failed");
    *taken = now() - start;
    return WEXITSTATUS(status);
}

static void use_all(void)
{
    lathe_doc *doc = open_file();
    lathe_value row;
    need(lathe_doc_check(doc, told, NULL) == LATHE_OK, "bad");
    list(doc);
    need(lathe_view_item(rows_of(doc), ROWS / 2, &row, NULL) == LATHE_OK, "no row");
    read_row(row.as.v);
    lathe_doc_close(doc);
}

int main(void)
{
    const char *build = getenv("LATHE_BUILD");
    double taken;
    snprintf(path, sizeof path, "%s/bench - Geometry.csg", build ? build : "build");
    make_file();
    double most = peak(use_all, &taken); /* first: children begin with what their parent had */
    tables();
    buffers();
    printf("  %-52s %10.0f MB (< 32), %.2f s\n", "open, check all data, list, one row: peak memory",
           most, taken / 1e9);
    return 0;
}

#endif
