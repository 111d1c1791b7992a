/* Draws meshes and collision shapes. */
#include "preview/preview.h"

#include <string.h>

static uint32_t channel(float f)
{
    return f >= 1 ? 255 : f > 0 ? (uint32_t)(f * 255 + 0.5F) : 0;
}

static picture_color surface_color(const model_surface *s)
{
    return channel(s->base_color[0]) << 24 | channel(s->base_color[1]) << 16 |
           channel(s->base_color[2]) << 8 | channel(s->base_color[3]);
}

/* ---- meshes -------------------------------------------------------------------------------------- */

/* Texture coordinates from the top; NULL if they are, or there are none. */
static float *turned_uvs(const preview *p, const model_mesh *mesh, bool *failed)
{
    if (!mesh->v_up || !mesh->uvs)
        return NULL;
    float *out = mem_alloc(&p->mem, 2 * mesh->vertex_count * sizeof *out);
    *failed = !out;
    for (size_t i = 0; out && i < mesh->vertex_count; i++) {
        out[2 * i] = mesh->uvs[2 * i];
        out[2 * i + 1] = 1 - mesh->uvs[2 * i + 1];
    }
    return out;
}

enum { FAINTEST = 80 }; /* the least opacity of 255: a picture shows what the game does not */

/* The opacity of the vertices that have most of it, of 255. */
static uint32_t vertex_alpha(const model_mesh *mesh)
{
    uint32_t most = mesh->colors ? 0 : 255;
    for (size_t i = 0; mesh->colors && i < mesh->vertex_count; i++) {
        uint32_t alpha = channel(mesh->colors[4 * i + 3]);
        most = alpha > most ? alpha : most;
    }
    return most;
}

/* Lets a mesh be seen that its opacity hides: some games keep other things in the alpha of vertices, such as how far the wind
 * moves grass, and effects are transparent until they are played. */
static lathe_result uncover(preview *p, preview_part *part, picture_mesh *to, lathe_error *err)
{
    const model_mesh *mesh = part->mesh;
    uint32_t least = to->alpha == PICTURE_MASK ? to->cutoff : FAINTEST, alpha = to->color & 0xff;
    if (to->alpha == PICTURE_OPAQUE || alpha * vertex_alpha(mesh) / 255 >= least)
        return LATHE_OK;
    if (!p->faint++)
        p->faint_name = mesh->name;
    if (to->alpha == PICTURE_MASK)
        to->color |= 0xff;
    else if (alpha < least)
        to->color = (to->color & 0xffffff00) | least;
    if (!mesh->colors)
        return LATHE_OK;
    part->colors = mem_alloc(&p->mem, 4 * mesh->vertex_count * sizeof(float));
    if (!part->colors)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < 4 * mesh->vertex_count; i++)
        part->colors[i] = i % 4 == 3 ? 1 : mesh->colors[i];
    to->colors = part->colors;
    return LATHE_OK;
}

static void tell_faint(preview *p)
{
    if (p->faint == 1)
        preview_note(p, "%s is transparent: it is drawn so that it is seen",
                     p->faint_name ? p->faint_name : "a mesh");
    else if (p->faint)
        preview_note(p, "%zu meshes are transparent: they are drawn so that they are seen",
                     p->faint);
    p->faint = 0;
}

/* How a mesh looks that no texture covers: in a colour of its material's name, less with its own colours. */
static lathe_result paint(preview *p, const preview_part *part, picture_mesh *to, lathe_error *err)
{
    static const picture_alpha alphas[MODEL_ALPHA_COUNT] = {[MODEL_ALPHA_OPAQUE] = PICTURE_OPAQUE,
                                                            [MODEL_ALPHA_MASK] = PICTURE_MASK,
                                                            [MODEL_ALPHA_BLEND] = PICTURE_BLEND};
    const model_mesh *mesh = part->mesh;
    const model_surface *s = &mesh->surface;
    const char *path = preview_texture_path(s);
    lathe_result r = LATHE_OK;
    to->color = s->known ? surface_color(s) : 0xffffffff;
    if (path && mesh->uvs && p->options.texture)
        r = preview_texture_of(p, path, &to->texture, err);
    bool plain = !to->texture && (to->color >> 8) == 0xffffff;
    if (plain)
        to->color = (preview_part_color(part) & 0xffffff00) | (to->color & 0xff);
    to->double_sided = true; /* unless the surface says otherwise */
    if (s->known) {
        to->alpha = alphas[s->alpha];
        to->cutoff = channel(s->cutoff);
        to->double_sided = s->double_sided;
    }
    return r;
}

static vec3 row_at(const float *rows, uint32_t i)
{
    const float *p = rows + 3 * (size_t)i;
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* Whether the normals of most triangles point to where the corners go around clockwise: so some games store them. */
static bool is_opposed(const model_mesh *mesh)
{
    size_t against = 0, along = 0;
    for (size_t t = 0; t < mesh->index_count / 3; t++) {
        const uint32_t *v = mesh->indices + 3 * t;
        if (v[0] >= mesh->vertex_count || v[1] >= mesh->vertex_count || v[2] >= mesh->vertex_count)
            continue;
        vec3 a = row_at(mesh->positions, v[0]), sum = row_at(mesh->normals, v[0]);
        vec3 face = vec3_cross(vec3_sub(row_at(mesh->positions, v[1]), a),
                               vec3_sub(row_at(mesh->positions, v[2]), a));
        sum = vec3_add(sum, vec3_add(row_at(mesh->normals, v[1]), row_at(mesh->normals, v[2])));
        double dot = vec3_dot(face, sum);
        against += dot < 0;
        along += dot > 0;
    }
    return against > along;
}

/* Turns the normals of such a mesh, so that the light falls on its outside. */
static lathe_result turn_normals(const preview *p, preview_part *part, lathe_error *err)
{
    const model_mesh *mesh = part->mesh;
    if (!mesh->normals || part->normals || !is_opposed(mesh))
        return LATHE_OK;
    part->normals = mem_alloc(&p->mem, 3 * mesh->vertex_count * sizeof(float));
    if (!part->normals)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++)
        part->normals[i] = -mesh->normals[i];
    return LATHE_OK;
}

static void place(const preview_part *part, picture_mesh *to)
{
    const model_mesh *mesh = part->mesh;
    *to = (picture_mesh){.positions = preview_positions(part),
                         .normals = part->posed || part->normals ? part->normals : mesh->normals,
                         .indices = mesh->indices,
                         .vertex_count = mesh->vertex_count,
                         .triangle_count = mesh->index_count / 3,
                         .transform = part->place,
                         .color = 0xffffffff};
}

/* Adds a mesh, with the marked triangles of its part in the colour of marks. */
static lathe_result add_mesh(const preview *p, picture_raster *raster, const preview_part *part,
                             const picture_mesh *mesh, picture_left_out *left, lathe_error *err)
{
    size_t n = mesh->triangle_count, at[2] = {0, n}, size = 3 * n * sizeof(uint32_t);
    if (!part->marks)
        return picture_raster_mesh(raster, mesh, left, err);
    uint32_t *sorted = mem_alloc(&p->mem, size);
    if (!sorted)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t t = 0; t < n; t++) {
        size_t to = part->marks[t] ? --at[1] : at[0]++;
        memcpy(sorted + 3 * to, mesh->indices + 3 * t, 3 * sizeof *sorted);
    }
    picture_mesh same = *mesh, marked = *mesh;
    same.indices = sorted;
    same.triangle_count = at[0];
    marked.indices = sorted + 3 * at[0];
    marked.triangle_count = n - at[0];
    marked.color = PREVIEW_MARK;
    marked.colors = NULL;
    marked.texture = NULL;
    marked.alpha = PICTURE_OPAQUE;
    lathe_result r = picture_raster_mesh(raster, &same, left, err);
    if (r == LATHE_OK)
        r = picture_raster_mesh(raster, &marked, left, err);
    mem_free(&p->mem, sorted, size);
    return r;
}

static lathe_result draw_mesh(preview *p, picture_raster *raster, preview_part *part,
                              picture_left_out *left, lathe_error *err)
{
    picture_mesh m;
    bool failed = false;
    lathe_result r = turn_normals(p, part, err);
    if (r != LATHE_OK)
        return r;
    place(part, &m);
    part->uvs = turned_uvs(p, part->mesh, &failed);
    if (failed)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    m.uvs = part->uvs ? part->uvs : part->mesh->uvs;
    m.colors = part->mesh->colors;
    r = paint(p, part, &m, err);
    if (r == LATHE_OK)
        r = uncover(p, part, &m, err);
    if (r == LATHE_OK)
        r = add_mesh(p, raster, part, &m, left, err);
    preview_part_done(&p->mem, part);
    return r;
}

/* ---- collision ----------------------------------------------------------------------------------- */

/* What became of the triangles and edges of a scene. */
typedef struct left_out {
    picture_left_out triangles, edges;
} left_out;

/* Draws the edges once more, faintly and in front of everything: a shape is often inside of the mesh. */
static lathe_result draw_hidden(const preview *p, picture_raster *raster,
                                const picture_lines *edges, uint32_t opacity,
                                picture_left_out *left, lathe_error *err)
{
    enum { ALPHA = 90 }; /* opacity of edges behind a mesh, of 255 */
    picture_lines lines = *edges;
    uint32_t *colors = mem_alloc(&p->mem, edges->segment_count * sizeof *colors + 1);
    if (!colors)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < edges->segment_count; i++)
        colors[i] = (edges->colors[i] & 0xffffff00) | ALPHA * opacity / 255;
    lines.colors = colors;
    lines.width = 1;
    lines.bias = 0.9;
    lathe_result r = picture_raster_lines(raster, &lines, left, err);
    mem_free(&p->mem, colors, edges->segment_count * sizeof *colors + 1);
    return r;
}

static lathe_result draw_collision(preview *p, picture_raster *raster, preview_part *part,
                                   const picture_camera *camera, bool shaded, left_out *left,
                                   lathe_error *err)
{
    picture_mesh m;
    lathe_result r = preview_edges_of(p, part, &part->edges, err);
    place(part, &m);
    if (r == LATHE_OK && shaded) {
        m.color = 0xd8d8d4ff;
        m.double_sided = true;
        r = add_mesh(p, raster, part, &m, &left->triangles, err);
    }
    if (r != LATHE_OK)
        return r;
    const uint32_t opacity = preview_edges_opacity(part, &part->edges, camera);
    for (size_t i = 0; opacity < 255 && i < part->edges.count; i++)
        if (part->edges.colors[i] != PREVIEW_MARK)
            part->edges.colors[i] = (part->edges.colors[i] & 0xffffff00) | opacity;
    const picture_lines lines = {.points = m.positions,
                                 .segments = part->edges.segments,
                                 .colors = part->edges.colors,
                                 .point_count = m.vertex_count,
                                 .segment_count = part->edges.count,
                                 .transform = part->place,
                                 .color = 0xffffffff,
                                 .width = 1.5,
                                 .bias = 0.002};
    r = picture_raster_lines(raster, &lines, &left->edges, err);
    return r == LATHE_OK && !shaded ? draw_hidden(p, raster, &lines, opacity, &left->edges, err)
                                    : r;
}

static void tell_left_out(preview *p, const left_out *left)
{
    const picture_left_out *t = &left->triangles;
    preview_skip_count(p, t->not_finite,
                       " triangle with a position that is no number, or too large",
                       " triangles with a position that is no number, or too large");
    preview_skip_count(p, t->no_vertex, " triangle of vertices that do not exist",
                       " triangles of vertices that do not exist");
    preview_skip_count(p, t->too_much,
                       " triangle is not drawn: those before it cover too many pixels",
                       " triangles are not drawn: those before them cover too many pixels");
    preview_skip_count(p, left->edges.too_much,
                       " edge of collision is not drawn: what is before it covers too many pixels",
                       " edges of collision are not drawn: what is before them covers too many "
                       "pixels");
}

lathe_result preview_draw(preview *p, preview_scene *scene, const picture_camera *camera,
                          picture_pixels *pixels, lathe_error *err)
{
    picture_raster *raster = NULL;
    left_out left = {.triangles = {.drawn = 0}};
    bool meshes = false;
    lathe_result r = picture_raster_new(&p->mem, pixels, camera, &raster, err);
    for (size_t i = 0; i < scene->count; i++)
        meshes = meshes || !scene->parts[i].collision;
    for (size_t i = 0; r == LATHE_OK && i < scene->count; i++)
        r = scene->parts[i].collision
                ? draw_collision(p, raster, &scene->parts[i], camera, !meshes, &left, err)
                : draw_mesh(p, raster, &scene->parts[i], &left.triangles, err);
    if (r == LATHE_OK)
        r = picture_raster_draw(raster, err);
    picture_raster_free(raster);
    tell_faint(p);
    p->triangles += left.triangles.drawn;
    tell_left_out(p, &left);
    return r;
}
