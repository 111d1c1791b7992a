/* Public functions for annotations of animations. */
#include "api/api.h"
#include "scene/annotations.h"

_Static_assert((unsigned)LATHE_ANNOTATION_TIME == SCENE_NOTE_TIME &&
                   (unsigned)LATHE_ANNOTATION_TEXT == SCENE_NOTE_TEXT &&
                   (unsigned)LATHE_ANNOTATION_TRACK == SCENE_NOTE_TRACK,
               "fields of annotations");

lathe_result lathe_annotation_count(lathe_doc *doc, uint64_t clip, uint64_t *n, lathe_error *err)
{
    return scene_notes_count(doc, clip, n, err);
}

lathe_result lathe_annotation_id(lathe_doc *doc, uint64_t clip, uint64_t i, uint64_t *id,
                                 lathe_error *err)
{
    return scene_notes_id(doc, clip, i, id, err);
}

lathe_result lathe_annotation_read(lathe_doc *doc, uint64_t clip, uint64_t id,
                                   lathe_annotation *out, lathe_error *err)
{
    model_annotation note;
    lathe_result r = scene_note_read(doc, clip, id, &note, err);
    if (r != LATHE_OK)
        return r;
    const lathe_annotation all = {.time = note.time,
                                  .text = note.text ? note.text : "",
                                  .length = note.text ? note.length : 0,
                                  .track = note.track,
                                  .source = note.source};
    api_give(out, &all, sizeof all);
    return LATHE_OK;
}

static model_annotation taken(const lathe_annotation *values)
{
    lathe_annotation v = {.size = sizeof v};
    api_take(&v, values, sizeof v);
    return (model_annotation){.time = v.time,
                              .text = v.text ? v.text : "",
                              .length = v.text ? v.length : 0,
                              .track = v.track};
}

lathe_result lathe_annotation_set(lathe_doc *doc, uint64_t clip, uint64_t id, unsigned fields,
                                  const lathe_annotation *values, lathe_error *err)
{
    const model_annotation given = taken(values);
    return scene_clip_annotation_set(doc, clip, id, fields, &given, err);
}

lathe_result lathe_annotation_add(lathe_doc *doc, uint64_t clip, const lathe_annotation *values,
                                  lathe_error *err)
{
    const model_annotation given = taken(values);
    return scene_clip_annotation_add(doc, clip, &given, err);
}

lathe_result lathe_annotation_remove(lathe_doc *doc, uint64_t clip, uint64_t id, lathe_error *err)
{
    return scene_clip_annotation_remove(doc, clip, id, err);
}
