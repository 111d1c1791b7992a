/* Entry point of the module: luaopen_lathe_core is its only exported function. */
#include "bindings.h"

LATHE_API int luaopen_lathe_core(lua_State *L);

/* Functions that `lathe` offers to everyone. Views and buffers with methods of the same names use the same C
 * functions. */
static const luaL_Reg functions[] = {
    {"append", l_array_append},
    {"assign", l_array_assign},
    {"buffer", l_buffer_new},
    {"bytes", l_bytes},
    {"describe", l_describe},
    {"formats", l_formats},
    {"index", l_index},
    {"insert", l_array_insert},
    {"material_names", l_material_names},
    {"move", l_array_move},
    {"names", l_names},
    {"new", l_document_new},
    {"open", l_document_open},
    {"pack", l_array_pack},
    {"parse", l_document_parse},
    {"path", l_path},
    {"problem", l_problem},
    {"raw", l_raw},
    {"read", l_read},
    {"remove", l_array_remove},
    {"resize", l_array_resize},
    {"serialize", l_serialize},
    {"span", l_span},
    {"tobuffer", l_array_tobuffer},
    {"totable", l_totable},
    {"type", l_type},
    {"verbs", l_verbs},
    {"write", l_write},
    {NULL, NULL},
};

/* Functions for lathe's own Lua code and for the host of a script. */
static const luaL_Reg hooks[] = {
    {"append_file", l_core_append},
    {"call_bare", l_core_call_bare},
    {"can_write", l_core_can_write},
    {"catch_interrupt", l_core_catch_interrupt},
    {"compared_with", l_core_compared_with},
    {"containers", l_core_containers},
    {"draw", l_core_draw},
    {"edge_color", l_core_edge_color},
    {"end_interrupted", l_core_end_interrupted},
    {"history", l_core_history},
    {"hold_interrupt", l_core_hold_interrupt},
    {"dds_png", l_core_dds_png},
    {"identity", l_core_identity},
    {"ignore_sigpipe", l_core_ignore_sigpipe},
    {"isatty", l_core_isatty},
    {"terminal_size", l_core_terminal_size},
    {"layout", l_core_layout},
    {"look", l_core_look},
    {"make_folder", l_core_make_folder},
    {"mark_modified", l_core_mark_modified},
    {"may_read", l_core_may_read},
    {"nodes", l_core_nodes},
    {"open_file", l_core_open_file},
    {"put_back", l_core_put_back},
    {"real_path", l_core_real_path},
    {"save_noted", l_core_save_noted},
    {"set_guard", l_core_set_guard},
    {"set_verb", l_core_set_verb},
    {"sha256", l_core_sha256},
    {"surely", l_core_surely},
    {"surface_color", l_core_surface_color},
    {"sweep", l_core_sweep},
    {"truncate", l_core_truncate},
    {"wait_input", l_core_wait_input},
    {NULL, NULL},
};

static const luaL_Reg limits[] = {
    {"call", l_limits_call},         {"close", l_limits_close}, {"resume", l_limits_resume},
    {"stopping", l_limits_stopping}, {"wrap", l_limits_wrap},   {NULL, NULL},
};

static const luaL_Reg processes[] = {
    {"id", l_process_id},
    {"join", l_process_join},
    {"processors", l_process_processors},
    {"redirect", l_process_redirect},
    {"seconds", l_process_seconds},
    {"start", l_process_start},
    {"wait", l_process_wait},
    {NULL, NULL},
};

/* ---- lists of members, for lathe's own Lua code ------------------------------------------------- */

static const char *owner_word(l_class c)
{
    switch (c) {
    case L_DOCUMENT: return "document";
    case L_RECORD: return "record";
    case L_ARRAY: return "array";
    case L_BUFFER: return "buffer";
    default: return l_object_word(c);
    }
}

/* core.members(): the tables of members, by class. Values are functions, or stand for a field. They are the tables
 * that objects use: removing an entry removes the member. "lathe" and "lathe.core" are the functions of the module
 * and the hooks. */
static int l_core_members(lua_State *L)
{
    lua_createtable(L, 0, L_CLASS_COUNT + 2);
    for (int c = L_OTHER + 1; c < L_CLASS_COUNT; c++) {
        l_push_members(L, (l_class)c);
        lua_setfield(L, -2, owner_word((l_class)c));
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_setfield(L, -2, "lathe");
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_setfield(L, -2, "lathe.core");
    return 1;
}

/* Copies the entries of the table on top to the one below it. */
static void add_all(lua_State *L)
{
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
}

int luaopen_lathe_core(lua_State *L)
{
    luaL_checkversion(L);
    l_open_collector(L);
    l_open_errors(L);
    l_open_records(L);
    l_open_arrays(L);
    l_open_buffers(L);
    l_open_objects(L);
    l_open_documents(L);
    l_open_processes(L);
    lua_newtable(L);
    luaL_newlib(L, functions);
    lua_pushstring(L, lathe_version());
    lua_setfield(L, -2, "VERSION");
    add_all(L);
    luaL_newlib(L, hooks); /* stack: module, functions, hooks */
    luaL_newlib(L, limits);
    lua_setfield(L, -2, "limits");
    luaL_newlib(L, processes);
    lua_setfield(L, -2, "process");
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, l_core_members, 2);
    lua_setfield(L, -2, "members");
    lua_replace(L, -2); /* stack: module, hooks */
    add_all(L);
    lua_pop(L, 1);
    return 1;
}
