/* The public writes: one step each, all or nothing. */
#include "record/record.h"

static lathe_result enter(lathe_view *view, bool array, rec_at *at, uint32_t *slot,
                          lathe_error *err)
{
    lathe_result r = rec_enter(view, at, slot, err);
    if (r == LATHE_OK && (*slot != REC_NO_SLOT) != array)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      array ? "%s is not an array" : "an array of %s is not a record",
                      at->layout->type->name);
    return r;
}

lathe_result lathe_view_set(lathe_view view, const char *field, const lathe_value *value,
                            lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&view, false, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    return rec_end(view.doc, rec_set_name(&at, field, value, err), err);
}

lathe_result lathe_view_set_item(lathe_view array, uint64_t i, const lathe_value *value,
                                 lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&array, &at, &slot, err);
    bool lane = slot == REC_NO_SLOT && i < rec_lanes(at.layout->type);
    if (r == LATHE_OK && !lane)
        r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    r = lane ? rec_set(&at, (uint32_t)i, value, err) : rec_set_item(&at, slot, i, value, err);
    return rec_end(array.doc, r, err);
}

lathe_result lathe_view_build(lathe_view view, const lathe_source *source, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    if (slot == REC_NO_SLOT) {
        rec_from from = {.source = source};
        r = rec_build(&at, &from, err);
    } else {
        rec_items items;
        rec_items_in(&at.layout->slots[slot], source, NULL, &items);
        r = rec_build_array(&at, slot, &items, err);
    }
    return rec_end(view.doc, r, err);
}

lathe_result lathe_view_insert(lathe_view array, uint64_t i, uint64_t n, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    return rec_end(array.doc, rec_insert(&at, slot, i, n, NULL, 0, err), err);
}

lathe_result lathe_view_remove(lathe_view array, uint64_t i, uint64_t n, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_result r = enter(&array, true, &at, &slot, err);
    if (r != LATHE_OK || (r = rec_begin(array.doc, err)) != LATHE_OK)
        return r;
    return rec_end(array.doc, rec_remove(&at, slot, i, n, err), err);
}

/* ---- verbs --------------------------------------------------------------------------------------- */

static const char *next_verb(void *user, size_t i)
{
    const rec_verb *const *verbs = user;
    return *verbs ? (*verbs)[i].name : NULL;
}

const rec_verb *rec_verb_find(lathe_view view, const char *name)
{
    const rec_layout *layout = view.type;
    const rec_container *c = &view.doc->containers[layout->container];
    bool top = layout->type == c->format->root && !(view.flags & REC_VIEW_ARRAY);
    for (const rec_verb *v = c->format->verbs; v && v->name; v++)
        if (strcmp(v->name, name) == 0 && (v->type ? v->type == layout->type : top))
            return v;
    return NULL;
}

lathe_result lathe_view_call(lathe_view view, const char *verb, const lathe_source *args,
                             lathe_report *report, lathe_error *err)
{
    const rec_verb *v = rec_verb_find(view, verb);
    if (!v) {
        const rec_layout *layout = view.type;
        const rec_verb *verbs = view.doc->containers[layout->container].format->verbs;
        const char *near = error_nearest(verb, next_verb, &verbs);
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         near ? "no verb '%s' for %s; did you mean '%s'?" : "no verb '%s' for %s",
                         verb, layout->type->name, near);
    }
    lathe_result r = rec_sync(&view, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    return rec_end(view.doc, v->run(view, args, report, err), err);
}

void lathe_format_describe(const lathe_format *f, lathe_format_info *out)
{
    lathe_format_info info = {.size = out->size,
                              .name = f->name,
                              .doc = f->doc,
                              .type = f->root->name,
                              .extensions = f->extensions,
                              .games = f->games};
    memcpy(out, &info, out->size < sizeof info ? out->size : sizeof info);
}

const char *lathe_format_verb(const lathe_format *f, size_t i)
{
    static const char *const always[] = {"open", "save", "new", "check"};
    enum { ALWAYS = sizeof always / sizeof always[0] };
    if (i < ALWAYS)
        return always[i];
    i -= ALWAYS;
    if (f->mesh && i-- == 0)
        return "meshes";
    if (f->skeleton && i-- == 0)
        return "skeletons";
    if (f->clips && i-- == 0)
        return "animations";
    for (const rec_verb *v = f->verbs; v && v->name; v++)
        if (i-- == 0)
            return v->name;
    return NULL;
}
