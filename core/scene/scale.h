/* Scaling: walks over all rows of the records of a document, and multiplies lengths, masses and numbers that depend
 * on them. The format says for each row whether and by what it is multiplied.
 *
 * Results go into copies of the parts while the originals are read, so data that several pointers share are
 * multiplied once. */
#ifndef LATHE_SCENE_SCALE_H
#define LATHE_SCENE_SCALE_H

#include "model/scale.h"
#include "record/record.h"

enum { SCENE_SCALE_PERIOD = 32, SCENE_SCALE_POWERS = 8 };

/* How a row is scaled. */
typedef struct scene_scale_row {
    /* its elements are numbers, or records of numbers only; else their rows are visited */
    bool leaf;
    int power; /* of records whose rows are visited: passed to their rows as `outer` */
    unsigned family;
    uint64_t most;    /* the maximum number of elements to scale; UINT64_MAX: all */
    unsigned counted; /* how much each element adds to report->changed */
    /* Of a leaf: an element is `lanes` consecutive numbers of one kind (F16, F32, U32). Number i is multiplied by
     * by[i % period]; a factor of 1 leaves it unchanged. */
    rec_kind kind;
    unsigned lanes, period;
    double by[SCENE_SCALE_PERIOD];
    /* … or `width` bytes that this function converts. False: the result does not fit. */
    bool (*turn)(const uint8_t *from, uint8_t *to, const double *by, bool big);
    unsigned width;
} scene_scale_row;

typedef struct scene_scaling scene_scaling;
struct scene_scaling {
    lathe_doc *doc;
    lathe_report *report; /* or NULL */
    unsigned wanted;      /* families */
    double none;          /* floats of this magnitude or more mean "none", and stay */
    double by[2 * SCENE_SCALE_POWERS + 1]; /* powers of the factor: scene_scale_by */
    /* Sets in *out how a row is scaled; *out is zeroed except for the enclosing family. False: nothing in it is
     * scaled. */
    bool (*row)(const scene_scaling *s, const rec_at *at, uint32_t slot, int outer,
                scene_scale_row *out);
    /* Called for a row whose elements will be visited, so that it can report data that it cannot scale; or NULL. */
    void (*look)(const scene_scaling *s, const rec_at *at, uint32_t slot, unsigned family);
    /* fail with this message at the first number that would be scaled; NULL: scale it */
    const char *refuse;
    const void *user;
    /* internal: the copy of each part or NULL, and the numbers of the parts that have one */
    uint8_t **copies;
    size_t parts;
    buf changed;
};

/* Computes the powers of a factor. scene_scale_end must be called later. */
void scene_scale_begin(scene_scaling *s, double factor);
/* The factor to a power. */
static inline double scene_scale_by(const scene_scaling *s, int power)
{
    return s->by[power + SCENE_SCALE_POWERS];
}
/* The power of a row in a record with the power `outer`. */
static inline int scene_scale_power(const rec_field *row, int outer)
{
    return row->power ? row->power : row->flags & REC_UNSCALED ? 0 : outer;
}
/* Reports a place as skipped. */
void scene_scale_skip(const scene_scaling *s, const rec_at *at, uint32_t slot, const char *reason);
/* Scales a record and everything below it in the copies of its parts. `family`: that of the record. */
lathe_result scene_scale_record(scene_scaling *s, const rec_at *at, unsigned family,
                                lathe_error *err);
/* The copy of a part, made on first use. NULL: no memory. */
uint8_t *scene_scale_copy(scene_scaling *s, uint32_t part);
/* Writes the changed copies into the document, one splice for each part. */
lathe_result scene_scale_write(scene_scaling *s, lathe_error *err);
void scene_scale_end(scene_scaling *s);

/* Makes all elements of a row one leaf, if they are records of numbers at fixed offsets only. Floats are multiplied
 * by the power that scene_scale_power gives for their rows. False: they have other contents. */
bool scene_scale_flat(const scene_scaling *s, const rec_layout *element, int outer,
                      scene_scale_row *out);

/* ---- formats with few lengths ------------------------------------------------------------------ */

/* The power of a row, by its name. Of a matrix, only the translation is scaled. */
typedef struct scene_scale_rule {
    const char *row;
    /* scaling by s multiplies by s^power; 0: a record, whose rows are looked up in turn */
    int power;
    unsigned counted; /* how much each element adds to report->changed */
} scene_scale_rule;

/* Parameters of such a verb: factor, what, mass. All formats accept all of them, so that one call works for a folder
 * of files of several formats. */
extern const rec_param *const scene_scale_params[];
/* The verb of a format whose numbers are all of one family: scales the rows that the rules name (the last rule has no
 * name), from the root down. Other rows are unchanged. LATHE_ERR_RANGE if factors differ between axes. */
lathe_result scene_scale_rules(lathe_view self, const scene_scale_rule *rules, unsigned family,
                               const lathe_source *args, lathe_report *report, lathe_error *err);

#endif
