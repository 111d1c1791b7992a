/* Bones of a skeleton of any format: `skeleton.bones[i]`, or by name: `skeleton.bones["NPC Head"]`. */
#include "bindings.h"

#include <string.h>

enum { LANE_T, LANE_Q, LANE_S, LANES };
static const char *const lane_names[] = {"t", "q", "s", NULL};
static const int lane_first[] = {0, 3, 7}, lane_count[] = {3, 4, 3};
static const unsigned lane_bits[] = {LATHE_BONE_TRANSLATION, LATHE_BONE_ROTATION, LATHE_BONE_SCALE};
static const char *const axes[] = {"x", "y", "z", "w", NULL};

/* ---- reading --------------------------------------------------------------------------------- */

/* The name is borrowed until the next allocation. */
static lathe_bone bone_of(lua_State *L, const l_object *o)
{
    lathe_error err;
    lathe_skeleton_info rig = {.size = sizeof rig};
    lathe_bone bone = {.size = sizeof bone};
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    lathe_result r = lathe_skeleton_bone(doc, o->index, o->track, &bone, &err);
    if (r == LATHE_ERR_NAME) {
        l_skeleton_describe(L, o, &rig); /* raises if the skeleton was removed */
        luaL_error(L, "bone %I was removed", (LUAI_UACINT)o->track + 1);
    }
    if (r != LATHE_OK)
        l_raise(L, &err);
    return bone;
}

uint64_t l_bones_count(lua_State *L, const l_object *list)
{
    lathe_skeleton_info rig = {.size = sizeof rig};
    l_skeleton_describe(L, list, &rig);
    return rig.bones;
}

uint64_t l_bones_find(lua_State *L, const l_object *list, const char *name, size_t n)
{
    lathe_error err;
    lathe_skeleton_info rig = {.size = sizeof rig};
    uint64_t bone = 0;
    l_skeleton_describe(L, list, &rig);
    if (lathe_skeleton_find(list->owner->doc, list->index, name, n, &bone, &err) != LATHE_OK)
        luaL_error(L, "%s", err.message);
    return bone;
}

static void push_part(lua_State *L, const l_object *bone, l_class c, uint64_t lane)
{
    l_object part = {.index = bone->index, .track = bone->track, .lane = lane};
    l_push_object(L, 1, &part, c);
}

enum { NAME, PARENT, MIRROR, POSE };
static const char *const members[] = {"name", "parent", "mirror", "pose", NULL};
static const luaL_Reg methods[] = {{NULL, NULL}};

/* Upvalue 1: the numbers of members. */
static int l_bone_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    l_doc_check_open(L, o->owner);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_member(L, L_BONE, methods, members, NULL);
    const lathe_bone bone = bone_of(L, o);
    switch (lua_tointeger(L, -1)) {
    case NAME: lua_pushstring(L, bone.name); break; /* NULL: nil */
    case PARENT: lua_pushinteger(L, bone.parent); break;
    case MIRROR:
        if (bone.mirror >= 0)
            lua_pushinteger(L, bone.mirror);
        else
            lua_pushnil(L);
        break;
    default: push_part(L, o, L_POSE, 0); break;
    }
    return 1;
}

/* Upvalue 1: the numbers of members. */
static int l_pose_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    bone_of(L, o);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_member(L, L_POSE, methods, lane_names, NULL);
    push_part(L, o, L_VECTOR, (uint64_t)lua_tointeger(L, -1));
    return 1;
}

/* The component of a vector that the key at 2 names, 1 or "x"; -1: none. Upvalue 1: the numbers of members. */
static int axis_of(lua_State *L, const l_object *o)
{
    int n = lane_count[o->lane], whole;
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_Integer i = lua_tointegerx(L, 2, &whole);
        return whole && i >= 1 && i <= n ? (int)i - 1 : -1;
    }
    lua_pushvalue(L, 2);
    int axis = lua_rawget(L, lua_upvalueindex(1)) == LUA_TNUMBER ? (int)lua_tointeger(L, -1) : n;
    lua_pop(L, 1);
    return axis < n ? axis : -1;
}

static int no_axis(lua_State *L, const l_object *o)
{
    return luaL_error(L, "no field '%s' in a vector of %d numbers", luaL_tolstring(L, 2, NULL),
                      lane_count[o->lane]);
}

static int l_vector_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    const lathe_bone bone = bone_of(L, o);
    int axis = axis_of(L, o);
    if (axis < 0 && lua_type(L, 2) != LUA_TNUMBER)
        return no_axis(L, o);
    if (axis < 0)
        lua_pushnil(L);
    else
        lua_pushnumber(L, bone.pose[lane_first[o->lane] + axis]);
    return 1;
}

static int l_vector_len(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lua_pushinteger(L, lane_count[o->lane]);
    return 1;
}

static int l_vector_next(lua_State *L)
{
    const l_object *o = l_check_object(L, 1, L_VECTOR);
    lua_Integer i = luaL_optinteger(L, 2, 0);
    if (i < 0 || i >= lane_count[o->lane]) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, i + 1);
    lua_pushnumber(L, bone_of(L, o).pose[lane_first[o->lane] + i]);
    return 2;
}

static int l_vector_pairs(lua_State *L)
{
    l_check_object(L, 1, L_VECTOR);
    lua_pushcfunction(L, l_vector_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The values to store, collected before the edit, because scripts may run meanwhile. */
typedef struct change {
    lathe_bone bone; /* its name is on the stack */
    unsigned what;
} change;

/* Stores the values; raises on failure. `field`: name of the field in the message. */
static int store(lua_State *L, const l_object *o, const change *c, const char *field)
{
    lathe_error err;
    bone_of(L, o);
    lathe_result r = lathe_skeleton_set(o->owner->doc, o->index, o->track, c->what, &c->bone, &err);
    if (r != LATHE_ERR_READONLY)
        return r == LATHE_OK ? 0 : l_raise(L, &err);
    if (o->index == LATHE_LINKED)
        return luaL_error(L,
                          "'%s' of a bone cannot be set: it is a copy; change the skeleton that it "
                          "was linked from",
                          field);
    lathe_skeleton_info rig = {.size = sizeof rig};
    l_skeleton_describe(L, o, &rig);
    l_push_place(L, "skeleton.source", rig.source);
    return luaL_error(L, "'%s' of a bone cannot be set: it is computed; change %s", field,
                      lua_isnil(L, -1) ? "its source" : lua_tostring(L, -1));
}

static double number_at(lua_State *L, int idx, const char *of, const char *key)
{
    if (lua_type(L, idx) != LUA_TNUMBER)
        luaL_error(L, "'%s' of %s: a number expected, got %s", key, of, luaL_typename(L, idx));
    return lua_tonumber(L, idx);
}

/* Reads a list of numbers, or any value with x, y, z. */
static void read_lane(lua_State *L, int idx, int lane, change *c)
{
    int n = lane_count[lane], type = lua_type(L, idx);
    const char *name = lane_names[lane];
    if (type != LUA_TTABLE && type != LUA_TUSERDATA)
        luaL_error(L, "'%s' of a pose: a list of %d numbers expected, got %s", name, n,
                   luaL_typename(L, idx));
    bool named = l_class_of(L, idx) == L_RECORD;
    if (type == LUA_TTABLE) {
        named = lua_getfield(L, idx, "x") != LUA_TNIL;
        lua_pop(L, 1);
    }
    if (!named && luaL_len(L, idx) != n)
        luaL_error(L, "'%s' of a pose: a list of %d numbers expected, got %I", name, n,
                   (LUAI_UACINT)luaL_len(L, idx));
    for (int i = 0; i < n; i++) {
        if (named)
            lua_getfield(L, idx, axes[i]);
        else
            lua_geti(L, idx, i + 1);
        c->bone.pose[lane_first[lane] + i] = number_at(L, -1, name, axes[i]);
        lua_pop(L, 1);
    }
    c->what |= lane_bits[lane];
}

/* Reads {t =, q =, s =}; all are optional. */
static void read_pose(lua_State *L, int idx, change *c)
{
    int type = lua_type(L, idx);
    if (type != LUA_TTABLE && l_class_of(L, idx) != L_POSE)
        luaL_error(L, "'pose' of a bone: { t =, q =, s = } expected, got %s",
                   luaL_typename(L, idx));
    if (type == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
            const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
            if (strcmp(key, "t") != 0 && strcmp(key, "q") != 0 && strcmp(key, "s") != 0)
                luaL_error(L, "no field '%s' in a pose", luaL_tolstring(L, -2, NULL));
        }
    for (int lane = 0; lane < LANES; lane++) {
        if (lua_getfield(L, idx, lane_names[lane]) != LUA_TNIL)
            read_lane(L, lua_gettop(L), lane, c);
        lua_pop(L, 1);
    }
}

static int64_t read_number(lua_State *L, int idx, const char *field)
{
    int whole;
    lua_Integer i = lua_tointegerx(L, idx, &whole);
    if (lua_type(L, idx) != LUA_TNUMBER || !whole || i < -1 || i > INT32_MAX)
        luaL_error(L, "'%s' of a bone: a bone's number, from 0, or -1 expected, got %s", field,
                   luaL_tolstring(L, idx, NULL));
    return i;
}

/* Reads the value at idx for member m. A name stays on the stack. */
static void read_member(lua_State *L, int idx, lua_Integer m, change *c)
{
    size_t n;
    switch (m) {
    case NAME:
        if (lua_type(L, idx) != LUA_TSTRING)
            luaL_error(L, "'name' of a bone: a string expected, got %s", luaL_typename(L, idx));
        c->bone.name = lua_tolstring(L, idx, &n);
        if (strlen(c->bone.name) != n)
            luaL_error(L, "'name' of a bone: it holds a NUL byte");
        c->what |= LATHE_BONE_NAME;
        break;
    case PARENT:
        c->bone.parent = read_number(L, idx, "parent");
        c->what |= LATHE_BONE_PARENT;
        break;
    case MIRROR:
        c->bone.mirror = lua_isnil(L, idx) ? -1 : read_number(L, idx, "mirror");
        c->what |= LATHE_BONE_MIRROR;
        break;
    default: read_pose(L, idx, c); break;
    }
}

/* The number of the member that the key at 2 names; raises if there is none. The value is at 3. Upvalue 1: the
 * numbers of members. */
static lua_Integer check_member(lua_State *L, const l_object *o, l_class c,
                                const char *const *names)
{
    lua_settop(L, 3);
    bone_of(L, o);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        l_no_member(L, c, methods, names, NULL);
    return lua_tointeger(L, -1);
}

/* Upvalue 1: the numbers of members. */
static int l_bone_newindex(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    change c = {.bone = {.size = sizeof c.bone}};
    lua_Integer m = check_member(L, o, L_BONE, members);
    read_member(L, 3, m, &c);
    return store(L, o, &c, members[m]);
}

/* Upvalue 1: the numbers of members. */
static int l_pose_newindex(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    change c = {.bone = {.size = sizeof c.bone}};
    int lane = (int)check_member(L, o, L_POSE, lane_names);
    read_lane(L, 3, lane, &c);
    return store(L, o, &c, lane_names[lane]);
}

static int l_vector_newindex(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    change c = {.bone = bone_of(L, o), .what = lane_bits[o->lane]};
    lua_settop(L, 3);
    int axis = axis_of(L, o);
    if (axis < 0)
        return no_axis(L, o);
    c.bone.pose[lane_first[o->lane] + axis] = number_at(L, 3, lane_names[o->lane], axes[axis]);
    return store(L, o, &c, lane_names[o->lane]);
}

void l_bones_put(lua_State *L, const l_object *list, uint64_t bone)
{
    change c = {.bone = {.size = sizeof c.bone}};
    const l_object one = {.owner = list->owner, .index = list->index, .track = bone};
    if (l_class_of(L, 3) == L_BONE) {
        l_object_plain(L, 3);
        lua_replace(L, 3);
    }
    if (lua_type(L, 3) != LUA_TTABLE)
        luaL_error(L, "a bone: a table expected, got %s", luaL_typename(L, 3));
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        lua_Integer m = 0;
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        while (members[m] && strcmp(members[m], key) != 0)
            m++;
        if (!members[m])
            luaL_error(L, "no field '%s' in a bone", luaL_tolstring(L, -2, NULL));
        read_member(L, lua_gettop(L), m, &c); /* the table keeps a name alive */
    }
    store(L, &one, &c, "pose");
}

/* ---- plain tables ---------------------------------------------------------------------------- */

static void push_lane(lua_State *L, const double *numbers, int lane)
{
    lua_createtable(L, lane_count[lane], 0);
    for (int i = 0; i < lane_count[lane]; i++) {
        lua_pushnumber(L, numbers[lane_first[lane] + i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_pose(lua_State *L, const double *numbers)
{
    lua_createtable(L, 0, LANES);
    for (int lane = 0; lane < LANES; lane++) {
        push_lane(L, numbers, lane);
        lua_setfield(L, -2, lane_names[lane]);
    }
}

static void push_bone(lua_State *L, const l_object *o)
{
    const lathe_bone bone = bone_of(L, o);
    lua_pushstring(L, bone.name); /* NULL: nil */
    lua_createtable(L, 0, 4);
    lua_insert(L, -2);
    lua_setfield(L, -2, "name");
    lua_pushinteger(L, bone.parent);
    lua_setfield(L, -2, "parent");
    if (bone.mirror >= 0) {
        lua_pushinteger(L, bone.mirror);
        lua_setfield(L, -2, "mirror");
    }
    push_pose(L, bone.pose);
    lua_setfield(L, -2, "pose");
}

static void push_bones(lua_State *L, const l_object *list)
{
    uint64_t n = l_bones_count(L, list);
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (uint64_t i = 0; i < n; i++) {
        const l_object one = {.owner = list->owner, .index = list->index, .track = i};
        push_bone(L, &one);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void l_push_plain_bones(lua_State *L, const l_object *o, l_class c)
{
    if (c == L_LIST) {
        push_bones(L, o);
    } else if (c == L_BONE) {
        push_bone(L, o);
    } else {
        const lathe_bone bone = bone_of(L, o);
        if (c == L_POSE)
            push_pose(L, bone.pose);
        else
            push_lane(L, bone.pose, (int)o->lane);
    }
}

/* ---- classes --------------------------------------------------------------------------------- */

void l_open_bones(lua_State *L)
{
    static const luaL_Reg vector[] = {
        {"__len", l_vector_len}, {"__pairs", l_vector_pairs}, {NULL, NULL}};
    l_save_object_class(L, L_BONE, "lathe.Bone", methods, members, l_bone_index);
    l_object_writable(L, L_BONE, l_bone_newindex);
    l_save_object_class(L, L_POSE, "lathe.Pose", methods, lane_names, l_pose_index);
    l_object_writable(L, L_POSE, l_pose_newindex);
    l_save_object_class(L, L_VECTOR, "lathe.Vector", methods, axes, l_vector_index);
    l_object_writable(L, L_VECTOR, l_vector_newindex);
    l_push_class(L, L_VECTOR);
    luaL_setfuncs(L, vector, 0);
    lua_pop(L, 1);
}
