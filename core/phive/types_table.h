/* The classes of a mesh shape in Havok's reflection. The order of the table has no meaning. */
#ifndef LATHE_PHIVE_TYPES_TABLE_H
#define LATHE_PHIVE_TYPES_TABLE_H

#include <stdint.h>

enum { /* variants that have a class or member; 0: all */ PHIVE_21 = 1,
       PHIVE_22 = 2,
       PHIVE_23 = 4 };

typedef struct phive_class_member {
    const char *name, *type;
    uint32_t offset; /* from the start of the complete object */
    uint8_t flags;   /* as in the file */
    uint8_t in;
} phive_class_member;

typedef struct phive_class_arg { /* of a template */
    const char *name, *type;     /* type: NULL if the value is a number */
    uint32_t number;
} phive_class_arg;

/* A class. What is not set here is missing in the file too. A class without parent and format is only a name. */
typedef struct phive_class {
    const char *name;     /* with template arguments */
    const char *template; /* … and without them; NULL: it has none */
    phive_class_arg args[2];
    const char *parent, *sub_type;
    uint32_t format, version, size, alignment, flags, hash;
    const phive_class_member *members;
    uint32_t members_n;
    uint8_t in;
} phive_class;

extern const phive_class phive_classes[]; /* the last one has no name */

/* The items of a shape in their order: the SDK numbers types in this order. */
typedef struct phive_root {
    const char *type;
    uint8_t in;
} phive_root;

extern const phive_root phive_roots[]; /* the last one has no type */

#endif
