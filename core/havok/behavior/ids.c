/* The members of a document's objects that refer to events, variables and states. The schema says which they are. */
#include "havok/behavior/graph.h"

#include <string.h>

enum { MEMO = 256, MOST_DEPTH = 16 };

typedef struct walk {
    unsigned codes;
    hk_each_id *each;
    void *user;
    /* Whether records of a type have such members: answers for the types that came last. */
    const rec_type *types[MEMO];
    bool have[MEMO];
} walk;

static bool is_id(const rec_field *row)
{
    return row->code >= HK_ID_EVENT && row->code < HK_ID_END && !rec_unstored(row);
}

static bool has_ids(walk *w, const rec_layout *layout, int depth);

static bool row_has(walk *w, const rec_slot *slot, int depth)
{
    if (slot->never || slot->row->flags & REC_IGNORED || rec_unstored(slot->row))
        return false;
    return is_id(slot->row) || (slot->row->kind == REC_RECORD && slot->sub && depth < MOST_DEPTH &&
                                has_ids(w, slot->sub, depth + 1));
}

static bool has_ids(walk *w, const rec_layout *layout, int depth)
{
    size_t at = ((uintptr_t)layout->type >> 4) % MEMO;
    if (w->types[at] == layout->type)
        return w->have[at];
    bool has = false;
    for (uint32_t i = 0; !has && i < layout->count; i++)
        has = row_has(w, &layout->slots[i], depth);
    w->types[at] = layout->type;
    w->have[at] = has;
    return has;
}

/* Bindings may refer to properties of the character instead, by the same member. */
static bool is_of_property(const rec_at *at, const rec_field *row)
{
    return row->code == HK_ID_VARIABLE && at->layout->type == &hkb_variable_binding_set_binding &&
           rec_int(at, "binding_type") != 0;
}

static lathe_result take(walk *w, const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    hk_id id = {.at = *at, .slot = slot, .code = row->code};
    lathe_result r = LATHE_OK;
    if (!(w->codes & HK_ID_BIT(row->code)) || is_of_property(at, row))
        return r;
    for (; r == LATHE_OK && id.item < n; id.item++) {
        uint64_t raw = 0;
        if (row->code != HK_ID_NAMES)
            r = rec_raw(at, slot, id.item, &raw, err);
        id.value = (int32_t)(uint32_t)raw;
        if (r == LATHE_OK)
            r = w->each(w->user, &id, err);
    }
    return r;
}

static lathe_result visit(walk *w, const rec_at *at, int depth, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < at->layout->count; i++) {
        const rec_slot *slot = &at->layout->slots[i];
        rec_loc loc;
        rec_at inner;
        if (!row_has(w, slot, depth))
            continue;
        r = rec_find(at, i, &loc, err);
        if (r != LATHE_OK || !loc.present)
            continue;
        uint64_t n = slot->array ? loc.count : 1;
        if (is_id(slot->row)) {
            r = take(w, at, i, n, err);
            continue;
        }
        for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
            r = rec_sub(at, i, k, &inner, err);
            if (r == LATHE_OK)
                r = visit(w, &inner, depth + 1, err);
        }
    }
    return r;
}

lathe_result hk_ids_each(lathe_doc *doc, uint32_t c, unsigned codes, hk_each_id *each, void *user,
                         lathe_error *err)
{
    uint64_t n;
    bool opens;
    lathe_result r = LATHE_OK;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    walk w = {.codes = codes, .each = each, .user = user};
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = hk_object_look(doc, objects[i], &opens, err);
        if (r != LATHE_OK || !opens)
            continue;
        rec_at at = hk_object(doc, objects[i]);
        if (has_ids(&w, at.layout, 0) && !rec_is_a(at.layout->type, &hkb_sequenced_data))
            r = visit(&w, &at, 0, err);
    }
    return r;
}

lathe_result hk_id_put(const hk_id *id, int64_t value, lathe_error *err)
{
    return rec_put_raw(&id->at, id->slot, id->item, (uint32_t)(int32_t)value, err);
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '.';
}

static size_t skip(const char *text, size_t size, size_t i, bool word)
{
    while (i < size && is_word(text[i]) == word)
        i++;
    return i;
}

bool hk_text_word(const char *text, size_t size, size_t from, hk_word *out)
{
    size_t at = skip(text, size, from, false), end = skip(text, size, at, true), next = end;
    bool first = skip(text, size, 0, false) == at;
    while (next < size && text[next] == ' ')
        next++;
    bool sent = size - next >= 2 && memcmp(text + next, "if", 2) == 0 &&
                skip(text, size, next, true) == next + 2;
    bool last = next == size;
    *out = (hk_word){.at = at, .end = end};
    out->called = !last && text[next] == '(';
    out->event = first && (sent || last);
    out->variable = !first || !sent;
    return at < size;
}

bool hk_text_names(const char *text, size_t size, hk_named_kind kind, const char *name, size_t from,
                   size_t *at)
{
    size_t n = strlen(name);
    for (hk_word w; hk_text_word(text, size, from, &w); from = w.end) {
        if ((kind == HK_EVENTS ? w.event : w.variable) && w.end - w.at == n &&
            memcmp(text + w.at, name, n) == 0) {
            *at = w.at;
            return true;
        }
    }
    return false;
}
