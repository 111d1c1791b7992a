/* Layouts: record types laid out for a container, so that most field accesses need only arithmetic. */
#include "record/record.h"

const char rec_argument[] = "(the layout's argument)";
const rec_condition rec_no_condition;
const rec_rare rec_no_rare;
const rec_hooks rec_no_hooks;
const rec_stated rec_no_stated;

bool rec_is_argument(const rec_field *row)
{
    return rec_row_bits_of(row) == rec_argument;
}

uint64_t rec_argument_default(const rec_type *type)
{
    uint64_t arg = 0;
    for (uint32_t i = 0; i < rec_row_count(type); i++) {
        const rec_field *row = rec_row(type, i);
        if (rec_is_argument(row))
            arg |= (uint64_t)rec_row_init(row) << row->low;
    }
    return arg;
}

uint32_t rec_row_count(const rec_type *type)
{
    uint32_t n = 0;
    for (; type; type = rec_type_base(type))
        n += type->count;
    return n;
}

const rec_field *rec_row(const rec_type *type, uint32_t i)
{
    for (; type; type = rec_type_base(type)) {
        uint32_t inherited = rec_row_count(rec_type_base(type));
        if (i >= inherited)
            return i - inherited < type->count ? &rec_type_rows(type)[i - inherited] : NULL;
    }
    return NULL;
}

bool rec_is_a(const rec_type *type, const rec_type *base)
{
    while (type && type != base)
        type = rec_type_base(type);
    return type != NULL;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a[0] == b[0] && strcmp(a, b) == 0);
}

uint32_t rec_slot_hashed(const rec_layout *layout, const char *name, uint32_t hash)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        const rec_slot *s = &layout->slots[i];
        if (s->hash == hash && (s->name == name || strcmp(s->name, name) == 0))
            return s->same;
    }
    return REC_NO_SLOT;
}

/* The nearest earlier row with a name of n bytes: counts and conditions are usually just before the rows that use
 * them. */
static uint32_t earlier_n(const rec_layout *layout, uint32_t before, const char *name, size_t n)
{
    uint32_t found = REC_NO_SLOT, hash = rec_name_hash(name, n);
    while (before-- > 0) {
        const rec_slot *s = &layout->slots[before];
        if (s->hash != hash || strncmp(s->name, name, n) != 0 || s->name[n])
            continue;
        if (!s->never)
            return before;
        found = found == REC_NO_SLOT ? before : found;
    }
    return found;
}

static uint32_t earlier(const rec_layout *layout, uint32_t before, const char *name)
{
    return name ? earlier_n(layout, before, name, strlen(name)) : REC_NO_SLOT;
}

/* Whether records of this layout lack the row. */
static bool is_absent(const rec_layout *l, const rec_slot *s, int64_t version)
{
    return s->never || (l->type->flags & REC_ALIGNED && !rec_in_version(s->row, version));
}

/* Links rows of the same name to the one that records of this layout have. */
static void link_names(rec_layout *l, int64_t version)
{
    uint64_t there = 0; /* a bit for each name that is present, from its hash */
    for (uint32_t i = 0; i < l->count; i++)
        there |= is_absent(l, &l->slots[i], version) ? 0 : (uint64_t)1 << (l->slots[i].hash >> 26);
    for (uint32_t i = 0; i < l->count; i++) {
        rec_slot *s = &l->slots[i];
        s->same = i;
        if (!is_absent(l, s, version) || !(there >> (s->hash >> 26) & 1))
            continue;
        for (uint32_t k = 0; k < l->count; k++)
            if (l->slots[k].hash == s->hash && !is_absent(l, &l->slots[k], version) &&
                same_name(l->slots[k].name, s->name))
                s->same = k;
    }
}

static uint32_t alignment_of(const rec_layout *sub, uint32_t rows)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < rows; i++)
        if (sub->slots[i].alignment > most)
            most = sub->slots[i].alignment;
    return most;
}

/* The size of a head, and its alignment. */
static uint32_t size_head(const rec_body *body, uint8_t pointer, uint32_t *alignment)
{
    *alignment = body->wide ? pointer : body->width;
    return body->wide && pointer == 8 ? body->wide : body->width;
}

static uint64_t aligned(uint64_t at, uint32_t to)
{
    return (at + to - 1) / to * to;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return a && b > (UINT64_MAX - 1) / a ? REC_DYNAMIC : a * b;
}

/* Sets the size of one element, without the count. */
static bool size_element(lathe_doc *doc, uint32_t container, rec_slot *s)
{
    const rec_field *row = s->row;
    uint8_t pointer = doc->containers[container].pointer;
    s->alignment = 1;
    if (row->text) {
        s->elem = s->elem_min = s->head = size_head(rec_row_text(row), pointer, &s->alignment);
        return true;
    }
    if (row->kind == REC_POINTER) {
        s->elem = s->elem_min = s->alignment = pointer;
        return true;
    }
    if (rec_unstored(row)) {
        s->elem = s->elem_min = 0;
        s->sub = row->kind == REC_RECORD ? rec_layout_of(doc, container, rec_row_type(row)) : NULL;
        return row->kind != REC_RECORD || s->sub;
    }
    switch (row->kind) {
    case REC_STR:
        s->elem = row->size && !row->prefix ? row->size : REC_DYNAMIC;
        if (row->body && !rec_is_array(row))
            s->elem = 1;
        s->elem_min = row->prefix ? (uint64_t)(row->prefix < 0 ? -row->prefix : row->prefix)
                      : row->size ? row->size
                                  : 1;
        return true;
    case REC_BYTES: s->elem = s->elem_min = 1; return true;
    case REC_RECORD:
        s->elem = s->elem_min = 0;
        if (rec_row_rare(row)->embed)
            return true;
        s->sub = rec_layout_of(doc, container, rec_row_type(row));
        if (!s->sub)
            return false;
        s->varies = rec_row_rare(row)->arg != NULL;
        if (s->varies) {
            s->elem = REC_DYNAMIC;
            return true;
        }
        s->alignment = alignment_of(s->sub, s->sub->count);
        s->elem = s->sub->ready ? s->sub->size : REC_DYNAMIC; /* the type contains itself */
        s->elem_min = s->sub->ready ? s->sub->min_size : 0;
        return true;
    default: s->elem = s->elem_min = s->alignment = rec_width(row->kind); return true;
    }
}

/* Sets the size of the whole field, if fixed. Returns the least number of bytes when present. */
static uint64_t size_field(rec_slot *s, uint8_t pointer, bool aligned)
{
    const rec_field *row = s->row;
    uint64_t least = s->elem_min;
    s->size = s->elem;
    if (rec_row_group(row))
        /* it takes no bytes, but varies because its elements are stored elsewhere */
        s->size = REC_DYNAMIC;
    if (rec_unstored(row))
        return 0;
    if (row->flags & REC_PART) {
        s->size = least = 0; /* it takes no bytes */
    } else if (row->body) {
        s->size = least = s->head = size_head(rec_row_body(row), pointer, &s->alignment);
    } else if (row->n) {
        s->size = s->elem == REC_DYNAMIC ? REC_DYNAMIC : times(row->n, s->elem);
        least = times(row->n, s->elem_min);
    } else if (s->array || row->kind == REC_BYTES) {
        s->size = REC_DYNAMIC;
        least = 0;
    }
    s->alignment = row->align > s->alignment ? row->align : s->alignment;
    s->conditional =
        rec_row_when(row) || rec_row_condition(row)->when_fn ||
        (!aligned && (rec_row_condition(row)->since || rec_row_condition(row)->before));
    if (s->conditional) {
        s->size = REC_DYNAMIC;
        least = 0;
    }
    return least;
}

static bool is_fixed(const rec_slot *s)
{
    const rec_field *row = s->row;
    return s->size != REC_DYNAMIC && !s->conditional && !s->varies && !row->body && !row->text &&
           !(row->flags & REC_PART);
}

/* Offset of a row after `at` bytes of the record; `derived`: the rows before it are padded like a record of their own.
 * REC_DYNAMIC: it varies. */
static uint64_t offset_of(const rec_layout *l, const rec_slot *s, uint64_t at, bool derived,
                          const rec_setting *in)
{
    if (l->type->flags & REC_OFFSETS)
        return rec_row_rare(s->row)->place ? rec_row_rare(s->row)->place(in) : s->row->off;
    if (at == REC_DYNAMIC || !(l->type->flags & REC_ALIGNED))
        return at;
    if (derived)
        at = aligned(at, alignment_of(l, (uint32_t)(s - l->slots)));
    return aligned(at, s->alignment);
}

/* Links a group row (.group) to the array that contains its elements, and all arrays of the group to it. */
static void link_group(rec_layout *l, uint32_t slot)
{
    rec_slot *s = &l->slots[slot];
    if (!rec_row_group(s->row) ||
        (s->anchor = earlier(l, slot, rec_row_group(s->row))) == REC_NO_SLOT)
        return;
    s->elem = l->slots[s->anchor].elem;
    l->slots[s->anchor].group = slot;
    for (uint32_t i = 0; i < rec_row_count(rec_row_type(s->row)); i++) {
        uint32_t column = earlier(l, slot, rec_row_column(rec_row(rec_row_type(s->row), i)));
        if (column != REC_NO_SLOT)
            l->slots[column].group = slot;
    }
}

/* Finds the key and value rows of a keyed array by the type of its elements, whose layout may not be ready. */
static void link_key(rec_slot *s)
{
    const rec_type *t = rec_row_type(s->row);
    for (uint32_t i = 0; rec_row_key(s->row) && t && i < rec_row_count(t); i++) {
        if (strcmp(rec_row_name(rec_row(t, i)), rec_row_key(s->row)) == 0)
            s->key = i;
        if (rec_row_value(s->row) &&
            strcmp(rec_row_name(rec_row(t, i)), rec_row_value(s->row)) == 0)
            s->value = i;
    }
}

/* Marks the rows that a row's hooks read, from a list of names. */
static void link_uses(rec_layout *l, uint32_t slot)
{
    for (const char *p = rec_row_uses(l->slots[slot].row), *end; p && *p;
         p = *end ? end + 1 : end) {
        end = strchr(p, ' ');
        end = end ? end : p + strlen(p);
        uint32_t uses = earlier_n(l, slot, p, (size_t)(end - p));
        if (uses != REC_NO_SLOT)
            l->slots[uses].selects = true;
    }
}

static void link_slots(rec_layout *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        rec_slot *s = &l->slots[i];
        s->count_slot = earlier(l, i, rec_row_by(s->row));
        s->when_slot = earlier(l, i, rec_row_when(s->row));
        if (s->count_slot != REC_NO_SLOT && l->slots[s->count_slot].counts == REC_NO_SLOT)
            l->slots[s->count_slot].counts = i;
        if (s->when_slot != REC_NO_SLOT)
            l->slots[s->when_slot].selects = true;
        link_uses(l, i);
    }
    for (uint32_t i = 0; i < l->count; i++) {
        link_group(l, i);
        link_key(&l->slots[i]);
    }
}

/* Whether a layout has only scalars, and texts after their lengths, so that reading through it is cheap. */
static bool is_brief(const rec_layout *l)
{
    enum { MOST = 4 };
    bool brief = l->count <= MOST;
    for (uint32_t i = 0; brief && i < l->count; i++) {
        const rec_slot *s = &l->slots[i];
        bool text = s->row->kind == REC_STR && s->row->prefix && !s->row->body && !s->array;
        brief = !s->conditional && (text || s->size != REC_DYNAMIC);
    }
    return brief;
}

static void list_rows(rec_layout *l, const rec_type *type)
{
    uint32_t at = l->count;
    for (; type; type = rec_type_base(type))
        for (uint32_t i = type->count; i-- > 0;) {
            rec_slot *s = &l->slots[--at];
            s->row = &rec_type_rows(type)[i];
            s->name = rec_row_name(s->row);
            s->hash = rec_name_hash(s->name, strlen(s->name));
        }
}

static bool fill_rows(lathe_doc *doc, rec_layout *l)
{
    const rec_type *type = l->type;
    uint64_t at = 0, least = 0;
    const rec_container *c = &doc->containers[l->container];
    bool big = c->big, arranged = (type->flags & REC_ALIGNED) != 0, derived = false;
    uint8_t pointer = c->pointer;
    int64_t version = c->version;
    const rec_setting in = {version, type, l->arg, pointer};
    list_rows(l, type);
    l->fields = 0;
    l->embeds = REC_NO_SLOT;
    l->only_texts = true;
    for (uint32_t i = 0; i < l->count; i++) {
        rec_slot *s = &l->slots[i];
        s->counts = s->anchor = s->group = s->key = s->value = REC_NO_SLOT;
        s->array = rec_is_array(s->row);
        s->big = s->row->flags & REC_BIG ? true : s->row->flags & REC_LITTLE ? false : big;
        s->never = rec_row_condition(s->row)->only && !rec_row_condition(s->row)->only(&in);
        derived =
            derived || s->row->flags & REC_DERIVED; /* of a row that is absent: the next one */
        if (s->never) {
            s->conditional = true; /* and takes no bytes */
            s->off = type->flags & REC_OFFSETS ? 0 : at;
            s->size = s->elem = s->elem_min = 0;
            s->alignment = 1;
            s->varies = false;
            continue;
        }
        l->fields++;
        if (!size_element(doc, l->container, s))
            return false;
        l->recursive = l->recursive || (s->sub && (!s->sub->ready || s->sub->recursive));
        least += size_field(s, pointer, arranged);
        if (arranged && !rec_in_version(s->row, version)) {
            s->conditional = true; /* and takes no bytes */
            s->size = 0;
            s->alignment = 1;
            s->off = at;
            continue;
        }
        bool out_of_line = s->row->body || s->row->text || s->row->kind == REC_POINTER ||
                           s->row->flags & REC_PART || rec_row_column(s->row) ||
                           (s->sub && s->sub->has_out_of_line);
        l->has_out_of_line = l->has_out_of_line || out_of_line;
        l->only_texts = l->only_texts && (!out_of_line || (s->row->text && !s->array));
        if (s->row->flags & REC_PART) /* followed by other parts, it is split off by .open */
            l->embeds = rec_embeds(s->row) ? i : REC_NO_SLOT;
        l->has_argument = l->has_argument || rec_is_argument(s->row);
        l->derives = l->derives || rec_row_rare(s->row)->derive ||
                     (s->sub && (!s->sub->ready || s->sub->derives));
        l->has_references =
            l->has_references || s->row->ref || s->row->codec || (s->sub && s->sub->has_references);
        s->fixed = is_fixed(s);
        s->off = offset_of(l, s, at, derived, &in);
        derived = derived && rec_unstored(s->row);
        at = s->off == REC_DYNAMIC || s->size == REC_DYNAMIC ? REC_DYNAMIC : s->off + s->size;
    }
    if (type->flags & REC_OFFSETS)
        at = least = rec_type_hooks(type)->extent ? rec_type_hooks(type)->extent(&in) : type->size;
    if (arranged && at != REC_DYNAMIC)
        at = least =
            aligned(at ? at : 1, alignment_of(l, l->count)); /* an empty struct takes a byte */
    l->size = at;
    l->min_size = least;
    l->brief = is_brief(l);
    link_names(l, version);
    link_slots(l);
    for (uint32_t i = 0; i < l->count; i++) /* another row of the name is listed instead */
        l->fields -= !l->slots[i].never && l->slots[i].same != i;
    return true;
}

/* Lays out the rows. If memory runs out, this layout, and those made meanwhile that contain it, stay incomplete, and
 * are laid out again on next use. */
static bool fill(lathe_doc *doc, rec_layout *l)
{
    rec_container *c = &doc->containers[l->container];
    l->number = ++c->layouts_begun;
    l->filling = true;
    l->ready = fill_rows(doc, l);
    l->filling = false;
    for (size_t i = 0; !l->ready && i < c->layouts_cap; i++)
        if (c->layouts[i] && c->layouts[i]->number > l->number && c->layouts[i]->recursive)
            c->layouts[i]->ready = false;
    return l->ready;
}

static size_t hash_of(const void *type, uint64_t arg, uint32_t slot, size_t cap)
{
    uint64_t h = ((uintptr_t)type >> 4) * 0x9E3779B97F4A7C15u ^ arg * 0xD6E8FEB86659FD93u ^
                 slot * (uint64_t)0x85EBCA6Bu;
    return (size_t)(h ^ h >> 32) & (cap - 1);
}

static bool grow_layouts(lathe_doc *doc, rec_container *c)
{
    size_t cap = c->layouts_cap ? c->layouts_cap * 2 : 32;
    rec_layout **table = mem_zalloc(&doc->mem, cap * sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < c->layouts_cap; i++) {
        if (!c->layouts[i])
            continue;
        size_t at = hash_of(c->layouts[i]->type, c->layouts[i]->arg, 0, cap);
        while (table[at])
            at = (at + 1) & (cap - 1);
        table[at] = c->layouts[i];
    }
    mem_free(&doc->mem, c->layouts, c->layouts_cap * sizeof *table);
    c->layouts = table;
    c->layouts_cap = cap;
    return true;
}

const rec_layout *rec_layout_for(lathe_doc *doc, uint32_t container, const rec_type *type,
                                 uint64_t arg)
{
    rec_container *c = &doc->containers[container];
    if (2 * (c->layouts_n + 1) > c->layouts_cap && !grow_layouts(doc, c))
        return NULL;
    size_t at = hash_of(type, arg, 0, c->layouts_cap);
    for (rec_layout *l; (l = c->layouts[at]); at = (at + 1) & (c->layouts_cap - 1))
        if (l->type == type && l->arg == arg) /* fill may reallocate the table */
            return l->ready || l->filling || fill(doc, l) ? l : NULL;
    uint32_t count = rec_row_count(type);
    rec_layout *l = arena_zalloc(&doc->arena, sizeof *l + count * sizeof l->slots[0]);
    if (!l)
        return NULL;
    l->type = type;
    l->arg = arg;
    l->container = container;
    l->count = count;
    c->layouts[at] = l; /* before its rows, because the type may contain itself */
    c->layouts_n++;
    return fill(doc, l) ? l : NULL;
}

const rec_layout *rec_layout_of(lathe_doc *doc, uint32_t container, const rec_type *type)
{
    return rec_layout_for(doc, container, type, 0);
}

/* ---- rows that vary from record to record ---------------------------------------------------------- */

static bool grow_variants(lathe_doc *doc, rec_container *c)
{
    size_t cap = c->variants_cap ? c->variants_cap * 2 : 16;
    rec_variant **table = mem_zalloc(&doc->mem, cap * sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < c->variants_cap; i++) {
        rec_variant *v = c->variants[i];
        if (!v)
            continue;
        size_t at = hash_of(v->layout, v->arg, v->slot, cap);
        while (table[at])
            at = (at + 1) & (cap - 1);
        table[at] = v;
    }
    mem_free(&doc->mem, c->variants, c->variants_cap * sizeof *table);
    c->variants = table;
    c->variants_cap = cap;
    return true;
}

/* Its index in the hash table, or the free entry for it. */
static size_t variant_at(const rec_container *c, const rec_layout *layout, uint32_t slot,
                         uint64_t arg)
{
    size_t at = hash_of(layout, arg, slot, c->variants_cap);
    for (; c->variants[at]; at = (at + 1) & (c->variants_cap - 1))
        if (c->variants[at]->layout == layout && c->variants[at]->slot == slot &&
            c->variants[at]->arg == arg)
            break;
    return at;
}

/* Finds or makes a variant. Finding one allocates no memory. */
static const rec_slot *variant(lathe_doc *doc, const rec_layout *layout, uint32_t slot,
                               uint64_t arg)
{
    rec_container *c = &doc->containers[layout->container];
    const rec_slot *general = &layout->slots[slot];
    size_t at = c->variants_cap ? variant_at(c, layout, slot, arg) : 0;
    if (c->variants_cap && c->variants[at])
        return &c->variants[at]->as;
    bool room = 2 * (c->variants_n + 1) <= c->variants_cap || grow_variants(doc, c);
    const rec_layout *sub =
        room ? rec_layout_for(doc, layout->container, rec_row_type(general->row), arg) : NULL;
    rec_variant *made = sub ? arena_zalloc(&doc->arena, sizeof *made) : NULL;
    if (!made) {
        doc->variant_lost = true; /* makes an edit fail at its end */
        return general;
    }
    at = variant_at(c, layout, slot, arg);
    *made = (rec_variant){.layout = layout, .slot = slot, .arg = arg, .as = *general};
    made->as.sub = sub;
    made->as.varies = false;
    made->as.elem = sub->ready ? sub->size : REC_DYNAMIC;
    made->as.elem_min = sub->ready ? sub->min_size : 0;
    made->as.size = made->as.array || made->as.conditional ? REC_DYNAMIC : made->as.elem;
    c->variants[at] = made;
    c->variants_n++;
    return &made->as;
}

const rec_slot *rec_variant_of(const rec_at *at, uint32_t slot)
{
    return variant(at->doc, at->layout, slot, rec_row_rare(at->layout->slots[slot].row)->arg(at));
}

bool rec_resizable(const rec_layout *layout, uint32_t slot)
{
    const rec_slot *s = &layout->slots[slot];
    if (s->anchor != REC_NO_SLOT)
        return layout->slots[s->anchor].count_slot != REC_NO_SLOT;
    if (s->row->flags & REC_READONLY || rec_unstored(s->row) || s->group != REC_NO_SLOT)
        return false;
    return s->count_slot != REC_NO_SLOT || (s->row->flags & REC_REST && !s->row->n) ||
           (s->row->body && rec_row_body(s->row)->recount);
}
