/* Finds the records that contain an offset, and the parent of a record. */
#include "record/form.h"
#include "record/offset_cache.h"
#include "record/record.h"

/* Whether the bytes [from, from + size) contain `off`. An empty range contains its own start. */
static bool holds(uint64_t from, uint64_t size, uint64_t off)
{
    return off >= from && (size ? off - from < size : off == from);
}

/* The element of an array that contains `off`, and its size. */
static bool element_at(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off,
                       rec_at *child, uint64_t *size)
{
    const rec_slot *s = rec_slot_of(at, slot);
    *size = s->elem;
    if (s->elem != REC_DYNAMIC) {
        uint64_t i = s->elem ? (off - loc->data) / s->elem : 0;
        if (off < loc->data || i >= loc->count)
            return false;
        *child = rec_child(at, slot, s->sub, loc->data_part, loc->data + i * s->elem, i);
        return true;
    }
    for (uint64_t i = rec_offset_before(at, slot, off); i < loc->count; i++) {
        uint64_t from;
        if (rec_elem(at, slot, loc, i, &from, size, NULL) != LATHE_OK || from > off)
            return false;
        if (holds(from, *size, off)) {
            *child = rec_child(at, slot, s->sub, loc->data_part, from, i);
            return true;
        }
    }
    return false;
}

/* Finds the next record inside `at` that contains `off`, from row *slot on. Several records may contain it if some
 * are empty. */
static bool next_inside(const rec_at *at, uint64_t off, uint32_t *slot, rec_at *child,
                        uint64_t *size)
{
    while (*slot < at->layout->count) {
        uint32_t here = (*slot)++;
        const rec_slot *s = rec_slot_of(at, here);
        rec_loc loc;
        if (s->row->kind != REC_RECORD || s->row->flags & REC_PART || rec_unstored(s->row) ||
            (s->row->body && rec_row_body(s->row)->point))
            continue;
        if (rec_find(at, here, &loc, NULL) != LATHE_OK || !loc.present)
            continue;
        if (s->array) {
            if ((s->row->body || holds(loc.data, loc.size, off)) &&
                element_at(at, here, &loc, off, child, size))
                return true;
        } else if (holds(loc.off, loc.size, off)) {
            *child = rec_child(at, here, s->sub, loc.part, loc.off, 0);
            *size = loc.size;
            return true;
        }
    }
    return false;
}

/* The record inside `at` with a byte at `off`, or if there is none, the first empty one at that offset. */
static bool step_down(const rec_at *at, uint64_t off, rec_at *child)
{
    uint32_t slot = 0;
    uint64_t size;
    rec_at next;
    bool found = false;
    while (next_inside(at, off, &slot, &next, &size)) {
        if (size || !found)
            *child = next;
        found = true;
        if (size)
            break;
    }
    return found;
}

static rec_at part_root(lathe_doc *doc, uint32_t part)
{
    return (rec_at){
        .doc = doc, .layout = rec_part_root(doc, part), .part = part, .slot = REC_NO_SLOT};
}

/* The head whose body contains `off`, if the format can find it. */
static bool find_head(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                      uint64_t *site)
{
    const rec_part *p = &doc->parts[part];
    const lathe_format *format = doc->containers[p->container].format;
    if (!format->owner || !p->root)
        return false;
    bool in_line = p->root->size != REC_DYNAMIC && off < p->root->size;
    return !in_line && format->owner(doc, part, off, k, from, site) &&
           (*site != off || *from != part);
}

/* The element that contains `off` of `part`, in the body whose head is at `site` of `at`. */
static bool body_element(const rec_at *at, uint64_t site, uint32_t part, uint64_t off,
                         rec_at *child)
{
    uint64_t size;
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        rec_loc loc;
        if (!s->row->body || s->row->kind != REC_RECORD || at->off + s->off != site)
            continue;
        bool found = rec_find(at, slot, &loc, NULL) == LATHE_OK;
        if (found && !loc.present) /* a row of another version is at the offset of the next row */
            continue;
        return found && loc.count && loc.data_part == part &&
               element_at(at, slot, &loc, off, child, &size);
    }
    return false;
}

static int chain_to(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, rec_at *chain,
                    int depth, int *tries);

/* The place of a head. */
typedef struct head {
    uint32_t part;
    uint64_t site;
} head;

/* Finds the records on the path to `off` through a head. False: its body does not contain `off`. */
static bool chain_by(lathe_doc *doc, const head *by, uint32_t part, uint64_t off, rec_at *chain,
                     int *n, int depth, int *tries)
{
    *n = chain_to(doc, by->part, by->site, 0, chain, depth + 1, tries);
    if (*n == 0 || *n >= REC_DEPTH ||
        !body_element(&chain[*n - 1], by->site, part, off, &chain[*n]))
        return false;
    ++*n;
    return true;
}

/* Finds the records on the path from the part's root to `off`, in chain[REC_DEPTH]; returns their number. If several
 * heads share the data, takes number k of them. Further up it tries all heads until one has a path, at most *tries. */
static int chain_to(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, rec_at *chain,
                    int depth, int *tries)
{
    head by;
    int n = 0;
    if (depth < REC_DEPTH && find_head(doc, part, off, k, &by.part, &by.site)) {
        bool found = chain_by(doc, &by, part, off, chain, &n, depth, tries);
        while (!found && depth && --*tries > 0 &&
               find_head(doc, part, off, ++k, &by.part, &by.site))
            found = chain_by(doc, &by, part, off, chain, &n, depth, tries);
        if (!found)
            return n;
    } else {
        chain[n++] = part_root(doc, part);
    }
    while (n < REC_DEPTH && step_down(&chain[n - 1], off, &chain[n]))
        n++;
    return n;
}

enum { MOST_TRIES = 64 }; /* maximum number of heads to try for shared data */

int rec_chain(lathe_doc *doc, uint32_t part, uint64_t off, rec_at *chain)
{
    int tries = MOST_TRIES, n = chain_to(doc, part, off, 0, chain, 0, &tries);
    if (n == 0 ||
        /* no path found: assume that the offset belongs to the part's own record */
        chain[n - 1].part != part) {
        chain[0] = part_root(doc, part);
        n = 1;
    }
    return n;
}

enum { MOST_WAYS = 256 }; /* maximum number of records to search, if several begin at one offset */

/* Searches the parent of `at` in `top` and the records inside it. through: includes overlays. */
static bool parent_below(const rec_at *top, const rec_at *at, bool through, int depth, int *ways,
                         rec_at *self, rec_at *parent)
{
    rec_at here = *top, child;
    uint64_t size;
    if (depth >= REC_DEPTH || --*ways < 0)
        return false;
    for (uint32_t slot = 0; through && slot < here.layout->count; slot++) {
        const rec_slot *s = rec_slot_of(&here, slot);
        uint64_t off = here.off + s->row->off;
        if (!(s->row->flags & REC_OVERLAY) || !holds(off, s->sub->size, at->off))
            continue;
        child = rec_child(&here, slot, s->sub, here.part, off, 0);
        if (parent_below(&child, at, true, depth + 1, ways, self, parent))
            return true;
    }
    *parent = here;
    if (rec_unstored_parent(&here, at, self))
        return true;
    for (uint32_t slot = 0; next_inside(&here, at->off, &slot, &child, &size);) {
        if (child.layout == at->layout && child.off == at->off) {
            *self = child;
            *parent = here;
            return true;
        }
        if (parent_below(&child, at, through, depth + 1, ways, self, parent))
            return true;
    }
    return false;
}

/* Searches the parent where bodies contain bodies, which can be found through their heads only. Several paths may end
 * at the same place, in records of different types. */
static bool parent_by_heads(const rec_at *at, rec_at *self, rec_at *parent)
{
    int tries = MOST_TRIES, ways = MOST_WAYS;
    rec_at chain[REC_DEPTH];
    head by;
    for (uint32_t k = 0; k == 0 || find_head(at->doc, at->part, at->off, k, &by.part, &by.site);
         k++) {
        int n = chain_to(at->doc, at->part, at->off, k, chain, 0, &tries);
        if (--tries <= 0)
            return false;
        if (n && chain[n - 1].part == at->part &&
            /* it is shown by an overlay */
            parent_below(&chain[n - 1], at, true, 0, &ways, self, parent))
            return true;
        for (int i = n; i-- > 1;) {
            if (chain[i].layout != at->layout || chain[i].off != at->off ||
                chain[i].part != at->part)
                continue;
            *self = chain[i];
            *parent = chain[i - 1];
            return true;
        }
        for (int i = n - 1; i-- > 0;) /* by an overlay of a record around the last one */
            if (chain[i].part == at->part &&
                parent_below(&chain[i], at, true, 0, &ways, self, parent))
                return true;
    }
    return false;
}

void rec_trail_enter(rec_trail *here, const rec_at *at)
{
    *here = (rec_trail){*at, at->doc->trail};
    at->doc->trail = here;
}

void rec_trail_leave(const rec_trail *here)
{
    here->at.doc->trail = here->outer;
}

/* Finds the record on the document's trail, where its parents are known. */
static void find_on_trail(const rec_at *at, rec_at *out)
{
    for (const rec_trail *t = at->doc->trail; t; t = t->outer)
        if (t->at.layout == at->layout && t->at.off == at->off && t->at.part == at->part) {
            *out = t->at;
            return;
        }
}

bool rec_parent(const rec_at *at, rec_at *self, rec_at *parent)
{
    const rec_part *p = &at->doc->parts[at->part];
    *self = *at;
    if (!at->parent_layout)
        find_on_trail(at, self);
    if (self->parent_layout) {
        *parent = (rec_at){.doc = at->doc,
                           .layout = self->parent_layout,
                           .off = self->parent_off,
                           .part = self->parent_part,
                           .slot = REC_NO_SLOT,
                           .depth = self->depth - 1};
        return true;
    }
    if (at->off == 0 && at->layout == p->root) {
        if (p->owner == REC_NO_PART)
            return false;
        *parent = part_root(at->doc, p->owner);
        self->slot = p->slot;
        self->index = rec_kid_index(at->doc, at->part);
        return true;
    }
    if (!rec_part_root(at->doc, at->part))
        return false;
    if (at->doc->containers[p->container].format->owner)
        return parent_by_heads(at, self, parent);
    const rec_at top = part_root(at->doc, at->part);
    int ways = MOST_WAYS;
    if (parent_below(&top, at, false, 0, &ways, self, parent))
        return true;
    ways = MOST_WAYS;
    return parent_below(&top, at, true, 0, &ways, self, parent);
}

/* ---- a byte of the document -------------------------------------------------------------------- */

/* The index in doc->order of the last part that starts at or before `off`. */
static size_t place_at(lathe_doc *doc, uint64_t off)
{
    size_t lo = 0, hi = doc->order_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (rec_encoded(doc, doc->order[mid], 0) <= off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo - 1;
}

static uint32_t part_at(lathe_doc *doc, uint64_t off)
{
    return doc->order[place_at(doc, off)];
}

bool rec_copy_encoded(lathe_doc *doc, uint64_t off, uint64_t size, void *to)
{
    uint8_t *out = to;
    if (!rec_order(doc))
        return false;
    for (size_t i = place_at(doc, off); i < doc->order_n && size; i++) {
        const rec_part *p = &doc->parts[doc->order[i]];
        uint64_t from = off - rec_encoded(doc, doc->order[i], 0);
        if (from >= p->size)
            continue; /* an empty part, or a part whose children contain the place */
        uint64_t n = p->size - from < size ? p->size - from : size;
        memcpy(out, p->data + from, (size_t)n);
        out += n;
        off += n;
        size -= n;
    }
    return true;
}

/* Whether out-of-line data contain `off`. */
static bool holds_out_of_line(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off)
{
    const rec_slot *s = rec_slot_of(at, slot);
    bool text = s->row->text && !s->array;
    uint64_t size = text ? loc->count + 1 : loc->count * s->elem;
    bool body = s->row->body && rec_row_body(s->row)->point && loc->count;
    return (text ? loc->data != LATHE_NO_OFFSET : body) && s->elem != REC_DYNAMIC &&
           loc->data_part == at->part && holds(loc->data, size, off);
}

lathe_result lathe_doc_at(lathe_doc *doc, uint64_t off, lathe_view *view, const char **field,
                          lathe_error *err)
{
    if (rec_in_form(doc))
        return rec_no_offsets(err);
    if (!rec_order(doc))
        return rec_no_memory(err);
    uint64_t size = off < doc->size ? doc->size : rec_content_size(doc);
    if (off >= size)
        return error_set(err, LATHE_ERR_BOUNDS, off, "the document has %llu bytes",
                         (unsigned long long)size);
    if (off >= doc->size) { /* bytes that the format encodes itself */
        *view = lathe_doc_root(doc);
        if (field)
            *field = NULL;
        return LATHE_OK;
    }
    uint32_t part = part_at(doc, off);
    uint64_t in_part = off - rec_encoded(doc, part, 0);
    rec_at chain[REC_DEPTH];
    if (!rec_part_root(doc, part))
        return rec_no_memory(err);
    rec_at at = chain[rec_chain(doc, part, in_part, chain) - 1];
    if (at.layout->type == &rec_bytes_part) { /* a field of the parent record */
        uint32_t slot = doc->parts[part].slot;
        at = part_root(doc, doc->parts[part].owner);
        *view = rec_view(&at);
        if (field)
            *field = at.layout->slots[slot].name;
        return LATHE_OK;
    }
    *view = rec_view(&at);
    if (!field)
        return LATHE_OK;
    *field = NULL;
    for (uint32_t slot = 0; slot < at.layout->count; slot++) {
        rec_loc loc;
        if (!rec_unstored(at.layout->slots[slot].row) &&
            rec_find(&at, slot, &loc, NULL) == LATHE_OK && loc.present && loc.size &&
            loc.part == part &&
            (holds(loc.off, loc.size, in_part) || holds_out_of_line(&at, slot, &loc, in_part)))
            *field = at.layout->slots[slot].name;
    }
    return LATHE_OK;
}
