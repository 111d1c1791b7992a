/* Limits on a script: the memory that Lua and documents allocate, and time. stop.c stops the code. */
#include "base/os.h"
#include "bindings.h"

static const char meter_key; /* registry key, which keeps the meter alive */

/* Counts the memory of a Lua state, and of documents opened since counting began. */
typedef struct meter {
    lua_Alloc alloc; /* the state's allocator */
    void *user;
    size_t used;
    size_t base;          /* bytes used by the tool itself when counting began */
    size_t limit;         /* for `used`; SIZE_MAX: no limit */
    size_t crowded;       /* collect garbage when `used` reaches this */
    size_t refused;       /* size that Lua was refused last, or 0 */
    bool refused_outside; /* an allocation of a document was refused */
} meter;

static void *lua_memory(void *user, void *ptr, size_t old_size, size_t new_size);

static meter *meter_of(lua_State *L)
{
    void *user;
    return lua_getallocf(L, &user) == lua_memory ? user : NULL;
}

/* Added to the limit when a script is stopped, for the error message. */
#define RESERVE ((size_t)1 << 20)

static bool has_room(const meter *m, size_t more)
{
    return m->used <= m->limit && more <= m->limit - m->used;
}

static void stop_script(meter *m)
{
    m->refused = 0;
    m->refused_outside = false;
    if (m->limit == SIZE_MAX || l_stop_over())
        return;
    m->limit += RESERVE;
    l_stop(L_STOP_MEMORY);
}

static void collect(lua_State *L)
{
    meter *m = meter_of(L);
    lua_gc(L, LUA_GCCOLLECT);
    if (!m || m->limit == SIZE_MAX)
        return;
    size_t memory = m->limit - m->base, least = m->base + memory / 4, next = m->used + memory / 8;
    m->crowded = next > least ? next : least;
}

/* Lua collects garbage if an allocation fails, except for buffers of its C functions; documents cannot collect. So
 * garbage is collected before the limit is reached. A collection takes time in proportion to the memory in use, so
 * one is done for each eighth of the limit that is allocated. */
static void grow(meter *m, size_t more)
{
    m->used += more;
    if (m->used >= m->crowded) {
        m->crowded = SIZE_MAX; /* until garbage is collected */
        l_stop_to_collect(collect);
    }
}

static void set_limit(meter *m, size_t memory)
{
    m->limit = memory ? m->base + memory : SIZE_MAX;
    m->crowded = memory ? m->base + memory / 4 : SIZE_MAX;
}

/* Refuses an allocation. Lua then collects garbage and repeats the request. If the next request has another size, the
 * failure was final. */
static bool refuse(meter *m, size_t size, size_t more)
{
    bool again = m->refused == size;
    if (m->refused && !again)
        stop_script(m);
    m->refused = 0;
    if (has_room(m, more))
        return false;
    if (again)
        stop_script(m);
    else
        m->refused = size;
    l_stop_note_places();
    return true;
}

/* The lua_Alloc function. */
static void *lua_memory(void *user, void *ptr, size_t old_size, size_t new_size)
{
    meter *m = user;
    size_t had = ptr ? old_size : 0; /* without ptr, old_size is a type tag */
    if (new_size > had && (m->refused || !has_room(m, new_size - had)) &&
        refuse(m, new_size, new_size - had))
        return NULL;
    void *got = m->alloc(m->user, ptr, old_size, new_size);
    if (new_size <= had)
        m->used -= got || new_size == 0 ? had - new_size : 0;
    else if (got)
        grow(m, new_size - had);
    return got;
}

/* The lathe_alloc function. The engine reports a refusal as a failure: see l_push_error. */
static void *document_memory(void *user, void *ptr, size_t old_size, size_t new_size)
{
    meter *m = user;
    mem outside = mem_default();
    if (new_size > old_size && !has_room(m, new_size - old_size)) {
        m->refused_outside = true;
        l_stop_note_places();
        return NULL;
    }
    void *got = outside.fn(outside.user, ptr, old_size, new_size);
    if (new_size <= old_size)
        m->used -= got || new_size == 0 ? old_size - new_size : 0;
    else if (got)
        grow(m, new_size - old_size);
    return got;
}

mem l_memory(lua_State *L)
{
    meter *m = meter_of(L);
    return m ? (mem){document_memory, m} : mem_default();
}

void l_memory_failed(lua_State *L)
{
    meter *m = meter_of(L);
    if (m && m->refused_outside)
        stop_script(m);
}

/* Called when the state closes. The meter is older than the documents that use it, so this runs after their
 * finalizers. Later frees use the state's own allocator. */
static int l_meter_gc(lua_State *L)
{
    meter *m = lua_touserdata(L, 1);
    if (meter_of(L) == m)
        lua_setallocf(L, m->alloc, m->user);
    return 0;
}

/* Starts counting on first use; it does not stop. */
static meter *start_meter(lua_State *L)
{
    meter *m = meter_of(L);
    if (m)
        return m;
    m = lua_newuserdatauv(L, sizeof *m, 0);
    *m = (meter){0};
    set_limit(m, 0);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, l_meter_gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &meter_key);
    lua_gc(L, LUA_GCCOLLECT);
    m->used = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
    m->base = m->used;
    m->alloc = lua_getallocf(L, &m->user);
    lua_setallocf(L, lua_memory, m);
    return m;
}

/* ---- calls with limits ----------------------------------------------------------------------- */

static void on_alarm(int number)
{
    (void)number;
    l_stop(L_STOP_TIME);
}

static size_t check_size(lua_State *L, int idx)
{
    lua_Integer size = luaL_checkinteger(L, idx);
    luaL_argcheck(L, size >= 0, idx, "negative");
    return (lua_Unsigned)size < PTRDIFF_MAX ? (size_t)size : PTRDIFF_MAX;
}

/* Pushes "memory" or "time", and a list of { chunk, line }, innermost function first. */
static void push_reason(lua_State *L, l_stop_reason reason)
{
    int count;
    const l_stop_place *places = l_stop_places(&count);
    lua_pushstring(L, reason == L_STOP_MEMORY ? "memory" : "time");
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushstring(L, places[i].chunk);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, places[i].line);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
}

/* limits.call(memory, seconds, fn, handler, ...): calls fn(...) like xpcall, and stops it when it exceeds the given
 * bytes or seconds (0: no limit). Returns nil and the results of xpcall; or, if a limit was exceeded, "memory" or
 * "time", and the place of the code. */
int l_limits_call(lua_State *L)
{
    l_stop_watch_state before;
    size_t memory = check_size(L, 1);
    lua_Number seconds = luaL_checknumber(L, 2);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    luaL_checktype(L, 4, LUA_TFUNCTION);
    luaL_checkstack(L, 8, NULL);
    lua_pushvalue(L, 4); /* below fn and its arguments, which begin at 5 */
    lua_pushvalue(L, 3);
    lua_rotate(L, 5, 2);
    mem m = mem_default();
    os_alarm *alarm = NULL;
    meter *counter = memory ? start_meter(L) : NULL;
    l_stop_watch(L, &before);
    if (seconds > 0 && !(alarm = os_alarm_start(&m, seconds, on_alarm))) {
        l_stop_unwatch(L, &before);
        return luaL_error(L, "the system has no timer for a limit on time");
    }
    if (counter)
        set_limit(counter, memory);
    int status = lua_pcall(L, lua_gettop(L) - 6, LUA_MULTRET, 5);
    os_alarm_stop(alarm);
    if (counter) {
        if (counter->refused)
            stop_script(counter);
        set_limit(counter, 0);
    }
    l_stop_reason over = l_stop_go_on();
    l_stop_unwatch(L, &before);
    if (over) {
        lua_settop(L, 5);
        push_reason(L, over);
        return 2;
    }
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 5);
    lua_pushnil(L);
    lua_insert(L, 5);
    return lua_gettop(L) - 4;
}
