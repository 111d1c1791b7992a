/* core/base/os: reading and replacing files. What the system refuses on demand is tested through
 * spec/support/failing_io.c instead. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_folder.h"

#include <fcntl.h>
#include <sys/wait.h>

static char long_name[256];

static int make_long_root(void **state)
{
    memset(long_name, 'n', sizeof long_name - 1);
    return make_root(state);
}

/* ---- reading -------------------------------------------------------------------------------- */

static void reads(void **state)
{
    (void)state;
    mem m = mem_default();
    uint8_t *data = NULL;
    size_t size = 77;
    lathe_error e;
    const char *file = in_root("file");
    spill(file, "");
    holds(file, "");
    spill(file, "1234567890");
    holds(file, "1234567890");
    assert_int_equal(os_read_file(file, 10, &m, &data, &size, &e), LATHE_OK);
    mem_free(&m, data, size);
    data = NULL;
    size = 77;
    assert_int_equal(os_read_file(file, 9, &m, &data, &size, &e), LATHE_ERR_LIMIT);
    assert_non_null(strstr(e.message, " 9 bytes"));
    assert_string_equal(e.path, file);
    assert_int_equal(os_read_file(root, 0, &m, &data, &size, &e), LATHE_ERR_IO);
    assert_non_null(strstr(e.message, "is a directory"));
    assert_int_equal(os_read_file(in_root("none"), 0, &m, &data, &size, &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot open: No such file or directory");
    assert_string_equal(e.path, in_root("none"));
    assert_int_equal(os_read_file(in_root("none"), 0, &m, &data, &size, NULL), LATHE_ERR_IO);
    assert_null(data);
    assert_int_equal(size, 77);
}

static void reads_what_states_no_size(void **state)
{
    (void)state;
    mem m = mem_default();
    uint8_t *data = NULL;
    size_t size = 0;
    lathe_error e;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    assert_int_equal(os_read_file("/proc/self/status", 0, &m, &data, &size, &e), LATHE_OK);
    assert_true(size > 100);
    mem_free(&m, data, size);
    assert_int_equal(os_read_file("/proc/self/status", 5, &m, &data, &size, &e), LATHE_ERR_LIMIT);
    assert_int_equal(os_read_file("/dev/zero", 100000, &m, &data, &size, &e), LATHE_ERR_LIMIT);
}

/* Sizes at which no step of the growth may lose or invent a byte; the pieces come slowly. */
static void reads_pipes(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 4095, 4096, 4097, 6144, 70000, 1000003};
    mem m = mem_default();
    const char *pipe_name = in_root("fifo");
    assert_int_equal(mkfifo(pipe_name, 0600), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            FILE *f = fopen(pipe_name, "wb");
            for (size_t k = 0; f && k < sizes[i]; k++)
                putc((int)(k * 7 >> 3 & 0xff), f);
            _exit(f && fclose(f) == 0 ? 0 : 1);
        }
        uint8_t *data = NULL;
        size_t size = 0;
        lathe_error e;
        int status;
        assert_int_equal(os_read_file(pipe_name, sizes[i], &m, &data, &size, &e), LATHE_OK);
        assert_int_equal(size, sizes[i]);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(data[k], k * 7 >> 3 & 0xff);
        mem_free(&m, data, size);
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
    }
}

static void runs_out_of_memory(void **state)
{
    (void)state;
    const char *file = in_root("file");
    spill(file, "old");
    for (int calls = 0, done = 0; !done; calls++) {
        miser x = {calls, 0};
        mem m = {miser_alloc, &x};
        lathe_error e;
        lathe_result r = save_with(&m, file, "new", true, &e);
        done = r == LATHE_OK;
        assert_true(calls < 50);
        assert_int_equal(x.blocks, 0);
        assert_true(done || r == LATHE_ERR_MEMORY || strstr(e.message, "memory"));
        holds(file, done ? "new" : "old");
        assert_int_equal(entries(root), done ? 2 : 1);
    }
    miser none = {0, 0};
    mem m = {miser_alloc, &none};
    uint8_t *data = NULL;
    size_t size = 0;
    assert_int_equal(os_read_file(file, 0, &m, &data, &size, NULL), LATHE_ERR_MEMORY);
    assert_null(data);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void writes_and_replaces(void **state)
{
    (void)state;
    const char *file = in_root("file");
    mode_t mask = umask(027);
    saves(file, "first", true); /* nothing to back up */
    umask(mask);
    assert_int_equal(mode_of(file), 0640);
    assert_int_equal(entries(root), 1);
    saves(file, "second", false);
    saves(file, "", false);
    assert_int_equal(entries(root), 1);
    mem m = mem_default();
    os_writer *w = NULL;
    lathe_error e;
    assert_int_equal(os_writer_open(file, &m, &w, &e), LATHE_OK);
    assert_true(os_writer_put(w, "half", 4));
    holds(file, "");
    assert_int_equal(entries(root), 2);
    os_writer_abort(w);
    os_writer_abort(NULL);
    holds(file, "");
    assert_int_equal(entries(root), 1);
}

static void writes_much(void **state)
{
    (void)state;
    const size_t n = 5000000;
    mem m = mem_default();
    os_writer *w = NULL;
    lathe_error e;
    uint8_t *out = mem_alloc(&m, n), *in = NULL;
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(i * 2654435761u >> 24);
    assert_int_equal(os_writer_open(in_root("file"), &m, &w, &e), LATHE_OK);
    assert_true(os_writer_put(w, out, n));
    assert_int_equal(os_writer_commit(w, false, &e), LATHE_OK);
    assert_int_equal(os_read_file(in_root("file"), n, &m, &in, &size, &e), LATHE_OK);
    assert_int_equal(size, n);
    assert_memory_equal(in, out, n);
    mem_free(&m, in, size);
    mem_free(&m, out, n);
}

static void keeps_a_backup(void **state)
{
    (void)state;
    const char *file = in_root("file"), *bak = in_root("file.bak");
    spill(file, "1");
    assert_int_equal(chmod(file, 0604), 0);
    saves(file, "2", true);
    holds(bak, "1");
    assert_int_equal(mode_of(bak), 0604);
    saves(file, "3", true);
    holds(bak, "2");
    saves(file, "4", false);
    holds(bak, "2");
    assert_int_equal(entries(root), 2);
    /* As after a commit that failed after its backup: both names are one file. */
    unlink(bak);
    assert_int_equal(link(file, bak), 0);
    saves(file, "5", true);
    holds(bak, "4");
    assert_int_equal(entries(root), 2);
    unlink(bak);
    assert_int_equal(mkdir(bak, 0700), 0);
    refuses(file, "cannot keep a backup: ");
    holds(file, "5");
    assert_int_equal(entries(root), 2);
}

static void keeps_permissions(void **state)
{
    (void)state;
    const mode_t modes[] = {0600, 0640, 0644, 0755, 0666, 0777, 0200, 01644};
    const char *file = in_root("file");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        spill(file, "old");
        assert_int_equal(chmod(file, modes[i]), 0);
        lathe_error e;
        assert_int_equal(save(file, "new", false, &e), LATHE_OK);
        assert_int_equal(mode_of(file), modes[i]);
        unlink(file);
    }
    if (geteuid() != 0)
        return;
    struct stat st;
    spill(file, "old");
    assert_int_equal(chown(file, 12345, 23456), 0);
    assert_int_equal(chmod(file, 04751), 0);
    saves(file, "new", false);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_uid, 12345);
    assert_int_equal(st.st_gid, 23456);
    assert_int_equal(st.st_mode & 07777, 04751);
}

/* Only root has other users to turn into. */
static void respects_protection(void **state)
{
    (void)state;
    const char *file = in_root("file"), *other = in_root("other");
    spill(file, "old");
    spill(other, "old");
    assert_int_equal(chmod(root, 0777), 0);
    assert_int_equal(chmod(file, 0444), 0);
    assert_int_equal(chmod(other, 04666), 0);
    bool root_user = geteuid() == 0;
    if (root_user)
        assert_int_equal(seteuid(65534), 0);
    refuses(file, "cannot write: Permission denied");
    holds(file, "old");
    saves(other, "new", false); /* another's, but writable */
    assert_int_equal(chmod(root, 0700) == 0, !root_user);
    if (root_user) {
        assert_int_equal(mode_of(other), 0666); /* ours now: its set-id bit must not be */
        assert_int_equal(seteuid(0), 0);
        assert_int_equal(chmod(root, 0700), 0);
        assert_int_equal(seteuid(65534), 0);
        refuses(in_root("new"), "Permission denied");
        assert_int_equal(seteuid(0), 0);
    }
    assert_int_equal(entries(root), 2);
}

static void follows_links(void **state)
{
    (void)state;
    char target[256];
    assert_int_equal(mkdir(in_root("sub"), 0700), 0);
    spill(in_root("sub/real"), "old");
    assert_int_equal(symlink("sub/real", in_root("link")), 0);
    assert_int_equal(symlink(in_root("link"), in_root("sub/again")), 0);
    saves(in_root("sub/again"), "new", true);
    holds(in_root("sub/real"), "new");
    holds(in_root("sub/real.bak"), "old");
    assert_int_equal(readlink(in_root("link"), target, sizeof target), 8);
    assert_int_equal(symlink("sub/next", in_root("dangling")), 0);
    saves(in_root("dangling"), "made", false);
    holds(in_root("sub/next"), "made");
    assert_int_equal(readlink(in_root("dangling"), target, sizeof target), 8);
    assert_int_equal(symlink("loop", in_root("loop")), 0);
    refuses(in_root("loop"), "symbolic links");
    assert_int_equal(symlink("sub", in_root("folder")), 0);
    refuses(in_root("folder"), "is a directory");
    saves(in_root("folder/real"), "through", false);
    assert_int_equal(entries(root), 5);
    assert_int_equal(entries(in_root("sub")), 4);
}

static void refuses_what_is_no_file(void **state)
{
    (void)state;
    spill(in_root("file"), "old");
    refuses(root, "is a directory");
    refuses(in_root(""), "is a directory");
    refuses(in_root("none/"), "names no file");
    refuses(in_root("none/x"), "No such file or directory");
    refuses(in_root("file/"), "Not a directory");
    refuses(in_root("file/x"), "Not a directory");
    refuses("", "names no file");
    refuses("/dev/null", "not a regular file");
    assert_int_equal(mkfifo(in_root("fifo"), 0600), 0);
    refuses(in_root("fifo"), "not a regular file");
    assert_int_equal(entries(root), 2);
}

/* A name of 255 bytes leaves no room for a suffix; a path may come close to 4096. */
static void long_paths(void **state)
{
    (void)state;
    char path[6000];
    lathe_error e;
    saves(in_root(long_name), "1", false);
    saves(in_root(long_name), "2", false);
    refuses(in_root(long_name), "cannot keep a backup: File name too long");
    holds(in_root(long_name), "2");
    assert_int_equal(entries(root), 1);
    snprintf(path, sizeof path, "%s", root);
    while (strlen(path) < 3800) {
        size_t n = strlen(path);
        snprintf(path + n, sizeof path - n, "/%.200s", long_name);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    strcat(path, "/file");
    assert_int_equal(save(path, "deep", false, &e), LATHE_OK);
    holds(path, "deep");
    assert_int_equal(unlink(path), 0);
    for (;;) { /* too long for the cleaning up */
        *strrchr(path, '/') = '\0';
        if (strcmp(path, root) == 0)
            break;
        assert_int_equal(rmdir(path), 0);
    }
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(save(path, "x", false, &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot write: File name too long");
    assert_string_equal(e.path + sizeof e.path - 4, "...");
}

static void stays_where_it_began(void **state)
{
    (void)state;
    char here[4096];
    mem m = mem_default();
    os_writer *w = NULL;
    lathe_error e;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(mkdir(in_root("sub"), 0700), 0);
    assert_int_equal(chdir(root), 0);
    lathe_result r = os_writer_open("file", &m, &w, &e);
    assert_int_equal(chdir("sub"), 0);
    bool put = r == LATHE_OK && os_writer_put(w, "x", 1);
    r = r == LATHE_OK ? os_writer_commit(w, false, &e) : r;
    assert_int_equal(chdir(here), 0);
    assert_true(put && r == LATHE_OK);
    holds(in_root("file"), "x");
    assert_int_equal(entries(in_root("sub")), 0);
}

/* Two writers of one file: each replaces it whole. */
static void writers_do_not_meet(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    mem m = mem_default();
    os_writer *w[COUNT];
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(os_writer_open(in_root("file"), &m, &w[i], NULL), LATHE_OK);
    assert_int_equal(entries(root), COUNT);
    for (int i = 0; i < COUNT; i++) {
        char text[8];
        snprintf(text, sizeof text, "%d", i);
        assert_true(os_writer_put(w[i], text, strlen(text)));
        assert_int_equal(os_writer_commit(w[i], true, NULL), LATHE_OK);
        holds(in_root("file"), text);
    }
    holds(in_root("file.bak"), "48");
    assert_int_equal(entries(root), 2);
}

/* ---- reading in places ---------------------------------------------------------------------- */

static void gives(os_file *f, uint64_t at, const char *text)
{
    char got[32];
    lathe_error e;
    size_t n = strlen(text);
    assert_int_equal(os_file_read(f, at, got, n, &e), LATHE_OK);
    assert_memory_equal(got, text, n);
}

static void gives_nothing(os_file *f)
{
    char got[1];
    lathe_error e;
    assert_false(os_file_unchanged(f));
    assert_int_equal(os_file_read(f, 0, got, 1, &e), LATHE_ERR_IO);
    assert_string_equal(e.message,
                        "the file on disk has changed since it was opened: open it again");
    assert_non_null(strstr(e.path, "/file"));
}

static os_file *open_file(const char *path)
{
    mem m = mem_default();
    os_file *f = NULL;
    lathe_error e;
    assert_int_equal(os_file_open(NULL, path, &m, &f, &e), LATHE_OK);
    return f;
}

static void reads_in_places(void **state)
{
    (void)state;
    const char *file = in_root("file"), *other = in_root("other");
    char got[8];
    lathe_error e;
    spill(file, "0123456789");
    spill(other, "0123456789");
    os_file *f = open_file(file);
    assert_int_equal(os_file_size(f), 10);
    gives(f, 0, "0123");
    gives(f, 7, "789");
    gives(f, 10, "");
    assert_int_equal(os_file_read(f, 8, got, 3, &e), LATHE_ERR_IO);
    assert_int_equal(os_file_read(f, UINT64_MAX, got, 1, &e), LATHE_ERR_IO);
    assert_true(os_file_is(f, file));
    assert_false(os_file_is(f, other));
    assert_false(os_file_is(f, in_root("none")));
    assert_int_equal(symlink(file, in_root("link")), 0);
    assert_true(os_file_is(f, in_root("link")));
    os_file_pause(f);
    gives_nothing(f);
    os_file_resume(f);
    gives(f, 1, "1");
    os_file_close(f);
    os_file_close(NULL);
}

static void sees_changes(void **state)
{
    (void)state;
    const char *file = in_root("file"), *other = in_root("other");
    spill(file, "0123456789");
    os_file *f = open_file(file);
    gives(f, 0, "0");
    spill(file, "01234567890");
    gives_nothing(f);
    os_file_pause(f);
    os_file_resume(f);
    gives_nothing(f);
    os_file_close(f);
    f = open_file(file);
    spill(other, "01234567890");
    assert_int_equal(rename(other, file), 0); /* another file of that name */
    gives_nothing(f);
    os_file_close(f);
    f = open_file(file);
    assert_int_equal(unlink(file), 0);
    gives_nothing(f);
    os_file_close(f);
}

static void stays_with_its_file(void **state)
{
    (void)state;
    char folder[512];
    spill(in_root("file"), "0123456789");
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(chdir(root), 0);
    os_file *f = open_file("file");
    assert_int_equal(chdir(folder), 0);
    gives(f, 3, "34");
    os_file_close(f);
}

static void begins(const char *path, const char *text)
{
    char got[8];
    size_t n = 77;
    lathe_error e;
    assert_int_equal(os_read_start(NULL, path, got, 4, &n, &e), LATHE_OK);
    assert_int_equal(n, strlen(text));
    assert_memory_equal(got, text, n);
}

static void reads_the_start(void **state)
{
    (void)state;
    char got[4];
    size_t n;
    mem m = mem_default();
    os_file *f = NULL;
    lathe_error e;
    spill(in_root("file"), "0123456789");
    spill(in_root("short"), "01");
    begins(in_root("file"), "0123");
    begins(in_root("short"), "01");
    begins(root, "");
    assert_int_equal(mkfifo(in_root("fifo"), 0600), 0);
    begins(in_root("fifo"), ""); /* and nobody waits for a writer */
    assert_int_equal(os_read_start(NULL, in_root("none"), got, 4, &n, &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot open: No such file or directory");
    assert_int_equal(os_file_open(NULL, in_root("none"), &m, &f, &e), LATHE_ERR_IO);
    assert_int_equal(os_file_open(NULL, root, &m, &f, &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot open: it is not a regular file");
    assert_null(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reads, clear_root),
        cmocka_unit_test_teardown(reads_what_states_no_size, clear_root),
        cmocka_unit_test_teardown(reads_pipes, clear_root),
        cmocka_unit_test_teardown(runs_out_of_memory, clear_root),
        cmocka_unit_test_teardown(writes_and_replaces, clear_root),
        cmocka_unit_test_teardown(writes_much, clear_root),
        cmocka_unit_test_teardown(keeps_a_backup, clear_root),
        cmocka_unit_test_teardown(keeps_permissions, clear_root),
        cmocka_unit_test_teardown(respects_protection, clear_root),
        cmocka_unit_test_teardown(follows_links, clear_root),
        cmocka_unit_test_teardown(refuses_what_is_no_file, clear_root),
        cmocka_unit_test_teardown(long_paths, clear_root),
        cmocka_unit_test_teardown(stays_where_it_began, clear_root),
        cmocka_unit_test_teardown(writers_do_not_meet, clear_root),
        cmocka_unit_test_teardown(reads_in_places, clear_root),
        cmocka_unit_test_teardown(sees_changes, clear_root),
        cmocka_unit_test_teardown(stays_with_its_file, clear_root),
        cmocka_unit_test_teardown(reads_the_start, clear_root),
    };
    return cmocka_run_group_tests(tests, make_long_root, remove_root);
}
