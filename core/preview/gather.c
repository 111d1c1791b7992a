/* Collects the geometry of a document. */
#include "preview/preview.h"

#include "record/record.h"
#include "scene/hooks.h"

#include <string.h>

void preview_scene_init(preview_scene *scene, const mem *m)
{
    *scene = (preview_scene){.mem = m};
}

const float *preview_positions(const preview_part *part)
{
    return part->posed ? part->posed : part->mesh->positions;
}

vec3 preview_vertex(const preview_part *part, size_t vertex)
{
    const float *p = preview_positions(part) + 3 * vertex;
    return mat4_point(&part->place, (vec3){(double)p[0], (double)p[1], (double)p[2]});
}

void preview_part_done(const mem *m, preview_part *part)
{
    size_t n = part->mesh ? part->mesh->vertex_count * sizeof(float) : 0;
    if (!part->posed) { /* else they belong to the pose */
        mem_free(m, part->normals, part->normals ? 3 * n : 0);
        part->normals = NULL;
    }
    mem_free(m, part->uvs, part->uvs ? 2 * n : 0);
    mem_free(m, part->colors, part->colors ? 4 * n : 0);
    part->uvs = part->colors = NULL;
}

static void free_part(const mem *m, preview_part *part)
{
    size_t size = part->mesh ? 3 * part->mesh->vertex_count * sizeof(float) : 0;
    mem_free(m, part->marks, part->marks ? part->mesh->index_count / 3 : 0);
    preview_part_done(m, part);
    mem_free(m, part->posed, part->posed ? size : 0);
    mem_free(m, part->normals, part->normals ? size : 0);
    mem_free(m, part->edges.segments, part->edges.room * 2 * sizeof *part->edges.segments);
    mem_free(m, part->edges.colors, part->edges.color_room * sizeof *part->edges.colors);
    if (part->own) {
        model_mesh_free(part->own);
        mem_free(m, part->own, sizeof *part->own);
    }
}

void preview_scene_free(preview_scene *scene)
{
    while (scene->count)
        free_part(scene->mem, &scene->parts[--scene->count]);
    mem_free(scene->mem, scene->parts, scene->room * sizeof *scene->parts);
    scene->parts = NULL;
    scene->room = 0;
}

/* The geometry of an object that is placed several times. */
typedef struct geometry {
    uint64_t object, triangles;
    const model_mesh *mesh; /* NULL: it was beyond the limit, and so is each later placement */
} geometry;

typedef struct gathering {
    preview *p;
    preview_scene *scene;
    bool collision;
    uint64_t known, over; /* objects that were read; triangles that were too many */
    geometry *list;       /* of these objects, in ascending order */
    size_t count, room;
} gathering;

/* The geometry of an object that came without, since it was read before; NULL: it has none. */
static const geometry *shared(const gathering *g, uint64_t object)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->list[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && g->list[low].object == object ? &g->list[low] : NULL;
}

/* What drawing a mesh costs, in triangles. Collision is drawn with its edges, which take twice as long. */
static uint64_t cost_of(const model_mesh *mesh, bool collision)
{
    enum { WITH_EDGES = 3 };
    uint64_t triangles = mesh->index_count / 3, corners = mesh->vertex_count / 3;
    return (triangles > corners ? triangles : corners) * (collision ? WITH_EDGES : 1);
}

/* Takes over a mesh that was read, or frees it. */
static lathe_result keep(gathering *g, model_mesh *mesh, lathe_error *err)
{
    preview_scene *scene = g->scene;
    preview_part part = {
        .mesh = mesh, .own = mesh, .place = mesh->transform, .collision = g->collision};
    if (mesh->has_node)
        part.place = mesh->node_transform;
    const geometry *same = !mesh->index_count && mesh->object && mesh->object <= g->known
                               ? shared(g, mesh->object)
                               : NULL;
    if (same)
        part.mesh = same->mesh;
    bool first = mesh->object > g->known;
    if (first)
        g->known = mesh->object;
    else if (mesh->object)
        scene->placed = true;
    uint64_t triangles = same ? same->triangles : mesh->index_count / 3;
    uint64_t cost = part.mesh ? cost_of(part.mesh, g->collision) : 0;
    bool fits = part.mesh && cost <= g->p->options.triangles - scene->triangles;
    bool room = mem_reserve(scene->mem, (void **)&scene->parts, &scene->room, scene->count + 1,
                            sizeof part) &&
                mem_reserve(scene->mem, (void **)&g->list, &g->room, g->count + 1, sizeof *g->list);
    if (first && room)
        g->list[g->count++] = (geometry){mesh->object, triangles, fits && triangles ? mesh : NULL};
    if (!fits)
        g->over += triangles;
    if (!triangles || !fits || !room) {
        free_part(scene->mem, &(preview_part){.mesh = mesh, .own = mesh});
        return room ? LATHE_OK : rec_no_memory(err);
    }
    if (!scene->known) {
        scene->known = true;
        scene->z_up = mesh->z_up;
        scene->front = mesh->front;
        scene->metres = mesh->metres;
    }
    scene->triangles += cost;
    scene->parts[scene->count++] = part;
    preview_part *kept = &scene->parts[scene->count - 1];
    return part.mesh->bone_count && !part.collision ? preview_skin_rest(g->p, kept, err) : LATHE_OK;
}

static lathe_result read_one(gathering *g, lathe_doc *doc, uint64_t i, lathe_error *err)
{
    const scene_hooks *hooks = scene_of(doc->containers[0].format);
    lathe_error why;
    model_mesh *mesh = mem_zalloc(g->scene->mem, sizeof *mesh);
    if (!mesh)
        return rec_no_memory(err);
    model_mesh_init(mesh, g->scene->mem);
    mesh->known = g->known;
    lathe_result r = (g->collision ? hooks->collision : hooks->mesh)(doc, i, mesh, &why);
    if (r == LATHE_OK && !mesh->left_out)
        return keep(g, mesh, err);
    if (r == LATHE_OK)
        preview_skip(g->p, mesh->path ? mesh->path : mesh->name, "%s", mesh->left_out);
    else if (r != LATHE_ERR_MEMORY)
        preview_skip(g->p, why.where[0] ? why.where : NULL, "%s %llu: %s",
                     g->collision ? "collision mesh" : "mesh", (unsigned long long)i + 1,
                     why.message);
    free_part(g->scene->mem, &(preview_part){.mesh = mesh, .own = mesh});
    return r == LATHE_ERR_MEMORY ? error_pass(err, &why) : LATHE_OK;
}

lathe_result preview_gather(preview *p, lathe_doc *doc, lathe_list list, preview_scene *scene,
                            lathe_error *err)
{
    uint64_t n = 0;
    lathe_error why;
    gathering g = {.p = p, .scene = scene, .collision = list == LATHE_COLLISION};
    lathe_result r = scene_count(doc, list, &n, &why);
    if (r != LATHE_OK) {
        if (r == LATHE_ERR_MEMORY)
            return error_pass(err, &why);
        preview_skip(p, why.where[0] ? why.where : NULL, "%s", why.message);
        n = 0;
        r = LATHE_OK;
    }
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = read_one(&g, doc, i, err);
    mem_free(scene->mem, g.list, g.room * sizeof *g.list);
    if (g.over)
        preview_skip(p, NULL, "%llu %s beyond the limit of %llu %s not drawn%s",
                     (unsigned long long)g.over, g.over == 1 ? "triangle" : "triangles",
                     (unsigned long long)p->options.triangles, g.over == 1 ? "is" : "are",
                     g.collision ? ": in collision, each counts as three" : "");
    return r;
}
