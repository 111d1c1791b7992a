/* Views: long-lived handles of places, and the public functions that read through them. */
#include "record/record.h"
#include "record/upper.h"

lathe_view rec_view(const rec_at *at)
{
    return (lathe_view){.doc = at->doc,
                        .type = at->layout,
                        .off = at->off,
                        .part = at->part,
                        .gen = (uint32_t)at->doc->parts[at->part].log_n};
}

lathe_view rec_array_view(const rec_at *at, uint32_t slot)
{
    lathe_view v = rec_view(at);
    v.index = slot;
    v.flags = REC_VIEW_ARRAY;
    return v;
}

/* The nesting depth of a record in its part. Since types may contain themselves, edits use it to avoid records that
 * are nested too deep to be opened. */
static uint32_t depth_of(const rec_at *at)
{
    rec_at chain[REC_DEPTH];
    if (at->off == 0 && at->layout == at->doc->parts[at->part].root)
        return 0;
    int n = at->doc->parts[at->part].root ? rec_chain(at->doc, at->part, at->off, chain) : 0;
    for (int i = 0; i < n; i++)
        if (chain[i].off == at->off && chain[i].layout == at->layout)
            return (uint32_t)i;
    return REC_DEPTH;
}

lathe_result rec_enter(lathe_view *view, rec_at *at, uint32_t *slot, lathe_error *err)
{
    lathe_result r = rec_sync(view, err);
    *at = (rec_at){.doc = view->doc,
                   .layout = view->type,
                   .off = view->off,
                   .part = view->part,
                   .slot = REC_NO_SLOT};
    *slot = view->flags & REC_VIEW_ARRAY ? view->index : REC_NO_SLOT;
    if (view->flags & REC_VIEW_UPPER)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s is no record",
                         rec_upper_floor.item(view));
    if (r == LATHE_OK && at->layout->recursive)
        at->depth = depth_of(at);
    return r;
}

lathe_view lathe_doc_root(lathe_doc *doc)
{
    rec_at root = rec_root(doc, 0);
    return rec_view(&root);
}

static const char *next_row(void *user, size_t i)
{
    const rec_layout *l = user;
    return i < l->count ? l->slots[i].name : NULL;
}

static lathe_result no_field(const rec_layout *layout, const char *field, lathe_error *err)
{
    rec_layout *names = NULL;
    if (!err) /* nobody reads the message: skip the search for it */
        return LATHE_ERR_NAME;
    const char *holder = rec_holder(layout->type, field);
    if (holder)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "no field '%s' in %s; did you mean '%s.%s'?", field,
                         rec_type_name(layout->type), holder, field);
    /* const is only cast away for error_nearest, which does not write */
    memcpy(&names, &layout, sizeof names);
    const char *near = error_nearest(field, next_row, names);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     near ? "no field '%s' in %s; did you mean '%s'?" : "no field '%s' in %s",
                     field, rec_type_name(layout->type), near);
}

/* Finds the record and row for a field name. */
static lathe_result enter_field(lathe_view *view, const char *field, rec_at *at, uint32_t *slot,
                                lathe_error *err)
{
    lathe_result r = rec_enter(view, at, slot, err);
    if (r != LATHE_OK)
        return r;
    if (*slot != REC_NO_SLOT)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "an array has no field '%s'", field);
    uint32_t next = view->doc->next_row; /* fields are usually read in the order of their rows */
    const rec_layout *l = at->layout;
    *slot = next < l->count && l->slots[next].name == field ? l->slots[next].same
                                                            : rec_slot_find(l, field);
    view->doc->next_row = *slot + 1;
    return *slot == REC_NO_SLOT ? no_field(l, field, err) : LATHE_OK;
}

static lathe_result enter_array(lathe_view *view, rec_at *at, uint32_t *slot, lathe_error *err)
{
    lathe_result r = rec_enter(view, at, slot, err);
    if (r == LATHE_OK && *slot == REC_NO_SLOT)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s is not an array",
                      rec_type_name(at->layout->type));
    return r;
}

lathe_result lathe_view_get(lathe_view view, const char *field, lathe_value *value,
                            lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_value got;
    lathe_result r = enter_field(&view, field, &at, &slot, err);
    if (r == LATHE_OK)
        r = rec_get_named(&at, slot, &got, err);
    if (r == LATHE_OK)
        *value = got;
    return r;
}

lathe_result lathe_view_item(lathe_view array, uint64_t i, lathe_value *value, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    if (!(array.flags & REC_VIEW_ARRAY)) { /* components of a vector have numbers, too */
        lathe_result r = rec_enter(&array, &at, &slot, err);
        if (r == LATHE_OK && i < rec_lanes(at.layout->type))
            return rec_get(&at, (uint32_t)i, false, value, err);
    }
    lathe_result r = enter_array(&array, &at, &slot, err);
    return r == LATHE_OK ? rec_get_item(&at, slot, i, false, value, err) : r;
}

uint64_t lathe_view_count(lathe_view view)
{
    rec_at at;
    uint32_t slot;
    rec_loc loc;
    if (rec_enter(&view, &at, &slot, NULL) != LATHE_OK)
        return 0;
    if (slot == REC_NO_SLOT)
        return at.layout->fields;
    const rec_numbers *numbers = rec_numbers_of(&at, slot);
    uint64_t n;
    if (numbers)
        return numbers->rows(&at, at.layout->slots[slot].row, &n) ? n : 0;
    return rec_find(&at, slot, &loc, NULL) == LATHE_OK && loc.present ? loc.count : 0;
}

bool lathe_view_same(lathe_view a, lathe_view b)
{
    return a.doc == b.doc && rec_sync(&a, NULL) == LATHE_OK && rec_sync(&b, NULL) == LATHE_OK &&
           a.type == b.type && a.part == b.part && a.off == b.off && a.index == b.index &&
           a.flags == b.flags;
}

/* The row of a part, if that is polymorphic. */
static const rec_field *polymorphic_row(const lathe_view *view)
{
    const rec_part *p = &view->doc->parts[view->part];
    const rec_part *owner = p->owner == REC_NO_PART ? NULL : &view->doc->parts[p->owner];
    if (!owner || !p->alive || view->off || view->type != p->root || !owner->root)
        return NULL;
    const rec_field *row = owner->root->slots[p->slot].row;
    return rec_row_tag(row) ? row : NULL;
}

bool rec_inside(const rec_at *at, uint32_t slot)
{
    const rec_layout *l = at->layout;
    uint32_t by = l->slots[slot].count_slot;
    if (!(l->slots[slot].row->flags & REC_INSIDE))
        return false;
    for (uint32_t k = slot + 1; by != REC_NO_SLOT && k < l->count; k++)
        if (l->slots[k].count_slot == by && l->slots[k].row->flags & REC_SOME)
            return rec_kids(at->doc, at->part, k) == (uint64_t)rec_slot_int(at, by);
    return true;
}

const char *rec_view_tag(lathe_view view, const char **tag)
{
    const rec_field *row = polymorphic_row(&view);
    if (!row)
        return NULL;
    *tag = rec_row_tag(row);
    return lathe_view_type(view);
}

const char *lathe_view_type(lathe_view view)
{
    const rec_layout *l = view.type;
    const rec_field *several = view.flags & REC_VIEW_ARRAY ? NULL : polymorphic_row(&view);
    const char *name = several && rec_row_rare(several)->type_name
                           ? rec_row_rare(several)->type_name(view.doc, view.part)
                           : NULL; /* a type without a description */
    if (name)
        return name;
    if (!(view.flags & REC_VIEW_ARRAY))
        return rec_type_name(l->type);
    const rec_field *row = l->slots[view.index].row;
    bool record = row->kind == REC_RECORD || row->kind == REC_POINTER;
    return record && row->type ? rec_type_name(rec_row_type(row)) : NULL;
}

bool lathe_view_problem(lathe_view view, lathe_error *why)
{
    if (rec_sync(&view, NULL) != LATHE_OK)
        return false;
    const lathe_error *problem = view.doc->parts[view.part].problem;
    if (problem && why)
        *why = *problem;
    return rec_opaque(view.doc, view.part, why) || problem;
}

/* Fails if the target of a reference (element i of an array of references) cannot be located. */
static lathe_result target_known(const rec_at *at, uint32_t slot, uint64_t i, lathe_error *err)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_view target;
    uint64_t raw;
    if (rec_raw(at, slot, i, &raw, NULL) != LATHE_OK || raw == rec_row_ref(row)->null)
        return LATHE_OK;
    lathe_result r = rec_row_ref(row)->resolve(at, row, raw, &target, err);
    return r == LATHE_ERR_UNSUPPORTED ? r : LATHE_OK;
}

static lathe_result targets_known(const rec_at *at, uint32_t slot, int depth, lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_loc loc;
    bool has_references = s->row->ref || (s->sub && s->sub->has_references);
    if (!has_references || s->never || rec_unstored(s->row) || s->row->flags & REC_PART ||
        rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return LATHE_OK;
    lathe_result r = LATHE_OK;
    uint64_t n = s->array ? loc.count : 1;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        if (s->row->ref)
            r = target_known(at, slot, i, err);
        else if (rec_sub(at, slot, i, &sub, NULL) == LATHE_OK)
            r = rec_targets_known(&sub, REC_NO_SLOT, depth + 1, err);
    }
    return r;
}

lathe_result rec_targets_known(const rec_at *at, uint32_t slot, int depth, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (slot != REC_NO_SLOT)
        return targets_known(at, slot, depth, err);
    for (uint32_t i = 0; r == LATHE_OK && depth < REC_DEPTH && i < at->layout->count; i++)
        r = targets_known(at, i, depth, err);
    return r;
}

/* ---- describe -------------------------------------------------------------------------------------- */

static lathe_kind shown_kind(const rec_field *row)
{
    if (row->codec)
        return rec_row_codec(row)->kind;
    if (row->kind == REC_RECORD || row->kind == REC_POINTER || row->ref ||
        row->shown == REC_ANY_RECORD || (row->kind == REC_COMPUTED && row->type))
        return LATHE_KIND_RECORD;
    if (row->kind == REC_STR || row->kind == REC_BYTES || row->shown == REC_TEXT)
        return LATHE_KIND_STRING;
    if (row->shown == REC_BOOL)
        return LATHE_KIND_BOOL;
    if (row->shown == REC_NUMBER || (row->kind >= REC_F16 && row->kind <= REC_F64))
        return LATHE_KIND_REAL;
    return row->kind == REC_U64 ? LATHE_KIND_UINT : LATHE_KIND_INT;
}

/* Fills the numbers of a field's description. */
static void fill_info(const rec_layout *l, uint32_t slot, lathe_field_info *info)
{
    const rec_slot *s = &l->slots[slot];
    const rec_field *row = s->row;
    info->name = rec_row_name(row);
    info->original = rec_row_original(row);
    info->unit = rec_row_unit(row);
    info->doc = rec_row_doc(row);
    info->kind = shown_kind(row);
    info->min = rec_row_rare(row)->range[0];
    info->max = rec_row_rare(row)->range[1];
    if (info->min == info->max) {
        info->min = 1;
        info->max = 0;
    }
    info->key = rec_row_key(row);
    info->tag = rec_row_tag(row);
    info->shown_by = rec_row_shown_by(row);
    info->value = rec_row_value(row);
    if (s->array || rec_row_rare(row)->numbers)
        info->flags |= LATHE_FIELD_ARRAY;
    if (row->flags & REC_READONLY || s->counts != REC_NO_SLOT ||
        (row->kind == REC_COMPUTED && !rec_row_rare(row)->set && !rec_row_rare(row)->numbers &&
         !rec_row_bits_of(row) && !rec_is_lane(l->type, slot)) ||
        rec_is_argument(row))
        info->flags |= LATHE_FIELD_READONLY;
    if (rec_unstored(row))
        info->flags |= LATHE_FIELD_COMPUTED;
    if (row->flags & REC_COPIED)
        info->flags |= LATHE_FIELD_COPIED;
    if (s->counts != REC_NO_SLOT)
        info->flags |= LATHE_FIELD_COUNT;
    if (row->flags & REC_VERSION)
        info->flags |= LATHE_FIELD_VERSION;
    if (s->array && rec_resizable(l, slot))
        info->flags |= LATHE_FIELD_RESIZABLE;
    if (row->flags & REC_PAD)
        info->flags |= LATHE_FIELD_PADDING;
    if (row->flags & REC_INSIDE)
        info->flags |= LATHE_FIELD_INSIDE;
    bool found = row->kind == REC_COMPUTED &&
                 rec_row_rare(row)->get && /* it shows a stored record */
                 (row->type || row->shown == REC_ANY_RECORD);
    if (row->ref || row->kind == REC_POINTER || found)
        info->flags |= LATHE_FIELD_REF;
    info->flags |= row->shown == REC_FLAGS  ? LATHE_FIELD_FLAGS
                   : row->shown == REC_ENUM ? LATHE_FIELD_ENUM
                                            : 0;
    info->offset = s->off == REC_DYNAMIC ? LATHE_NO_OFFSET : s->off;
    info->span = s->size == REC_DYNAMIC ? LATHE_NO_OFFSET : s->size;
    if (l->type->flags & REC_ALIGNED && s->conditional && !s->size) { /* absent in this version */
        info->offset = info->span = LATHE_NO_OFFSET;
    } else if (row->flags & REC_OVERLAY) { /* its own offset, not the end of the row before */
        info->offset = row->off;
        info->span = s->sub->size ? s->sub->size : LATHE_NO_OFFSET;
    } else if (rec_row_column(row)) {
        info->offset = info->span = LATHE_NO_OFFSET; /* it depends on the array */
    }
}

/* Constants for composed type names, so that nobody has to free them. */
static const char *constant_type_name(const rec_field *row)
{
    static const char *const prefixed[] = {"str8", "str16", "str32", "str64"};
    char name[24];
    if (row->codec && rec_row_codec(row)->kind == LATHE_KIND_STRING)
        return "text";
    if (row->kind != REC_STR)
        return rec_row_type_name(row, name, sizeof name);
    int width = row->prefix < 0 ? -row->prefix : row->prefix;
    if (width)
        return prefixed[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3];
    return row->size ? "char[]" : "cstr";
}

static void names_info(const rec_names *names, lathe_field_info *info)
{
    if (!names)
        return;
    info->names = rec_names_listed(names);
    info->names_count = names->count;
}

/* Describes a row. at: a record of that layout. NULL: only the type is known, not the pointer size and version. */
static bool describe_slot(const lathe_format *format, const rec_layout *l, const rec_at *at,
                          uint32_t slot, lathe_field_info *out)
{
    const rec_field *row = l->slots[slot].row;
    lathe_field_info info = {.size = out->size};
    fill_info(l, slot, &info);
    if (!at && l->type->flags & REC_ALIGNED)
        info.offset = info.span = LATHE_NO_OFFSET;
    if (at && !rec_inside(at, slot))
        info.flags &= ~(uint32_t)LATHE_FIELD_INSIDE;
    info.type = constant_type_name(row);
    if (l->type->flags & REC_OWN || (rec_row_tag(row) && format->own_type))
        info.flags |= LATHE_FIELD_OWN;
    names_info(at && rec_row_rare(row)->names_in ? rec_row_rare(row)->names_in(at)
                                                 : rec_row_names(row),
               &info);
    memcpy(out, &info, out->size < sizeof info ? out->size : sizeof info);
    return true;
}

/* False for rows that no such record has, and for those that another row of the same name replaces. */
static bool is_listed(const rec_layout *l, uint32_t slot)
{
    return !l->slots[slot].never && l->slots[slot].same == slot;
}

bool lathe_view_describe(lathe_view view, uint64_t field, lathe_field_info *info)
{
    const rec_layout *l = view.type;
    const lathe_format *format = view.doc->containers[l->container].format;
    rec_at at = {.doc = view.doc, .layout = l, .off = view.off, .part = view.part};
    if (view.flags & REC_VIEW_ARRAY)
        return field == 0 && describe_slot(format, l, &at, view.index, info);
    for (uint32_t slot = 0; slot < l->count; slot++)
        if (is_listed(l, slot) && field-- == 0)
            return describe_slot(format, l, &at, slot, info);
    return false;
}

static const lathe_format *format_with(const rec_type *type)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if (rec_type_of(*f, rec_type_name(type)))
            return *f;
    return rec_formats[0];
}

/* Describes a row of a constant type. Layouts belong to documents, so this uses an empty one. *info contains only
 * pointers to constants. */
static bool describe_constant(const rec_type *type, uint64_t field, lathe_field_info *info)
{
    lathe_doc *doc = NULL;
    if (!type || field >= rec_row_count(type) ||
        rec_doc_new(NULL, NULL, 0, NULL, &doc, NULL) != LATHE_OK)
        return false;
    bool ok = false;
    if (rec_container_add(doc, format_with(type), REC_NO_PART, UINT32_MAX) == 0) {
        const rec_layout *l = rec_layout_of(doc, 0, type);
        ok = l && describe_slot(doc->containers[0].format, l, NULL, (uint32_t)field, info);
    }
    lathe_doc_close(doc);
    return ok;
}

bool lathe_type_describe(const char *name, uint64_t field, lathe_field_info *info)
{
    return describe_constant(rec_type_find(name), field, info);
}

bool lathe_doc_type_describe(lathe_doc *doc, const char *name, uint64_t field,
                             lathe_field_info *info)
{
    uint32_t c;
    const rec_type *type = rec_own_named(doc, name, &c);
    if (!type)
        return describe_constant(rec_doc_type_find(doc, name), field, info);
    const rec_layout *l = rec_layout_of(doc, c, type);
    for (uint32_t slot = 0; l && slot < l->count; slot++)
        if (is_listed(l, slot) && field-- == 0)
            return describe_slot(doc->containers[c].format, l, NULL, slot, info);
    return false;
}
