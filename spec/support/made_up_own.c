/* The format own: its files describe the records of their objects. Types are made of that when one is first needed,
 * in the document's memory. */
#include "made_up.h"

#include "record/own_unit.h"

enum { TYPE_COUNT = 1, TYPES, OBJECT_COUNT, KIND, OBJECTS };
enum { MOST_SIZE = 4096 };

typedef struct own_made {
    rec_unit unit; /* first: what type.back leads to */
    rec_type type;
} own_made;

static const own_made *made_of(const rec_type *type)
{
    return (const own_made *)rec_unit_of_type(type);
}

typedef struct own_types {
    own_made *types;
    uint64_t n;
} own_types;

/* ---- numbers of objects -------------------------------------------------------------------------------- */

static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    rec_at root = rec_root(at->doc, at->layout->container), object;
    (void)row;
    lathe_result r = rec_sub_item(&root, OBJECTS, raw & 0xFF, &object, err);
    if (r == LATHE_OK)
        *out = rec_view(&object);
    return r;
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    if (at->doc->parts[target.part].slot != OBJECTS)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "an object expected");
    *raw = rec_kid_index(at->doc, target.part);
    return LATHE_OK;
}

const rec_ref made_up_object_ref = {
    .null = 0xFF, .inside = true, .resolve = resolve, .store = store};

/* ---- types out of the file -------------------------------------------------------------------------------- */

/* One that would be taken for something else ends in "_". */
static const char *name_of(lathe_doc *doc, const rec_at *at, bool of_type)
{
    lathe_value v;
    if (rec_get(at, rec_slot_find(at->layout, "name"), true, &v, NULL) != LATHE_OK)
        return NULL;
    char *name = arena_zalloc(&doc->arena, v.as.s.n + 2);
    if (!name)
        return NULL;
    memcpy(name, v.as.s.p, v.as.s.n);
    if (of_type && rec_type_name_taken(name))
        name[v.as.s.n] = '_';
    return name;
}

/* A row, which begins at *size. LATHE_ERR_INVALID: it makes no sense. */
static lathe_result make_row(rec_own *own, const rec_at *at, const own_types *all, uint64_t i,
                             uint64_t *size)
{
    uint64_t kind = (uint64_t)rec_int(at, "kind"), n = (uint64_t)rec_int(at, "count");
    uint64_t type = (uint64_t)rec_int(at, "type");
    const char *name = name_of(own->doc, at, false);
    if (kind >= made_up_own_kinds.count)
        return LATHE_ERR_INVALID;
    const rec_field *like = &rec_type_rows(&made_up_own_kinds)[kind];
    if (like->kind == REC_RECORD && type >= i)
        return LATHE_ERR_INVALID;
    rec_field *row = name ? rec_own_copy(own, like) : NULL;
    if (!row)
        return LATHE_ERR_MEMORY;
    const rec_type *of = like->kind == REC_RECORD ? &all->types[type].type : NULL;
    row->name = rec_own_text(own, name);
    row->doc = REC_OWN_EMPTY;
    row->n = (uint32_t)n;
    row->own = (uint32_t)kind + 1;
    row->off = (uint32_t)*size;
    row->type = rec_own_type(own, of);
    uint64_t one = of ? of->size : row->kind == REC_BYTES ? 1 : rec_width(row->kind);
    *size += (n ? n : 1) * one;
    return *size <= MOST_SIZE && (n || row->kind != REC_BYTES) ? LATHE_OK : LATHE_ERR_INVALID;
}

static lathe_result make_type(lathe_doc *doc, const rec_at *at, own_types *all, uint64_t i)
{
    own_made *made = &all->types[i];
    uint64_t base = (uint64_t)rec_int(at, "base"), n = (uint64_t)rec_int(at, "row_count");
    if (base > i)
        return LATHE_ERR_INVALID;
    const rec_type *from = base ? &all->types[base - 1].type : NULL;
    uint64_t size = from ? from->size : 0;
    const char *name = name_of(doc, at, true);
    if (!name)
        return LATHE_ERR_MEMORY;
    rec_own own;
    rec_own_begin(&own, doc, name, (uint32_t)n);
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        rec_at row;
        r = rec_sub_item(at, rec_slot_find(at->layout, "rows"), k, &row, NULL);
        if (r == LATHE_OK)
            r = make_row(&own, &row, all, i, &size);
    }
    made->type = (rec_type){.back = offsetof(own_made, type),
                            .name = REC_OWN_NAME,
                            .doc = REC_OWN_EMPTY,
                            .base = rec_own_type(&own, from),
                            .count = (uint32_t)n,
                            .flags = REC_OWN | REC_OFFSETS,
                            .size = (uint32_t)size};
    made->type.flags |= rec_int(at, "vector") ? REC_VECTOR : 0;
    bool kept = rec_own_end(&own, r == LATHE_OK ? &made->unit : NULL);
    return r == LATHE_OK && !kept ? LATHE_ERR_MEMORY : r;
}

static lathe_result find_types(lathe_doc *doc, uint32_t c, const own_types **out)
{
    rec_at root = rec_root(doc, c), at;
    *out = doc->containers[c].index;
    if (*out)
        return LATHE_OK;
    uint64_t n = (uint64_t)rec_slot_int(&root, TYPE_COUNT);
    own_types all = {arena_zalloc(&doc->arena, (n + 1) * sizeof *all.types), n};
    lathe_result r = all.types ? LATHE_OK : LATHE_ERR_MEMORY;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub_item(&root, TYPES, i, &at, NULL);
        if (r == LATHE_OK)
            r = make_type(doc, &at, &all, i);
    }
    own_types *kept = r == LATHE_OK ? mem_alloc(&doc->mem, sizeof *kept) : NULL;
    if (!kept)
        return r == LATHE_OK ? LATHE_ERR_MEMORY : r;
    *kept = all;
    doc->containers[c].index = kept;
    doc->containers[c].index_size = sizeof *kept;
    *out = kept;
    return LATHE_OK;
}

/* NULL: no memory, in a document that was opened or is being made. */
static const own_types *types_of(lathe_doc *doc, uint32_t c)
{
    const own_types *all;
    find_types(doc, c, &all);
    return all;
}

static const rec_type *own_type(lathe_doc *doc, uint32_t c, uint64_t i)
{
    const own_types *all = types_of(doc, c);
    return all && i < all->n ? &all->types[i].type : NULL;
}

/* ---- objects --------------------------------------------------------------------------------------------------- */

static const rec_type *named(lathe_doc *doc, uint32_t c, const char *name, size_t n)
{
    const own_types *all = types_of(doc, c);
    for (uint64_t i = 0; all && i < all->n; i++)
        if (strlen(rec_type_name(&all->types[i].type)) == n &&
            memcmp(rec_type_name(&all->types[i].type), name, n) == 0)
            return &all->types[i].type;
    return all ? &made_up_own_opaque : NULL;
}

static uint8_t kind_of(lathe_doc *doc, uint32_t part)
{
    rec_at root = rec_root(doc, doc->parts[part].container);
    rec_loc kind;
    return rec_find_item(&root, KIND, rec_kid_index(doc, part), &kind, NULL) == LATHE_OK
               ? rec_part_of(doc, root.part)->data[kind.off]
               : 0xFF;
}

static const rec_type *part_type(lathe_doc *doc, uint32_t part)
{
    const rec_part *p = &doc->parts[part];
    const rec_type *type = p->label ? named(doc, p->container, p->label, strlen(p->label))
                                    : own_type(doc, p->container, kind_of(doc, part));
    return type || !types_of(doc, p->container) ? type : &made_up_own_opaque;
}

static const rec_type *type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n)
{
    char *label = arena_zalloc(&doc->arena, n + 1);
    if (!label)
        return NULL;
    if (n)
        memcpy(label, name, n);
    doc->parts[part].label = label;
    return named(doc, doc->parts[part].container, label, n);
}

#define FIXED .flags = REC_READONLY, .why = "objects are of the types"

typedef struct sizes {
    const own_types *all;
    const uint8_t *kinds;
} sizes;

static uint64_t size_of(void *user, uint64_t i)
{
    const sizes *s = user;
    return s->kinds[i] < s->all->n ? s->all->types[s->kinds[i]].type.size : 0;
}

static lathe_result open_own(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    rec_loc objects, kind;
    if (rec_part_of(doc, at.part)->size < 4 || memcmp(rec_part_of(doc, at.part)->data, "OWNT", 4))
        return rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    lathe_result r = rec_find(&at, KIND, &kind, err);
    if (r == LATHE_OK)
        r = rec_find(&at, OBJECTS, &objects, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = (uint64_t)rec_slot_int(&at, OBJECT_COUNT), end = objects.off;
    sizes s = {NULL, rec_part_of(doc, at.part)->data + kind.data};
    r = find_types(doc, c, &s.all);
    if (r == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (r != LATHE_OK)
        return rec_fail(&at, TYPES, 0, err, LATHE_ERR_INVALID, "types that make no sense");
    r = rec_split_sizes(doc, at.part, end, OBJECTS, n, size_of, &s, &end, err);
    return r == LATHE_OK ? rec_split_tail(doc, at.part, objects.off, end, OBJECTS + 1, err) : r;
}

/* New objects get the number of their type. */
static lathe_result relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    const own_types *all = types_of(doc, c);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < rec_kids(doc, at.part, OBJECTS); i++) {
        uint32_t part = rec_kid(doc, at.part, OBJECTS, i);
        const char *label = doc->parts[part].label;
        const rec_type *type = label ? named(doc, c, label, strlen(label)) : NULL;
        if (!label)
            continue;
        if (!all || !type)
            r = rec_no_memory(err);
        else if (type == &made_up_own_opaque)
            r = doc->depth > 1 ? LATHE_OK
                               : rec_fail(&at, OBJECTS, 0, err, LATHE_ERR_NAME,
                                          "the file has no type '%s'", label);
        else
            r = rec_put_raw(&at, KIND, i, (uint64_t)(made_of(type) - all->types), err);
    }
    return r;
}

static int sniff(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "OWNT", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const extensions[] = {"own", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_own = {
    .name = "own",
    .doc = "Objects of types of the file's own",
    .extensions = extensions,
    .games = games,
    .root = &made_up_own_root,
    .own_type = own_type,
    .sniff = sniff,
    .open = open_own,
    .part_type = part_type,
    .type_named = type_named,
    .relayout = relayout,
};
