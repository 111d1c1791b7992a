/***
doc:meshes(): triangles of any format as tables of buffers.
@module lathe.core.mesh
*/
#include "model/mesh.h"
#include "bindings.h"

#include <string.h>

static const char mesh_key; /* in the registry: metatable that frees a mesh */

/* Owned by a userdata, so that an error on the way to Lua's tables frees it. The names are copies:
 * the document may be closed by a finalizer before they are pushed. */
typedef struct owned_mesh {
    model_mesh mesh;
    mem mem;
    char *name, *material;
    size_t name_size, material_size;
} owned_mesh;

static int l_mesh_gc(lua_State *L)
{
    owned_mesh *m = lua_touserdata(L, 1);
    model_mesh_free(&m->mesh);
    mem_free(&m->mem, m->name, m->name_size);
    mem_free(&m->mem, m->material, m->material_size);
    m->name = m->material = NULL;
    return 0;
}

static owned_mesh *push_mesh(lua_State *L)
{
    owned_mesh *m = lua_newuserdatauv(L, sizeof *m, 0);
    memset(m, 0, sizeof *m);
    m->mem = mem_default();
    model_mesh_init(&m->mesh, &m->mem);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &mesh_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, l_mesh_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &mesh_key);
    }
    lua_setmetatable(L, -2);
    return m;
}

static bool keep(owned_mesh *m, const char *text, char **to, size_t *size)
{
    if (!text)
        return true;
    *size = strlen(text) + 1;
    *to = mem_alloc(&m->mem, *size);
    if (!*to)
        return false;
    memcpy(*to, text, *size);
    return true;
}

static void set_buffer(lua_State *L, const char *name, lathe_elem elem, const void *data,
                       size_t rows, size_t columns)
{
    if (!data && rows)
        return;
    l_buffer *b = l_push_buffer(L, elem, rows, columns);
    if (rows)
        memcpy(b->data, data, rows * columns * l_elem_size(elem));
    lua_setfield(L, -2, name);
}

static void set_attribute(lua_State *L, const char *name, const float *data, size_t rows,
                          size_t columns)
{
    if (data)
        set_buffer(L, name, LATHE_ELEM_F32, data, rows, columns);
}

static void push_mesh_table(lua_State *L, const owned_mesh *m)
{
    size_t n = m->mesh.vertex_count;
    lua_createtable(L, 0, 8);
    lua_pushstring(L, m->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, m->material);
    lua_setfield(L, -2, "material");
    set_buffer(L, "positions", LATHE_ELEM_F32, m->mesh.positions, n, 3);
    set_buffer(L, "indices", LATHE_ELEM_U32, m->mesh.indices, m->mesh.index_count / 3, 3);
    set_attribute(L, "normals", m->mesh.normals, n, 3);
    set_attribute(L, "uvs", m->mesh.uvs, n, 2);
    set_attribute(L, "colors", m->mesh.colors, n, 4);
    lua_createtable(L, 16, 0);
    for (int i = 0; i < 16; i++) {
        lua_pushnumber(L, m->mesh.transform.m[i / 4][i % 4]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "transform");
}

/* Upvalues: the document, the number of the next mesh. */
static int l_next_mesh(lua_State *L)
{
    l_doc *d = l_check_document(L, lua_upvalueindex(1));
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
    lathe_error err;
    owned_mesh *m = push_mesh(L);
    lathe_doc *doc = l_doc_check_open(L, d);
    lathe_result r = d->format->mesh(doc, (uint64_t)i, &m->mesh, &err);
    if (r == LATHE_ERR_NAME) { /* past the last one */
        lua_pushnil(L);
        return 1;
    }
    if (r == LATHE_OK && (!keep(m, m->mesh.name, &m->name, &m->name_size) ||
                          !keep(m, m->mesh.material, &m->material, &m->material_size)))
        r = rec_no_memory(&err);
    if (r != LATHE_OK)
        return l_raise(L, &err);
    lua_pushinteger(L, i + 1);
    lua_replace(L, lua_upvalueindex(2));
    push_mesh_table(L, m);
    return 1;
}

/***
The geometry, mesh by mesh.
@function Document:meshes
@treturn function an iterator of tables: `name`, `material`, `positions` (rows of x, y, z),
  `indices` (rows of three, from 0), where there are any `normals`, `uvs`, `colors`, and
  `transform` (16 numbers, column after column)
@usage for mesh in doc:meshes() do print(mesh.name, mesh.positions.rows) end
*/
int l_document_meshes(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    if (!d->format->mesh)
        return luaL_error(L, "%s has no meshes", d->format->name);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, l_next_mesh, 2);
    return 1;
}
