/* Skeletons in a pose, drawn flat. */
#ifndef LATHE_PREVIEW_BONES_H
#define LATHE_PREVIEW_BONES_H

#include "model/skeleton.h"
#include "preview/frame.h"

/* A skeleton in a pose. Arrays are the caller's. */
typedef struct preview_bones {
    const model_skeleton *skeleton; /* for names */
    const int32_t *parents; /* of each bone; -1: none, also where it would lead in a circle */
    const vec3 *points;     /* where each bone is, in the document's space */
    size_t count;
    const uint8_t *marks; /* 1 for each bone to be drawn in PREVIEW_MARK; or NULL */
} preview_bones;

/* Where bone i is. False: it is not drawn. */
bool preview_bones_point(const preview_bones *bones, size_t i, vec3 *out);

typedef enum preview_side {
    PREVIEW_MIDDLE,
    PREVIEW_LEFT,
    PREVIEW_RIGHT,
    PREVIEW_SIDES
} preview_side;
/* The side of the body that a name tells: it has "left" or "right" in it, a single L or R, or a word
 * with one in front of it, such as LArm. */
preview_side preview_side_of(const char *name);
/* The colours of sides, with names, for the key of the picture. */
extern const frame_key preview_side_keys[PREVIEW_SIDES];

/* The most bones that one pose has in a picture: the first ones. An SVG of them takes 15 MB. */
enum { PREVIEW_BONES = 20000 };
/* Draws bones from the far one to the near one, as they are seen in a rectangle whose top left corner is the camera's.
 * names: with the names of bones where there is room; *hidden_names (may be NULL) are those without. */
lathe_result preview_bones_draw(const mem *m, picture_canvas *canvas, const preview_bones *bones,
                                const picture_camera *camera, frame_rect box, bool names,
                                size_t *hidden_names, lathe_error *err);

#endif
