/* What pictures of one document and of two have in common. */
#ifndef LATHE_PREVIEW_SHOT_H
#define LATHE_PREVIEW_SHOT_H

#include "preview/pose.h"

enum { MATERIAL_LIMIT = 256 };

/* Colours with names, for the key of a picture. */
typedef struct shot_keys {
    frame_key keys[MATERIAL_LIMIT];
    size_t count;
} shot_keys;

/* Adds the materials of the collision shapes of a scene, the first MATERIAL_LIMIT that there are. */
lathe_result shot_add_materials(const preview *p, const preview_scene *scene, shot_keys *keys,
                                lathe_error *err);
/* Collects what the options ask of a document. Both are empty at first, and the caller's to free. *lacking: the skeleton
 * lacks bones of the mesh. */
lathe_result shot_gather(preview *p, lathe_doc *doc, preview_scene *scene, preview_rig *rig,
                         bool *lacking, lathe_error *err);

/* Draws a scene into a rectangle of whole pixels. */
lathe_result shot_shade(preview *p, preview_scene *scene, const picture_camera *camera,
                        frame_rect rect, lathe_error *err);
/* Fills in the size and the scale of what a camera shows. The camera must stay until the frame is drawn. */
void shot_measure(preview_frame *frame, const preview_bounds *bounds, const picture_camera *camera);

#endif
