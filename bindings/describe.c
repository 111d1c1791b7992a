/* Schema queries: formats, record types and their fields. */
#include "bindings.h"

static void set_string(lua_State *L, const char *name, const char *value)
{
    if (value) {
        lua_pushstring(L, value);
        lua_setfield(L, -2, name);
    }
}

static void set_flag(lua_State *L, const char *name, bool value)
{
    if (value) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, name);
    }
}

static void set_names(lua_State *L, const lathe_field_info *info)
{
    if (!info->names)
        return;
    lua_createtable(L, (int)info->names_count, 0);
    lua_createtable(L, (int)info->names_count, 0);
    for (uint32_t i = 0; i < info->names_count; i++) {
        lua_pushstring(L, info->names[i].name);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pushinteger(L, info->names[i].value);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -3, "values");
    lua_setfield(L, -2, "names");
}

static void push_info(lua_State *L, const lathe_field_info *info)
{
    static const char *const kinds[LATHE_KIND_COUNT] = {
        "none", "null", "boolean", "integer", "integer", "number", "string", "record", "array",
    };
    static const struct {
        uint32_t bit;
        const char *name;
    } flags[] = {
        {LATHE_FIELD_ARRAY, "array"},       {LATHE_FIELD_READONLY, "readonly"},
        {LATHE_FIELD_COMPUTED, "computed"}, {LATHE_FIELD_RESIZABLE, "resizable"},
        {LATHE_FIELD_PADDING, "padding"},   {LATHE_FIELD_FLAGS, "flags"},
        {LATHE_FIELD_ENUM, "enum"},         {LATHE_FIELD_REF, "ref"},
        {LATHE_FIELD_INSIDE, "inside"},     {LATHE_FIELD_COPIED, "copied"},
        {LATHE_FIELD_COUNT, "count"},       {LATHE_FIELD_VERSION, "version"},
        {LATHE_FIELD_OWN, "own"},
    };
    lua_createtable(L, 0, 12);
    set_string(L, "name", info->name);
    set_string(L, "original", info->original);
    set_string(L, "type", info->type);
    set_string(L, "unit", info->unit);
    set_string(L, "doc", info->doc);
    set_string(L, "kind", kinds[info->kind]);
    set_string(L, "key", info->key);
    set_string(L, "value", info->value);
    set_string(L, "tag", info->tag);
    set_string(L, "shown_by", info->shown_by);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        set_flag(L, flags[i].name, info->flags & flags[i].bit);
    if (info->min <= info->max) {
        lua_pushnumber(L, info->min);
        lua_setfield(L, -2, "min");
        lua_pushnumber(L, info->max);
        lua_setfield(L, -2, "max");
    }
    if (info->offset != LATHE_NO_OFFSET) {
        lua_pushinteger(L, (lua_Integer)info->offset);
        lua_setfield(L, -2, "offset");
    }
    if (info->span != LATHE_NO_OFFSET) {
        lua_pushinteger(L, (lua_Integer)info->span);
        lua_setfield(L, -2, "size");
    }
    set_names(L, info);
}

/* doc: also searches its own types, and must be held; or NULL. */
static int describe_type(lua_State *L, lathe_doc *doc, const char *name)
{
    lathe_field_info info = {.size = sizeof info};
    lua_newtable(L);
    uint64_t i = 0;
    while (doc ? lathe_doc_type_describe(doc, name, i, &info)
               : lathe_type_describe(name, i, &info)) {
        push_info(L, &info);
        lua_rawseti(L, -2, (lua_Integer)++i);
        info = (lathe_field_info){.size = sizeof info};
    }
    if (i == 0 && !(doc ? rec_doc_type_find(doc, name) : rec_type_find(name))) {
        lathe_error err;
        error_set(&err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no record type '%s'", name);
        return l_fail(L, &err);
    }
    return 1;
}

/* lathe.describe */
int l_describe(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING)
        return describe_type(L, NULL, lua_tostring(L, 1));
    l_doc *owner;
    l_check_place(L, 1, &owner);
    l_hold *hold = l_push_hold(L, owner);
    lathe_view *view = l_check_place(L, 1, &owner);
    lathe_field_info info = {.size = sizeof info};
    lua_newtable(L);
    for (uint64_t i = 0; lathe_view_describe(*view, i, &info); i++) {
        push_info(L, &info); /* this may run a finalizer */
        l_doc_check_open(L, owner);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
        info = (lathe_field_info){.size = sizeof info};
    }
    l_unhold(hold);
    return 1;
}

/* core.layout */
int l_core_layout(lua_State *L)
{
    l_doc *owner;
    const lathe_view *view = l_check_place(L, 1, &owner);
    lua_pushinteger(L, (lua_Integer)(uintptr_t)view->type);
    return 1;
}

/* lathe.material_names */
int l_material_names(lua_State *L)
{
    const char *name;
    lua_newtable(L);
    for (size_t i = 0; (name = lathe_material_name(i)) != NULL; i++) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Document:describe */
int l_document_describe(lua_State *L)
{
    const l_doc *d = l_check_document(L, 1);
    if (lua_isnoneornil(L, 2))
        return l_describe(L);
    const char *name = luaL_checkstring(L, 2);
    l_hold *hold = l_push_hold(L, d);
    int n = describe_type(L, hold->doc, name);
    l_unhold(hold);
    return n;
}

/* ---- formats --------------------------------------------------------------------------------- */

static void push_list(lua_State *L, const char *const *list)
{
    lua_newtable(L);
    for (lua_Integer i = 0; list && list[i]; i++) {
        lua_pushstring(L, list[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void set_list(lua_State *L, const char *name, const char *const *list)
{
    push_list(L, list);
    lua_setfield(L, -2, name);
}

/* Sets the list of record types to which no field refers, unless it is empty. */
static void set_types(lua_State *L, const lathe_format *format)
{
    const char *type;
    if (!lathe_format_type(format, 0))
        return;
    lua_newtable(L);
    for (size_t i = 0; (type = lathe_format_type(format, i)) != NULL; i++) {
        lua_pushstring(L, type);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "types");
}

static void set_verbs(lua_State *L, const lathe_format *format)
{
    const char *verb;
    lua_newtable(L);
    for (size_t i = 0; (verb = lathe_format_verb(format, i)) != NULL; i++)
        set_flag(L, verb, true);
    lua_setfield(L, -2, "can");
}

/* lathe.formats */
int l_formats(lua_State *L)
{
    size_t n;
    const lathe_format *const *all = lathe_formats(&n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        lathe_format_info info = {.size = sizeof info};
        lathe_format_describe(all[i], &info);
        lua_createtable(L, 0, 6);
        set_string(L, "name", info.name);
        set_string(L, "doc", info.doc);
        set_string(L, "type", info.type);
        set_list(L, "extensions", info.extensions);
        set_list(L, "games", info.games);
        set_types(L, all[i]);
        set_verbs(L, all[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* core.compared_with(format): a list of words for what files of the format can be compared with. */
int l_core_compared_with(lua_State *L)
{
    const lathe_format *format;
    lathe_error err;
    if (rec_format_find(luaL_checkstring(L, 1), &format, &err) != LATHE_OK)
        return l_raise(L, &err);
    push_list(L, format->compared_with);
    return 1;
}

/* core.containers(format): those of its files, a list of words, empty where there is but one. */
int l_core_containers(lua_State *L)
{
    const lathe_format *format;
    lathe_format_info info = {.size = sizeof info};
    lathe_error err;
    if (rec_format_find(luaL_checkstring(L, 1), &format, &err) != LATHE_OK)
        return l_raise(L, &err);
    lathe_format_describe(format, &info);
    push_list(L, info.containers);
    return 1;
}

/* core.surely(bytes): the name of the format that a file which begins so is of beyond doubt, or nil. */
int l_core_surely(lua_State *L)
{
    size_t n;
    const char *bytes = luaL_checklstring(L, 1, &n);
    const lathe_format *const *f = rec_formats;
    while (*f && !((*f)->sniff && (*f)->sniff((const uint8_t *)bytes, n) == REC_SNIFF_SURE))
        f++;
    lua_pushstring(L, *f ? (*f)->name : NULL);
    return 1;
}

/* ---- verbs ----------------------------------------------------------------------------------- */

static void push_param(lua_State *L, const lathe_param *p)
{
    static const char *const kinds[LATHE_PARAM_COUNT] = {"any",     "number",   "integer", "string",
                                                         "boolean", "skeleton", "numbers", "clip"};
    lua_createtable(L, 0, 7);
    set_string(L, "name", p->name);
    set_string(L, "doc", p->doc);
    set_string(L, "unit", p->unit);
    set_string(L, "kind", kinds[p->kind]);
    set_flag(L, "positional", p->positional);
    set_flag(L, "needed", p->needed);
    if (p->values)
        set_list(L, "values", p->values);
}

static void push_verb(lua_State *L, const lathe_verb_info *info)
{
    lua_createtable(L, 0, 7);
    set_string(L, "name", info->name);
    set_string(L, "doc", info->doc);
    set_string(L, "type", info->type);
    set_flag(L, "query", info->query);
    set_flag(L, "single", info->single);
    set_flag(L, "list", info->list);
    set_string(L, "counts", info->counts);
    lua_newtable(L);
    for (lua_Integer i = 0; info->params && info->params[i]; i++) {
        push_param(L, info->params[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "params");
}

/* Pushes all verbs of a format, or those that apply to `view`. Members of an animation have precedence over verbs. */
static int push_verbs(lua_State *L, const lathe_format *format, const lathe_view *view,
                      bool animation, const l_doc *owner)
{
    lathe_verb_info info = {.size = sizeof info};
    const rec_verb *verb = NULL;
    lua_newtable(L);
    for (size_t i = 0; lathe_verb_describe(format, i, &info); i++) {
        if (owner)
            l_doc_check_open(L, owner); /* the tables of the last row may have run a finalizer */
        verb = rec_verb_next(format, verb);
        if ((view && !rec_verb_suits(*view, verb)) || (animation && l_animation_has(verb->name)))
            continue;
        push_verb(L, &info);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

/* lathe.verbs */
int l_verbs(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING) {
        const lathe_format *format;
        lathe_error err;
        if (rec_format_find(lua_tostring(L, 1), &format, &err) != LATHE_OK)
            return l_fail(L, &err);
        return push_verbs(L, format, NULL, false, NULL);
    }
    l_doc *owner;
    lathe_view view = l_verb_target(L, 1, &owner);
    const rec_layout *layout = view.type;
    bool animation = l_class_of(L, 1) == L_ANIMATION;
    return push_verbs(L, view.doc->containers[layout->container].format, &view, animation, owner);
}
