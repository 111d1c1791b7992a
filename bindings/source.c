/* Lua tables and buffers as sources for the engine.
 *
 * The engine calls back during an edit, and a Lua error would leave the engine by a longjmp and the edit open. So
 * callbacks only do what cannot raise: raw reads, and pushes to reserved stack slots. Two operations need memory: the
 * first use of a field name, and room for more nodes. These are rare, and run in a pcall. A failure is stored, and
 * raised when the source is closed. Because of raw reads, metamethods of tables are not called; a read-only copy
 * (copy.c) is replaced by its hidden table. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

static const char names_key; /* registry key: light userdata of a name -> its string */
enum { NAMES_MOST = 4096 }; /* then the cache is emptied: names of a file's own types come and go */

/* Stack slots behind base. */
enum { TOP, CHUNKS, NAMES, CURSOR, FAILURE, SLOTS };

/* Nodes are in userdata whose user values are the tables. Each has room for CHUNK nodes, because setting a user value
 * cannot fail. */
enum { CHUNK = 128 };

typedef struct node {
    uint32_t number;
    size_t row; /* of a buffer, from 1; 0: the whole buffer */
} node;

static int slot(const l_source *s, int which)
{
    return s->base + which;
}

static void fail_with_top(l_source *s)
{
    lua_replace(s->L, slot(s, FAILURE));
    s->failed = true;
}

static void fail_bad(l_source *s, const char *type, const char *name, uint64_t index)
{
    s->failed = true;
    s->bad = type;
    if (name)
        snprintf(s->bad_name, sizeof s->bad_name, "'%.50s'", name);
    else
        snprintf(s->bad_name, sizeof s->bad_name, "[%llu]", (unsigned long long)index + 1);
}

/* ---- operations that allocate ---------------------------------------------------------------- */

/* (names, name): sets names[name] to its string; names[1] counts */
static int protected_intern(lua_State *L)
{
    const char *name = lua_touserdata(L, 2);
    lua_pushstring(L, name);
    lua_rawsetp(L, 1, name);
    lua_rawgeti(L, 1, 1);
    lua_pushinteger(L, lua_tointeger(L, -1) + 1);
    lua_rawseti(L, 1, 1);
    return 0;
}

/* (chunks or nil) -> chunks, with a new one at the end */
static int protected_chunk(lua_State *L)
{
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    lua_newuserdatauv(L, CHUNK * sizeof(node), CHUNK);
    lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
    return 1;
}

static int protected_plain(lua_State *L)
{
    l_object_plain(L, 1);
    return 1;
}

static bool call_protected(l_source *s, int args, int results)
{
    if (lua_pcall(s->L, args, results, 0) == LUA_OK)
        return true;
    fail_with_top(s);
    return false;
}

/* Pushes the string `name`. The cache uses addresses as keys, and compares the text, because an address may be reused
 * for another name. */
static bool push_name(l_source *s, const char *name)
{
    lua_State *L = s->L;
    if (lua_rawgetp(L, slot(s, NAMES), name) == LUA_TSTRING &&
        strcmp(lua_tostring(L, -1), name) == 0)
        return true;
    lua_pop(L, 1);
    char *address; /* light userdata is not const, but nobody writes to it */
    memcpy(&address, &name, sizeof address);
    lua_pushcfunction(L, protected_intern);
    lua_pushvalue(L, slot(s, NAMES));
    lua_pushlightuserdata(L, address);
    return call_protected(s, 2, 0) && lua_rawgetp(L, slot(s, NAMES), name) == LUA_TSTRING;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Makes a node for the value on top of the stack, and pops the value. */
static const node *new_node(l_source *s, size_t row)
{
    lua_State *L = s->L;
    uint32_t k = s->nodes % CHUNK;
    if (k == 0) {
        lua_pushcfunction(L, protected_chunk);
        lua_pushvalue(L, slot(s, CHUNKS));
        if (!call_protected(s, 1, 1))
            return NULL;
        lua_replace(L, slot(s, CHUNKS));
    }
    lua_rawgeti(L, slot(s, CHUNKS), s->nodes / CHUNK + 1);
    node *n = (node *)lua_touserdata(L, -1) + k;
    n->number = s->nodes++;
    n->row = row;
    lua_insert(L, -2);
    lua_setiuservalue(L, -2, (int)k + 1);
    lua_pop(L, 1);
    return n;
}

/* Pushes the table or buffer of a node. */
static void push_node(const l_source *s, const node *n)
{
    if (!n) {
        lua_pushvalue(s->L, slot(s, TOP));
        return;
    }
    lua_rawgeti(s->L, slot(s, CHUNKS), n->number / CHUNK + 1);
    lua_getiuservalue(s->L, -1, (int)(n->number % CHUNK) + 1);
    lua_remove(s->L, -2);
}

static size_t row_of(const node *n)
{
    return n ? n->row : 0;
}

static bool give_node(l_source *s, lathe_kind kind, size_t row, lathe_value *leaf,
                      const void **child)
{
    *child = new_node(s, row);
    if (*child) /* otherwise the engine would take the leaf for a view */
        leaf->kind = kind;
    return *child != NULL;
}

/* ---- the callbacks --------------------------------------------------------------------------- */

/* Replaces a bone or an annotation, or a list of these, on top of the stack by tables. */
static bool make_plain(l_source *s)
{
    lua_pushcfunction(s->L, protected_plain);
    lua_insert(s->L, -2);
    return call_protected(s, 1, 1);
}

/* Converts the value on top of the stack, and pops it. */
static bool take_value(l_source *s, const char *name, uint64_t index, lathe_value *leaf,
                       const void **child)
{
    lua_State *L = s->L;
    size_t n;
    l_class c;
    switch (lua_type(L, -1)) {
    case LUA_TNIL: return false;
    case LUA_TBOOLEAN:
        leaf->kind = LATHE_KIND_BOOL;
        leaf->as.b = lua_toboolean(L, -1);
        return true;
    case LUA_TNUMBER:
        leaf->kind = lua_isinteger(L, -1) ? LATHE_KIND_INT : LATHE_KIND_REAL;
        if (leaf->kind == LATHE_KIND_INT)
            leaf->as.i = lua_tointeger(L, -1);
        else
            leaf->as.f = lua_tonumber(L, -1);
        return true;
    case LUA_TSTRING: /* the table keeps it alive */
        leaf->kind = LATHE_KIND_STRING;
        leaf->as.s.p = lua_tolstring(L, -1, &n);
        leaf->as.s.n = n;
        return true;
    case LUA_TTABLE:
        l_open_copy(L, -1);
        return give_node(s, lua_rawlen(L, -1) ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD, 0, leaf,
                         child);
    case LUA_TUSERDATA:
        c = l_class_of(L, -1);
        if (c == L_BUFFER)
            return give_node(s, LATHE_KIND_ARRAY, 0, leaf, child);
        if (l_is_plain(L, -1))
            return make_plain(s) &&
                   give_node(s, lua_rawlen(L, -1) ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD, 0, leaf,
                             child);
        if (c == L_OTHER || c > L_ANIMATION)
            fail_bad(s, l_object_word(c), name, index);
        else if (l_view_leaf(L, -1, c, leaf))
            return true;
        else
            fail_bad(s, "view of a closed document", name, index);
        return false;
    default: fail_bad(s, luaL_typename(L, -1), name, index); return false;
    }
}

static bool take_from_buffer(l_source *s, const l_buffer *b, size_t row, uint64_t index,
                             lathe_value *leaf, const void **child)
{
    if (index >= (row ? b->columns : b->rows))
        return false;
    if (!row && b->columns > 1)
        return give_node(s, LATHE_KIND_ARRAY, (size_t)index + 1, leaf, child);
    l_buffer_get(b, (row ? row - 1 : 0) * b->columns + (size_t)index, leaf);
    return true;
}

static bool source_get(void *user, const void *from, const char *name, uint64_t index,
                       lathe_value *leaf, const void **child)
{
    l_source *s = user;
    lua_State *L = s->L;
    bool found = false;
    if (s->failed)
        return false;
    *child = NULL;
    int top = lua_gettop(L);
    push_node(s, from);
    if (lua_type(L, -1) == LUA_TUSERDATA) {
        if (!name)
            found = take_from_buffer(s, lua_touserdata(L, -1), row_of(from), index, leaf, child);
    } else if (name ? push_name(s, name) : index < LUA_MAXINTEGER) {
        if (name)
            lua_rawget(L, top + 1);
        else
            lua_rawgeti(L, top + 1, (lua_Integer)index + 1);
        found = take_value(s, name, index, leaf, child);
    }
    lua_settop(L, top);
    return found;
}

static uint64_t source_count(void *user, const void *from)
{
    l_source *s = user;
    uint64_t n;
    push_node(s, from);
    if (lua_type(s->L, -1) == LUA_TUSERDATA) {
        const l_buffer *b = lua_touserdata(s->L, -1);
        n = row_of(from) ? b->columns : b->rows;
    } else {
        n = lua_rawlen(s->L, -1);
    }
    lua_pop(s->L, 1);
    return n;
}

/* Moves the cursor to the next string key of the table. */
static const char *next_name(l_source *s)
{
    lua_State *L = s->L;
    int table = lua_gettop(L);
    const char *name = NULL;
    lua_pushvalue(L, slot(s, CURSOR));
    /* lua_next finds the key, because nobody changes the table */
    while (!name && lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING)
            name = lua_tostring(L, -1);
    }
    if (name)
        lua_replace(L, slot(s, CURSOR));
    return name;
}

/* The engine asks for 0, 1, 2 …; another order restarts from the first key. */
static const char *source_name(void *user, const void *from, uint64_t i)
{
    l_source *s = user;
    const char *name = NULL;
    int top = lua_gettop(s->L);
    if (s->failed)
        return NULL;
    push_node(s, from);
    if (lua_type(s->L, -1) == LUA_TTABLE) {
        if (from != s->cursor_node || i != s->cursor_at) {
            lua_pushnil(s->L);
            lua_replace(s->L, slot(s, CURSOR));
            s->cursor_node = from;
            s->cursor_at = 0;
        }
        do
            name = next_name(s);
        while (name && s->cursor_at++ < i);
    }
    lua_settop(s->L, top);
    return name;
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* Pushes the cache of field names, which is kept, because most calls use the same few names. */
static void push_names(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &names_key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        bool room = lua_tointeger(L, -1) < NAMES_MOST;
        lua_pop(L, 1);
        if (room)
            return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &names_key);
}

void l_source_open(lua_State *L, l_source *s, int idx)
{
    memset(s, 0, sizeof *s);
    s->api.size = sizeof s->api;
    s->api.user = s;
    s->api.get = source_get;
    s->api.count = source_count;
    s->api.name = source_name;
    s->L = L;
    luaL_checkstack(L, SLOTS + 12, NULL);
    s->base = lua_gettop(L) + 1;
    lua_pushvalue(L, idx);
    if (l_is_plain(L, -1)) {
        l_object_plain(L, -1);
        lua_replace(L, -2);
    }
    l_open_copy(L, -1);
    lua_pushnil(L); /* CHUNKS: made for the first nested table */
    push_names(L);
    lua_pushnil(L); /* CURSOR */
    lua_pushnil(L); /* FAILURE */
}

void l_source_run(lua_State *L, l_source *s)
{
    s->collecting = l_collector_stop(L);
}

void l_source_close(lua_State *L, l_source *s)
{
    if (s->collecting)
        l_collector_start(L);
    if (s->failed && s->bad)
        luaL_error(L, "%s %s cannot be stored (at %s)", s->bad[0] == 'a' ? "an" : "a", s->bad,
                   s->bad_name);
    if (s->failed) {
        lua_pushvalue(L, slot(s, FAILURE));
        lua_error(L);
    }
    lua_settop(L, s->base - 1);
}
