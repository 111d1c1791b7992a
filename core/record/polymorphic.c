/* Polymorphic arrays (.tag): each element is in a part of its own and has one of several types. Makes elements of a
 * given type, and changes the type of existing ones. */
#include "record/record.h"

/* Reads a text from the source by name. False: it has none. */
static bool text_of(const rec_from *from, const char *name, lathe_value *text)
{
    const void *child = NULL;
    const lathe_source *s = from->source;
    text->kind = LATHE_KIND_NONE;
    return s && s->get(s->user, from->node, name, 0, text, &child) &&
           text->kind == LATHE_KIND_STRING;
}

/* The name of the type that the source asks for. False: none. */
static bool wanted(const rec_field *row, const rec_from *from, lathe_value *name)
{
    const char *tag;
    if (text_of(from, from->tag ? from->tag : rec_row_tag(row), name))
        return true;
    const char *type = from->base ? rec_view_tag(rec_view(from->base), &tag) : NULL;
    *name = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {type, type ? strlen(type) : 0}};
    return type != NULL;
}

/* The argument of an element's layout: given in the table, else that of the base record, else the default. */
static lathe_result wanted_argument(const rec_at *at, const rec_type *type, uint32_t part,
                                    const rec_from *from, uint64_t *arg, lathe_error *err)
{
    bool like = from->base && from->base->layout->type == type;
    const rec_layout *layout = rec_layout_of(at->doc, at->layout->container, type);
    *arg = 0;
    if (layout && !layout->has_argument)
        return LATHE_OK;
    *arg = like ? from->base->layout->arg : rec_argument_default(type);
    rec_at made = {.doc = at->doc, .layout = layout, .part = part, .slot = REC_NO_SLOT};
    lathe_result r = layout ? LATHE_OK : rec_no_memory(err);
    for (uint32_t slot = 0; r == LATHE_OK && slot < layout->count; slot++) {
        const rec_field *row = layout->slots[slot].row;
        lathe_value leaf;
        const void *child = NULL;
        uint64_t bits;
        if (!rec_is_argument(row) || !from->source ||
            !from->source->get(from->source->user, from->node, rec_row_name(row), 0, &leaf, &child))
            continue;
        r = rec_encode(&made, slot, &leaf, &bits, err);
        if (r == LATHE_OK)
            *arg = (*arg & ~(((UINT64_C(1) << row->bits) - 1) << row->low)) | bits << row->low;
    }
    return r;
}

/* The layout for the root of a new part with an element of `type`. */
static lathe_result wanted_layout(const rec_at *at, const rec_type *type, uint32_t part,
                                  const rec_from *from, const rec_layout **root, lathe_error *err)
{
    uint64_t arg;
    lathe_result r = type ? wanted_argument(at, type, part, from, &arg, err) : rec_no_memory(err);
    *root = r == LATHE_OK ? rec_layout_for(at->doc, at->layout->container, type, arg) : NULL;
    return r == LATHE_OK && !*root ? rec_no_memory(err) : r;
}

static lathe_result put_bytes(lathe_doc *doc, uint32_t part, const lathe_value *bytes,
                              lathe_error *err)
{
    rec_part *p = &doc->parts[part];
    if (!rec_part_own(doc, p, bytes->as.s.n))
        return rec_no_memory(err);
    if (bytes->as.s.n)
        memcpy(p->data, bytes->as.s.p, bytes->as.s.n);
    p->size = bytes->as.s.n;
    p->root = NULL; /* its layout is determined on first access */
    p->state = PART_UNPARSED;
    return LATHE_OK;
}

/* Whether an element can be copied as bytes: a whole one of a similar row, from a file of the same version. */
static bool alike(const rec_at *at, uint32_t slot, const rec_at *base)
{
    const rec_container *a = &at->doc->containers[at->layout->container];
    const rec_container *b = &base->doc->containers[base->layout->container];
    const rec_part *p = &base->doc->parts[base->part];
    if (base->off || p->root != base->layout || p->owner == REC_NO_PART ||
        (p->kids_n && !rec_embedded(base->doc, p->kids[p->kids_n - 1])))
        return false;
    const rec_layout *owner = base->doc->parts[p->owner].root;
    return owner && owner->slots[p->slot].row == at->layout->slots[slot].row &&
           a->format == b->format && !a->format->refs && a->version == b->version &&
           a->big == b->big && a->pointer == b->pointer && a->param == b->param;
}

/* Copies the bytes of another element, and converts its numbers to this document. */
static lathe_result take_over(const rec_at *at, uint32_t slot, const rec_layout *root,
                              const rec_at *base, uint32_t part, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    buf all;
    buf_init(&all, &doc->mem);
    bool read = rec_part_bytes(base->doc, base->part, &all);
    const lathe_value bytes = {.kind = LATHE_KIND_STRING,
                               .as.s = {(const char *)all.data, all.size}};
    lathe_result r = read ? put_bytes(doc, part, &bytes, err) : rec_no_memory(err);
    buf_free(&all);
    if (r != LATHE_OK || doc == base->doc || rec_opaque(base->doc, base->part, NULL))
        return r;
    doc->parts[part].scratch = doc->parts[part].alive = true; /* undo does not need its contents */
    doc->parts[part].root = root;
    doc->parts[part].state = PART_PLAIN;
    rec_at to = rec_child(at, slot, root, part, 0, 0);
    r = rec_adopt(&to, base, err);
    rec_forget(doc, part, 0);
    doc->parts[part].scratch = doc->parts[part].alive = false;
    doc->parts[part].root = NULL;
    doc->parts[part].state = PART_UNPARSED;
    return r;
}

/* Refuses an element of a type that another document describes, if fields would be lost. */
static lathe_result may_take(const rec_at *at, uint32_t slot, const rec_type *type,
                             const rec_at *base, lathe_error *err)
{
    const rec_type *from = base->layout->type;
    if (type == from || !(from->flags & REC_OWN))
        return LATHE_OK;
    if (rec_opaque(base->doc, base->part, NULL))
        return rec_fail(base, REC_NO_SLOT, base->off, err, LATHE_ERR_UNSUPPORTED,
                        "it does not parse: it cannot be copied to another document");
    if (type->flags & REC_OWN && strcmp(rec_type_name(type), rec_type_name(from)) == 0)
        return rec_takes_type(type, from) ? LATHE_OK : rec_not_taken(at, slot, type, from, err);
    return rec_fail(at, slot, at->off, err, LATHE_ERR_NAME, "this document has no type '%s'",
                    rec_type_name(from));
}

lathe_result rec_part_from_source(const rec_at *at, uint32_t slot, const rec_from *from,
                                  uint32_t *part, bool *raw, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_field *row = at->layout->slots[slot].row;
    const lathe_format *format = doc->containers[at->layout->container].format;
    lathe_value name, bytes;
    *raw = false;
    lathe_result r = from->base ? rec_may_copy(at, slot, from->base, err) : LATHE_OK;
    if (r != LATHE_OK)
        return r;
    *part = rec_new_part(at, slot);
    if (*part == REC_NO_PART)
        return rec_no_memory(err);
    if (!rec_row_tag(row) || !format->type_named)
        return LATHE_OK;
    if (!wanted(row, from, &name))
        name.as.s.p = NULL, name.as.s.n = 0;
    const rec_type *type = format->type_named(doc, *part, name.as.s.p, name.as.s.n);
    const rec_layout *root;
    r = wanted_layout(at, type, *part, from, &root, err);
    if (r != LATHE_OK)
        return r;
    doc->parts[*part].root = root;
    *raw = from->base && !from->source && alike(at, slot, from->base) &&
           rec_same_type(from->base->layout->type, type);
    if (!*raw && from->base && !from->source)
        r = may_take(at, slot, type, from->base, err);
    if (r != LATHE_OK)
        return r;
    if (*raw)
        return take_over(at, slot, root, from->base, *part, err);
    *raw = format->part_type && rec_slot_find(root, "bytes") == REC_NO_SLOT &&
           text_of(from, "bytes", &bytes);
    return *raw ? put_bytes(doc, *part, &bytes, err) : LATHE_OK;
}

/* Replaces element i by a part. `made`: the source of its record. NULL: rows of the same name are copied from the old
 * record, unless that is opaque. */
static lathe_result replace(const rec_at *at, uint32_t slot, uint64_t i, uint32_t part, bool raw,
                            const rec_at *old, const rec_from *made, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_from both = {.base = rec_opaque(doc, old->part, NULL) ? NULL : old};
    lathe_result r = LATHE_OK;
    if (doc->parts[old->part].state == PART_UNPARSED) /* out of memory: its contents are unknown */
        return rec_no_memory(err);
    if (!raw) {
        /* undo does not need its contents */
        doc->parts[part].scratch = doc->parts[part].alive = true;
        rec_at to = rec_child(at, slot, doc->parts[part].root, part, 0, i);
        r = rec_emit(&to, made ? made : &both, err);
        doc->parts[part].scratch = doc->parts[part].alive = false;
    }
    if (r == LATHE_OK)
        r = rec_part_remove(doc, old->part, err);
    return r == LATHE_OK ? rec_part_insert(doc, part, at->part, slot, i, err) : r;
}

lathe_result rec_append_named(const rec_at *at, uint32_t slot, const char *name, size_t n,
                              const rec_from *from, rec_at *element, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_field *row = at->layout->slots[slot].row;
    const lathe_format *format = doc->containers[at->layout->container].format;
    uint64_t i = rec_kids(doc, at->part, slot), later = 0;
    const rec_layout *root;
    lathe_result r = rec_row_rare(row)->resizes(at, row, i, 0, 1, err);
    uint32_t part = r == LATHE_OK ? rec_new_part(at, slot) : REC_NO_PART;
    if (part == REC_NO_PART)
        return r == LATHE_OK ? rec_no_memory(err) : r;
    r = wanted_layout(at, format->type_named(doc, part, name, n), part, from, &root, err);
    if (r != LATHE_OK)
        return r;
    rec_from made = *from;
    made.skip_parts = made.stored_only = true;
    made.later = &later;
    doc->parts[part].root = root;
    doc->parts[part].scratch = doc->parts[part].alive = true; /* undo does not need its contents */
    *element = rec_child(at, slot, root, part, 0, i);
    r = rec_emit(element, &made, err);
    doc->parts[part].scratch = doc->parts[part].alive = false;
    if (r == LATHE_OK)
        r = rec_part_insert(doc, part, at->part, slot, i, err);
    return r == LATHE_OK ? rec_build_rest(element, later, from, err) : r;
}

/* Refuses to change the type of an element if the file has noted its present one. */
static lathe_result may_retype(const rec_field *row, const rec_at *element, lathe_error *err)
{
    const char *now = row->flags & REC_KEEPS_TYPE
                          ? rec_row_rare(row)->type_name(element->doc, element->part)
                          : NULL;
    return now && strcmp(now, rec_type_name(rec_row_type(row))) != 0
               ? rec_fail(element, REC_NO_SLOT, element->off, err, LATHE_ERR_UNSUPPORTED,
                          "it is of %s %s and cannot change: append another element",
                          rec_row_tag(row), now)
               : LATHE_OK;
}

/* Decides under which of two names the source gives the type. */
static void choose_tag(const rec_at *at, const rec_field *row, const rec_layout *now,
                       rec_from *from)
{
    const lathe_format *format = at->doc->containers[at->layout->container].format;
    const char *other = format->other_tag;
    lathe_value name;
    char text[128];
    if (!other || !format->type_any || from->tag || text_of(from, rec_row_tag(row), &name) ||
        !text_of(from, other, &name))
        return;
    bool fits = name.as.s.n < sizeof text;
    if (fits)
        memcpy(text, name.as.s.p, name.as.s.n);
    text[fits ? name.as.s.n : 0] = 0;
    if (rec_slot_find(now, other) == REC_NO_SLOT || (fits && format->type_any(text)))
        from->tag = other;
}

lathe_result rec_element_for(const rec_at *at, uint32_t slot, uint64_t i, rec_from *from,
                             rec_at *element, bool *raw, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value name, bytes;
    const char *tag, *now;
    uint32_t part;
    *raw = false;
    lathe_result r = from->base ? rec_may_copy(at, slot, from->base, err) : LATHE_OK;
    if (r == LATHE_OK)
        r = rec_sub(at, slot, i, element, err);
    if (r != LATHE_OK || !rec_row_tag(row) ||
        !at->doc->containers[at->layout->container].format->type_named)
        return r;
    choose_tag(at, row, element->layout, from);
    if (!wanted(row, from, &name))
        return from->source && element->layout->type == rec_row_type(row)
                   ? rec_fail(element, REC_NO_SLOT, element->off, err, LATHE_ERR_INVALID,
                              "a %s is needed: { %s = \"…\" }", rec_row_tag(row), rec_row_tag(row))
                   : LATHE_OK;
    now = rec_view_tag(rec_view(element), &tag);
    bool same = now && strlen(now) == name.as.s.n && memcmp(now, name.as.s.p, name.as.s.n) == 0;
    bool whole = from->base && !from->source && alike(at, slot, from->base);
    if (whole && same && element->layout->type->flags & REC_OWN)
        whole = rec_same_type(element->layout->type, from->base->layout->type);
    if (same && from->source) { /* with another argument it is a different record */
        const rec_from here = {.source = from->source, .node = from->node, .base = element};
        uint64_t arg;
        r = wanted_argument(at, element->layout->type, element->part, &here, &arg, err);
        if (r != LATHE_OK)
            return r;
        same = arg == element->layout->arg;
    }
    if (same && !whole && !rec_opaque(at->doc, element->part, NULL) &&
        (!text_of(from, "bytes", &bytes) || rec_slot_find(element->layout, "bytes") != REC_NO_SLOT))
        return LATHE_OK;
    r = may_retype(row, element, err);
    if (r != LATHE_OK)
        return r;
    r = rec_part_from_source(at, slot, from, &part, raw, err);
    rec_at old = *element;
    if (r == LATHE_OK && same && *raw && !rec_opaque(at->doc, old.part, NULL) &&
        !at->doc->parts[old.part].kids_n) {
        /* replaced in place, so that views of it stay valid */
        const rec_part *p = &at->doc->parts[part];
        return rec_splice(at->doc, old.part, 0, at->doc->parts[old.part].size, p->data, p->size,
                          err);
    }
    if (r != LATHE_OK || *raw)
        return r == LATHE_OK ? replace(at, slot, i, part, true, &old, NULL, err) : r;
    /* A new record is written as a whole: setting an existing one row by row would need valid states in between. */
    uint64_t later = 0;
    rec_from made = *from;
    made.base = NULL;
    made.skip_parts = made.stored_only = true;
    made.later = &later;
    bool is_new = from->fresh && from->source && !at->doc->parts[part].root->has_out_of_line;
    r = replace(at, slot, i, part, false, &old, is_new ? &made : NULL, err);
    if (r == LATHE_OK)
        r = rec_sub(at, slot, i, element, err);
    if (r == LATHE_OK && is_new)
        r = rec_build_rest(element, later, from, err);
    *raw = is_new;
    return r;
}

lathe_result rec_retype(const rec_at *at, const char *name, size_t n, lathe_error *err)
{
    rec_at self, owner;
    uint32_t part;
    lathe_doc *doc = at->doc;
    if (doc->parts[at->part].scratch || !rec_parent(at, &self, &owner))
        return LATHE_OK;
    const lathe_format *format = doc->containers[at->layout->container].format;
    const char *tag, *now = rec_view_tag(rec_view(at), &tag);
    if (!format->type_named || (now && strlen(now) == n && memcmp(now, name, n) == 0))
        return LATHE_OK;
    part = rec_new_part(&owner, self.slot);
    const rec_type *type = part == REC_NO_PART ? NULL : format->type_named(doc, part, name, n);
    const rec_from nothing = {0};
    const rec_layout *root;
    lathe_result r = wanted_layout(&owner, type, part, &nothing, &root, err);
    if (r != LATHE_OK)
        return r;
    doc->parts[part].root = root;
    const rec_at old = *at;
    return replace(&owner, self.slot, self.index, part, false, &old, NULL, err);
}
