/* Looks up names by number and numbers by name, and reads the option that replaces names. */
#include "phive/names.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lookup ----------------------------------------------------------------------------------------------- */

const char *phive_name(const phive_names *names, phive_set set, uint64_t number)
{
    const rec_name *rows = names->sets[set].rows;
    size_t from = 0, to = names->counts[set];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if ((uint64_t)rows[middle].value < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < names->counts[set] && (uint64_t)rows[from].value == number ? rows[from].name
                                                                             : NULL;
}

static bool same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char x = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] - 'A' + 'a') : a[i];
        char y = b[i] >= 'A' && b[i] <= 'Z' ? (char)(b[i] - 'A' + 'a') : b[i];
        if (x != y)
            return false;
    }
    return true;
}

bool phive_name_find(const phive_names *names, phive_set set, const char *p, size_t n,
                     uint64_t *number)
{
    const rec_name *found = NULL;
    for (const rec_name *row = names->sets[set].rows; row->name; row++) {
        if (strlen(row->name) != n)
            continue;
        if (memcmp(row->name, p, n) == 0) {
            *number = (uint64_t)row->value;
            return true;
        }
        if (!found && same_letters(row->name, p, n))
            found = row;
    }
    if (found)
        *number = (uint64_t)found->value;
    return found != NULL;
}

static const char *next_name(void *user, size_t i)
{
    const rec_name *rows = user;
    return rows[i].name;
}

const char *phive_name_near(const phive_names *names, phive_set set, const char *p, size_t n)
{
    char text[PHIVE_NAME + 1];
    const rec_name *rows = names->sets[set].rows;
    void *user; /* the rows are not written to */
    if (n > PHIVE_NAME || memchr(p, 0, n))
        return NULL;
    memcpy(text, p, n);
    text[n] = 0;
    memcpy(&user, &rows, sizeof user);
    return error_nearest(text, next_name, user);
}

void phive_name_refuse(const phive_names *names, phive_set set, const char *p, size_t n, char *to,
                       size_t cap)
{
    const char *near = phive_name_near(names, set, p, n);
    int shown = n < PHIVE_NAME ? (int)n : PHIVE_NAME;
    snprintf(to, cap, near ? "'%.*s' is no %s of %s; did you mean '%s'?" : "'%.*s' is no %s of %s",
             shown, p, names->sets[set].name, names->of, near);
}

/* ---- the option ------------------------------------------------------------------------------------------- */

static const char *const keys[PHIVE_SETS] = {"materials", "sub_materials", "layers", "sub_layers",
                                             "user_tags"};

typedef struct loader {
    lathe_doc *doc;
    const lathe_source *s;
    const void *node; /* of the set */
    phive_set set;
    rec_name *rows;
    uint32_t n;
    lathe_error *err;
} loader;

static const char *next_key(void *user, size_t i)
{
    (void)user;
    return i < PHIVE_SETS ? keys[i] : NULL;
}

/* Sets an error; `which` (a key or a number in brackets) is part of its place. */
static lathe_result refuse(const loader *l, const char *which, const char *message)
{
    char where[160];
    snprintf(where, sizeof where, "names.%s%.100s", keys[l->set], which);
    lathe_result r = error_set(l->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s", message);
    error_where(l->err, where);
    return r;
}

static bool masks(phive_set set)
{
    return set == PHIVE_LAYERS || set == PHIVE_SUB_LAYERS || set == PHIVE_USER_TAGS;
}

/* True if a text can be a name: no line breaks or NULs. */
static bool is_name(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((uint8_t)p[i] < ' ' || p[i] == 0x7F)
            return false;
    return n && n <= PHIVE_NAME && !(p[0] >= '0' && p[0] <= '9');
}

/* Adds a row with a number and name from the option. Layers are given by bit number. */
static lathe_result take(loader *l, const char *which, const char *p, size_t n, uint64_t number)
{
    if (!is_name(p, n))
        return refuse(l, which, "a name of 1 to 63 bytes expected that begins with no digit");
    if (masks(l->set) && l->set != PHIVE_USER_TAGS) {
        if (number > 63)
            return refuse(l, which, "a bit from 0 to 63 expected");
        number = UINT64_C(1) << number;
    } else if (!masks(l->set) && number > UINT32_MAX) {
        return refuse(l, which, "a number from 0 to 4294967295 expected");
    } else if (l->set == PHIVE_USER_TAGS && !number) {
        return refuse(l, which, "a mask of one bit or several expected");
    }
    char *copy = arena_zalloc(&l->doc->arena, n + 1);
    if (!copy)
        return rec_no_memory(l->err);
    memcpy(copy, p, n);
    l->rows[l->n++] = (rec_name){copy, (int64_t)number};
    return LATHE_OK;
}

static lathe_result take_list(loader *l, uint64_t count)
{
    char which[32];
    for (uint64_t i = 0; i < count; i++) {
        lathe_value v = {.kind = LATHE_KIND_NONE};
        const void *child;
        snprintf(which, sizeof which, "[%llu]", (unsigned long long)i);
        if (!l->s->get(l->s->user, l->node, NULL, i, &v, &child) || v.kind != LATHE_KIND_STRING)
            return refuse(l, which, "a name expected");
        if (!v.as.s.n) /* no name for this bit */
            continue;
        if (l->set == PHIVE_USER_TAGS && i > 63)
            return refuse(l, which, "a bit from 0 to 63 expected");
        lathe_result r =
            take(l, which, v.as.s.p, v.as.s.n, l->set == PHIVE_USER_TAGS ? UINT64_C(1) << i : i);
        if (r != LATHE_OK)
            return r;
    }
    return LATHE_OK;
}

/* Parses a decimal number, or a hexadecimal one with 0x. */
static bool is_number(const char *text, uint64_t *number)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *p = hex ? text + 2 : text;
    uint64_t base = hex ? 16 : 10;
    if (!*p)
        return false;
    for (*number = 0; *p; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A' + 10)
                                                  : 99;
        if (digit >= base || *number > (UINT64_MAX - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return true;
}

/* Reads a pair: number = name, or name = number. */
static lathe_result take_pair(loader *l, const char *key)
{
    char which[64];
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child;
    uint64_t number;
    snprintf(which, sizeof which, "[%.50s]", key);
    bool has = l->s->get(l->s->user, l->node, key, 0, &v, &child);
    if (is_number(key, &number)) {
        if (!has || v.kind != LATHE_KIND_STRING)
            return refuse(l, which, "a name expected");
        return take(l, which, v.as.s.p, v.as.s.n, number);
    }
    if (!has || (v.kind != LATHE_KIND_INT && v.kind != LATHE_KIND_UINT))
        return refuse(l, which, "number = name or name = number expected");
    if (v.kind == LATHE_KIND_INT && v.as.i < 0 && l->set != PHIVE_USER_TAGS)
        return refuse(l, which, "a number that is not negative expected");
    return take(l, which, key, strlen(key), v.as.u);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = (uint64_t)((const rec_name *)a)->value, y = (uint64_t)((const rec_name *)b)->value;
    return (x > y) - (x < y);
}

static lathe_result no_repeats(const loader *l)
{
    char message[192];
    for (uint32_t i = 1; i < l->n; i++)
        if (l->rows[i].value == l->rows[i - 1].value) {
            snprintf(message, sizeof message, "two names of %s0x%llx: '%s' and '%s'",
                     masks(l->set) ? "mask " : "number ", (unsigned long long)l->rows[i].value,
                     l->rows[i - 1].name, l->rows[i].name);
            return refuse(l, "", message);
        }
    return LATHE_OK;
}

static lathe_result take_set(loader *l, phive_names *out)
{
    uint64_t count = l->s->count(l->s->user, l->node), named = 0;
    bool names = l->s->size >= sizeof *l->s && l->s->name;
    while (names && named <= PHIVE_NAMES_MOST && l->s->name(l->s->user, l->node, named))
        named++;
    if (count + named > PHIVE_NAMES_MOST || count > PHIVE_NAMES_MOST)
        return refuse(l, "", "more than 4096 names");
    l->n = 0;
    l->rows = arena_zalloc(&l->doc->arena, (size_t)(count + named + 1) * sizeof *l->rows);
    if (!l->rows)
        return rec_no_memory(l->err);
    lathe_result r = take_list(l, count);
    for (uint64_t i = 0; i < named && r == LATHE_OK; i++) {
        const char *key = l->s->name(l->s->user, l->node, i);
        r = key ? take_pair(l, key) : LATHE_OK;
    }
    if (r != LATHE_OK)
        return r;
    qsort(l->rows, l->n, sizeof *l->rows, by_number);
    out->sets[l->set].rows = l->rows;
    out->counts[l->set] = l->n;
    return no_repeats(l);
}

/* Collects the user tags of a single bit, for REC_FLAGS. */
static lathe_result pick_bits(lathe_doc *doc, phive_names *names, lathe_error *err)
{
    const rec_name *row = names->sets[PHIVE_USER_TAGS].rows;
    rec_name *bits = arena_zalloc(&doc->arena, (names->counts[PHIVE_USER_TAGS] + 1) * sizeof *bits);
    if (!bits)
        return rec_no_memory(err);
    names->tag_bits.rows = bits;
    for (; row->name; row++)
        if (((uint64_t)row->value & ((uint64_t)row->value - 1)) == 0)
            *bits++ = *row;
    return LATHE_OK;
}

/* Fails for unknown keys of the option. */
static lathe_result known_keys(const loader *l, const void *top)
{
    const char *key;
    bool names = l->s->size >= sizeof *l->s && l->s->name;
    lathe_result r = LATHE_OK;
    if (l->s->count(l->s->user, top))
        r = error_set(l->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "a table of lists expected (materials, layers …), got a list");
    for (uint64_t i = 0; r == LATHE_OK && names && (key = l->s->name(l->s->user, top, i)); i++) {
        bool known = false;
        for (int k = 0; k < PHIVE_SETS; k++)
            known = known || strcmp(key, keys[k]) == 0;
        const char *near = known ? NULL : error_nearest(key, next_key, NULL);
        if (!known)
            r = error_set(l->err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                          near ? "no list of names '%s'; did you mean '%s'?"
                               : "no list of names '%s'",
                          key, near);
    }
    if (r != LATHE_OK)
        error_where(l->err, "names");
    return r;
}

lathe_result phive_names_read(lathe_doc *doc, int64_t variant, phive_names *out, lathe_error *err)
{
    lathe_value v;
    const void *top;
    loader l = {.doc = doc, .s = doc->extra, .err = err};
    *out = *phive_names_built_in(variant);
    if (!rec_option(doc, "names", &v, &top))
        return LATHE_OK;
    if ((v.kind != LATHE_KIND_RECORD && v.kind != LATHE_KIND_ARRAY) || !top) {
        lathe_result r =
            error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a table of lists expected");
        error_where(err, "names");
        return r;
    }
    lathe_result r = known_keys(&l, top);
    for (l.set = 0; l.set < PHIVE_SETS && r == LATHE_OK; l.set++) {
        v.kind = LATHE_KIND_NONE;
        l.node = NULL;
        if (!l.s->get(l.s->user, top, keys[l.set], 0, &v, &l.node) || v.kind == LATHE_KIND_NONE)
            continue;
        r = (v.kind == LATHE_KIND_RECORD || v.kind == LATHE_KIND_ARRAY) && l.node
                ? take_set(&l, out)
                : refuse(&l, "", "a list of names or a table number = name expected");
        if (r == LATHE_OK)
            out->of = "the names that were given";
    }
    return r == LATHE_OK ? pick_bits(doc, out, err) : r;
}
