/* Packfiles made from nested values, shaped like what doc:totable() gives: objects by the names of their
 * classes, pointers as numbers of objects, what is not described as bytes with its pointers told. */
#include "havok/packfile/serialize.h"
#include "havok/packfile/types.h"

#include <stdlib.h>

typedef struct maker {
    const lathe_source *source; /* NULL: nothing is given … */
    const void *list;           /* … and the objects */
    bool given;                 /* else there is one root, and empty */
    rec_at root;                /* for paths in errors */
    uint64_t count;
    uint64_t last; /* the object that was looked at last, and what stands for it */
    lathe_value leaf;
    const void *node;
    rec_at view;
} maker;

static maker *maker_of(const hk_writer *w)
{
    return w->objects->user;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

/* What is given for a row, or what the record that is copied has. */
static lathe_result value(const hk_record *r, uint32_t slot, lathe_value *leaf, const void **child,
                          lathe_error *err)
{
    uint32_t from;
    if (rec_source_value(&r->from, &r->to, slot, leaf, child) ||
        !rec_base_row(&r->from, &r->to, slot, &from))
        return LATHE_OK;
    return rec_get(r->from.base, from, true, leaf, err);
}

/* The same of an array's element. */
static lathe_result value_item(const hk_list *l, uint64_t i, lathe_value *leaf, const void **child,
                               lathe_error *err)
{
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    if (l->items.at)
        return rec_get_item(l->items.at, l->items.slot, i, true, leaf, err);
    if (l->items.source)
        l->items.source->get(l->items.source->user, l->items.node, NULL, i, leaf, child);
    return LATHE_OK;
}

static bool is_null(const lathe_value *v)
{
    return v->kind == LATHE_KIND_NONE || v->kind == LATHE_KIND_NULL ||
           (v->kind == LATHE_KIND_BOOL && !v->as.b);
}

/* Where the fields of a record come from: a table, a view, or nowhere. */
static lathe_result record_from(hk_record *out, const lathe_source *source, const lathe_value *leaf,
                                const void *child, lathe_error *err)
{
    uint32_t none;
    out->from = (rec_from){.skip_parts = true};
    if (leaf->kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (child && (leaf->kind == LATHE_KIND_RECORD || leaf->kind == LATHE_KIND_ARRAY)) {
        out->from.source = source;
        out->from.node = child;
        return LATHE_OK;
    }
    lathe_view v = leaf->as.v;
    if (leaf->kind == LATHE_KIND_RECORD && !(v.flags & REC_VIEW_UPPER)) {
        lathe_result r = rec_enter(&v, &out->at, &none, err);
        out->from.base = &out->at;
        if (r != LATHE_OK || out->at.layout->type == out->to.layout->type)
            return r;
    }
    return rec_fail(&out->to, REC_NO_SLOT, out->to.off, err, LATHE_ERR_TYPE, "%s expected",
                    rec_type_name(out->to.layout->type));
}

/* ---- the feed ------------------------------------------------------------------------------------------------- */

static lathe_result put(hk_writer *w, const hk_record *r, lathe_error *err)
{
    (void)w;
    return rec_emit(&r->to, &r->from, err);
}

static lathe_result sub(hk_writer *w, const hk_record *r, uint32_t slot, hk_record *out,
                        lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_value leaf;
    const void *child;
    (void)w;
    *out = (hk_record){.feed = r->feed};
    out->to = rec_child(&r->to, slot, s->sub, r->to.part, r->to.off + s->off, 0);
    lathe_result result = value(r, slot, &leaf, &child, err);
    return result == LATHE_OK ? record_from(out, r->from.source, &leaf, child, err) : result;
}

static lathe_result text_of(const hk_record *r, uint32_t slot, const lathe_value *v, hk_list *out,
                            lathe_error *err)
{
    *out = (hk_list){0};
    if (is_null(v))
        return LATHE_OK;
    if (v->kind != LATHE_KIND_STRING)
        return rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_TYPE, "a string or false expected");
    out->p = v->as.s.p;
    out->count = v->as.s.n;
    return rec_check_text(&r->to, slot, r->to.off, out->p, (size_t)out->count, err);
}

static lathe_result list(hk_writer *w, const hk_record *r, uint32_t slot, hk_list *out,
                         lathe_error *err)
{
    const rec_slot *s = &r->to.layout->slots[slot];
    lathe_value leaf;
    const void *child;
    (void)w;
    *out = (hk_list){0};
    lathe_result result = value(r, slot, &leaf, &child, err);
    if (result != LATHE_OK)
        return result;
    if (s->row->text && !s->array) {
        const char *init = leaf.kind == LATHE_KIND_NONE ? rec_row_init_bytes(s->row) : NULL;
        if (init)
            leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {init, strlen(init)}};
        return text_of(r, slot, &leaf, out, err);
    }
    if (leaf.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (s->row->kind == REC_BYTES && leaf.kind == LATHE_KIND_STRING) {
        out->p = leaf.as.s.p;
        out->count = leaf.as.s.n;
    } else if (s->row->kind != REC_BYTES &&
               rec_items_of(s, &r->from, &leaf, child, &out->items, &out->storage)) {
        out->count = out->items.count;
    } else {
        return rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_TYPE, "%s expected",
                        s->row->kind == REC_BYTES ? "a string" : "a list");
    }
    uint64_t most = rec_row_rare(s->row)->max ? rec_row_rare(s->row)->max : INT32_MAX;
    return out->count <= most ? LATHE_OK
                              : rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_RANGE,
                                         "%llu elements, at most %llu",
                                         (unsigned long long)out->count, (unsigned long long)most);
}

static lathe_result text(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, hk_list *out, lathe_error *err)
{
    lathe_value leaf;
    const void *child;
    (void)w;
    lathe_result result = value_item(l, i, &leaf, &child, err);
    return result == LATHE_OK ? text_of(r, slot, &leaf, out, err) : result;
}

static lathe_result pointer(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                            uint64_t i, uint64_t *number, lathe_error *err)
{
    const maker *m = maker_of(w);
    lathe_value v;
    const void *child;
    double f = 0;
    int64_t n;
    *number = 0;
    lathe_result result = l ? value_item(l, i, &v, &child, err) : value(r, slot, &v, &child, err);
    if (result != LATHE_OK || is_null(&v))
        return result;
    if (r->from.base || (l && l->items.at) || v.kind == LATHE_KIND_RECORD)
        return rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_UNSUPPORTED,
                        "an object's number expected: a view points into its own document");
    if (!hk_number_in_path(&v, &n)) {
        if (!rec_number(&v, &f))
            return rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_TYPE,
                            "an object's number or false expected");
        n = f >= 0 && f <= UINT32_MAX && f == (double)(int64_t)f ? (int64_t)f : -1;
    }
    if (n < 0 || (uint64_t)n > m->count)
        return rec_fail(&r->to, slot, r->to.off, err, LATHE_ERR_RANGE,
                        "no object %.17g: there are %llu", n < 0 ? f : (double)n,
                        (unsigned long long)m->count);
    *number = (uint64_t)n;
    return LATHE_OK;
}

static lathe_result item(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                         uint64_t i, uint64_t to, hk_record *out, lathe_error *err)
{
    lathe_value leaf;
    const void *child;
    *out = (hk_record){.feed = r->feed};
    out->to = rec_child(&r->to, slot, r->to.layout->slots[slot].sub, w->data, to, i);
    lathe_result result = value_item(l, i, &leaf, &child, err);
    return result == LATHE_OK ? record_from(out, l->items.source, &leaf, child, err) : result;
}

static lathe_result plain(hk_writer *w, const hk_record *r, uint32_t slot, const hk_list *l,
                          lathe_error *err)
{
    return rec_emit_items(&r->to, slot, &l->items, 0, w->data, err);
}

static const hk_feed feed = {put, sub, list, pointer, text, item, plain};

/* ---- opaque objects ---------------------------------------------------------------------------------------------- */

/* Hexadecimal digits behind "0x"; *p moves behind them. */
static bool take_hex(const char **p, const char *end, uint64_t *out)
{
    const char *start = *p + 2;
    *out = 0;
    if (end - *p < 3 || (*p)[0] != '0' || (*p)[1] != 'x')
        return false;
    for (*p = start; *p < end && *out <= UINT32_MAX; ++*p) {
        int c = **p | 0x20;
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
            break;
        *out = *out * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return *p > start;
}

static bool take_decimal(const char **p, const char *end, uint64_t *out)
{
    const char *start = *p;
    *out = 0;
    for (; *p < end && **p >= '0' && **p <= '9' && *out <= UINT32_MAX; ++*p)
        *out = *out * 10 + (uint64_t)(**p - '0');
    return *p > start;
}

/* "0x10=0x40 0x58=#12": at 0x10 a pointer to the object's own data at 0x40, at 0x58 one to object 12. */
static lathe_result put_pointers(hk_writer *w, const rec_at *at, uint64_t size, const char *p,
                                 size_t n, lathe_error *err)
{
    const char *end = p + n, *start = p;
    lathe_result r = LATHE_OK;
    while (r == LATHE_OK) {
        uint64_t site, target;
        while (p < end && *p == ' ')
            p++;
        if (p == end)
            return LATHE_OK;
        start = p;
        bool good = take_hex(&p, end, &site) && site < size && p < end && *p++ == '=';
        bool object = good && p < end && *p == '#';
        if (object)
            p++;
        good = good && (object ? take_decimal(&p, end, &target) : take_hex(&p, end, &target)) &&
               (p == end || *p == ' ') &&
               (object ? target >= 1 && target <= maker_of(w)->count : target <= size);
        if (!good)
            break;
        r = object ? hk_put_global(w, at->off + site, target, err)
                   : hk_put_local(w, at->off + site, at->off + target, err);
    }
    size_t shown = (size_t)(end - start) < 24 ? (size_t)(end - start) : 24;
    return r != LATHE_OK ? r
                         : rec_fail(at, 1, LATHE_NO_OFFSET, err, LATHE_ERR_INVALID,
                                    "'%.*s' is no pointer from 0x0 .. 0x%llx to there or to an "
                                    "object (0x10=0x40, 0x10=#2)",
                                    (int)shown, start, (unsigned long long)size);
}

/* A text of the object's table; false where there is none. */
static bool given_text(const hk_writer *w, const char *name, lathe_value *out)
{
    const maker *m = maker_of(w);
    const void *child;
    return m->node && m->source->get(m->source->user, m->node, name, 0, out, &child) &&
           out->kind == LATHE_KIND_STRING;
}

static lathe_result put_opaque(hk_writer *w, const rec_at *top, lathe_error *err)
{
    lathe_value bytes, pointers;
    rec_at at = *top;
    rec_from from = {.source = maker_of(w)->source, .node = maker_of(w)->node, .tag = "class"};
    at.layout = rec_layout_of(w->maker, w->c, &hk_opaque);
    if (!at.layout)
        return rec_no_memory(err);
    if (!given_text(w, "bytes", &bytes))
        return rec_fail(&at, 0, LATHE_NO_OFFSET, err, LATHE_ERR_TYPE, "a string expected");
    lathe_result r = rec_check_names(&at, &from, err);
    if (r == LATHE_OK)
        r = hk_append(w, bytes.as.s.p, bytes.as.s.n, err);
    if (r == LATHE_OK && given_text(w, "pointers", &pointers))
        r = put_pointers(w, &at, bytes.as.s.n, pointers.as.s.p, pointers.as.s.n, err);
    return r;
}

/* ---- objects ------------------------------------------------------------------------------------------------------- */

static rec_at place_of(const hk_writer *w, uint64_t i, const rec_layout *layout)
{
    const maker *m = maker_of(w);
    return rec_child(&m->root, hk_row(HK_OBJECTS), layout ? layout : m->root.layout, w->data,
                     hk_size(w), i);
}

static lathe_result refuse(hk_writer *w, uint64_t i, const char *why, lathe_error *err)
{
    rec_at at = place_of(w, i, NULL);
    lathe_value class;
    bool told = given_text(w, "class", &class);
    return rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_UNSUPPORTED, "%.*s: %s",
                    told ? (int)class.as.s.n : 9, told ? class.as.s.p : "an object", why);
}

/* The signatures that are told. */
static lathe_result read_class_names(hk_writer *w, lathe_error *err)
{
    const maker *m = maker_of(w);
    const lathe_source *s = m->source;
    lathe_value v, name;
    const void *node, *one, *child;
    double signature;
    if (!s || !s->get(s->user, NULL, "class_names", 0, &v, &node) || !node)
        return LATHE_OK;
    uint64_t n = s->count(s->user, node);
    for (uint64_t i = 0; i < n; i++) {
        if (!s->get(s->user, node, NULL, i, &v, &one) || !one ||
            !s->get(s->user, one, "name", 0, &name, &child) || name.kind != LATHE_KIND_STRING ||
            !s->get(s->user, one, "signature", 0, &v, &child) || !rec_number(&v, &signature) ||
            !(signature >= 0 && signature <= UINT32_MAX))
            return rec_fail(&m->root, rec_slot_find(m->root.layout, "class_names"), LATHE_NO_OFFSET,
                            err, LATHE_ERR_TYPE, "element %llu: a name and a signature expected",
                            (unsigned long long)i + 1);
        hk_kind *k = hk_kind_of(w, name.as.s.p, name.as.s.n);
        if (!k)
            return rec_no_memory(err);
        if (!k->told)
            k->signature = (uint32_t)signature;
        k->told = true;
    }
    return LATHE_OK;
}

static lathe_result begin(hk_writer *w, lathe_error *err)
{
    maker *m = maker_of(w);
    static const hk_part kept[] = {HK_TYPES, HK_LEAD, HK_EXPORTS, HK_IMPORTS, HK_PARTS};
    rec_from from = {.source = m->source, .tag = "game"};
    lathe_value v;
    const void *child;
    m->root = rec_root(w->maker, w->c);
    lathe_result r = rec_check_names(&m->root, &from, err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(kept); i++)
        if (rec_source_value(&from, &m->root, hk_row(kept[i]), &v, &child) &&
            !(v.kind == LATHE_KIND_STRING && v.as.s.n == 0))
            r = rec_fail(&m->root, hk_row(kept[i]), LATHE_NO_OFFSET, err, LATHE_ERR_UNSUPPORTED,
                         "bytes that serialize() has no place for");
    return r == LATHE_OK ? read_class_names(w, err) : r;
}

static const char *next_class(void *user, size_t i)
{
    const lathe_format *const *format = user;
    const rec_type *type = (*format)->types(i);
    return type ? rec_type_name(type) : NULL;
}

static lathe_result no_class(const hk_writer *w, const rec_at *at, const lathe_value *class,
                             lathe_error *err)
{
    char name[64];
    size_t n = class->as.s.n < sizeof name - 1 ? class->as.s.n : sizeof name - 1;
    memcpy(name, class->as.s.p, n);
    name[n] = 0;
    const lathe_format *format = w->objects->format;
    if (hk_described(format, name, HK_2010) || hk_described(format, name, HK_2014))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                        "files of that version have no class '%s': give its bytes", name);
    const char *near = error_nearest(name, next_class, &format);
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_NAME,
                    near ? "no class '%s' is known; did you mean '%s'? For classes that lathe "
                           "does not know, give bytes"
                         : "no class '%s' is known: give its bytes",
                    name, near);
}

/* Looks object i up: a table with its class, or a view of an object. */
static lathe_result look_up(hk_writer *w, uint64_t i, lathe_value *class, lathe_error *err)
{
    maker *m = maker_of(w);
    const lathe_source *s = m->source;
    rec_at at = place_of(w, i, NULL);
    m->leaf.kind = LATHE_KIND_NONE;
    m->node = NULL;
    *class = (lathe_value){.kind = LATHE_KIND_STRING};
    class->as.s.p = "hkRootLevelContainer";
    if (m->given) {
        s->get(s->user, m->list, NULL, i, &m->leaf, &m->node);
        if (m->leaf.kind == LATHE_KIND_RECORD && !m->node)
            class->as.s.p = lathe_view_type(m->leaf.as.v);
        else if (!m->node)
            return rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_TYPE,
                            "an object expected: { class = \"hkaSkeleton\", … }");
        else if (!given_text(w, "class", class))
            return rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_TYPE,
                            "class: the name of its class expected");
    }
    if (!m->node)
        class->as.s.n = strlen(class->as.s.p);
    return LATHE_OK;
}

static lathe_result kind(hk_writer *w, uint64_t i, hk_kind **out, lathe_error *err)
{
    lathe_value class, bytes;
    lathe_result r = look_up(w, i, &class, err);
    if (r != LATHE_OK)
        return r;
    if (!class.as.s.n || memchr(class.as.s.p, 0, class.as.s.n))
        return refuse(w, i, "not the name of a class", err);
    *out = hk_kind_of(w, class.as.s.p, class.as.s.n);
    if (!*out)
        return rec_no_memory(err);
    rec_at at = place_of(w, i, NULL);
    return (*out)->type || given_text(w, "bytes", &bytes) ? LATHE_OK
                                                          : no_class(w, &at, &class, err);
}

static lathe_result put_object(hk_writer *w, uint64_t i, const hk_kind *k, lathe_error *err)
{
    maker *m = maker_of(w);
    lathe_value bytes;
    hk_record r = {.feed = &feed, .to = place_of(w, i, k->layout)};
    if (!k->type ||
        (given_text(w, "bytes", &bytes) && rec_slot_find(k->layout, "bytes") == REC_NO_SLOT))
        return put_opaque(w, &r.to, err);
    lathe_result result = record_from(&r, m->source, &m->leaf, m->node, err);
    r.from.tag = "class";
    return result == LATHE_OK ? hk_walk(w, &r, err) : result;
}

/* ---- the header ------------------------------------------------------------------------------------------------------ */

static bool given_integer(const lathe_source *s, const char *name, int64_t least, int64_t most,
                          int64_t *out, lathe_error *err)
{
    lathe_value v;
    bool found = rec_arg(s, name, &v), good = !found || rec_arg_integer(s, name, out);
    if (found && v.kind == LATHE_KIND_BOOL) {
        *out = v.as.b;
        good = true;
    }
    if (good && (!found || (*out >= least && *out <= most)))
        return true;
    error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "an integer from %lld to %lld expected",
              (long long)least, (long long)most);
    error_where(err, name);
    return false;
}

/* The layout, as it is told; *game: that of the game, where one is told. */
static bool read_layout(const lathe_source *s, hk_head *head, hk_head *game, lathe_error *err)
{
    lathe_value v;
    int64_t version, pointer, little;
    *game = (hk_head){.version = HK_2014, .pointer = 8};
    if (rec_arg(s, "game", &v) && !hk_head_of_game(&v, game)) {
        error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                  "no such game: skyrim-le, skyrim-se or fallout4 expected");
        error_where(err, "game");
        return false;
    }
    version = game->version;
    pointer = game->pointer;
    little = 1;
    if (!given_integer(s, "file_version", HK_2010, HK_2014, &version, err) ||
        !given_integer(s, "pointer_size", 4, 8, &pointer, err) ||
        !given_integer(s, "little_endian", 0, 1, &little, err))
        return false;
    head->version = version;
    head->pointer = (uint8_t)pointer;
    head->big = !little;
    if ((version == HK_2010 || version == HK_2014) && (pointer == 4 || pointer == 8))
        return true;
    error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
              "file version %lld with pointers of %lld bytes: lathe writes 8 and 11, 4 and 8",
              (long long)version, (long long)pointer);
    return false;
}

static lathe_result read_head(const lathe_source *s, hk_head *head, lathe_error *err)
{
    int64_t tag = 0, flags = 0, empty_base = 1, reuse = 0, most;
    lathe_value v;
    hk_head_defaults(head);
    most = head->max_predicate;
    if (!given_integer(s, "user_tag", INT32_MIN, INT32_MAX, &tag, err) ||
        !given_integer(s, "flags", INT32_MIN, INT32_MAX, &flags, err) ||
        !given_integer(s, "empty_base", 0, 255, &empty_base, err) ||
        !given_integer(s, "reuse_padding", 0, 0, &reuse, err) ||
        !given_integer(s, "max_predicate", INT16_MIN, INT16_MAX, &most, err))
        return LATHE_ERR_RANGE;
    head->user_tag = (int32_t)tag;
    head->flags = (int32_t)flags;
    head->empty_base = (uint8_t)empty_base;
    head->max_predicate = (int16_t)most;
    if (rec_arg(s, "contents_version", &v)) {
        if (v.kind != LATHE_KIND_STRING || v.as.s.n > HK_VERSION_SIZE)
            return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                             "contents_version: a string of at most %d bytes expected",
                             HK_VERSION_SIZE);
        memset(head->contents_version, 0, HK_VERSION_SIZE);
        head->contents_version[HK_VERSION_SIZE - 1] = 0xFF; /* as in all files; few show it */
        memcpy(head->contents_version, v.as.s.p, v.as.s.n);
    }
    if (head->version < HK_2014 || !rec_arg(s, "predicates", &v))
        return LATHE_OK;
    if (v.kind != LATHE_KIND_STRING || v.as.s.n > INT16_MAX)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "predicates: a string of at most %d bytes expected", INT16_MAX);
    head->predicates = (const uint8_t *)v.as.s.p;
    head->predicate_size = (int16_t)v.as.s.n;
    return LATHE_OK;
}

/* ---- the hook ---------------------------------------------------------------------------------------------------------- */

static bool same_layout(const hk_head *a, const hk_head *b)
{
    return a->version == b->version && a->pointer == b->pointer && a->big == b->big;
}

/* The objects of a document, as it is given for another one. */
static lathe_result from_document(const lathe_format *format, lathe_doc *doc, lathe_view objects,
                                  hk_head *head, buf *out, lathe_error *err)
{
    uint32_t c = objects.doc->parts[objects.part].container;
    const rec_container *from = &objects.doc->containers[c];
    if (from->format != format || objects.part != from->root || objects.index != hk_row(HK_OBJECTS))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "objects: a list expected");
    return hk_write_doc(doc, objects.doc, c, head, out, err);
}

/* What was made becomes a file of another layout. */
static lathe_result convert(const lathe_format *format, lathe_doc *doc, hk_head *head, buf *out,
                            lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .format = format->name};
    lathe_doc *made = NULL;
    o.alloc = doc->mem.fn;
    o.alloc_user = doc->mem.user;
    lathe_result r = lathe_doc_parse(out->data, out->size, &o, &made, err);
    out->size = 0;
    if (r == LATHE_OK)
        r = hk_write_doc(doc, made, 0, head, out, err);
    lathe_doc_close(made);
    return r;
}

lathe_result hk_make(const lathe_format *format, lathe_doc *doc, const lathe_source *fields,
                     buf *out, lathe_error *err)
{
    maker m = {.source = fields, .count = 1};
    lathe_value v = {.kind = LATHE_KIND_NONE};
    hk_head head = {0}, game;
    hk_objects objects = {format, &m, 1, 0, 0, begin, kind, put_object, refuse, false};
    if (!read_layout(fields, &head, &game, err))
        return LATHE_ERR_RANGE;
    m.given = fields && fields->get(fields->user, NULL, "objects", 0, &v, &m.list) &&
              v.kind != LATHE_KIND_NONE;
    bool told = rec_arg(fields, "game", &v);
    if (m.given && !m.list && v.kind == LATHE_KIND_ARRAY)
        return from_document(format, doc, v.as.v, told ? &game : &head, out, err);
    if (m.given && !m.list)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "objects: a list expected");
    if (m.given)
        m.count = objects.count = fields->count(fields->user, m.list);
    if (m.count == 0 || m.count >= UINT32_MAX)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%llu objects: the first is the root, which leads to the others",
                         (unsigned long long)m.count);
    lathe_result r = read_head(fields, &head, err);
    if (r == LATHE_OK)
        r = hk_write(doc, &head, head.version, &objects, out, err);
    return r == LATHE_OK && told && !same_layout(&head, &game)
               ? convert(format, doc, &game, out, err)
               : r;
}
