/* A folder of its own for each run of a C test that reads and writes files, and what the tests of
 * core/base/os ask about it. cmocka.h comes first. */
#ifndef LATHE_TEST_FOLDER_H
#define LATHE_TEST_FOLDER_H

#include "base/os.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

/* A path in the folder of this run; eight may be in use at once. */
static inline const char *in_root(const char *name)
{
    static char paths[8][1024];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static inline void spill(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static inline void holds(const char *path, const char *text)
{
    mem m = mem_default();
    uint8_t *data = NULL;
    size_t size = 0;
    lathe_error e;
    assert_int_equal(os_read_file(path, 0, &m, &data, &size, &e), LATHE_OK);
    assert_int_equal(size, strlen(text));
    if (size > 0)
        assert_memory_equal(data, text, size);
    else
        assert_null(data);
    mem_free(&m, data, size);
}

static inline size_t entries(const char *path)
{
    size_t n = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static inline mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

static inline lathe_result save_with(const mem *m, const char *path, const char *text, bool backup,
                                     lathe_error *e)
{
    os_writer *w = NULL;
    lathe_result r = os_writer_open(path, m, &w, e);
    if (r != LATHE_OK) {
        assert_null(w);
        return r;
    }
    for (const char *s = text; *s; s++)
        assert_true(os_writer_put(w, s, 1));
    assert_true(os_writer_put(w, NULL, 0));
    return os_writer_commit(w, backup ? OS_BACKUP_REPLACE : OS_BACKUP_NONE, e);
}

static inline lathe_result save(const char *path, const char *text, bool backup, lathe_error *e)
{
    mem m = mem_default();
    return save_with(&m, path, text, backup, e);
}

static inline void saves(const char *path, const char *text, bool backup)
{
    lathe_error e;
    e.message[0] = '\0';
    if (save(path, text, backup, &e) != LATHE_OK)
        fail_msg("%s: %s", path, e.message);
    holds(path, text);
}

static inline void refuses(const char *path, const char *reason)
{
    lathe_error e;
    assert_int_equal(save(path, "text", true, &e), LATHE_ERR_IO);
    assert_non_null(strstr(e.message, reason));
    assert_string_equal(e.path, path);
    assert_true(e.offset == LATHE_NO_OFFSET);
}

static inline int make_root(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(root, sizeof root, "%.40s/lathe-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    return mkdtemp(root) ? 0 : -1;
}

static inline void empty_folder(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *entry;
    while (d && (entry = readdir(d)) != NULL) {
        char inner[2048];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int n = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (n < 0 || (size_t)n >= sizeof inner)
            continue;
        if (unlink(inner) != 0) {
            empty_folder(inner);
            rmdir(inner);
        }
    }
    if (d)
        closedir(d);
}

static inline int clear_root(void **state)
{
    (void)state;
    empty_folder(root);
    return 0;
}

static inline int remove_root(void **state)
{
    clear_root(state);
    return rmdir(root);
}

/* Refuses from a given call on, and counts what is not given back. */
typedef struct miser {
    int left, blocks;
} miser;

static inline void *miser_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    miser *x = user;
    (void)old_size;
    if (new_size == 0) {
        x->blocks -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (x->left-- <= 0)
        return NULL;
    x->blocks += ptr == NULL;
    return realloc(ptr, new_size);
}

#endif
