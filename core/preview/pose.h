/* Skeletons in a pose. */
#ifndef LATHE_PREVIEW_POSE_H
#define LATHE_PREVIEW_POSE_H

#include "model/clip.h"
#include "preview/bones.h"
#include "preview/preview.h"

typedef struct preview_rig {
    const mem *mem;
    const model_skeleton *skeleton; /* of its document, until the next write */
    int32_t *parents;               /* -1 where there is none, or it leads in a circle */
    mat4 *worlds;                   /* from each bone's space to the skeleton's */
    size_t count;
    size_t cut, lost; /* parents that were left out; bones whose place is no number */
    lathe_doc *doc;
    uint64_t number; /* of the skeleton in doc */
    uint8_t *marks;  /* 1 for each bone to be drawn in PREVIEW_MARK; or NULL */
} preview_rig;

/* Fills parents, without those that are no bones or lead in a circle, and an order of the bones that has each parent before
 * its children. Returns how many parents are left out. Linear in the number of bones, whatever their order. */
size_t preview_order_bones(const model_skeleton *skeleton, int32_t *parents, uint32_t *order);

/* The position of a bone. False: it has none, because its numbers are not finite. */
bool preview_rig_point(const preview_rig *rig, size_t i, vec3 *out);
/* Reports the bones of a rig that are not drawn. texts: the same as sentences; "" if all are drawn. */
enum { PREVIEW_RIG_TEXTS = 3 };
typedef struct preview_rig_texts {
    char text[PREVIEW_RIG_TEXTS][96];
} preview_rig_texts;
void preview_rig_left_out(const preview *p, const preview_rig *rig, preview_rig_texts *texts);
/* The same, and adds these sentences to the notes of the frame, with one that says that nodes are drawn as bones if they are. The
 * texts must stay until the frame is drawn. */
void preview_rig_told(const preview *p, const preview_rig *rig, preview_frame *frame,
                      preview_rig_texts *texts);

/* Skeleton number `number` in a pose: MODEL_POSE numbers for each bone; NULL: at rest. */
lathe_result preview_rig_of(const preview *p, lathe_doc *doc, uint64_t number, const float *rows,
                            preview_rig *rig, lathe_error *err);
/* The skeleton of the clip in the options, or in `clip`, at a time of it. LATHE_ERR_STATE: there is no skeleton. */
lathe_result preview_skeleton_for(const preview *p, lathe_doc *clip, lathe_doc **doc,
                                  uint64_t *number, lathe_error *err);
lathe_result preview_pose_of(const preview *p, lathe_doc *clip, const model_when *when,
                             preview_rig *rig, lathe_error *err);
/* rig: zeroed, or filled. */
void preview_rig_free(preview_rig *rig);
/* Puts the skinned meshes of a scene, which come from `model`, into the pose, by the names of bones (posed.c). A bone that the
 * skeleton lacks moves with its parent among the nodes in the options, or of the model. Others stay at rest, and are told;
 * *lacking: there are some. */
lathe_result preview_pose_parts(const preview *p, const preview_rig *rig, lathe_doc *model,
                                preview_scene *scene, bool *lacking, lathe_error *err);
/* How many of the colours of sides the key has: none if the skeleton's names tell no side, or in a cell of a sheet, where
 * bones need the room. */
size_t preview_side_count(const preview_frame *frame, const model_skeleton *skeleton);
#define PREVIEW_NODES "the file lists no skeleton: the nodes of its scene are drawn as bones"
#define PREVIEW_LACKING "bones of the mesh that the skeleton lacks stay at rest"
/* Fits a camera to what the options say of a rig; bounds->points 0: there is nothing. */
lathe_result preview_rig_fit(preview *p, const preview_rig *rig, lathe_preview_view view,
                             double width, double height, preview_bounds *bounds,
                             picture_camera *camera, lathe_error *err);
/* names: with the names of bones; those without room are counted in the report. */
lathe_result preview_rig_draw(preview *p, const preview_rig *rig, const picture_camera *camera,
                              frame_rect inside, bool names, lathe_error *err);

#endif
