/* core/base/os: what a save keeps of the old file beside its bytes, saves of one file by several
 * processes, and the temporary files of runs that were killed. */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>

#define OLD_NAME ".lathe-0123456789abcdef.tmp"

/* ---- several processes at once -------------------------------------------------------------- */

/* Saves a file so often, and tells what failed by its exit status. */
static pid_t saver(const char *file, int times)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    for (int i = 0; i < times; i++) {
        lathe_error e;
        if (save(file, "text", true, &e) != LATHE_OK) {
            fprintf(stderr, "%s: %s\n", file, e.message);
            _exit(1);
        }
    }
    _exit(0);
}

/* While one links the old file to keep it, others put new ones in its place. */
static void saves_with_backups_at_once(void **state)
{
    (void)state;
    enum { COUNT = 4, TIMES = 100 };
    const char *file = in_root("file");
    pid_t children[COUNT];
    saves(file, "text", false);
    for (int i = 0; i < COUNT; i++)
        children[i] = saver(file, TIMES);
    int failed = 0;
    for (int i = 0; i < COUNT; i++) {
        int status;
        waitpid(children[i], &status, 0);
        failed += status != 0;
    }
    assert_int_equal(failed, 0);
    holds(file, "text");
    holds(in_root("file.bak"), "text");
    assert_int_equal(entries(root), 2);
}

/* ---- extended attributes and access lists --------------------------------------------------- */

#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/xattr.h>

#define ACL "system.posix_acl_access"
#define DEFAULT_ACL "system.posix_acl_default"

/* The library calls this one instead of the system's: for a test that wants it to fail. */
static const char *refused;
int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    if (refused && strcmp(name, refused) == 0) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_fsetxattr, fd, name, value, size, flags);
}

static void set(const char *path, const char *name, const void *value, size_t size)
{
    if (lsetxattr(path, name, value, size, 0) == 0)
        return;
    print_message("SKIPPED: %s cannot be set in %s: %s\n", name, root, strerror(errno));
    skip();
}

/* -1: no such attribute. */
static void has(const char *path, const char *name, const void *value, ssize_t size)
{
    char got[4096];
    assert_int_equal(lgetxattr(path, name, got, sizeof got), size);
    if (size > 0)
        assert_memory_equal(got, value, (size_t)size);
}

/* An access list in the system's form, version 2: the owner reads and writes, user 12345 and the
 * group have what is given, the mask lets pass what is given, others nothing. */
static void set_acl(const char *path, const char *name, uint8_t user, uint8_t group, uint8_t mask,
                    uint8_t acl[44])
{
    const uint8_t tags[5][2] = {{0x01, 6}, {0x02, user}, {0x04, group}, {0x10, mask}, {0x20, 0}};
    memset(acl, 0xff, 44);
    memcpy(acl, (const uint8_t[]){2, 0, 0, 0}, 4);
    for (size_t i = 0; i < 5; i++)
        memcpy(acl + 4 + 8 * i, (const uint8_t[]){tags[i][0], 0, tags[i][1], 0}, 4);
    memcpy(acl + 4 + 8 + 4, (const uint8_t[]){0x39, 0x30, 0, 0}, 4);
    set(path, name, acl, 44);
}

static void keeps_attributes(void **state)
{
    (void)state;
    const char *file = in_root("file"), *bak = in_root("file.bak");
    char big[1500];
    memset(big, 'b', sizeof big);
    spill(file, "old");
    set(file, "user.color", "red\0blue", 8);
    set(file, "user.empty", "", 0);
    set(file, "user.big", big, sizeof big);
    for (int i = 0; i < 2; i++) {
        saves(file, i == 0 ? "new" : "newer", true);
        has(file, "user.color", "red\0blue", 8);
        has(file, "user.empty", "", 0);
        has(file, "user.big", big, sizeof big);
        has(bak, "user.color", "red\0blue", 8);
    }
    /* What is new has none, and what is gone does not come back. */
    assert_int_equal(lremovexattr(file, "user.color"), 0);
    saves(file, "newest", false);
    has(file, "user.color", NULL, -1);
    saves(in_root("other"), "x", false);
    has(in_root("other"), "user.big", NULL, -1);
}

static void keeps_access_lists(void **state)
{
    (void)state;
    uint8_t acl[44], wide[44];
    const char *file = in_root("file");
    spill(file, "old");
    assert_int_equal(chmod(file, 0640), 0);
    set_acl(file, ACL, 4, 0, 4, acl);
    assert_int_equal(mode_of(file), 0640);
    saves(file, "new", true);
    has(file, ACL, acl, 44);
    has(in_root("file.bak"), ACL, acl, 44);
    assert_int_equal(mode_of(file), 0640);
    /* New files get what the folder hands down; a file that has no list stays without. */
    assert_int_equal(lremovexattr(file, ACL), 0);
    assert_int_equal(chmod(file, 0660), 0);
    set_acl(root, DEFAULT_ACL, 6, 6, 6, wide);
    saves(file, "newer", false);
    has(file, ACL, NULL, -1);
    assert_int_equal(mode_of(file), 0660);
    saves(in_root("other"), "x", false);
    has(in_root("other"), ACL, wide, 44);
    assert_int_equal(lremovexattr(root, DEFAULT_ACL), 0);
}

static void goes_on_without_what_is_refused(void **state)
{
    (void)state;
    uint8_t acl[44];
    const char *file = in_root("file");
    spill(file, "old");
    set(file, "user.first", "1", 1);
    set(file, "user.last", "2", 1);
    refused = "user.first";
    saves(file, "new", true);
    has(file, "user.first", NULL, -1);
    has(file, "user.last", "2", 1);
    /* Without its list a file must not be open to those whom the list kept out: with one, the bits
     * of the group are the mask's. */
    set_acl(file, ACL, 6, 0, 6, acl);
    assert_int_equal(mode_of(file), 0660);
    refused = ACL;
    saves(file, "newer", false);
    has(file, ACL, NULL, -1);
    assert_int_equal(mode_of(file), 0600);
    refused = NULL;
}

/* Root sets what the file's owner may read but not set. */
static void another_user_keeps_what_he_may(void **state)
{
    (void)state;
    const char *file = in_root("file");
    if (geteuid() != 0)
        skip();
    spill(file, "old");
    set(file, "user.color", "red", 3);
    set(file, "security.lathe", "x", 1);
    set(file, "trusted.lathe", "x", 1);
    assert_int_equal(chown(file, 65534, 65534), 0);
    assert_int_equal(chmod(root, 0777), 0);
    saves(file, "by root", false);
    has(file, "security.lathe", "x", 1);
    has(file, "trusted.lathe", "x", 1);
    assert_int_equal(seteuid(65534), 0);
    saves(file, "by the owner", false);
    assert_int_equal(seteuid(0), 0);
    has(file, "user.color", "red", 3);
    has(file, "security.lathe", NULL, -1);
    has(file, "trusted.lathe", NULL, -1);
    assert_int_equal(chmod(root, 0700), 0);
}

/* The attributes' names and values pass through memory that may be refused. */
static void runs_out_of_memory(void **state)
{
    (void)state;
    const char *file = in_root("file");
    spill(file, "old");
    set(file, "user.color", "red", 3);
    for (int calls = 0, done = 0; !done; calls++) {
        miser x = {calls, 0};
        mem m = {miser_alloc, &x};
        lathe_error e;
        lathe_result r = save_with(&m, file, "new", false, &e);
        done = r == LATHE_OK;
        assert_true(calls < 50);
        assert_int_equal(x.blocks, 0);
        assert_true(done || r == LATHE_ERR_MEMORY || strstr(e.message, "memory"));
        holds(file, done ? "new" : "old");
        has(file, "user.color", "red", 3);
    }
}
#endif

/* ---- what killed runs leave ----------------------------------------------------------------- */

static const char *aged(const char *name, long seconds)
{
    const char *path = in_root(name);
    const struct timespec then = {.tv_sec = time(NULL) - seconds};
    assert_int_equal(utimensat(AT_FDCWD, path, (const struct timespec[]){then, then}, 0), 0);
    return path;
}

static const char *leftover(const char *name, long seconds)
{
    spill(in_root(name), "half");
    return aged(name, seconds);
}

static void removes_what_killed_runs_left(void **state)
{
    (void)state;
    mem m = mem_default();
    leftover(OLD_NAME, 3601);
    leftover(".lathe-x.tmp", 100000);
    leftover(".lathe-young.tmp", 3500);
    leftover(".lathe-future.tmp", -100);
    leftover("a.lathe-x.tmp", 100000);
    leftover(".lathe-x.tmp.bak", 100000);
    leftover(".lathe-tmp", 100000);
    leftover("file", 100000);
    assert_int_equal(mkdir(in_root(".lathe-folder.tmp"), 0700), 0);
    aged(".lathe-folder.tmp", 100000);
    assert_int_equal(mkfifo(in_root(".lathe-pipe.tmp"), 0600), 0);
    aged(".lathe-pipe.tmp", 100000);
    assert_int_equal(symlink("file", in_root(".lathe-link.tmp")), 0);
    assert_int_equal(os_sweep(root, &m), 2);
    assert_int_equal(entries(root), 9);
    assert_int_equal(access(in_root(OLD_NAME), F_OK), -1);
    assert_int_equal(access(in_root(".lathe-x.tmp"), F_OK), -1);
    assert_int_equal(os_sweep(root, &m), 0);
    assert_int_equal(os_sweep(in_root("none"), &m), 0);
    assert_int_equal(os_sweep(in_root("file"), &m), 0);
}

/* The second name of an old file, which a save with a backup makes for a moment. */
static void leaves_new_names_of_old_files(void **state)
{
    (void)state;
    mem m = mem_default();
    leftover("file", 100000);
    assert_int_equal(link(in_root("file"), in_root(OLD_NAME)), 0);
    assert_int_equal(os_sweep(root, &m), 0);
    assert_int_equal(entries(root), 2);
}

static void leaves_what_is_locked(void **state)
{
    (void)state;
    mem m = mem_default();
    int fd = open(leftover(OLD_NAME, 100000), O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_SH), 0);
    assert_int_equal(os_sweep(root, &m), 0);
    assert_int_equal(entries(root), 1);
    close(fd);
    assert_int_equal(os_sweep(root, &m), 1);
    assert_int_equal(entries(root), 0);
}

static void age_temporary_files(void)
{
    DIR *d = opendir(root);
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (strncmp(entry->d_name, ".lathe-", 7) == 0)
            aged(entry->d_name, 100000);
    closedir(d);
}

/* A writer that takes more than an hour, and one that was killed. */
static void writers_lock_their_files(void **state)
{
    (void)state;
    mem m = mem_default();
    os_writer *w = NULL;
    lathe_error e;
    assert_int_equal(os_writer_open(in_root("file"), &m, &w, &e), LATHE_OK);
    assert_true(os_writer_put(w, "text", 4));
    age_temporary_files();
    assert_int_equal(os_sweep(root, &m), 0);
    assert_int_equal(os_writer_commit(w, OS_BACKUP_NONE, &e), LATHE_OK);
    holds(in_root("file"), "text");
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        os_writer_open(in_root("file"), &m, &w, &e);
        os_writer_put(w, "half", 4);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(entries(root), 2);
    assert_int_equal(os_sweep(root, &m), 0);
    age_temporary_files();
    assert_int_equal(os_sweep(root, &m), 1);
    assert_int_equal(entries(root), 1);
    holds(in_root("file"), "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(saves_with_backups_at_once, clear_root),
#if defined(__linux__)
        cmocka_unit_test_teardown(keeps_attributes, clear_root),
        cmocka_unit_test_teardown(keeps_access_lists, clear_root),
        cmocka_unit_test_teardown(goes_on_without_what_is_refused, clear_root),
        cmocka_unit_test_teardown(another_user_keeps_what_he_may, clear_root),
        cmocka_unit_test_teardown(runs_out_of_memory, clear_root),
#endif
        cmocka_unit_test_teardown(removes_what_killed_runs_left, clear_root),
        cmocka_unit_test_teardown(leaves_new_names_of_old_files, clear_root),
        cmocka_unit_test_teardown(leaves_what_is_locked, clear_root),
        cmocka_unit_test_teardown(writers_lock_their_files, clear_root),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
