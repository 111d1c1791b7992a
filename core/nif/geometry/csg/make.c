/* Makes geometry files from nested values, converts their form, and computes the hash of a name. */
#include "nif/geometry/csg/csg.h"

#include "base/deflate.h"
#include "record/journal.h"

/* ---- the name's hash ------------------------------------------------------------------------------------- */

/* CRC-32 (reflected, polynomial 0xEDB88320), initial value 0, no final xor. */
uint32_t csg_hash(const char *path)
{
    const char *name = path, *end;
    uint32_t crc = 0;
    for (const char *p = path; *p; p++)
        if (*p == '/' || *p == '\\')
            name = p + 1;
    end = strrchr(name, '.');
    for (const char *p = name; *p && p != end; p++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
        crc ^= (uint8_t)c;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return crc;
}

/* ---- from nested values ---------------------------------------------------------------------------------- */

typedef struct maker {
    rec_from from; /* the root's fields */
    rec_items rows;
    rec_at storage; /* rows of another document, if they are copied */
    lathe_doc *into;
} maker;

/* Begins an empty document of a form. */
static lathe_result begin(maker *mk, const mem *m, uint32_t mark, lathe_error *err)
{
    uint8_t bytes[12] = {0};
    lathe_options o = {
        .size = sizeof o, .format = "geometry", .alloc = m->fn, .alloc_user = m->user};
    bytes_st32(bytes, mark, false);
    lathe_doc_close(mk->into);
    mk->into = NULL;
    return lathe_doc_parse(bytes, mark == CSG_MARK_PACKED ? 12 : 8, &o, &mk->into, err);
}

static lathe_result take_form(maker *mk, const mem *m, lathe_error *err)
{
    uint32_t mark = deflate_built_in() ? CSG_MARK_PACKED : CSG_MARK_PLAIN;
    lathe_value leaf;
    const void *child;
    uint64_t raw;
    lathe_result r = begin(mk, m, mark, err);
    if (r != LATHE_OK)
        return r;
    rec_at root = csg_root(mk->into);
    if (!rec_source_value(&mk->from, &root, CSG_FORM, &leaf, &child))
        return LATHE_OK;
    r = rec_encode(&root, CSG_FORM, &leaf, &raw, err);
    if (r == LATHE_OK && raw != CSG_MARK_PLAIN && raw != CSG_MARK_PACKED)
        r = rec_fail(&root, CSG_FORM, 0, err, LATHE_ERR_RANGE, "psg or csg expected");
    return r == LATHE_OK && raw != mark ? begin(mk, m, (uint32_t)raw, err) : r;
}

static lathe_result take_rows(maker *mk, lathe_error *err)
{
    rec_at root = csg_root(mk->into);
    lathe_value leaf;
    const void *child;
    lathe_result r = rec_check_names(&root, &mk->from, err);
    if (r != LATHE_OK || !rec_source_value(&mk->from, &root, CSG_ROWS, &leaf, &child))
        return r;
    if (!rec_items_of(&root.layout->slots[CSG_ROWS], &mk->from, &leaf, child, &mk->rows,
                      &mk->storage))
        r = rec_fail(&root, CSG_ROWS, 0, err, LATHE_ERR_TYPE, "a list expected");
    return r;
}

/* Gets row i of the source: the fields of a nested value, or a record (*base). */
static lathe_result take_row(const maker *mk, uint64_t i, rec_from *from, rec_at *base,
                             lathe_error *err)
{
    const lathe_source *s = mk->rows.source;
    rec_at root = csg_root(mk->into);
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    lathe_result r = LATHE_OK;
    const void *child = NULL;
    uint32_t none;
    *from = (rec_from){0};
    if (mk->rows.at)
        r = rec_get_item(mk->rows.at, mk->rows.slot, i, true, &leaf, err);
    else
        s->get(s->user, mk->rows.node, NULL, i, &leaf, &child);
    if (r != LATHE_OK)
        return r;
    if (child) {
        from->source = s;
        from->node = child;
        return LATHE_OK;
    }
    if (leaf.kind == LATHE_KIND_RECORD && rec_enter(&leaf.as.v, base, &none, err) == LATHE_OK &&
        base->layout->type == root.layout->slots[CSG_ROWS].sub->type) {
        from->base = base;
        return LATHE_OK;
    }
    return rec_fail(&root, CSG_ROWS, 0, err, LATHE_ERR_TYPE, "row %llu: geometry_row expected",
                    (unsigned long long)i + 1);
}

/* Fails if given offsets differ from the resulting ones: other files depend on them. */
static lathe_result check_offset(const rec_at *at, const rec_from *from, lathe_error *err)
{
    lathe_value leaf;
    const void *child;
    double given;
    int64_t have = rec_slot_int(at, CSG_DATA_OFFSET);
    if (!rec_source_value(from, at, CSG_DATA_OFFSET, &leaf, &child) || !rec_number(&leaf, &given) ||
        given == (double)have)
        return LATHE_OK;
    return rec_fail(at, CSG_DATA_OFFSET, at->off, err, LATHE_ERR_INVALID,
                    "%.0f is given, but the rows in front of it end at %lld: leave data_offset out "
                    "to have rows put one behind the other",
                    given, (long long)have);
}

static lathe_result build_rows(const maker *mk, lathe_error *err)
{
    rec_at root = csg_root(mk->into), at, base;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < mk->rows.count; i++) {
        rec_from from;
        r = take_row(mk, i, &from, &base, err);
        if (r == LATHE_OK)
            r = rec_insert(&root, CSG_ROWS, i, 1, NULL, 0, err);
        if (r == LATHE_OK)
            r = rec_sub(&root, CSG_ROWS, i, &at, err);
        from.fresh = !from.base;
        if (r == LATHE_OK)
            r = from.base ? rec_copy(&at, from.base, err) : rec_build(&at, &from, err);
        if (r == LATHE_OK && from.source)
            r = check_offset(&at, &from, err);
    }
    return r;
}

/* Writes only the stored fields of the rows, between the given raw bytes around them. */
static lathe_result put_raw(const maker *mk, const lathe_value *raw, buf *out, lathe_error *err)
{
    lathe_doc *doc = mk->into;
    rec_at root = csg_root(doc), base;
    enum { COUNT = 4 };
    const uint8_t *bytes = (const uint8_t *)raw->as.s.p;
    bool packed = csg_form(doc) != CSG_PLAIN,
         text = raw->kind == LATHE_KIND_STRING && raw->as.s.n >= COUNT;
    uint64_t chunks = text ? bytes_ld32(bytes, false) : 0, table = COUNT + CSG_ENTRY * chunks;
    uint8_t head[8];
    if (!text || table > raw->as.s.n || (!packed && chunks))
        return rec_fail(&root, CSG_RAW, 0, err, LATHE_ERR_INVALID,
                        "it does not begin with a chunk table");
    uint32_t scratch = rec_scratch(doc, 0);
    lathe_result r = scratch == REC_NO_PART ? rec_no_memory(err) : LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < mk->rows.count; i++) {
        rec_from from;
        const rec_layout *layout = root.layout->slots[CSG_ROWS].sub;
        rec_at at = rec_child(&root, CSG_ROWS, layout, scratch, doc->parts[scratch].size, i);
        r = take_row(mk, i, &from, &base, err);
        from.stored_only = from.skip_parts = true; /* no row without bytes */
        if (r == LATHE_OK)
            r = rec_emit(&at, &from, err);
    }
    bytes_st32(head, csg_u32(doc, 0), false);
    bytes_st32(head + 4, (uint32_t)mk->rows.count, false);
    bool ok = r != LATHE_OK ||
              (buf_put(out, head, sizeof head) && (!packed || buf_put(out, bytes, (size_t)table)) &&
               buf_put(out, doc->parts[scratch].data, (size_t)doc->parts[scratch].size) &&
               buf_put(out, bytes + table, raw->as.s.n - (size_t)table));
    rec_scratch_free(doc, scratch);
    return ok ? r : rec_no_memory(err);
}

static bool to_buf(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

static lathe_result put(maker *mk, buf *out, lathe_error *err)
{
    lathe_value raw;
    const void *child;
    rec_at root = csg_root(mk->into);
    if (rec_source_value(&mk->from, &root, CSG_RAW, &raw, &child))
        return put_raw(mk, &raw, out, err);
    lathe_result r = rec_begin(mk->into, err);
    if (r == LATHE_OK)
        r = rec_end(mk->into, build_rows(mk, err), err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(mk->into, to_buf, out, err);
    return r == LATHE_ERR_IO ? rec_no_memory(err) : r;
}

lathe_result csg_make(lathe_doc *doc, const lathe_source *fields, buf *out, lathe_error *err)
{
    maker mk = {.from = {.source = fields}};
    uint32_t part = rec_part_add(doc, 0);
    if (part == REC_NO_PART ||
        rec_container_add(doc, &format_geometry, part, UINT32_MAX) == UINT32_MAX)
        return rec_no_memory(err);
    lathe_result r = take_form(&mk, &doc->mem, err);
    if (r == LATHE_OK)
        r = take_rows(&mk, err);
    if (r == LATHE_OK)
        r = put(&mk, out, err);
    lathe_doc_close(mk.into);
    return r;
}

/* ---- conversion ------------------------------------------------------------------------------------------ */

static const char *const form_words[] = {"psg", "csg", NULL};
static const rec_param convert_to = {
    .name = "to",
    .doc = "The form that it gets. psg (plain) or csg (packed by zlib, for the game).",
    .kind = LATHE_PARAM_TEXT,
    .values = form_words,
    .positional = true,
    .needed = true};
const rec_param *const csg_convert_params[] = {&convert_to, NULL};

/* Decompresses everything that will be written: afterwards only a disk error can prevent saving. */
static lathe_result unpack_all(lathe_doc *doc, uint64_t size, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k * CSG_CHUNK < size; k++) {
        const uint8_t *bytes;
        size_t n;
        r = csg_chunk(doc, k, &bytes, &n, err);
    }
    return r;
}

lathe_result csg_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    lathe_doc *doc = self.doc;
    lathe_value to;
    uint64_t size;
    rec_at root = csg_root(doc);
    rec_arg(args, "to", &to);
    int want = rec_text_is(&to, "csg") ? CSG_PACKED : CSG_PLAIN, now = csg_form(doc);
    if (want == now)
        return LATHE_OK;
    if (want == CSG_PACKED && !deflate_built_in())
        return rec_fail(&root, CSG_FORM, 0, err, LATHE_ERR_UNSUPPORTED,
                        "no packed geometry file: this lathe was built without zlib");
    lathe_result r = csg_settle(doc, 0, err); /* rows that the surrounding edit has written */
    if (r == LATHE_OK)
        r = csg_stream_size(doc, &size, err);
    if (r == LATHE_OK && want == CSG_PLAIN)
        r = unpack_all(doc, size, err);
    if (r == LATHE_OK)
        r = now == CSG_UNTIDY && want == CSG_PACKED ? rec_set_version(doc, 0, want, err)
                                                    : rec_convert(doc, 0, want, NULL, NULL, err);
    if (r == LATHE_OK)
        r = rec_put_raw(&root, CSG_FORM, 0, want == CSG_PACKED ? CSG_MARK_PACKED : CSG_MARK_PLAIN,
                        err);
    rec_mark_dirty(doc, root.part);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}
