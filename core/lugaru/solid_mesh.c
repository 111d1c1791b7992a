/* The mesh of a .solid file as the game draws it. */
#include "lugaru/solid.h"

static vec3 vertex(const solid_model *m, int i)
{
    const float *p = m->positions[i];
    return (vec3){p[0], p[1], p[2]};
}

/* Sums the face normals at each vertex, weighted by area and negated, as the game does. For props the game
 * negates them again after loading. NULL: out of memory. */
static vec3 *vertex_normals(lathe_doc *doc, const solid_model *m)
{
    vec3 *sum = mem_zalloc(&doc->mem, m->vertices * sizeof *sum);
    for (size_t t = 0; sum && t < m->triangles; t++) {
        const int16_t *c = m->corners[t];
        vec3 a = vertex(m, c[0]);
        vec3 n = vec3_cross(vec3_sub(vertex(m, c[1]), a), vec3_sub(vertex(m, c[2]), a));
        for (int k = 0; k < 3; k++)
            sum[c[k]] = vec3_add(sum[c[k]], n);
    }
    for (size_t i = 0; sum && i < m->vertices; i++)
        sum[i] = vec3_sub((vec3){0, 0, 0}, vec3_normalize(sum[i])); /* 0 - x: no negative zeros */
    return sum;
}

/* Reads one column of the texture coordinates: `name` is gx or gy. */
static lathe_result fill_uvs(lathe_doc *doc, const char *name, float *uvs, size_t corners,
                             lathe_error *err)
{
    lathe_view triangles;
    lathe_result r = solid_array(doc, "triangles", &triangles, err);
    float *column = r == LATHE_OK ? mem_alloc(&doc->mem, corners * sizeof *column) : NULL;
    if (r == LATHE_OK && !column)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = lathe_view_read(triangles, name, 0, corners / 3, LATHE_ELEM_F32, column, 0, err);
    for (size_t i = 0; r == LATHE_OK && i < corners; i++)
        uvs[2 * i] = column[i];
    mem_free(&doc->mem, column, corners * sizeof *column);
    return r;
}

/* Each corner has its own texture coordinate, so each corner becomes a vertex. */
static lathe_result fill_mesh(lathe_doc *doc, const solid_model *m, const vec3 *normals,
                              model_mesh *mesh, lathe_error *err)
{
    size_t corners = 3 * m->triangles;
    lathe_result r =
        model_mesh_alloc(mesh, corners, corners, MODEL_MESH_NORMALS | MODEL_MESH_UVS, err);
    if (r != LATHE_OK || !corners)
        return r;
    for (size_t i = 0; i < corners; i++) {
        int v = m->corners[i / 3][i % 3];
        const float n[3] = {(float)normals[v].x, (float)normals[v].y, (float)normals[v].z};
        memcpy(mesh->positions + 3 * i, m->positions[v], sizeof m->positions[v]);
        memcpy(mesh->normals + 3 * i, n, sizeof n);
        mesh->indices[i] = (uint32_t)i;
    }
    r = fill_uvs(doc, "gx", mesh->uvs, corners, err);
    return r == LATHE_OK ? fill_uvs(doc, "gy", mesh->uvs + 1, corners, err) : r;
}

/* Whether a file has the name of a character's model or of what one wears. The game turns these about x when it loads
 * them, and negates their v; nothing in a file says so. It finds "Body.solid" as "body.solid", too. No code of the game
 * loads Rabbit.solid, an older figure that is stored like the others. */
static bool is_worn_or_character(const char *path)
{
    static const char *const names[] = {"body",  "body2", "body3", "body4",  "body5",   "body6",
                                        "body7", "wolf",  "wolf2", "wolf3",  "wolf4",   "wolf5",
                                        "wolf6", "wolf7", "belt",  "rabbit", "bodylow", "wolflow"};
    const char *name = path ? path : "";
    for (const char *p = name; *p; p++)
        name = *p == '/' || *p == '\\' ? p + 1 : name;
    size_t n = strcspn(name, ".");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = 0;
        while (k < n && names[i][k] == (name[k] >= 'A' && name[k] <= 'Z' ? name[k] + 32 : name[k]))
            k++;
        if (k == n && !names[i][k])
            return true;
    }
    return false;
}

/* The vertices stay as the file has them: the transform turns them. */
static void place(const lathe_doc *doc, model_mesh *mesh)
{
    bool turned = is_worn_or_character(doc->path);
    if (turned)
        mesh->transform.m[1][1] = mesh->transform.m[2][2] = -1; /* by 180 degrees about x */
    mesh->v_up = !turned;
    mesh->front = (vec3){0, 0, 1};
}

lathe_result solid_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    solid_model m;
    if (i > 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "one mesh is all there is");
    lathe_result r = solid_read(doc, &m, err);
    if (r != LATHE_OK)
        return r;
    vec3 *normals = vertex_normals(doc, &m);
    r = normals ? fill_mesh(doc, &m, normals, mesh, err) : rec_no_memory(err);
    mem_free(&doc->mem, normals, m.vertices * sizeof *normals);
    solid_free(doc, &m);
    mesh->name = "solid";
    place(doc, mesh);
    return r;
}
