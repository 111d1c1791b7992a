#include "havok/behavior/holds.h"

#include <string.h>

bool hk_holds_generators(const rec_type *type)
{
    return rec_is_a(type, &hkb_generator) || type == &hkb_blender_generator_child ||
           type == &hkb_state_machine_state_info || type == &hkb_layer ||
           type == &hkb_registered_generator || type == &bs_bone_switch_generator_bone_data;
}

static bool is_down(const rec_field *row)
{
    if (row->kind != REC_POINTER || row->flags & REC_IGNORED || rec_unstored(row))
        return false;
    const rec_type *to = rec_row_type(row);
    return to && hk_holds_generators(to) && !rec_is_a(to, &hkb_transition_effect);
}

static lathe_result visit(const rec_at *at, int depth, hk_each_down *each, void *user,
                          lathe_error *err)
{
    enum { MOST_DEPTH = 4 };
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < at->layout->count; i++) {
        const rec_slot *slot = &at->layout->slots[i];
        hk_down d = {.at = *at, .slot = i};
        rec_loc loc;
        rec_at inner;
        bool record = slot->row->kind == REC_RECORD && slot->sub && depth < MOST_DEPTH &&
                      !rec_unstored(slot->row) && !(slot->row->flags & REC_IGNORED);
        if (slot->never || !(record || is_down(slot->row)))
            continue;
        r = rec_find(at, i, &loc, err);
        uint64_t n = r != LATHE_OK || !loc.present ? 0 : slot->array ? loc.count : 1;
        for (; r == LATHE_OK && d.item < n; d.item++) {
            if (record) {
                r = rec_sub(at, i, d.item, &inner, err);
                if (r == LATHE_OK)
                    r = visit(&inner, depth + 1, each, user, err);
                continue;
            }
            r = hk_read_target(at, rec_row_name(slot->row), d.item, &d.part, err);
            if (r == LATHE_OK)
                r = each(user, &d, err);
        }
    }
    return r;
}

lathe_result hk_down_each(const rec_at *object, hk_each_down *each, void *user, lathe_error *err)
{
    return visit(object, 0, each, user, err);
}

bool hk_is_held(const hk_down *d)
{
    if (d->part == REC_NO_PART)
        return false;
    rec_at at = hk_object(d->at.doc, d->part);
    return at.layout && rec_is_a(at.layout->type, rec_row_type(d->at.layout->slots[d->slot].row)) &&
           !rec_is_a(at.layout->type, &hkb_transition_effect);
}

typedef struct search {
    uint8_t *seen; /* by part */
    buf queue;     /* uint32_t: parts whose pointers are still to be followed */
} search;

static lathe_result add(void *user, const hk_down *d, lathe_error *err)
{
    search *s = user;
    if (!hk_is_held(d) || s->seen[d->part])
        return LATHE_OK;
    s->seen[d->part] = 1;
    return buf_put(&s->queue, &d->part, sizeof d->part) ? LATHE_OK : rec_no_memory(err);
}

lathe_result hk_leads_to(lathe_doc *doc, uint32_t from, uint32_t to, bool *out, lathe_error *err)
{
    size_t parts = doc->parts_n;
    search s = {.seen = mem_zalloc(&doc->mem, parts + 1)};
    buf_init(&s.queue, &doc->mem);
    bool ok = s.seen && buf_put(&s.queue, &from, sizeof from);
    lathe_result r = ok ? LATHE_OK : rec_no_memory(err);
    if (ok)
        s.seen[from] = 1;
    while (r == LATHE_OK && s.queue.size && !s.seen[to]) {
        uint32_t part;
        s.queue.size -= sizeof part;
        memcpy(&part, s.queue.data + s.queue.size, sizeof part);
        rec_at at = hk_object(doc, part);
        r = at.layout ? hk_down_each(&at, add, &s, err) : rec_no_memory(err);
    }
    *out = r == LATHE_OK && s.seen[to];
    buf_free(&s.queue);
    mem_free(&doc->mem, s.seen, parts + 1);
    return r;
}
