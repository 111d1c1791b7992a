/* Public functions for formats: their names and capabilities. */
#include "api/api.h"

#include "model/material_name.h"
#include "record/form.h"

void lathe_format_describe(const lathe_format *f, lathe_format_info *out)
{
    lathe_format_info info = {.size = out->size,
                              .name = f->name,
                              .doc = f->doc,
                              .type = rec_type_name(f->root),
                              .extensions = f->extensions,
                              .games = f->games,
                              .compared_with = f->compared_with,
                              .containers = f->form ? f->form->names : NULL};
    memcpy(out, &info, out->size < sizeof info ? out->size : sizeof info);
}

const char *lathe_material_name(size_t i)
{
    return model_material_each(NULL, i);
}

const char *lathe_format_type(const lathe_format *f, size_t i)
{
    const rec_type *t = f->types ? f->types(i) : NULL;
    return t ? rec_type_name(t) : NULL;
}

/* Collision meshes are requested together with drawn meshes. */
static const struct {
    lathe_list list;
    const char *name;
} lists[] = {{LATHE_MESHES, "meshes"},         {LATHE_MATERIALS, "materials"},
             {LATHE_BODIES, "bodies"},         {LATHE_SKELETONS, "skeletons"},
             {LATHE_ANIMATIONS, "animations"}, {LATHE_GRAPHS, "graph"}};

const char *lathe_format_verb(const lathe_format *f, size_t i)
{
    static const char *const always[] = {"open", "save", "new", "check"};
    enum { ALWAYS = sizeof always / sizeof always[0] };
    if (i < ALWAYS)
        return always[i];
    i -= ALWAYS;
    size_t n = 0;
    for (size_t k = 0; k < REC_COUNT_OF(lists); k++)
        if (scene_has(f, lists[k].list) && n++ == i)
            return lists[k].name;
    i -= n;
    if (f->serialize && i-- == 0)
        return "serialize";
    for (const rec_verb *v = NULL; (v = rec_verb_next(f, v)) != NULL;)
        if (i-- == 0)
            return v->name;
    return NULL;
}

bool lathe_verb_describe(const lathe_format *f, size_t i, lathe_verb_info *out)
{
    const rec_verb *v = rec_verb_next(f, NULL);
    while (v && i-- > 0)
        v = rec_verb_next(f, v);
    if (!v)
        return false;
    lathe_verb_info info = {.size = out->size,
                            .name = v->name,
                            .doc = v->doc,
                            .type = v->type   ? rec_type_name(v->type)
                                    : v->only ? "animation"
                                              : NULL,
                            .query = v->query,
                            .params = v->params,
                            .single = v->single,
                            .list = v->list,
                            .counts = v->counts};
    memcpy(out, &info, out->size < sizeof info ? out->size : sizeof info);
    return true;
}
