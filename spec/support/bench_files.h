/* The files of a folder of the corpus, in memory, for benches. Bytes are kept until the program ends. */
#ifndef LATHE_BENCH_FILES_H
#define LATHE_BENCH_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_MOST = 1024 };

typedef struct bench_file {
    uint8_t *bytes;
    size_t size;
} bench_file;

static bench_file bench_files[BENCH_MOST];
static size_t bench_count;

/* A sink that appends to a bench_file. */
static bool bench_keep(void *user, const void *bytes, size_t n)
{
    bench_file *f = user;
    f->bytes = realloc(f->bytes, f->size + n + 1);
    if (!f->bytes)
        exit(1);
    memcpy(f->bytes + f->size, bytes, n);
    f->size += n;
    return true;
}

static void bench_read_file(const char *path)
{
    static uint8_t piece[65536];
    FILE *in = fopen(path, "rb");
    bench_file f = {NULL, 0};
    for (size_t n; in && (n = fread(piece, 1, sizeof piece, in)) > 0;)
        bench_keep(&f, piece, n);
    if (in)
        fclose(in);
    if (f.size)
        bench_files[bench_count++] = f;
}

/* All files of a folder whose names end so; false where there are none. */
static inline bool bench_read_all(const char *name, const char *ending)
{
    const char *root = getenv("LATHE_CORPUS");
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/%s", root && *root ? root : "../shared/corpus", name);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && bench_count < BENCH_MOST && (e = readdir(dir)) != NULL;) {
        size_t n = strlen(e->d_name), end = strlen(ending);
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (n > end && strcmp(e->d_name + n - end, ending) == 0)
            bench_read_file(path);
    }
    if (dir)
        closedir(dir);
    return bench_count > 0;
}

static inline bool bench_read(const char *name)
{
    return bench_read_all(name, ".nif");
}

#endif
