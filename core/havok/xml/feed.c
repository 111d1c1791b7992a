/* Members of records in a Havok XML file, as the writer of packfiles asks for them. Reference: formats/havok-xml.md#5. */
#include "havok/xml/reader.h"
#include "havok/xml/value.h"

typedef hk_xml_reader reader;

static reader *reader_of(const hk_writer *w)
{
    return hk_xml_reader_of(w);
}

static hk_xml_node *node_of(const hk_record *r)
{
    return (hk_xml_node *)(uintptr_t)r->from.node; /* of the reader's own tree */
}

static const char *end_of(const hk_xml_node *node)
{
    return node->text + node->text_n;
}

static hk_xml_place place_of(const reader *rd, const hk_xml_plan *plan, const hk_xml_member *m)
{
    return (hk_xml_place){&rd->tree->text, plan, m};
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

/* The parameter of a record for a member, NULL where it has none. Members are asked for in their order, which mostly is that
 * of the parameters: a search goes on where the last one ended. */
static hk_xml_node *param_of(const reader *rd, hk_xml_node *record, const hk_xml_member *m)
{
    if (!record)
        return NULL;
    uint32_t start = record->seen ? record->seen : record->child, at = start;
    for (uint32_t i = 0; i < record->count; i++) {
        hk_xml_node *node = hk_xml_node_of(rd->tree, at);
        uint32_t next = node->next ? node->next : record->child;
        if (node->name.n == m->name_n && memcmp(node->name.p, m->name, m->name_n) == 0) {
            record->seen = next;
            return node;
        }
        at = next;
    }
    return NULL;
}

static const char *next_member(void *user, size_t i)
{
    const hk_xml_plan *plan = user;
    return i < plan->n ? plan->members[i].name : NULL;
}

static lathe_result no_member(const reader *rd, const hk_xml_plan *plan, const hk_xml_node *param,
                              lathe_error *err)
{
    char name[64];
    size_t n = (size_t)hk_xml_shown(param->name);
    if (!err)
        return LATHE_ERR_NAME;
    memcpy(name, param->name.p, n);
    name[n] = 0;
    const char *near = error_nearest(name, next_member, (void *)(uintptr_t)plan);
    return hk_xml_fail(&rd->tree->text, hk_xml_at(&rd->tree->text, param->name, param->text), err,
                       LATHE_ERR_NAME,
                       near ? "%s has no member '%s'; did you mean '%s'?" : "%s has no member '%s'",
                       plan->name, name, near);
}

/* Every parameter is a member, and no member is given twice. So a record has no more parameters than its class members. */
static lathe_result check_params(reader *rd, const hk_xml_plan *plan, const hk_xml_node *record,
                                 lathe_error *err)
{
    uint32_t k = 0;
    rd->given.size = 0;
    if (!buf_fill(&rd->given, 0, plan->n))
        return rec_no_memory(err);
    for (uint32_t at = record->child; at;) {
        const hk_xml_node *node = hk_xml_node_of(rd->tree, at);
        uint32_t tried = 0;
        for (; tried < plan->n; tried++, k++) {
            k = k < plan->n ? k : 0;
            const hk_xml_member *m = &plan->members[k];
            if (node->name.n == m->name_n && memcmp(node->name.p, m->name, m->name_n) == 0)
                break;
        }
        if (tried == plan->n)
            return no_member(rd, plan, node, err);
        if (rd->given.data[k])
            return hk_xml_fail(&rd->tree->text, hk_xml_at(&rd->tree->text, node->name, node->text),
                               err, LATHE_ERR_INVALID, "%s.%s is given twice", plan->name,
                               plan->members[k].name);
        rd->given.data[k++] = 1;
        at = node->next;
    }
    return LATHE_OK;
}

/* Children, where a value is expected to be made of these. */
static lathe_result check_children(const hk_xml_place *place, const hk_xml_node *param,
                                   hk_xml_kind kind, bool one, lathe_error *err)
{
    const char *p = param->text;
    if (param->count ? one && param->count > 1 : hk_xml_more(&p, end_of(param)))
        return hk_xml_refuse(place, p, err, LATHE_ERR_INVALID, "%s expected",
                             kind == HK_XML_STRING ? "<hkcstring> elements"
                             : one                 ? "one <hkobject>"
                                                   : "<hkobject> elements");
    return LATHE_OK;
}

static lathe_result check_text(const hk_xml_place *place, const hk_xml_node *param,
                               lathe_error *err)
{
    return param->count ? hk_xml_refuse(place, param->text, err, LATHE_ERR_INVALID,
                                        "a value expected, got elements")
                        : LATHE_OK;
}

/* Behind a member's only value nothing may stand. */
static lathe_result check_end(const hk_xml_place *place, const char *p, const hk_xml_node *param,
                              lathe_error *err)
{
    return hk_xml_more(&p, end_of(param))
               ? hk_xml_refuse(place, p, err, LATHE_ERR_INVALID, "one value expected")
               : LATHE_OK;
}

static lathe_result check_object(const reader *rd, const hk_xml_node *node, lathe_error *err)
{
    return node->kind == HK_XML_OBJECT ? LATHE_OK
                                       : hk_xml_fail(&rd->tree->text, node->text, err,
                                                     LATHE_ERR_INVALID, "<hkobject> expected");
}

static lathe_result check_fixed(const hk_xml_place *place, const hk_xml_node *param, uint64_t n,
                                lathe_error *err)
{
    return n == place->member->as->row->n
               ? LATHE_OK
               : hk_xml_refuse(place, param->text, err, LATHE_ERR_INVALID,
                               "%llu values, %u expected", (unsigned long long)n,
                               place->member->as->row->n);
}

/* ---- structs --------------------------------------------------------------------------------------------- */

static lathe_result put_struct(hk_writer *w, const rec_at *to, const hk_xml_plan *plan,
                               hk_xml_node *record, lathe_error *err);

static uint8_t *bytes_at(hk_writer *w, uint64_t off)
{
    return w->maker->parts[w->data].data + off;
}

/* The next value of a member that has nothing elsewhere, to `off` of the data. */
static lathe_result put_value(hk_writer *w, const hk_xml_place *place, const char **p,
                              const char *end, uint64_t off, lathe_error *err)
{
    const hk_xml_member *m = place->member;
    uint64_t raw = 0;
    uint32_t lanes[16];
    lathe_result r;
    if (m->op == HK_XML_TUPLE) {
        r = hk_xml_take_tuple(place, p, end, lanes, err);
        for (size_t i = 0; r == LATHE_OK && i < 4 * strlen(m->lanes); i++)
            bytes_st32(bytes_at(w, off + 4 * i), lanes[i], w->head->big);
        return r;
    }
    r = m->op == HK_XML_FLAGS && m->many == HK_XML_ONE
            ? hk_xml_take_flags(place, p, end, &raw, err)
            : hk_xml_take_number(place, p, end, &raw, err);
    if (r == LATHE_OK)
        bytes_st(bytes_at(w, off), raw, m->width, w->head->big);
    return r;
}

/* What of an array has no head: as many values as there are, which must be so many. */
static lathe_result put_fixed(hk_writer *w, const hk_xml_place *place, const hk_xml_node *param,
                              uint64_t off, lathe_error *err)
{
    const hk_xml_member *m = place->member;
    const char *p = param->text, *end = end_of(param);
    uint64_t n = m->op == HK_XML_TUPLE ? hk_xml_count_groups(p, end) / strlen(m->lanes)
                                       : hk_xml_count_words(p, end);
    uint64_t size = m->op == HK_XML_TUPLE ? m->as->elem : m->width;
    lathe_result r = check_fixed(place, param, n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = put_value(w, place, &p, end, off + i * size, err);
    return r == LATHE_OK ? check_end(place, p, param, err) : r;
}

/* Structs in a row, as many as there must be. */
static lathe_result put_structs(hk_writer *w, const rec_at *to, const hk_xml_place *place,
                                hk_xml_node *param, lathe_error *err)
{
    const hk_xml_member *m = place->member;
    lathe_result r = check_children(place, param, HK_XML_OBJECT, false, err);
    if (r == LATHE_OK)
        r = check_fixed(place, param, param->count, err);
    for (uint32_t i = 0; r == LATHE_OK && i < param->count; i++) {
        const rec_at sub = rec_child(to, m->slot, m->sub->layout, to->part,
                                     to->off + m->as->off + i * m->as->elem, i);
        hk_xml_node *node = hk_xml_child(reader_of(w)->tree, param, i);
        r = check_object(reader_of(w), node, err);
        if (r == LATHE_OK)
            r = put_struct(w, &sub, m->sub, node, err);
    }
    return r;
}

/* What a member has in the struct itself. */
static lathe_result put_member(hk_writer *w, const rec_at *to, const hk_xml_plan *plan,
                               const hk_xml_member *m, hk_xml_node *param, lathe_error *err)
{
    reader *rd = reader_of(w);
    const hk_xml_place place = place_of(rd, plan, m);
    uint64_t off = to->off + m->as->off;
    const char *p = param->text;
    lathe_result r;
    if (m->op == HK_XML_NONE)
        return hk_xml_refuse(&place, hk_xml_at(&rd->tree->text, param->name, param->text), err,
                             LATHE_ERR_UNSUPPORTED, "XML has no form for such a member");
    if (m->op == HK_XML_STRUCT && m->many == HK_XML_ONE) {
        r = check_children(&place, param, HK_XML_OBJECT, true, err);
        if (r != LATHE_OK || !param->count)
            return r;
        const rec_at sub = rec_child(to, m->slot, m->sub->layout, to->part, off, 0);
        return put_struct(w, &sub, m->sub, hk_xml_child(rd->tree, param, 0), err);
    }
    if (m->op == HK_XML_STRUCT && m->many == HK_XML_FIXED)
        return put_structs(w, to, &place, param, err);
    if (m->op == HK_XML_STRUCT || m->many == HK_XML_ARRAY || m->op == HK_XML_POINTER ||
        m->op == HK_XML_TEXT)
        return LATHE_OK; /* hk_walk asks for these */
    r = check_text(&place, param, err);
    if (r == LATHE_OK && m->many == HK_XML_FIXED)
        return put_fixed(w, &place, param, off, err);
    if (r == LATHE_OK)
        r = put_value(w, &place, &p, end_of(param), off, err);
    return r == LATHE_OK ? check_end(&place, p, param, err) : r;
}

/* A struct, all zeros so far. */
static lathe_result put_struct(hk_writer *w, const rec_at *to, const hk_xml_plan *plan,
                               hk_xml_node *record, lathe_error *err)
{
    reader *rd = reader_of(w);
    lathe_result r = record ? check_params(rd, plan, record, err) : LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && record && i < plan->n; i++) {
        const hk_xml_member *m = &plan->members[i];
        hk_xml_node *param = m->op == HK_XML_IGNORED ? NULL : param_of(rd, record, m);
        if (param)
            r = put_member(w, to, plan, m, param, err);
    }
    return r;
}

/* ---- the feed -------------------------------------------------------------------------------------------- */

static const hk_xml_plan *plan_of(const hk_writer *w, const hk_record *r)
{
    return hk_xml_plan_of(&reader_of(w)->plans, r->to.layout);
}

static lathe_result put(hk_writer *w, const hk_record *r, lathe_error *err)
{
    const hk_xml_plan *plan = plan_of(w, r);
    if (!plan)
        return rec_no_memory(err);
    return hk_room(w, r->to.layout->size) ? put_struct(w, &r->to, plan, node_of(r), err)
                                          : hk_full(w, err);
}

/* The member of a slot and its parameter; *param is NULL where there is nothing to be read. */
static lathe_result find_param(hk_writer *w, const hk_record *r, uint32_t slot, hk_xml_place *place,
                               hk_xml_node **param, lathe_error *err)
{
    reader *rd = reader_of(w);
    const hk_xml_plan *plan = plan_of(w, r);
    *param = NULL;
    if (!plan)
        return rec_no_memory(err);
    uint32_t number = plan->by_slot[slot];
    if (!number || plan->members[number - 1].op == HK_XML_IGNORED)
        return LATHE_OK;
    *place = place_of(rd, plan, &plan->members[number - 1]);
    *param = param_of(rd, node_of(r), place->member);
    return LATHE_OK;
}

static lathe_result sub(hk_writer *w, const hk_record *r, uint32_t slot, hk_record *out,
                        lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    hk_xml_place place;
    hk_xml_node *param;
    lathe_result result = find_param(w, r, slot, &place, &param, err);
    *out = (hk_record){.feed = r->feed};
    out->to = rec_child(&r->to, slot, hk_xml_layout(&reader_of(w)->plans, s->sub), r->to.part,
                        r->to.off + s->off, 0);
    if (!out->to.layout)
        return rec_no_memory(err);
    if (result == LATHE_OK && param && param->count)
        out->from.node = hk_xml_child(reader_of(w)->tree, param, 0);
    return result;
}

/* What a text means; *p is NULL where that is null. */
static lathe_result decode(hk_writer *w, const hk_xml_node *node, const char **p, uint64_t *n,
                           lathe_error *err)
{
    reader *rd = reader_of(w);
    const hk_xml_span raw = {node->text, node->text_n};
    buf text;
    lathe_result r = LATHE_OK;
    *p = raw.p;
    *n = raw.n;
    if (!node->plain) {
        buf_init(&text, rd->tree->mem);
        r = hk_xml_decode(&rd->tree->text, raw, &text, err);
        char *copy = r == LATHE_OK ? arena_zalloc(&rd->tree->arena, text.size + 1) : NULL;
        if (copy && text.size)
            memcpy(copy, text.data, text.size);
        *p = copy;
        *n = text.size;
        buf_free(&text);
        if (r == LATHE_OK && !copy)
            r = rec_no_memory(err);
    }
    if (r == LATHE_OK && *n == sizeof HK_XML_NULL - 1 && memcmp(*p, HK_XML_NULL, (size_t)*n) == 0) {
        *p = NULL;
        *n = 0;
    }
    return r;
}

/* Numbers of bytes, which go into a run of such. */
static lathe_result decode_bytes(hk_writer *w, const hk_xml_place *place, const hk_xml_node *param,
                                 hk_list *out, lathe_error *err)
{
    reader *rd = reader_of(w);
    const char *p = param->text, *end = end_of(param);
    uint64_t raw;
    uint8_t *bytes = arena_zalloc(&rd->tree->arena, (size_t)out->count + 1);
    lathe_result r = bytes ? LATHE_OK : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < out->count; i++) {
        r = hk_xml_take_number(place, &p, end, &raw, err);
        bytes[i] = (uint8_t)raw;
    }
    out->p = (const char *)bytes;
    return r;
}

/* How many elements an array has: numelements may be wrong, so they are counted. */
static lathe_result count_elements(const hk_xml_place *place, const hk_xml_node *param, uint64_t *n,
                                   lathe_error *err)
{
    const hk_xml_member *m = place->member;
    const char *p = param->text, *end = end_of(param);
    uint64_t groups = m->op == HK_XML_TUPLE ? strlen(m->lanes) : 1;
    if (m->op == HK_XML_TEXT || m->op == HK_XML_STRUCT) {
        *n = param->count;
        return check_children(place, param, m->op == HK_XML_TEXT ? HK_XML_STRING : HK_XML_OBJECT,
                              false, err);
    }
    *n = m->op == HK_XML_TUPLE ? hk_xml_count_groups(p, end) : hk_xml_count_words(p, end);
    bool more = hk_xml_more(&p, end);
    if (*n % groups || (m->op == HK_XML_TUPLE && !*n && more))
        return hk_xml_refuse(place, p, err, LATHE_ERR_INVALID,
                             "%llu groups in parentheses, which is no multiple of %llu",
                             (unsigned long long)*n, (unsigned long long)groups);
    *n /= groups;
    return check_text(place, param, err);
}

static lathe_result list(hk_writer *w, const hk_record *r, uint32_t slot, hk_list *out,
                         lathe_error *err)
{
    hk_xml_place place;
    hk_xml_node *param;
    lathe_result result = find_param(w, r, slot, &place, &param, err);
    *out = (hk_list){0};
    if (result != LATHE_OK || !param)
        return result;
    if (place.member->op == HK_XML_TEXT && place.member->many == HK_XML_ONE) {
        result = check_text(&place, param, err);
        return result == LATHE_OK ? decode(w, param, &out->p, &out->count, err) : result;
    }
    out->items.node = param;
    result = count_elements(&place, param, &out->count, err);
    if (result == LATHE_OK && place.member->many == HK_XML_FIXED)
        return check_fixed(&place, param, out->count, err);
    uint64_t most = rec_row_rare(place.member->as->row)->max;
    most = most ? most : INT32_MAX;
    if (result == LATHE_OK && out->count > most)
        return hk_xml_refuse(&place, param->text, err, LATHE_ERR_RANGE,
                             "%llu elements, at most %llu", (unsigned long long)out->count,
                             (unsigned long long)most);
    if (result == LATHE_OK && place.member->as->row->kind == REC_BYTES)
        result = decode_bytes(w, &place, param, out, err);
    return result;
}

static lathe_result text(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, hk_list *out, lathe_error *err)
{
    hk_xml_node *param = (hk_xml_node *)(uintptr_t)l->items.node;
    const hk_xml_node *node = hk_xml_child(reader_of(w)->tree, param, (uint32_t)i);
    (void)r;
    (void)slot;
    *out = (hk_list){0};
    if (node->kind != HK_XML_STRING)
        return hk_xml_fail(&reader_of(w)->tree->text, node->text, err, LATHE_ERR_INVALID,
                           "<hkcstring> expected");
    return decode(w, node, &out->p, &out->count, err);
}

static bool is_number(hk_xml_span name)
{
    uint32_t i = 0;
    while (i < name.n && name.p[i] >= '0' && name.p[i] <= '9')
        i++;
    return i == name.n;
}

static lathe_result resolve(hk_writer *w, const hk_xml_place *place, hk_xml_span name,
                            uint64_t *number, lathe_error *err)
{
    const reader *rd = reader_of(w);
    *number = 0;
    if (!name.n || hk_xml_is(name, "null"))
        return LATHE_OK;
    *number = hk_xml_object_named(rd, name);
    if (!*number && is_number(name)) /* some writers leave one where they knew no object */
        return LATHE_OK;
    return *number ? LATHE_OK
                   : hk_xml_refuse(place, name.p, err, LATHE_ERR_INVALID,
                                   "no object is called '%.*s'", hk_xml_shown(name), name.p);
}

/* The names of an array are asked for one after the other. */
static lathe_result pointer(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                            uint64_t i, uint64_t *number, lathe_error *err)
{
    hk_xml_place place;
    hk_xml_node *param;
    lathe_result result = find_param(w, r, slot, &place, &param, err);
    *number = 0;
    if (result != LATHE_OK || !param)
        return result;
    const char *p = param->text, *end = end_of(param);
    if (!l) {
        result = check_text(&place, param, err);
        if (result == LATHE_OK)
            result = resolve(w, &place, hk_xml_word(&p, end), number, err);
        return result == LATHE_OK ? check_end(&place, p, param, err) : result;
    }
    if (i && param->seen_i == i)
        p += param->seen;
    for (uint64_t k = i && param->seen_i == i ? i : 0; k < i; k++)
        hk_xml_word(&p, end);
    const hk_xml_span name = hk_xml_word(&p, end);
    param->seen_i = (uint32_t)i + 1;
    param->seen = (uint32_t)(p - param->text);
    return name.n
               ? resolve(w, &place, name, number, err)
               : hk_xml_refuse(&place, p, err, LATHE_ERR_INVALID, "the name of an object expected");
}

static lathe_result item(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, uint64_t to, hk_record *out, lathe_error *err)
{
    hk_xml_node *param = (hk_xml_node *)(uintptr_t)l->items.node;
    hk_xml_node *node = hk_xml_child(reader_of(w)->tree, param, (uint32_t)i);
    *out = (hk_record){.feed = r->feed, .from.node = node};
    out->to =
        rec_child(&r->to, slot, hk_xml_layout(&reader_of(w)->plans, r->to.layout->slots[slot].sub),
                  w->data, to, i);
    if (!out->to.layout)
        return rec_no_memory(err);
    return check_object(reader_of(w), node, err);
}

/* Elements that have nothing elsewhere. */
static lathe_result plain(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                          lathe_error *err)
{
    hk_xml_place place;
    hk_xml_node *param;
    uint64_t elem = r->to.layout->slots[slot].elem, start = hk_size(w);
    lathe_result result = find_param(w, r, slot, &place, &param, err);
    if (result != LATHE_OK)
        return result;
    if (!hk_room(w, l->count * elem))
        return hk_full(w, err);
    const char *p = param->text;
    for (uint64_t i = 0; result == LATHE_OK && i < l->count; i++) {
        hk_record one;
        if (place.member->op != HK_XML_STRUCT) {
            result = put_value(w, &place, &p, end_of(param), start + i * elem, err);
            continue;
        }
        result = item(w, r, slot, l, i, start + i * elem, &one, err);
        if (result == LATHE_OK)
            result = put_struct(w, &one.to, place.member->sub, node_of(&one), err);
    }
    return result;
}

const hk_feed hk_xml_feed = {put, sub, list, pointer, text, item, plain};
