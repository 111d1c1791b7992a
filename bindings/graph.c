/* Behavior graphs: `doc.graph`. Its lists are those of the document. */
#include "bindings.h"

enum { NAME, SOURCE, STATES, TRANSITIONS, EVENTS, VARIABLES, CLIPS };
static const char *const members[] = {"name",   "source",    "states", "transitions",
                                      "events", "variables", "clips",  NULL};
static const luaL_Reg methods[] = {{NULL, NULL}};

bool l_has_graph(lua_State *L, const l_doc *d)
{
    uint64_t n;
    lathe_error err;
    if (lathe_list_count(l_doc_check_open(L, d), LATHE_GRAPHS, &n, &err) != LATHE_OK)
        l_raise(L, &err);
    return n > 0;
}

static lathe_view source_of(lua_State *L, const l_object *o)
{
    lathe_view view;
    lathe_error err;
    if (lathe_list_item(l_doc_check_open(L, o->owner), LATHE_GRAPHS, 0, &view, &err) != LATHE_OK)
        luaL_error(L, "the graph was removed");
    return view;
}

static void push_name(lua_State *L, const l_object *o)
{
    lathe_value v;
    lathe_error err;
    if (lathe_list_name(l_doc_check_open(L, o->owner), LATHE_GRAPHS, 0, &v, &err) != LATHE_OK)
        l_raise(L, &err);
    if (v.kind == LATHE_KIND_STRING)
        lua_pushlstring(L, v.as.s.p, v.as.s.n);
    else
        lua_pushnil(L);
}

/* Upvalue 1: the numbers of members. */
static int l_graph_index(lua_State *L)
{
    static const lathe_list lists[] = {[STATES] = LATHE_STATES,
                                       [TRANSITIONS] = LATHE_TRANSITIONS,
                                       [EVENTS] = LATHE_EVENTS,
                                       [VARIABLES] = LATHE_VARIABLES,
                                       [CLIPS] = LATHE_CLIP_GENERATORS};
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    lathe_view source = source_of(L, o);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNUMBER)
        return l_no_member(L, L_GRAPH, methods, members, NULL);
    lua_Integer member = lua_tointeger(L, -1);
    if (member == NAME)
        push_name(L, o);
    else if (member == SOURCE)
        l_push_source(L, 1, &source);
    else
        l_push_list(L, 1, L_RECORD, lists[member]);
    return 1;
}

void l_open_graphs(lua_State *L)
{
    l_save_object_class(L, L_GRAPH, "lathe.Graph", methods, members, l_graph_index);
}
