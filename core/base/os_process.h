/* Child processes for lathe's own shell: a program with a pipe to its stdin and one from its stdout. Implemented by
 * os_posix_process.c and os_windows_process.c. */
#ifndef LATHE_BASE_OS_PROCESS_H
#define LATHE_BASE_OS_PROCESS_H

#include "base/mem.h"

#include <stdio.h>

/* A started process. Set it to OS_PROCESS_NONE before os_process_start, so that os_process_free can always be called.
 * The members belong to the implementation. */
typedef struct os_process {
    intptr_t to, from; /* ends of the pipes, or -1 */
    intptr_t id;       /* of the process, or -1 */
    intptr_t group;    /* Windows: the job object that ends the process with this one */
} os_process;
#define OS_PROCESS_NONE ((os_process){-1, -1, -1, -1})

/* How a process ended: an exit code, or the number of the signal that killed it. */
typedef struct os_process_status {
    bool killed;
    int number;
} os_process_status;

/* Starts a program: argv[0] is its path, or a name that is looked up in PATH; argv ends with NULL. The process has
 * this process's stderr, environment and working folder, and SIGINT is blocked in it until it calls
 * os_process_join. */
lathe_result os_process_start(const char *const *argv, const mem *m, os_process *p,
                              lathe_error *err);
/* Sends bytes; waits until there is room. False if the process does not take them any more. */
bool os_process_send(os_process *p, const void *bytes, size_t n);
/* Closes the pipe to the process: its input ends. */
void os_process_end_input(os_process *p);
/* Waits until one of n processes has sent something or has closed its end of the pipe, until the time is over, or
 * until a signal arrived. Sets ready[i] of each. NULL in p[i] is allowed. */
void os_process_wait(os_process *const *p, size_t n, double seconds, bool *ready);
/* Reads what has been sent, up to n bytes; waits for the first one. 0: the process has closed its end. */
size_t os_process_receive(os_process *p, void *to, size_t n);
/* Asks the process to end (SIGTERM; Windows: ends it), or kills it. */
void os_process_stop(os_process *p, bool kill);
/* Waits up to `seconds` for its end. True if it has ended. */
bool os_process_ended(os_process *p, double seconds, os_process_status *status);
/* Kills the process if it has not ended, waits for its end, and closes the pipes. */
void os_process_free(os_process *p);

/* The number of processors that this process may use; at least 1. */
unsigned os_processors(void);
/* A number that identifies this process. */
intmax_t os_process_id(void);

/* The started process's ends of the pipes. */
typedef struct os_channel {
    intptr_t from, to;
} os_channel;

/* Called once by a process that os_process_start started: takes the pipes away from stdin and stdout, so that nothing
 * else reads or writes them. stdin is empty from then on, and stdout goes to stderr. From here on the process ends
 * when the one that started it (`parent`, an os_process_id) ends: Linux and Windows: at once; other systems: when it
 * next uses the channel. Ctrl-C does not stop it; processes that it starts get Ctrl-C as usual. False: the process was
 * not started so, or `parent` has ended. */
bool os_process_join(intmax_t parent, os_channel *c);
/* Reads up to n bytes; waits for the first one. 0: the other end was closed. */
size_t os_channel_read(os_channel *c, void *to, size_t n);
bool os_channel_write(os_channel *c, const void *bytes, size_t n);
/* Lets a standard stream (1: stdout, 2: stderr) write to an open file. */
bool os_redirect(FILE *f, int number);

#endif
