/* Skeletons of any format: `doc.skeletons[i]`. */
#include "bindings.h"
#include "scene/clip.h"

#include <string.h>

static const char bones_key; /* in the registry: metatable that frees a model_skeleton */

/* ---- memory ---------------------------------------------------------------------------------- */

static int l_bones_gc(lua_State *L)
{
    model_skeleton_free(lua_touserdata(L, 1));
    return 0;
}

model_skeleton *l_push_bones(lua_State *L)
{
    mem memory = l_memory(L);
    model_skeleton *skeleton = lua_newuserdatauv(L, sizeof *skeleton, 0);
    model_skeleton_init(skeleton, &memory);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &bones_key) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, l_bones_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &bones_key);
    }
    lua_setmetatable(L, -2);
    return skeleton;
}

/* The document may be closed by a finalizer before the last name is in Lua. */
static lathe_result own_names(model_skeleton *skeleton, lathe_error *err)
{
    for (size_t i = 0; i < skeleton->bone_count; i++) {
        const char **name = &skeleton->bones[i].name;
        if (*name && !(*name = model_skeleton_text(skeleton, *name, strlen(*name))))
            return rec_no_memory(err);
    }
    for (size_t i = 0; i < skeleton->slot_count; i++) {
        const char **name = &skeleton->slots[i];
        if (!(*name = model_skeleton_text(skeleton, *name, strlen(*name))))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

/* The skeleton on the stack, whose names are its own, but not `name`. */
static model_skeleton *push_model(lua_State *L, const l_object *o)
{
    lathe_error err;
    model_skeleton *skeleton = l_push_bones(L);
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    lathe_result r = scene_skeleton(doc, o->index, skeleton, &err);
    if (r == LATHE_ERR_NAME)
        luaL_error(L, "skeleton %I was removed", (LUAI_UACINT)o->index + 1);
    if (r == LATHE_OK)
        r = own_names(skeleton, &err);
    if (r != LATHE_OK)
        l_raise(L, &err);
    return skeleton;
}

/* ---- members --------------------------------------------------------------------------------- */

static void push_slots(lua_State *L, const l_object *o)
{
    const model_skeleton *skeleton = push_model(L, o);
    size_t n = skeleton->slot_count;
    if (!skeleton->slots) {
        lua_pushnil(L);
        return;
    }
    l_push_place(L, "skeleton.source", skeleton->source);
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushstring(L, skeleton->slots[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    l_make_copy(L, "skeleton.float_slots");
}

/* ---- the object ------------------------------------------------------------------------------ */

enum { NAME, BONES, SLOTS, SOURCE };
static const char *const members[] = {"name", "bones", "float_slots", "source", NULL};

/* Skeleton:space */
static int l_skeleton_space(lua_State *L)
{
    const model_skeleton *rig = push_model(L, l_check_object(L, 1, L_SKELETON));
    lua_pushstring(L, rig->z_up ? "z" : "y");
    if (rig->metres > 0)
        lua_pushnumber(L, rig->metres);
    else
        lua_pushnil(L);
    return 2;
}

static const luaL_Reg methods[] = {{"space", l_skeleton_space}, {NULL, NULL}};

/* Upvalue 1: numbers of members. */
static int l_skeleton_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    l_doc_check_open(L, o->owner);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TFUNCTION)
        return 1;
    if (found != LUA_TNUMBER)
        return l_no_member(L, L_SKELETON, methods, members, NULL);
    switch (lua_tointeger(L, -1)) {
    case NAME: lua_pushstring(L, push_model(L, o)->name); break;
    case SLOTS: push_slots(L, o); break;
    case SOURCE: l_push_source(L, 1, &push_model(L, o)->source); break;
    default:
        push_model(L, o); /* raises where it was removed, or cannot be read */
        l_push_list(L, 1, L_BONE, o->index);
        break;
    }
    return 1;
}

void l_open_skeletons(lua_State *L)
{
    l_save_object_class(L, L_SKELETON, "lathe.Skeleton", methods, members, l_skeleton_index);
}
