/* The scene's data of each document, and the callbacks for the engine (record/upper.h). */
#include "scene/state.h"

#include "record/upper.h"
#include "scene/annotations.h"
#include "scene/draft.h"
#include "scene/hooks.h"
#include "scene/rigs.h"

scene_state *scene_state_of(lathe_doc *doc)
{
    if (!doc->scene)
        doc->scene = mem_zalloc(&doc->mem, sizeof *doc->scene);
    return doc->scene;
}

static void free_state(lathe_doc *doc)
{
    if (!doc->scene)
        return;
    scene_rigs_free(doc);
    scene_notes_free(doc);
    mem_free(&doc->mem, doc->scene, sizeof *doc->scene);
    doc->scene = NULL;
}

static const char *item(const lathe_view *view)
{
    return view->flags & SCENE_VIEW_CLIP ? "an animation" : "a skeleton";
}

const char *scene_fault(const lathe_format *format)
{
    const scene_hooks *s = scene_of(format);
    if ((s->mesh || s->collision || s->skeleton || s->clips || s->material || s->body) && !s->count)
        return "lists without a count";
    if (s->clips && !(s->clips->open && s->clips->track && s->clips->sample))
        return "animations without open, track or sample";
    return s->collision && !s->body ? "meshes of collision, but no bodies" : NULL;
}

const rec_upper rec_upper_floor = {.begin = scene_link,
                                   .write = scene_drafts_write,
                                   .lay_out = scene_drafts_lay_out,
                                   .revert = scene_draft_revert,
                                   .stale = scene_drafts_stale,
                                   .over = scene_drafts_drop,
                                   .free = free_state,
                                   .item = item};
