/* Collects the report of a verb during a call, then converts it to a table. */
#include "bindings.h"

#include <string.h>

static void note_skipped(void *user, const char *path, const char *reason)
{
    l_collect *c = ((l_report *)user)->skipped;
    l_collect_text(c, path ? path : "", path ? strlen(path) : 0);
    l_collect_text(c, reason ? reason : "", reason ? strlen(reason) : 0);
    c->n++;
}

static void note_result(void *user, const char *name, const lathe_value *value)
{
    l_collect *c = ((l_report *)user)->results;
    l_collect_text(c, name, strlen(name));
    l_collect_put(c, value, sizeof *value);
    if (value->kind == LATHE_KIND_STRING)
        l_collect_text(c, value->as.s.p, value->as.s.n);
    c->n++;
}

void l_report_open(lua_State *L, l_report *report)
{
    report->skipped = l_push_collect(L);
    report->results = l_push_collect(L);
    report->api = (lathe_report){
        .size = sizeof report->api, .user = report, .skipped = note_skipped, .result = note_result};
}

void l_report_done(l_report *report)
{
    l_collect_done(report->skipped);
    l_collect_done(report->results);
}

bool l_report_failed(const l_report *report)
{
    return report->skipped->failed || report->results->failed;
}

void l_report_push_skipped(lua_State *L, const l_report *report)
{
    const l_collect *c = report->skipped;
    size_t pos = 0, n;
    lua_createtable(L, c->n < INT32_MAX ? (int)c->n : 0, 0);
    for (size_t i = 0; i < c->n; i++) {
        lua_createtable(L, 0, 2);
        const char *text = l_collect_take_text(c, &pos, &n);
        lua_pushlstring(L, text, n);
        lua_setfield(L, -2, "path");
        text = l_collect_take_text(c, &pos, &n);
        lua_pushlstring(L, text, n);
        lua_setfield(L, -2, "reason");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "skipped");
}

/* Adds the value on top to the table of results below it. A name with several values, or with `lists` every name,
 * gets a list. */
static void add_result(lua_State *L, const char *name, size_t length, bool lists)
{
    int results = lua_gettop(L) - 1;
    lua_pushlstring(L, name, length);
    lua_pushvalue(L, -1);
    int there = lua_rawget(L, results);
    if (there == LUA_TNIL && lists) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, results);
        there = LUA_TTABLE;
    }
    switch (there) {
    case LUA_TNIL: /* stack: value, name, nil */
        lua_pop(L, 1);
        lua_insert(L, -2);
        lua_rawset(L, results);
        return;
    case LUA_TTABLE: /* stack: value, name, list */ break;
    default: /* stack: value, name, first value */
        lua_createtable(L, 2, 0);
        lua_insert(L, -2);
        lua_rawseti(L, -2, 1);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, results);
        break;
    }
    lua_pushvalue(L, -3);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_settop(L, results);
}

/* Whether a result is always a list, even of one text. */
static bool is_list(const char *name, size_t n)
{
    return (n == 5 && memcmp(name, "notes", 5) == 0) ||
           (n == 7 && memcmp(name, "classes", 7) == 0) ||
           (n == 8 && memcmp(name, "warnings", 8) == 0);
}

/* Whether a result is never a list: what a verb has made. */
static bool is_one(const char *name, size_t n)
{
    static const char *const names[] = {"id", "state", "transition", "clip", NULL};
    size_t i = 0;
    while (names[i] && (strlen(names[i]) != n || memcmp(names[i], name, n) != 0))
        i++;
    return names[i] != NULL;
}

void l_report_add_results(lua_State *L, const l_report *report, int handle, const l_doc *owner,
                          bool lists)
{
    const l_collect *c = report->results;
    size_t pos = 0, n;
    for (size_t i = 0; i < c->n; i++) {
        lathe_value value;
        const char *name = l_collect_take_text(c, &pos, &n);
        l_collect_take(c, &pos, &value, sizeof value);
        if (value.kind == LATHE_KIND_STRING)
            value.as.s.p = l_collect_take_text(c, &pos, &value.as.s.n);
        if (owner)
            l_doc_check_open(L, owner); /* the type of a view is looked up in the document */
        l_push_value(L, handle, &value);
        add_result(L, name, n, is_list(name, n) || (lists && !is_one(name, n)));
    }
}

int l_report_push_table(lua_State *L, const l_report *report, int handle, const l_doc *owner)
{
    if (!report->skipped->n && !report->results->n)
        return 0;
    l_collect_check(L, report->skipped);
    l_collect_check(L, report->results);
    lua_newtable(L);
    l_report_push_skipped(L, report);
    l_report_add_results(L, report, handle, owner, false);
    return 1;
}
