#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *lathe_result_name(lathe_result result)
{
    static const char *const names[LATHE_RESULT_COUNT] = {
        [LATHE_OK] = "ok",
        [LATHE_ERR_MEMORY] = "memory",
        [LATHE_ERR_IO] = "io",
        [LATHE_ERR_FORMAT] = "format",
        [LATHE_ERR_UNSUPPORTED] = "unsupported",
        [LATHE_ERR_BOUNDS] = "bounds",
        [LATHE_ERR_INVALID] = "invalid",
        [LATHE_ERR_RANGE] = "range",
        [LATHE_ERR_TYPE] = "type",
        [LATHE_ERR_NAME] = "name",
        [LATHE_ERR_READONLY] = "readonly",
        [LATHE_ERR_REMOVED] = "removed",
        [LATHE_ERR_LIMIT] = "limit",
        [LATHE_ERR_STATE] = "state",
    };
    size_t i = (size_t)result; /* negative values become large */
    return i < LATHE_RESULT_COUNT ? names[i] : "unknown";
}

/* Marks a truncated text with "...", without leaving half of a UTF-8 sequence before it. */
static void mark_cut(char *to, size_t cap)
{
    size_t end = cap - 4;
    while (end > 0 && ((unsigned char)to[end] & 0xc0) == 0x80)
        end--;
    memcpy(to + end, "...", 4);
}

static void copy_text(char *to, size_t cap, const char *from)
{
    size_t n = strlen(from);
    bool cut = n >= cap;
    /* memmove, because the argument may be the error's own text */
    memmove(to, from, cut ? cap - 1 : n);
    to[cut ? cap - 1 : n] = '\0';
    if (cut)
        mark_cut(to, cap);
}

lathe_result error_pass(lathe_error *err, const lathe_error *from)
{
    if (err)
        *err = *from;
    return from->code;
}

lathe_result error_set(lathe_error *err, lathe_result code, uint64_t offset, const char *fmt, ...)
{
    if (!err)
        return code;
    /* a separate buffer, because the arguments may be texts of *err */
    char text[sizeof err->message];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n < 0)
        copy_text(text, sizeof text, fmt);
    else if ((size_t)n >= sizeof text)
        mark_cut(text, sizeof text);
    error_clear(err);
    err->code = code;
    err->offset = offset;
    copy_text(err->message, sizeof err->message, text);
    return code;
}

void error_clear(lathe_error *err)
{
    if (!err)
        return;
    memset(err, 0, sizeof *err);
    err->offset = LATHE_NO_OFFSET;
}

void error_path(lathe_error *err, const char *path)
{
    if (err && path && !err->path[0])
        copy_text(err->path, sizeof err->path, path);
}

void error_where(lathe_error *err, const char *where)
{
    if (err && where && !err->where[0])
        copy_text(err->where, sizeof err->where, where);
}

typedef struct text {
    char *buf;
    size_t cap, len; /* len: the full length, even if it exceeds cap */
} text;

static void put(text *t, const char *s)
{
    size_t n = strlen(s), room = t->len < t->cap ? t->cap - t->len - 1 : 0;
    if (room > 0)
        memcpy(t->buf + t->len, s, n < room ? n : room);
    t->len += n;
}

size_t lathe_error_text(const lathe_error *err, char *buf, size_t cap)
{
    text t = {buf, buf ? cap : 0, 0};
    if (err) {
        if (err->path[0]) {
            put(&t, err->path);
            put(&t, ": ");
        }
        put(&t, err->where);
        if (err->offset != LATHE_NO_OFFSET) {
            char at[32];
            snprintf(at, sizeof at, "%sat 0x%" PRIx64, err->where[0] ? " " : "", err->offset);
            put(&t, at);
        }
        if (err->where[0] || err->offset != LATHE_NO_OFFSET)
            put(&t, ": ");
        put(&t, err->message[0] ? err->message : lathe_result_name(err->code));
    }
    if (t.cap > 0)
        t.buf[t.len < t.cap ? t.len : t.cap - 1] = '\0';
    return t.len;
}

/* ---- the nearest name ----------------------------------------------------------------------- */

/* Longer texts are not compared: names in schemas are shorter. */
#define NAME_MAX_LEN 63

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The cost of inserting or removing a letter is 2, of a separator 1, as between numVertices and num_vertices. A
 * difference in case costs 1, too. */
static unsigned cost_of(char a)
{
    return a == '_' || a == '-' || a == ' ' ? 1 : 2;
}

static unsigned cost_swap(char a, char b)
{
    if (a == b)
        return 0;
    return lower(a) == lower(b) || (cost_of(a) == 1 && cost_of(b) == 1) ? 1 : 2;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edit distance in which swapping two neighbours is one step ("friciton"). Needs three rows of the matrix: this one
 * and the two above. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][NAME_MAX_LEN + 1];
    rows[0][0] = 0;
    for (size_t j = 1; j <= nb; j++)
        rows[0][j] = rows[0][j - 1] + cost_of(b[j - 1]);
    for (size_t i = 1; i <= na; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = up[0] + cost_of(a[i - 1]);
        for (size_t j = 1; j <= nb; j++) {
            unsigned d = up[j - 1] + cost_swap(a[i - 1], b[j - 1]);
            d = smaller(d, up[j] + cost_of(a[i - 1]));
            d = smaller(d, row[j - 1] + cost_of(b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = smaller(d, up2[j - 2] + 2);
            row[j] = d;
        }
    }
    return rows[na % 3][nb];
}

const char *error_nearest(const char *name, const char *(*next)(void *user, size_t i), void *user)
{
    size_t n = name ? strlen(name) : 0;
    if (n == 0 || n > NAME_MAX_LEN)
        return NULL;
    const char *best = NULL, *candidate;
    unsigned least = 0;
    for (size_t i = 0; (candidate = next(user, i)) != NULL; i++) {
        size_t k = strlen(candidate);
        if (k > NAME_MAX_LEN)
            continue;
        /* at most a third of the longer name may differ: "x" is no misspelling of "y" */
        unsigned d = distance(name, n, candidate, k);
        if (d <= 2 * ((n > k ? n : k) / 3) && (!best || d < least)) {
            best = candidate;
            least = d;
        }
    }
    return best;
}
