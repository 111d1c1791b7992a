/* PTCH: which fields hold an item's number. Groups of a type's id, a count and so many offsets in DATA; groups in the order of
 * their types, offsets ascending. Reference: formats/havok-tagfile.md#7. */
#include "tagfile/patches.h"

/* ---- groups -------------------------------------------------------------------------------------------- */

bool tag_group_next(lathe_doc *doc, uint32_t c, uint64_t *at, tag_group *out)
{
    const rec_part *p = rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES));
    if (!*at)
        *at = TAG_HEADER;
    if (*at > p->size || p->size - *at < TAG_GROUP_HEAD)
        return false;
    *out = (tag_group){bytes_ld32(p->data + *at, false), bytes_ld32(p->data + *at + 4, false), *at};
    uint64_t size = TAG_GROUP_HEAD + 4 * (uint64_t)out->count;
    if (!out->type || size > p->size - *at)
        return false;
    *at += size;
    return true;
}

uint32_t tag_patch_at(lathe_doc *doc, uint32_t c, uint64_t entry)
{
    return bytes_ld32(rec_part_of(doc, tag_part_of(doc, c, TAG_PATCHES))->data + entry, false);
}

/* ---- which field an item is led to by ------------------------------------------------------------------ */

static bool make_room(lathe_doc *doc, tag_state *s, uint32_t n)
{
    void *leads = s->leads;
    if (!mem_reserve(&doc->mem, &leads, &s->leads_cap, (size_t)n + 1, sizeof *s->leads))
        return false;
    s->leads = leads;
    memset(s->leads, 0, n * sizeof *s->leads);
    s->leads_n = n;
    return true;
}

static void take_entry(lathe_doc *doc, uint32_t c, tag_state *s, uint64_t entry)
{
    uint32_t part;
    uint64_t off;
    if (!tag_place(doc, c, tag_patch_at(doc, c, entry), &part, &off) ||
        rec_part_of(doc, part)->size - off < 4)
        return;
    uint32_t number = bytes_ld32(rec_part_of(doc, part)->data + off, false);
    if (!number || number >= s->leads_n)
        return;
    if (!s->leads[number].fields++)
        s->leads[number].entry = (uint32_t)entry;
}

const tag_lead *tag_leads(lathe_doc *doc, uint32_t c, uint32_t *n)
{
    tag_state *s = tag_state_of(doc, c);
    tag_group g;
    *n = 0;
    if (!s->led || s->led_at != doc->changes) {
        if (!rec_places(doc) || !make_room(doc, s, tag_item_count(doc, c)))
            return NULL;
        for (uint64_t at = 0; tag_group_next(doc, c, &at, &g);)
            for (uint32_t i = 0; i < g.count; i++)
                take_entry(doc, c, s, g.at + TAG_GROUP_HEAD + 4 * (uint64_t)i);
        s->led = true;
        s->led_at = doc->changes;
    }
    *n = s->leads_n;
    return s->leads;
}

bool tag_lead_of(lathe_doc *doc, uint32_t c, uint32_t item, uint64_t *position)
{
    uint32_t n;
    const tag_lead *leads = tag_leads(doc, c, &n);
    if (!leads || item >= n || !leads[item].fields)
        return false;
    *position = tag_patch_at(doc, c, leads[item].entry);
    return true;
}
