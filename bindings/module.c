/* The module's door: luaopen_lathe_core is all that it shows. */
#include "bindings.h"

LATHE_API int luaopen_lathe_core(lua_State *L);

/* Views and buffers have rows of the same names as methods; these work on both. */
static const luaL_Reg functions[] = {
    {"append", l_array_append},
    {"assign", l_array_assign},
    {"buffer", l_buffer_new},
    {"bytes", l_bytes},
    {"call_bare", l_core_call_bare},
    {"can_write", l_core_can_write},
    {"catch_interrupt", l_core_catch_interrupt},
    {"describe", l_describe},
    {"end_interrupted", l_core_end_interrupted},
    {"formats", l_formats},
    {"hold_interrupt", l_core_hold_interrupt},
    {"identity", l_core_identity},
    {"ignore_sigpipe", l_core_ignore_sigpipe},
    {"index", l_index},
    {"insert", l_array_insert},
    {"isatty", l_core_isatty},
    {"make_folder", l_core_make_folder},
    {"real_path", l_core_real_path},
    {"open_file", l_core_open_file},
    {"truncate", l_core_truncate},
    {"wait_input", l_core_wait_input},
    {"layout", l_core_layout},
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
    {"set_guard", l_core_set_guard},
    {"set_verb", l_core_set_verb},
    {"span", l_span},
    {"sweep", l_core_sweep},
    {"tobuffer", l_array_tobuffer},
    {"totable", l_totable},
    {"type", l_type},
    {"verbs", l_verbs},
    {"write", l_write},
    {NULL, NULL},
};

static const luaL_Reg limits[] = {
    {"call", l_limits_call},         {"close", l_limits_close}, {"resume", l_limits_resume},
    {"stopping", l_limits_stopping}, {"wrap", l_limits_wrap},   {NULL, NULL},
};

int luaopen_lathe_core(lua_State *L)
{
    luaL_checkversion(L);
    l_open_collector(L);
    l_open_errors(L);
    l_open_arrays(L);
    l_open_buffers(L);
    l_open_objects(L);
    l_open_documents(L);
    luaL_newlib(L, functions);
    luaL_newlib(L, limits);
    lua_setfield(L, -2, "limits");
    lua_pushstring(L, lathe_version());
    lua_setfield(L, -2, "VERSION");
    return 1;
}
