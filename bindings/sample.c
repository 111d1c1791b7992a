/* Samples of animations: one track, all tracks, all frames. */
#include "bindings.h"

#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------- */

enum { WITH_TIME = 1, WITH_SKELETON = 2 };

static bool is_known(const char *name, unsigned which)
{
    return (which & WITH_TIME && (strcmp(name, "time") == 0 || strcmp(name, "frame") == 0)) ||
           (which & WITH_SKELETON && strcmp(name, "skeleton") == 0);
}

/* Adds the options in the table at idx to those in the table at `to`. */
static void add_options(lua_State *L, int idx, int to, unsigned which)
{
    l_open_copy(L, idx); /* copies have no options; the check below reports that */
    lua_pushnil(L);
    while (lua_next(L, idx)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (!name || !is_known(name, which))
            luaL_argerror(L, idx,
                          lua_pushfstring(L, "no option '%s'", luaL_tolstring(L, -2, NULL)));
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, to);
    }
}

/* A request: one track, all tracks, or all tracks of all frames. */
typedef struct job {
    const l_object *object;
    lathe_sampling how;
    bool all_tracks, all_frames;
    uint64_t tracks, frames; /* numbers for which `out` has room */
    float *out;
} job;

static int width_of(const job *j)
{
    return j->how.kind == LATHE_FLOAT_TRACKS ? 1 : LATHE_POSE;
}

/* Pushes one table with all options and returns its index: (2, {skeleton = …}) becomes {frame = 2, skeleton = …}.
 * Returns 0 if j->how has all of them. when: stack index of a frame or a table, or 0; opts: of a table or nil. */
static int push_options(lua_State *L, int when, int opts, job *j)
{
    int type = when ? lua_type(L, when) : LUA_TNIL;
    unsigned pose = j->how.kind == LATHE_FLOAT_TRACKS ? 0 : WITH_SKELETON;
    if (when && type != LUA_TNUMBER && type != LUA_TTABLE)
        luaL_typeerror(L, when, "frame, {time =} or {frame =}");
    if (type == LUA_TNUMBER)
        j->how.at = lua_tonumber(L, when);
    if (type != LUA_TTABLE && lua_isnoneornil(L, opts))
        return 0;
    lua_newtable(L);
    int all = lua_gettop(L);
    if (type == LUA_TNUMBER) {
        lua_pushvalue(L, when);
        lua_setfield(L, all, "frame");
    } else if (type == LUA_TTABLE) {
        add_options(L, when, all, WITH_TIME | pose);
    }
    if (!lua_isnoneornil(L, opts)) {
        luaL_checktype(L, opts, LUA_TTABLE);
        add_options(L, opts, all, pose);
    }
    return all;
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* Reads the numbers of tracks and frames of the animation. */
static void count(lua_State *L, job *j)
{
    lathe_clip_info clip;
    l_clip_describe(L, j->object, &clip);
    j->tracks = j->how.kind == LATHE_FLOAT_TRACKS ? clip.float_tracks : clip.tracks;
    j->frames = clip.frames;
}

/* Whether the allocated room still matches these numbers. */
static bool still_fits(const job *j)
{
    lathe_clip_info clip = {.size = sizeof clip};
    if (lathe_clip_describe(j->object->owner->doc, j->object->index, &clip, NULL) != LATHE_OK)
        return true;
    uint64_t tracks = j->how.kind == LATHE_FLOAT_TRACKS ? clip.float_tracks : clip.tracks;
    return tracks == j->tracks && (!j->all_frames || clip.frames == j->frames);
}

static lathe_result run(const job *j, lathe_error *err)
{
    lathe_doc *doc = j->object->owner->doc;
    uint64_t clip = j->object->index, width = (uint64_t)width_of(j), row = j->tracks * width;
    if (!j->all_tracks)
        return lathe_clip_sample(doc, clip, &j->how, j->object->track, 1, j->out, width, err);
    lathe_result r = j->all_frames
                         ? lathe_clip_decode(doc, clip, &j->how, j->out, j->frames * row, err)
                         : lathe_clip_sample(doc, clip, &j->how, 0, LATHE_ALL, j->out, row, err);
    if (r == LATHE_ERR_RANGE && !still_fits(j))
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                         "the document was changed by a finalizer");
    return r;
}

static lathe_result run_with(lua_State *L, job *j, int idx, lathe_error *err)
{
    l_source source;
    l_source_open(L, &source, idx);
    l_doc_check_open(L, j->object->owner);
    l_source_run(L, &source);
    j->how.args = &source.api;
    lathe_result r = run(j, err);
    l_source_close(L, &source);
    return r;
}

/* Samples with the options in the table at idx (0: none). False: nil and an error are pushed. */
static bool do_job(lua_State *L, job *j, int idx)
{
    lathe_error err;
    l_doc_check_open(L, j->object->owner);
    lathe_result r = idx ? run_with(L, j, idx, &err) : run(j, &err);
    if (r != LATHE_OK)
        l_fail_or_raise(L, &err);
    return r == LATHE_OK;
}

/* Checks the animation before memory is allocated. False: nil and an error are pushed. */
static bool ready(lua_State *L, const l_object *o)
{
    lathe_error err;
    lathe_result r = lathe_clip_ready(l_doc_check_open(L, o->owner), o->index, &err);
    if (r != LATHE_OK)
        l_fail_or_raise(L, &err);
    return r == LATHE_OK;
}

static void push_numbers(lua_State *L, const float *numbers, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, (lua_Number)numbers[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Track:sample */
int l_track_sample(lua_State *L)
{
    float row[LATHE_POSE] = {0};
    job j = {.object = l_check_object(L, 1, L_TRACK),
             .how = {.size = sizeof(lathe_sampling)},
             .out = row};
    lua_settop(L, 3);
    int options = push_options(L, 2, 3, &j);
    if (!do_job(L, &j, options))
        return 2;
    push_numbers(L, row, 3);
    push_numbers(L, row + 3, 4);
    push_numbers(L, row + 7, 3);
    return 3;
}

/* Pushes the buffer at idx, or a new one if there is none (or idx is 0). */
static l_buffer *push_rows(lua_State *L, int idx, uint64_t rows, int columns)
{
    if (rows > SIZE_MAX)
        luaL_error(L, "not enough memory");
    if (!idx || lua_isnoneornil(L, idx))
        return l_push_room(L, LATHE_ELEM_F32, (size_t)rows, (size_t)columns);
    l_buffer *b = l_check_buffer(L, idx);
    if (b->elem != LATHE_ELEM_F32 || b->rows != rows || b->columns != (size_t)columns)
        luaL_argerror(L, idx,
                      lua_pushfstring(L, "f32 of %I rows by %d columns expected, got %s %I by %I",
                                      (LUAI_UACINT)rows, columns, l_elem_name(b->elem),
                                      (LUAI_UACINT)b->rows, (LUAI_UACINT)b->columns));
    lua_pushvalue(L, idx);
    return b;
}

/* Samples all tracks at a time: of bones or floats. */
static int sample_all(lua_State *L, lathe_tracks kind)
{
    job j = {.object = l_check_object(L, 1, L_ANIMATION),
             .how = {.size = sizeof(lathe_sampling)},
             .all_tracks = true};
    j.how.kind = kind;
    lua_settop(L, 4);
    int options = push_options(L, 2, 4, &j);
    count(L, &j);
    if (!ready(L, j.object))
        return 2;
    j.out = (float *)(void *)push_rows(L, 3, j.tracks, width_of(&j))->data;
    int result = lua_gettop(L);
    if (!do_job(L, &j, options))
        return 2;
    lua_settop(L, result);
    return 1;
}

/* Samples all tracks of all frames. Arguments: (buffer, options), (buffer) or (options). */
static int decode_all(lua_State *L, lathe_tracks kind)
{
    job j = {.object = l_check_object(L, 1, L_ANIMATION),
             .how = {.size = sizeof(lathe_sampling)},
             .all_tracks = true,
             .all_frames = true};
    bool floats = kind == LATHE_FLOAT_TRACKS;
    j.how.kind = kind;
    int buffer = l_class_of(L, 2) == L_BUFFER ? 2 : 0;
    lua_settop(L, 3);
    if (!buffer && (floats || !lua_isnil(L, 3)))
        buffer = 2; /* it must be a buffer */
    int options = floats ? 0 : push_options(L, 0, buffer ? 3 : 2, &j);
    count(L, &j);
    if (!ready(L, j.object))
        return 2;
    if (j.tracks && j.frames > SIZE_MAX / j.tracks)
        return luaL_error(L, "not enough memory");
    j.out = (float *)(void *)push_rows(L, buffer, j.frames * j.tracks, width_of(&j))->data;
    int result = lua_gettop(L);
    if (!do_job(L, &j, options))
        return 2;
    lua_settop(L, result);
    return 1;
}

/* Animation:sample */
int l_animation_sample(lua_State *L)
{
    return sample_all(L, LATHE_BONE_TRACKS);
}

/* Animation:decode */
int l_animation_decode(lua_State *L)
{
    return decode_all(L, LATHE_BONE_TRACKS);
}

/* FloatTrack:sample */
int l_float_track_sample(lua_State *L)
{
    float value = 0;
    job j = {.object = l_check_object(L, 1, L_FLOAT_TRACK),
             .how = {.size = sizeof(lathe_sampling)},
             .out = &value};
    j.how.kind = LATHE_FLOAT_TRACKS;
    lua_settop(L, 3);
    int options = push_options(L, 2, 3, &j);
    if (!do_job(L, &j, options))
        return 2;
    lua_pushnumber(L, (lua_Number)value);
    return 1;
}

/* Animation:sample_floats */
int l_animation_sample_floats(lua_State *L)
{
    return sample_all(L, LATHE_FLOAT_TRACKS);
}

/* Animation:decode_floats */
int l_animation_decode_floats(lua_State *L)
{
    return decode_all(L, LATHE_FLOAT_TRACKS);
}

/* Animation:times */
int l_animation_times(lua_State *L)
{
    const l_object *o = l_check_object(L, 1, L_ANIMATION);
    lathe_clip_info clip;
    lathe_error err;
    l_clip_describe(L, o, &clip);
    if (!ready(L, o))
        return 2;
    uint64_t n = clip.frames;
    if (n > SIZE_MAX)
        return luaL_error(L, "not enough memory");
    l_buffer *b = l_push_buffer(L, LATHE_ELEM_F64, (size_t)n, 1);
    l_clip_describe(L, o, &clip); /* the allocation may have run a finalizer */
    if (clip.frames != n)
        return luaL_error(L, "the document was changed by a finalizer");
    if (lathe_clip_times(o->owner->doc, o->index, (double *)(void *)b->data, n, &err) != LATHE_OK)
        return l_fail_or_raise(L, &err);
    return 1;
}

static void push_axis(lua_State *L, const double axis[3])
{
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, axis[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Animation:axes */
int l_animation_axes(lua_State *L)
{
    const l_object *o = l_check_object(L, 1, L_ANIMATION);
    lathe_clip_info clip;
    lathe_error err;
    double up[3], forward[3];
    l_clip_describe(L, o, &clip);
    if (lathe_clip_axes(o->owner->doc, o->index, up, forward, &err) != LATHE_OK)
        return l_fail_or_raise(L, &err);
    push_axis(L, up);
    push_axis(L, forward);
    return 2;
}
