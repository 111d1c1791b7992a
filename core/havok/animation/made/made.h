/* Files made of a skeleton, an animation or both, as lathe.new is told them. Inside of havok/. */
#ifndef LATHE_HAVOK_MADE_H
#define LATHE_HAVOK_MADE_H

#include "havok/animation/maths/spline_encode.h"
#include "havok/packfile/values.h"
#include "model/motion.h"
#include "record/table.h"
#include "scene/clip.h"

enum { HK_INDICES = 1 << 15 }; /* bones and slots have numbers of 16 bits with a sign */

/* ---- skeletons (made_rig.c) ---------------------------------------------------------------------------- */

/* Names that are not empty, and of which bones or slots they are, in the order of their bytes. */
typedef struct hk_name {
    const char *text;
    size_t i;
} hk_name;
typedef struct hk_bone_names {
    hk_name *all;
    size_t n, room;
} hk_bone_names;

/* A skeleton as it is told. It stays where it was opened. */
typedef struct hk_rig {
    const mem *mem;
    bool is; /* one is told */
    model_skeleton bones;
    uint8_t *locked;       /* of each bone; NULL: none is */
    rec_table_list floats; /* of each slot; may be none */
    hk_bone_names names, slot_names;
} hk_rig;

void hk_rig_open(hk_rig *rig, const mem *m);
void hk_rig_close(hk_rig *rig);
/* Reads the field `skeleton` of a description. */
lathe_result hk_rig_read(hk_rig *rig, lathe_doc *doc, const rec_table *g, lathe_error *err);
/* The first of that name; false, and the nearest name (or NULL): there is none. */
bool hk_bone_names_find(const hk_bone_names *names, rec_key name, size_t *i, const char **near);
/* Refuses what no file can hold, or what a game would stumble over. */
lathe_result hk_rig_check(hk_rig *rig, const rec_table *g, lathe_error *err);
/* NULL: none is told, and its root has none. */
const char *hk_rig_name(const hk_rig *rig);
/* The object's fields. */
void hk_rig_put(const hk_rig *rig, hk_values *v, hk_node *to);

/* ---- animations (made_clip.c, made_tracks.c, made_events.c) ------------------------------- */

typedef struct hk_event {
    float time;
    uint32_t track;
    uint64_t order;
    rec_key text;
} hk_event;

/* An animation as it is told, then encoded. */
typedef struct hk_take {
    const mem *mem;
    bool is;
    hk_rig own;        /* the skeleton that only looks bones up */
    const hk_rig *rig; /* that one, or the one that is written */
    uint64_t frames, tracks, floats;
    float duration, frame_duration;
    rec_table_list samples, values, moves;
    bool still; /* no root motion is told: the game's files have some all the same, of zeros */
    buf bones;  /* int16_t of each track */
    buf slots;  /* … and float track */
    buf events; /* hk_event, those of a track together */
    bool additive, identity; /* track i moves bone i */
    rec_key skeleton_name;
    buf tolerances; /* double, where each track has its own */
    hk_encoded encoded;
    bool is_encoded;
} hk_take;

void hk_take_open(hk_take *take, const mem *m);
void hk_take_close(hk_take *take);
/* Reads and encodes the field `animation`. `rig`: the skeleton that is written along. */
lathe_result hk_take_read(hk_take *take, lathe_doc *doc, const rec_table *top, const hk_rig *rig,
                          lathe_error *err);
/* Which bones tracks move, and which slots float tracks drive. */
lathe_result hk_take_bones(hk_take *take, const rec_table *g, lathe_error *err);
lathe_result hk_take_slots(hk_take *take, const rec_table *g, lathe_error *err);
lathe_result hk_take_events(hk_take *take, const rec_table *g, lathe_error *err);

/* The hook: lathe.new of a description, or of objects (hk_make). */
lathe_result hk_new(const lathe_format *format, lathe_doc *maker, const lathe_source *fields,
                    buf *out, lathe_error *err);

#endif
