/* Pictures of documents: what the parts of this folder share. preview.c reads the options and lays out cells; shot.c draws
 * one: gather.c collects the geometry of a document, view.c places the camera, shapes.c and edges.c draw. */
#ifndef LATHE_PREVIEW_PREVIEW_H
#define LATHE_PREVIEW_PREVIEW_H

#include "base/error.h"
#include "model/mesh.h"
#include "model/skeleton.h"
#include "picture/canvas.h"
#include "picture/raster.h"
#include "preview/frame.h"

/* One call of lathe_preview. */
typedef struct preview {
    mem mem;
    lathe_preview_options options; /* with the defaults filled in */
    picture_canvas *canvas;
    lathe_report *report; /* or NULL */
    const char *name;     /* of the document that is being drawn, for the report */
    bool sheet;           /* there are several documents: notes begin with its name */
    uint64_t triangles;   /* drawn */
    size_t faint;         /* meshes of this picture that are transparent, and drawn nevertheless */
    const char *faint_name; /* of the first of them, or NULL */
    struct preview_texture *textures;
    size_t texture_count;
    size_t number, too_many; /* of the picture; of the last one that has too many textures */
} preview;

enum { PREVIEW_TEXT = 512 };

/* ---- report.c ---- */

/* Tells that something was left out: where (NULL: the document's name), and why. */
void preview_skip(const preview *p, const char *path, const char *fmt, ...) ERROR_PRINTF(3, 4);
/* Reports how many parts of the document were left out; nothing if n is 0. */
void preview_skip_count(const preview *p, uint64_t n, const char *one, const char *many);
/* Reports how many points are outside of preview_bounds. */
void preview_skip_far(const preview *p, size_t n, const char *one, const char *many);
/* Tells what the picture guessed, or shows otherwise than expected. */
void preview_note(const preview *p, const char *fmt, ...) ERROR_PRINTF(2, 3);
/* Tells the size of the picture, and how many triangles were drawn. */
void preview_told(const preview *p);
/* ---- gather.c ---- */

/* Lines along the edges of a part where two triangles meet at an angle, differ in material, or one is missing: each once. */
typedef struct preview_edges {
    uint32_t *segments, *colors;
    size_t count, room, color_room;
} preview_edges;

/* A mesh at a place. */
typedef struct preview_part {
    const model_mesh *mesh; /* the geometry, which several parts may share */
    model_mesh *own;        /* … to be freed with this part; or NULL */
    mat4 place;             /* from the mesh's space to the document's */
    float *posed, *normals; /* of a skinned mesh: its vertices in the document's space; or NULL */
    float *uvs;             /* from the top of the texture; NULL: as the mesh has them */
    float *colors;          /* of the vertices; NULL: as the mesh has them */
    preview_edges edges;    /* of a collision shape, when it is drawn */
    uint8_t *marks;         /* 1 for each triangle to be drawn in PREVIEW_MARK; or NULL */
    bool collision;
} preview_part;

/* What is drawn in one camera's view. */
typedef struct preview_scene {
    const mem *mem;
    preview_part *parts;
    size_t count, room;
    uint64_t triangles; /* and what else the vertices cost */
    bool z_up, known;   /* known: the axes are those of something that was read */
    vec3 front;         /* zero: unknown */
    double metres;      /* 0: unknown */
    bool placed;        /* geometry is drawn in several places */
} preview_scene;

void preview_scene_init(preview_scene *scene, const mem *m);
void preview_scene_free(preview_scene *scene);
/* Frees what was made of a part to draw it: an object may be placed a thousand times. */
void preview_part_done(const mem *m, preview_part *part);
/* The positions of a part's vertices, and where one of them is in the document's space. */
const float *preview_positions(const preview_part *part);
vec3 preview_vertex(const preview_part *part, size_t vertex);
/* Adds the meshes of a list. What cannot be read is told in the report and left out. */
lathe_result preview_gather(preview *p, lathe_doc *doc, lathe_list list, preview_scene *scene,
                            lathe_error *err);

/* ---- skin.c ---- */

/* Puts the vertices of a skinned part where `worlds` has its bones (one for each bone of the mesh). */
lathe_result preview_skin(const preview *p, preview_part *part, const mat4 *worlds,
                          lathe_error *err);
/* The same where the mesh has them at rest. */
lathe_result preview_skin_rest(const preview *p, preview_part *part, lathe_error *err);

/* ---- view.c ---- */

/* The matrix from a document's axes to those of the view: x right, y up, z towards whoever sees the front. */
mat4 preview_turn(bool z_up, vec3 front);
/* Points that a camera is fitted to. `next` gives point i of the document's space; false: it does not count. */
typedef struct preview_cloud {
    bool (*point)(const void *user, size_t i, vec3 *out);
    const void *user;
    size_t count;
} preview_cloud;
/* Where something lies in the document's space. */
typedef struct preview_bounds {
    vec3 low, high;
    size_t points,
        outside; /* in the bounds; left out because they are far from all others, or no numbers */
} preview_bounds;
lathe_result preview_bounds_of(const mem *m, const preview_cloud *cloud, preview_bounds *out,
                               lathe_error *err);
/* Places a camera that sees these points, in a picture of width x height pixels, from a direction. Its space of the world is
 * the document's. */
void preview_camera_of(const preview_cloud *cloud, const preview_bounds *bounds, const mat4 *turn,
                       lathe_preview_view view, double width, double height, picture_camera *out);
/* The rows of such a view: right, up, and to the viewer. */
mat4 preview_look(const mat4 *turn, lathe_preview_view view);
/* What points take up along these axes. */
typedef struct preview_extent {
    double low[3], high[3];
    bool any;
} preview_extent;
/* Extends it by the points of a cloud that lie in its bounds. */
void preview_extend(const preview_cloud *cloud, const preview_bounds *bounds, const mat4 *view,
                    preview_extent *extent);
/* Extends it by the parts of a scene that `fit` names. */
lathe_result preview_measure(preview *p, const preview_scene *scene, const mat4 *view,
                             preview_bounds *bounds, preview_extent *extent, lathe_error *err);
/* Fits a camera to the parts of a scene that `fit` names (NULL: all); bounds->points 0: there is nothing. */
lathe_result preview_fit(preview *p, const preview_scene *scene, const char *fit,
                         lathe_preview_view view, double width, double height,
                         preview_bounds *bounds, picture_camera *out, lathe_error *err);

/* ---- materials.c ---- */

/* The material of a triangle of a part; "" if it has none. */
const char *preview_material_of(const preview_part *part, size_t triangle);
/* The path of the texture with a surface's base colour; NULL: it has none. */
const char *preview_texture_path(const model_surface *surface);
/* The colour of a mesh without a texture, or of a collision shape's first material. */
picture_color preview_part_color(const preview_part *part);

/* ---- shapes.c ---- */

/* Draws a scene over pixels. */
lathe_result preview_draw(preview *p, preview_scene *scene, const picture_camera *camera,
                          picture_pixels *pixels, lathe_error *err);

/* ---- marks.c ---- */

enum { PREVIEW_SEEN = 3 }; /* pixels: the width or height from which a mesh is seen */

/* The number of meshes that are too small to be seen, where they are to be marked: in pictures of many placed ones, and if
 * nothing else could be seen. */
size_t preview_marks_count(const preview_scene *scene, const picture_camera *camera);
/* Marks them with squares; the camera's picture has its top left corner at (x, y) of the canvas. */
void preview_marks_draw(preview *p, const preview_scene *scene, const picture_camera *camera,
                        double x, double y);

/* ---- footprints.c ---- */

/* Draws the outlines of the parts as vectors, for a view from above. (x, y): as for marks. */
lathe_result preview_footprints(preview *p, const preview_scene *scene,
                                const picture_camera *camera, double x, double y, lathe_error *err);

/* ---- edges.c ---- */

/* Adds the edges of a part; they are freed with it. */
lathe_result preview_edges_of(const preview *p, const preview_part *part, preview_edges *out,
                              lathe_error *err);
/* How opaque edges are drawn, of 255: less the denser they are in the picture, so that they do not hide what they are of. */
uint32_t preview_edges_opacity(const preview_part *part, const preview_edges *edges,
                               const picture_camera *camera);

/* ---- textures.c ---- */

/* The texture at a path, from the caller's bytes, valid until the next document is drawn. *out NULL: it cannot be read, or the
 * document has too many, which is told. LATHE_ERR_MEMORY. */
lathe_result preview_texture_of(preview *p, const char *path, const picture_texture **out,
                                lathe_error *err);
void preview_textures_free(preview *p);

/* ---- shot.c ---- */

/* Draws what the options ask of a document into a rectangle of the canvas. */
lathe_result preview_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                          lathe_error *err);

#endif
