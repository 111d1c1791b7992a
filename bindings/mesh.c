/* doc:meshes(): triangles of any format as tables of buffers. */
#include "model/mesh.h"
#include "bindings.h"
#include "scene/hooks.h"

#include <string.h>

static const char mesh_key; /* in the registry: metatable that frees a mesh */

/* A userdata owns the mesh, so that an error on the way to Lua's tables frees it. */
static int l_mesh_gc(lua_State *L)
{
    model_mesh_free(lua_touserdata(L, 1));
    return 0;
}

static model_mesh *push_mesh(lua_State *L)
{
    mem memory = l_memory(L);
    model_mesh *m = lua_newuserdatauv(L, sizeof *m, 0);
    model_mesh_init(m, &memory);
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

/* ---- fields ---------------------------------------------------------------------------------- */

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

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* NULL: nil */
    lua_setfield(L, -2, name);
}

static void set_matrix(lua_State *L, const char *name, const mat4 *matrix)
{
    lua_createtable(L, 16, 0);
    for (int i = 0; i < 16; i++) {
        lua_pushnumber(L, matrix->m[i / 4][i % 4]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_color(lua_State *L, const char *name, const float *color, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, color[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void set_skin(lua_State *L, const model_mesh *m)
{
    size_t n = m->bone_count;
    if (!n)
        return;
    lua_createtable(L, 0, 1);
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (size_t i = 0; i < n; i++) {
        const model_mesh_bone *bone = &m->bones[i];
        lua_createtable(L, 0, 4);
        set_text(L, "name", bone->name);
        lua_pushinteger(L, bone->parent);
        lua_setfield(L, -2, "parent");
        set_matrix(L, "bind", &bone->bind);
        set_matrix(L, "world", &bone->world);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "bones");
    lua_setfield(L, -2, "skin");
}

static void set_surface(lua_State *L, const model_surface *s)
{
    static const char *const alpha[MODEL_ALPHA_COUNT] = {[MODEL_ALPHA_OPAQUE] = "opaque",
                                                         [MODEL_ALPHA_MASK] = "mask",
                                                         [MODEL_ALPHA_BLEND] = "blend"};
    if (!s->known)
        return;
    lua_createtable(L, 0, 6);
    set_color(L, "base_color", s->base_color, 4);
    set_color(L, "emissive", s->emissive, 3);
    set_text(L, "alpha", alpha[s->alpha]);
    if (s->alpha == MODEL_ALPHA_MASK) {
        lua_pushnumber(L, s->cutoff);
        lua_setfield(L, -2, "cutoff");
    }
    lua_pushboolean(L, s->double_sided);
    lua_setfield(L, -2, "double_sided");
    lua_createtable(L, 0, (int)s->texture_count);
    for (size_t i = 0; i < s->texture_count; i++)
        set_text(L, s->textures[i].role, s->textures[i].path);
    lua_setfield(L, -2, "textures");
    lua_setfield(L, -2, "surface");
}

/* What triangles are made of. */
static void set_materials(lua_State *L, const model_mesh *m)
{
    size_t n = m->material_count;
    if (!n)
        return;
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushstring(L, m->materials[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "materials");
    set_buffer(L, "triangle_materials", LATHE_ELEM_U32, m->material_of, m->index_count / 3, 1);
}

/* Of what collides. */
static void set_body(lua_State *L, const model_mesh *m)
{
    set_text(L, "shape", m->shape);
    if (m->body) {
        lua_pushinteger(L, (lua_Integer)m->body);
        lua_setfield(L, -2, "body");
    }
    if (m->has_node)
        set_matrix(L, "node_transform", &m->node_transform);
}

/* Of what the file has once and draws in several places. */
static void set_object(lua_State *L, const model_mesh *m)
{
    if (m->object) {
        lua_pushinteger(L, (lua_Integer)m->object);
        lua_setfield(L, -2, "object");
    }
    set_text(L, "path", m->path);
    if (!m->has_source)
        return;
    lua_createtable(L, 0, 2);
    lua_pushinteger(L, m->source_hash);
    lua_setfield(L, -2, "geometry_file_hash");
    lua_pushinteger(L, m->source_offset);
    lua_setfield(L, -2, "data_offset");
    lua_setfield(L, -2, "source");
}

static void push_mesh_table(lua_State *L, const model_mesh *m)
{
    size_t n = m->vertex_count;
    bool known = m->object && m->object <= m->known;
    lua_createtable(L, 0, 16);
    set_text(L, "name", m->name);
    set_text(L, "material", m->material);
    set_text(L, "up", m->z_up ? "z" : "y");
    set_text(L, "uv_origin", m->v_up ? "bottom" : "top");
    if (m->metres > 0) {
        lua_pushnumber(L, m->metres);
        lua_setfield(L, -2, "metres");
    }
    if (!known) {
        set_buffer(L, "positions", LATHE_ELEM_F32, m->positions, n, 3);
        set_buffer(L, "indices", LATHE_ELEM_U32, m->indices, m->index_count / 3, 3);
    }
    set_attribute(L, "normals", m->normals, n, 3);
    set_attribute(L, "tangents", m->tangents, n, 4);
    set_attribute(L, "uvs", m->uvs, n, 2);
    set_attribute(L, "colors", m->colors, n, 4);
    set_attribute(L, "weights", m->weights, n, 4);
    if (m->joints)
        set_buffer(L, "joints", LATHE_ELEM_U16, m->joints, n, 4);
    set_matrix(L, "transform", &m->transform);
    set_skin(L, m);
    set_surface(L, &m->surface);
    set_materials(L, m);
    set_body(L, m);
    set_object(L, m);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Upvalues of the iterator. */
enum {
    UP_DOC = 1,
    UP_NEXT,     /* the number of the next mesh, from 0 */
    UP_COLLIDES, /* whether what collides is asked for */
    UP_LOD,
    UP_ONCE,     /* whether an object's vertices come with its first mesh only */
    UP_LEFT_OUT, /* the list of what is left out, or nil: then what cannot be read is raised */
    UP_KNOWN,    /* the last object that was given, or could not be read */
    UP_ENTRY,    /* if that could not be read, what the list says of it, else nil */
    UP_SEEN,     /* entries of the list by their reasons */
    UP_COUNT = UP_SEEN
};

static void set_upvalue(lua_State *L, int n, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_replace(L, lua_upvalueindex(n));
}

/* One more instance for an entry of the list, which is on top and goes. */
static void count_left_out(lua_State *L)
{
    lua_getfield(L, -1, "instances");
    lua_pushinteger(L, lua_tointeger(L, -1) + 1);
    lua_setfield(L, -3, "instances");
    lua_pop(L, 2);
}

/* Pushes a new entry of the list. */
static void push_left_out(lua_State *L, const char *path, const char *reason)
{
    lua_createtable(L, 0, 3);
    set_text(L, "path", path);
    set_text(L, "reason", reason);
    lua_pushinteger(L, 0);
    lua_setfield(L, -2, "instances");
    lua_pushvalue(L, -1);
    lua_rawseti(L, lua_upvalueindex(UP_LEFT_OUT),
                (lua_Integer)lua_rawlen(L, lua_upvalueindex(UP_LEFT_OUT)) + 1);
}

/* An object that cannot be read is told; what keeps several from being read, such as a file that is not
 * there, once. */
static void leave_out_object(lua_State *L, const model_mesh *m, const lathe_error *err)
{
    lua_pushstring(L, err->message);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(UP_SEEN)) == LUA_TNIL) {
        lua_pop(L, 1);
        push_left_out(L, err->where, err->message);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, lua_upvalueindex(UP_SEEN));
    }
    lua_copy(L, -1, lua_upvalueindex(UP_ENTRY));
    set_upvalue(L, UP_KNOWN, (lua_Integer)m->object);
    count_left_out(L);
    lua_pop(L, 1);
}

/* Whether the mesh is not given, which the list is told. */
static bool leave_out(lua_State *L, const model_mesh *m)
{
    bool failed = m->object && m->object == m->known && !lua_isnil(L, lua_upvalueindex(UP_ENTRY));
    if (failed)
        lua_pushvalue(L, lua_upvalueindex(UP_ENTRY));
    else if (m->left_out && lua_istable(L, lua_upvalueindex(UP_LEFT_OUT)))
        push_left_out(L, m->path ? m->path : "", m->left_out);
    else
        return m->left_out != NULL;
    count_left_out(L);
    return true;
}

typedef enum outcome { MESH, NO_MORE, UNREADABLE } outcome;

/* Fills in mesh number i. What cannot be read is raised, if no list wants to know of it. */
static outcome read_mesh(lua_State *L, lua_Integer i, model_mesh *m, lathe_error *err)
{
    l_doc *d = l_check_document(L, lua_upvalueindex(UP_DOC));
    lathe_doc *doc = l_doc_check_open(L, d);
    bool collides = lua_toboolean(L, lua_upvalueindex(UP_COLLIDES));
    model_mesh_free(m); /* that of the last call */
    m->lod = (int)lua_tointeger(L, lua_upvalueindex(UP_LOD));
    if (lua_toboolean(L, lua_upvalueindex(UP_ONCE)) || !lua_isnil(L, lua_upvalueindex(UP_ENTRY)))
        m->known = (uint64_t)lua_tointeger(L, lua_upvalueindex(UP_KNOWN));
    lathe_result r = (collides ? scene_of(d->format)->collision
                               : scene_of(d->format)->mesh)(doc, (uint64_t)i, m, err);
    if (r == LATHE_OK)
        return MESH;
    if (r == LATHE_ERR_NAME && !m->object)
        return NO_MORE;
    if (!m->object || r == LATHE_ERR_MEMORY || !lua_istable(L, lua_upvalueindex(UP_LEFT_OUT)))
        l_raise(L, err);
    return UNREADABLE;
}

static int l_next_mesh(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(UP_NEXT));
    lathe_error err;
    model_mesh *m = push_mesh(L);
    for (;;) {
        outcome found = read_mesh(L, i, m, &err);
        if (found == NO_MORE) {
            lua_pushnil(L);
            return 1;
        }
        set_upvalue(L, UP_NEXT, ++i);
        if (found == UNREADABLE)
            leave_out_object(L, m, &err);
        else if (!leave_out(L, m))
            break;
    }
    push_mesh_table(L, m);
    if (m->object > (uint64_t)lua_tointeger(L, lua_upvalueindex(UP_KNOWN))) {
        set_upvalue(L, UP_KNOWN, (lua_Integer)m->object);
        lua_pushnil(L);
        lua_replace(L, lua_upvalueindex(UP_ENTRY));
    }
    return 1;
}

static int l_no_mesh(lua_State *L)
{
    lua_pushnil(L);
    return 1;
}

/* ---- options ----------------------------------------------------------------------------------- */

static void check_what(lua_State *L, int value)
{
    const char *what = lua_type(L, value) == LUA_TSTRING ? lua_tostring(L, value) : "";
    bool collides = strcmp(what, "collision") == 0;
    if (!collides && strcmp(what, "geometry") != 0)
        luaL_error(L, "'what' of meshes is one of geometry, collision");
    lua_pushboolean(L, collides);
}

static void check_lod(lua_State *L, int value)
{
    int whole = 0;
    lua_Integer lod = lua_type(L, value) == LUA_TNUMBER ? lua_tointegerx(L, value, &whole) : 0;
    if (!whole || lod < 0 || lod > 2)
        luaL_error(L, "'lod' of meshes is one of 0, 1, 2");
    lua_pushinteger(L, lod);
}

static void check_once(lua_State *L, int value)
{
    if (lua_type(L, value) != LUA_TBOOLEAN)
        luaL_error(L, "'once' of meshes is true or false");
    lua_pushvalue(L, value);
}

static void check_left_out(lua_State *L, int value)
{
    if (lua_type(L, value) != LUA_TTABLE)
        luaL_error(L, "'left_out' of meshes is a table");
    lua_pushvalue(L, value);
}

static const struct {
    const char *name;
    int upvalue;
    void (*check)(lua_State *L, int value); /* pushes the upvalue */
} options[] = {
    {"what", UP_COLLIDES, check_what},
    {"lod", UP_LOD, check_lod},
    {"once", UP_ONCE, check_once},
    {"left_out", UP_LEFT_OUT, check_left_out},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* Puts options in the places of upvalues, of which the first is at index `first`. */
static void read_options(lua_State *L, int idx, int first)
{
    if (lua_isnoneornil(L, idx))
        return;
    luaL_checktype(L, idx, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, idx)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        size_t i = 0;
        while (i < OPTIONS && strcmp(options[i].name, name) != 0)
            i++;
        if (i == OPTIONS)
            luaL_error(L, "no option '%s' of meshes, which takes what, lod, once and left_out",
                       luaL_tolstring(L, -2, NULL));
        options[i].check(L, lua_gettop(L));
        lua_replace(L, first + options[i].upvalue - 1);
        lua_pop(L, 1);
    }
}

/* Document:meshes */
int l_document_meshes(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    lua_pushboolean(L, false);
    lua_pushinteger(L, -1);
    lua_pushboolean(L, false);
    lua_pushnil(L);
    lua_pushinteger(L, 0);
    lua_pushnil(L);
    lua_createtable(L, 0, 0);
    read_options(L, 2, 3);
    bool collides = lua_toboolean(L, 2 + UP_COLLIDES);
    if (!collides && !scene_of(d->format)->mesh)
        return luaL_error(L, "%s has no meshes", d->format->name);
    if (collides && !scene_of(d->format)->collision) {
        lua_pushcfunction(L, l_no_mesh);
        return 1;
    }
    lua_pushcclosure(L, l_next_mesh, UP_COUNT);
    return 1;
}
