/* Poses of animations, written. */
#include "bindings.h"
#include "scene/motion.h"

#include <math.h>
#include <string.h>

/* The frame that is meant: a whole number of those there are, or the one nearest to a time. */
static uint64_t frame_of(lua_State *L, const scene_clip *clip, int idx)
{
    uint64_t n = clip->facts.frame_count;
    int is_number;
    if (lua_type(L, idx) == LUA_TTABLE) {
        lua_getfield(L, idx, "time");
        lua_Number time = lua_tonumberx(L, -1, &is_number);
        luaL_argcheck(L, is_number && isfinite(time), idx, "a frame or {time = seconds} expected");
        lua_pop(L, 1);
        luaL_argcheck(L, n > 0, idx, "the animation has no frames");
        const model_when when = {.is_time = true, .at = time};
        double at = floor(model_when_frame(&when, &clip->facts) + 0.5);
        return at <= 0 ? 0 : at >= (double)(n - 1) ? n - 1 : (uint64_t)at;
    }
    lua_Integer frame = luaL_checkinteger(L, idx);
    if (frame < 0 || (uint64_t)frame >= n)
        luaL_argerror(L, idx,
                      lua_pushfstring(L, "frame %I is not in 0 .. %I", (LUAI_UACINT)frame,
                                      (LUAI_UACINT)n - 1));
    return (uint64_t)frame;
}

/* `t`, `q` or `s` of the table at idx into `out`: a list of n numbers, or x, y, z (and w). */
static bool take_numbers(lua_State *L, int idx, const char *name, int n, float *out)
{
    static const char *const axes[] = {"x", "y", "z", "w"};
    int type = lua_getfield(L, idx, name), is_number = 1;
    bool given = type != LUA_TNIL;
    if (given && type != LUA_TTABLE && type != LUA_TUSERDATA)
        luaL_argerror(L, idx, lua_pushfstring(L, "%s: %d numbers expected", name, n));
    for (int i = 0; given && i < n; i++) {
        if (lua_geti(L, -1, i + 1) == LUA_TNIL && type == LUA_TTABLE) {
            lua_pop(L, 1);
            lua_getfield(L, -1, axes[i]);
        }
        lua_Number v = lua_tonumberx(L, -1, &is_number);
        if (!is_number || !isfinite((float)v))
            luaL_argerror(L, idx, lua_pushfstring(L, "%s: %d finite numbers expected", name, n));
        out[i] = (float)v;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return given;
}

static void check_names(lua_State *L, int idx)
{
    lua_pushnil(L);
    while (lua_next(L, idx)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strcmp(name, "t") != 0 && strcmp(name, "q") != 0 && strcmp(name, "s") != 0)
            luaL_argerror(
                L, idx,
                lua_pushfstring(L, "no '%s' in a pose: t, q and s", luaL_tolstring(L, -2, NULL)));
        lua_pop(L, 1);
    }
}

/* Of length 1; a rotation without a direction is refused. One that has that length, as far as floats go, stays as it is:
 * what was read and is set again changes nothing. */
static void set_length(lua_State *L, int idx, float q[4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    luaL_argcheck(L, sum > 0 && isfinite(sum), idx, "q: a rotation other than 0 0 0 0 expected");
    for (int i = 0; fabs(sum - 1) > 1e-6 && i < 4; i++)
        q[i] = (float)((double)q[i] / sqrt(sum));
}

static void open_track(lua_State *L, const l_object *o, scene_clip *clip)
{
    l_clip_open(L, o, clip);
    if (o->track >= clip->facts.track_count)
        luaL_error(L, "track %I was removed", (LUAI_UACINT)o->track + 1);
}

/* Track:set */
int l_track_set(lua_State *L)
{
    const l_object *o = l_check_object(L, 1, L_TRACK);
    scene_clip clip;
    lathe_error err;
    float row[MODEL_POSE];
    luaL_checktype(L, 3, LUA_TTABLE);
    check_names(L, 3);
    open_track(L, o, &clip);
    uint64_t frame = frame_of(L, &clip, 2);
    float given[MODEL_POSE];
    bool t = take_numbers(L, 3, "t", 3, given), q = take_numbers(L, 3, "q", 4, given + 3);
    bool s = take_numbers(L, 3, "s", 3, given + 7);
    if (q)
        set_length(L, 3, given + 3);
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    open_track(L, o, &clip); /* a field of the tables may have run a finalizer */
    const model_when when = {.at = (double)frame};
    lathe_result r = rec_begin(doc, &err);
    if (r == LATHE_OK) {
        r = scene_clip_sample(&clip, &when, NULL, o->track, 1, row, &err);
        if (t)
            memcpy(row, given, 3 * sizeof *row);
        if (q)
            memcpy(row + 3, given + 3, 4 * sizeof *row);
        if (s)
            memcpy(row + 7, given + 7, 3 * sizeof *row);
        if (r == LATHE_OK)
            r = scene_motion_set_row(&clip, frame, o->track, row, &err);
        r = rec_end(doc, r, &err);
    }
    if (r != LATHE_OK)
        return l_fail_or_raise(L, &err);
    lua_pushinteger(L, (lua_Integer)frame);
    return 1;
}
