/* .derive rows: a size or total that agreed with its record before an edit agrees after it. One that
 * did not is the file's own business and stays as it is. */
#include "record/record.h"

static lathe_result raw_signed(const rec_at *at, uint32_t slot, int64_t *out)
{
    lathe_value v;
    lathe_result r = rec_get(at, slot, true, &v, NULL);
    if (r == LATHE_OK && v.kind != LATHE_KIND_INT && v.kind != LATHE_KIND_UINT)
        r = LATHE_ERR_TYPE;
    if (r == LATHE_OK)
        *out = v.as.i;
    return r;
}

static void note(const rec_at *at, uint32_t depth)
{
    lathe_doc *doc = at->doc;
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_field *row = at->layout->slots[slot].row;
        lathe_view view = rec_view(at);
        int64_t stored, derived;
        bool known = false;
        if (!row->derive)
            continue;
        for (size_t i = 0; i < doc->derived_n && !known; i++)
            known = doc->derived[i].slot == slot && lathe_view_same(doc->derived[i].view, view);
        void *list = doc->derived;
        if (known)
            continue;
        if (!mem_reserve(&doc->mem, &list, &doc->derived_cap, doc->derived_n + 1,
                         sizeof *doc->derived)) {
            doc->derived_lost = true; /* the edit will fail at its end */
            return;
        }
        doc->derived = list;
        bool agreed = raw_signed(at, slot, &stored) == LATHE_OK && row->derive(at, &derived) &&
                      stored == derived;
        doc->derived[doc->derived_n++] = (rec_derived){view, slot, depth, agreed, false};
    }
}

void rec_derive_release(const rec_at *at, uint32_t slot)
{
    lathe_view view = rec_view(at);
    for (size_t i = 0; i < at->doc->derived_n; i++)
        if (at->doc->derived[i].slot == slot && lathe_view_same(at->doc->derived[i].view, view))
            at->doc->derived[i].agreed = false;
}

void rec_derive_note(lathe_doc *doc, uint32_t part, uint64_t off)
{
    uint32_t depth = 10 * REC_DEPTH;
    while (part != REC_NO_PART) {
        const rec_part *p = &doc->parts[part];
        const lathe_format *format = doc->containers[p->container].format;
        rec_at chain[REC_DEPTH];
        int n = format->derives && p->root ? rec_chain(doc, part, off, chain) : 0;
        while (n-- > 0)
            note(&chain[n], depth + (uint32_t)n);
        part = p->owner;
        off = 0; /* the row it hangs on is in the owner's first record */
        depth -= depth > REC_DEPTH ? REC_DEPTH : depth;
    }
}

lathe_result rec_derive_apply(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = doc->derived_lost ? rec_no_memory(err) : LATHE_OK;
    for (uint32_t done = 0; r == LATHE_OK && done < doc->derived_n; done++) {
        rec_derived *deepest = NULL; /* inner totals first: outer ones may add them up */
        for (size_t i = 0; i < doc->derived_n; i++)
            if (!doc->derived[i].done && (!deepest || doc->derived[i].depth > deepest->depth))
                deepest = &doc->derived[i];
        rec_at at;
        uint32_t none;
        int64_t value;
        deepest->done = true;
        if (!deepest->agreed || rec_enter(&deepest->view, &at, &none, NULL) != LATHE_OK)
            continue;
        const rec_field *row = at.layout->slots[deepest->slot].row;
        if (!row->derive(&at, &value))
            continue;
        uint64_t raw;
        lathe_value v = {.kind = LATHE_KIND_INT, .as.i = value};
        r = rec_encode(&at, deepest->slot, &v, &raw, err);
        if (r == LATHE_OK)
            r = rec_put_raw(&at, deepest->slot, 0, raw, err);
    }
    return r;
}

void rec_derive_forget(lathe_doc *doc, size_t mark)
{
    doc->derived_n = mark;
    doc->derived_lost = false;
    for (size_t i = 0; i < mark; i++)
        doc->derived[i].done = false; /* noted by the edit around: again when that one ends */
}
