/* Objects of a document as they are written anew. Described ones come from their fields (from_fields.c); others
 * are carried over with their fixups. */
#include "havok/packfile/from_doc.h"

/* ---- objects --------------------------------------------------------------------------------------------------- */

static rec_at object_at(const hk_doc_reader *rd, uint64_t i)
{
    uint32_t part = rd->parts[i];
    return (rec_at){
        .doc = rd->doc, .layout = rd->doc->parts[part].root, .part = part, .slot = REC_NO_SLOT};
}

static lathe_result refuse(hk_writer *w, uint64_t i, const char *why, lathe_error *err)
{
    const hk_doc_reader *rd = hk_doc_reader_of(w);
    rec_at at = object_at(rd, i);
    return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED, "%s", why);
}

/* Every class that the file names. */
static lathe_result begin(hk_writer *w, lathe_error *err)
{
    const hk_doc_reader *rd = hk_doc_reader_of(w);
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
static bool is_described(const hk_doc_reader *rd, uint64_t i, const hk_kind *k)
{
    return k->type && rd->doc->parts[rd->parts[i]].root->type == k->type;
}

const char *hk_doc_reader_class(hk_doc_reader *rd, uint64_t i, uint32_t *signature)
{
    uint32_t target;
    if (!hk_link_find(&rd->virtual, rd->starts[i], &target) || target < 5 ||
        target >= rd->names_size ||
        !memchr(rd->names + target, 0, (size_t)(rd->names_size - target)))
        return NULL;
    if (signature)
        *signature = bytes_ld32((const uint8_t *)rd->names + target - 5, rd->layout->big);
    return rd->names + target;
}

static lathe_result kind(hk_writer *w, uint64_t i, hk_kind **out, lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    const char *name = hk_doc_reader_class(rd, i, NULL);
    if (!name)
        return refuse(w, i, "it has no class", err);
    *out = hk_kind_of(w, name, strlen(name));
    if (!*out)
        return rec_no_memory(err);
    if (!(*out)->type && hk_described(w->objects->format, (*out)->name, rd->layout->version))
        return refuse(w, i, "the layout of its class in files of that game is not known", err);
    if ((*out)->type && !rd->same_layout &&
        !hk_carries(w->objects->format, (*out)->name, rd->layout->version, w->head->version))
        return refuse(w, i, "what its class is in files of that game is not known", err);
    return rd->same_layout || is_described(rd, i, *out)
               ? LATHE_OK
               : refuse(w, i,
                        "lathe does not know its class, so its bytes cannot change their layout",
                        err);
}

/* A pointer of an opaque object that starts at `base` as it is written: within it, or to another. */
static lathe_result carry(hk_writer *w, uint64_t i, uint64_t base, const hk_link *f, bool local,
                          lathe_error *err)
{
    hk_doc_reader *rd = hk_doc_reader_of(w);
    rec_at at = object_at(rd, i);
    uint64_t start = rd->starts[i], site = f->source - start, object = hk_object_of(rd, f->target);
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
    hk_doc_reader *rd = hk_doc_reader_of(w);
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
    const hk_doc_reader *rd = hk_doc_reader_of(w);
    hk_record r = {.feed = &hk_doc_feed, .at = object_at(rd, i), .place = rd->starts[i]};
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
                            "%llu bytes that serialize() has no place for",
                            (unsigned long long)p->size);
    return LATHE_OK;
}

/* What the header has that does not follow from the rest. */
static lathe_result read_head(const hk_doc_reader *rd, lathe_doc *maker, hk_head *head,
                              lathe_error *err)
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

static lathe_result read_objects(hk_doc_reader *rd, lathe_error *err)
{
    lathe_doc *doc = rd->doc;
    const rec_container *c = rd->layout;
    uint64_t lead = rec_start(doc, hk_part_of(doc, rd->c, HK_LEAD), 0);
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
            return error_set(err, LATHE_ERR_LIMIT, rec_encoded(doc, rd->parts[i], 0),
                             "a packfile has 32-bit positions");
        rd->starts[i] = (uint32_t)(p->start - lead);
        rd->data = rd->starts[i] + p->size;
    }
    rd->left = 16 * rd->data + ((uint64_t)16 << 20);
    return LATHE_OK;
}

void hk_doc_reader_close(hk_doc_reader *rd)
{
    const mem *m = &rd->doc->mem;
    hk_links_free(rd->doc, &rd->local);
    hk_links_free(rd->doc, &rd->global);
    hk_links_free(rd->doc, &rd->virtual);
    buf_free(&rd->run);
    mem_free(m, rd->starts, (size_t)(rd->count + 1) * sizeof *rd->starts);
}

static lathe_result find_root(const hk_doc_reader *rd, uint64_t *number, lathe_error *err)
{
    rec_at root = rec_root(rd->doc, rd->c);
    int64_t at = rec_int(&root, "contents_section_offset");
    uint64_t i = hk_object_at(rd->doc, rd->c, (uint64_t)at);
    *number = i - 1;
    return i ? LATHE_OK
             : rec_fail(&root, rec_slot_find(root.layout, "root"), root.off, err, LATHE_ERR_INVALID,
                        "no object begins at 0x%llx", (unsigned long long)at);
}

lathe_result hk_doc_reader_open(hk_doc_reader *rd, uint64_t *root, lathe_error *err)
{
    rd->layout = &rd->doc->containers[rd->c];
    buf_init(&rd->run, &rd->doc->mem);
    lathe_result r = rec_places(rd->doc) ? read_objects(rd, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = find_root(rd, root, err);
    if (r == LATHE_OK)
        rd->names = hk_class_names(rd->doc, rd->c, &rd->names_size);
    return r;
}

static bool is_layout(const hk_head *head, const rec_container *c)
{
    return head->version == c->version && head->big == c->big && head->pointer == c->pointer;
}

static lathe_result write_doc(lathe_doc *maker, lathe_doc *doc, uint32_t c, hk_head *head,
                              bool reached, lathe_report *report, buf *out, lathe_error *err)
{
    static const hk_part kept[] = {HK_TYPES, HK_LEAD, HK_EXPORTS, HK_IMPORTS, HK_PARTS};
    hk_doc_reader rd = {.doc = doc, .c = c, .layout = &doc->containers[c], .report = report};
    buf_init(&rd.run, &doc->mem);
    hk_objects objects = {rd.layout->format, &rd,    0,      0, 0, begin, kind,
                          put_object,        refuse, reached};
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(kept); i++)
        r = check_nothing(doc, c, kept[i], err);
    if (r == LATHE_OK)
        r = hk_doc_reader_open(&rd, &objects.root, err);
    if (r == LATHE_OK) {
        rd.same_layout = is_layout(head, rd.layout);
        objects.count = rd.count;
        objects.size = rd.data;
        r = read_head(&rd, maker, head, err);
    }
    if (r == LATHE_OK)
        r = hk_write(maker, head, rd.layout->version, &objects, out, err);
    hk_doc_reader_close(&rd);
    return r;
}

lathe_result hk_write_from(lathe_doc *doc, uint32_t c, uint64_t root, const hk_head *head,
                           hk_finish finish, void *user, lathe_error *err)
{
    hk_doc_reader rd = {.doc = doc, .c = c, .layout = &doc->containers[c]};
    hk_objects objects = {rd.layout->format, &rd,    0,   root, 0, begin, kind,
                          put_object,        refuse, true};
    lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *maker = NULL;
    buf_init(&rd.run, &doc->mem);
    lathe_result r = rec_places(doc) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK)
        r = read_objects(&rd, err);
    rd.same_layout = is_layout(head, rd.layout);
    rd.names = hk_class_names(doc, c, &rd.names_size);
    objects.count = rd.count;
    if (r == LATHE_OK)
        r = rec_doc_new(&o, NULL, 0, doc->path, &maker, err);
    if (r == LATHE_OK)
        r = hk_write_to(maker, head, rd.layout->version, &objects, finish, user, err);
    lathe_doc_close(maker);
    hk_doc_reader_close(&rd);
    return r;
}

lathe_result hk_write_doc(lathe_doc *maker, lathe_doc *doc, uint32_t c, hk_head *head, buf *out,
                          lathe_error *err)
{
    return write_doc(maker, doc, c, head, false, NULL, out, err);
}

/* ---- the hook ------------------------------------------------------------------------------------------------------- */

static const char *const words[] = {"skyrim-le", "skyrim-se", "fallout4", "Skyrim LE",
                                    "Skyrim SE", "Fallout 4", NULL};
const rec_param hk_game_param = {.name = "game",
                                 .kind = LATHE_PARAM_TEXT,
                                 .values = words,
                                 .doc =
                                     "The game in whose layout it is written. Default: as it is."};

static lathe_result write_anew(lathe_doc *doc, uint32_t c, hk_head *head, bool reached,
                               lathe_report *report, buf *out, lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *maker = NULL;
    lathe_result r = rec_doc_new(&o, NULL, 0, doc->path, &maker, err);
    if (r == LATHE_OK)
        r = write_doc(maker, doc, c, head, reached, report, out, err);
    lathe_doc_close(maker);
    return r;
}

static hk_head head_of(const rec_container *from)
{
    return (hk_head){.version = from->version, .pointer = from->pointer, .big = from->big};
}

lathe_result hk_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                          lathe_error *err)
{
    hk_head head = head_of(&doc->containers[c]);
    lathe_value game;
    if (rec_arg(args, "game", &game))
        hk_head_of_game(&game, &head);
    return write_anew(doc, c, &head, false, NULL, out, err);
}

lathe_result hk_write_reached(lathe_doc *doc, uint32_t c, buf *out, lathe_error *err)
{
    hk_head head = head_of(&doc->containers[c]);
    return write_anew(doc, c, &head, true, NULL, out, err);
}

lathe_result hk_write_for(lathe_doc *doc, uint32_t c, hk_head *head, lathe_report *report, buf *out,
                          lathe_error *err)
{
    return write_anew(doc, c, head, false, report, out, err);
}
