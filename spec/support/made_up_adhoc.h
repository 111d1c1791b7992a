/* Ad hoc record types as C initialisers, for tests of the lint: they contain mistakes that the generator of the notation
 * would refuse. Members are named as in record/row.h, where they are described. */
#ifndef LATHE_MADE_UP_ADHOC_H
#define LATHE_MADE_UP_ADHOC_H

#include "record/record.h"

typedef struct adhoc_type adhoc_type;

typedef struct adhoc_row {
    const char *name, *doc;
    rec_kind kind;
    rec_shown shown;
    uint32_t flags;
    const adhoc_type *type; /* of REC_RECORD; or a type that is no ad hoc one: */
    const rec_type *of;
    uint64_t (*arg)(const rec_at *at);
    const rec_names *names;
    const rec_codec *codec;
    const rec_ref *ref;
    const rec_body *body;
    uint32_t off;
    uint64_t (*place)(const rec_setting *in);
    const char *tag;
    const char *(*type_name)(lathe_doc *doc, uint32_t part);
    int prefix;
    uint64_t n;
    const char *by;
    uint64_t (*count)(const rec_at *at);
    const char *group, *column, *key, *value;
    lathe_result (*renumber)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                             uint64_t inserted, lathe_error *err);
    lathe_result (*resizes)(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);
    int32_t since;
    bool (*only)(const rec_setting *in);
    const char *when, *uses, *uses_top;
    const double *init_lanes;
    double range[2];
    int8_t power;
    bool (*derive)(const rec_at *at, int64_t *out);
    lathe_result (*get)(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err);
    const char *bits_of;
    uint8_t low, bits;
} adhoc_row;

struct adhoc_type {
    const char *name, *doc;
    const adhoc_type *base;
    const adhoc_row *rows;
    uint32_t count, flags, size;
    uint64_t (*extent)(const rec_setting *in);
    lathe_result (*load)(const rec_at *at, double *lanes, lathe_error *err);
    lathe_result (*store)(const rec_at *at, const double *lanes, lathe_error *err);
};

#define ADHOC_ROWS(a) .rows = (a), .count = REC_COUNT_OF(a)

/* An ad hoc type as a unit of its own. Entry i + 1 of each list is of row i; the last type is the base. */
enum { ADHOC_ROWS_MOST = 20, ADHOC_TEXTS = 2048 };
typedef struct adhoc_unit {
    rec_unit head;
    rec_type type;
    rec_field rows[ADHOC_ROWS_MOST];
    rec_condition conditions[ADHOC_ROWS_MOST + 1];
    rec_rare rares[ADHOC_ROWS_MOST + 1];
    rec_hooks hooks[2];
    double numbers[REC_LANES * (ADHOC_ROWS_MOST + 1)];
    const rec_type *outside[ADHOC_ROWS_MOST + 2];
    const rec_names *names[ADHOC_ROWS_MOST + 1];
    const rec_codec *codecs[ADHOC_ROWS_MOST + 1];
    const rec_ref *refs[ADHOC_ROWS_MOST + 1];
    const rec_body *bodies[ADHOC_ROWS_MOST + 1];
    char texts[ADHOC_TEXTS];
    uint32_t texts_n;
} adhoc_unit;

/* The types made from ad hoc ones. */
typedef struct adhoc_types {
    struct adhoc_made {
        const adhoc_type *from;
        adhoc_unit *unit;
    } made[8];
    size_t n;
} adhoc_types;

/* The engine's type for an ad hoc one and the types it refers to; the same at every call. */
const rec_type *adhoc_type_of(adhoc_types *types, const adhoc_type *from);
void adhoc_types_free(adhoc_types *types);

#endif
