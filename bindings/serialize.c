/* Serializing documents in the order of the format's own tools. */
#include "bindings.h"

/* lathe.serialize */
int l_serialize(lua_State *L)
{
    l_doc *owner;
    l_input in;
    lathe_error err;
    lua_settop(L, 2);
    lathe_view view = *l_check_place(L, 1, &owner);
    if (!lua_isnil(L, 2))
        luaL_checktype(L, 2, LUA_TTABLE);
    l_collect *c = l_push_collect(L);
    l_input_open(L, &in, 2, owner);
    lathe_result r = rec_serialize(view, lua_isnil(L, 2) ? NULL : &in.api, &c->bytes, &err);
    l_input_close(L, &in);
    if (r != LATHE_OK) {
        l_collect_done(c);
        return l_fail_or_raise(L, &err);
    }
    lua_pushlstring(L, (const char *)c->bytes.data, c->bytes.size);
    l_collect_done(c);
    return 1;
}

bool l_can_serialize(const rec_type *type)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if ((*f)->root == type && (*f)->serialize)
            return true;
    return false;
}
