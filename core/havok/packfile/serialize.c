/* A packfile from its objects: their order, the class names, the tables, the headers. Reference:
 * formats/havok-packfile.md#1 and #2.3. */
#include "havok/packfile/serialize.h"

/* ---- layouts ------------------------------------------------------------------------------------------- */

typedef struct layout {
    const char *name, *title; /* on command lines, and what doc.game says */
    int64_t version;
    uint8_t pointer;
} layout;

static const layout games[] = {
    {"skyrim-le", "Skyrim LE", HK_2010, 4},
    {"skyrim-se", "Skyrim SE", HK_2010, 8},
    {"fallout4", "Fallout 4", HK_2014, 8},
};

void hk_head_defaults(hk_head *head)
{
    static const uint8_t little[16] = {20}, big[16] = {0, 20};
    bool old = head->version < HK_2014;
    head->empty_base = 1;
    head->user_tag = head->flags = 0;
    head->max_predicate = old ? -1 : 21;
    head->predicate_size = old ? -1 : 16;
    head->predicates = head->big ? big : little;
    memcpy(head->contents_version, old ? "hk_2010.2.0-r1\0\xFF" : "hk_2014.1.0-r1\0\xFF",
           HK_VERSION_SIZE);
}

bool hk_head_of_game(const lathe_value *game, hk_head *head)
{
    for (size_t i = 0; i < REC_COUNT_OF(games); i++)
        if (rec_text_is(game, games[i].name) || rec_text_is(game, games[i].title)) {
            head->version = games[i].version;
            head->pointer = games[i].pointer;
            head->big = false;
            return true;
        }
    return false;
}

const char *hk_game_of(int64_t version, uint8_t pointer)
{
    for (size_t i = 0; i < REC_COUNT_OF(games); i++)
        if (games[i].version == version && (version == HK_2014 || games[i].pointer == pointer))
            return games[i].title;
    return NULL;
}

/* ---- classes ------------------------------------------------------------------------------------------- */

static size_t hash_name(const char *name, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

/* Where a name stands in the table, or would. */
static uint32_t *kind_slot(hk_writer *w, const char *name, size_t n)
{
    size_t at = hash_name(name, n) & (w->kind_slots - 1);
    for (;; at = (at + 1) & (w->kind_slots - 1)) {
        const hk_kind *k = w->kind_table[at] ? &w->kinds[w->kind_table[at] - 1] : NULL;
        if (!k || (strncmp(k->name, name, n) == 0 && !k->name[n]))
            return &w->kind_table[at];
    }
}

static bool grow_kinds(hk_writer *w)
{
    const mem *m = &w->maker->mem;
    size_t slots = w->kind_slots ? w->kind_slots * 2 : 64, had = w->kind_slots;
    uint32_t *old = w->kind_table, *table = mem_zalloc(m, slots * sizeof *table);
    if (!table)
        return false;
    w->kind_table = table;
    w->kind_slots = slots;
    for (size_t i = 0; i < w->kinds_n; i++)
        *kind_slot(w, w->kinds[i].name, strlen(w->kinds[i].name)) = (uint32_t)i + 1;
    mem_free(m, old, had * sizeof *old);
    return true;
}

hk_kind *hk_kind_of(hk_writer *w, const char *name, size_t n)
{
    void *kinds = w->kinds;
    if (2 * (w->kinds_n + 1) > w->kind_slots && !grow_kinds(w))
        return NULL;
    uint32_t *slot = kind_slot(w, name, n);
    if (*slot)
        return &w->kinds[*slot - 1];
    char *copy = arena_zalloc(&w->maker->arena, n + 1);
    if (!copy ||
        !mem_reserve(&w->maker->mem, &kinds, &w->kinds_cap, w->kinds_n + 1, sizeof *w->kinds))
        return NULL;
    memcpy(copy, name, n);
    w->kinds = kinds;
    hk_kind *k = &w->kinds[w->kinds_n];
    *k = (hk_kind){.name = copy, .type = hk_described(w->objects->format, copy, w->head->version)};
    k->layout = k->type ? rec_layout_of(w->maker, w->c, k->type) : NULL;
    if (k->type && !k->layout)
        return NULL;
    *slot = (uint32_t)++w->kinds_n;
    return k;
}

/* Its own where the version stays, else the version's; false: unknown. */
static bool signature_of(const hk_writer *w, const hk_kind *k, uint32_t *out)
{
    bool own = k->told && w->from_version == w->head->version;
    *out = own ? k->signature : hk_signature(w->objects->format, k->name, w->head->version);
    return own || *out;
}

/* A class is met for the first time: its name comes behind the others. False: no memory. */
static bool put_name(hk_writer *w, hk_kind *k, uint32_t signature)
{
    uint8_t start[5] = {0, 0, 0, 0, 9};
    bytes_st32(start, signature, w->head->big);
    k->offset = (uint32_t)w->names.size + 5;
    return buf_put(&w->names, start, 5) && buf_put(&w->names, k->name, strlen(k->name) + 1);
}

/* Four of Havok's own stand in front of every file's. */
static lathe_result put_reflection(hk_writer *w, lathe_error *err)
{
    static const char *const names[] = {"hkClass", "hkClassMember", "hkClassEnum",
                                        "hkClassEnumItem"};
    for (size_t i = 0; i < REC_COUNT_OF(names); i++) {
        hk_kind *k = hk_kind_of(w, names[i], strlen(names[i]));
        uint32_t signature;
        if (!k || !signature_of(w, k, &signature) || !put_name(w, k, signature))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

/* ---- objects in their order -------------------------------------------------------------------------------- */

/* Pointers of an object that are still to be followed. */
typedef struct frame {
    size_t next, end; /* records of globals */
} frame;

static lathe_result put_object(hk_writer *w, uint64_t i, lathe_error *err)
{
    const hk_objects *objects = w->objects;
    hk_kind *k = NULL;
    uint32_t signature, record[2] = {(uint32_t)hk_size(w), 0};
    lathe_result r = objects->kind(w, i, &k, err);
    if (r != LATHE_OK)
        return r;
    if (!k->offset && !signature_of(w, k, &signature))
        return objects->refuse(w, i, "the signature of its class is not known", err);
    if (!k->offset && !put_name(w, k, signature))
        return rec_no_memory(err);
    record[1] = k->offset;
    w->starts[i] = record[0] + 1;
    if (!buf_put(&w->virtuals, record, sizeof record))
        return rec_no_memory(err);
    r = objects->put(w, i, k, err);
    return r == LATHE_OK ? hk_pad(w, hk_struct_end(hk_size(w)), err) : r;
}

/* An object, and behind it whatever it leads to first: depth first, without recursion. */
static lathe_result put_tree(hk_writer *w, uint64_t i, buf *stack, lathe_error *err)
{
    frame f = {w->globals.size / sizeof(hk_global), 0};
    lathe_result r = put_object(w, i, err);
    f.end = w->globals.size / sizeof(hk_global);
    if (r == LATHE_OK && !buf_put(stack, &f, sizeof f))
        r = rec_no_memory(err);
    while (r == LATHE_OK && stack->size) {
        memcpy(&f, stack->data + stack->size - sizeof f, sizeof f);
        stack->size -= sizeof f;
        if (f.next == f.end)
            continue;
        hk_global g;
        memcpy(&g, w->globals.data + f.next++ * sizeof g, sizeof g);
        if (!buf_put(stack, &f, sizeof f))
            return rec_no_memory(err);
        if (w->starts[g.object])
            continue;
        f.next = w->globals.size / sizeof g;
        r = put_object(w, g.object, err);
        f.end = w->globals.size / sizeof g;
        if (r == LATHE_OK && !buf_put(stack, &f, sizeof f))
            r = rec_no_memory(err);
    }
    return r;
}

/* The root's first, then those that nothing leads to, as they stand. */
static lathe_result put_objects(hk_writer *w, lathe_error *err)
{
    buf stack;
    buf_init(&stack, &w->maker->mem);
    lathe_result r = put_tree(w, w->objects->root, &stack, err);
    for (uint64_t i = 0; r == LATHE_OK && !w->objects->reached && i < w->objects->count; i++)
        if (!w->starts[i])
            r = put_tree(w, i, &stack, err);
    buf_free(&stack);
    return r;
}

/* ---- the file -------------------------------------------------------------------------------------------- */

enum { SECTIONS = 3, CONTENTS = 2 /* section number, from 0 */ };

static uint64_t padded(uint64_t n)
{
    return n + (16 - n % 16) % 16;
}

static bool put32(buf *out, uint32_t v, bool big)
{
    uint8_t bytes[4];
    bytes_st32(bytes, v, big);
    return buf_put(out, bytes, 4);
}

static bool put_header(const hk_writer *w, buf *out)
{
    const hk_head *h = w->head;
    uint8_t b[HK_FILE_HEADER] = {0x57, 0xE0, 0xE0, 0x57, 0x10, 0xC0, 0xC0, 0x10};
    uint32_t root;
    memcpy(&root, w->virtuals.data + 4, 4);
    bytes_st32(b + 0x08, (uint32_t)h->user_tag, h->big);
    bytes_st32(b + 0x0C, (uint32_t)h->version, h->big);
    b[0x10] = h->pointer;
    b[0x11] = !h->big;
    b[0x13] = h->empty_base;
    bytes_st32(b + 0x14, SECTIONS, h->big);
    bytes_st32(b + 0x18, CONTENTS, h->big);
    bytes_st32(b + 0x24, root, h->big);
    memcpy(b + 0x28, h->contents_version, HK_VERSION_SIZE);
    bytes_st32(b + 0x38, (uint32_t)h->flags, h->big);
    bytes_st16(b + 0x3C, (uint16_t)h->max_predicate, h->big);
    bytes_st16(b + 0x3E, (uint16_t)h->predicate_size, h->big);
    bool ok = buf_put(out, b, sizeof b);
    if (ok && h->version >= HK_2014 && h->predicate_size > 0)
        ok = buf_put(out, h->predicates, (size_t)h->predicate_size);
    return ok;
}

/* Seven numbers: where it begins, then the ends of its parts from there. */
static bool put_section(const hk_writer *w, buf *out, const char *name, const uint64_t *numbers)
{
    char tag[20] = {0};
    memcpy(tag, name, strlen(name));
    tag[19] = (char)0xFF;
    bool ok = buf_put(out, tag, sizeof tag);
    for (int i = 0; i < 7; i++)
        ok = ok && put32(out, (uint32_t)numbers[i], w->head->big);
    return ok && (w->head->version < HK_2014 || buf_fill(out, 0xFF, 16));
}

static bool put_sections(const hk_writer *w, const uint64_t *ends, uint64_t start, uint64_t names,
                         buf *out)
{
    const uint64_t classes[7] = {start, names, names, names, names, names, names};
    const uint64_t types[7] = {start + names, 0, 0, 0, 0, 0, 0};
    const uint64_t data[7] = {start + names, ends[0], ends[1], ends[2], ends[3], ends[3], ends[3]};
    return put_section(w, out, "__classnames__", classes) &&
           put_section(w, out, "__types__", types) && put_section(w, out, "__data__", data);
}

static bool pad_with_ff(buf *out, uint64_t size)
{
    return buf_fill(out, 0xFF, (size_t)(padded(size) - size));
}

static bool put_locals(const hk_writer *w, buf *out)
{
    const buf *t = &w->locals;
    bool ok = buf_reserve(out, t->size + 16);
    for (size_t i = 0; ok && i < t->size; i += 4) {
        uint32_t v;
        memcpy(&v, t->data + i, 4);
        bytes_st32(out->data + out->size, v, w->head->big);
        out->size += 4;
    }
    return ok && pad_with_ff(out, t->size);
}

static bool put_globals(const hk_writer *w, buf *out)
{
    size_t n = w->globals.size / sizeof(hk_global);
    bool ok = buf_reserve(out, n * 12 + 16), big = w->head->big;
    for (size_t i = 0; ok && i < n; i++) {
        hk_global g;
        memcpy(&g, w->globals.data + i * sizeof g, sizeof g);
        ok = put32(out, g.source, big) && put32(out, CONTENTS, big) &&
             put32(out, w->starts[g.object] - 1, big);
    }
    return ok && pad_with_ff(out, n * 12);
}

static bool put_virtuals(const hk_writer *w, buf *out)
{
    size_t n = w->virtuals.size / 8;
    bool ok = buf_reserve(out, n * 12 + 16), big = w->head->big;
    for (size_t i = 0; ok && i < n; i++) {
        uint32_t v[2];
        memcpy(v, w->virtuals.data + i * 8, 8);
        ok = put32(out, v[0], big) && put32(out, 0, big) && put32(out, v[1], big);
    }
    return ok && pad_with_ff(out, n * 12);
}

static lathe_result put_file(const hk_writer *w, buf *out, lathe_error *err)
{
    const hk_head *h = w->head;
    const rec_part *data = &w->maker->parts[w->data];
    bool recent = h->version >= HK_2014;
    uint64_t start = HK_FILE_HEADER +
                     (uint64_t)(recent && h->predicate_size > 0 ? h->predicate_size : 0) +
                     SECTIONS * (recent ? 0x40u : 0x30u);
    uint64_t names = padded(w->names.size), ends[4] = {data->size};
    ends[1] = ends[0] + padded(w->locals.size);
    ends[2] = ends[1] + padded(w->globals.size / sizeof(hk_global) * 12);
    ends[3] = ends[2] + padded(w->virtuals.size / 8 * 12);
    if (start + names + ends[3] > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a packfile has 32-bit positions: too much data");
    bool ok = buf_reserve(out, (size_t)(start + names + ends[3])) && put_header(w, out) &&
              put_sections(w, ends, start, names, out) &&
              buf_put(out, w->names.data, w->names.size) && pad_with_ff(out, w->names.size) &&
              buf_put(out, data->data, (size_t)data->size) && put_locals(w, out) &&
              put_globals(w, out) && put_virtuals(w, out);
    return ok ? LATHE_OK : rec_no_memory(err);
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

/* A container of the layout that is written, and a part for the data. */
static lathe_result begin(hk_writer *w, lathe_error *err)
{
    lathe_doc *maker = w->maker;
    uint32_t root = rec_part_add(maker, 0);
    w->c = root == REC_NO_PART ? UINT32_MAX
                               : rec_container_add(maker, w->objects->format, root, UINT32_MAX);
    if (w->c == UINT32_MAX)
        return rec_no_memory(err);
    maker->parts[root].alive = maker->parts[root].owned = true;
    maker->parts[root].container = w->c;
    lathe_result r =
        rec_arrange(maker, w->c, w->head->big, w->head->pointer, w->head->version, err);
    w->data = r == LATHE_OK ? rec_scratch(maker, w->c) : REC_NO_PART;
    w->starts = mem_zalloc(&maker->mem, (size_t)(w->objects->count + 1) * sizeof *w->starts);
    if (r == LATHE_OK && (w->data == REC_NO_PART || !w->starts ||
                          !rec_part_own(maker, &maker->parts[w->data], w->objects->size)))
        r = rec_no_memory(err);
    return r;
}

static void end(hk_writer *w)
{
    const mem *m = &w->maker->mem;
    buf_free(&w->locals);
    buf_free(&w->globals);
    buf_free(&w->virtuals);
    buf_free(&w->names);
    mem_free(m, w->starts, (size_t)(w->objects->count + 1) * sizeof *w->starts);
    mem_free(m, w->kinds, w->kinds_cap * sizeof *w->kinds);
    mem_free(m, w->kind_table, w->kind_slots * sizeof *w->kind_table);
}

lathe_result hk_write_to(lathe_doc *maker, const hk_head *head, int64_t from_version,
                         const hk_objects *objects, hk_finish finish, void *user, lathe_error *err)
{
    hk_writer w = {.maker = maker, .head = head, .from_version = from_version, .objects = objects};
    buf_init(&w.locals, &maker->mem);
    buf_init(&w.globals, &maker->mem);
    buf_init(&w.virtuals, &maker->mem);
    buf_init(&w.names, &maker->mem);
    lathe_result r = begin(&w, err);
    if (r == LATHE_OK)
        r = objects->begin(&w, err);
    if (r == LATHE_OK)
        r = put_reflection(&w, err);
    if (r == LATHE_OK)
        r = put_objects(&w, err);
    if (r == LATHE_OK)
        r = finish(user, &w, err);
    end(&w);
    return r;
}

static lathe_result finish_file(void *user, hk_writer *w, lathe_error *err)
{
    return put_file(w, user, err);
}

lathe_result hk_write(lathe_doc *maker, const hk_head *head, int64_t from_version,
                      const hk_objects *objects, buf *out, lathe_error *err)
{
    return hk_write_to(maker, head, from_version, objects, finish_file, out, err);
}
