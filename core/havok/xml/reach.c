#include "havok/xml/reach.h"

#include "havok/packfile/members.h"

void hk_xml_reach_open(hk_xml_reach *reach, const mem *m, int64_t version)
{
    *reach = (hk_xml_reach){.mem = m, .version = version};
}

void hk_xml_reach_close(hk_xml_reach *reach)
{
    const mem *m = reach->mem;
    mem_free(m, reach->types.table, reach->types.cap * sizeof *reach->types.table);
    mem_free(m, reach->names.table, reach->names.cap * sizeof *reach->names.table);
    mem_free(m, reach->left, reach->left_cap * sizeof *reach->left);
}

static const void **slot_for(const hk_xml_set *set, const void *what)
{
    size_t at = ((uintptr_t)what >> 3) * 0x9E3779B1u & (set->cap - 1);
    while (set->table[at] && set->table[at] != what)
        at = (at + 1) & (set->cap - 1);
    return &set->table[at];
}

/* *fresh: it was not in the set. False: no memory. */
static bool add(const mem *m, hk_xml_set *set, const void *what, bool *fresh)
{
    if (2 * (set->n + 1) > set->cap) {
        hk_xml_set more = {.n = set->n, .cap = set->cap ? set->cap * 2 : 64};
        more.table = mem_zalloc(m, more.cap * sizeof *more.table);
        if (!more.table)
            return false;
        for (size_t i = 0; i < set->cap; i++)
            if (set->table[i])
                *slot_for(&more, set->table[i]) = set->table[i];
        mem_free(m, set->table, set->cap * sizeof *set->table);
        *set = more;
    }
    const void **slot = slot_for(set, what);
    *fresh = !*slot;
    set->n += *fresh;
    *slot = what;
    return true;
}

static bool add_type(hk_xml_reach *reach, const rec_type *type)
{
    void *left = reach->left;
    bool fresh;
    if (!type)
        return true;
    type = rec_type_stored(type, reach->version);
    if (!add(reach->mem, &reach->types, type, &fresh))
        return false;
    if (!fresh)
        return true;
    if (!mem_reserve(reach->mem, &left, &reach->left_cap, reach->left_n + 1, sizeof *reach->left))
        return false;
    reach->left = left;
    reach->left[reach->left_n++] = type;
    return true;
}

/* Also of members that are not saved. */
static bool look_at(hk_xml_reach *reach, const rec_type *type)
{
    bool ok = add_type(reach, rec_type_base(type)), fresh;
    const rec_field *rows = rec_type_rows(type);
    hk_member m;
    for (uint32_t i = 0; ok && i < type->count; i++)
        if (rec_in_version(&rows[i], reach->version) && hk_member_of(&rows[i], reach->version, &m))
            ok = add_type(reach, m.type) &&
                 (!m.names || add(reach->mem, &reach->names, m.names, &fresh));
    return ok;
}

bool hk_xml_reach_add(hk_xml_reach *reach, const rec_type *type)
{
    bool ok = add_type(reach, type);
    while (ok && reach->left_n)
        ok = look_at(reach, reach->left[--reach->left_n]);
    return ok;
}

uint32_t hk_xml_reach_top(const hk_xml_reach *reach)
{
    return (uint32_t)(1 + reach->types.n + reach->names.n);
}
