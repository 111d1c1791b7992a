/* core/base/os: appending records to a file, and putting backups back. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_folder.h"

#include <sys/wait.h>

static lathe_error e;

static lathe_result append(const char *path, const char *text)
{
    return os_append_real(path, "shown", text, strlen(text), true, &e);
}

static void fails(lathe_result r, const char *reason)
{
    assert_int_equal(r, LATHE_ERR_IO);
    assert_string_equal(e.path, "shown");
    assert_string_equal(e.message, reason);
}

static void appends(void **state)
{
    (void)state;
    const char *file = in_root("records");
    assert_int_equal(append(file, "one\n"), LATHE_OK);
    assert_int_equal(append(file, ""), LATHE_OK);
    assert_int_equal(append(file, "two\n"), LATHE_OK);
    holds(file, "one\ntwo\n");
    assert_int_equal(entries(root), 1);
    assert_int_equal(symlink(file, in_root("link")), 0);
    fails(append(in_root("link"), "x"), "cannot write: a symbolic link appeared in its path");
    fails(append(root, "x"), "cannot write: Is a directory");
    fails(append(in_root("none/records"), "x"), "cannot write: No such file or directory");
    holds(file, "one\ntwo\n");
}

enum { WRITERS = 4, LINES = 100 };

/* Several processes append at the same time: all records are there, each in one piece. */
static void several_append(void **state)
{
    (void)state;
    const char *file = in_root("records");
    for (int w = 0; w < WRITERS; w++) {
        if (fork() != 0)
            continue;
        char line[128];
        for (int i = 0; i < LINES; i++) {
            snprintf(line, sizeof line, "<%d %0100d>\n", w, i);
            if (append(file, line) != LATHE_OK)
                _exit(1);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = 1;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    FILE *f = fopen(file, "r");
    char line[256];
    int next[WRITERS] = {0};
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        int w = -1, i = -1;
        char end = 0;
        assert_int_equal(sscanf(line, "<%d %d%c", &w, &i, &end), 3);
        assert_in_range(w, 0, WRITERS - 1);
        assert_int_equal(i, next[w]++);
        assert_int_equal(end, '>');
        assert_int_equal(strlen(line), 105);
    }
    fclose(f);
    for (int w = 0; w < WRITERS; w++)
        assert_int_equal(next[w], LINES);
}

static lathe_result put_back(const char *path, bool only_look)
{
    return os_put_back_real(path, "shown", only_look, &e);
}

static void puts_backups_back(void **state)
{
    (void)state;
    const char *file = in_root("file"), *bak = in_root("file.bak");
    spill(file, "new");
    spill(bak, "old");
    chmod(bak, 0640);
    assert_int_equal(put_back(file, true), LATHE_OK);
    holds(file, "new");
    assert_int_equal(entries(root), 2);
    assert_int_equal(put_back(file, false), LATHE_OK);
    holds(file, "old");
    assert_int_equal(mode_of(file), 0640);
    assert_int_equal(entries(root), 1);
    fails(put_back(file, false), "there is no backup of it");
    fails(put_back(file, true), "there is no backup of it");
    assert_int_equal(rename(file, bak), 0); /* the file itself is missing */
    assert_int_equal(put_back(file, false), LATHE_OK);
    holds(file, "old");
    assert_int_equal(link(file, bak), 0); /* the backup is the file */
    assert_int_equal(put_back(file, false), LATHE_OK);
    holds(file, "old");
    assert_int_equal(entries(root), 1);
}

static void refuses_other_things(void **state)
{
    (void)state;
    const char *file = in_root("file"), *bak = in_root("file.bak"), *other = in_root("other");
    spill(other, "other");
    spill(bak, "old");
    assert_int_equal(symlink(other, file), 0);
    fails(put_back(file, true), "cannot replace it: it is a link");
    fails(put_back(file, false), "cannot replace it: it is a link");
    assert_int_equal(unlink(file), 0);
    assert_int_equal(mkdir(file, 0700), 0);
    fails(put_back(file, false), "cannot replace it: it is not a regular file");
    assert_int_equal(rmdir(file), 0);
    assert_int_equal(unlink(bak), 0);
    assert_int_equal(symlink(other, bak), 0);
    fails(put_back(file, false), "its backup is not a regular file");
    holds(other, "other");
    fails(put_back(in_root("none/file"), false),
          "cannot open its folder: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(appends, clear_root),
        cmocka_unit_test_teardown(several_append, clear_root),
        cmocka_unit_test_teardown(puts_backups_back, clear_root),
        cmocka_unit_test_teardown(refuses_other_things, clear_root),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
