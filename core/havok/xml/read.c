/* The objects of a Havok XML file as the writer of packfiles asks for them. Reference: formats/havok-xml.md#5 and #6. */
#include "havok/xml/read.h"

#include "havok/xml/reader.h"

typedef hk_xml_reader reader;

static reader *reader_of(const hk_writer *w)
{
    return hk_xml_reader_of(w);
}

/* ---- names of objects ------------------------------------------------------------------------------------ */

static hk_xml_span name_of(const reader *rd, uint32_t object)
{
    return rd->tree->nodes[rd->tree->objects[object].node - 1].name;
}

/* Where a name stands in the table, or would. */
static uint32_t *slot_for(const reader *rd, hk_xml_span name)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)name.p[i]) * 16777619u;
    size_t at = h & (rd->slots - 1);
    while (rd->by_name[at] && !hk_xml_same(name_of(rd, rd->by_name[at] - 1), name))
        at = (at + 1) & (rd->slots - 1);
    return &rd->by_name[at];
}

uint32_t hk_xml_object_named(const hk_xml_reader *rd, hk_xml_span name)
{
    return *slot_for(rd, name);
}

/* Pointers tell names between blanks, without references. */
static bool is_name(hk_xml_span name)
{
    for (uint32_t i = 0; i < name.n; i++)
        if (name.p[i] <= 32 || name.p[i] >= 127 || strchr("&<>\"'()", name.p[i]))
            return false;
    return !hk_xml_is(name, "null");
}

static lathe_result read_names(reader *rd, lathe_error *err)
{
    const hk_xml_tree *tree = rd->tree;
    for (rd->slots = 16; rd->slots < 2 * tree->objects_n;)
        rd->slots *= 2;
    rd->by_name = mem_zalloc(tree->mem, rd->slots * sizeof *rd->by_name);
    if (!rd->by_name)
        return rec_no_memory(err);
    for (uint32_t i = 0; i < tree->objects_n; i++) {
        const hk_xml_node *node = &tree->nodes[tree->objects[i].node - 1];
        uint32_t *slot = slot_for(rd, node->name);
        if (!is_name(node->name))
            return hk_xml_fail(&tree->text, node->text, err, LATHE_ERR_INVALID,
                               "'%.*s' is no name of an object", hk_xml_shown(node->name),
                               node->name.p);
        if (*slot)
            return hk_xml_fail(&tree->text, node->text, err, LATHE_ERR_INVALID,
                               "another object is called '%.*s', too", hk_xml_shown(node->name),
                               node->name.p);
        *slot = i + 1;
    }
    return LATHE_OK;
}

/* The top object: the one that the file names, else the root container. */
static lathe_result find_root(reader *rd, lathe_error *err)
{
    const hk_xml_tree *tree = rd->tree;
    const hk_xml_span top = tree->top;
    uint32_t i = 0;
    if (top.n && (i = *slot_for(rd, top)) == 0)
        return hk_xml_fail(&tree->text, tree->text.p, err, LATHE_ERR_INVALID,
                           "no object is called '%.*s', as toplevelobject says", hk_xml_shown(top),
                           top.p);
    rd->root = i ? i - 1 : 0;
    if (i)
        return LATHE_OK;
    for (; rd->root < tree->objects_n; rd->root++)
        if (hk_xml_is(tree->objects[rd->root].class_name, "hkRootLevelContainer"))
            return LATHE_OK;
    return hk_xml_fail(&tree->text, tree->text.end, err, LATHE_ERR_INVALID,
                       "no top object: no toplevelobject, and no hkRootLevelContainer");
}

/* ---- objects --------------------------------------------------------------------------------------------- */

static const hk_xml_object *object_of(const hk_writer *w, uint64_t i)
{
    return &reader_of(w)->tree->objects[i];
}

static lathe_result refuse(hk_writer *w, uint64_t i, const char *why, lathe_error *err)
{
    const hk_xml_tree *tree = reader_of(w)->tree;
    const hk_xml_object *o = object_of(w, i);
    return hk_xml_fail(&tree->text, tree->nodes[o->node - 1].text, err, LATHE_ERR_UNSUPPORTED,
                       "%.*s: %s", hk_xml_shown(o->class_name), o->class_name.p, why);
}

/* The signatures that are told must be those of the members that are known. */
static lathe_result begin(hk_writer *w, lathe_error *err)
{
    reader *rd = reader_of(w);
    hk_xml_plans_open(&rd->plans, w->maker, w->c);
    for (size_t i = 0; i < rd->tree->objects_n; i++) {
        const hk_xml_object *o = &rd->tree->objects[i];
        hk_kind *k = hk_kind_of(w, o->class_name.p, o->class_name.n);
        if (!k)
            return rec_no_memory(err);
        uint32_t known = k->type ? hk_signature(w->objects->format, k->name, w->head->version) : 0;
        if (o->has_signature && known && o->signature != known)
            return hk_xml_fail(&rd->tree->text, rd->tree->nodes[o->node - 1].text, err,
                               LATHE_ERR_UNSUPPORTED,
                               "%s with the signature 0x%x: lathe knows its members with 0x%x",
                               k->name, o->signature, known);
        if (o->has_signature && !k->told) {
            k->signature = o->signature;
            k->told = true;
        }
    }
    return LATHE_OK;
}

static lathe_result kind(hk_writer *w, uint64_t i, hk_kind **out, lathe_error *err)
{
    const hk_xml_object *o = object_of(w, i);
    *out = hk_kind_of(w, o->class_name.p, o->class_name.n);
    if (!*out)
        return rec_no_memory(err);
    return (*out)->type ? LATHE_OK
                        : refuse(w, i, "its members are not known in files of that version", err);
}

static lathe_result put_object(hk_writer *w, uint64_t i, const hk_kind *k, lathe_error *err)
{
    reader *rd = reader_of(w);
    hk_record r = {.feed = &hk_xml_feed, .from.node = &rd->tree->nodes[object_of(w, i)->node - 1]};
    const rec_layout *layout = hk_xml_layout(&rd->plans, k->layout);
    if (!layout)
        return rec_no_memory(err);
    r.to = (rec_at){.doc = w->maker, .layout = layout, .part = w->data, .slot = REC_NO_SLOT};
    r.to.off = hk_size(w);
    rd->order[rd->done++] = (uint32_t)i;
    return hk_walk(w, &r, err);
}

/* ---- the file -------------------------------------------------------------------------------------------- */

static lathe_result read_head(const hk_xml_tree *tree, hk_head *head, lathe_error *err)
{
    const hk_xml_span version = tree->version, contents = tree->contents;
    const char *start = tree->text.p;
    *head = (hk_head){.pointer = 8};
    head->version = hk_xml_is(version, "8") ? HK_2010 : hk_xml_is(version, "11") ? HK_2014 : 0;
    if (!head->version)
        return hk_xml_fail(&tree->text, start, err, LATHE_ERR_UNSUPPORTED,
                           "classversion '%.*s': lathe reads 8 and 11", hk_xml_shown(version),
                           version.p ? version.p : "");
    hk_head_defaults(head);
    if (contents.n >= HK_VERSION_SIZE)
        return hk_xml_fail(&tree->text, start, err, LATHE_ERR_RANGE,
                           "contentsversion: at most %d characters", HK_VERSION_SIZE - 1);
    if (contents.n) {
        memset(head->contents_version, 0, HK_VERSION_SIZE);
        head->contents_version[HK_VERSION_SIZE - 1] = 0xFF;
        memcpy(head->contents_version, contents.p, contents.n);
    }
    return LATHE_OK;
}

lathe_result hk_xml_to_packfile(const lathe_format *format, lathe_doc *maker, hk_xml_tree *tree,
                                uint32_t *order, buf *out, lathe_error *err)
{
    reader rd = {.tree = tree, .order = order};
    hk_objects objects = {.format = format,
                          .user = &rd,
                          .count = tree->objects_n,
                          .begin = begin,
                          .kind = kind,
                          .put = put_object,
                          .refuse = refuse};
    hk_head head;
    buf_init(&rd.given, tree->mem);
    lathe_result r = read_head(tree, &head, err);
    if (r == LATHE_OK)
        r = read_names(&rd, err);
    if (r == LATHE_OK)
        r = find_root(&rd, err);
    objects.root = rd.root;
    if (r == LATHE_OK)
        r = hk_write(maker, &head, head.version, &objects, out, err);
    hk_xml_plans_close(&rd.plans);
    buf_free(&rd.given);
    mem_free(tree->mem, rd.by_name, rd.slots * sizeof *rd.by_name);
    return r;
}
