/* core/base/os: paths that were checked, and what is opened of them when the file system has changed. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_folder.h"

#include <fcntl.h>

/* The folder of this run, links followed: /tmp may be one. */
static char real_root[512];

static int make_real_root(void **state)
{
    mem m = mem_default();
    buf real;
    if (make_root(state) != 0)
        return -1;
    buf_init(&real, &m);
    if (os_real_path(root, &real, NULL) != LATHE_OK)
        return -1;
    snprintf(real_root, sizeof real_root, "%s", (char *)real.data);
    buf_free(&real);
    return 0;
}

/* A path in that folder; eight may be in use at once. */
static const char *at(const char *name)
{
    static char paths[8][2048];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", real_root, name);
    return path;
}

static void resolves(const char *path, const char *expected)
{
    mem m = mem_default();
    buf real;
    lathe_error e;
    buf_init(&real, &m);
    if (os_real_path(path, &real, &e) != LATHE_OK)
        fail_msg("%s: %s", path, e.message);
    assert_string_equal((char *)real.data, expected);
    buf_free(&real);
}

static void does_not_resolve(const char *path, const char *reason)
{
    mem m = mem_default();
    buf real;
    lathe_error e;
    buf_init(&real, &m);
    assert_int_equal(os_real_path(path, &real, &e), LATHE_ERR_IO);
    buf_free(&real);
    assert_non_null(strstr(e.message, reason));
    assert_string_equal(e.path, path);
}

static void finds_real_paths(void **state)
{
    (void)state;
    char here[4096], text[301];
    assert_int_equal(mkdir(at("a"), 0700), 0);
    assert_int_equal(mkdir(at("a/b"), 0700), 0);
    spill(at("a/file"), "x");
    assert_int_equal(symlink("a/b", at("short")), 0);
    assert_int_equal(symlink(at("a"), at("whole")), 0);
    assert_int_equal(symlink("../none/x", at("a/dangling")), 0);
    assert_int_equal(symlink("loop", at("loop")), 0);
    resolves(at("short/x"), at("a/b/x"));
    resolves(at("short/../x"), at("a/x"));
    resolves(at("whole/../x"), at("x"));
    resolves(at("whole/b/.././/file"), at("a/file"));
    resolves(at("a/dangling"), at("none/x"));
    resolves(at("none/deep/../x"), at("none/x"));
    resolves(at("none/../short/x"), at("a/b/x"));
    resolves(at("a/file/x"), at("a/file/x"));
    resolves("/", "/");
    resolves("/..", "/");
    resolves("//", "/");
    does_not_resolve(at("loop"), "symbolic links");
    does_not_resolve(at("loop/x"), "symbolic links");
    memset(text, 'n', 300);
    text[300] = '\0';
    does_not_resolve(at(text), "File name too long");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(at("a")), 0);
    resolves("b", at("a/b"));
    resolves("", at("a"));
    resolves("..", real_root);
    assert_int_equal(chdir(here), 0);
}

static void does_not_take_failure_for_absence(void **state)
{
    (void)state;
    if (geteuid() != 0)
        return;
    assert_int_equal(mkdir(at("shut"), 0700), 0);
    assert_int_equal(symlink("/etc", at("shut/link")), 0);
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(seteuid(65534), 0);
    does_not_resolve(at("shut/link/passwd"), "Permission denied");
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(root, 0700), 0);
}

/* Names in folders that are together longer than the 4096 bytes which the system takes at once. */
static void long_paths(void **state)
{
    (void)state;
    mem m = mem_default();
    buf real;
    char here[4096], part[201];
    uint8_t *data = NULL;
    size_t size = 0;
    os_writer *w = NULL;
    os_identity id;
    bool exists;
    lathe_error e;
    memset(part, 'd', sizeof part - 1);
    part[sizeof part - 1] = '\0';
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(root), 0);
    for (int i = 0; i < 25; i++) {
        assert_int_equal(mkdir(part, 0700), 0);
        assert_int_equal(chdir(part), 0);
    }
    spill("file", "old");
    assert_int_equal(symlink("/etc/passwd", "link"), 0);
    buf_init(&real, &m);
    assert_int_equal(os_real_path("link", &real, &e), LATHE_OK);
    assert_string_equal((char *)real.data, "/etc/passwd");
    assert_int_equal(os_real_path("file", &real, &e), LATHE_OK);
    assert_int_equal(real.size, strlen(real_root) + 25 * 201 + sizeof "/file");
    const char *file = (const char *)real.data;
    assert_int_equal(os_identify_real(file, &id, &exists, &e), LATHE_OK);
    assert_true(exists);
    assert_int_equal(os_can_write_real(file, file, true, &e), LATHE_OK);
    assert_int_equal(os_writer_open_real(file, "name", &m, &w, &e), LATHE_OK);
    assert_true(os_writer_put(w, "new", 3));
    assert_int_equal(os_writer_commit(w, OS_BACKUP_REPLACE, &e), LATHE_OK);
    assert_int_equal(os_read_real(file, "name", 0, &m, &data, &size, &e), LATHE_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(data, "new", 3);
    mem_free(&m, data, size);
    buf_free(&real);
    saves("file", "newer", false); /* by its name */
    assert_int_equal(unlink("file"), 0);
    assert_int_equal(unlink("file.bak"), 0);
    assert_int_equal(unlink("link"), 0);
    for (int i = 0; i < 25; i++) { /* too long for the cleaning up */
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(rmdir(part), 0);
    }
    assert_int_equal(chdir(here), 0);
}

static const char *reading(const char *path)
{
    static lathe_error e;
    mem m = mem_default();
    uint8_t *data = NULL;
    size_t size = 0;
    if (os_read_real(path, "name", 0, &m, &data, &size, &e) != LATHE_OK) {
        assert_string_equal(e.path, "name");
        return e.message;
    }
    mem_free(&m, data, size);
    return "read";
}

static void follows_no_links(void **state)
{
    (void)state;
    const char *why = "cannot open: a symbolic link appeared in its path";
    lathe_error e;
    os_identity id;
    os_writer *w = NULL;
    mem m = mem_default();
    bool exists;
    assert_int_equal(mkdir(at("out"), 0700), 0);
    assert_int_equal(mkdir(at("secret"), 0700), 0);
    spill(at("secret/file"), "secret");
    assert_int_equal(symlink("../secret", at("out/way")), 0);
    assert_int_equal(symlink("../secret/file", at("out/file")), 0);
    assert_int_equal(symlink("../secret/new", at("out/new")), 0);
    assert_string_equal(reading(at("secret/file")), "read");
    assert_string_equal(reading(at("out/way/file")), why);
    assert_string_equal(reading(at("out/file")), why);
    assert_string_equal(reading("relative"), "cannot open: Invalid argument");
    assert_string_equal(reading(at("out/../secret/file")), "cannot open: Invalid argument");
    const char *names[] = {"out/way/file", "out/file", "out/new", "out/way/new"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = at(names[i]);
        assert_int_equal(os_writer_open_real(name, "name", &m, &w, &e), LATHE_ERR_IO);
        assert_string_equal(e.message, "cannot write: a symbolic link appeared in its path");
        assert_int_equal(os_can_write_real(name, "name", true, &e), LATHE_ERR_IO);
        assert_non_null(strstr(e.message, "a symbolic link appeared in its path"));
        for (const char *const *mode = (const char *const[]){"r", "r+", "w", "a", NULL}; *mode;
             mode++)
            assert_null(os_open_stream_real(name, *mode, &id));
    }
    assert_int_equal(os_identify_real(at("out/way/file"), &id, &exists, &e), LATHE_ERR_IO);
    assert_int_equal(os_make_folder_real(at("out/way/x"), "name", &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot make its folder: a symbolic link appeared in its path");
    assert_int_equal(os_make_folder_real(at("out/x/y/z"), "name", &e), LATHE_OK);
    assert_int_equal(entries(at("out/x/y/z")), 0);
    assert_int_equal(entries(at("secret")), 1);
    holds(at("secret/file"), "secret");
}

/* What a writer has opened stays: a link that takes the folder's or the file's place leads nowhere. */
static void writers_stay(void **state)
{
    (void)state;
    mem m = mem_default();
    os_writer *w = NULL;
    lathe_error e;
    assert_int_equal(mkdir(at("out"), 0700), 0);
    assert_int_equal(mkdir(at("secret"), 0700), 0);
    spill(at("out/file"), "old");
    spill(at("secret/file"), "secret");
    assert_int_equal(os_writer_open_real(at("out/file"), "name", &m, &w, &e), LATHE_OK);
    assert_int_equal(rename(at("out"), at("moved")), 0);
    assert_int_equal(symlink("secret", at("out")), 0);
    assert_true(os_writer_put(w, "new", 3));
    assert_int_equal(os_writer_commit(w, OS_BACKUP_REPLACE, &e), LATHE_OK);
    holds(at("moved/file"), "new");
    holds(at("moved/file.bak"), "old");
    holds(at("secret/file"), "secret");
    assert_int_equal(entries(at("secret")), 1);

    assert_int_equal(os_writer_open_real(at("moved/file"), "name", &m, &w, &e), LATHE_OK);
    assert_int_equal(unlink(at("moved/file")), 0);
    assert_int_equal(symlink("../secret/file", at("moved/file")), 0);
    assert_true(os_writer_put(w, "new", 3));
    assert_int_equal(os_writer_commit(w, OS_BACKUP_REPLACE, &e), LATHE_ERR_IO);
    assert_string_equal(e.message, "cannot write: a symbolic link appeared in its path");
    holds(at("secret/file"), "secret");
    holds(at("moved/file.bak"), "old");
    assert_int_equal(entries(at("moved")), 2);
}

/* Another process may make the first backup while this one writes. */
static void keeps_the_first_backup(void **state)
{
    (void)state;
    mem m = mem_default();
    os_writer *w[2];
    lathe_error e;
    spill(at("file"), "old");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(os_writer_open(at("file"), &m, &w[i], &e), LATHE_OK);
        assert_true(os_writer_put(w[i], i ? "second" : "first", i ? 6 : 5));
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(os_writer_commit(w[i], OS_BACKUP_FIRST, &e), LATHE_OK);
    holds(at("file"), "second");
    holds(at("file.bak"), "old");
    assert_int_equal(entries(at("")), 2);
}

static void tells_files_apart(void **state)
{
    (void)state;
    os_identity a, b, c;
    bool exists;
    lathe_error e;
    spill(at("a"), "same");
    spill(at("c"), "same");
    assert_int_equal(link(at("a"), at("b")), 0);
    assert_int_equal(os_identify_real(at("a"), &a, &exists, &e), LATHE_OK);
    assert_true(exists);
    assert_int_equal(os_identify_real(at("b"), &b, &exists, &e), LATHE_OK);
    assert_int_equal(os_identify_real(at("c"), &c, &exists, &e), LATHE_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_not_equal(&a, &c, sizeof a);
    FILE *f = os_open_stream_real(at("b"), "rb", &c);
    assert_non_null(f);
    assert_memory_equal(&a, &c, sizeof a);
    fclose(f);
    assert_int_equal(os_identify_real(at("none"), &a, &exists, &e), LATHE_OK);
    assert_false(exists);
    assert_int_equal(os_identify_real(at("none/none"), &a, &exists, &e), LATHE_OK);
    assert_false(exists);
    assert_int_equal(os_identify_real(at("a/x"), &a, &exists, &e), LATHE_OK);
    assert_false(exists);
}

static void streams(void **state)
{
    (void)state;
    os_identity id;
    char text[8] = "";
    spill(at("file"), "old");
    FILE *f = os_open_stream_real(at("file"), "wb", &id);
    assert_non_null(f);
    holds(at("file"), "old"); /* until it is truncated */
    assert_true(os_truncate(f));
    assert_int_equal(fputs("12", f) >= 0, 1);
    assert_int_equal(fclose(f), 0);
    holds(at("file"), "12");
    f = os_open_stream_real(at("file"), "a", &id);
    assert_non_null(f);
    fputs("3", f);
    assert_int_equal(fclose(f), 0);
    f = os_open_stream_real(at("file"), "r+", &id);
    assert_non_null(f);
    assert_int_equal(fread(text, 1, sizeof text, f), 3);
    assert_string_equal(text, "123");
    assert_int_equal(fclose(f), 0);
    f = os_open_stream_real(at("new"), "w+", &id);
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
    holds(at("new"), "");
    assert_null(os_open_stream_real(at("none"), "r", &id));
    assert_null(os_open_stream_real(at("none"), "r+", &id));
    assert_null(os_open_stream_real(at("none/x"), "w", &id));
    assert_null(os_open_stream_real(real_root, "w", &id));
    assert_int_equal(entries(root), 2);
}

static void can_write(const char *path, bool replace, const char *reason)
{
    lathe_error e;
    lathe_result r = os_can_write_real(path, "name", replace, &e);
    assert_int_equal(r, reason ? LATHE_ERR_IO : LATHE_OK);
    if (reason)
        assert_string_equal(e.message, reason);
}

static void tells_what_can_be_written(void **state)
{
    (void)state;
    spill(at("file"), "x");
    can_write(at("file"), true, NULL);
    can_write(at("new"), true, NULL);
    can_write(at("none/deep/new"), false, NULL);
    can_write(real_root, true, "cannot write: it is a directory");
    can_write(real_root, false, "cannot write: it is a directory");
    can_write("/", false, "cannot write: it is a directory");
    can_write("/dev/null", true, "cannot write: it is not a regular file");
    can_write("/dev/null", false, NULL);
    can_write(at("file/x"), true, "cannot make its folder: Not a directory");
    assert_int_equal(entries(root), 1);
    if (geteuid() != 0)
        return;
    assert_int_equal(mkdir(at("theirs"), 0755), 0);
    spill(at("theirs/file"), "x");
    assert_int_equal(chmod(at("theirs/file"), 0666), 0);
    spill(at("theirs/shut"), "x");
    assert_int_equal(chmod(at("theirs/shut"), 0644), 0);
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(seteuid(65534), 0);
    can_write(at("theirs/file"), false, NULL);
    can_write(at("theirs/file"), true,
              "cannot write: Permission denied"); /* no new file beside it */
    can_write(at("theirs/shut"), false, "cannot write: Permission denied");
    can_write(at("theirs/new"), false, "cannot write: Permission denied");
    can_write(at("theirs/none/new"), true, "cannot make its folder: Permission denied");
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(root, 0700), 0);
}

static void runs_out_of_memory(void **state)
{
    (void)state;
    const char *file = at("link/file");
    assert_int_equal(mkdir(at("folder"), 0700), 0);
    assert_int_equal(symlink("folder", at("link")), 0);
    bool done = false;
    for (int left = 0; !done; left++) {
        miser x = {.left = left};
        const mem m = {miser_alloc, &x};
        buf real;
        lathe_error e;
        buf_init(&real, &m);
        lathe_result r = os_real_path(file, &real, &e);
        done = r == LATHE_OK;
        if (!done)
            assert_int_equal(r, LATHE_ERR_MEMORY);
        buf_free(&real);
        assert_int_equal(x.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(finds_real_paths, clear_root),
        cmocka_unit_test_teardown(does_not_take_failure_for_absence, clear_root),
        cmocka_unit_test_teardown(long_paths, clear_root),
        cmocka_unit_test_teardown(follows_no_links, clear_root),
        cmocka_unit_test_teardown(writers_stay, clear_root),
        cmocka_unit_test_teardown(keeps_the_first_backup, clear_root),
        cmocka_unit_test_teardown(tells_files_apart, clear_root),
        cmocka_unit_test_teardown(streams, clear_root),
        cmocka_unit_test_teardown(tells_what_can_be_written, clear_root),
        cmocka_unit_test_teardown(runs_out_of_memory, clear_root),
    };
    return cmocka_run_group_tests(tests, make_real_root, remove_root);
}
