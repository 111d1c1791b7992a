/* Checks the schema of a format. Tests run it on all formats. */
#include "gen/record_reserved.h"
#include "record/record.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct lint {
    void (*say)(void *user, const char *problem);
    void *user;
    size_t problems;
    const rec_type *seen[2048];
    size_t seen_n;
    const lathe_format *format;
    bool derives;
} lint;

static void problem(lint *l, const char *fmt, ...) ERROR_PRINTF(2, 3);

static void problem(lint *l, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    l->problems++;
    l->say(l->user, text);
}

static bool snake_case(const char *name)
{
    if (!name || !(name[0] >= 'a' && name[0] <= 'z'))
        return false;
    for (const char *p = name; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '_'))
            return false;
    return true;
}

static bool is_in(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Whether all views in Lua, or (top) all documents, have a member with a name. */
static bool reserved(const char *name, bool top)
{
    return is_in(reserved_views, name) || (top && is_in(reserved_documents, name));
}

static const rec_field *earlier(const rec_type *t, uint32_t before, const char *name)
{
    while (before-- > 0)
        if (rec_row_name(rec_row(t, before)) && strcmp(rec_row_name(rec_row(t, before)), name) == 0)
            return rec_row(t, before);
    return NULL;
}

static void lint_names(lint *l, const rec_type *t, const rec_field *row)
{
    const rec_names *names = rec_row_names(row);
    if ((row->shown == REC_ENUM || row->shown == REC_FLAGS) &&
        (row->kind != REC_COMPUTED || rec_row_bits_of(row)) && !names)
        problem(l, "%s.%s: no names", rec_type_name(t), rec_row_name(row));
    for (uint32_t i = 0; names && i < names->count; i++) {
        const rec_name a = rec_names_item(names, i);
        unsigned bits = 8 * rec_width(row->kind);
        bool is_signed = row->kind == REC_I8 || row->kind == REC_I16 || row->kind == REC_I32;
        int64_t limit = (int64_t)1 << (bits && bits < 64 ? bits - is_signed : 62);
        if (row->kind != REC_COMPUTED && bits < 64 &&
            (a.value >= limit << is_signed || a.value < -limit))
            problem(l, "%s.%s: '%s' does not fit", rec_type_name(t), rec_row_name(row), a.name);
        for (uint32_t k = 0; k < i;
             k++) { /* the generator checks values, as it knows the aliases */
            const rec_name b = rec_names_item(names, k);
            if (strcmp(a.name, b.name) == 0 || (!names->back && a.value == b.value))
                problem(l, "%s: '%s' twice", rec_names_name(names), a.name);
        }
    }
}

static void lint_number(lint *l, const rec_type *t, const rec_field *row)
{
    bool real = row->kind >= REC_F16 && row->kind <= REC_F64, number = rec_width(row->kind) != 0;
    const double *range = rec_row_rare(row)->range;
    if (range[0] > range[1])
        problem(l, "%s.%s: its range is empty", rec_type_name(t), rec_row_name(row));
    else if (number && range[0] != range[1] && !row->codec && !rec_row_rare(row)->init_fn &&
             (rec_row_init(row) < range[0] || rec_row_init(row) > range[1]))
        problem(l, "%s.%s: its default is out of range", rec_type_name(t), rec_row_name(row));
    if (rec_row_rare(row)->derive && (real || !number))
        problem(l, "%s.%s: derived, but no integer", rec_type_name(t), rec_row_name(row));
    const rec_field *instead =
        rec_row_instead(row) ? earlier(t, rec_row_count(t), rec_row_instead(row)) : NULL;
    if (rec_row_instead(row) && (!instead || instead->kind != REC_COMPUTED))
        problem(l, "%s.%s: '%s' is no computed row", rec_type_name(t), rec_row_name(row),
                rec_row_instead(row));
    if (row->ref && (!rec_row_ref(row)->resolve || !rec_row_ref(row)->store))
        problem(l, "%s.%s: a reference without .resolve or .store", rec_type_name(t),
                rec_row_name(row));
    int width = row->prefix < 0 ? -row->prefix : row->prefix;
    if (width && width != 1 && width != 2 && width != 4 && width != 8)
        problem(l, "%s.%s: a length of %d bytes", rec_type_name(t), rec_row_name(row), width);
}

static uint64_t type_size(const rec_type *t, uint32_t rows, int depth, uint64_t *align);
static uint64_t whole_size(const rec_type *t, int depth, uint64_t *align);
static uint64_t row_size(const rec_field *row, int depth, uint64_t *align);

/* Whether the elements of a row differ in size; whole: the row itself. */
static bool varies(const rec_field *row, bool whole, int depth)
{
    if (whole &&
        (row->by || rec_row_rare(row)->count || row->flags & REC_REST ||
         rec_row_condition(row)->since || rec_row_condition(row)->before ||
         rec_row_condition(row)->only || rec_row_when(row) || rec_row_condition(row)->when_fn))
        return true;
    if (rec_row_rare(row)->arg)
        return true;
    if (row->body || row->text || row->kind == REC_POINTER)
        return false;
    if (row->kind == REC_STR)
        return row->prefix || !row->size;
    for (uint32_t i = 0;
         row->kind == REC_RECORD && row->type && i < rec_row_count(rec_row_type(row)); i++) {
        const rec_field *sub = rec_row(rec_row_type(row), i);
        if (!rec_unstored(sub) && !sub->body && !(rec_row_type(row)->flags & REC_OFFSETS) &&
            (depth == 0 || varies(sub, true, depth - 1)))
            return true;
    }
    return false;
}

static void lint_place(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i);
    bool nothing =
        row->body && !rec_row_body(row)->width && !rec_row_body(row)->wide; /* it takes no bytes */
    bool not_in_line = rec_unstored(row) || row->flags & REC_PART || nothing;
    if (row->flags & REC_PART && row->kind != REC_RECORD && row->kind != REC_BYTES)
        problem(l, "%s.%s: a part, but no record and no bytes", rec_type_name(t),
                rec_row_name(row));
    if (row->body && (!rec_row_body(row)->locate || !rec_row_body(row)->place))
        problem(l, "%s.%s: a body without .locate or .place", rec_type_name(t), rec_row_name(row));
    if (row->flags & REC_REST && !(row->flags & REC_PART) && varies(row, false, 8))
        problem(l, "%s.%s: the rest, in elements of any size", rec_type_name(t), rec_row_name(row));
    if (t->flags & REC_OFFSETS && !rec_type_hooks(t)->extent && !not_in_line && !row->body &&
        varies(row, true, 8))
        problem(l, "%s.%s: of any size, in a record with offsets", rec_type_name(t),
                rec_row_name(row));
    /* it takes no bytes, at least with 4-byte pointers */
    bool headless = row->body && !rec_row_body(row)->width;
    for (uint32_t k = 0; k < i && !not_in_line && !headless; k++)
        if (rec_row(t, k)->flags & REC_REST)
            problem(l, "%s.%s: behind the rest", rec_type_name(t), rec_row_name(row));
}

static void lint_link(lint *l, const rec_type *t, uint32_t i, const char *name, bool reals)
{
    const rec_field *to = name ? earlier(t, i, name) : NULL;
    for (uint32_t k = i; to && rec_row_condition(to)->only && !rec_width(to->kind) && k-- > 0;)
        if (strcmp(rec_row_name(rec_row(t, k)), name) == 0 && rec_width(rec_row(t, k)->kind))
            to = rec_row(t, k); /* another row of that name, for other versions */
    bool real = to && to->kind >= REC_F16 && to->kind <= REC_F64;
    if (name && (!to || (real ? !reals : !rec_width(to->kind))))
        problem(l, "%s.%s: '%s' is no earlier integer", rec_type_name(t),
                rec_row_name(rec_row(t, i)), name);
}

static void lint_links(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i);
    lint_link(l, t, i, rec_row_by(row), false);
    lint_link(l, t, i, rec_row_when(row), false);
    char name[64];
    for (const char *p = rec_row_uses(row); p && *p; p += strspn(p, " ")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, " "), p);
        lint_link(l, t, i, name, true);
        p += strcspn(p, " ");
    }
    bool follows = row->flags & REC_BY_ARG || rec_row_uses(row) || row->by ||
                   rec_row_uses_top(row) || row->flags & REC_READONLY;
    if ((rec_row_condition(row)->when_fn || rec_row_rare(row)->count || rec_row_rare(row)->arg) &&
        !follows)
        problem(l, "%s.%s: a hook without .uses", rec_type_name(t), rec_row_name(row));
    const rec_type *top = l->format->root;
    const rec_field *to =
        rec_row_uses_top(row) ? earlier(top, rec_row_count(top), rec_row_uses_top(row)) : NULL;
    if (rec_row_uses_top(row) && (!to || !(to->flags & REC_READONLY) || t == top))
        problem(l, "%s.%s: '%s' is no read-only row of the top record", rec_type_name(t),
                rec_row_name(row), rec_row_uses_top(row));
    if (rec_row_init_lanes(row) &&
        (row->kind != REC_RECORD || !row->type || !rec_lanes(rec_row_type(row))))
        problem(l, "%s.%s: defaults of numbers, but no vector", rec_type_name(t),
                rec_row_name(row));
}

/* Checks that rows that take no bytes refer to existing rows. */
static bool has_columns(const rec_type *t)
{
    for (uint32_t i = 0; t && i < rec_row_count(t); i++)
        if (rec_row_column(rec_row(t, i)))
            return true;
    return false;
}

/* Size of a record up to the first row without a fixed size. */
static uint64_t fixed_size(const rec_type *t)
{
    uint64_t align;
    uint32_t n = 0;
    for (; n < rec_row_count(t); n++) {
        const rec_field *row = rec_row(t, n);
        if (!rec_unstored(row) && !(row->flags & REC_PART) && varies(row, true, 8))
            break;
    }
    return type_size(t, n, 8, &align);
}

/* Whether other rows depend on a row's stored value, or it cannot be set. */
static bool rules(const rec_type *t, const rec_field *row)
{
    if (row->flags & REC_READONLY)
        return true;
    for (uint32_t i = 0; rec_row_name(row) && i < rec_row_count(t); i++) {
        const rec_field *to = rec_row(t, i);
        size_t n = strlen(rec_row_name(row));
        if ((to->by && strcmp(rec_row_by(to), rec_row_name(row)) == 0) ||
            (rec_row_when(to) && strcmp(rec_row_when(to), rec_row_name(row)) == 0))
            return true;
        for (const char *p = rec_row_uses(to); p && *p; p += strcspn(p, " "), p += strspn(p, " "))
            if (strcspn(p, " ") == n && memcmp(p, rec_row_name(row), n) == 0)
                return true;
    }
    return false;
}

/* Checks that rows under a writable overlay are plain data, on which nothing depends. */
static void lint_covered(lint *l, const rec_type *t, const rec_field *overlay)
{
    uint64_t align, size = whole_size(rec_row_type(overlay), 8, &align), fixed = fixed_size(t);
    for (uint32_t i = 0; i < rec_row_count(t); i++) {
        const rec_field *row = rec_row(t, i);
        uint64_t bytes = rec_unstored(row) ? 0 : row_size(row, 8, &align),
                 end = t->flags & REC_OFFSETS ? row->off + bytes : type_size(t, i + 1, 8, &align);
        if (end <= fixed && end - bytes < overlay->off + size && overlay->off < end && bytes &&
            rules(t, row))
            problem(l, "%s.%s: over '%s', which is not only bytes", rec_type_name(t),
                    rec_row_name(overlay), rec_row_name(row));
    }
}

static void lint_overlay(lint *l, const rec_type *t, const rec_field *row)
{
    rec_lone_row one;
    uint64_t align;
    rec_plain_row(&one, row)->kind = REC_RECORD;
    if (row->n || row->by || rec_row_rare(row)->count || row->flags & REC_REST)
        problem(l, "%s.%s: an overlay is no array", rec_type_name(t), rec_row_name(row));
    if (row->type && varies(&one.row, false, 8))
        problem(l, "%s.%s: an overlay of any size", rec_type_name(t), rec_row_name(row));
    else if (row->type)
        lint_covered(l, t, row);
    if (row->type && row->off + whole_size(rec_row_type(row), 8, &align) > fixed_size(t))
        problem(l, "%s.%s: outside of the record, or behind what has no one size", rec_type_name(t),
                rec_row_name(row));
}

static void lint_column(lint *l, const rec_type *t, uint32_t i, const rec_field *anchor,
                        const rec_field *column)
{
    const rec_field *group = rec_row(t, i), *to = NULL;
    if (rec_row_column(column))
        to = earlier(t, i, rec_row_column(column));
    if (!to || !anchor || !to->by || !anchor->by ||
        strcmp(rec_row_by(to), rec_row_by(anchor)) != 0 || !rec_is_array(to) ||
        to->kind != column->kind || rec_row_type(to) != rec_row_type(column))
        problem(l, "%s.%s: no such array beside '%s'", rec_type_name(rec_row_type(group)),
                rec_row_name(column), rec_row_group(group));
    else if (to->shown != column->shown || rec_row_names(to) != rec_row_names(column) ||
             rec_row_codec(to) != rec_row_codec(column) || rec_row_ref(to) != rec_row_ref(column))
        problem(l, "%s.%s: its array shows its numbers otherwise",
                rec_type_name(rec_row_type(group)), rec_row_name(column));
}

static void lint_group(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i), *anchor = earlier(t, i, rec_row_group(row));
    if (!anchor || !anchor->by || !rec_is_array(anchor))
        problem(l, "%s.%s: '%s' is no earlier counted array", rec_type_name(t), rec_row_name(row),
                rec_row_group(row));
    else if (anchor->flags & REC_PART || varies(anchor, false, 8))
        problem(l, "%s.%s: the elements of '%s' have no one size", rec_type_name(t),
                rec_row_name(row), rec_row_group(row));
    for (uint32_t k = 0; k < rec_row_count(rec_row_type(row)); k++)
        if (rec_row(rec_row_type(row), k)->kind != REC_COMPUTED)
            lint_column(l, t, i, anchor, rec_row(rec_row_type(row), k));
}

static void lint_unstored(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i);
    if (rec_unstored(row) && (rec_row_condition(row)->since || rec_row_condition(row)->before ||
                              rec_row_when(row) || rec_row_condition(row)->when_fn))
        problem(l, "%s.%s: nobody looks at the condition of what takes no bytes", rec_type_name(t),
                rec_row_name(row));
    if ((rec_row_group(row) || row->flags & REC_OVERLAY) && row->kind != REC_RECORD)
        problem(l, "%s.%s: a group or overlay, but no record", rec_type_name(t), rec_row_name(row));
    if (row->flags & REC_OVERLAY)
        lint_overlay(l, t, row);
    if (!rec_row_group(row) && row->kind == REC_RECORD && has_columns(rec_row_type(row)))
        problem(l, "%s.%s: of a type with columns, but no group", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_group(row) && row->type)
        lint_group(l, t, i);
    if (rec_unstored(row) || !(rec_row_rare(row)->get || rec_row_rare(row)->set))
        return;
    bool integer = rec_width(row->kind) && !(row->kind >= REC_F16 && row->kind <= REC_F64);
    bool goes = rec_row_condition(row)->since || rec_row_condition(row)->before ||
                rec_row_when(row) || rec_row_condition(row)->when_fn;
    if (!rec_row_rare(row)->get || !(rec_row_rare(row)->set || row->flags & REC_READONLY))
        problem(l, "%s.%s: stored, with .get or .set alone", rec_type_name(t), rec_row_name(row));
    else if (!integer || rec_is_array(row) || !goes)
        problem(l, "%s.%s: stored, with .get and .set: no integer that can be absent",
                rec_type_name(t), rec_row_name(row));
}

/* Checks a row that shows bits of an integer. */
static void lint_bits(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i),
                    *of = rec_row_bits_of(row) ? earlier(t, i, rec_row_bits_of(row)) : NULL;
    unsigned width = of ? 8 * rec_width(of->kind) : 64;
    if (!rec_row_bits_of(row))
        return;
    if (rec_is_argument(row)) {
        if (!rec_row_why(row) || !(row->flags & REC_COPIED) || !row->bits ||
            row->low + row->bits > width)
            problem(l, "%s.%s: of the argument, but without .why, REC_COPIED or .bits",
                    rec_type_name(t), rec_row_name(row));
    } else if (!of || rec_is_array(of) || of->codec || of->ref ||
               (of->kind != REC_U8 && of->kind != REC_U16 && of->kind != REC_U32 &&
                of->kind != REC_U64))
        problem(l, "%s.%s: '%s' is no earlier unsigned integer", rec_type_name(t),
                rec_row_name(row), rec_row_bits_of(row));
    else if (!row->bits || row->bits > 32 || row->low + row->bits > width)
        problem(l, "%s.%s: bits that '%s' has not", rec_type_name(t), rec_row_name(row),
                rec_row_bits_of(row));
    if (row->kind != REC_COMPUTED || rec_row_rare(row)->get || rec_row_rare(row)->set ||
        rec_row_rare(row)->numbers || row->shown == REC_TEXT || row->shown == REC_NUMBER)
        problem(l, "%s.%s: bits, but stored, or no integer", rec_type_name(t), rec_row_name(row));
    const rec_names *names = rec_row_names(row);
    for (uint32_t k = 0; names && k < names->count; k++) {
        const rec_name n = rec_names_item(names, k);
        if (n.value < 0 || n.value >> row->bits)
            problem(l, "%s.%s: '%s' does not fit", rec_type_name(t), rec_row_name(row), n.name);
    }
}

static bool is_shown_by(const rec_type *t, uint32_t slot)
{
    for (uint32_t i = slot + 1; i < rec_row_count(t); i++)
        if (strcmp(rec_row_name(rec_row(t, i)), rec_row_shown_by(rec_row(t, slot))) == 0)
            return rec_row(t, i)->kind == REC_COMPUTED;
    return false;
}

/* Checks vectors, also those that are computed as a whole. */
static void lint_vector(lint *l, const rec_type *t)
{
    bool whole = rec_type_hooks(t)->load || rec_type_hooks(t)->store;
    if ((t->flags & REC_VECTOR || whole) && !rec_lanes(t))
        problem(l, "%s: a vector without numbers", rec_type_name(t));
    if (whole &&
        (!rec_type_hooks(t)->load || !rec_type_hooks(t)->store || rec_lanes(t) > REC_LANES))
        problem(l, "%s: .load and .store, of at most %d numbers", rec_type_name(t), REC_LANES);
    for (uint32_t i = 0; whole && i < rec_lanes(t); i++)
        if (rec_row(t, i)->kind != REC_COMPUTED || rec_row_rare(rec_row(t, i))->get ||
            rec_row_rare(rec_row(t, i))->set || rec_row_bits_of(rec_row(t, i)))
            problem(l, "%s.%s: it is worked out with the others", rec_type_name(t),
                    rec_row_name(rec_row(t, i)));
}

/* Whether a record can grow at its very start. That could not be told from growth before it, unless nothing can
 * precede it: a part's own record always begins where the part does. */
static bool grows_at_start(const rec_type *t, int depth)
{
    for (uint32_t i = 0; i < rec_row_count(t) && depth < REC_DEPTH; i++) {
        const rec_field *row = rec_row(t, i);
        if (t->flags & REC_OFFSETS && rec_type_hooks(t)->extent)
            return false; /* of fixed size */
        if (rec_unstored(row) || row->flags & REC_PART || row->body || row->text)
            continue;
        if (i && (row->by || rec_row_when(row) || rec_row_uses(row)))
            continue; /* if it is present, so is an earlier row that it depends on */
        if (row->flags & REC_BY_ARG)
            continue;
        if (row->by || rec_row_rare(row)->count || row->flags & REC_REST)
            return true;
        if (row->kind == REC_STR && !row->prefix && !row->size)
            return true;
        bool versions = rec_row_condition(row)->since || rec_row_condition(row)->before;
        if (versions && t->flags & REC_ALIGNED)
            continue; /* settled by the layout */
        if (versions || rec_row_when(row) || rec_row_condition(row)->when_fn)
            return true; /* it can be inserted and removed */
        if (rec_row_condition(row)->only &&
            !(row->kind == REC_RECORD && grows_at_start(rec_row_type(row), depth + 1)))
            continue; /* it may be absent */
        return row->kind == REC_RECORD && row->type && grows_at_start(rec_row_type(row), depth + 1);
    }
    return false;
}

/* Checks the rows that a keyed array names. */
static void lint_key(lint *l, const rec_type *t, const rec_field *row)
{
    const rec_type *e = row->kind == REC_RECORD ? rec_row_type(row) : NULL;
    const rec_field *key =
        e && rec_row_key(row) ? earlier(e, rec_row_count(e), rec_row_key(row)) : NULL;
    const rec_field *value =
        e && rec_row_value(row) ? earlier(e, rec_row_count(e), rec_row_value(row)) : NULL;
    bool merged = row->flags & REC_MERGED;
    if ((rec_row_value(row) || merged || row->flags & REC_FIRST) && !rec_row_key(row))
        problem(l, "%s.%s: a value or flags of keys, but no .key", rec_type_name(t),
                rec_row_name(row));
    if (!rec_row_key(row))
        return;
    if (!rec_is_array(row) || !e)
        problem(l, "%s.%s: keys, but no array of records", rec_type_name(t), rec_row_name(row));
    if (e &&
        (!key || key->kind != REC_STR || rec_is_array(key) || rec_row_condition(key)->since ||
         rec_row_condition(key)->before || rec_row_when(key) || rec_row_condition(key)->when_fn))
        problem(l, "%s.%s: the key '%s' is no text of %s", rec_type_name(t), rec_row_name(row),
                rec_row_key(row), rec_type_name(e));
    if (e && rec_row_value(row) && (!value || value == key))
        problem(l, "%s.%s: the value '%s' is no row of %s", rec_type_name(t), rec_row_name(row),
                rec_row_value(row), rec_type_name(e));
    if (merged && (row->flags & REC_FIRST || (e && (!value || !rec_is_array(value)))))
        problem(l, "%s.%s: merged, but no array to be joined", rec_type_name(t), rec_row_name(row));
}

/* Checks a row for an embedded document, which takes the rest of the part after the other rows. */
static void lint_embedded(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i), *by = NULL;
    bool alone = row->kind == REC_RECORD && row->flags & REC_PART && !rec_is_array(row);
    if (!rec_row_bytes_by(row) && !rec_embeds(row))
        return;
    if (!rec_embeds(row) || !alone || rec_row_condition(row)->only || rec_row_when(row) ||
        rec_row_condition(row)->when_fn || rec_row_condition(row)->since ||
        rec_row_condition(row)->before)
        problem(l, "%s.%s: a document in a part of its own, always there, expected",
                rec_type_name(t), rec_row_name(row));
    for (uint32_t k = i + 1; k < rec_row_count(t); k++)
        if (!rec_unstored(rec_row(t, k)) && !(rec_row(t, k)->flags & REC_PART))
            problem(l, "%s.%s: stored, behind a document", rec_type_name(t),
                    rec_row_name(rec_row(t, k)));
    for (uint32_t k = 0; rec_row_bytes_by(row) && k < i; k++)
        if (strcmp(rec_row_name(rec_row(t, k)), rec_row_bytes_by(row)) == 0)
            by = rec_row(t, k);
    if (rec_row_bytes_by(row) && (!by || !rec_width(by->kind) || !(by->flags & REC_READONLY)))
        problem(l, "%s.%s: '%s' is no earlier number that is read-only", rec_type_name(t),
                rec_row_name(row), rec_row_bytes_by(row));
}

/* Checks rows that depend on an argument or a version. */
static void lint_setting(lint *l, const rec_type *t, const rec_field *row)
{
    if (rec_row_rare(row)->arg && (row->kind != REC_RECORD || !row->type ||
                                   rec_row_rare(row)->embed || row->flags & REC_PART))
        problem(l, "%s.%s: an argument, but no record in line", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_rare(row)->place && !(t->flags & REC_OFFSETS))
        problem(l, "%s.%s: a place, in a record without offsets", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_rare(row)->place && row->off)
        problem(l, "%s.%s: .place and .off", rec_type_name(t), rec_row_name(row));
    if (row->flags & REC_BY_ARG && (!rec_row_rare(row)->count || rec_row_uses(row) || row->by))
        problem(l, "%s.%s: REC_BY_ARG is of .count alone", rec_type_name(t), rec_row_name(row));
    if (rec_row_condition(row)->only && rec_unstored(row))
        problem(l, "%s.%s: nobody looks at the condition of what takes no bytes", rec_type_name(t),
                rec_row_name(row));
    if (row->power && row->kind != REC_RECORD && !rec_width(row->kind))
        problem(l, "%s.%s: a power, but no number", rec_type_name(t), rec_row_name(row));
    if (row->codec && (!rec_row_codec(row)->decode || !rec_row_codec(row)->encode))
        problem(l, "%s.%s: a codec without .decode or .encode", rec_type_name(t),
                rec_row_name(row));
    unsigned bits = 8 * rec_width(row->kind);
    if (row->codec && (!bits || (bits < 64 && rec_row_codec(row)->none >> bits)))
        problem(l, "%s.%s: the default of its codec does not fit", rec_type_name(t),
                rec_row_name(row));
}

/* Checks arrays of parts: polymorphic, with fewer elements than counted, or renumbered. */
static void lint_elements(lint *l, const rec_type *t, const rec_field *row)
{
    bool parts = row->flags & REC_PART && rec_is_array(row) && row->kind == REC_RECORD;
    bool grows = rec_is_array(row) && (row->by || rec_row_group(row) || row->flags & REC_REST ||
                                       (row->body && rec_row_body(row)->recount));
    if ((rec_row_tag(row) || rec_row_rare(row)->type_name) && !parts)
        problem(l, "%s.%s: of several types, but no array of parts", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_rare(row)->type_name && !rec_row_tag(row))
        problem(l, "%s.%s: of several types, but no .tag", rec_type_name(t), rec_row_name(row));
    if (row->flags & REC_SOME && !(parts && row->by))
        problem(l, "%s.%s: REC_SOME, but no counted array of parts", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_rare(row)->fit && !rec_row_rare(row)->count)
        problem(l, "%s.%s: .fit of what no .count counts", rec_type_name(t), rec_row_name(row));
    if ((rec_row_rare(row)->resizes || rec_row_rare(row)->renumber) && !grows)
        problem(l, "%s.%s: told what comes and goes, but nothing does", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_tag(row) && row->flags & REC_LAZY && l->format->part_type && !l->format->type_named)
        problem(l, "%s.%s: .part_type without .type_named", rec_type_name(t), rec_row_name(row));
}

/* Checks the bases of a type: limited depth, same kind of layout. False: its rows cannot be listed. */
static bool lint_bases(lint *l, const rec_type *t)
{
    int n = 0;
    for (const rec_type *b = rec_type_base(t); b; b = rec_type_base(b)) {
        if (++n > REC_DEPTH) {
            problem(l, "%s: its bases lead back to it", rec_type_name(t));
            return false;
        }
        if ((b->flags ^ t->flags) & (REC_OFFSETS | REC_ALIGNED | REC_VECTOR))
            problem(l, "%s: laid out otherwise than its base %s", rec_type_name(t),
                    rec_type_name(b));
    }
    if (rec_type_hooks(t)->extent && !(t->flags & REC_OFFSETS))
        problem(l, "%s: an extent, but no offsets", rec_type_name(t));
    return true;
}

/* Whether two ranges of versions, since <= version < before, do not overlap. */
static bool in_turn(int32_t since_a, int32_t before_a, int32_t since_b, int32_t before_b)
{
    return (before_a && before_a <= since_b) || (before_b && before_b <= since_a);
}

/* Whether no record has both rows. */
static bool exclude(const rec_field *a, const rec_field *b)
{
    const rec_condition *of_a = rec_row_condition(a), *of_b = rec_row_condition(b);
    return (of_a->only && of_b->only) ||
           in_turn(of_a->since, of_a->before, of_b->since, of_b->before);
}

/* Whether files of any version have at most one of two types of the same name. */
static bool never_together(const rec_type *a, const rec_type *b)
{
    const rec_stated *of_a = rec_type_stated(a), *of_b = rec_type_stated(b);
    return !a->stated != !b->stated ||
           in_turn(of_a->since, of_a->before, of_b->since, of_b->before);
}

static void lint_row(lint *l, const rec_type *t, uint32_t i)
{
    const rec_field *row = rec_row(t, i);
    bool fixed = row->n || row->prefix || row->size;
    if (!snake_case(rec_row_name(row)))
        problem(l, "%s row %u: '%s' is not snake_case", rec_type_name(t), (unsigned)i,
                row->name ? rec_row_name(row) : "(none)");
    if (!rec_row_name(row))
        return;
    if (!rec_row_doc(row))
        problem(l, "%s.%s: no doc", rec_type_name(t), rec_row_name(row));
    if (reserved(rec_row_name(row), t == l->format->root))
        problem(l, "%s.%s: the name of a method", rec_type_name(t), rec_row_name(row));
    for (uint32_t k = 0; k < i; k++)
        if (rec_row_name(rec_row(t, k)) &&
            strcmp(rec_row_name(rec_row(t, k)), rec_row_name(row)) == 0 &&
            !exclude(row, rec_row(t, k)))
            problem(l, "%s.%s: twice", rec_type_name(t), rec_row_name(row));
    if (row->kind == REC_COMPUTED && !rec_row_rare(row)->get && !rec_row_rare(row)->numbers &&
        !rec_row_bits_of(row) && !rec_is_lane(t, i))
        problem(l, "%s.%s: computed, but without .get", rec_type_name(t), rec_row_name(row));
    if (rec_row_rare(row)->numbers && (row->kind != REC_COMPUTED || rec_row_rare(row)->get ||
                                       rec_row_rare(row)->set || !(row->flags & REC_INSIDE)))
        problem(l, "%s.%s: a table of numbers is computed and inside, and has no .get and .set",
                rec_type_name(t), rec_row_name(row));
    if (rec_row_rare(row)->numbers && !rec_row_rare(row)->numbers->write &&
        !(row->flags & REC_READONLY))
        problem(l, "%s.%s: a table of numbers that nothing writes is read-only", rec_type_name(t),
                rec_row_name(row));
    if (rec_row_shown_by(row) && !(rec_width(row->kind) && is_shown_by(t, i)))
        problem(l, "%s.%s: '%s' is no later computed row", rec_type_name(t), rec_row_name(row),
                rec_row_shown_by(row));
    if (row->kind == REC_RECORD && !row->type && !rec_row_rare(row)->embed)
        problem(l, "%s.%s: no type", rec_type_name(t), rec_row_name(row));
    if (row->flags & REC_READONLY && !rec_row_why(row))
        problem(l, "%s.%s: read-only without .why", rec_type_name(t), rec_row_name(row));
    if (row->kind == REC_BYTES && !fixed && !row->by && !rec_row_rare(row)->count && !row->body &&
        !(row->flags & REC_REST))
        problem(l, "%s.%s: how many bytes?", rec_type_name(t), rec_row_name(row));
    l->derives = l->derives || rec_row_rare(row)->derive;
    lint_embedded(l, t, i);
    lint_links(l, t, i);
    lint_names(l, t, row);
    lint_number(l, t, row);
    lint_place(l, t, i);
    lint_unstored(l, t, i);
    lint_setting(l, t, row);
    lint_bits(l, t, i);
    lint_elements(l, t, row);
    lint_key(l, t, row);
    if (row->kind == REC_RECORD && row->type && grows_at_start(rec_row_type(row), 0) &&
        (!(row->flags & REC_PART) || /* positions may point to the start of a part */
         (l->format->refs && !l->format->drop)))
        problem(l, "%s.%s: %s has a field that can grow or go at its very start", rec_type_name(t),
                rec_row_name(row), rec_type_name(rec_row_type(row)));
}

/* Size of a row with a fixed size, and its natural alignment. */
static uint64_t row_size(const rec_field *row, int depth, uint64_t *align)
{
    uint64_t size = rec_width(row->kind);
    *align = size ? size : 1;
    if (rec_unstored(row) || row->flags & REC_PART)
        return 0;
    if (row->body)
        return *align = rec_row_body(row)->width;
    if (row->kind == REC_BYTES)
        return row->n;
    if (row->kind == REC_STR)
        size = row->size;
    if (row->kind == REC_RECORD)
        size = whole_size(rec_row_type(row), depth - 1, align);
    return row->n ? row->n * size : size;
}

/* Size of the first rows of a record. */
static uint64_t type_size(const rec_type *t, uint32_t rows, int depth, uint64_t *align)
{
    uint64_t at = 0, one;
    bool aligned = t && t->flags & REC_ALIGNED;
    *align = 1;
    for (uint32_t i = 0; t && depth > 0 && i < rows; i++) {
        uint64_t size = row_size(rec_row(t, i), depth, &one);
        at = (aligned ? (at + one - 1) / one * one : at) + size;
        *align = one > *align ? one : *align;
    }
    if (t && t->flags & REC_OFFSETS && rows == rec_row_count(t))
        return t->size;
    return aligned ? (at + *align - 1) / *align * *align : at;
}

static uint64_t whole_size(const rec_type *t, int depth, uint64_t *align)
{
    return type_size(t, t ? rec_row_count(t) : 0, depth, align);
}

static void lint_offsets(lint *l, const rec_type *t)
{
    uint64_t end = 0, align;
    for (uint32_t i = 0; !rec_type_hooks(t)->extent && i < rec_row_count(t); i++) {
        const rec_field *row = rec_row(t, i);
        if (rec_unstored(row) || row->flags & REC_PART || rec_row_rare(row)->place)
            continue;
        if (row->off < end)
            problem(l, "%s.%s: overlaps the row before it", rec_type_name(t), rec_row_name(row));
        end = row->off + row_size(row, 8, &align);
        if (end > t->size)
            problem(l, "%s.%s: outside of the record", rec_type_name(t), rec_row_name(row));
    }
}

static void lint_type(lint *l, const rec_type *t, int depth)
{
    for (size_t i = 0; i < l->seen_n; i++)
        if (l->seen[i] == t)
            return;
        else if (strcmp(rec_type_name(l->seen[i]), rec_type_name(t)) == 0 &&
                 !never_together(l->seen[i], t))
            problem(l, "%s: two types of that name", rec_type_name(t));
    if (l->seen_n < sizeof l->seen / sizeof l->seen[0])
        l->seen[l->seen_n++] = t;
    if (!rec_type_doc(t))
        problem(l, "%s: no doc", rec_type_name(t));
    if (!lint_bases(l, t))
        return;
    if (t->flags & REC_OFFSETS)
        lint_offsets(l, t);
    lint_vector(l, t);
    for (uint32_t i = 0; i < rec_row_count(t); i++) {
        lint_row(l, t, i);
        if (rec_row(t, i)->kind == REC_RECORD && rec_row(t, i)->type && depth < REC_DEPTH)
            lint_type(l, rec_row_type(rec_row(t, i)), depth + 1);
    }
}

/* ---- verbs --------------------------------------------------------------------------------------- */

static void lint_param(lint *l, const rec_verb *verb, size_t i)
{
    const rec_param *p = verb->params[i];
    const char *of = verb->name, *name = p->name ? p->name : "(none)";
    if (!snake_case(p->name))
        problem(l, "%s: its option '%s' is not snake_case", of, name);
    if (!p->doc || !p->doc[0])
        problem(l, "%s: no doc of its option '%s'", of, name);
    if ((unsigned)p->kind >= LATHE_PARAM_COUNT)
        problem(l, "%s: its option '%s' is of no kind", of, name);
    if (p->values && (p->kind != LATHE_PARAM_TEXT || !p->values[0]))
        problem(l, "%s: its option '%s' has values, but is no text", of, name);
    if (i && p->positional && !verb->params[i - 1]->positional)
        problem(l, "%s: its option '%s' has a position behind one without", of, name);
    for (size_t k = 0; k < i && p->name; k++)
        if (verb->params[k]->name && strcmp(verb->params[k]->name, p->name) == 0)
            problem(l, "%s: its option '%s' twice", of, name);
}

static void lint_verbs(lint *l)
{
    const rec_type *root = l->format->root;
    for (const rec_verb *v = NULL; (v = rec_verb_next(l->format, v)) != NULL;) {
        const rec_type *type = v->type ? v->type : root;
        if (!snake_case(v->name))
            problem(l, "%s: the verb '%s' is not snake_case", rec_type_name(type), v->name);
        if (!v->doc)
            problem(l, "%s: no doc of the verb '%s'", rec_type_name(type), v->name);
        if (v->list && (!v->query || v->single))
            problem(l, "%s: the verb '%s' has a list of answers, but is no such query",
                    rec_type_name(type), v->name);
        if (v->single && !v->query)
            problem(l, "%s: the verb '%s' has one answer, but is no query", rec_type_name(type),
                    v->name);
        if (!v->run)
            problem(l, "%s: the verb '%s' does nothing", rec_type_name(type), v->name);
        bool of_one = v->only; /* encode: documents have a method of that name */
        if ((!of_one && reserved(v->name, type == root)) ||
            earlier(type, rec_row_count(type), v->name))
            problem(l, "%s: the verb '%s' has the name of a method or field", rec_type_name(type),
                    v->name);
        for (const rec_verb *w = NULL; (w = rec_verb_next(l->format, w)) != v;)
            if (strcmp(w->name, v->name) == 0 && (w->type ? w->type : root) == type)
                problem(l, "%s: the verb '%s' twice", rec_type_name(type), v->name);
        for (size_t i = 0; v->params && v->params[i]; i++)
            lint_param(l, v, i);
    }
}

size_t rec_lint(const lathe_format *format, void (*say)(void *user, const char *problem),
                void *user)
{
    lint l = {.say = say, .user = user, .format = format};
    if (!format->extensions || !format->doc)
        problem(&l, "%s: no extensions or no doc", format->name);
    lint_type(&l, format->root, 0);
    const rec_type *t;
    for (size_t i = 0; format->types && (t = format->types(i)); i++)
        lint_type(&l, t, 0);
    lint_verbs(&l);
    if (format->refs && grows_at_start(format->root, 0))
        problem(&l, "%s: a field that can grow or go at its very start",
                rec_type_name(format->root));
    if (l.derives && !format->derives)
        problem(&l, "%s: has .derive rows, but .derives is not set", format->name);
    return l.problems;
}
