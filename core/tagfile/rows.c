/* Makes rows from a TYPE section. Independent of classes: names, sizes, offsets and kinds come from the file. */
#include "tagfile/rows.h"

#include "havok/named/facts.h"
#include "havok/physics/rigid.h"
#include "tagfile/tagfile.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_FIELDS = 4096, LANES = 4, NESTED_MOST = 32, SPARE = 16 };

/* ---- names --------------------------------------------------------------------------------------------- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True at a capital after a small letter or digit, or before a small letter. */
static bool begins_word(const char *p, size_t i)
{
    if (!i || !is_upper(p[i]))
        return false;
    return is_lower(p[i - 1]) || is_digit(p[i - 1]) || (is_upper(p[i - 1]) && is_lower(p[i + 1]));
}

static void snake_case(const char *name, char out[TAG_NAME_MOST])
{
    size_t n = 0;
    if (is_digit(name[0]) || !name[0])
        out[n++] = '_';
    for (size_t i = 0; name[i] && n + 2 < TAG_NAME_MOST; i++) {
        char c = name[i];
        if (begins_word(name, i))
            out[n++] = '_';
        bool fits = is_upper(c) || is_lower(c) || is_digit(c);
        out[n++] = is_upper(c) ? (char)(c - 'A' + 'a') : fits ? c : '_';
    }
    out[n] = 0;
}

typedef struct names { /* the rows of a record, hashed by name */
    const rec_field **table;
    uint32_t *next; /* number for the next row with a clashing name */
    size_t cap;
} names;

static size_t name_slot(const names *t, const char *name)
{
    uint32_t h = 2166136261u;
    for (const char *p = name; *p; p++)
        h = (h ^ (uint8_t)*p) * 16777619u;
    size_t at = h & (t->cap - 1);
    while (t->table[at] && strcmp(rec_row_name(t->table[at]), name) != 0)
        at = (at + 1) & (t->cap - 1);
    return at;
}

/* ---- a record in progress ------------------------------------------------------------------------------ */

typedef struct maker {
    lathe_doc *doc;
    uint32_t c;
    tag_types *types;
    tag_record *record;
    const tag_type *type;
    names names;
    rec_own own;
    hk_known known; /* for a class of that name */
    bool has_known;
    bool short_of_memory;
} maker;

static const char *copy_text(maker *m, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = arena_zalloc(&m->doc->arena, n);
    if (copy)
        memcpy(copy, text, n);
    m->short_of_memory = m->short_of_memory || !copy;
    return copy;
}

static void refuse(maker *m, const char *why)
{
    if (!m->record->problem)
        m->record->problem = copy_text(m, why);
}

/* Gives a row a unique name: clashes are numbered, name_2 … */
static void name_row(maker *m, rec_field *row, const char *wanted)
{
    char name[TAG_NAME_MOST + 12];
    snprintf(name, sizeof name, "%s", wanted);
    size_t at = name_slot(&m->names, name);
    uint32_t *next = &m->names.next[at];
    for (unsigned k = *next > 2 ? *next : 2; m->names.table[at]; *next = ++k) {
        snprintf(name, sizeof name, "%s_%u", wanted, k);
        at = name_slot(&m->names, name);
    }
    row->name = rec_own_text(&m->own, name);
    m->names.table[at] = row;
}

/* ---- kinds --------------------------------------------------------------------------------------------- */

static const uint8_t unsigned_kinds[] = {[1] = REC_U8, [2] = REC_U16, [4] = REC_U32, [8] = REC_U64};
static const uint8_t signed_kinds[] = {[1] = REC_I8, [2] = REC_I16, [4] = REC_I32, [8] = REC_I64};

static bool is_width(uint32_t n)
{
    return n == 1 || n == 2 || n == 4 || n == 8;
}

/* REC_COMPUTED: not a float that lathe can read. */
static rec_kind float_kind(const tag_type *t)
{
    uint32_t mantissa = t->is.format >> 16 & 0xFF;
    rec_kind kind = mantissa == 7    ? REC_F16_UPPER
                    : mantissa == 10 ? REC_F16
                    : mantissa == 23 ? REC_F32
                    : mantissa == 52 ? REC_F64
                                     : REC_COMPUTED;
    return rec_width(kind) == t->is.size ? kind : REC_COMPUTED;
}

static bool shape_integer(rec_field *row, const tag_type *t)
{
    bool is_bool = tag_kind_of(t) == TAG_BOOL;
    if (!is_width(t->is.size) || (t->is.format >> 10 && t->is.format >> 10 != 8 * t->is.size))
        return false;
    row->kind = !is_bool && t->is.format & TAG_SIGNED ? signed_kinds[t->is.size]
                                                      : unsigned_kinds[t->is.size];
    row->shown = is_bool ? REC_BOOL : REC_PLAIN;
    row->flags |= t->is.format & TAG_BIG_ENDIAN ? REC_BIG : 0;
    return true;
}

static uint32_t inline_count(const tag_type *t)
{
    return tag_kind_of(t) == TAG_ARRAY && t->is.format & TAG_INLINE ? t->is.format >> 8 : 0;
}

/* True if a type has members; follows parents and aliases. */
static bool has_members(const tag_types *types, uint32_t id)
{
    while (id && !types->all[id].members_n)
        id = types->all[id].parent;
    return id != 0;
}

/* True for Havok's small vector types: 2 to 4 inlined floats that are not a "T[N]". */
static bool is_vector(const tag_types *types, uint32_t id)
{
    const tag_type *t = &types->all[id], *sub = &types->all[t->is.sub_type];
    uint32_t n = inline_count(t);
    return n >= 2 && n <= LANES && strcmp(t->name, "T[N]") != 0 && tag_kind_of(sub) == TAG_FLOAT &&
           float_kind(sub) && (uint64_t)n * sub->is.size == t->is.size;
}

/* True if the type is shown as a record: a record, or an inlined array with named parts. */
static bool is_record(const tag_types *types, uint32_t id)
{
    const tag_type *t = &types->all[id];
    if (tag_kind_of(t) == TAG_RECORD || is_vector(types, id))
        return true;
    return inline_count(t) && has_members(types, id) && strcmp(t->name, "T[N]") != 0;
}

static bool shape(maker *m, rec_field *row, uint32_t id);

/* Makes the row opaque: n bytes of unknown meaning. */
static void shape_bytes(rec_field *row, uint32_t n)
{
    row->kind = REC_BYTES;
    row->n = n;
}

static bool shape_record(maker *m, rec_field *row, uint32_t id)
{
    const tag_record *r = tag_record_of(m->doc, m->c, id, NULL);
    m->short_of_memory = m->short_of_memory || !r;
    if (!r || r->state != TAG_MADE || r->problem)
        return false; /* it contains itself, or cannot be read */
    row->kind = REC_RECORD;
    row->type = rec_own_type(&m->own, &r->type);
    return row->type != 0; /* 0: out of memory */
}

/* Describes an element of an array. A type that is no scalar, text, pointer or record becomes a record of its
 * own. */
static bool shape_element(maker *m, rec_field *row, uint32_t id)
{
    const tag_type *t = &m->types->all[id];
    if (!id || !t->is.has_size || !t->is.size)
        return false;
    if (is_record(m->types, id) || tag_kind_of(t) == TAG_ARRAY)
        return shape_record(m, row, id);
    return shape(m, row, id) && row->kind != REC_BYTES ? true : shape_record(m, row, id);
}

static bool shape_array(maker *m, rec_field *row, uint32_t id)
{
    const tag_type *t = &m->types->all[id];
    uint32_t n = inline_count(t);
    if (!shape_element(m, row, t->is.sub_type))
        return false;
    if (n) {
        row->n = n;
        return (uint64_t)n * m->types->all[t->is.sub_type].is.size <= t->is.size;
    }
    if (t->is.format & TAG_INLINE)
        return false;
    const rec_body *body =
        tag_is_relative(t) ? tag_relative_body(t->is.size) : tag_array_body(t->is.size);
    row->body = rec_own_body(&m->own, body);
    return body != NULL;
}

static bool shape_pointer(maker *m, rec_field *row, uint32_t id)
{
    const tag_type *t = &m->types->all[id];
    if (t->is.size != m->doc->containers[m->c].pointer || (tag_is_relative(t) && t->is.size != 8))
        return false;
    row->kind = REC_POINTER;
    row->ref = rec_own_ref(&m->own, tag_is_relative(t) ? &tag_relative_ref : &tag_pointer_ref);
    row->type = rec_own_type(&m->own, tag_name_of(m->doc, m->c, t->is.sub_type));
    m->short_of_memory = m->short_of_memory || !row->type;
    return true;
}

/* Sets kind, element type, count and place of data of a row, for a value of type `id`. False: lathe cannot read such
 * values. */
static bool shape_by_kind(maker *m, rec_field *row, uint32_t id)
{
    const tag_type *t = &m->types->all[id];
    if (!t->is.has_format)
        return false;
    if (is_record(m->types, id))
        return shape_record(m, row, id);
    switch (tag_kind_of(t)) {
    case TAG_BOOL:
    case TAG_INT: return shape_integer(row, t);
    case TAG_FLOAT: row->kind = (uint8_t)float_kind(t); return row->kind != REC_COMPUTED;
    case TAG_STRING:
        row->kind = REC_STR;
        row->text = rec_own_body(&m->own, tag_text_body(t->is.size));
        return row->text != 0;
    case TAG_POINTER: return shape_pointer(m, row, id);
    case TAG_ARRAY: return shape_array(m, row, id);
    default: return false;
    }
}

static bool shape(maker *m, rec_field *row, uint32_t id)
{
    bool shaped = shape_by_kind(m, row, id);
    row->own = id; /* for an array its own type, not that of its elements */
    return shaped;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static rec_field *new_row(maker *m, const char *wanted, uint64_t offset)
{
    rec_field *row = rec_own_row(&m->own);
    name_row(m, row, wanted);
    row->off = (uint32_t)offset;
    return row;
}

/* Adds a row for bytes without a member: shown if they are not zeros. */
static void add_padding(maker *m, uint64_t from, uint64_t to)
{
    char name[32];
    snprintf(name, sizeof name, "padding_%llu", (unsigned long long)from);
    rec_field *row = new_row(m, name, from);
    shape_bytes(row, (uint32_t)(to - from));
    row->flags = REC_PAD;
    row->doc = rec_own_text(&m->own, "Bytes that no member has.");
}

/* Adds names of an enumeration or of flags, if the file stores a single integer and the SDK's names are
 * known. */
static void add_values(maker *m, rec_field *row, const hk_values *values)
{
    bool integer = row->kind >= REC_U8 && row->kind <= REC_I64 && row->shown == REC_PLAIN;
    if (!values || !integer || row->n || row->body ||
        m->doc->containers[m->c].version < values->since)
        return;
    row->shown = (uint8_t)values->shown;
    row->names = rec_own_names(&m->own, values->names);
    if (values->names_in)
        rec_own_rare(&m->own, row)->names_in = values->names_in;
}

/* Adds what lathe knows about a member of this class and the file does not contain: unit, scale exponent,
 * documentation, names of values. */
static void add_facts(maker *m, rec_field *row, const char *member)
{
    hk_fact fact;
    if (!m->has_known || !hk_known_member(&m->known, member, &fact))
        return;
    row->unit = rec_own_text(&m->own, fact.unit);
    row->power = fact.power;
    row->doc = rec_own_text(&m->own, fact.doc ? fact.doc : "");
    row->flags |= fact.flags;
    add_values(m, row, fact.values);
}

static void add_computed_row(maker *m, const rec_field *computed)
{
    size_t at = name_slot(&m->names, rec_row_name(computed));
    if (!m->names.table[at]) /* the class has no such member */
        m->names.table[at] = rec_own_copy(&m->own, computed);
}

enum { DERIVED_MOST = 4 };

/* Adds fields that havok/ computes for objects of such a class, and fields of the format that contains the
 * tagfile. */
static void add_computed(maker *m)
{
    uint32_t outer = m->doc->containers[m->c].outer;
    const lathe_format *format = outer == UINT32_MAX ? NULL : m->doc->containers[outer].format;
    const rec_type *computed[] = {hk_computed_rows(m->type->name),
                                  format && format->derived ? format->derived(m->type->name)
                                                            : NULL};
    uint32_t n = 0;
    for (size_t k = 0; k < REC_COUNT_OF(computed); k++)
        for (uint32_t i = 0; computed[k] && i < computed[k]->count && n < DERIVED_MOST; i++, n++)
            add_computed_row(m, &rec_type_rows(computed[k])[i]);
}

/* Number of values in a row. */
static uint64_t weight_of(const rec_field *row)
{
    uint64_t n = row->n && !row->body ? row->n : 1;
    if (row->kind == REC_BYTES)
        return n / 8 + 1;
    return row->kind == REC_RECORD && !row->body
               ? n * tag_record_from(rec_row_type(row))->weight + 1
               : n;
}

/* Makes the row of a member that only the game fills: it reads as empty, and its bytes are shown if they are
 * not zeros. */
static void unstore(maker *m, rec_field *row, uint64_t size)
{
    row->flags = (row->flags & ~(uint32_t)REC_PAD) | REC_READONLY;
    rec_own_rare(&m->own, row)->why = rec_own_text(&m->own, "no file stores it");
    row->body = row->body ? rec_own_body(&m->own, tag_unstored_body(rec_row_body(row))) : 0;
    row->text = row->text ? rec_own_body(&m->own, tag_unstored_text(rec_row_text(row))) : 0;
    row->ref = row->ref ? rec_own_ref(&m->own, &tag_unstored_ref) : 0;
    add_padding(m, row->off, row->off + size);
}

/* Adds a member. If lathe cannot read it, it is shown as bytes. */
static uint64_t add_member(maker *m, const tag_member *member)
{
    char name[TAG_NAME_MOST];
    const tag_type *t = &m->types->all[member->type];
    if (!t->is.has_size || !t->is.size)
        return member->offset;
    snake_case(member->name, name);
    rec_field *row = new_row(m, name, member->offset);
    if (strcmp(rec_row_name(row), member->name) != 0)
        row->original = rec_own_text(&m->own, member->name);
    rec_field plain = *row;
    bool stored = !(member->flags & TAG_NOT_SERIALISED);
    if (!shape(m, row, member->type)) {
        *row = plain;
        row->own = member->type;
        shape_bytes(row, t->is.size);
        row->flags = REC_READONLY;
        rec_own_rare(&m->own, row)->why =
            rec_own_text(&m->own, "nobody knows what is in it, or leads where");
    }
    bool scalar = row->kind != REC_RECORD && !row->body && !row->text && !row->n;
    if (!stored && scalar)
        row->flags |= REC_PAD;
    if (!stored && (row->body || row->text || row->ref))
        unstore(m, row, t->is.size);
    add_facts(m, row, member->name);
    m->record->weight += weight_of(row);
    const rec_body *head = row->n ? NULL : row->body ? rec_row_body(row) : rec_row_text(row);
    return (uint64_t)member->offset + (head ? head->width : t->is.size);
}

static int by_offset(const void *a, const void *b)
{
    const tag_member *x = *(const tag_member *const *)a, *y = *(const tag_member *const *)b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Adds the type's own members in the order of their offsets, with padding in front of each. */
static void add_members(maker *m, const tag_member **sorted, uint64_t size)
{
    uint64_t end = m->record->covered;
    for (uint32_t i = 0; i < m->type->members_n; i++) {
        const tag_member *member = sorted[i];
        const tag_type *t = &m->types->all[member->type];
        if ((uint64_t)member->offset + (t->is.has_size ? t->is.size : 0) > size) {
            char why[160];
            snprintf(why, sizeof why, "its member %.60s takes bytes %u to %llu of %llu",
                     member->name, member->offset, (unsigned long long)member->offset + t->is.size,
                     (unsigned long long)size);
            refuse(m, why);
            return;
        }
        if (member->offset > end)
            add_padding(m, end, member->offset);
        uint64_t to = add_member(m, member);
        end = to > end ? to : end;
    }
    m->record->covered = end;
}

static void add_lanes(maker *m)
{
    static const char *const letters[LANES] = {"x", "y", "z", "w"};
    const tag_type *sub = &m->types->all[m->type->is.sub_type];
    uint32_t n = inline_count(m->type);
    for (uint32_t i = 0; i < n; i++) {
        rec_field *row = new_row(m, letters[i], (uint64_t)i * sub->is.size);
        shape(m, row, m->type->is.sub_type);
        add_facts(m, row, letters[i]);
    }
    m->record->covered = m->type->is.size;
}

/* Adds the only row of a type that is no record. */
static void add_value(maker *m)
{
    bool array = tag_kind_of(m->type) == TAG_ARRAY;
    rec_field *row = new_row(m, array ? "elements" : "value", 0), plain = *row;
    if (!shape(m, row, m->record->id) || (row->kind == REC_RECORD && !row->n && !row->body)) {
        *row = plain;
        row->own = m->record->id;
        shape_bytes(row, m->type->is.size);
    }
    m->record->weight = weight_of(row);
    m->record->covered = m->type->is.size;
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* Creates a record type without rows. */
static rec_type empty_type(size_t back)
{
    return (rec_type){.back = (uint32_t)back, .name = REC_OWN_NAME, .doc = REC_OWN_EMPTY};
}

static tag_record *record_at(maker *m, uint32_t id)
{
    tag_type *t = &m->types->all[id];
    if (t->record)
        return t->record;
    tag_record *r = arena_zalloc(&m->doc->arena, sizeof *r);
    char name[TAG_DISPLAY_MOST];
    rec_own own;
    tag_display(m->types, id, name, sizeof name);
    rec_own_begin(&own, m->doc, name, 0);
    bool named = rec_own_end(&own, r ? &r->unit : NULL);
    m->short_of_memory = m->short_of_memory || !named;
    if (!named)
        return NULL;
    r->id = id;
    r->type = empty_type(offsetof(tag_record, type));
    r->core = empty_type(offsetof(tag_record, core));
    return t->record = r;
}

const rec_type *tag_name_of(lathe_doc *doc, uint32_t c, uint32_t id)
{
    maker m = {.doc = doc, .c = c, .types = tag_types_of(doc, c)};
    tag_record *r = record_at(&m, id);
    return r ? &r->type : NULL;
}

/* Allocates the rows and a table of all names, including those of the parents. */
static bool make_room(maker *m, uint32_t own, uint32_t inherited)
{
    size_t cap = 16, most = 3 * (size_t)own + 8 + DERIVED_MOST;
    while (cap < 2 * (most + inherited))
        cap *= 2;
    m->names = (names){mem_zalloc(&m->doc->mem, cap * sizeof *m->names.table),
                       mem_zalloc(&m->doc->mem, cap * sizeof *m->names.next), cap};
    rec_own_begin(&m->own, m->doc, rec_type_name(&m->record->type), (uint32_t)most);
    m->short_of_memory = !m->names.table || !m->names.next || m->own.short_of_memory;
    return !m->short_of_memory;
}

static void take_names(maker *m, const rec_type *base)
{
    for (; base; base = rec_type_base(base))
        for (uint32_t i = 0; i < base->count; i++) {
            const rec_field *row = &rec_type_rows(base)[i];
            m->names.table[name_slot(&m->names, rec_row_name(row))] = row;
        }
}

/* The rows of the parent; NULL: it has none. */
static const tag_record *parent_of(maker *m)
{
    if (!m->type->parent || !is_record(m->types, m->type->parent) ||
        !is_record(m->types, m->record->id))
        return NULL;
    const tag_record *parent = tag_record_of(m->doc, m->c, m->type->parent, NULL);
    m->short_of_memory = m->short_of_memory || !parent;
    if (parent && parent->problem)
        refuse(m, parent->problem);
    if (parent && parent->state != TAG_MADE)
        refuse(m, "its parent holds it");
    return parent;
}

/* Splits the rows into those that derived types inherit, and the padding behind them. */
static void finish(maker *m, const rec_type *base, uint64_t size)
{
    tag_record *r = m->record;
    rec_type core = empty_type(offsetof(tag_record, core)), type;
    core.flags = REC_OFFSETS | REC_OWN;
    core.size = (uint32_t)size;
    type = core;
    core.flags |= is_vector(m->types, r->id) ? REC_VECTOR : 0;
    core.base = rec_own_type(&m->own, base);
    core.count = m->own.n;
    if (r->covered < size) {
        add_padding(m, r->covered, size);
        type.base = rec_own_type(&m->own, &r->core);
        type.first = core.count;
        type.count = 1;
    } else {
        type = core;
    }
    type.back = offsetof(tag_record, type);
    if (rec_own_end(&m->own, m->short_of_memory ? NULL : &r->unit)) {
        r->core = core;
        r->type = type;
    } else {
        m->short_of_memory = true;
    }
}

static void make(maker *m)
{
    const tag_type *t = m->type;
    tag_record *r = m->record;
    uint64_t size = t->is.has_size ? t->is.size : 0;
    const tag_record *parent = parent_of(m);
    const rec_type *base = parent ? &parent->core : NULL;
    uint32_t inherited = rec_row_count(base),
             all = inherited + 3 * (uint32_t)t->members_n + LANES + 2 + DERIVED_MOST;
    if (!size)
        refuse(m, "its type has no size");
    if (m->types->nested > NESTED_MOST)
        refuse(m, "its types are nested deeper than 32");
    if (inherited + t->members_n > MOST_FIELDS)
        refuse(m, "it has over 4096 members");
    if (all > m->types->rows_left)
        refuse(m, "the types of the file have more members than lathe makes room for");
    const tag_member **sorted =
        mem_alloc(&m->doc->mem, ((size_t)t->members_n + 1) * sizeof *sorted);
    m->short_of_memory = m->short_of_memory || !sorted;
    if (!m->short_of_memory && !r->problem && make_room(m, t->members_n + LANES, inherited)) {
        m->types->rows_left -= all;
        for (uint32_t i = 0; i < t->members_n; i++)
            sorted[i] = &t->members[i];
        qsort(sorted, t->members_n, sizeof *sorted, by_offset);
        take_names(m, base);
        m->has_known = hk_known_class(t->name, &m->known);
        r->covered = parent ? parent->covered : 0;
        r->weight = parent ? parent->weight : 0;
        if (is_vector(m->types, r->id) && !base)
            add_lanes(m);
        else if (!is_record(m->types, r->id))
            add_value(m);
        else if (!is_vector(m->types, r->id))
            add_members(m, sorted, size);
        add_computed(m);
        if (r->covered > size) /* of a parent: add_members rejects its own */
            refuse(m, "the members of its parent reach past its end");
        if (r->weight > 2 * size + SPARE) /* a few bytes would make a very long walk */
            refuse(m, "its members overlap so often that they are more than its bytes can hold");
        if (!r->problem)
            finish(m, base, size);
    }
    m->short_of_memory = m->short_of_memory || m->own.short_of_memory;
    if (m->own.block)
        rec_own_end(&m->own, NULL);
    mem_free(&m->doc->mem, m->names.table, m->names.cap * sizeof *m->names.table);
    mem_free(&m->doc->mem, m->names.next, m->names.cap * sizeof *m->names.next);
    mem_free(&m->doc->mem, sorted, ((size_t)t->members_n + 1) * sizeof *sorted);
}

const tag_record *tag_record_of(lathe_doc *doc, uint32_t c, uint32_t id, lathe_error *err)
{
    maker m = {.doc = doc, .c = c, .types = tag_types_of(doc, c)};
    tag_record *r = m.record = record_at(&m, id);
    if (r && r->state == TAG_UNMADE) {
        m.type = &m.types->all[id];
        r->state = TAG_BEING_MADE;
        m.types->nested++;
        make(&m);
        m.types->nested--;
        r->state = m.short_of_memory ? TAG_UNMADE : TAG_MADE;
    }
    if (!r || m.short_of_memory) {
        rec_no_memory(err);
        return NULL;
    }
    return r;
}

uint32_t tag_type_find(lathe_doc *doc, uint32_t c, const char *name, size_t n)
{
    const tag_types *types = tag_types_of(doc, c);
    char text[TAG_DISPLAY_MOST];
    for (uint32_t id = 1; id < types->count; id++) {
        const tag_type *t = &types->all[id];
        if (tag_kind_of(t) != TAG_RECORD ||
            strncmp(t->name, name, strlen(t->name) < n ? strlen(t->name) : n) != 0)
            continue;
        if (tag_display(types, id, text, sizeof text) == n && n < sizeof text &&
            memcmp(text, name, n) == 0)
            return id;
    }
    return 0;
}
