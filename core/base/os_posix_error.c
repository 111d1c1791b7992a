#if defined(_WIN32)
typedef int os_posix_error_unused; /* C requires a declaration in every file */
#else

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* POSIX 2008 */
#endif
#if !defined(_FILE_OFFSET_BITS)
#define _FILE_OFFSET_BITS 64
#endif

#include "base/os_posix.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

lathe_result os_posix_fail(lathe_error *err, const char *path, const char *what, int code)
{
    char why[128];
    if (strerror_r(code, why, sizeof why) != 0)
        snprintf(why, sizeof why, "system error %d", code);
    error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s: %s", what, why);
    error_path(err, path);
    return LATHE_ERR_IO;
}

lathe_result os_posix_fail_at(lathe_error *err, const char *path, const char *what, int code)
{
    if (code != ELOOP)
        return os_posix_fail(err, path, what, code);
    error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s: a symbolic link appeared in its path", what);
    error_path(err, path);
    return LATHE_ERR_IO;
}

lathe_result os_posix_refuse(lathe_error *err, const char *path, lathe_result code,
                             const char *what)
{
    error_set(err, code, LATHE_NO_OFFSET, "%s", what);
    error_path(err, path);
    return code;
}

lathe_result os_posix_no_memory(lathe_error *err, const char *path)
{
    return os_posix_refuse(err, path, LATHE_ERR_MEMORY, "not enough memory");
}

#endif
