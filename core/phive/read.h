/* Direct access to a mesh shape in its file, for loops over all of it: arrays are located once, and elements
 * are read in place. Borrowed until the document's next write. Reference: formats/bphsh.md#3. */
#ifndef LATHE_PHIVE_READ_H
#define LATHE_PHIVE_READ_H

#include "base/vec.h"
#include "phive/phive.h"

#include <string.h>

enum {
    PHIVE_FLOATS = 0x7FFFFFFF, /* sectionOffset of a float section */
    PHIVE_KEY_BITS = 9,        /* bits of a key for primitive and triangle, in most files */
    PHIVE_PRIMITIVES = 256,    /* maximum of a section */
    PHIVE_NO_TAG = 0xFFFF,     /* tag of the last row of the tag table */
    PHIVE_TAG_MASK = 0x1FFF    /* bits of a tag that the game uses */
};

typedef struct phive_array {
    const uint8_t *p; /* NULL if count is 0 */
    uint32_t count;
    uint64_t at; /* offset in its part */
} phive_array;

typedef struct phive_reading {
    const phive_layout *l;
    lathe_doc *doc;
    uint32_t part, container; /* of the shape; of the tagfile */
    const uint8_t *data;      /* of the part; the shape is at its start */
    uint64_t size;
    float step[3];  /* bitScale16Inv */
    unsigned shift; /* of the section number in a key */
    phive_array tags, nodes, sections;
} phive_reading;

typedef struct phive_section {
    phive_array nodes, primitives, vertices,
        bits; /* vertices: counted in elements, as the file does */
    uint32_t vertex_count;
    bool floats;
    int32_t origin[3];
    float cell[3];
    int16_t cell_origin[3];
} phive_section;

/* Finds the shape of container `c` and its three arrays. */
lathe_result phive_read(lathe_doc *doc, uint32_t c, phive_reading *out, lathe_error *err);
/* Section i, from 0, with its arrays. */
lathe_result phive_read_section(const phive_reading *from, uint32_t i, phive_section *out,
                                lathe_error *err);
/* Counts all vertices and triangles. Fails if sections share data: then a small file could hold any number of
 * triangles. */
lathe_result phive_count(const phive_reading *from, uint64_t *vertices, uint64_t *triangles,
                         lathe_error *err);

/* Finds only the vertices of a section that phive_count has checked. */
void phive_read_points(const phive_reading *from, uint32_t i, phive_section *out);

/* Reads vertices from .. from + n in world units: rows of x, y, z. */
void phive_vertices(const phive_reading *r, const phive_section *s, uint32_t from, uint32_t n,
                    float *out);
/* Bounding box of n rows of x, y, z. */
void phive_box(const float *rows, uint64_t n, float lo[3], float hi[3]);

static inline float phive_f32(const uint8_t *p)
{
    uint32_t bits = bytes_ld32(p, false);
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A coordinate of a quantised vertex; the sum is computed in 32 bits, as the game does. */
static inline float phive_grid(const phive_reading *r, const phive_section *s, unsigned axis,
                               uint32_t q)
{
    return (float)(int32_t)((uint32_t)s->origin[axis] + q) * r->step[axis];
}

/* The four corners of a primitive: a triangle if the last two are equal, else two triangles a b c and a c d. */
static inline const uint8_t *phive_primitive(const phive_section *s, uint32_t i)
{
    return s->primitives.p + 4 * (size_t)i;
}

static inline uint32_t phive_key(const phive_reading *r, uint32_t section, uint32_t primitive,
                                 uint32_t triangle)
{
    return section << r->shift | primitive << 1 | triangle;
}

/* The key of a row of the tag table. */
uint32_t phive_tag_key(const phive_reading *r, uint32_t row);
uint32_t phive_tag(const phive_reading *r, uint32_t row);
/* The tag of a key: that of the last row whose key is not greater; PHIVE_NO_TAG: none. `hint` (may be NULL):
 * a row found before, which makes a walk in key order fast. */
uint32_t phive_tag_of(const phive_reading *r, uint32_t key, uint32_t *hint);

#endif
