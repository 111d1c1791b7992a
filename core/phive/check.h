/* Internal header of doc:check() for Phive shapes. */
#ifndef LATHE_PHIVE_CHECK_H
#define LATHE_PHIVE_CHECK_H

#include "phive/read.h"

#define PHIVE_NONE UINT32_MAX

enum {
    PHIVE_KINDS = 96, /* of findings; after PHIVE_MOST_OF_KIND of one kind they are only counted */
    PHIVE_MOST_OF_KIND = 16
};

typedef struct phive_kind {
    const char *fmt; /* identifies the kind */
    uint32_t reported, more;
    lathe_error last;
} phive_kind;

typedef struct phive_box3 {
    float lo[3], hi[3];
} phive_box3;

/* What is known about a section when the tree is checked. */
typedef struct phive_looked {
    phive_box3 box; /* of its vertices */
    uint32_t primitives;
    bool read, boxed, reached;
} phive_looked;

typedef struct phive_span { /* of the shape's part */
    uint64_t start, end;
} phive_span;

/* A shape that is being checked. */
typedef struct phive_checker {
    lathe_doc *doc;
    uint32_t c;
    rec_report *report;
    phive_reading r;
    char shape[64]; /* path of the shape */
    bool placed;    /* bitScale16Inv is valid, so vertices have positions */
    phive_looked *sections;
    buf spans;     /* phive_span: ranges of DATA used by arrays */
    bool whole;    /* all arrays are included */
    uint64_t left; /* number of bytes that the arrays of sections may still use */
    uint32_t kinds_n;
    phive_kind kinds[PHIVE_KINDS];
} phive_checker;

/* A place in the shape: offset `at` in its part, and a field of the shape (section: PHIVE_NONE) or of a
 * section. For arrays also an element (item: not PHIVE_NONE). */
typedef struct phive_spot {
    uint64_t at;
    const char *field;
    uint32_t section, item;
} phive_spot;

/* Records that an array uses its bytes. */
void phive_take(phive_checker *k, const phive_array *a, uint32_t elem);

/* Reports a finding at a place. After PHIVE_MOST_OF_KIND findings of one kind they are only counted. */
void phive_finding(phive_checker *k, lathe_level level, phive_spot at, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
/* The same for an error from reading, which already has its place in the file. */
void phive_error_finding(phive_checker *k, const lathe_error *e, phive_spot at);

void phive_check_file(phive_checker *k);     /* check_file.c: header, padding and tables */
void phive_check_shape(phive_checker *k);    /* check_shape.c: fields of the root, and items */
void phive_check_tags(phive_checker *k);     /* check_shape.c */
void phive_check_gaps(phive_checker *k);     /* check_gaps.c: bytes that are not used by anything */
void phive_check_sections(phive_checker *k); /* check_section.c */
void phive_check_tree(phive_checker *k);     /* check_tree.c */

/* True if a value is neither infinite nor NaN. */
static inline bool phive_finite(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x7F800000) != 0x7F800000;
}

/* The axis on which a box protrudes from another one by more than rounding; -1: none. */
int phive_leaves(const phive_box3 *inner, const phive_box3 *outer);
/* True if a box is much larger than the box inside it. */
bool phive_loose(const phive_box3 *inner, const phive_box3 *outer);

/* ---- walks of trees (check_walk.c) ------------------------------------------------------------------- */

enum { PHIVE_LANES = 4 };

typedef struct phive_step {
    uint32_t node;
    uint8_t lane;
} phive_step;

/* Visits each node of a tree of nodes with four lanes once, however many references it has. */
typedef struct phive_walk {
    void *user;
    uint8_t *state;    /* a byte for each node, initially 0 */
    phive_step *stack; /* as many entries as nodes */
    void (*enter)(void *user, uint32_t node, uint32_t parent);
    /* Returns the existing node that a lane refers to; PHIVE_NONE: none. */
    uint32_t (*child)(void *user, uint32_t node, unsigned lane);
    /* Called for a lane that refers to a node visited before: an ancestor (cycle), or one with another
     * parent. */
    void (*again)(void *user, uint32_t node, unsigned lane, uint32_t child, bool cycle);
    void (*leave)(void *user, uint32_t node); /* may be NULL */
} phive_walk;

void phive_walk_from(phive_walk *w, uint32_t root);

#endif
