/* Skeletons in a pose, drawn flat. */
#ifndef LATHE_PREVIEW_BONES_H
#define LATHE_PREVIEW_BONES_H

#include "model/motion.h"
#include "preview/frame.h"

typedef struct preview_bones {
    const mem *mem;
    const model_skeleton *skeleton;
    int32_t
        *parents;  /* as in the skeleton, but -1 where a parent is no bone or leads in a circle */
    float *worlds; /* MODEL_POSE numbers for each bone, in the skeleton's space */
    size_t count;
    size_t cut;        /* parents that were replaced by -1 for that */
    size_t not_finite; /* bones with a position that is no finite number: not drawn */
} preview_bones;

/* Places the bones. `rows`: MODEL_POSE numbers for each bone, relative to its parent; NULL: the rest pose. The skeleton need
 * not be checked, and must outlive *out, which is the caller's, to preview_bones_free also after a failure. Scales are passed
 * on to children axis by axis, without shear. */
lathe_result preview_bones_pose(const mem *m, const model_skeleton *skeleton, const float *rows,
                                preview_bones *out, lathe_error *err);
/* Reads the rows for that of an animation at a time in seconds or (by_time false) a frame. Its tracks belong to the bones with
 * their names, else to those with their numbers; bones without a track rest. `from` and `number` say which skeleton of a
 * document `skeleton` is. *unused (may be NULL) are tracks without a bone. */
lathe_result preview_pose_rows(const model_skeleton *skeleton, lathe_doc *from, uint32_t number,
                               lathe_doc *doc, uint64_t clip, bool by_time, double at, float *rows,
                               size_t *unused, lathe_error *err);
void preview_bones_free(preview_bones *bones);

/* Where bone i is. False: it is not drawn. */
bool preview_bones_point(const preview_bones *bones, size_t i, vec3 *out);

typedef enum preview_side {
    PREVIEW_MIDDLE,
    PREVIEW_LEFT,
    PREVIEW_RIGHT,
    PREVIEW_SIDES
} preview_side;
/* The side of the body that a name tells: it has "left" or "right" in it, or a single L or R. */
preview_side preview_side_of(const char *name);
/* The colours of sides, with names, for the key of the picture. */
extern const frame_key preview_side_keys[PREVIEW_SIDES];

/* Draws bones from the far one to the near one, as they are seen in a rectangle whose top left corner is the camera's.
 * names: with the names of bones where there is room; *hidden_names (may be NULL) are those without. */
lathe_result preview_bones_draw(picture_canvas *canvas, const preview_bones *bones,
                                const picture_camera *camera, frame_rect box, bool names,
                                size_t *hidden_names, lathe_error *err);

/* One pose of a strip. */
typedef struct preview_pose {
    preview_bones bones;
    double time, frame;
} preview_pose;

/* Draws poses side by side in one scale, seen along the axes of `view`, with the time under each. *camera gets what the axes
 * and the scale bar follow from. */
lathe_result preview_strip_draw(picture_canvas *canvas, const preview_pose *poses, size_t n,
                                const mat4 *view, frame_rect box, picture_camera *camera,
                                lathe_error *err);

#endif
