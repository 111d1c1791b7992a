/* Makes the object when a pointer is set to nested values: of the class that the values name, or else of the pointer's
 * declared class. */
#include "havok/packfile/object_list.h"

/* Concrete classes with derived classes. All other classes with derived classes are taken as abstract. */
static const char with_objects[][36] = {
    "hkpConstraintInstance",
    "hkpPhysicsSystem",
    "hknpPhysicsSystemData",
    "hclBufferDefinition",
    "hknpCompoundShape",
    "hkpEntity",
    "hkcdStaticTreeDefaultTreeStorage6",
};

/* The class that nested values name. */
typedef struct told {
    rec_from from; /* with the field name that gives the class */
    char name[HK_CLASS_NAME_MOST];
    bool any, whole; /* a class is named; its name fits into `name` */
} told;

static bool read_name(const rec_from *from, const char *under, told *out)
{
    const lathe_source *s = from->source;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    if (!s->get(s->user, from->node, under, 0, &v, &child) || v.kind != LATHE_KIND_STRING)
        return false;
    out->whole = v.as.s.n < sizeof out->name && !memchr(v.as.s.p, 0, v.as.s.n);
    if (out->whole)
        memcpy(out->name, v.as.s.p, v.as.s.n);
    out->name[out->whole ? v.as.s.n : 0] = 0;
    out->from.tag = under;
    return true;
}

/* Reads the class from the values. If the declared class `own` (NULL: none) has a member `type` itself, that text is the
 * class only if a class of that name exists. */
static told read_class(const rec_from *from, const rec_layout *own, const lathe_format *format)
{
    told t = {.from = *from};
    t.any = read_name(from, "class", &t);
    if (t.any || !read_name(from, format->other_tag, &t))
        return t;
    t.any = !own || rec_slot_find(own, format->other_tag) == REC_NO_SLOT ||
            format->type_any(t.name) != NULL;
    if (!t.any)
        t.from.tag = "class";
    return t;
}

static const char *next_class(void *user, size_t i)
{
    const lathe_format *const *format = user;
    const rec_type *type = (*format)->types(i);
    return type ? rec_type_name(type) : NULL;
}

/* True if the class can have objects: no class derives from it, or it is listed above. */
static bool is_concrete(const lathe_format *format, const rec_type *type)
{
    const rec_type *other;
    for (size_t i = 0; i < REC_COUNT_OF(with_objects); i++)
        if (strcmp(with_objects[i], rec_type_name(type)) == 0)
            return true;
    for (size_t i = 0; (other = format->types(i)) != NULL; i++)
        if (other != type && rec_is_a(other, type))
            return false;
    return true;
}

/* Fails: files of this version have no such class. */
static lathe_result no_class(const rec_at *at, uint32_t slot, const told *t, lathe_error *err)
{
    const lathe_format *format = at->doc->containers[at->layout->container].format;
    if (t->whole && format->type_any(t->name))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_NAME,
                        "files of this game have no class '%s'", t->name);
    const char *near = t->whole ? error_nearest(t->name, next_class, &format) : NULL;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_NAME,
                    near ? "no class '%s' is known; did you mean '%s'?" : "no class '%s' is known",
                    t->name, near);
}

/* Chooses the class of the new object, which a pointer of declared class `member` (NULL: any) must accept. */
static lathe_result choose(const rec_at *at, uint32_t slot, const rec_type *member, bool concrete,
                           told *t, lathe_error *err)
{
    const rec_container *c = &at->doc->containers[at->layout->container];
    if (!t->any && !concrete)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_INVALID,
                        member ? "say which class derived from %s: { type = \"…\", … }"
                               : "say of which class: { type = \"…\", … }",
                        member ? rec_type_name(member) : "");
    if (!t->any)
        memcpy(t->name, rec_type_name(member), strlen(rec_type_name(member)) + 1);
    const rec_type *type =
        t->any && !t->whole ? NULL : hk_described(c->format, t->name, c->version);
    if (!type)
        return no_class(at, slot, t, err);
    return !member || rec_is_a(type, member)
               ? LATHE_OK
               : rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                          "%s expected, got a class that does not derive from it: %s",
                          rec_type_name(member), t->name);
}

lathe_result hk_make_target(const rec_at *at, const rec_field *row, const rec_from *from,
                            uint64_t *raw, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, slot = rec_slot_find(at->layout, rec_row_name(row));
    const rec_type *member = rec_row_type(row);
    if (member == &hk_opaque)
        member = NULL;
    bool concrete = member && is_concrete(doc->containers[c].format, member);
    const rec_layout *own = concrete ? rec_layout_of(doc, c, member) : NULL;
    if (concrete && !own)
        return rec_no_memory(err);
    told t = read_class(from, own, doc->containers[c].format);
    lathe_result r = choose(at, slot, member, concrete, &t, err);
    rec_at root = rec_root(doc, c), element;
    uint64_t n = rec_kids(doc, root.part, hk_row(HK_OBJECTS));
    if (r == LATHE_OK)
        r = rec_append_named(&root, hk_row(HK_OBJECTS), t.name, strlen(t.name), &t.from, &element,
                             err);
    *raw = n + 1;
    return r;
}
