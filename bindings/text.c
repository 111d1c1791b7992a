/* tostring: describes a value in one line. Raises no errors. */
#include "bindings.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 120, LONGEST_TEXT = 40, MOST_ITEMS = 8 };

typedef struct line {
    char text[WIDTH + 8];
    size_t n;
    bool full;
} line;

static void put(line *l, const char *fmt, ...) ERROR_PRINTF(2, 3);

/* Appends a whole piece, or "..." if it does not fit. */
static void put(line *l, const char *fmt, ...)
{
    char piece[WIDTH];
    va_list args;
    if (l->full)
        return;
    va_start(args, fmt);
    int n = vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    if (n < 0 || l->n + (size_t)n > WIDTH) {
        memcpy(l->text + l->n, " ...", 5);
        l->n += 4;
        l->full = true;
        return;
    }
    memcpy(l->text + l->n, piece, (size_t)n + 1);
    l->n += (size_t)n;
}

static void format_text(char *to, size_t cap, const char *p, size_t n)
{
    size_t k = 0;
    to[k++] = '"';
    for (size_t i = 0; i < n && i < LONGEST_TEXT && k + 8 < cap; i++) {
        unsigned char c = (unsigned char)p[i];
        if (c == '"' || c == '\\')
            to[k++] = '\\';
        if (c < 0x20 || c == 0x7f)
            k += (size_t)snprintf(to + k, cap - k, "\\x%02x", c);
        else
            to[k++] = (char)c;
    }
    memcpy(to + k, n > LONGEST_TEXT ? "\"..." : "\"", n > LONGEST_TEXT ? 5 : 2);
}

/* Whether bytes are readable text, such as a file's mark. */
static bool is_printable(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] < 0x20 || p[i] > 0x7e)
            return false;
    return true;
}

static void format_value(const rec_at *at, uint32_t slot, const lathe_value *v, char *to,
                         size_t cap);

/* Formats a vector as (x y z), else the name of the type. */
static void format_record(lathe_view view, char *to, size_t cap)
{
    rec_at at;
    uint32_t none;
    enum { SHORT = 4 }; /* longer ones, such as matrices, are shown by name */
    uint32_t lanes = rec_lanes(((const rec_layout *)view.type)->type);
    if (rec_enter(&view, &at, &none, NULL) != LATHE_OK || !lanes || lanes > SHORT) {
        snprintf(to, cap, "%s", lathe_view_type(view));
        return;
    }
    size_t n = (size_t)snprintf(to, cap, "(");
    for (uint32_t i = 0; i < lanes && n < cap; i++) {
        lathe_value lane;
        char text[40] = "?";
        if (rec_get(&at, i, false, &lane, NULL) == LATHE_OK)
            format_value(&at, i, &lane, text, sizeof text);
        n += (size_t)snprintf(to + n, cap - n, "%s%s", i ? " " : "", text);
    }
    if (n + 1 < cap)
        snprintf(to + n, cap - n, ")");
}

/* The number of digits that reproduce the same bits. A computed value may have either width. */
static int digits_of(rec_kind kind, double value)
{
    return kind == REC_F64 || (kind == REC_COMPUTED &&
                               !(fabs(value) <= FLT_MAX && (double)(float)value == value))
               ? 17
               : 9;
}

static void format_value(const rec_at *at, uint32_t slot, const lathe_value *v, char *to,
                         size_t cap)
{
    rec_kind kind = at->layout->slots[slot].row->kind;
    switch (v->kind) {
    case LATHE_KIND_NULL: snprintf(to, cap, "false"); break;
    case LATHE_KIND_BOOL: snprintf(to, cap, v->as.b ? "true" : "false"); break;
    case LATHE_KIND_INT: snprintf(to, cap, "%lld", (long long)v->as.i); break;
    case LATHE_KIND_UINT: snprintf(to, cap, "%llu", (unsigned long long)v->as.u); break;
    case LATHE_KIND_REAL: snprintf(to, cap, "%.*g", digits_of(kind, v->as.f), v->as.f); break;
    case LATHE_KIND_STRING:
        if (kind == REC_BYTES && !is_printable(v->as.s.p, v->as.s.n))
            snprintf(to, cap, "%zu byte%s", v->as.s.n, v->as.s.n == 1 ? "" : "s");
        else
            format_text(to, cap, v->as.s.p, v->as.s.n);
        break;
    case LATHE_KIND_RECORD: format_record(v->as.v, to, cap); break;
    case LATHE_KIND_ARRAY:
        snprintf(to, cap, "[%llu]", (unsigned long long)lathe_view_count(v->as.v));
        break;
    default: snprintf(to, cap, "nil"); break;
    }
}

static void put_path(line *l, const rec_at *at, uint32_t slot)
{
    char path[WIDTH];
    if (rec_path(at, slot, REC_NO_ITEM, path, sizeof path))
        put(l, " %s", path);
}

/* Whether a line omits a row: padding, the count of the next list, and the type with which it begins. */
static bool is_noise(const rec_at *at, uint32_t slot, const char *tag)
{
    const rec_slot *s = &at->layout->slots[slot];
    return s->row->flags & REC_PAD || s->counts != REC_NO_SLOT ||
           (tag && strcmp(s->name, tag) == 0);
}

static void put_record(line *l, const rec_at *at)
{
    const char *tag = NULL;
    rec_view_tag(rec_view(at), &tag);
    put(l, "%s", lathe_view_type(rec_view(at)));
    put_path(l, at, REC_NO_SLOT);
    const char *before = ": ";
    for (uint32_t i = 0; i < at->layout->count && !l->full; i++) {
        lathe_value v;
        char text[WIDTH] = "?";
        if (is_noise(at, i, tag))
            continue;
        if (rec_get(at, i, false, &v, NULL) == LATHE_OK) {
            if (v.kind == LATHE_KIND_NONE)
                continue;
            format_value(at, i, &v, text, sizeof text);
        }
        put(l, "%s%s=%s", before, at->layout->slots[i].name, text);
        before = " ";
    }
}

static void put_array(line *l, const rec_at *at, uint32_t slot, uint64_t n)
{
    const rec_slot *s = rec_slot_of(at, slot);
    char type[24];
    put(l, "%s[%llu]", rec_row_type_name(s->row, type, sizeof type), (unsigned long long)n);
    put_path(l, at, slot);
    if (s->row->kind == REC_RECORD)
        return;
    for (uint64_t i = 0; i < n && !l->full; i++) {
        lathe_value v;
        char text[WIDTH] = "?";
        if (i == MOST_ITEMS) {
            put(l, " ...");
            return;
        }
        if (rec_get_item(at, slot, i, false, &v, NULL) == LATHE_OK)
            format_value(at, slot, &v, text, sizeof text);
        put(l, "%s%s", i ? " " : ": ", text);
    }
}

int l_view_tostring(lua_State *L)
{
    l_view *w = lua_touserdata(L, 1);
    line l = {.n = 0};
    rec_at at;
    uint32_t slot;
    luaL_getmetafield(L, 1, "__name");
    if (!w->owner->doc) {
        lua_pushfstring(L, "%s (document is closed)", lua_tostring(L, -1));
        return 1;
    }
    if (rec_enter(&w->at, &at, &slot, NULL) != LATHE_OK) {
        lua_pushfstring(L, "%s (removed)", lua_tostring(L, -1));
        return 1;
    }
    if (slot == REC_NO_SLOT)
        put_record(&l, &at);
    else
        put_array(&l, &at, slot, lathe_view_count(w->at));
    lua_pushlstring(L, l.text, l.n);
    return 1;
}

int l_document_tostring(lua_State *L)
{
    const l_doc *d = lua_touserdata(L, 1);
    if (!d->doc) {
        lua_pushliteral(L, "document (closed)");
        return 1;
    }
    uint64_t size = lathe_doc_size(d->doc);
    bool modified = lathe_doc_modified(d->doc);
    const char *path = lathe_doc_info(d->doc, "path");
    lua_pushfstring(L, "%s document%s%s, %I bytes%s", d->format->name, path ? " " : "",
                    path ? path : "", (LUAI_UACINT)size, modified ? ", modified" : "");
    return 1;
}

/* ---- skeletons and animations ---------------------------------------------------------------- */

static void put_name(line *l, const char *name)
{
    char text[LONGEST_TEXT * 4 + 16];
    if (!name)
        return;
    format_text(text, sizeof text, name, strlen(name));
    put(l, " %s", text);
}

static void put_count(line *l, const char *before, uint64_t n, const char *what)
{
    put(l, "%s%llu %s%s", before, (unsigned long long)n, what, n == 1 ? "" : "s");
}

static bool put_skeleton(line *l, const l_object *o)
{
    lathe_skeleton_info rig = {.size = sizeof rig};
    if (lathe_skeleton_describe(o->owner->doc, o->index, &rig, NULL) != LATHE_OK)
        return false;
    put(l, "skeleton");
    put_name(l, rig.name);
    put_count(l, ": ", rig.bones, "bone");
    return true;
}

static bool put_animation(line *l, const l_object *o)
{
    lathe_clip_info clip = {.size = sizeof clip};
    if (lathe_clip_describe(o->owner->doc, o->index, &clip, NULL) != LATHE_OK)
        return false;
    put(l, "animation");
    put_name(l, clip.name);
    put(l, ": %.6g s", clip.duration);
    put_count(l, ", ", clip.frames, "frame");
    put_count(l, ", ", clip.tracks, "track");
    return true;
}

static bool put_track(line *l, const l_object *o, bool floats)
{
    const char *name = NULL, *what = floats ? "slot" : "bone";
    int64_t number = -1;
    lathe_tracks kind = floats ? LATHE_FLOAT_TRACKS : LATHE_BONE_TRACKS;
    if (lathe_clip_track(o->owner->doc, o->index, kind, o->track, &name, &number, NULL) != LATHE_OK)
        return false;
    put(l, "%s %llu", floats ? "float track" : "track", (unsigned long long)o->track + 1);
    if (number >= 0)
        put(l, ": %s %lld", what, (long long)number);
    else
        put(l, ": no %s", what);
    put_name(l, name);
    return true;
}

/* Appends a bone, its pose, or a vector of the pose. */
static bool put_bone(line *l, const l_object *o, l_class c)
{
    static const struct {
        int first, n;
    } lanes[] = {{0, 3}, {3, 4}, {7, 3}};
    lathe_bone bone = {.size = sizeof bone};
    if (lathe_skeleton_bone(o->owner->doc, o->index, o->track, &bone, NULL) != LATHE_OK)
        return false;
    if (c == L_VECTOR) {
        for (int i = 0; i < lanes[o->lane].n; i++)
            put(l, "%s%.9g", i ? ", " : "{ ", bone.pose[lanes[o->lane].first + i]);
        put(l, " }");
        return true;
    }
    put(l, c == L_POSE ? "pose of bone %llu" : "bone %llu", (unsigned long long)o->track + 1);
    put_name(l, bone.name);
    if (c == L_BONE && bone.parent >= 0)
        put(l, ": parent %lld", (long long)bone.parent);
    else if (c == L_BONE)
        put(l, ": root");
    return true;
}

static bool put_annotation(line *l, const l_object *o)
{
    char text[LONGEST_TEXT * 4 + 16];
    lathe_annotation note = {.size = sizeof note};
    if (lathe_annotation_read(o->owner->doc, o->index, o->track, &note, NULL) != LATHE_OK)
        return false;
    format_text(text, sizeof text, note.text, note.length);
    put(l, "annotation %s: %.9g s, track %lld", text, note.time, (long long)note.track);
    return true;
}

/* What a list of records has, by its lathe_list. */
static const char *word_of(uint64_t list)
{
    switch (list) {
    case LATHE_EVENTS: return "event";
    case LATHE_VARIABLES: return "variable";
    case LATHE_STATES: return "state";
    case LATHE_TRANSITIONS: return "transition";
    case LATHE_CLIP_GENERATORS: return "clip generator";
    case LATHE_ANIMATION_FILES: return "animation file";
    default: return "material";
    }
}

static bool put_list(line *l, const l_object *o)
{
    uint64_t n = 0;
    lathe_clip_info clip = {.size = sizeof clip};
    lathe_skeleton_info rig = {.size = sizeof rig};
    lathe_result r;
    lathe_list kind;
    if (l_scene_list(o, &kind)) {
        r = lathe_list_count(o->owner->doc, kind, &n, NULL);
    } else if (o->items == L_ANNOTATION) {
        r = lathe_annotation_count(o->owner->doc, o->index, &n, NULL);
    } else if (o->items == L_BONE) {
        r = lathe_skeleton_describe(o->owner->doc, o->index, &rig, NULL);
        n = rig.bones;
    } else {
        r = lathe_clip_describe(o->owner->doc, o->index, &clip, NULL);
        n = o->items == L_TRACK ? clip.tracks : clip.float_tracks;
    }
    if (o->items == L_RECORD && o->index == LATHE_BODIES)
        put(l, "%llu %s", (unsigned long long)n, n == 1 ? "body" : "bodies");
    else
        put_count(l, "", n, o->items == L_RECORD ? word_of(o->index) : l_object_word(o->items));
    return r == LATHE_OK;
}

static bool put_graph(line *l, const l_object *o)
{
    lathe_value name;
    lathe_doc *doc = o->owner->doc;
    uint64_t n[3] = {0};
    lathe_result r = lathe_list_name(doc, LATHE_GRAPHS, 0, &name, NULL);
    for (int i = 0; r == LATHE_OK && i < 3; i++)
        r = lathe_list_count(doc, (lathe_list)(LATHE_EVENTS + i), &n[i], NULL);
    if (r != LATHE_OK)
        return false;
    put(l, "graph");
    if (name.kind == LATHE_KIND_STRING)
        put_name(l, name.as.s.p);
    put_count(l, ": ", n[2], "state");
    put_count(l, ", ", n[0], "event");
    put_count(l, ", ", n[1], "variable");
    return true;
}

int l_object_tostring(lua_State *L)
{
    const l_object *o = lua_touserdata(L, 1);
    l_class c = l_class_of(L, 1);
    line l = {.n = 0};
    if (!o->owner->doc) {
        lua_pushfstring(L, "%s (document is closed)", l_object_word(c));
        return 1;
    }
    bool read = c == L_SKELETON      ? put_skeleton(&l, o)
                : c == L_ANIMATION   ? put_animation(&l, o)
                : c == L_TRACK       ? put_track(&l, o, false)
                : c == L_FLOAT_TRACK ? put_track(&l, o, true)
                : c == L_ANNOTATION  ? put_annotation(&l, o)
                : c == L_GRAPH       ? put_graph(&l, o)
                : c != L_LIST        ? put_bone(&l, o, c)
                                     : put_list(&l, o);
    if (read)
        lua_pushlstring(L, l.text, l.n);
    else
        lua_pushfstring(L, "%s (unreadable)", l_object_word(c));
    return 1;
}
