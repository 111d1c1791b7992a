/* Skinned meshes in a pose: where each of their bones is. */
#include "preview/names.h"
#include "preview/pose.h"

#include "scene/hooks.h"
#include "scene/rigs.h"

#include <stdlib.h>
#include <string.h>

/* Nodes of a scene at rest, which carry bones that a skeleton lacks. */
typedef struct source {
    preview_rig nodes;
    preview_names names;
    int32_t *above; /* of each node the nearest one above it that the skeleton has; -1: none */
    uint32_t *bone; /* … and that one's bone */
} source;

enum { SOURCES = 2 };
typedef struct posing {
    const preview *p;
    const preview_rig *rig;
    preview_names bones;
    source sources[SOURCES];
    size_t count;
    const char **lacking; /* names of bones that are nowhere, each as often as it was looked for */
    size_t lacking_count, lacking_room;
} posing;

/* ---- nodes ---------------------------------------------------------------------------------------- */

static void free_source(const preview *p, source *s)
{
    size_t n = s->nodes.count;
    mem_free(&p->mem, s->above, s->above ? n * sizeof *s->above : 0);
    mem_free(&p->mem, s->bone, s->bone ? n * sizeof *s->bone : 0);
    preview_names_free(&s->names);
    if (s->nodes.mem)
        preview_rig_free(&s->nodes);
}

/* Finds above and bone of each node. roots: roots of the scene count, too. */
static lathe_result find_above(const posing *g, source *s, bool roots, lathe_error *err)
{
    const mem *m = &g->p->mem;
    const preview_rig *nodes = &s->nodes;
    size_t n = nodes->count;
    uint32_t *order = mem_alloc(m, n * sizeof *order);
    int32_t *parents = mem_alloc(m, n * sizeof *parents);
    s->above = mem_alloc(m, n * sizeof *s->above);
    s->bone = mem_zalloc(m, n * sizeof *s->bone);
    bool ok =
        order && parents && s->above && s->bone && preview_names_of(m, nodes->skeleton, &s->names);
    if (ok)
        preview_order_bones(nodes->skeleton, parents, order);
    for (size_t k = 0; ok && k < n; k++) {
        size_t i = order[k], bone;
        int32_t up = parents[i];
        s->above[i] = -1;
        if (up < 0)
            continue;
        const char *name = nodes->skeleton->bones[up].name;
        s->above[i] = s->above[up];
        s->bone[i] = s->bone[up];
        if ((roots || parents[up] >= 0) && name && preview_names_find(&g->bones, name, &bone)) {
            s->above[i] = up;
            s->bone[i] = (uint32_t)bone;
        }
    }
    mem_free(m, order, n * sizeof *order);
    mem_free(m, parents, n * sizeof *parents);
    return ok ? LATHE_OK : rec_no_memory(err);
}

/* Adds the nodes of a document, if it has any. The root of a mesh's own file carries all of it, and is no bone, whatever its
 * name is. */
static lathe_result add_source(posing *g, lathe_doc *doc, bool own, lathe_error *err)
{
    lathe_error why;
    source *s = &g->sources[g->count];
    if (!scene_of(doc->containers[0].format)->nodes)
        return own ? LATHE_OK
                   : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                               "the second skeleton has no nodes: a model is expected");
    lathe_result r = preview_rig_of(g->p, doc, LATHE_NODES, NULL, &s->nodes, &why);
    if (r != LATHE_OK || !s->nodes.count)
        return r == LATHE_ERR_MEMORY ? error_pass(err, &why) : LATHE_OK;
    g->count++;
    return find_above(g, s, !own, err);
}

/* Where a node of a source is while the skeleton is in its pose. */
static bool carried(const posing *g, const source *s, const char *name, mat4 *out)
{
    size_t i;
    mat4 back;
    if (!preview_names_find(&s->names, name, &i) || s->above[i] < 0 ||
        !mat4_invert(&s->nodes.worlds[s->above[i]], &back))
        return false;
    const mat4 local = mat4_mul(&back, &s->nodes.worlds[i]);
    *out = mat4_mul(&g->rig->worlds[s->bone[i]], &local);
    return true;
}

/* ---- meshes --------------------------------------------------------------------------------------- */

static lathe_result add_lacking(posing *g, const char *name, lathe_error *err)
{
    if (!mem_reserve(&g->p->mem, (void **)&g->lacking, &g->lacking_room, g->lacking_count + 1,
                     sizeof *g->lacking))
        return rec_no_memory(err);
    g->lacking[g->lacking_count++] = name ? name : "";
    return LATHE_OK;
}

static lathe_result place_bone(posing *g, const model_mesh_bone *bone, mat4 *out, lathe_error *err)
{
    size_t i;
    if (bone->name && preview_names_find(&g->bones, bone->name, &i)) {
        *out = g->rig->worlds[i];
        return LATHE_OK;
    }
    for (size_t k = 0; bone->name && k < g->count; k++)
        if (carried(g, &g->sources[k], bone->name, out))
            return LATHE_OK;
    *out = bone->world;
    return add_lacking(g, bone->name, err);
}

static lathe_result pose_part(posing *g, preview_part *part, lathe_error *err)
{
    const preview *p = g->p;
    size_t n = part->mesh->bone_count;
    mat4 *worlds = mem_alloc(&p->mem, n * sizeof *worlds);
    lathe_result r = worlds ? LATHE_OK : rec_no_memory(err);
    for (size_t i = 0; r == LATHE_OK && i < n; i++)
        r = place_bone(g, &part->mesh->bones[i], &worlds[i], err);
    if (r == LATHE_OK)
        r = preview_skin(p, part, worlds, err);
    mem_free(&p->mem, worlds, n * sizeof *worlds);
    return r;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Tells each bone once, however many parts of the mesh it moves. */
static void tell_lacking(const posing *g)
{
    if (g->lacking_count)
        qsort(g->lacking, g->lacking_count, sizeof *g->lacking, by_text);
    for (size_t i = 0; i < g->lacking_count; i++)
        if (!i || strcmp(g->lacking[i], g->lacking[i - 1]) != 0)
            preview_skip(g->p, *g->lacking[i] ? g->lacking[i] : NULL,
                         "the skeleton has no such bone: it stays at rest");
}

lathe_result preview_pose_parts(const preview *p, const preview_rig *rig, lathe_doc *model,
                                preview_scene *scene, bool *lacking, lathe_error *err)
{
    posing g = {.p = p, .rig = rig};
    lathe_result r = LATHE_OK;
    bool skinned = false;
    *lacking = false;
    for (size_t i = 0; i < scene->count; i++)
        skinned = skinned || scene->parts[i].posed;
    if (!skinned)
        return LATHE_OK;
    if (rig->count && !preview_names_of(&p->mem, rig->skeleton, &g.bones))
        r = rec_no_memory(err);
    if (r == LATHE_OK && p->options.nodes)
        r = add_source(&g, p->options.nodes, false, err);
    if (r == LATHE_OK)
        r = add_source(&g, model, true, err);
    for (size_t i = 0; r == LATHE_OK && i < scene->count; i++)
        if (scene->parts[i].posed)
            r = pose_part(&g, &scene->parts[i], err);
    if (r == LATHE_OK)
        tell_lacking(&g);
    *lacking = g.lacking_count > 0;
    mem_free(&p->mem, g.lacking, g.lacking_room * sizeof *g.lacking);
    for (size_t k = 0; k < SOURCES; k++)
        free_source(p, &g.sources[k]);
    preview_names_free(&g.bones);
    return r;
}
