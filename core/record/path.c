/* Places by name and by offset: paths, spans, and the way back. */
#include "record/record.h"
#include "record/seen.h"

#include <stdio.h>

/* Whether bytes [from, from + size) hold `off`; what is empty holds its own start. */
static bool holds(uint64_t from, uint64_t size, uint64_t off)
{
    return off >= from && (size ? off - from < size : off == from);
}

/* The element of an array that holds `off`. */
static bool element_at(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off,
                       rec_at *child)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (s->elem != REC_DYNAMIC) {
        uint64_t i = s->elem ? (off - loc->data) / s->elem : 0;
        if (off < loc->data || i >= loc->count)
            return false;
        *child = rec_child(at, slot, s->sub, loc->data_part, loc->data + i * s->elem, i);
        return true;
    }
    for (uint64_t i = rec_seen_before(at, slot, off); i < loc->count; i++) {
        uint64_t from, size;
        if (rec_elem(at, slot, loc, i, &from, &size, NULL) != LATHE_OK || from > off)
            return false;
        if (holds(from, size, off)) {
            *child = rec_child(at, slot, s->sub, loc->data_part, from, i);
            return true;
        }
    }
    return false;
}

/* One level down towards `off`: the record inside `at` that holds it. */
static bool step_down(const rec_at *at, uint64_t off, rec_at *child)
{
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        rec_loc loc;
        if (s->row->kind != REC_RECORD || s->row->flags & REC_PART || rec_unstored(s->row) ||
            (s->row->body && s->row->body->point))
            continue;
        if (rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
            continue;
        if (s->array) {
            if ((s->row->body || holds(loc.data, loc.size, off)) &&
                element_at(at, slot, &loc, off, child))
                return true;
        } else if (holds(loc.off, loc.size, off)) {
            *child = rec_child(at, slot, s->sub, loc.part, loc.off, 0);
            return true;
        }
    }
    return false;
}

static rec_at part_root(lathe_doc *doc, uint32_t part)
{
    return (rec_at){
        .doc = doc, .layout = rec_part_root(doc, part), .part = part, .slot = REC_NO_SLOT};
}

/* The head whose body holds `off`, where a format can tell: the record that it is in leads there. */
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

/* The element of the body whose head is at `site` of `at`: the one that holds `off` of `part`. */
static bool body_element(const rec_at *at, uint64_t site, uint32_t part, uint64_t off,
                         rec_at *child)
{
    for (uint32_t slot = 0; slot < at->layout->count; slot++) {
        const rec_slot *s = rec_slot_of(at, slot);
        rec_loc loc;
        if (!s->row->body || s->row->kind != REC_RECORD || at->off + s->off != site)
            continue;
        bool found = rec_find(at, slot, &loc, NULL) == LATHE_OK;
        if (found && !loc.present) /* a row of another version stands where the next one does */
            continue;
        return found && loc.count && loc.data_part == part &&
               element_at(at, slot, &loc, off, child);
    }
    return false;
}

static int chain_to(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, rec_at *chain,
                    int depth, int *tries);

/* A head: where it is. */
typedef struct head {
    uint32_t part;
    uint64_t site;
} head;

/* The records that lead to `off` through a head; false where it is not what leads there. */
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

/* The records that lead to `off`, from the part's root on, into REC_DEPTH places; returns how many. Of heads
 * that share their data it takes number k; above that whichever leads there, as long as there are tries. */
static int chain_to(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, rec_at *chain,
                    int depth, int *tries)
{
    head by;
    int n = 0;
    if (depth < REC_DEPTH && find_head(doc, part, off, k, &by.part, &by.site)) {
        bool led = chain_by(doc, &by, part, off, chain, &n, depth, tries);
        while (!led && depth && --*tries > 0 && find_head(doc, part, off, ++k, &by.part, &by.site))
            led = chain_by(doc, &by, part, off, chain, &n, depth, tries);
        if (!led)
            return n;
    } else {
        chain[n++] = part_root(doc, part);
    }
    while (n < REC_DEPTH && step_down(&chain[n - 1], off, &chain[n]))
        n++;
    return n;
}

enum { MOST_TRIES = 64 }; /* heads that are looked at, where data are shared */

int rec_chain(lathe_doc *doc, uint32_t part, uint64_t off, rec_at *chain)
{
    int tries = MOST_TRIES, n = chain_to(doc, part, off, 0, chain, 0, &tries);
    if (n == 0 ||
        chain[n - 1].part != part) { /* nothing leads there: it is the object's, for all we know */
        chain[0] = part_root(doc, part);
        n = 1;
    }
    for (int i = 1; i < n; i++)
        chain[i].parent = &chain[i - 1];
    return n;
}

/* The record around `at` in or below `top`: what is stored so, or (through) what overlays hold, too. */
static bool parent_below(const rec_at *top, const rec_at *at, bool through, int depth, rec_at *self,
                         rec_at *parent)
{
    rec_at here = *top, child;
    for (; depth < REC_DEPTH; depth++) {
        here.parent = NULL; /* it may point at a local */
        for (uint32_t slot = 0; through && slot < here.layout->count; slot++) {
            const rec_slot *s = rec_slot_of(&here, slot);
            uint64_t off = here.off + s->row->off;
            if (!(s->row->flags & REC_OVERLAY) || !holds(off, s->sub->size, at->off))
                continue;
            child = rec_child(&here, slot, s->sub, here.part, off, 0);
            if (parent_below(&child, at, true, depth + 1, self, parent))
                return true;
        }
        *parent = here;
        if (rec_unstored_parent(&here, at, self))
            return true;
        if (!step_down(&here, at->off, &child))
            return false;
        if (child.layout == at->layout && child.off == at->off) {
            *self = child;
            self->parent = NULL;
            return true;
        }
        here = child;
    }
    return false;
}

/* The same where bodies hold bodies, and only their heads lead there. Several may lead to one place, to
 * records of several types. */
static bool parent_by_heads(const rec_at *at, rec_at *self, rec_at *parent)
{
    int tries = MOST_TRIES;
    rec_at chain[REC_DEPTH];
    head by;
    for (uint32_t k = 0; k == 0 || find_head(at->doc, at->part, at->off, k, &by.part, &by.site);
         k++) {
        int n = chain_to(at->doc, at->part, at->off, k, chain, 0, &tries);
        if (--tries <= 0)
            return false;
        for (int i = n; i-- > 1;) {
            if (chain[i].layout != at->layout || chain[i].off != at->off ||
                chain[i].part != at->part)
                continue;
            *self = chain[i];
            *parent = chain[i - 1];
            self->parent = parent->parent = NULL;
            return true;
        }
    }
    return false;
}

bool rec_parent(const rec_at *at, rec_at *self, rec_at *parent)
{
    const rec_part *p = &at->doc->parts[at->part];
    *self = *at;
    if (at->parent) {
        *parent = *at->parent;
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
    return parent_below(&top, at, false, 0, self, parent) ||
           parent_below(&top, at, true, 0, self, parent);
}

/* ---- paths ------------------------------------------------------------------------------------- */

typedef struct writer {
    char *buf;
    size_t cap, n; /* n counts on past cap, like snprintf */
} writer;

static void put(writer *w, const char *text)
{
    for (; *text; text++, w->n++)
        if (w->n + 1 < w->cap)
            w->buf[w->n] = *text;
}

static void put_index(writer *w, uint64_t i)
{
    char text[32];
    snprintf(text, sizeof text, "[%llu]", (unsigned long long)i + 1);
    put(w, text);
}

static void put_record(writer *w, const rec_at *at, int depth)
{
    rec_at self, parent;
    if (depth > 2 * REC_DEPTH || !rec_parent(at, &self, &parent))
        return;
    const rec_slot *s = rec_slot_of(&parent, self.slot);
    put_record(w, &parent, depth + 1);
    if (w->n)
        put(w, ".");
    put(w, s->row->name);
    if (s->array)
        put_index(w, self.index);
}

size_t rec_path(const rec_at *at, uint32_t slot, uint64_t item, char *text, size_t cap)
{
    writer w = {text, cap, 0};
    put_record(&w, at, 0);
    if (slot != REC_NO_SLOT) {
        if (w.n)
            put(&w, ".");
        put(&w, at->layout->slots[slot].row->name);
        if (item != REC_NO_ITEM)
            put_index(&w, item);
    }
    if (cap)
        text[w.n < cap ? w.n : cap - 1] = 0;
    return w.n;
}

size_t lathe_view_path(lathe_view view, const char *field, char *text, size_t cap)
{
    rec_at at;
    uint32_t slot;
    if (cap)
        text[0] = 0;
    if (rec_enter(&view, &at, &slot, NULL) != LATHE_OK)
        return 0;
    if (field && slot == REC_NO_SLOT)
        slot = rec_slot_find(at.layout, field);
    return rec_path(&at, slot, REC_NO_ITEM, text, cap);
}

static lathe_result bad_path(lathe_error *err, const char *path, const char *at)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "'%s' is no path: see '%s'", path, at);
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* The byte that an escape stands for, *p behind its backslash: a letter, \xHH, or up to three decimal
 * digits. False where it is none. */
static bool unescape(const char **p, uint8_t *out)
{
    static const char letters[] = "abfnrtv\\\"'", bytes[] = "\a\b\f\n\r\t\v\\\"'";
    const char *c = *p, *letter = *c ? strchr(letters, *c) : NULL;
    unsigned value = 0, n = 0, base = *c == 'x' ? 16 : 10, most = base == 16 ? 2 : 3;
    if (letter) {
        *out = (uint8_t)bytes[letter - letters];
        *p = c + 1;
        return true;
    }
    c += base == 16;
    for (; n < most && digit_of(*c) < base; n++)
        value = value * base + digit_of(*c++);
    *p = c;
    *out = (uint8_t)value;
    return base == 16 ? n == 2 : n > 0 && value <= 255;
}

bool rec_path_key(const char **path, buf *key)
{
    const char *p = *path, quote = *p;
    if (quote != '"' && quote != '\'')
        return false;
    for (p++; *p && *p != quote;) {
        uint8_t byte = (uint8_t)*p++;
        if (byte == '\\' && !unescape(&p, &byte))
            return false;
        if (key && !buf_put(key, &byte, 1))
            return false;
    }
    if (p[0] != quote || p[1] != ']')
        return false;
    *path = p + 2;
    return true;
}

const char *rec_path_last(const char *path)
{
    const char *p = path, *last = path;
    while (*p) {
        last = p;
        if (*p == '[' && (p[1] == '"' || p[1] == '\'')) {
            p++;
            if (!rec_path_key(&p, NULL))
                return last + strlen(last);
        } else {
            p += strcspn(p + 1, ".[") + 1;
        }
    }
    return last;
}

/* "["key"]" of a path: *p is behind the bracket. */
static lathe_result follow_key(const char *path, const char **p, lathe_value *value,
                               lathe_error *err)
{
    const char *end = *p;
    buf key;
    if (!rec_path_key(&end, NULL))
        return bad_path(err, path, *p - 1);
    buf_init(&key, &value->as.v.doc->mem);
    lathe_result r = rec_path_key(p, &key) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK)
        r = lathe_view_key(value->as.v, (const char *)key.data, key.size, value, err);
    buf_free(&key);
    return r;
}

static bool has_keys(const lathe_value *value)
{
    const rec_layout *layout = value->as.v.type;
    return value->kind == LATHE_KIND_ARRAY && rec_keyed(&layout->slots[value->as.v.index]);
}

/* One "[n]", "["key"]" or "name" of a path; *p moves behind it. */
static lathe_result follow(const char *path, const char **p, lathe_value *value, lathe_error *err)
{
    if (value->kind != LATHE_KIND_RECORD && value->kind != LATHE_KIND_ARRAY)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "nothing lies behind '%.*s'",
                         (int)(*p - path - (*p > path && (*p)[-1] == '.')), path);
    if (**p == '[' && ((*p)[1] == '"' || (*p)[1] == '\'')) {
        ++*p;
        return follow_key(path, p, value, err);
    }
    if (**p == '[') {
        uint64_t i = 0;
        const char *digit = *p + 1;
        for (; *digit >= '0' && *digit <= '9' && i < UINT64_MAX / 16; digit++)
            i = i * 10 + (uint64_t)(*digit - '0');
        if (*digit != ']' || digit == *p + 1 || i == 0)
            return bad_path(err, path, *p);
        *p = digit + 1;
        return lathe_view_item(value->as.v, i - 1, value, err);
    }
    char name[128];
    size_t n = strcspn(*p, ".[");
    const char *from = *p;
    *p += n;
    if (n && has_keys(value))
        return lathe_view_key(value->as.v, from, n, value, err);
    if (n == 0 || n >= sizeof name)
        return bad_path(err, path, from);
    memcpy(name, from, n);
    name[n] = 0;
    return lathe_view_get(value->as.v, name, value, err);
}

lathe_result lathe_view_at(lathe_view from, const char *path, lathe_value *out, lathe_error *err)
{
    lathe_value value = {.kind =
                             from.flags & REC_VIEW_ARRAY ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD};
    const char *p = path;
    value.as.v = from;
    while (*p) {
        if (*p == '.' && p > path && p[1] && p[1] != '.')
            p++;
        lathe_result r = follow(path, &p, &value, err);
        if (r != LATHE_OK)
            return r;
        if (*p && *p != '.' && *p != '[')
            return bad_path(err, path, p);
    }
    *out = value;
    return LATHE_OK;
}

/* ---- spans ------------------------------------------------------------------------------------- */

/* A part with everything below it. */
static uint64_t tree_size(lathe_doc *doc, uint32_t part, int depth)
{
    const rec_part *p = &doc->parts[part];
    uint64_t size = p->size;
    for (size_t i = 0; depth < REC_DEPTH && i < p->kids_n; i++)
        size += tree_size(doc, p->kids[i], depth + 1);
    return size;
}

static void span_parts(const rec_at *at, uint32_t slot, uint64_t *off, uint64_t *size)
{
    uint64_t n = rec_kids(at->doc, at->part, slot);
    *size = 0;
    *off = rec_encoded(at->doc, at->part, at->doc->parts[at->part].size);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t kid = rec_kid(at->doc, at->part, slot, i);
        if (i == 0)
            *off = rec_encoded(at->doc, kid, 0);
        *size += tree_size(at->doc, kid, 0);
    }
}

static lathe_result span_field(const rec_at *at, uint32_t slot, bool elements, uint64_t *off,
                               uint64_t *size, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_loc loc;
    lathe_result r = rec_find_present(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    if (s->row->flags & REC_PART) {
        span_parts(at, slot, off, size);
        return LATHE_OK;
    }
    uint64_t from = loc.off, n = loc.size;
    uint32_t part = loc.part;
    bool text = s->row->text && !s->array && loc.data != LATHE_NO_OFFSET;
    if (text) { /* what is read, not what leads to it */
        part = loc.data_part;
        from = loc.data;
        n = loc.count + 1;
    } else if (s->row->kind == REC_BYTES && s->row->body && loc.count) {
        part = loc.data_part;
        from = loc.data;
        n = loc.count;
    } else if (elements && s->row->body) {
        part = loc.data_part;
        uint64_t last = loc.data, last_size = 0;
        if (loc.count)
            r = rec_elem(at, slot, &loc, loc.count - 1, &last, &last_size, err);
        from = loc.data;
        n = last + last_size - loc.data;
    }
    *off = rec_encoded(at->doc, part, from);
    *size = n;
    return r;
}

/* The array element that a column stands for; of an overlay its own bytes, or all that a vector which
 * is worked out as a whole comes from. */
static lathe_result span_unstored(const rec_at *at, uint32_t slot, uint64_t *off, uint64_t *size,
                                  lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_at owner;
    uint32_t to;
    uint64_t i, from;
    rec_loc loc;
    if (s->row->flags & REC_OVERLAY && s->sub->size != REC_DYNAMIC) {
        bool whole = s->sub->type->load != NULL;
        *off = rec_encoded(at->doc, at->part, at->off + (whole ? 0 : s->row->off));
        *size = s->sub->size;
        return whole ? rec_measure(at, size, err) : LATHE_OK;
    }
    if (!s->row->column)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no stored field '%s' in %s",
                         s->row->name, at->layout->type->name);
    lathe_result r = rec_column(at, slot, &owner, &to, &i, err);
    if (r == LATHE_OK)
        r = rec_find_present(&owner, to, &loc, err);
    if (r == LATHE_OK)
        r = rec_elem(&owner, to, &loc, i, &from, size, err);
    if (r == LATHE_OK)
        *off = rec_encoded(at->doc, loc.part, from);
    return r;
}

lathe_result lathe_view_span(lathe_view view, const char *field, uint64_t *off, uint64_t *size,
                             lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    if (slot != REC_NO_SLOT)
        return span_field(&at, slot, true, off, size, err);
    if (field) {
        slot = rec_slot_find(at.layout, field);
        if (slot == REC_NO_SLOT)
            return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no stored field '%s' in %s",
                             field, at.layout->type->name);
        if (rec_unstored(at.layout->slots[slot].row))
            return span_unstored(&at, slot, off, size, err);
        return span_field(&at, slot, false, off, size, err);
    }
    if (at.off == 0 && at.layout == at.doc->parts[at.part].root) {
        *size = tree_size(at.doc, at.part, 0);
    } else {
        r = rec_measure(&at, size, err);
        if (r != LATHE_OK)
            return r;
    }
    *off = rec_encoded(at.doc, at.part, at.off);
    return LATHE_OK;
}

static uint32_t part_at(lathe_doc *doc, uint64_t off)
{
    size_t lo = 0, hi = doc->order_n;
    while (lo < hi) { /* the last part that starts at or before off */
        size_t mid = lo + (hi - lo) / 2;
        if (doc->parts[doc->order[mid]].start <= off)
            lo = mid + 1;
        else
            hi = mid;
    }
    return doc->order[lo - 1];
}

/* Whether what lies elsewhere holds `off`. */
static bool holds_apart(const rec_at *at, uint32_t slot, const rec_loc *loc, uint64_t off)
{
    const rec_slot *s = rec_slot_of(at, slot);
    bool text = s->row->text && !s->array;
    uint64_t size = text ? loc->count + 1 : loc->count * s->elem;
    bool body = s->row->body && s->row->body->point && loc->count;
    return (text ? loc->data != LATHE_NO_OFFSET : body) && s->elem != REC_DYNAMIC &&
           loc->data_part == at->part && holds(loc->data, size, off);
}

lathe_result lathe_doc_at(lathe_doc *doc, uint64_t off, lathe_view *view, const char **field,
                          lathe_error *err)
{
    if (!rec_places(doc))
        return rec_no_memory(err);
    if (off >= doc->size)
        return error_set(err, LATHE_ERR_BOUNDS, off, "the document has %llu bytes",
                         (unsigned long long)doc->size);
    uint32_t part = part_at(doc, off);
    uint64_t in_part = off - doc->parts[part].start;
    rec_at chain[REC_DEPTH];
    if (!rec_part_root(doc, part))
        return rec_no_memory(err);
    rec_at at = chain[rec_chain(doc, part, in_part, chain) - 1];
    at.parent = NULL;
    if (at.layout->type == &rec_bytes_part) { /* a field of the record around it */
        uint32_t slot = doc->parts[part].slot;
        at = part_root(doc, doc->parts[part].owner);
        *view = rec_view(&at);
        if (field)
            *field = at.layout->slots[slot].row->name;
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
            (holds(loc.off, loc.size, in_part) || holds_apart(&at, slot, &loc, in_part)))
            *field = at.layout->slots[slot].row->name;
    }
    return LATHE_OK;
}
