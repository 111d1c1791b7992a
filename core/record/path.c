/* Paths: finding the place that a path names, and the path and the bytes of a place. */
#include "record/form.h"

#include <stdio.h>

/* ---- paths ------------------------------------------------------------------------------------- */

typedef struct writer {
    char *buf;
    size_t cap, n; /* n is the full length, even if it exceeds cap, like snprintf */
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
    put(w, s->name);
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
        put(&w, at->layout->slots[slot].name);
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
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "'%s' is not a path: see '%s'", path,
                     at);
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Decodes an escape; *p is behind its backslash: a letter, \xHH, or up to three decimal digits. False: it is
 * invalid. */
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

/* Follows "["key"]" of a path; *p is behind the bracket. */
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

/* Follows one "[n]", "["key"]" or "name" of a path, and moves *p behind it. */
static lathe_result follow(const char *path, const char **p, lathe_value *value, lathe_error *err)
{
    if (value->kind != LATHE_KIND_RECORD && value->kind != LATHE_KIND_ARRAY)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field or element after '%.*s'",
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
        if (*digit != ']' || digit == *p + 1)
            return bad_path(err, path, *p);
        if (i == 0)
            return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                             "'%s' is not a path: elements are numbered from 1, see '%s'", path,
                             *p);
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

lathe_result rec_path_follow(const char *path, const char *from, lathe_value *place,
                             lathe_error *err)
{
    lathe_value value = *place;
    const char *p = from;
    while (*p) {
        if (*p == '.' && p > path && p[1] && p[1] != '.')
            p++;
        lathe_result r = follow(path, &p, &value, err);
        if (r != LATHE_OK)
            return r;
        if (*p && *p != '.' && *p != '[')
            return bad_path(err, path, p);
    }
    *place = value;
    return LATHE_OK;
}

/* ---- spans ------------------------------------------------------------------------------------- */

static void span_parts(const rec_at *at, uint32_t slot, uint64_t *off, uint64_t *size)
{
    uint64_t n = rec_kids(at->doc, at->part, slot);
    *size = 0;
    *off = rec_encoded(at->doc, at->part, at->doc->parts[at->part].size);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t kid = rec_kid(at->doc, at->part, slot, i);
        if (i == 0)
            *off = rec_encoded(at->doc, kid, 0);
        *size += rec_part_whole(at->doc, kid);
    }
}

/* Fails for a place in a hidden part, which has no offset in the file. */
static lathe_result lies_nowhere(const char *name, lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     "%s is computed: it has no place in the document", name);
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
    if (text) { /* the text, not its head */
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
    if (at->doc->parts[part].hidden)
        return lies_nowhere(s->name, err);
    *off = rec_encoded(at->doc, part, from);
    *size = n;
    return r;
}

/* The bytes that a row without bytes of its own shows: for a column its array element; for an overlay its bytes; for
 * a component of a computed vector everything that the vector is computed from; for bits their integer. */
static lathe_result span_unstored(const rec_at *at, uint32_t slot, uint64_t *off, uint64_t *size,
                                  lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_at owner;
    uint32_t to;
    uint64_t i, from;
    rec_loc loc;
    if (s->row->flags & REC_OVERLAY && s->sub->size != REC_DYNAMIC) {
        bool whole = rec_type_hooks(s->sub->type)->load != NULL;
        *off = rec_encoded(at->doc, at->part, at->off + (whole ? 0 : s->row->off));
        *size = s->sub->size;
        return whole ? rec_measure(at, size, err) : LATHE_OK;
    }
    if (rec_is_argument(s->row))
        return lies_nowhere(s->name, err);
    if (rec_row_bits_of(s->row))
        return span_field(at, rec_slot_find(at->layout, rec_row_bits_of(s->row)), false, off, size,
                          err);
    if (rec_is_lane(at->layout->type, slot) && at->layout->size &&
        at->layout->size != REC_DYNAMIC) {
        *off = rec_encoded(at->doc, at->part, at->off);
        *size = at->layout->size;
        return LATHE_OK;
    }
    if (!rec_row_column(s->row))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no stored field '%s' in %s",
                         s->name, rec_type_name(at->layout->type));
    lathe_result r = rec_column(at, slot, &owner, &to, &i, err);
    if (r == LATHE_OK)
        r = rec_find_present(&owner, to, &loc, err);
    if (r == LATHE_OK)
        r = rec_elem(&owner, to, &loc, i, &from, size, err);
    if (r == LATHE_OK)
        *off = rec_encoded(at->doc, loc.data_part, from);
    return r;
}

lathe_result lathe_view_span(lathe_view view, const char *field, uint64_t *off, uint64_t *size,
                             lathe_error *err)
{
    return rec_in_form(view.doc) ? rec_no_offsets(err) : rec_span(view, field, off, size, err);
}

lathe_result rec_span(lathe_view view, const char *field, uint64_t *off, uint64_t *size,
                      lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    if (at.doc->parts[at.part].hidden)
        return lies_nowhere(rec_type_name(at.layout->type), err);
    if (slot != REC_NO_SLOT)
        return span_field(&at, slot, true, off, size, err);
    if (field) {
        slot = rec_slot_find(at.layout, field);
        if (slot == REC_NO_SLOT)
            return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no stored field '%s' in %s",
                             field, rec_type_name(at.layout->type));
        if (rec_unstored(at.layout->slots[slot].row))
            return span_unstored(&at, slot, off, size, err);
        return span_field(&at, slot, false, off, size, err);
    }
    if (at.off == 0 && at.layout == at.doc->parts[at.part].root) {
        *size = rec_part_whole(at.doc, at.part);
    } else {
        r = rec_measure(&at, size, err);
        if (r != LATHE_OK)
            return r;
    }
    *off = rec_encoded(at.doc, at.part, at.off);
    return LATHE_OK;
}
