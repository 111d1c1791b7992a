/* Skeletons of any format: `doc.skeletons[i]`. */
#include "bindings.h"

void l_skeleton_describe(lua_State *L, const l_object *o, lathe_skeleton_info *info)
{
    lathe_error err;
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    info->size = sizeof *info;
    lathe_result r = lathe_skeleton_describe(doc, o->index, info, &err);
    if (r == LATHE_ERR_NAME)
        luaL_error(L, "skeleton %I was removed", (LUAI_UACINT)o->index + 1);
    if (r != LATHE_OK)
        l_raise(L, &err);
}

/* ---- members --------------------------------------------------------------------------------- */

static void push_slots(lua_State *L, const l_object *o)
{
    lathe_skeleton_info rig;
    lathe_error err;
    l_skeleton_describe(L, o, &rig);
    if (!rig.has_slots) {
        lua_pushnil(L);
        return;
    }
    l_push_place(L, "skeleton.source", rig.source);
    lua_createtable(L, rig.slots < INT32_MAX ? (int)rig.slots : 0, 0);
    for (uint64_t i = 0; i < rig.slots; i++) {
        const char *name = NULL;
        lathe_doc *doc = l_doc_check_open(L, o->owner);
        if (lathe_skeleton_slot(doc, o->index, i, &name, &err) != LATHE_OK)
            luaL_error(L, "the document was changed by a finalizer");
        lua_pushstring(L, name);
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
    lathe_skeleton_info rig;
    l_skeleton_describe(L, l_check_object(L, 1, L_SKELETON), &rig);
    lua_pushstring(L, rig.z_up ? "z" : "y");
    if (rig.metres > 0)
        lua_pushnumber(L, rig.metres);
    else
        lua_pushnil(L);
    return 2;
}

static const luaL_Reg methods[] = {{"space", l_skeleton_space}, {NULL, NULL}};

/* Upvalue 1: the numbers of members. */
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
    lathe_skeleton_info rig;
    l_skeleton_describe(L, o, &rig); /* raises if it was removed or cannot be read */
    switch (lua_tointeger(L, -1)) {
    case NAME: lua_pushstring(L, rig.name); break;
    case SLOTS: push_slots(L, o); break;
    case SOURCE: l_push_source(L, 1, &rig.source); break;
    default: l_push_list(L, 1, L_BONE, o->index); break;
    }
    return 1;
}

/* ---- nodes ------------------------------------------------------------------------------------- */

static void push_numbers(lua_State *L, const double *v, unsigned n, const char *name)
{
    lua_createtable(L, (int)n, 0);
    for (unsigned i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static void push_node(lua_State *L, const lathe_bone *bone)
{
    lua_pushstring(L, bone->name); /* first: a table may run finalizers that change the document */
    lua_createtable(L, 0, 3);
    lua_insert(L, -2);
    lua_setfield(L, -2, "name");
    lua_pushinteger(L, bone->parent);
    lua_setfield(L, -2, "parent");
    lua_createtable(L, 0, 3);
    push_numbers(L, bone->pose, 3, "t");
    push_numbers(L, bone->pose + 3, 4, "q");
    push_numbers(L, bone->pose + 7, 3, "s");
    lua_setfield(L, -2, "pose");
}

/* core.nodes(doc): the nodes of a document's scene as a skeleton: { bones = { { name, parent, pose } }, up, metres }; nil and an
 * error if it has none */
int l_core_nodes(lua_State *L)
{
    lathe_error err;
    lathe_skeleton_info rig = {.size = sizeof rig};
    l_doc *d = l_check_document(L, 1);
    if (lathe_skeleton_describe(l_doc_check_open(L, d), LATHE_NODES, &rig, &err) != LATHE_OK)
        return l_fail(L, &err);
    lua_createtable(L, 0, 3);
    lua_pushstring(L, rig.z_up ? "z" : "y");
    lua_setfield(L, -2, "up");
    if (rig.metres > 0) {
        lua_pushnumber(L, rig.metres);
        lua_setfield(L, -2, "metres");
    }
    lua_createtable(L, rig.bones < INT32_MAX ? (int)rig.bones : 0, 0);
    for (uint64_t i = 0; i < rig.bones; i++) {
        lathe_bone bone = {.size = sizeof bone};
        if (lathe_skeleton_bone(l_doc_check_open(L, d), LATHE_NODES, i, &bone, &err) != LATHE_OK)
            return l_fail(L, &err);
        push_node(L, &bone);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "bones");
    return 1;
}

void l_open_skeletons(lua_State *L)
{
    l_save_object_class(L, L_SKELETON, "lathe.Skeleton", methods, members, l_skeleton_index);
}
