/* Writes the TYPE section as Havok's SDK does, where everything follows from the types. Texts are in the
 * order of first use. Bodies are in the order in which types refer to each other, starting with those that
 * have hashes. Reference: formats/havok-tagfile.md#5. The orders match real files of 2015 and a real section
 * of 2021. */
#include "tagfile/types_write.h"

#include "tagfile/packed.h"
#include "tagfile/sections.h"

typedef struct texts { /* each once, in the order of first use */
    buf bytes;
    const char **table; /* hash table; `slots` is a power of 2 */
    uint32_t *numbers;
    size_t slots, n;
} texts;

typedef struct writer {
    const mem *m;
    const tag_types *types;
    bool modern;
    buf *out;
    texts names, fields, attributes;
    buf tnam, tbod, thsh;
    uint32_t *queue; /* types in the order of their bodies */
    uint8_t *seen;
    uint32_t queue_n, done_n;
} writer;

/* ---- texts ---------------------------------------------------------------------------------------------- */

static size_t slot_of(const texts *t, const char *text)
{
    uint32_t h = 2166136261u;
    for (const char *p = text; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    size_t at = h & (t->slots - 1);
    while (t->table[at] && strcmp(t->table[at], text) != 0)
        at = (at + 1) & (t->slots - 1);
    return at;
}

static bool grow(const mem *m, texts *t)
{
    size_t had = t->slots, slots = had ? 2 * had : 64;
    const char **table = t->table;
    uint32_t *numbers = t->numbers;
    t->table = mem_zalloc(m, slots * sizeof *t->table);
    t->numbers = mem_zalloc(m, slots * sizeof *t->numbers);
    t->slots = slots;
    bool done = t->table && t->numbers;
    for (size_t i = 0; done && i < had; i++) {
        size_t at = table[i] ? slot_of(t, table[i]) : 0;
        if (!table[i])
            continue;
        t->table[at] = table[i];
        t->numbers[at] = numbers[i];
    }
    mem_free(m, table, had * sizeof *table);
    mem_free(m, numbers, had * sizeof *numbers);
    return done;
}

static bool text_number(const mem *m, texts *t, const char *text, uint32_t *out)
{
    if (2 * (t->n + 1) > t->slots && !grow(m, t))
        return false;
    size_t at = slot_of(t, text);
    if (!t->table[at]) {
        if (!buf_put(&t->bytes, text, strlen(text) + 1))
            return false;
        t->table[at] = text;
        t->numbers[at] = (uint32_t)t->n++;
    }
    *out = t->numbers[at];
    return true;
}

static void free_texts(const mem *m, texts *t)
{
    buf_free(&t->bytes);
    mem_free(m, t->table, t->slots * sizeof *t->table);
    mem_free(m, t->numbers, t->slots * sizeof *t->numbers);
}

static bool put_text(writer *w, texts *t, buf *to, const char *text)
{
    uint32_t n;
    return text_number(w->m, t, text, &n) && tag_packed_put(to, n);
}

/* ---- names ---------------------------------------------------------------------------------------------- */

enum { MOST_DEPTH = 64 };

/* Newer SDKs write the name of an argument's type as soon as it occurs. */
static bool name_type(writer *w, uint32_t id, int depth)
{
    const tag_type *t = &w->types->all[id];
    uint32_t n;
    if (!id || w->seen[id] || depth > MOST_DEPTH)
        return true;
    w->seen[id] = 1;
    bool done = text_number(w->m, &w->names, t->name, &n);
    for (uint32_t i = 0; done && i < t->args_n; i++) {
        done = text_number(w->m, &w->names, t->args[i].name, &n);
        if (done && w->modern && t->args[i].name[0] == 't' && t->args[i].value < w->types->count)
            done = name_type(w, (uint32_t)t->args[i].value, depth + 1);
    }
    return done;
}

static bool put_names(writer *w)
{
    bool done = tag_packed_put(&w->tnam, w->types->count);
    for (uint32_t id = 1; done && id < w->types->count; id++) {
        const tag_type *t = &w->types->all[id];
        done = name_type(w, id, 0) && put_text(w, &w->names, &w->tnam, t->name) &&
               tag_packed_put(&w->tnam, t->args_n);
        for (uint32_t i = 0; done && i < t->args_n; i++)
            done = put_text(w, &w->names, &w->tnam, t->args[i].name) &&
                   tag_packed_put(&w->tnam, t->args[i].value);
    }
    return done;
}

/* ---- bodies --------------------------------------------------------------------------------------------- */

static bool put_members(writer *w, const tag_type *t)
{
    uint32_t n = t->members_n + t->properties_n;
    bool done = tag_packed_put(&w->tbod, (uint64_t)t->properties_n << 16 | t->members_n);
    for (uint32_t i = 0; done && i < n; i++) {
        const tag_member *m = &t->members[i];
        done = put_text(w, &w->fields, &w->tbod, m->name) && tag_packed_put(&w->tbod, m->flags) &&
               (!(m->flags & TAG_EXTRA) || tag_packed_put(&w->tbod, m->extra)) &&
               tag_packed_put(&w->tbod, m->offset) && tag_packed_put(&w->tbod, m->type);
    }
    return done;
}

static bool put_interfaces(writer *w, const tag_type *t)
{
    bool done = tag_packed_put(&w->tbod, t->interfaces_n);
    for (uint32_t i = 0; done && i < t->interfaces_n; i++)
        done = tag_packed_put(&w->tbod, t->interfaces[i].type) &&
               tag_packed_put(&w->tbod, t->interfaces[i].offset);
    return done;
}

static bool put_body(writer *w, uint32_t id)
{
    const tag_type *t = &w->types->all[id];
    buf *to = &w->tbod;
    bool done =
        tag_packed_put(to, id) && tag_packed_put(to, t->parent) && tag_packed_put(to, t->opt);
    done = done && (!(t->opt & TAG_FORMAT) || tag_packed_put(to, t->format)) &&
           (!(t->opt & TAG_SUB_TYPE) || tag_packed_put(to, t->sub_type)) &&
           (!(t->opt & TAG_VERSION) || tag_packed_put(to, t->version)) &&
           (!(t->opt & TAG_SIZE) ||
            (tag_packed_put(to, t->size) && tag_packed_put(to, t->alignment))) &&
           (!(t->opt & TAG_FLAGS) || tag_packed_put(to, t->flags));
    return done && (!(t->opt & TAG_MEMBERS) || put_members(w, t)) &&
           (!(t->opt & TAG_INTERFACES) || put_interfaces(w, t)) &&
           (!(t->opt & TAG_ATTRIBUTE) || put_text(w, &w->attributes, to, t->attribute)) &&
           (!(t->opt & TAG_MUTABLE) || tag_packed_put(to, t->mutable_));
}

static void push(writer *w, uint64_t id)
{
    if (!id || id >= w->types->count || w->seen[id])
        return;
    w->seen[id] = 1;
    w->queue[w->queue_n++] = (uint32_t)id;
}

/* Visits the types that a type refers to: its parent, its element type, and those of its members. */
static void push_inner(writer *w, const tag_type *t)
{
    bool in_line = (t->format & TAG_KIND_MASK) == TAG_ARRAY && t->format & TAG_INLINE;
    push(w, t->parent);
    if (w->modern && in_line)
        push(w, t->sub_type);
    for (uint32_t i = 0; !w->modern && i < t->args_n; i++)
        if (t->args[i].name[0] == 't')
            push(w, t->args[i].value);
    for (uint32_t i = 0; i < t->members_n; i++)
        push(w, t->members[i].type);
    for (uint32_t i = 0; i < t->interfaces_n; i++)
        push(w, t->interfaces[i].type);
}

static bool put_closure(writer *w, uint32_t id)
{
    bool done = true;
    for (push(w, id); done && w->done_n < w->queue_n; w->done_n++) {
        const tag_type *t = &w->types->all[w->queue[w->done_n]];
        push_inner(w, t);
        if (t->body)
            done = put_body(w, w->queue[w->done_n]);
    }
    return done;
}

/* Writes bodies: for each type with a hash, in order, everything it refers to; then all other types with a
 * body. */
static bool put_bodies(writer *w)
{
    const tag_types *types = w->types;
    bool done = true;
    memset(w->seen, 0, types->count);
    for (uint32_t i = 0; done && i < types->hashes_n; i++)
        done = put_closure(w, types->hashes[i]);
    for (uint32_t id = 1; done && id < types->count; id++)
        if (types->all[id].body)
            done = put_closure(w, id);
    return done;
}

static bool put_hashes(writer *w)
{
    uint8_t word[4];
    bool done = tag_packed_put(&w->thsh, w->types->hashes_n);
    for (uint32_t i = 0; done && i < w->types->hashes_n; i++) {
        bytes_st32(word, w->types->all[w->types->hashes[i]].hash, false);
        done = tag_packed_put(&w->thsh, w->types->hashes[i]) && buf_put(&w->thsh, word, 4);
    }
    return done;
}

/* ---- sections ------------------------------------------------------------------------------------------- */

static bool put_section(writer *w, const char *name, const buf *payload, uint64_t zeros,
                        uint8_t padding)
{
    uint8_t head[TAG_HEADER];
    uint64_t n = payload ? payload->size : zeros, filled = (n + 3) / 4 * 4;
    bytes_st32(head, 0x40000000u | (uint32_t)(filled + TAG_HEADER), true);
    memcpy(head + 4, name, 4);
    return filled < (1u << 30) - TAG_HEADER && buf_put(w->out, head, sizeof head) &&
           (payload ? !n || buf_put(w->out, payload->data, (size_t)n)
                    : buf_fill(w->out, 0, (size_t)n)) &&
           buf_fill(w->out, padding, (size_t)(filled - n));
}

static bool put_sections(writer *w)
{
    const tag_types *types = w->types;
    bool modern = w->modern;
    uint8_t text = modern ? 0xFF : 0;
    /* Number of slots for pointers: one for each type and one for none; newer SDKs omit types with hashes. */
    uint64_t slots = types->slots ? types->slots : types->count - (modern ? types->hashes_n : 0);
    size_t start = w->out->size;
    uint8_t head[TAG_HEADER] = {0, 0, 0, 0, 'T', 'Y', 'P', 'E'};
    bool done = buf_put(w->out, head, sizeof head) && put_section(w, "TPTR", NULL, 8 * slots, 0) &&
                put_section(w, modern ? "TST1" : "TSTR", &w->names.bytes, 0, text) &&
                put_section(w, modern ? "TNA1" : "TNAM", &w->tnam, 0, 0) &&
                put_section(w, modern ? "FST1" : "FSTR", &w->fields.bytes, 0, text) &&
                (!w->attributes.n ||
                 put_section(w, modern ? "AST1" : "ASTR", &w->attributes.bytes, 0, text)) &&
                put_section(w, modern ? "TBDY" : "TBOD", &w->tbod, 0, 0) &&
                put_section(w, "THSH", &w->thsh, 0, 0) && put_section(w, "TPAD", NULL, 0, 0);
    uint64_t size = w->out->size - start;
    if (done)
        bytes_st32(w->out->data + start, (uint32_t)size, true);
    return done && size < 1u << 30;
}

bool tag_types_write(const mem *m, const tag_types *types, int64_t version, buf *out)
{
    writer w = {.m = m, .types = types, .modern = version >= TAG_MODERN, .out = out};
    buf *all[] = {&w.names.bytes, &w.fields.bytes, &w.attributes.bytes, &w.tnam, &w.tbod, &w.thsh};
    for (size_t i = 0; i < REC_COUNT_OF(all); i++)
        buf_init(all[i], m);
    w.queue = mem_alloc(m, types->count * sizeof *w.queue);
    w.seen = mem_zalloc(m, types->count);
    bool done =
        w.queue && w.seen && put_names(&w) && put_bodies(&w) && put_hashes(&w) && put_sections(&w);
    mem_free(m, w.queue, types->count * sizeof *w.queue);
    mem_free(m, w.seen, types->count);
    free_texts(m, &w.names);
    free_texts(m, &w.fields);
    free_texts(m, &w.attributes);
    buf_free(&w.tnam);
    buf_free(&w.tbod);
    buf_free(&w.thsh);
    return done;
}

/* ---- texts of objects ----------------------------------------------------------------------------------- */

uint32_t tag_text_type(const tag_types *types)
{
    uint32_t likely = 0, any = 0;
    for (uint32_t id = 1; id < types->count; id++) {
        const tag_type *t = &types->all[id];
        size_t n = strlen(t->name);
        if (tag_kind_of(t) != TAG_INT || !t->is.has_size || t->is.size != 1)
            continue;
        if (strcmp(t->name, "char") == 0)
            return id;
        bool named = n > 4 && strcmp(t->name + n - 4, "char") == 0 && !strstr(t->name, "signed");
        likely = likely ? likely : named ? id : 0;
        any = any ? any : t->parent ? 0 : id;
    }
    return likely ? likely : any;
}
