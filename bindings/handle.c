/* Handles: recognizing and making documents, views and buffers. */
#include "bindings.h"

static const char class_key; /* key of the l_class in a metatable */
/* Registry keys: the metatables of classes that have only one, and the tables of members of all classes. */
static const char class_keys[L_CLASS_COUNT], member_keys[L_CLASS_COUNT];

l_class l_class_of(lua_State *L, int idx)
{
    if (lua_type(L, idx) != LUA_TUSERDATA || !lua_getmetatable(L, idx))
        return L_OTHER;
    lua_rawgetp(L, -1, &class_key);
    lua_Integer c = lua_tointeger(L, -1); /* 0 if it is no class of this module */
    lua_pop(L, 2);
    return (l_class)c;
}

void l_class_set(lua_State *L, l_class c, const char *name)
{
    lua_pushinteger(L, c);
    lua_rawsetp(L, -2, &class_key);
    lua_pushstring(L, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, "__name");
    /* the result of getmetatable, so scripts cannot change it */
    lua_setfield(L, -2, "__metatable");
}

void l_push_class(lua_State *L, l_class c)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &class_keys[c]);
}

void l_save_class(lua_State *L, l_class c)
{
    lua_rawsetp(L, LUA_REGISTRYINDEX, &class_keys[c]);
}

void l_push_members(lua_State *L, l_class c)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &member_keys[c]);
}

void l_new_members(lua_State *L, l_class c, const luaL_Reg *methods, const char *const *fields)
{
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    for (int i = 0; fields && fields[i]; i++) {
        lua_pushinteger(L, i);
        lua_setfield(L, -2, fields[i]);
    }
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &member_keys[c]);
}

/* ---- arguments ------------------------------------------------------------------------------- */

lathe_doc *l_doc_check_open(lua_State *L, const l_doc *d)
{
    if (!d->doc)
        luaL_error(L, "document is closed");
    return d->doc;
}

l_doc *l_check_document(lua_State *L, int idx)
{
    if (l_class_of(L, idx) != L_DOCUMENT)
        luaL_typeerror(L, idx, "lathe.Document");
    l_doc *d = lua_touserdata(L, idx);
    l_doc_check_open(L, d);
    return d;
}

l_view *l_check_array(lua_State *L, int idx)
{
    if (l_class_of(L, idx) != L_ARRAY)
        luaL_typeerror(L, idx, "lathe.Array");
    l_view *w = lua_touserdata(L, idx);
    l_doc_check_open(L, w->owner);
    return w;
}

lathe_view *l_doc_root(l_doc *d)
{
    d->root = lathe_doc_root(d->doc);
    return &d->root;
}

lathe_view *l_check_place(lua_State *L, int idx, l_doc **owner)
{
    switch (l_class_of(L, idx)) {
    case L_DOCUMENT: *owner = l_check_document(L, idx); return l_doc_root(*owner);
    case L_RECORD:
    case L_ARRAY: {
        l_view *w = lua_touserdata(L, idx);
        *owner = w->owner;
        l_doc_check_open(L, w->owner);
        return &w->at;
    }
    default: luaL_typeerror(L, idx, "view or document"); return NULL;
    }
}

/* ---- making views ---------------------------------------------------------------------------- */

void l_push_owner(lua_State *L, int idx)
{
    if (lua_getiuservalue(L, idx, 1) == LUA_TUSERDATA)
        return;
    lua_pop(L, 1); /* the user value of a document is no userdata: the document is its own owner */
    lua_pushvalue(L, idx);
}

void l_push_view(lua_State *L, int from, const lathe_view *view)
{
    const rec_layout *layout = view->type; /* read before an allocation can close the document */
    const rec_type *type = layout->type;
    bool own = type->flags & REC_OWN;
    from = lua_absindex(L, from);
    luaL_checkstack(L, 8, NULL);
    l_view *w = lua_newuserdatauv(L, sizeof *w, 1);
    w->at = *view;
    l_push_owner(L, from);
    w->owner = lua_touserdata(L, -1);
    lua_setiuservalue(L, -2, 1);
    if (!(view->flags & REC_VIEW_ARRAY)) {
        l_set_record_metatable(L, w->owner, type, own);
        return;
    }
    l_push_class(L, L_ARRAY);
    lua_setmetatable(L, -2);
}

void l_push_value(lua_State *L, int from, const lathe_value *value)
{
    switch (value->kind) {
    case LATHE_KIND_NULL: lua_pushboolean(L, 0); break;
    case LATHE_KIND_BOOL: lua_pushboolean(L, value->as.b); break;
    case LATHE_KIND_INT: lua_pushinteger(L, value->as.i); break;
    case LATHE_KIND_UINT: /* Lua integers have 64 bits, printed as signed */
        lua_pushinteger(L, (lua_Integer)value->as.u);
        break;
    case LATHE_KIND_REAL: lua_pushnumber(L, value->as.f); break;
    case LATHE_KIND_STRING: lua_pushlstring(L, value->as.s.p, value->as.s.n); break;
    case LATHE_KIND_RECORD:
    case LATHE_KIND_ARRAY:
        if (l_is_numbers(&value->as.v))
            l_push_numbers(L, from, value->as.v);
        else
            l_push_view(L, from, &value->as.v);
        break;
    default: lua_pushnil(L); break;
    }
}
