/* doc:check() of Phive shapes, by what is looked at. Inside of phive/. */
#ifndef LATHE_PHIVE_CHECK_H
#define LATHE_PHIVE_CHECK_H

#include "phive/read.h"

#define PHIVE_NONE UINT32_MAX

enum {
    PHIVE_KINDS = 96, /* of findings; each is told so often, and then counted */
    PHIVE_MOST_OF_KIND = 16
};

typedef struct phive_kind {
    const char *fmt; /* the message tells one kind from another */
    uint32_t told, more;
    lathe_error last;
} phive_kind;

typedef struct phive_box3 {
    float lo[3], hi[3];
} phive_box3;

/* What is known of a section when the tree is looked at. */
typedef struct phive_looked {
    phive_box3 box; /* of its vertices */
    uint32_t primitives;
    bool read, boxed, reached;
} phive_looked;

typedef struct phive_span { /* of the shape's part */
    uint64_t start, end;
} phive_span;

/* Of a shape that is looked at. */
typedef struct phive_checker {
    lathe_doc *doc;
    uint32_t c;
    rec_report *report;
    phive_reading r;
    char shape[64]; /* the path of the shape */
    bool placed;    /* bitScale16Inv gives vertices a place */
    phive_looked *sections;
    buf spans;     /* of DATA, that arrays take: phive_span */
    bool whole;    /* all arrays are among them */
    uint64_t left; /* bytes that the arrays of sections may still take */
    uint32_t kinds_n;
    phive_kind kinds[PHIVE_KINDS];
} phive_checker;

/* A place in the shape: `at` of its part; a field of the shape (section: PHIVE_NONE) or of a section, and, where it is an
 * array (item: not PHIVE_NONE), an element. */
typedef struct phive_spot {
    uint64_t at;
    const char *field;
    uint32_t section, item;
} phive_spot;

/* Notes that an array takes its bytes. */
void phive_take(phive_checker *k, const phive_array *a, uint32_t elem);

/* Reports at a place; after PHIVE_MOST_OF_KIND of one message they are only counted. */
void phive_tell(phive_checker *k, lathe_level level, phive_spot at, const char *fmt, ...)
    ERROR_PRINTF(4, 5);
/* The same for an error that reading gave, which says where in the file. */
void phive_tell_error(phive_checker *k, const lathe_error *e, phive_spot at);

void phive_check_file(phive_checker *k);     /* check_file.c: header, padding, tables */
void phive_check_shape(phive_checker *k);    /* check_shape.c: the root's own fields, items */
void phive_check_tags(phive_checker *k);     /* check_shape.c */
void phive_check_gaps(phive_checker *k);     /* check_gaps.c: bytes that nothing takes */
void phive_check_sections(phive_checker *k); /* check_section.c */
void phive_check_tree(phive_checker *k);     /* check_tree.c */

/* Whether a number is neither infinite nor none. */
static inline bool phive_finite(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x7F800000) != 0x7F800000;
}

/* Whether a box leaves another one, but for what rounding does: the axis; -1: it does not. */
int phive_leaves(const phive_box3 *inner, const phive_box3 *outer);
/* Whether a box is much larger than another one in it. */
bool phive_loose(const phive_box3 *inner, const phive_box3 *outer);

/* ---- walks of trees (check_walk.c) ------------------------------------------------------------------- */

enum { PHIVE_LANES = 4 };

typedef struct phive_step {
    uint32_t node;
    uint8_t lane;
} phive_step;

/* A tree of nodes with four lanes each. Every node is entered once, whoever leads to it. */
typedef struct phive_walk {
    void *user;
    uint8_t *state;    /* a byte for each node, zeros at first */
    phive_step *stack; /* as many steps as nodes */
    void (*enter)(void *user, uint32_t node, uint32_t parent);
    /* The node that a lane leads to, which is there; PHIVE_NONE: to none. */
    uint32_t (*child)(void *user, uint32_t node, unsigned lane);
    /* A lane leads to a node which was entered before: to one above it, or one with another parent. */
    void (*again)(void *user, uint32_t node, unsigned lane, uint32_t child, bool cycle);
    void (*leave)(void *user, uint32_t node); /* may be NULL */
} phive_walk;

void phive_walk_from(phive_walk *w, uint32_t root);

#endif
