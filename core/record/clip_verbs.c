/* The list of verbs that all formats with animations share. */
#include "record/clip_verbs.h"

#include "record/motion_verbs.h"

const rec_verb rec_clip_verbs[] = {
    {.name = "encode",
     .doc = "Compresses poses anew, all of them; the report tells the greatest errors "
            "(max_translation, max_rotation, "
            "max_scale) and the size of the data (bytes).",
     .params = rec_encode_params,
     .clips = REC_CLIPS_ONLY,
     .run = rec_verb_encode},
    {.name = "write",
     .doc = "Gives it other poses. Tracks whose poses are as they were keep their bytes.",
     .params = rec_write_params,
     .clips = REC_CLIPS_ONLY,
     .run = rec_verb_write},
    {0},
};
