/* Reads a TYPE section: its children, names, bodies and hashes. Checks each number and index. */
#include "tagfile/packed.h"
#include "tagfile/sections.h"
#include "tagfile/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEXT_PARENTS = 64 }; /* limit of a chain of parents; Havok's have up to six */

typedef struct reader {
    lathe_doc *doc;
    tag_types *types;
    const uint8_t *bytes; /* the TYPE section */
    uint64_t start;       /* where it begins in the document */
    lathe_error *err;
    /* the child section that is being read */
    const tag_piece *piece;
    uint64_t at; /* offset in its payload */
    uint32_t id; /* type that is being read, for errors; 0: none */
} reader;

static const char *const names[TAG_PIECES][3] = {
    [TAG_TPTR] = {"TPTR"},         [TAG_TSTR] = {"TSTR", "TST1"}, [TAG_TNAM] = {"TNAM", "TNA1"},
    [TAG_FSTR] = {"FSTR", "FST1"}, [TAG_ASTR] = {"ASTR", "AST1"}, [TAG_TBOD] = {"TBOD", "TBDY"},
    [TAG_THSH] = {"THSH"},         [TAG_TPAD] = {"TPAD"},
};

enum { TEXTS_OF_TYPES, TEXTS_OF_FIELDS, TEXTS_OF_ATTRIBUTES };

/* ---- errors -------------------------------------------------------------------------------------------- */

static lathe_result fail(const reader *r, lathe_result code, const char *fmt, ...)
    ERROR_PRINTF(3, 4);

static lathe_result fail(const reader *r, lathe_result code, const char *fmt, ...)
{
    char text[192], of[48] = "";
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (r->id)
        snprintf(of, sizeof of, " type %u:", r->id);
    return error_set(r->err, code, r->start + r->piece->at + r->at, "%.4s:%s %s", r->piece->name,
                     of, text);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static inline bool take64(reader *r, uint64_t *out)
{
    return tag_packed(r->bytes + r->piece->at, r->piece->size, &r->at, out);
}

static lathe_result no_number(const reader *r)
{
    const uint8_t *p = r->bytes + r->piece->at + r->at;
    if (r->at < r->piece->size && *p >= 0xFA)
        return fail(r, LATHE_ERR_INVALID, "no packed integer begins with the byte 0x%02X", *p);
    return fail(r, LATHE_ERR_BOUNDS, "a packed integer runs past the end of the section");
}

/* A number of up to 32 bits. */
static inline lathe_result take(reader *r, uint32_t *out)
{
    uint64_t v, was = r->at;
    if (!take64(r, &v))
        return no_number(r);
    *out = (uint32_t)v;
    if (v <= UINT32_MAX)
        return LATHE_OK;
    r->at = was;
    return fail(r, LATHE_ERR_INVALID, "0x%llx is no number of 32 bits", (unsigned long long)v);
}

static inline lathe_result take_type(reader *r, const char *what, uint32_t *out)
{
    lathe_result e = take(r, out);
    if (e == LATHE_OK && *out >= r->types->count)
        return fail(r, LATHE_ERR_INVALID, "%s is type %u, there are %u", what, *out,
                    r->types->count - 1);
    return e;
}

static inline lathe_result take_text(reader *r, int table, const char *what, const char **out)
{
    uint32_t i = 0;
    lathe_result e = take(r, &i);
    if (e != LATHE_OK)
        return e;
    if (i >= r->types->texts_n[table])
        return fail(r, LATHE_ERR_INVALID, "%s is text %u, there are %u", what, i,
                    r->types->texts_n[table]);
    *out = r->types->texts[table][i];
    return LATHE_OK;
}

/* Fails if the section is too short for `n` entries of at least `least` bytes each. */
static lathe_result may_have(const reader *r, uint32_t n, uint32_t least, const char *what)
{
    uint64_t left = r->piece->size - r->at;
    if (n <= left / least)
        return LATHE_OK;
    return fail(r, LATHE_ERR_BOUNDS, "%u %s do not fit into %llu bytes", n, what,
                (unsigned long long)left);
}

/* Allocates `n` entries, which are read afterwards. NULL if n is 0 or memory ran out; *e says which. */
static void *room_for(reader *r, uint32_t n, size_t size, lathe_result *e)
{
    void *p = *e == LATHE_OK && n ? arena_zalloc(&r->doc->arena, n * size) : NULL;
    if (*e == LATHE_OK && n && !p)
        *e = rec_no_memory(r->err);
    return p;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* Reads contiguous texts, each with its NUL. Padding without a NUL is no text, and neither is one of 0xFF
 * only. */
static lathe_result read_texts(reader *r, tag_piece_number which, int table)
{
    tag_types *t = r->types;
    r->piece = &t->pieces[which];
    const char *p = (const char *)r->bytes + r->piece->at, *end = p + r->piece->size, *stop = p;
    uint32_t n = 0;
    if (!r->piece->at)
        return LATHE_OK;
    for (const char *q = p; (q = memchr(q, 0, (size_t)(end - q))) != NULL; n++)
        stop = ++q;
    t->texts[table] = arena_zalloc(&r->doc->arena, ((size_t)n + 1) * sizeof *t->texts[table]);
    if (!t->texts[table])
        return rec_no_memory(r->err);
    for (uint32_t i = 0; p < stop; i++) {
        t->texts[table][i] = p;
        p += strlen(p) + 1;
    }
    t->texts_n[table] = n;
    return LATHE_OK;
}

/* ---- names --------------------------------------------------------------------------------------------- */

static lathe_result read_name(reader *r, tag_type *t)
{
    lathe_result e = take_text(r, TEXTS_OF_TYPES, "its name", &t->name);
    if (e == LATHE_OK)
        e = take(r, &t->args_n);
    if (e == LATHE_OK)
        e = may_have(r, t->args_n, 2, "template arguments");
    tag_arg *args = room_for(r, t->args_n, sizeof *args, &e);
    t->args = args;
    for (uint32_t i = 0; e == LATHE_OK && i < t->args_n; i++) {
        e = take_text(r, TEXTS_OF_TYPES, "a template argument's name", &args[i].name);
        if (e == LATHE_OK && !take64(r, &args[i].value))
            e = no_number(r);
        if (e == LATHE_OK && args[i].name[0] == 't' && args[i].value >= r->types->count)
            e = fail(r, LATHE_ERR_INVALID, "its template argument %s is type %llu, there are %u",
                     args[i].name, (unsigned long long)args[i].value, r->types->count - 1);
    }
    return e;
}

static lathe_result read_names(reader *r)
{
    tag_types *t = r->types;
    r->piece = &t->pieces[TAG_TNAM];
    r->at = 0;
    lathe_result e = take(r, &t->count);
    if (e == LATHE_OK && !t->count)
        e = fail(r, LATHE_ERR_INVALID, "0 types: the count includes type 0");
    if (e == LATHE_OK)
        e = may_have(r, t->count - 1, 2, "types");
    if (e != LATHE_OK)
        return e;
    t->all = arena_zalloc(&r->doc->arena, t->count * sizeof *t->all);
    if (!t->all)
        return rec_no_memory(r->err);
    t->all[0].name = "";
    for (r->id = 1; e == LATHE_OK && r->id < t->count; r->id++)
        e = read_name(r, &t->all[r->id]);
    r->id = 0;
    return e;
}

/* ---- bodies -------------------------------------------------------------------------------------------- */

static lathe_result read_member(reader *r, tag_member *m)
{
    lathe_result e = take_text(r, TEXTS_OF_FIELDS, "a member's name", &m->name);
    if (e == LATHE_OK)
        e = take(r, &m->flags);
    if (e == LATHE_OK && m->flags & TAG_EXTRA)
        e = take(r, &m->extra);
    if (e == LATHE_OK)
        e = take(r, &m->offset);
    return e == LATHE_OK ? take_type(r, "a member", &m->type) : e;
}

/* The upper half of the count is the number of properties, which follow the members and look like them. */
static lathe_result read_members(reader *r, tag_type *t)
{
    uint32_t n = 0;
    lathe_result e = take(r, &n);
    if (e != LATHE_OK)
        return e;
    t->members_n = n & 0xFFFF;
    t->properties_n = n >> 16;
    n = t->members_n + t->properties_n;
    e = may_have(r, n, 4, "members");
    tag_member *members = room_for(r, n, sizeof *members, &e);
    t->members = members;
    for (uint32_t i = 0; e == LATHE_OK && i < n; i++)
        e = read_member(r, &members[i]);
    return e;
}

static lathe_result read_interfaces(reader *r, tag_type *t)
{
    lathe_result e = take(r, &t->interfaces_n);
    if (e == LATHE_OK)
        e = may_have(r, t->interfaces_n, 2, "interfaces");
    tag_interface *interfaces = room_for(r, t->interfaces_n, sizeof *interfaces, &e);
    t->interfaces = interfaces;
    for (uint32_t i = 0; e == LATHE_OK && i < t->interfaces_n; i++) {
        e = take_type(r, "an interface", &interfaces[i].type);
        if (e == LATHE_OK)
            e = take(r, &interfaces[i].offset);
    }
    return e;
}

static lathe_result read_body(reader *r, tag_type *t)
{
    lathe_result e = take_type(r, "its parent", &t->parent);
    if (e == LATHE_OK)
        e = take(r, &t->opt);
    if (e == LATHE_OK && t->opt & ~(uint32_t)TAG_OPTIONS)
        e = fail(r, LATHE_ERR_UNSUPPORTED, "a body with the parts 0x%x: lathe knows those in 0x%x",
                 t->opt, TAG_OPTIONS);
    if (e == LATHE_OK && t->opt & TAG_FORMAT)
        e = take(r, &t->format);
    if (e == LATHE_OK && t->opt & TAG_SUB_TYPE)
        e = take_type(r, "its sub-type", &t->sub_type);
    if (e == LATHE_OK && t->opt & TAG_VERSION)
        e = take(r, &t->version);
    if (e == LATHE_OK && t->opt & TAG_SIZE)
        e = take(r, &t->size);
    if (e == LATHE_OK && t->opt & TAG_SIZE)
        e = take(r, &t->alignment);
    if (e == LATHE_OK && t->opt & TAG_FLAGS)
        e = take(r, &t->flags);
    if (e == LATHE_OK && t->opt & TAG_MEMBERS)
        e = read_members(r, t);
    if (e == LATHE_OK && t->opt & TAG_INTERFACES)
        e = read_interfaces(r, t);
    if (e == LATHE_OK && t->opt & TAG_ATTRIBUTE)
        e = take_text(r, TEXTS_OF_ATTRIBUTES, "its attribute", &t->attribute);
    return e == LATHE_OK && t->opt & TAG_MUTABLE ? take(r, &t->mutable_) : e;
}

static lathe_result read_bodies(reader *r)
{
    tag_types *t = r->types;
    lathe_result e = LATHE_OK;
    r->piece = &t->pieces[TAG_TBOD];
    r->at = 0;
    t->bodies = arena_zalloc(&r->doc->arena, t->count * sizeof *t->bodies);
    if (!t->bodies)
        return rec_no_memory(r->err);
    while (e == LATHE_OK && r->at < r->piece->size) {
        uint32_t id = 0, at = (uint32_t)(r->piece->at + r->at);
        r->id = 0;
        e = take_type(r, "a body", &id);
        r->id = id;
        if (e == LATHE_OK && id && t->all[id].body)
            e = fail(r, LATHE_ERR_INVALID, "a second body");
        if (e != LATHE_OK || !id) /* 0: padding */
            continue;
        t->bodies[t->bodies_n] = id;
        t->all[id].body = ++t->bodies_n;
        t->all[id].at = at;
        e = read_body(r, &t->all[id]);
    }
    r->id = 0;
    return e;
}

/* ---- hashes -------------------------------------------------------------------------------------------- */

static lathe_result read_hashes(reader *r)
{
    tag_types *t = r->types;
    uint32_t n = 0, id = 0;
    r->piece = &t->pieces[TAG_THSH];
    r->at = 0;
    if (!r->piece->at || !r->piece->size)
        return LATHE_OK;
    lathe_result e = take(r, &n);
    if (e == LATHE_OK)
        e = may_have(r, n, 5, "hashes");
    if (e != LATHE_OK)
        return e;
    t->hashes = arena_zalloc(&r->doc->arena, ((size_t)n + 1) * sizeof *t->hashes);
    if (!t->hashes)
        return rec_no_memory(r->err);
    for (uint32_t i = 0; e == LATHE_OK && i < n; i++) {
        e = take_type(r, "a hash", &id);
        if (e == LATHE_OK && r->piece->size - r->at < 4)
            e = fail(r, LATHE_ERR_BOUNDS, "the hash of type %u: 4 bytes needed, %llu left", id,
                     (unsigned long long)(r->piece->size - r->at));
        if (e == LATHE_OK && (!id || t->all[id].hashed))
            e = fail(r, LATHE_ERR_INVALID, id ? "a second hash of type %u" : "a hash of type %u",
                     id);
        if (e != LATHE_OK)
            return e;
        t->all[id].hash = bytes_ld32(r->bytes + r->piece->at + r->at, false);
        t->hashes[t->hashes_n] = id;
        t->all[id].hashed = ++t->hashes_n;
        r->at += 4;
    }
    return e;
}

/* ---- inheritance --------------------------------------------------------------------------------------- */

static void inherit(tag_type *t, const tag_type *from)
{
    if (!t->is.has_format && from->opt & TAG_FORMAT) {
        t->is.has_format = true;
        t->is.format = from->format;
        t->is.sub_type = from->sub_type;
        t->is.flags = from->flags;
    }
    if (!t->is.has_size && from->opt & TAG_SIZE) {
        t->is.has_size = true;
        t->is.size = from->size;
        t->is.alignment = from->alignment;
    }
}

/* Computes the effective values of each type from itself and its parents. Fails for a cycle of parents. */
static lathe_result look_up(reader *r)
{
    tag_types *t = r->types;
    r->piece = &t->pieces[TAG_TBOD];
    r->at = 0;
    t->records = arena_zalloc(&r->doc->arena, t->count * sizeof *t->records);
    if (!t->records)
        return rec_no_memory(r->err);
    for (uint32_t id = 1; id < t->count; id++) {
        tag_type *one = &t->all[id];
        uint32_t from = id, steps = 0;
        for (; from && steps <= NEXT_PARENTS; from = t->all[from].parent, steps++)
            inherit(one, &t->all[from]);
        r->id = id;
        bool relative = tag_is_relative(one);
        t->relative = t->relative || relative;
        t->crossing = t->crossing || relative;
        if (tag_kind_of(one) == TAG_RECORD && one->is.has_size)
            t->records[t->records_n++] = id;
        r->at = one->at ? one->at - r->piece->at : 0;
        if (from)
            return fail(r, LATHE_ERR_INVALID, "its parents lead in a circle, or there are over %d",
                        NEXT_PARENTS);
    }
    r->id = 0;
    return LATHE_OK;
}

/* ---- the section --------------------------------------------------------------------------------------- */

static lathe_result list_pieces(reader *r, uint64_t size)
{
    tag_types *t = r->types;
    tag_section s;
    uint64_t at = TAG_HEADER;
    int last = -1;
    lathe_result e = LATHE_OK;
    while ((e = tag_section_next(r->bytes, size, r->start, &at, &s, r->err)) == LATHE_OK &&
           s.size) {
        int which = 0;
        while (which < TAG_PIECES &&
               !(names[which][0] && (tag_section_is(&s, names[which][0]) ||
                                     (names[which][1] && tag_section_is(&s, names[which][1])))))
            which++;
        t->odd = t->odd || which <= last || which == TAG_PIECES;
        last = which;
        if (which == TAG_PIECES || t->pieces[which].at) /* of two with the same name the first is
                                                         * used */
            continue;
        memcpy(t->pieces[which].name, s.name, 4);
        t->pieces[which].at = s.at + TAG_HEADER;
        t->pieces[which].size = s.size - TAG_HEADER;
    }
    return e;
}

static lathe_result check_pieces(const reader *r)
{
    static const tag_piece_number needed[] = {TAG_TSTR, TAG_TNAM, TAG_FSTR, TAG_TBOD};
    for (size_t i = 0; i < REC_COUNT_OF(needed); i++)
        if (!r->types->pieces[needed[i]].at)
            return error_set(r->err, LATHE_ERR_INVALID, r->start,
                             "TYPE: there is no section %s in it", names[needed[i]][0]);
    return LATHE_OK;
}

lathe_result tag_types_read(lathe_doc *doc, const uint8_t *bytes, uint64_t size, uint64_t start,
                            tag_types **out, lathe_error *err)
{
    reader r = {.doc = doc, .bytes = bytes, .start = start, .err = err};
    tag_types *t = r.types = arena_zalloc(&doc->arena, sizeof *t);
    if (!t)
        return rec_no_memory(err);
    lathe_result e = list_pieces(&r, size);
    if (e == LATHE_OK)
        e = check_pieces(&r);
    if (e == LATHE_OK)
        e = read_texts(&r, TAG_TSTR, TEXTS_OF_TYPES);
    if (e == LATHE_OK)
        e = read_texts(&r, TAG_FSTR, TEXTS_OF_FIELDS);
    if (e == LATHE_OK)
        e = read_texts(&r, TAG_ASTR, TEXTS_OF_ATTRIBUTES);
    if (e == LATHE_OK)
        e = read_names(&r);
    if (e == LATHE_OK)
        e = read_bodies(&r);
    if (e == LATHE_OK)
        e = read_hashes(&r);
    if (e == LATHE_OK)
        e = look_up(&r);
    if (e == LATHE_OK)
        *out = t;
    return e;
}

/* ---- queries ------------------------------------------------------------------------------------------- */

bool tag_is_relative(const tag_type *t)
{
    const char *n = t->name; /* the third letter rules out most types */
    return t->is.flags & TAG_RELATIVE ||
           (n[0] == 'h' && n[1] == 'k' && n[2] == 'R' && strncmp(n, "hkRelPtr", 8) == 0);
}

uint32_t tag_alignment(const tag_type *t)
{
    uint32_t plain = t->is.alignment & 0xFFF; /* the bits above are flags */
    return plain && !(plain & (plain - 1)) ? plain : 1;
}

bool tag_is_a(const tag_types *types, uint32_t id, uint32_t base)
{
    while (id && id != base)
        id = types->all[id].parent; /* there are no cycles: look_up */
    return id == base;
}

typedef struct text {
    char *to;
    size_t size, cap;
} text;

static void put(text *t, const char *s)
{
    size_t n = strlen(s), left = t->cap > t->size ? t->cap - t->size : 0;
    if (left)
        memcpy(t->to + t->size, s, n < left ? n : left);
    t->size += n;
}

static void display(const tag_types *types, uint32_t id, int depth, text *to)
{
    const tag_type *t = &types->all[id];
    char number[24];
    put(to, t->name);
    if (!t->args_n)
        return;
    put(to, "<");
    for (uint32_t i = 0; i < t->args_n && to->size < to->cap; i++) {
        put(to, i ? ", " : "");
        if (t->args[i].name[0] != 't') {
            snprintf(number, sizeof number, "%lld", (long long)t->args[i].value);
            put(to, number);
        } else if (depth > 0) {
            display(types, (uint32_t)t->args[i].value, depth - 1, to);
        } else {
            put(to, "...");
        }
    }
    put(to, ">");
}

size_t tag_display(const tag_types *types, uint32_t id, char *to, size_t cap)
{
    enum { NESTED = 8 };
    text t = {to, 0, cap};
    display(types, id, NESTED, &t);
    if (t.size < cap) {
        to[t.size] = 0;
        if (rec_type_name_taken(to)) /* names that mean something else in Lua */
            put(&t, "_");
    }
    if (cap)
        to[t.size < cap ? t.size : cap - 1] = 0;
    return t.size;
}
