/* Objects of a container, whatever its format: any document whose root record has them on a row `objects`, and whose
 * pointers are stored as their numbers, from 1. A class is known by its name alone, a member by its row's: that of a
 * file's own reflection may have any type, so members are read here and not by rec_find, which takes a row on trust. */
#ifndef LATHE_HAVOK_OBJECTS_H
#define LATHE_HAVOK_OBJECTS_H

#include "base/vec.h"
#include "gen/objects_types.h"
#include "record/record.h"

/* ---- objects ----------------------------------------------------------------------------------------- */

/* The row of the root record that objects hang on; REC_NO_SLOT: there is none. */
uint32_t hk_object_row(lathe_doc *doc, uint32_t c);
/* Their parts in file order, borrowed until one comes or goes. */
const uint32_t *hk_object_list(lathe_doc *doc, uint32_t c, uint64_t *n);
/* Where positions count from: the start of the part `data`, which lies in front of the objects on `row`. */
typedef struct hk_origin {
    uint32_t row, data;
} hk_origin;

/* The part that holds a position (`data` itself in front of the first object) and the offset in it; false: past the end
 * of that part, or no memory. */
bool hk_object_place(lathe_doc *doc, uint32_t c, hk_origin from, uint64_t position, uint32_t *part,
                     uint64_t *off);
/* The number, from 1, of the object that begins at a position; 0: none. */
uint64_t hk_object_begins(lathe_doc *doc, uint32_t c, hk_origin from, uint64_t position);
/* An object as a record; .layout is NULL where nobody can tell its type (no memory). */
rec_at hk_object(lathe_doc *doc, uint32_t part);
/* The name of its class, as the file has it; NULL: no memory. Borrowed until the next write. */
const char *hk_object_class(lathe_doc *doc, uint32_t part);
/* Whether its members can be read: its class is described, and it is long enough. */
bool hk_object_opens(lathe_doc *doc, uint32_t part);
/* The same; an error where nobody can tell (no memory). */
lathe_result hk_object_look(lathe_doc *doc, uint32_t part, bool *opens, lathe_error *err);
/* Whether its class is described, so that it has another type than objects that are bytes. */
bool hk_object_described(lathe_doc *doc, uint32_t part);
/* Whether files of the container's format describe their classes themselves. */
bool hk_describes_classes(lathe_doc *doc, uint32_t c);
/* Whether they can, and its class is that one or derived from it. */
bool hk_object_is(lathe_doc *doc, uint32_t part, const char *class_name);
/* The class alone. */
bool hk_type_is(const rec_type *type, const char *class_name);
bool hk_is(const rec_at *at, const char *class_name);
/* Byte order. */
bool hk_is_big(const rec_at *at);

/* A pointer as JSON has it: the 12 of "objects[12]". False: it is something else. */
bool hk_number_in_path(const lathe_value *v, int64_t *out);

/* ---- members ----------------------------------------------------------------------------------------- */

/* The row of an array (or bytes) whose elements take `size` bytes each and hold no pointers (kind REC_RECORD: any);
 * REC_NO_SLOT: there is no such row. */
uint32_t hk_array_row(const rec_at *at, const char *name, uint64_t size);
/* The row of an array of records, or of one record, and how many there are; 0 where there is no such row. */
lathe_result hk_find_records(const rec_at *at, const char *name, uint32_t *slot, uint64_t *n,
                             lathe_error *err);
/* Record i of those; false: there is none, or none that can be read. */
bool hk_record_at(const rec_at *at, const char *name, uint64_t i, rec_at *out);
/* Whether `at` is where an element of the array begins, whatever it is shown as; then *i is its number, from 0. */
bool hk_is_element(const rec_at *owner, const char *array, const rec_at *at, uint64_t *i);

double hk_number(const rec_at *at, const char *name);
/* NULL where there is none, or none that can be read. */
const char *hk_text(const rec_at *at, const char *name);
/* The same with its error; NULL where there is none. */
lathe_result hk_read_text(const rec_at *at, const char *name, const char **text, uint64_t *n,
                          lathe_error *err);
/* Text i of an array. */
lathe_result hk_read_text_item(const rec_at *at, const char *name, uint64_t i, const char **text,
                               lathe_error *err);
/* The part that a pointer leads to; REC_NO_PART: none. Element i of an array of them: the same. */
uint32_t hk_target(const rec_at *at, const char *name, uint64_t i);
/* The same with its error; where there is no such row it leads to nothing. */
lathe_result hk_read_target(const rec_at *at, const char *name, uint64_t i, uint32_t *part,
                            lathe_error *err);
/* An array's bytes, of elements of `size` bytes each; `as` is empty and the result LATHE_OK where it has none.
 * LATHE_ERR_UNSUPPORTED: its elements are others. */
lathe_result hk_elements(const rec_at *at, const char *name, uint64_t size, bytes_array *as,
                         lathe_error *err);
/* An array's bytes, of a described class, whose elements are what they are; `as` is empty and the result LATHE_OK where
 * it has none. */
lathe_result hk_array_of(const rec_at *at, const char *name, bytes_array *as, lathe_error *err);
enum { HK_TRANSFORM_SIZE = 48 };
/* The same of hkQsTransform: translation, rotation and scale of 4 floats each. */
lathe_result hk_transforms(const rec_at *at, const char *name, bytes_array *as, lathe_error *err);
/* Number i of an array of 16-bit integers; -1: past its end. */
int32_t hk_index(const rec_at *at, const char *name, uint64_t i);
/* The n floats that a member holds in line (a vector, a matrix); false: it is something else. */
bool hk_floats(const rec_at *at, const char *name, uint32_t n, double *out);
/* A rotation's three columns and a translation; false: it is something else. Setting it, inside an edit. */
bool hk_matrix(const rec_at *at, const char *name, mat4 *out);
lathe_result hk_set_matrix(const rec_at *at, const char *name, const mat4 *to, lathe_error *err);
/* Where the bones of a skeleton are at rest, in the space of the document (rest_pose.c). */
typedef struct hk_pose {
    const mem *memory;
    mat4 *places;
    size_t count;
} hk_pose;
/* Empty where the skeleton has no poses that can be read. A parent that is none of the bones in front of its child is
 * left out. To be freed in either case. */
lathe_result hk_rest_pose(const rec_at *skeleton, hk_pose *out, lathe_error *err);
void hk_pose_free(hk_pose *pose);
vec3 hk_place_of(const mat4 *m);
/* How far two transforms are turned apart, in radians: the most that one of their axes is; NaN of what has no
 * directions. */
double hk_turned_by(const mat4 *a, const mat4 *b);

/* How many elements an array has; 0 where it cannot be read, which others tell. */
uint64_t hk_length(const rec_at *at, const char *name);
lathe_result hk_read_length(const rec_at *at, const char *name, uint64_t *n, lathe_error *err);

#endif
