/* One document as a picture. */
#include "preview/shot.h"

#include "preview/flat.h"

#include "record/record.h"
#include "scene/clip.h"

#include <string.h>

/* ---- the key of materials ------------------------------------------------------------------------ */

/* Materials whose names are stored as hashes: that of an empty name. */
static const char *shown(const char *material)
{
    return strcmp(material, "0x00000000") == 0 ? "no material" : material;
}

static void add_key(shot_keys *list, const char *name)
{
    if (!*name || list->count == MATERIAL_LIMIT)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->keys[i].name.text, shown(name)) == 0)
            return;
    list->keys[list->count++] = (frame_key){frame_string(shown(name)), picture_name_color(name)};
}

/* Each material is looked for once, as there may be millions of triangles. */
static lathe_result add_part(const preview *p, const preview_part *part, shot_keys *list,
                             lathe_error *err)
{
    const model_mesh *mesh = part->mesh;
    size_t none = mesh->material_count; /* stands for a material that is not in the list */
    uint8_t *seen = mem_zalloc(&p->mem, none + 1);
    if (!seen)
        return rec_no_memory(err);
    for (size_t t = 0; t < mesh->index_count / 3; t++) {
        size_t k = mesh->material_of && mesh->material_of[t] < none ? mesh->material_of[t] : none;
        if (!seen[k])
            add_key(list, preview_material_of(part, t));
        seen[k] = 1;
    }
    mem_free(&p->mem, seen, none + 1);
    return LATHE_OK;
}

lathe_result shot_add_materials(const preview *p, const preview_scene *scene, shot_keys *list,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < scene->count; i++)
        if (scene->parts[i].collision)
            r = add_part(p, &scene->parts[i], list, err);
    return r;
}

/* ---- drawing ------------------------------------------------------------------------------------- */

typedef struct shot {
    preview_scene scene;
    preview_rig rig; /* its bones are drawn if there are no meshes */
    preview_frame frame;
    lathe_preview_view view;
    shot_keys materials;
    preview_rig_texts told;
    bool cut;     /* collision that is far larger than the meshes is not wholly in view */
    size_t marks; /* meshes that are marked, since they are too small to be seen */
    char small[64];
} shot;

static lathe_result key_of(const preview *p, shot *s, lathe_error *err)
{
    lathe_result r = shot_add_materials(p, &s->scene, &s->materials, err);
    s->frame.keys = s->materials.keys;
    s->frame.key_count = s->materials.count;
    return r;
}

lathe_result shot_shade(preview *p, preview_scene *scene, const picture_camera *camera,
                        frame_rect rect, lathe_error *err)
{
    picture_pixels pixels;
    lathe_result r = picture_pixels_new(&p->mem, (uint32_t)rect.width, (uint32_t)rect.height,
                                        frame_colors[FRAME_BACKGROUND], &pixels, err);
    if (r != LATHE_OK)
        return r;
    r = preview_draw(p, scene, camera, &pixels, err);
    if (r == LATHE_OK)
        picture_image(p->canvas, (int32_t)rect.x, (int32_t)rect.y, &pixels);
    picture_pixels_free(&p->mem, &pixels);
    return r;
}

void shot_measure(preview_frame *frame, const preview_bounds *bounds, const picture_camera *camera)
{
    const vec3 size = vec3_sub(bounds->high, bounds->low),
               middle = vec3_scale(vec3_add(bounds->low, bounds->high), 0.5);
    vec3 seen;
    memcpy(frame->size, (const double[3]){size.x, size.y, size.z}, sizeof frame->size);
    frame->camera = camera;
    frame->scale = camera->scale;
    if (camera->perspective)
        frame->scale = picture_project(camera, middle, &seen) ? camera->scale / seen.z : 0;
}

/* Draws the scene: a cell as outlines where they stay sharp, all else in pixels. */
static lathe_result draw_scene(preview *p, shot *s, const picture_camera *camera, frame_rect in,
                               lathe_error *err)
{
    bool cell = s->view == LATHE_PREVIEW_TOP && s->scene.placed && p->options.svg;
    if (!cell) {
        lathe_result r = shot_shade(p, &s->scene, camera, in, err);
        if (r != LATHE_OK || !s->marks)
            return r;
    }
    picture_clip(p->canvas, in.x, in.y, in.width, in.height);
    lathe_result r = cell ? preview_footprints(p, &s->scene, camera, in.x, in.y, err) : LATHE_OK;
    preview_marks_draw(p, &s->scene, camera, in.x, in.y);
    picture_clip_end(p->canvas);
    return r;
}

/* A camera for the scene. Collision that is far larger than the meshes, such as a zone that nobody sees, does not make them
 * small. */
static lathe_result fit_scene(preview *p, shot *s, frame_rect in, preview_bounds *bounds,
                              picture_camera *camera, lathe_error *err)
{
    enum { FAR_LARGER = 3 };
    const char *fit = p->options.fit;
    bool both[2] = {false, false};
    preview_bounds meshes;
    picture_camera near;
    for (size_t i = 0; i < s->scene.count; i++)
        both[s->scene.parts[i].collision] = true;
    lathe_result r =
        preview_fit(p, &s->scene, fit, s->view, in.width, in.height, bounds, camera, err);
    if (r != LATHE_OK || fit || !both[0] || !both[1])
        return r;
    r = preview_fit(p, &s->scene, "mesh", s->view, in.width, in.height, &meshes, &near, err);
    double all = vec3_length(vec3_sub(bounds->high, bounds->low)),
           part = meshes.points ? vec3_length(vec3_sub(meshes.high, meshes.low)) : 0;
    if (r != LATHE_OK || !(part > 0) || all <= FAR_LARGER * part)
        return r;
    *bounds = meshes;
    *camera = near;
    s->cut = true;
    return LATHE_OK;
}

static void far_out(const preview *p, shot *s, size_t n, const char *one, const char *many)
{
    preview_skip_far(p, n, one, many);
    frame_note(&s->frame, "what is far from all else is not in view");
}

/* Places the scene in the room that its notes leave. */
static lathe_result place(preview *p, shot *s, frame_rect *in, preview_bounds *bounds,
                          picture_camera *camera, lathe_error *err)
{
    const size_t before = s->frame.note_count;
    lathe_result r = fit_scene(p, s, *in, bounds, camera, err);
    if (r == LATHE_OK && bounds->outside)
        far_out(p, s, bounds->outside, "corner", "corners");
    if (r != LATHE_OK || !bounds->points)
        return r;
    s->marks = preview_marks_count(&s->scene, camera);
    if (s->cut) {
        preview_note(p, "the collision is far larger than the meshes: some of it is not in view");
        frame_note(&s->frame, "collision far larger than the meshes is cut off");
    }
    if (s->marks) {
        s->small[0] = 0;
        frame_append_count(s->small, sizeof s->small, s->marks,
                           " mesh is too small to be seen: a square marks it",
                           " meshes are too small to be seen: squares mark them");
        preview_note(p, "%s", s->small);
        frame_note(&s->frame, s->small);
    }
    if (s->frame.note_count == before)
        return LATHE_OK;
    *in = frame_room(&s->frame);
    return fit_scene(p, s, *in, bounds, camera, err);
}

static void no_geometry(preview *p, frame_rect inside)
{
    frame_say(p->canvas, inside, "no geometry");
    preview_note(p, "no geometry");
}

static bool has_collision(const shot *s)
{
    for (size_t i = 0; i < s->scene.count; i++)
        if (s->scene.parts[i].collision)
            return true;
    return false;
}

static lathe_result draw(preview *p, shot *s, lathe_error *err)
{
    picture_camera camera;
    preview_bounds bounds;
    bool bones = !s->scene.count && s->rig.count;
    lathe_result r = key_of(p, s, err);
    if (r != LATHE_OK)
        return r;
    if (bones) {
        preview_rig_told(p, &s->rig, &s->frame, &s->told);
        s->frame.keys = preview_side_keys;
        s->frame.key_count = preview_side_count(&s->frame, s->rig.skeleton);
    }
    s->frame.has_size = true;
    frame_rect inside = frame_room(&s->frame);
    if (inside.width < 8 || inside.height < 8)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the picture is too small for what stands around it");
    r = bones ? preview_rig_fit(p, &s->rig, s->view, inside.width, inside.height, &bounds, &camera,
                                err)
              : place(p, s, &inside, &bounds, &camera, err);
    if (r != LATHE_OK)
        return r;
    if (bones && bounds.outside)
        far_out(p, s, bounds.outside, "bone", "bones");
    if (!bounds.points) {
        s->frame.has_size = false;
        frame_draw(p->canvas, &s->frame);
        no_geometry(p, inside);
        return LATHE_OK;
    }
    s->frame.metres = bones ? s->rig.skeleton->metres : s->scene.metres;
    shot_measure(&s->frame, &bounds, &camera);
    const uint64_t before = p->triangles;
    r = bones ? preview_rig_draw(p, &s->rig, &camera, inside, p->options.names, err)
              : draw_scene(p, s, &camera, inside, err);
    if (r == LATHE_OK && !bones && p->triangles == before && !s->marks && !has_collision(s))
        no_geometry(p, inside);
    if (r == LATHE_OK)
        frame_draw(p->canvas, &s->frame);
    return r;
}

static lathe_result counted(lathe_doc *doc, lathe_list list, bool *any, lathe_error *err)
{
    uint64_t n = 0;
    lathe_result r = scene_count(doc, list, &n, err);
    *any = n > 0;
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

static bool is_pose(lathe_preview_what what)
{
    return what == LATHE_PREVIEW_POSE || what == LATHE_PREVIEW_STRIP || what == LATHE_PREVIEW_TRACK;
}

/* Whether bones are in more than one place. */
static bool has_extent(const preview_rig *rig)
{
    vec3 first, at;
    for (size_t i = 1; i < rig->count; i++)
        if (preview_rig_point(rig, 0, &first) && preview_rig_point(rig, i, &at) &&
            vec3_length(vec3_sub(at, first)) > 0)
            return true;
    return false;
}

/* The nodes of a scene in place of a skeleton, unless all of them are in one place. */
static lathe_result nodes_of(preview *p, lathe_doc *doc, preview_rig *rig, lathe_error *err)
{
    if (!scene_of(doc->containers[0].format)->nodes)
        return LATHE_OK;
    lathe_result r = preview_rig_of(p, doc, LATHE_NODES, NULL, rig, err);
    if (r == LATHE_OK && !has_extent(rig))
        preview_rig_free(rig);
    return r;
}

/* Bones: those of a clip's pose where a clip is given or there are no meshes, else the document's skeleton. */
static lathe_result gather_bones(preview *p, lathe_doc *doc, preview_scene *scene, preview_rig *rig,
                                 bool *lacking, lathe_error *err)
{
    const lathe_preview_options *o = &p->options;
    lathe_doc *clip = o->clip ? o->clip : doc;
    bool clips = false, skeletons = false;
    lathe_result r = counted(clip, LATHE_ANIMATIONS, &clips, err);
    if (r == LATHE_OK)
        r = counted(doc, LATHE_SKELETONS, &skeletons, err);
    if (r != LATHE_OK)
        return r;
    bool posed = o->clip || is_pose(o->what) || (!skeletons && clips);
    if (posed && o->what != LATHE_PREVIEW_SKELETON) {
        const model_when when = {o->by_time, o->at};
        if (!clips)
            return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is no clip in it");
        r = preview_pose_of(p, clip, &when, rig, err);
        if (r == LATHE_OK)
            r = preview_pose_parts(p, rig, o->mesh ? o->mesh : doc, scene, lacking, err);
        return r;
    }
    if (skeletons)
        return preview_rig_of(p, doc, o->skeleton_index, NULL, rig, err);
    r = nodes_of(p, doc, rig, err);
    return r == LATHE_OK && o->what == LATHE_PREVIEW_SKELETON && !rig->count
               ? error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is no skeleton in it")
               : r;
}

/* Tells that a file's collision is not drawn, since its skeleton is. */
static lathe_result tell_collision(const preview *p, lathe_doc *doc, lathe_error *err)
{
    uint64_t n = 0;
    lathe_error why;
    lathe_result r = scene_count(doc, LATHE_COLLISION, &n, &why);
    if (r == LATHE_OK && n)
        preview_skip(p, NULL,
                     "the collision (%llu %s) is not drawn over bones: ask for 'collision'",
                     (unsigned long long)n, n == 1 ? "shape" : "shapes");
    return r == LATHE_ERR_MEMORY ? error_pass(err, &why) : LATHE_OK;
}

lathe_result shot_gather(preview *p, lathe_doc *doc, preview_scene *scene, preview_rig *rig,
                         bool *lacking, lathe_error *err)
{
    const lathe_preview_what what = p->options.what;
    lathe_doc *model = p->options.mesh ? p->options.mesh : doc;
    lathe_result r = LATHE_OK;
    if (what != LATHE_PREVIEW_COLLISION && what != LATHE_PREVIEW_SKELETON)
        r = preview_gather(p, model, LATHE_MESHES, scene, err);
    bool skeletons = false;
    if (r == LATHE_OK && what == LATHE_PREVIEW_AUTO && !scene->count)
        r = counted(doc, LATHE_SKELETONS, &skeletons, err);
    if (r == LATHE_OK && skeletons && !p->options.clip)
        r = tell_collision(p, model, err);
    if (r == LATHE_OK && !p->options.clip && !skeletons &&
        (what == LATHE_PREVIEW_AUTO || what == LATHE_PREVIEW_COLLISION))
        r = preview_gather(p, model, LATHE_COLLISION, scene, err);
    bool bones = what == LATHE_PREVIEW_SKELETON || is_pose(what) || p->options.clip ||
                 (what == LATHE_PREVIEW_AUTO && !scene->count);
    return r == LATHE_OK && bones ? gather_bones(p, doc, scene, rig, lacking, err) : r;
}

/* The kind of picture, if the options and the document tell it before meshes are read: a clip becomes a strip, or one pose
 * where a time is asked for. */
static lathe_result kind_of(const preview *p, lathe_doc *doc, lathe_preview_what *kind,
                            lathe_error *err)
{
    const lathe_preview_options *o = &p->options;
    bool clips = o->clip != NULL, meshes = false;
    *kind = o->what;
    if (o->what != LATHE_PREVIEW_AUTO)
        return LATHE_OK;
    if (o->track) {
        *kind = LATHE_PREVIEW_TRACK;
        return LATHE_OK;
    }
    lathe_result r = clips ? LATHE_OK : counted(doc, LATHE_ANIMATIONS, &clips, err);
    if (r == LATHE_OK && clips && !o->clip && !o->frames)
        r = counted(doc, LATHE_MESHES, &meshes, err);
    if (clips && !meshes)
        *kind = !o->frames && (o->by_time || o->at != 0) ? LATHE_PREVIEW_POSE : LATHE_PREVIEW_STRIP;
    return r;
}

static lathe_result shoot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                          lathe_error *err)
{
    shot *s = mem_zalloc(&p->mem, sizeof *s);
    if (!s)
        return rec_no_memory(err);
    preview_scene_init(&s->scene, &p->mem);
    s->frame = (preview_frame){.all = box, .cell = p->sheet, .title = title};
    s->view = p->options.view;
    bool lacking = false;
    lathe_result r = shot_gather(p, doc, &s->scene, &s->rig, &lacking, err);
    if (lacking)
        frame_note(&s->frame, PREVIEW_LACKING);
    if (p->options.what == LATHE_PREVIEW_CELL ||
        (p->options.what == LATHE_PREVIEW_AUTO && s->scene.placed))
        s->view = LATHE_PREVIEW_TOP;
    if (r == LATHE_OK)
        r = draw(p, s, err);
    preview_rig_free(&s->rig);
    preview_scene_free(&s->scene);
    mem_free(&p->mem, s, sizeof *s);
    return r;
}

lathe_result preview_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                          lathe_error *err)
{
    const lathe_preview_what asked = p->options.what;
    lathe_preview_what kind;
    lathe_result r = kind_of(p, doc, &kind, err);
    if (r != LATHE_OK)
        return r;
    if (kind == LATHE_PREVIEW_TRACK)
        return preview_track_shot(p, doc, NULL, NULL, box, title, err);
    if (kind == LATHE_PREVIEW_STRIP)
        return preview_strip_shot(p, doc, box, title, err);
    p->options.what = kind;
    r = shoot(p, doc, box, title, err);
    p->options.what = asked;
    return r;
}
