/* Members of a document's records as Havok XML: formats/havok-xml.md#3. */
#include "havok/xml/text.h"
#include "havok/xml/value.h"
#include "havok/xml/writer.h"

enum { A_LINE = 16 }; /* values on a line of an array */

/* ---- records --------------------------------------------------------------------------------------------- */

/* What is only read is also what would be written. */
static lathe_result settle(const hk_xml_writer *w, hk_record *r, lathe_error *err)
{
    r->at.layout = hk_xml_layout(&w->plans, r->at.layout);
    r->to = r->at;
    return r->at.layout ? LATHE_OK : rec_no_memory(err);
}

lathe_result hk_xml_record(hk_xml_writer *w, uint64_t i, hk_record *r, lathe_error *err)
{
    const rec_part *p = &w->doc->parts[w->reader.parts[i]];
    const char *name = hk_doc_reader_class(&w->reader, i, NULL);
    *r = (hk_record){.feed = &hk_doc_feed, .place = w->reader.starts[i]};
    r->at =
        (rec_at){.doc = w->doc, .layout = p->root, .part = w->reader.parts[i], .slot = REC_NO_SLOT};
    if (!name || p->root->type == &hk_opaque)
        return rec_fail(&r->at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "lathe does not know the members of %s, which XML would name",
                        name ? name : "an object without a class");
    if (p->size < p->root->size)
        return rec_fail(&r->at, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS, "its bytes end early");
    return settle(w, r, err);
}

static const hk_xml_plan *plan_of(hk_xml_writer *w, const hk_record *r)
{
    return hk_xml_plan_of(&w->plans, r->at.layout);
}

static lathe_result list_of(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                            hk_list *list, lathe_error *err)
{
    return hk_doc_feed.list(&w->feed, r, m->slot, list, err);
}

static lathe_result item_of(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                            const hk_list *list, uint64_t i, hk_record *item, lathe_error *err)
{
    lathe_result result = hk_doc_feed.item(&w->feed, r, m->slot, list, i, 0, item, err);
    return result == LATHE_OK ? settle(w, item, err) : result;
}

static lathe_result sub_of(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                           hk_record *sub, lathe_error *err)
{
    lathe_result result = hk_doc_feed.sub(&w->feed, r, m->slot, sub, err);
    return result == LATHE_OK ? settle(w, sub, err) : result;
}

static const uint8_t *bytes_of(const hk_record *r, const hk_xml_member *m)
{
    return r->at.doc->parts[r->at.part].data + r->at.off + m->as->off;
}

/* ---- what leads where ------------------------------------------------------------------------------------ */

static lathe_result follow_one(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                               const hk_list *list, uint64_t i, lathe_error *err)
{
    uint64_t number;
    lathe_result result = hk_doc_feed.pointer(&w->feed, r, m->slot, list, i, &number, err);
    uint32_t object = (uint32_t)number - 1;
    if (result == LATHE_OK && number && !buf_put(&w->edges, &object, sizeof object))
        return rec_no_memory(err);
    return result;
}

static lathe_result follow_member(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                                  lathe_error *err)
{
    hk_list list;
    hk_record sub;
    lathe_result result;
    if (m->op != HK_XML_POINTER && !(m->op == HK_XML_STRUCT && m->sub->points))
        return LATHE_OK;
    if (m->many == HK_XML_ONE && m->op == HK_XML_POINTER)
        return follow_one(w, r, m, NULL, 0, err);
    if (m->many == HK_XML_ONE) {
        result = sub_of(w, r, m, &sub, err);
        return result == LATHE_OK ? hk_xml_follow(w, &sub, err) : result;
    }
    result = list_of(w, r, m, &list, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list.count; i++) {
        if (m->op == HK_XML_POINTER) {
            result = follow_one(w, r, m, &list, i, err);
            continue;
        }
        result = item_of(w, r, m, &list, i, &sub, err);
        if (result == LATHE_OK)
            result = hk_xml_follow(w, &sub, err);
    }
    return result;
}

/* As deep as classes nest, but for one that holds an array of itself. */
lathe_result hk_xml_follow(hk_xml_writer *w, const hk_record *r, lathe_error *err)
{
    const hk_xml_plan *plan = plan_of(w, r);
    lathe_result result = LATHE_OK;
    if (!plan || !plan->points)
        return plan ? LATHE_OK : rec_no_memory(err);
    if (++w->depth > REC_DEPTH)
        result = rec_fail(&r->at, REC_NO_SLOT, r->at.off, err, LATHE_ERR_LIMIT,
                          "records nested deeper than %d", REC_DEPTH);
    for (uint32_t i = 0; result == LATHE_OK && i < plan->n; i++)
        result = follow_member(w, r, &plan->members[i], err);
    w->depth--;
    return result;
}

/* ---- pieces of text -------------------------------------------------------------------------------------- */

static bool put(hk_xml_writer *w, const char *text)
{
    return buf_put(w->out, text, strlen(text));
}

static bool put_tabs(hk_xml_writer *w, unsigned depth)
{
    return buf_fill(w->out, '\t', depth);
}

static bool put_line(hk_xml_writer *w, unsigned depth, const char *text)
{
    return put_tabs(w, depth) && put(w, text) && put(w, "\n");
}

/* "<hkparam name="NAME" numelements="N">"; n UINT64_MAX: it is no array. */
static bool begin_param(hk_xml_writer *w, const hk_xml_member *m, uint64_t n, unsigned depth)
{
    char digits[HK_XML_NUMBER];
    bool ok =
        put_tabs(w, depth) && put(w, "<hkparam name=\"") && buf_put(w->out, m->name, m->name_n);
    if (n == UINT64_MAX)
        return ok && put(w, "\">");
    return ok && put(w, "\" numelements=\"") &&
           buf_put(w->out, digits, hk_xml_print_uint(digits, n)) && put(w, "\">");
}

static bool put_text(hk_xml_writer *w, const char *p, uint64_t n)
{
    if (!p)
        return put(w, "&#9216;");
    if (w->losses && !hk_xml_keeps_text(p, (size_t)n))
        w->losses->texts++;
    return hk_xml_encode(w->out, p, (size_t)n);
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static void count_real(hk_xml_writer *w, uint32_t bits)
{
    if (w->losses && !hk_xml_keeps_real(bits))
        w->losses->decimals++;
}

static bool put_tuple(hk_xml_writer *w, const hk_xml_member *m, const uint8_t *p)
{
    uint32_t bits[16];
    size_t n = 4 * strlen(m->lanes);
    for (size_t i = 0; i < n; i++) {
        bits[i] = bytes_ld32(p + 4 * i, w->reader.layout->big);
        bool written = (char)(i % 4) < m->lanes[i / 4] - '0';
        if (written)
            count_real(w, bits[i]);
        else if (w->losses)
            w->losses->lanes += bits[i] != 0;
    }
    return hk_xml_put_tuple(w->out, m, bits);
}

static bool put_value(hk_xml_writer *w, const hk_xml_member *m, const uint8_t *p)
{
    if (m->op == HK_XML_TUPLE)
        return put_tuple(w, m, p);
    uint64_t raw = m->width == 1 ? *p : bytes_ld(p, m->width, m->as->big);
    if (m->op == HK_XML_REAL)
        count_real(w, (uint32_t)raw);
    else if (m->op == HK_XML_HALF && w->losses)
        w->losses->decimals += !hk_xml_keeps_half((uint16_t)raw);
    return hk_xml_put_number(w->out, m, raw);
}

static uint64_t size_of(const hk_xml_member *m)
{
    return m->op == HK_XML_TUPLE ? 16 * strlen(m->lanes) : m->width;
}

static bool put_fixed(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m)
{
    const uint8_t *p = bytes_of(r, m);
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->as->row->n; i++)
        ok = (!i || put(w, " ")) && put_value(w, m, p + i * size_of(m));
    return ok;
}

/* ---- arrays ---------------------------------------------------------------------------------------------- */

static lathe_result put_pointer(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                                const hk_list *list, uint64_t i, lathe_error *err)
{
    uint64_t number;
    lathe_result result = hk_doc_feed.pointer(&w->feed, r, m->slot, list, i, &number, err);
    if (result != LATHE_OK)
        return result;
    return (number ? hk_xml_put_name(w, number - 1) : put(w, "null")) ? LATHE_OK
                                                                      : rec_no_memory(err);
}

static lathe_result put_fixed_pointers(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                                       lathe_error *err)
{
    hk_list list;
    lathe_result result = list_of(w, r, m, &list, err);
    for (uint64_t i = 0; result == LATHE_OK && i < list.count; i++)
        result = !i || put(w, " ") ? put_pointer(w, r, m, &list, i, err) : rec_no_memory(err);
    return result;
}

/* Values with blanks between them, so many on a line. */
static lathe_result put_values(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                               const hk_list *list, unsigned depth, lathe_error *err)
{
    uint64_t a_line = m->op == HK_XML_TUPLE ? 1 : A_LINE;
    lathe_result result = LATHE_OK;
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        bool ok = i % a_line ? put(w, " ") : put_tabs(w, depth);
        if (!ok)
            return rec_no_memory(err);
        if (m->op == HK_XML_POINTER)
            result = put_pointer(w, r, m, list, i, err);
        else if (!put_value(w, m, (const uint8_t *)list->p + i * size_of(m)))
            return rec_no_memory(err);
        bool last = i + 1 == list->count || (i + 1) % a_line == 0;
        if (result == LATHE_OK && last && !put(w, "\n"))
            return rec_no_memory(err);
    }
    return result;
}

static lathe_result put_texts(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                              const hk_list *list, unsigned depth, lathe_error *err)
{
    lathe_result result = LATHE_OK;
    for (uint64_t i = 0; result == LATHE_OK && i < list->count; i++) {
        hk_list text;
        result = hk_doc_feed.text(&w->feed, r, m->slot, list, i, &text, err);
        if (result == LATHE_OK && !(put_tabs(w, depth) && put(w, "<hkcstring>") &&
                                    put_text(w, text.p, text.count) && put(w, "</hkcstring>\n")))
            return rec_no_memory(err);
    }
    return result;
}

static lathe_result put_object(hk_xml_writer *w, const hk_record *r, unsigned depth,
                               lathe_error *err)
{
    lathe_result result = put_line(w, depth, "<hkobject>") ? LATHE_OK : rec_no_memory(err);
    if (result == LATHE_OK)
        result = hk_xml_put_members(w, r, depth + 1, err);
    return result != LATHE_OK || put_line(w, depth, "</hkobject>") ? result : rec_no_memory(err);
}

static lathe_result put_array(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                              unsigned depth, lathe_error *err)
{
    hk_list list;
    hk_record item;
    lathe_result result = list_of(w, r, m, &list, err);
    uint64_t told = m->many == HK_XML_ARRAY ? list.count : UINT64_MAX;
    if (result == LATHE_OK && !begin_param(w, m, told, depth))
        result = rec_no_memory(err);
    if (result != LATHE_OK || !list.count)
        return result != LATHE_OK || put(w, "</hkparam>\n") ? result : rec_no_memory(err);
    if (!put(w, "\n"))
        return rec_no_memory(err);
    if (m->op == HK_XML_TEXT)
        result = put_texts(w, r, m, &list, depth + 1, err);
    else if (m->op != HK_XML_STRUCT)
        result = put_values(w, r, m, &list, depth + 1, err);
    for (uint64_t i = 0; m->op == HK_XML_STRUCT && result == LATHE_OK && i < list.count; i++) {
        result = item_of(w, r, m, &list, i, &item, err);
        if (result == LATHE_OK)
            result = put_object(w, &item, depth + 1, err);
    }
    return result != LATHE_OK || put_line(w, depth, "</hkparam>") ? result : rec_no_memory(err);
}

/* ---- members --------------------------------------------------------------------------------------------- */

static lathe_result put_ignored(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                                unsigned depth, lathe_error *err)
{
    const uint8_t *p = bytes_of(r, m);
    bool empty = true;
    for (uint64_t i = 0; w->losses && !m->as->row->body && empty && i < m->as->size; i++)
        empty = p[i] == 0;
    if (w->losses)
        w->losses->ignored += !empty;
    return put_tabs(w, depth) && put(w, "<!-- ") && buf_put(w->out, m->name, m->name_n) &&
                   put(w, " SERIALIZE_IGNORED -->\n")
               ? LATHE_OK
               : rec_no_memory(err);
}

static lathe_result put_struct(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                               unsigned depth, lathe_error *err)
{
    hk_record sub;
    lathe_result result = sub_of(w, r, m, &sub, err);
    if (result == LATHE_OK && !(begin_param(w, m, UINT64_MAX, depth) && put(w, "\n")))
        result = rec_no_memory(err);
    if (result == LATHE_OK)
        result = put_object(w, &sub, depth + 1, err);
    return result != LATHE_OK || put_line(w, depth, "</hkparam>") ? result : rec_no_memory(err);
}

/* What is on one line. */
static lathe_result put_one(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                            unsigned depth, lathe_error *err)
{
    hk_list text;
    lathe_result result = begin_param(w, m, UINT64_MAX, depth) ? LATHE_OK : rec_no_memory(err);
    if (result != LATHE_OK)
        return result;
    bool ok = true;
    if (m->op == HK_XML_TEXT) {
        result = list_of(w, r, m, &text, err);
        ok = result != LATHE_OK || put_text(w, text.p, text.count);
    } else if (m->op == HK_XML_POINTER && m->many == HK_XML_FIXED) {
        result = put_fixed_pointers(w, r, m, err);
    } else if (m->op == HK_XML_POINTER) {
        result = put_pointer(w, r, m, NULL, 0, err);
    } else {
        ok = m->many == HK_XML_FIXED ? put_fixed(w, r, m) : put_value(w, m, bytes_of(r, m));
    }
    return result != LATHE_OK || (ok && put(w, "</hkparam>\n")) ? result : rec_no_memory(err);
}

static lathe_result put_member(hk_xml_writer *w, const hk_record *r, const hk_xml_member *m,
                               unsigned depth, lathe_error *err)
{
    if (m->op == HK_XML_IGNORED)
        return put_ignored(w, r, m, depth, err);
    if (m->op == HK_XML_NONE)
        return rec_fail(&r->at, m->slot, r->at.off, err, LATHE_ERR_UNSUPPORTED,
                        "XML has no form for such a member");
    if (m->many == HK_XML_ARRAY || (m->many == HK_XML_FIXED && m->op == HK_XML_STRUCT))
        return put_array(w, r, m, depth, err);
    return m->op == HK_XML_STRUCT ? put_struct(w, r, m, depth, err) : put_one(w, r, m, depth, err);
}

lathe_result hk_xml_put_members(hk_xml_writer *w, const hk_record *r, unsigned depth,
                                lathe_error *err)
{
    const hk_xml_plan *plan = plan_of(w, r);
    lathe_result result = LATHE_OK;
    if (!plan)
        return rec_no_memory(err);
    if (++w->depth > REC_DEPTH)
        result = rec_fail(&r->at, REC_NO_SLOT, r->at.off, err, LATHE_ERR_LIMIT,
                          "records nested deeper than %d", REC_DEPTH);
    for (uint32_t i = 0; result == LATHE_OK && i < plan->n; i++)
        result = put_member(w, r, &plan->members[i], depth, err);
    w->depth--;
    return result;
}
