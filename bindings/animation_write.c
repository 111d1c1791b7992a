/* Setting poses of animations. */
#include "bindings.h"

#include <math.h>
#include <string.h>

/* The frame for a number or a time: an existing frame, or the one nearest to the time. */
static uint64_t frame_of(lua_State *L, const l_object *o, uint64_t n, int idx)
{
    lathe_error err;
    uint64_t nearest;
    int is_number;
    if (lua_type(L, idx) == LUA_TTABLE) {
        lua_getfield(L, idx, "time");
        lua_Number time = lua_tonumberx(L, -1, &is_number);
        luaL_argcheck(L, is_number && isfinite(time), idx, "a frame or {time = seconds} expected");
        lua_pop(L, 1);
        luaL_argcheck(L, n > 0, idx, "the animation has no frames");
        if (lathe_clip_frame_at(l_doc_check_open(L, o->owner), o->index, time, &nearest, &err) !=
            LATHE_OK)
            l_raise(L, &err);
        return nearest;
    }
    lua_Integer frame = luaL_checkinteger(L, idx);
    if (frame < 0 || (uint64_t)frame >= n)
        luaL_argerror(L, idx,
                      lua_pushfstring(L, "frame %I is not in 0 .. %I", (LUAI_UACINT)frame,
                                      (LUAI_UACINT)n - 1));
    return (uint64_t)frame;
}

/* Reads `t`, `q` or `s` of the table at idx: a list of n numbers, or x, y, z (and w). */
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

/* Raises for a rotation of length 0. */
static void check_rotation(lua_State *L, int idx, const float q[4])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)q[i] * (double)q[i];
    luaL_argcheck(L, sum > 0 && isfinite(sum), idx, "q: a rotation other than 0 0 0 0 expected");
}

/* The number of frames of the track's animation. */
static uint64_t frames_of(lua_State *L, const l_object *o)
{
    lathe_clip_info clip;
    l_clip_describe(L, o, &clip);
    if (o->track >= clip.tracks)
        luaL_error(L, "track %I was removed", (LUAI_UACINT)o->track + 1);
    return clip.frames;
}

/* Track:set */
int l_track_set(lua_State *L)
{
    const l_object *o = l_check_object(L, 1, L_TRACK);
    lathe_error err;
    float row[LATHE_POSE] = {0};
    unsigned fields = 0;
    luaL_checktype(L, 3, LUA_TTABLE);
    check_names(L, 3);
    uint64_t frame = frame_of(L, o, frames_of(L, o), 2);
    if (take_numbers(L, 3, "t", 3, row))
        fields |= LATHE_BONE_TRANSLATION;
    if (take_numbers(L, 3, "q", 4, row + 3))
        fields |= LATHE_BONE_ROTATION;
    if (take_numbers(L, 3, "s", 3, row + 7))
        fields |= LATHE_BONE_SCALE;
    if (fields & LATHE_BONE_ROTATION)
        check_rotation(L, 3, row + 3);
    frames_of(L, o); /* reading the tables may have run a finalizer */
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    lathe_result r = lathe_clip_set(doc, o->index, frame, o->track, fields, row, &err);
    if (r != LATHE_OK)
        return l_fail_or_raise(L, &err);
    lua_pushinteger(L, (lua_Integer)frame);
    return 1;
}
