/* Objects of a document as they are written anew. Described ones come from their fields: what lies between
 * those is zeros, whatever the file has there. Others are carried over with their fixups. */
#include "havok/links.h"
#include "havok/serialize.h"

typedef struct reader {
    lathe_doc *doc;
    uint32_t c;
    bool same_layout;
    const rec_container *layout;
    const uint32_t *parts; /* of the objects */
    uint32_t *starts;      /* their positions in the data */
    uint64_t count, data;  /* data: bytes of it */
    hk_links local, global, virtual;
    const char *names; /* the section of class names */
    uint64_t names_size;
    uint64_t
        left; /* bytes that may still be read: what is shared is written apart, but not for ever */
    buf run;  /* scratch: links of one object */
} reader;

static reader *reader_of(const hk_writer *w)
{
    return w->objects->user;
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* The object that holds a position, from 0; count: none. Its last one also holds the data's end. */
static uint64_t object_of(const reader *r, uint64_t position)
{
    uint64_t lo = 0, hi = r->count;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (r->starts[mid] <= position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && position <= r->data ? lo - 1 : r->count;
}

/* The part and offset of a position that lies in some object. */
static bool place_of(const reader *r, uint64_t position, uint32_t *part, uint64_t *off)
{
    uint64_t i = object_of(r, position);
    if (i == r->count)
        return false;
    *part = r->parts[i];
    *off = position - r->starts[i];
    return *off <= r->doc->parts[*part].size;
}

/* What was read is taken off what may be. */
static lathe_result spend(reader *r, const rec_at *at, uint32_t slot, uint64_t n, lathe_error *err)
{
    if (n > r->left)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_LIMIT,
                        "data are shared so often that they would fill many times the file");
    r->left -= n;
    return LATHE_OK;
}

/* ---- structs ----------------------------------------------------------------------------------------------- */

static bool in_from(const reader *r, const rec_field *row)
{
    return rec_in_version(row, r->layout->version);
}

static uint64_t position_of(const hk_record *r, uint32_t slot)
{
    return r->place + r->at.layout->slots[slot].off;
}

static const uint8_t *bytes_of(const rec_at *at, uint64_t off)
{
    return at->doc->parts[at->part].data + off;
}

/* How many elements a head counts. */
static int32_t counted(const reader *rd, const hk_record *r, uint32_t slot)
{
    uint64_t off = r->at.off + r->at.layout->slots[slot].off + rd->layout->pointer;
    return (int32_t)bytes_ld32(bytes_of(&r->at, off), rd->layout->big);
}

/* A row that the file which is written has no place for must hold nothing. */
static lathe_result check_left_out(reader *rd, const hk_record *r, uint32_t slot, lathe_error *err)
{
    const rec_slot *s = &r->at.layout->slots[slot];
    uint32_t target;
    uint64_t raw = 0;
    bool empty = true;
    lathe_result result = LATHE_OK;
    if (s->row->kind == REC_POINTER || (s->row->text && !s->array))
        empty = !hk_link_find(&rd->global, position_of(r, slot), &target) &&
                !hk_link_find(&rd->local, position_of(r, slot), &target);
    else if (s->row->body)
        empty = counted(rd, r, slot) == 0;
    else if (rec_width(s->row->kind) && !s->array)
        result = rec_default(&r->at, slot, &raw, err);
    if (result == LATHE_OK && rec_width(s->row->kind) && !s->array && !s->row->body)
        empty = rec_load(s, bytes_of(&r->at, r->at.off + s->off)) == raw;
    return result != LATHE_OK || empty
               ? result
               : rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                          "files of that game have no such field, and it is not empty");
}

/* An enumeration that versions number differently: by its name. */
static lathe_result renumber(const hk_record *r, uint32_t slot, uint64_t *raw, lathe_error *err)
{
    lathe_value v;
    lathe_result result = rec_decode(&r->at, slot, *raw, true, &v, err);
    if (result != LATHE_OK || v.kind != LATHE_KIND_STRING)
        return result;
    if (rec_encode(&r->to, slot, &v, raw, NULL) == LATHE_OK)
        return LATHE_OK;
    return rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                    "files of that game have no '%.*s' here", (int)v.as.s.n, v.as.s.p);
}

static lathe_result copy_rows(hk_writer *w, const hk_record *r, lathe_error *err);

static lathe_result copy_row(hk_writer *w, const hk_record *r, uint32_t slot, lathe_error *err)
{
    reader *rd = reader_of(w);
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    const rec_field *row = to->row;
    bool has = in_from(rd, row), wants = rec_in_version(row, w->head->version);
    uint64_t raw;
    lathe_result result = LATHE_OK;
    if (rec_unstored(row) || (!has && !wants))
        return LATHE_OK;
    if (!wants)
        return check_left_out(rd, r, slot, err);
    if (row->kind == REC_RECORD && !row->body && has) {
        hk_record sub;
        result = r->feed->sub(w, r, slot, &sub, err);
        return result == LATHE_OK ? copy_rows(w, &sub, err) : result;
    }
    if (!rec_width(row->kind) || row->body)
        return LATHE_OK;
    if (has)
        raw = rec_load(from, bytes_of(&r->at, r->at.off + from->off));
    else
        result = rec_default(&r->to, slot, &raw, err);
    if (result == LATHE_OK && has && row->names_in && rd->layout->version != w->head->version)
        result = renumber(r, slot, &raw, err);
    if (result == LATHE_OK)
        rec_store(to, w->maker->parts[w->data].data + r->to.off + to->off, raw);
    return result;
}

static lathe_result copy_rows(hk_writer *w, const hk_record *r, lathe_error *err)
{
    lathe_result result = LATHE_OK;
    for (uint32_t slot = 0; result == LATHE_OK && slot < r->to.layout->count; slot++)
        result = copy_row(w, r, slot, err);
    return result;
}

static lathe_result put(hk_writer *w, const hk_record *r, lathe_error *err)
{
    return hk_room(w, r->to.layout->size) ? copy_rows(w, r, err) : hk_full(w, err);
}

static lathe_result sub(hk_writer *w, const hk_record *r, uint32_t slot, hk_record *out,
                        lathe_error *err)
{
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    (void)w;
    (void)err;
    *out = (hk_record){.feed = r->feed, .place = r->place + from->off};
    out->to = rec_child(&r->to, slot, to->sub, r->to.part, r->to.off + to->off, 0);
    out->at = rec_child(&r->at, slot, from->sub, r->at.part, r->at.off + from->off, 0);
    return LATHE_OK;
}

/* ---- what heads lead to --------------------------------------------------------------------------------------- */

/* The text whose head is at a position. */
static lathe_result read_text(reader *rd, const rec_at *at, uint32_t slot, uint64_t position,
                              hk_list *out, lathe_error *err)
{
    uint32_t target, part;
    uint64_t off;
    *out = (hk_list){0};
    if (!hk_link_find(&rd->local, position, &target))
        return LATHE_OK;
    if (!place_of(rd, target, &part, &off))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS,
                        "points to 0x%x, outside of the objects", target);
    const rec_part *p = &rd->doc->parts[part];
    const uint8_t *end = p->size > off ? memchr(p->data + off, 0, (size_t)(p->size - off)) : NULL;
    if (!end)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_BOUNDS, "text without an end");
    out->p = (const char *)p->data + off;
    out->count = (uint64_t)(end - (p->data + off));
    return spend(rd, at, slot, out->count + 1, err);
}

/* Its elements must lie in one object, whichever. */
static lathe_result read_array(reader *rd, const hk_record *r, uint32_t slot, hk_list *out,
                               lathe_error *err)
{
    const rec_slot *s = &r->at.layout->slots[slot];
    int32_t n = counted(rd, r, slot);
    uint32_t target, part;
    uint64_t off, site = r->at.off + s->off;
    *out = (hk_list){.count = (uint64_t)n};
    if (n == 0)
        return LATHE_OK;
    if (n < 0)
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_INVALID, "negative count %d", n);
    if (!hk_link_find(&rd->local, position_of(r, slot), &target))
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_INVALID, "counted, but points nowhere");
    if (!place_of(rd, target, &part, &off))
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_BOUNDS,
                        "points to 0x%x, outside of the objects", target);
    uint64_t left = rd->doc->parts[part].size - off;
    if (out->count > left / s->elem)
        return rec_fail(&r->at, slot, site, err, LATHE_ERR_BOUNDS,
                        "%d elements of %llu bytes do not fit into %llu bytes", n,
                        (unsigned long long)s->elem, (unsigned long long)left);
    out->place = target;
    out->at = rec_child(&r->at, slot, s->sub, part, off, 0);
    out->p = (const char *)bytes_of(&out->at, off);
    return spend(rd, &r->at, slot, out->count * s->elem, err);
}

/* Bytes mean something only in the byte order that they were written in, which a clip tells. */
static lathe_result check_order(const hk_writer *w, const hk_record *r, uint32_t slot,
                                lathe_error *err)
{
    const reader *rd = reader_of(w);
    if (rd->layout->big == w->head->big || (rec_int(&r->at, "endian") != 0) == w->head->big)
        return LATHE_OK;
    return rec_fail(&r->at, slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                    "its bytes are big-endian, and lathe does not turn them around");
}

static lathe_result list(hk_writer *w, const hk_record *r, uint32_t slot, hk_list *out,
                         lathe_error *err)
{
    reader *rd = reader_of(w);
    const rec_slot *s = &r->at.layout->slots[slot];
    *out = (hk_list){0};
    if (!in_from(rd, s->row))
        return LATHE_OK;
    if (s->row->text && !s->array)
        return read_text(rd, &r->at, slot, position_of(r, slot), out, err);
    lathe_result result = read_array(rd, r, slot, out, err);
    if (result == LATHE_OK && out->count && s->row->kind == REC_BYTES)
        result = check_order(w, r, slot, err);
    return result;
}

static lathe_result text(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, hk_list *out, lathe_error *err)
{
    uint64_t elem = r->at.layout->slots[slot].elem;
    return read_text(reader_of(w), &r->at, slot, l->place + i * elem, out, err);
}

static lathe_result no_object(const rec_at *at, uint32_t slot, uint32_t target, lathe_error *err)
{
    return rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID,
                    "points to 0x%x, where no object begins", target);
}

static lathe_result pointer(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                            uint64_t i, uint64_t *number, lathe_error *err)
{
    reader *rd = reader_of(w);
    uint64_t position = l ? l->place + i * rd->layout->pointer : position_of(r, slot);
    uint32_t target;
    *number = 0;
    if (!in_from(rd, r->at.layout->slots[slot].row) ||
        (!hk_link_find(&rd->global, position, &target) &&
         !hk_link_find(&rd->local, position, &target)))
        return LATHE_OK;
    uint64_t object = object_of(rd, target);
    if (object == rd->count || rd->starts[object] != target)
        return no_object(&r->at, slot, target, err);
    *number = object + 1;
    return LATHE_OK;
}

static lathe_result item(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, uint64_t to, hk_record *out, lathe_error *err)
{
    uint64_t skip = i * r->at.layout->slots[slot].elem;
    (void)err;
    *out = (hk_record){.feed = r->feed, .place = l->place + skip};
    out->to = rec_child(&r->to, slot, r->to.layout->slots[slot].sub, w->data, to, i);
    out->at = rec_child(&r->at, slot, l->at.layout, l->at.part, l->at.off + skip, i);
    return LATHE_OK;
}

/* ---- elements in bulk ------------------------------------------------------------------------------------------- */

/* The bytes of each number, where a record is nothing but numbers of one width, without gaps; else 0. */
static unsigned width_of(const rec_layout *l)
{
    unsigned width = 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const rec_slot *s = &l->slots[i];
        unsigned one = s->sub ? width_of(s->sub) : rec_width(s->row->kind);
        if (rec_unstored(s->row))
            continue;
        if (!one || s->array || s->off != end || (width && one != width) || s->row->names_in)
            return 0;
        width = one;
        end += s->size;
    }
    return end == l->size ? width : 0;
}

static lathe_result plain(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                          lathe_error *err)
{
    const rec_slot *to = &r->to.layout->slots[slot], *from = &r->at.layout->slots[slot];
    unsigned width = to->sub ? width_of(to->sub) : to->row->names_in ? 0 : rec_width(to->row->kind);
    uint64_t start = hk_size(w), bytes = l->count * to->elem;
    if (width && to->elem == from->elem && to->big == from->big)
        return hk_append(w, l->p, bytes, err);
    if (!hk_room(w, bytes))
        return hk_full(w, err);
    if (width && to->elem == from->elem) {
        bytes_copy_swap(w->maker->parts[w->data].data + start, (const uint8_t *)l->p,
                        (size_t)(bytes / width), width, true);
        return LATHE_OK;
    }
    lathe_result result = LATHE_OK;
    for (uint64_t i = 0; result == LATHE_OK && i < l->count; i++) {
        hk_record one;
        result = item(w, r, slot, l, i, start + i * to->elem, &one, err);
        if (result == LATHE_OK)
            result = copy_rows(w, &one, err);
    }
    return result;
}

static const hk_feed feed = {put, sub, list, pointer, text, item, plain};

/* ---- objects --------------------------------------------------------------------------------------------------- */

static rec_at object_at(const reader *rd, uint64_t i)
{
    uint32_t part = rd->parts[i];
    return (rec_at){
        .doc = rd->doc, .layout = rd->doc->parts[part].root, .part = part, .slot = REC_NO_SLOT};
}

static lathe_result refuse(hk_writer *w, uint64_t i, const char *why, lathe_error *err)
{
    const reader *rd = reader_of(w);
    rec_at at = object_at(rd, i);
    return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED, "%s", why);
}

/* Every class that the file names. */
static lathe_result begin(hk_writer *w, lathe_error *err)
{
    const reader *rd = reader_of(w);
    uint64_t at = 0;
    while (rd->names_size - at > 5 && rd->names[at + 4] == 9) {
        const char *name = rd->names + at + 5,
                   *end = memchr(name, 0, (size_t)(rd->names_size - at - 5));
        if (!end)
            break;
        hk_kind *k = hk_kind_of(w, name, (size_t)(end - name));
        if (!k)
            return rec_no_memory(err);
        if (!k->told)
            k->signature = bytes_ld32((const uint8_t *)rd->names + at, rd->layout->big);
        k->told = true;
        at = (uint64_t)(end + 1 - rd->names);
    }
    return LATHE_OK;
}

/* It has its class's members: not so where a described class has too few bytes. */
static bool is_described(const reader *rd, uint64_t i, const hk_kind *k)
{
    return k->known && rd->doc->parts[rd->parts[i]].root->type == k->known->type;
}

static lathe_result kind(hk_writer *w, uint64_t i, hk_kind **out, lathe_error *err)
{
    reader *rd = reader_of(w);
    uint32_t target;
    if (!hk_link_find(&rd->virtual, rd->starts[i], &target) || target >= rd->names_size)
        return refuse(w, i, "it has no class", err);
    const char *name = rd->names + target;
    const char *end = memchr(name, 0, (size_t)(rd->names_size - target));
    *out = end ? hk_kind_of(w, name, (size_t)(end - name)) : NULL;
    if (!*out)
        return rec_no_memory(err);
    return rd->same_layout || is_described(rd, i, *out)
               ? LATHE_OK
               : refuse(w, i,
                        "not described, so its bytes can only stay in the layout that they are in",
                        err);
}

/* A pointer of an opaque object that starts at `base` as it is written: within it, or to another. */
static lathe_result carry(hk_writer *w, uint64_t i, uint64_t base, const hk_link *f, bool local,
                          lathe_error *err)
{
    reader *rd = reader_of(w);
    rec_at at = object_at(rd, i);
    uint64_t start = rd->starts[i], site = f->source - start, object = object_of(rd, f->target);
    if (local && object == i)
        return hk_put_local(w, base + site, base + (f->target - start), err);
    if (object != rd->count && rd->starts[object] == f->target)
        return hk_put_global(w, base + site, object + 1, err);
    return rec_fail(&at, REC_NO_SLOT, site, err, LATHE_ERR_UNSUPPORTED,
                    local ? "its data at 0x%x lie in another object"
                          : "points to 0x%x, where no object begins",
                    f->target);
}

static lathe_result put_opaque(hk_writer *w, uint64_t i, lathe_error *err)
{
    reader *rd = reader_of(w);
    const rec_part *p = &rd->doc->parts[rd->parts[i]];
    uint64_t base = hk_size(w);
    lathe_result r = hk_append(w, p->data, p->size, err);
    for (int pass = 0; r == LATHE_OK && pass < 2; pass++) {
        const hk_links *l = pass ? &rd->global : &rd->local;
        if (!hk_links_within(l, rd->starts[i], rd->starts[i] + p->size, &rd->run))
            return rec_no_memory(err);
        for (size_t k = 0; r == LATHE_OK && k < rd->run.size; k += sizeof(hk_link)) {
            hk_link f;
            memcpy(&f, rd->run.data + k, sizeof f);
            r = carry(w, i, base, &f, !pass, err);
        }
    }
    return r;
}

static lathe_result put_object(hk_writer *w, uint64_t i, const hk_kind *k, lathe_error *err)
{
    const reader *rd = reader_of(w);
    hk_record r = {.feed = &feed, .at = object_at(rd, i), .place = rd->starts[i]};
    if (!is_described(rd, i, k))
        return put_opaque(w, i, err);
    r.to = (rec_at){.doc = w->maker, .layout = k->layout, .part = w->data, .slot = REC_NO_SLOT};
    r.to.off = hk_size(w);
    if (rd->doc->parts[r.at.part].size < r.at.layout->size)
        return refuse(w, i, "its bytes end early", err);
    return hk_walk(w, &r, err);
}

/* ---- documents ----------------------------------------------------------------------------------------------------- */

/* Nothing but padding may stand where nobody knows what it is. */
static lathe_result check_nothing(lathe_doc *doc, uint32_t c, hk_part which, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    const rec_part *p = &doc->parts[hk_part_of(doc, c, which)];
    for (uint64_t i = 0; i < p->size; i++)
        if (p->data[i] != 0 && p->data[i] != 0xFF)
            return rec_fail(&root, hk_row(which), root.off, err, LATHE_ERR_UNSUPPORTED,
                            "%llu bytes that have no place in a file written anew",
                            (unsigned long long)p->size);
    return LATHE_OK;
}

/* What the header has that does not follow from the rest. */
static lathe_result read_head(const reader *rd, lathe_doc *maker, hk_head *head, lathe_error *err)
{
    rec_at root = rec_root(rd->doc, rd->c);
    lathe_value v;
    hk_head_defaults(head);
    head->user_tag = (int32_t)rec_int(&root, "user_tag");
    head->flags = (int32_t)rec_int(&root, "flags");
    head->empty_base = (uint8_t)rec_int(&root, "empty_base");
    if (head->version != rd->layout->version)
        return LATHE_OK;
    head->max_predicate = (int16_t)rec_int(&root, "max_predicate");
    head->predicate_size = (int16_t)rec_int(&root, "predicate_array_size");
    memcpy(head->contents_version, rd->doc->parts[root.part].data + 0x28, HK_VERSION_SIZE);
    lathe_result r = rec_get(&root, rec_slot_find(root.layout, "predicates"), true, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || !v.as.s.n)
        return r;
    uint8_t *copy = arena_zalloc(&maker->arena, v.as.s.n); /* 16-bit numbers */
    if (!copy)
        return rec_no_memory(err);
    memcpy(copy, v.as.s.p, v.as.s.n);
    bytes_copy_swap(copy, (const uint8_t *)v.as.s.p, v.as.s.n / 2, 2, head->big != rd->layout->big);
    head->predicates = copy;
    return LATHE_OK;
}

static lathe_result read_objects(reader *rd, lathe_error *err)
{
    lathe_doc *doc = rd->doc;
    const rec_container *c = rd->layout;
    uint64_t lead = rec_encoded(doc, hk_part_of(doc, rd->c, HK_LEAD), 0);
    rd->parts = rec_kid_list(doc, c->root, hk_row(HK_OBJECTS), &rd->count);
    rd->starts = mem_alloc(&doc->mem, (size_t)(rd->count + 1) * sizeof *rd->starts);
    if (!rd->starts || !hk_links_read(doc, rd->c, HK_LOCAL, &rd->local) ||
        !hk_links_read(doc, rd->c, HK_GLOBAL, &rd->global) ||
        !hk_links_read(doc, rd->c, HK_VIRTUAL, &rd->virtual))
        return rec_no_memory(err);
    rec_at root = rec_root(doc, rd->c);
    for (uint32_t i = 0; i < rd->global.n; i++) {
        hk_fixup f = hk_fixup_get(doc, rd->c, HK_GLOBAL, i);
        if (f.section != rec_int(&root, "contents_section_index"))
            return rec_fail(&root, hk_row(HK_GLOBAL), root.off, err, LATHE_ERR_UNSUPPORTED,
                            "record %u points into section %u, which has no objects", i + 1,
                            f.section);
    }
    for (uint64_t i = 0; i < rd->count; i++) {
        const rec_part *p = &doc->parts[rd->parts[i]];
        if (p->start - lead + p->size >= UINT32_MAX)
            return error_set(err, LATHE_ERR_LIMIT, p->start, "a packfile has 32-bit positions");
        rd->starts[i] = (uint32_t)(p->start - lead);
        rd->data = rd->starts[i] + p->size;
    }
    rd->left = 16 * rd->data + ((uint64_t)16 << 20);
    return LATHE_OK;
}

static void close_reader(reader *rd)
{
    const mem *m = &rd->doc->mem;
    hk_links_free(rd->doc, &rd->local);
    hk_links_free(rd->doc, &rd->global);
    hk_links_free(rd->doc, &rd->virtual);
    buf_free(&rd->run);
    mem_free(m, rd->starts, (size_t)(rd->count + 1) * sizeof *rd->starts);
}

static lathe_result find_root(const reader *rd, uint64_t *number, lathe_error *err)
{
    rec_at root = rec_root(rd->doc, rd->c);
    int64_t at = rec_int(&root, "contents_section_offset");
    uint64_t i = hk_object_at(rd->doc, rd->c, (uint64_t)at);
    *number = i - 1;
    return i ? LATHE_OK
             : rec_fail(&root, rec_slot_find(root.layout, "root"), root.off, err, LATHE_ERR_INVALID,
                        "no object begins at 0x%llx", (unsigned long long)at);
}

lathe_result hk_write_doc(lathe_doc *maker, lathe_doc *doc, uint32_t c, hk_head *head, buf *out,
                          lathe_error *err)
{
    static const hk_part kept[] = {HK_TYPES, HK_LEAD, HK_EXPORTS, HK_IMPORTS, HK_PARTS};
    reader rd = {.doc = doc, .c = c, .layout = &doc->containers[c]};
    hk_objects objects = {&rd, 0, 0, 0, begin, kind, put_object, refuse};
    buf_init(&rd.run, &doc->mem);
    lathe_result r = rec_places(doc) ? LATHE_OK : rec_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(kept); i++)
        r = check_nothing(doc, c, kept[i], err);
    if (r == LATHE_OK)
        r = read_objects(&rd, err);
    if (r == LATHE_OK)
        r = find_root(&rd, &objects.root, err);
    if (r == LATHE_OK) {
        rd.same_layout = head->version == rd.layout->version && head->big == rd.layout->big &&
                         head->pointer == rd.layout->pointer;
        rd.names = hk_class_names(doc, c, &rd.names_size);
        objects.count = rd.count;
        objects.size = rd.data;
        r = read_head(&rd, maker, head, err);
    }
    if (r == LATHE_OK)
        r = hk_write(maker, head, rd.layout->version, &objects, out, err);
    close_reader(&rd);
    return r;
}

/* ---- the hook ------------------------------------------------------------------------------------------------------- */

static const char *const games[] = {"skyrim-le", "skyrim-se", "fallout4", "Skyrim LE",
                                    "Skyrim SE", "Fallout 4", NULL};
static const rec_param game_param = {
    .name = "game",
    .kind = LATHE_PARAM_TEXT,
    .values = games,
    .doc = "The game in whose layout it is written. Left out: as it is."};
const rec_param *const hk_serialize_params[] = {&game_param, NULL};

lathe_result hk_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                          lathe_error *err)
{
    const rec_container *from = &doc->containers[c];
    hk_head head = {.version = from->version, .pointer = from->pointer, .big = from->big};
    lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *maker = NULL;
    lathe_value game;
    if (rec_arg(args, "game", &game))
        hk_head_of_game(&game, &head);
    lathe_result r = rec_doc_new(&o, NULL, 0, doc->path, &maker, err);
    if (r == LATHE_OK)
        r = hk_write_doc(maker, doc, c, &head, out, err);
    lathe_doc_close(maker);
    return r;
}
