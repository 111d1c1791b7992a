/* doc:meshes(): meshes of any format as tables of buffers. */
#include "bindings.h"

#include <string.h>

static const char mesh_key; /* registry key of the metatable that closes a mesh */

/* A userdata owns the mesh, so that an error closes it. */
static int l_mesh_gc(lua_State *L)
{
    lathe_mesh **mesh = lua_touserdata(L, 1);
    lathe_mesh_close(*mesh);
    *mesh = NULL;
    return 0;
}

static lathe_mesh **push_mesh(lua_State *L)
{
    lathe_mesh **mesh = lua_newuserdatauv(L, sizeof(lathe_mesh *), 0);
    *mesh = NULL;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &mesh_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, l_mesh_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &mesh_key);
    }
    lua_setmetatable(L, -2);
    return mesh;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Sets a field to a buffer with the rows of an array. If there are none: an empty buffer (`always`), or nothing. */
static void set_rows(lua_State *L, const char *name, const lathe_mesh *mesh, lathe_mesh_part part,
                     bool always)
{
    uint32_t columns = 0;
    lathe_elem elem = LATHE_ELEM_F32;
    lathe_error err;
    uint64_t rows = lathe_mesh_count(mesh, part, &columns, &elem);
    if (!rows && !always)
        return;
    l_buffer *b = l_push_room(L, elem, (size_t)rows, columns);
    if (lathe_mesh_read(mesh, part, 0, rows, elem, b->data, &err) != LATHE_OK)
        l_raise(L, &err);
    lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* NULL: nil */
    lua_setfield(L, -2, name);
}

static void set_numbers(lua_State *L, const char *name, const double *numbers, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, numbers[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_matrix(lua_State *L, const char *name, const double matrix[16])
{
    set_numbers(L, name, matrix, 16);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void set_skin(lua_State *L, const lathe_mesh *mesh, uint64_t n)
{
    lathe_joint joint = {.size = sizeof joint};
    if (!n)
        return;
    lua_createtable(L, 0, 1);
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (uint64_t i = 0; i < n && lathe_mesh_joint(mesh, i, &joint, NULL) == LATHE_OK; i++) {
        lua_createtable(L, 0, 4);
        set_text(L, "name", joint.name);
        lua_pushinteger(L, joint.parent);
        lua_setfield(L, -2, "parent");
        set_matrix(L, "bind", joint.bind);
        set_matrix(L, "world", joint.world);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "bones");
    lua_setfield(L, -2, "skin");
}

static void set_surface(lua_State *L, const lathe_mesh *mesh)
{
    static const char *const alpha[LATHE_ALPHA_COUNT] = {[LATHE_ALPHA_OPAQUE] = "opaque",
                                                         [LATHE_ALPHA_MASK] = "mask",
                                                         [LATHE_ALPHA_BLEND] = "blend"};
    lathe_surface s = {.size = sizeof s};
    const char *role, *path;
    if (!lathe_mesh_surface(mesh, &s))
        return;
    lua_createtable(L, 0, 6);
    set_numbers(L, "base_color", s.base_color, 4);
    set_numbers(L, "emissive", s.emissive, 3);
    set_text(L, "alpha", alpha[s.alpha]);
    if (s.alpha == LATHE_ALPHA_MASK) {
        lua_pushnumber(L, s.cutoff);
        lua_setfield(L, -2, "cutoff");
    }
    lua_pushboolean(L, s.double_sided);
    lua_setfield(L, -2, "double_sided");
    lua_createtable(L, 0, (int)s.textures);
    for (uint64_t i = 0; lathe_mesh_texture(mesh, i, &role, &path, NULL) == LATHE_OK; i++)
        set_text(L, role, path);
    lua_setfield(L, -2, "textures");
    lua_setfield(L, -2, "surface");
}

/* Sets the materials of triangles. */
static void set_materials(lua_State *L, const lathe_mesh *mesh, uint64_t n)
{
    const char *name;
    if (!n)
        return;
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (uint64_t i = 0; lathe_mesh_material(mesh, i, &name, NULL) == LATHE_OK; i++) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "materials");
    set_rows(L, "triangle_materials", mesh, LATHE_MESH_MATERIALS,
             !lathe_mesh_count(mesh, LATHE_MESH_INDICES, NULL, NULL));
}

/* Sets the fields of collision meshes. */
static void set_body(lua_State *L, const lathe_mesh_info *m)
{
    set_text(L, "shape", m->shape);
    if (m->body) {
        lua_pushinteger(L, (lua_Integer)m->body);
        lua_setfield(L, -2, "body");
    }
    if (m->has_node)
        set_matrix(L, "node_transform", m->node_transform);
}

/* Sets the fields of a geometry that is stored once and drawn in several places. */
static void set_object(lua_State *L, const lathe_mesh_info *m)
{
    if (m->object) {
        lua_pushinteger(L, (lua_Integer)m->object);
        lua_setfield(L, -2, "object");
    }
    set_text(L, "path", m->path);
    if (!m->has_source)
        return;
    lua_createtable(L, 0, 2);
    lua_pushinteger(L, m->file_hash);
    lua_setfield(L, -2, "geometry_file_hash");
    lua_pushinteger(L, m->offset_in_file);
    lua_setfield(L, -2, "data_offset");
    lua_setfield(L, -2, "source");
}

static const struct {
    const char *name;
    lathe_mesh_part part;
} attributes[] = {
    {"normals", LATHE_MESH_NORMALS}, {"tangents", LATHE_MESH_TANGENTS},
    {"uvs", LATHE_MESH_UVS},         {"colors", LATHE_MESH_COLORS},
    {"weights", LATHE_MESH_WEIGHTS}, {"joints", LATHE_MESH_JOINTS},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* Pushes the table of a mesh. `known`: number of the last object whose vertices the caller has. */
static void push_mesh_table(lua_State *L, const lathe_mesh *mesh, const lathe_mesh_info *m,
                            uint64_t known)
{
    lua_createtable(L, 0, 16);
    set_text(L, "name", m->name);
    set_text(L, "material", m->material);
    set_text(L, "up", m->z_up ? "z" : "y");
    set_text(L, "uv_origin", m->v_up ? "bottom" : "top");
    if (m->metres > 0) {
        lua_pushnumber(L, m->metres);
        lua_setfield(L, -2, "metres");
    }
    if (!m->object || m->object > known) {
        set_rows(L, "positions", mesh, LATHE_MESH_POSITIONS, true);
        set_rows(L, "indices", mesh, LATHE_MESH_INDICES, true);
    }
    for (size_t i = 0; i < ATTRIBUTES; i++)
        set_rows(L, attributes[i].name, mesh, attributes[i].part, false);
    set_matrix(L, "transform", m->transform);
    set_skin(L, mesh, m->bones);
    set_surface(L, mesh);
    set_materials(L, mesh, m->materials);
    set_body(L, m);
    set_object(L, m);
}

/* ---- iterator -------------------------------------------------------------------------------- */

/* Upvalues of the iterator. */
enum {
    UP_DOC = 1,
    UP_NEXT,     /* number of the next mesh, from 0 */
    UP_COLLIDES, /* collision meshes instead of drawn ones */
    UP_LOD,
    UP_ONCE,     /* whether an object's vertices come with its first mesh only */
    UP_LEFT_OUT, /* list of omitted meshes, or nil: then errors are raised */
    UP_KNOWN,    /* the last object that was returned or could not be read */
    UP_ENTRY,    /* its entry in the list if it could not be read, else nil */
    UP_SEEN,     /* entries of the list by their reasons */
    UP_COUNT = UP_SEEN
};

static void set_upvalue(lua_State *L, int n, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_replace(L, lua_upvalueindex(n));
}

/* Increments the count of the entry on top, and pops it. */
static void count_left_out(lua_State *L)
{
    lua_getfield(L, -1, "instances");
    lua_pushinteger(L, lua_tointeger(L, -1) + 1);
    lua_setfield(L, -3, "instances");
    lua_pop(L, 2);
}

/* Pushes a new entry for the list. */
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

/* Adds an object that cannot be read to the list. Objects with a common reason, such as a missing file, share an
 * entry. */
static void leave_out_object(lua_State *L, const lathe_mesh_info *m)
{
    lua_pushstring(L, m->left_out);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(UP_SEEN)) == LUA_TNIL) {
        lua_pop(L, 1);
        push_left_out(L, m->path, m->left_out);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, lua_upvalueindex(UP_SEEN));
    }
    lua_copy(L, -1, lua_upvalueindex(UP_ENTRY));
    set_upvalue(L, UP_KNOWN, (lua_Integer)m->object);
    count_left_out(L);
    lua_pop(L, 1);
}

/* Whether the mesh is omitted; adds it to the list. */
static bool leave_out(lua_State *L, const lathe_mesh_info *m, uint64_t known)
{
    bool failed = m->object && m->object == known && !lua_isnil(L, lua_upvalueindex(UP_ENTRY));
    if (failed)
        lua_pushvalue(L, lua_upvalueindex(UP_ENTRY));
    else if (m->left_out && lua_istable(L, lua_upvalueindex(UP_LEFT_OUT)))
        push_left_out(L, m->path ? m->path : "", m->left_out);
    else
        return m->left_out != NULL;
    count_left_out(L);
    return true;
}

/* Opens mesh number i with the options in the upvalues. False: past the last one. Errors are raised if there is no
 * list. */
static bool read_mesh(lua_State *L, lua_Integer i, lathe_mesh_options *options, lathe_mesh **mesh)
{
    const mem memory = l_memory(L);
    lathe_doc *doc = l_doc_check_open(L, l_check_document(L, lua_upvalueindex(UP_DOC)));
    lathe_list list =
        lua_toboolean(L, lua_upvalueindex(UP_COLLIDES)) ? LATHE_COLLISION : LATHE_MESHES;
    lathe_error err;
    uint64_t n = 0;
    *options = (lathe_mesh_options){
        .size = sizeof *options,
        .bands = (uint32_t)(lua_tointeger(L, lua_upvalueindex(UP_LOD)) + 1),
        .keep_unreadable = lua_istable(L, lua_upvalueindex(UP_LEFT_OUT)),
        .alloc = memory.fn,
        .alloc_user = memory.user,
    };
    if (lua_toboolean(L, lua_upvalueindex(UP_ONCE)) || !lua_isnil(L, lua_upvalueindex(UP_ENTRY)))
        options->known = (uint64_t)lua_tointeger(L, lua_upvalueindex(UP_KNOWN));
    lathe_mesh_close(*mesh); /* the mesh of the last call */
    *mesh = NULL;
    lathe_result r = lathe_mesh_open(doc, list, (uint64_t)i, options, mesh, &err);
    if (r == LATHE_ERR_NAME && lathe_list_count(doc, list, &n, NULL) == LATHE_OK &&
        (uint64_t)i >= n)
        return false;
    if (r != LATHE_OK)
        l_raise(L, &err);
    return true;
}

static int l_next_mesh(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(UP_NEXT));
    lathe_mesh **mesh = push_mesh(L);
    lathe_mesh_options options;
    lathe_mesh_info m = {.size = sizeof m};
    for (bool given = false; !given;) {
        if (!read_mesh(L, i, &options, mesh)) {
            lua_pushnil(L);
            return 1;
        }
        set_upvalue(L, UP_NEXT, ++i);
        lathe_mesh_describe(*mesh, &m);
        if (m.unreadable)
            leave_out_object(L, &m);
        else
            given = !leave_out(L, &m, options.known);
    }
    push_mesh_table(L, *mesh, &m, options.known);
    if (m.object > (uint64_t)lua_tointeger(L, lua_upvalueindex(UP_KNOWN))) {
        set_upvalue(L, UP_KNOWN, (lua_Integer)m.object);
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
    void (*check)(lua_State *L, int value); /* checks the option and pushes the upvalue */
} options[] = {
    {"what", UP_COLLIDES, check_what},
    {"lod", UP_LOD, check_lod},
    {"once", UP_ONCE, check_once},
    {"left_out", UP_LEFT_OUT, check_left_out},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* Reads options into the upvalues, the first of which is at index `first`. */
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
    if (!collides && !lathe_format_has(d->format, LATHE_MESHES))
        return luaL_error(L, "%s has no meshes", d->format->name);
    if (collides && !lathe_format_has(d->format, LATHE_COLLISION)) {
        lua_pushcfunction(L, l_no_mesh);
        return 1;
    }
    lua_pushcclosure(L, l_next_mesh, UP_COUNT);
    return 1;
}
