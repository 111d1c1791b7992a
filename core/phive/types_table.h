/* The classes of a mesh shape as Havok's reflection has them. The order of the table means nothing. */
#ifndef LATHE_PHIVE_TYPES_TABLE_H
#define LATHE_PHIVE_TYPES_TABLE_H

#include <stdint.h>

enum { /* variants that have a class or member; 0: all */ PHIVE_21 = 1,
       PHIVE_22 = 2,
       PHIVE_23 = 4 };

typedef struct phive_class_member {
    const char *name, *type;
    uint32_t offset; /* from the start of the complete object */
    uint8_t flags;   /* as the file has them */
    uint8_t in;
} phive_class_member;

typedef struct phive_class_arg { /* of a template */
    const char *name, *type;     /* type: NULL where it is a number */
    uint32_t number;
} phive_class_arg;

/* What is not given, the file does not say either. Without a parent and a format a class is only a name. */
typedef struct phive_class {
    const char *name;     /* with the arguments */
    const char *template; /* … and without them; NULL: it has none */
    phive_class_arg args[2];
    const char *parent, *sub_type;
    uint32_t format, version, size, alignment, flags, hash;
    const phive_class_member *members;
    uint32_t members_n;
    uint8_t in;
} phive_class;

extern const phive_class phive_classes[]; /* the last one has no name */

/* What the items of a shape are, in their order: the SDK numbers types from these on. */
typedef struct phive_root {
    const char *type;
    uint8_t in;
} phive_root;

extern const phive_root phive_roots[]; /* the last one has no type */

#endif
