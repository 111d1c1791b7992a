/* Animations of any format, and their tracks: `doc.animations[i]`, `anim.tracks[i]`. */
#include "bindings.h"

/* ---- opening --------------------------------------------------------------------------------- */

/* Raises if the animation was removed or cannot be read. */
static void check(lua_State *L, const l_object *o, lathe_result r, const lathe_error *err)
{
    if (r == LATHE_ERR_NAME)
        luaL_error(L, "animation %I was removed", (LUAI_UACINT)o->index + 1);
    if (r != LATHE_OK)
        l_raise(L, err);
}

void l_clip_describe(lua_State *L, const l_object *o, lathe_clip_info *info)
{
    lathe_error err;
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    info->size = sizeof *info;
    check(L, o, lathe_clip_describe(doc, o->index, info, &err), &err);
}

lathe_view l_clip_source(lua_State *L, const l_object *o)
{
    lathe_error err;
    lathe_view source;
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    check(L, o, lathe_list_item(doc, LATHE_ANIMATIONS, o->index, &source, &err), &err);
    return source;
}

lathe_view l_animation_source(lua_State *L, int idx, l_doc **owner)
{
    const l_object *o = l_check_object(L, idx, L_ANIMATION);
    *owner = o->owner;
    return l_clip_source(L, o);
}

/* ---- members with a function of their own ---------------------------------------------------- */

static void push_motion(lua_State *L, const l_object *o)
{
    lathe_clip_info clip;
    lathe_error err;
    l_clip_describe(L, o, &clip);
    if (!clip.has_motion) {
        lua_pushnil(L);
        return;
    }
    if (lathe_clip_ready(o->owner->doc, o->index, &err) != LATHE_OK)
        l_raise(L, &err);
    uint64_t n = clip.frames;
    if (n > SIZE_MAX)
        luaL_error(L, "not enough memory");
    l_buffer *b = l_push_buffer(L, LATHE_ELEM_F32, (size_t)n, LATHE_MOTION);
    l_clip_describe(L, o, &clip); /* the allocation may have run a finalizer */
    if (!clip.has_motion || clip.frames != n)
        luaL_error(L, "the document was changed by a finalizer");
    if (lathe_clip_motion(o->owner->doc, o->index, (float *)(void *)b->data, n * LATHE_MOTION,
                          &err) != LATHE_OK)
        l_raise(L, &err);
}

static void push_binding(lua_State *L, const l_object *o)
{
    lathe_view binding;
    lathe_error err;
    if (lathe_clip_binding(o->owner->doc, o->index, &binding, &err) != LATHE_OK)
        l_raise(L, &err);
    if (binding.doc)
        l_push_view(L, 1, &binding);
    else
        lua_pushnil(L);
}

static void push_linked(lua_State *L, const l_object *o)
{
    const l_object rig = {.index = LATHE_LINKED};
    lathe_skeleton_info info = {.size = sizeof info};
    if (lathe_skeleton_describe(o->owner->doc, LATHE_LINKED, &info, NULL) == LATHE_OK)
        l_push_object(L, 1, &rig, L_SKELETON);
    else
        lua_pushnil(L);
}

/* ---- animations ------------------------------------------------------------------------------ */

enum {
    NAME,
    DURATION,
    FRAME_COUNT,
    LOOPING,
    ABSOLUTE,
    BLEND_HINT,
    SKELETON_NAME,
    TRACKS,
    FLOAT_TRACKS,
    ANNOTATIONS,
    ROOT_MOTION,
    BINDING,
    SKELETON,
    SOURCE
};
static const char *const members[] = {
    "name",        "duration",      "frame_count", "looping",      "absolute",
    "blend_hint",  "skeleton_name", "tracks",      "float_tracks", "annotations",
    "root_motion", "binding",       "skeleton",    "source",       NULL};
static const luaL_Reg methods[] = {{"sample", l_animation_sample},
                                   {"decode", l_animation_decode},
                                   {"times", l_animation_times},
                                   {"axes", l_animation_axes},
                                   {"sample_floats", l_animation_sample_floats},
                                   {"decode_floats", l_animation_decode_floats},
                                   {NULL, NULL}};

bool l_animation_has(const char *name)
{
    for (const char *const *m = members; *m; m++)
        if (strcmp(*m, name) == 0)
            return true;
    return false;
}

static void push_member(lua_State *L, const l_object *o, lua_Integer member)
{
    lathe_clip_info clip;
    lathe_view source;
    l_clip_describe(L, o, &clip);
    switch (member) {
    case NAME: lua_pushstring(L, clip.name); break; /* NULL: nil */
    case DURATION: lua_pushnumber(L, clip.duration); break;
    case FRAME_COUNT: lua_pushinteger(L, (lua_Integer)clip.frames); break;
    case LOOPING: lua_pushboolean(L, clip.looping); break;
    case ABSOLUTE: lua_pushboolean(L, clip.absolute); break;
    case BLEND_HINT: lua_pushstring(L, clip.blend_hint); break;
    case SKELETON_NAME: lua_pushstring(L, clip.skeleton_name); break;
    case TRACKS: l_push_list(L, 1, L_TRACK, o->index); break;
    case FLOAT_TRACKS: l_push_list(L, 1, L_FLOAT_TRACK, o->index); break;
    case ANNOTATIONS: l_push_list(L, 1, L_ANNOTATION, o->index); break;
    case ROOT_MOTION: push_motion(L, o); break;
    case BINDING: push_binding(L, o); break;
    case SKELETON: push_linked(L, o); break;
    default:
        source = l_clip_source(L, o);
        l_push_source(L, 1, &source);
        break;
    }
}

/* Upvalue 1: methods, and the numbers of members. Other names are verbs of the animation's record. */
static int l_animation_index(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    l_doc_check_open(L, o->owner);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TNUMBER)
        push_member(L, o, lua_tointeger(L, -1));
    if (found != LUA_TNIL)
        return 1;
    if (lua_type(L, 2) != LUA_TSTRING)
        return l_no_member(L, L_ANIMATION, methods, members, NULL);
    lathe_view source = l_clip_source(L, o);
    const rec_verb *verb = rec_verb_find(source, lua_tostring(L, 2));
    if (!verb)
        return l_no_member(L, L_ANIMATION, methods, members,
                           ((const rec_layout *)source.type)->type);
    l_push_verb(L, verb);
    return 1;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

enum { NAME_OR_BONE, INDEX };
static const char *const track_members[] = {"bone", "bone_index", NULL};
static const char *const float_members[] = {"name", "slot_index", NULL};
static const luaL_Reg track_methods[] = {
    {"sample", l_track_sample}, {"set", l_track_set}, {NULL, NULL}};
static const luaL_Reg float_methods[] = {{"sample", l_float_track_sample}, {NULL, NULL}};

static void push_track_member(lua_State *L, const l_object *o, lathe_tracks kind, bool name)
{
    lathe_clip_info clip;
    lathe_error err;
    const char *text = NULL;
    int64_t number = -1;
    lathe_doc *doc = l_doc_check_open(L, o->owner);
    lathe_result r = lathe_clip_track(doc, o->index, kind, o->track, &text, &number, &err);
    if (r == LATHE_ERR_NAME)
        l_clip_describe(L, o, &clip); /* raises if the animation was removed */
    if (r != LATHE_OK)
        l_raise(L, &err);
    if (name)
        lua_pushstring(L, text);
    else
        lua_pushinteger(L, number);
}

/* Upvalue 1: methods, and the numbers of members. */
static int track_index(lua_State *L, l_class c)
{
    bool bone = c == L_TRACK;
    const l_object *o = lua_touserdata(L, 1);
    lua_settop(L, 2);
    l_doc_check_open(L, o->owner);
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TNIL)
        return l_no_member(L, c, bone ? track_methods : float_methods,
                           bone ? track_members : float_members, NULL);
    if (found == LUA_TNUMBER)
        push_track_member(L, o, bone ? LATHE_BONE_TRACKS : LATHE_FLOAT_TRACKS,
                          lua_tointeger(L, -1) == NAME_OR_BONE);
    return 1;
}

static int l_track_index(lua_State *L)
{
    return track_index(L, L_TRACK);
}

static int l_float_track_index(lua_State *L)
{
    return track_index(L, L_FLOAT_TRACK);
}

void l_open_animations(lua_State *L)
{
    l_save_object_class(L, L_ANIMATION, "lathe.Animation", methods, members, l_animation_index);
    l_save_object_class(L, L_TRACK, "lathe.Track", track_methods, track_members, l_track_index);
    l_save_object_class(L, L_FLOAT_TRACK, "lathe.FloatTrack", float_methods, float_members,
                        l_float_track_index);
}
