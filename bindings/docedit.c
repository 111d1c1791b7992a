/* Documents: transactions, checks, and access by path or offset. */
#include "bindings.h"

#include <string.h>

/* ---- edits ----------------------------------------------------------------------------------- */

/* Document:edit */
int l_document_edit(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    lathe_doc *doc = d->doc;
    lathe_error err;
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    if (rec_begin(doc, &err) != LATHE_OK)
        return l_raise(L, &err);
    /* pcall without continuation, so that a coroutine cannot yield and leave the edit open */
    int status = lua_pcall(L, 1, LUA_MULTRET, 0);
    bool closed = d->doc != doc;
    if (!closed) {
        lathe_result r = rec_end(doc, status == LUA_OK ? LATHE_OK : LATHE_ERR_STATE, &err);
        if (status == LUA_OK && r != LATHE_OK)
            return l_raise(L, &err);
    }
    if (status != LUA_OK)
        return lua_error(L);
    if (closed)
        return luaL_error(L, "document was closed inside its own edit");
    return lua_gettop(L) - 1;
}

static int step(lua_State *L, int direction)
{
    enum { MOST = 1 << 20 };
    l_doc *d = l_check_document(L, 1);
    lua_Integer steps = luaL_optinteger(L, 2, 1);
    luaL_argcheck(L, steps >= 1 && steps <= MOST, 2, "a number of steps expected");
    lua_pushboolean(L, lathe_edit_undo(d->doc, direction * (int)steps));
    return 1;
}

/* Document:undo */
int l_document_undo(lua_State *L)
{
    return step(L, 1);
}

/* Document:redo */
int l_document_redo(lua_State *L)
{
    return step(L, -1);
}

/* core.history(doc, steps): the number of its content; and with `steps` the numbers that undo and that redo lead to, the
 * next one first. Each content that a document has had has a number. For a host that names steps. */
int l_core_history(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    uint64_t state = 0;
    rec_history_state(d->doc, 0, &state);
    lua_pushinteger(L, (lua_Integer)state);
    if (!lua_toboolean(L, 2))
        return 1;
    for (int direction = 1; direction >= -1; direction -= 2) {
        lua_newtable(L);
        for (lua_Integer i = 1; rec_history_state(d->doc, direction * i, &state); i++) {
            lua_pushinteger(L, (lua_Integer)state);
            lua_rawseti(L, -2, i);
        }
    }
    return 3;
}

/* core.mark_modified(doc): makes it count as modified until it is saved. For a host that opens bytes which differ from those
 * of the file. */
int l_core_mark_modified(lua_State *L)
{
    rec_doc_mark_modified(l_check_document(L, 1)->doc);
    return 0;
}

/* ---- check ----------------------------------------------------------------------------------- */

/* Stores a finding, without the unused space of lathe_error. */
static bool note_finding(void *user, const lathe_error *e)
{
    l_collect *c = user;
    l_collect_put(c, &e->code, sizeof e->code);
    l_collect_put(c, &e->level, sizeof e->level);
    l_collect_put(c, &e->offset, sizeof e->offset);
    l_collect_text(c, e->path, strlen(e->path));
    l_collect_text(c, e->where, strlen(e->where));
    l_collect_text(c, e->message, strlen(e->message));
    c->n++;
    return !c->failed;
}

static void take_text(const l_collect *c, size_t *pos, char *to)
{
    size_t n;
    const char *text = l_collect_take_text(c, pos, &n);
    memcpy(to, text, n); /* it fits, since it came from an array of the same size */
    to[n] = 0;
}

static void push_findings(lua_State *L, const l_collect *c)
{
    size_t pos = 0;
    lua_createtable(L, c->n < 1 << 20 ? (int)c->n : 0, 0);
    for (size_t i = 0; i < c->n; i++) {
        lathe_error e;
        l_collect_take(c, &pos, &e.code, sizeof e.code);
        l_collect_take(c, &pos, &e.level, sizeof e.level);
        l_collect_take(c, &pos, &e.offset, sizeof e.offset);
        take_text(c, &pos, e.path);
        take_text(c, &pos, e.where);
        take_text(c, &pos, e.message);
        l_push_error(L, &e);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Document:check */
int l_document_check(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    l_input in;
    lua_settop(L, 2);
    if (!lua_isnil(L, 2))
        luaL_checktype(L, 2, LUA_TTABLE);
    l_collect *c = l_push_collect(L);
    l_input_open(L, &in, 2, d);
    lathe_result r =
        lathe_doc_check_with(d->doc, lua_isnil(L, 2) ? NULL : &in.api, note_finding, c);
    l_input_close(L, &in);
    l_collect_check(L, c);
    if (r == LATHE_OK)
        lua_pushboolean(L, 1);
    else
        lua_pushnil(L);
    push_findings(L, c);
    return 2;
}

/* ---- by path --------------------------------------------------------------------------------- */

/* The last step of a path; the path before it is pushed. */
typedef struct last {
    const char *parent, *name;
    lua_Integer index; /* 0: the step is a name or a key */
    rec_key key;
    bool keyed; /* `key` is set, from quotes */
} last;

/* Decodes a key in quotes, and pushes it. */
static bool split_key(lua_State *L, const l_doc *d, const char *p, last *out)
{
    l_collect *c = l_push_collect(L);
    l_doc_check_open(L, d);
    if (!rec_path_key(&p, &c->bytes) || *p)
        return false;
    out->key.p =
        lua_pushlstring(L, c->bytes.size ? (const char *)c->bytes.data : "", c->bytes.size);
    out->key.n = c->bytes.size;
    out->keyed = true;
    return true;
}

/* Splits a path. False: the last step is malformed. */
static bool split(lua_State *L, const l_doc *d, const char *path, last *out)
{
    const char *p = rec_path_last(path);
    *out = (last){.parent = lua_pushlstring(L, path, (size_t)(p - path))};
    if (!*p)
        return false;
    if (*p != '[') {
        out->name = p + (*p == '.');
        return true;
    }
    p++;
    if (*p == '"' || *p == '\'')
        return split_key(L, d, p, out);
    for (; *p >= '0' && *p <= '9' && out->index <= LUA_MAXINTEGER / 16; p++)
        out->index = out->index * 10 + (*p - '0');
    return p[0] == ']' && !p[1];
}

/* Whether the step is a key: a name after a keyed array is one, too. */
static bool is_key(const lathe_value *place, last *step)
{
    if (place->kind != LATHE_KIND_ARRAY || !l_array_keyed(&place->as.v))
        return false;
    if (step->name && !step->keyed)
        step->key = (rec_key){step->name, strlen(step->name)};
    return step->keyed || step->name;
}

/* Document:get */
int l_document_get(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    const char *path = luaL_checkstring(L, 2);
    lathe_value value;
    lathe_error err;
    last step;
    bool splits = split(L, d, path, &step);
    l_doc_check_open(L, d);
    if (splits && lathe_view_at(*l_doc_root(d), step.parent, &value, NULL) == LATHE_OK &&
        is_key(&value, &step)) /* a merged key has no single place */
        return l_push_key(L, 1, d, &value.as.v, step.key, &err) == LATHE_OK ? 1 : l_fail(L, &err);
    if (lathe_view_at(*l_doc_root(d), path, &value, &err) != LATHE_OK)
        return l_fail(L, &err);
    l_push_value(L, 1, &value);
    return 1;
}

static lathe_result set_at(l_doc *d, const char *path, last *step, const l_input *in,
                           lathe_error *err)
{
    lathe_value place, before;
    lathe_result r = lathe_view_at(*l_doc_root(d), step->parent, &place, err);
    if (r != LATHE_OK)
        return r;
    lathe_view *view = &place.as.v;
    if (is_key(&place, step))
        return l_array_put_key(d, view, step->key, in, err);
    if (step->keyed) /* for its error */
        return lathe_view_at(*l_doc_root(d), path, &before, err);
    if (!step->name && place.kind == LATHE_KIND_ARRAY)
        return l_array_put(d, view, step->index, in, err);
    if (place.kind == LATHE_KIND_RECORD && !step->name) { /* a component of a vector */
        r = lathe_view_item(*view, (uint64_t)step->index - 1, &before, err);
        return r == LATHE_OK ? l_store_field(d, view, (uint32_t)step->index - 1, in, err) : r;
    }
    if (place.kind != LATHE_KIND_RECORD)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no field or element after '%s'",
                         step->parent);
    uint32_t row = rec_slot_find(view->type, step->name);
    if (row == REC_NO_SLOT) /* for its error with the nearest name */
        return lathe_view_get(*view, step->name, &before, err);
    return l_store_field(d, view, row, in, err);
}

/* Document:set */
int l_document_set(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    const char *path = luaL_checkstring(L, 2);
    l_input in;
    lathe_error err;
    last step;
    lua_settop(L, 3);
    if (!split(L, d, path, &step)) {
        error_set(&err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "'%s' is not a path to a field or element",
                  path);
        return l_fail(L, &err);
    }
    l_input_open(L, &in, 3, d);
    lathe_result r = set_at(d, path, &step, &in, &err);
    l_input_close(L, &in);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    l_doc_check_open(L, d);
    lua_pushcfunction(L, l_document_get);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    if (!lua_toboolean(L, -1))
        lua_pushboolean(L, 1);
    return 1;
}

/* Document:at */
int l_document_at(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    lua_Integer offset = luaL_checkinteger(L, 2);
    lathe_view view;
    const char *field = NULL;
    lathe_error err;
    luaL_argcheck(L, offset >= 0, 2, "an offset is not negative");
    l_hold *hold = l_push_hold(L, d); /* the name may belong to the document */
    if (lathe_doc_at(d->doc, (uint64_t)offset, &view, &field, &err) != LATHE_OK)
        return l_fail(L, &err);
    l_push_view(L, 1, &view);
    lua_pushstring(L, field); /* NULL gives nil */
    l_unhold(hold);
    return 2;
}
