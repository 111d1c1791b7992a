/* Scaling: one walk over all rows of records that multiplies lengths, masses and what follows from them. Which rows
 * those are, and by what, a format says row by row.
 *
 * What is changed are copies of the parts, while the document is read: data that several heads lead to are
 * multiplied once. */
#ifndef LATHE_SCENE_SCALE_H
#define LATHE_SCENE_SCALE_H

#include "model/scale.h"
#include "record/record.h"

enum { SCENE_SCALE_PERIOD = 32, SCENE_SCALE_POWERS = 8 };

/* How a row is scaled. */
typedef struct scene_scale_row {
    bool leaf; /* its elements are numbers, or records of nothing else; else their rows are asked */
    int power; /* of records that are walked: what their rows are asked with as `outer` */
    unsigned family;
    uint64_t most; /* only so many elements; UINT64_MAX: all */
    unsigned told; /* in each element, as report->changed counts them */
    /* Of a leaf: an element is `lanes` numbers of a kind side by side (F16, F32, U32), of which number i is
     * multiplied by by[i % period]; 1: it stays. */
    rec_kind kind;
    unsigned lanes, period;
    double by[SCENE_SCALE_PERIOD];
    /* … or `width` bytes, which this turns into others. False: it does not fit. */
    bool (*turn)(const uint8_t *from, uint8_t *to, const double *by, bool big);
    unsigned width;
} scene_scale_row;

typedef struct scene_scaling scene_scaling;
struct scene_scaling {
    lathe_doc *doc;
    lathe_report *report; /* or NULL */
    unsigned wanted;      /* families */
    double none;          /* floats of that size and larger stay, as they stand for none */
    double by[2 * SCENE_SCALE_POWERS + 1]; /* the factor to each power: scene_scale_by */
    /* Says of a row how it is scaled; `out` is zeroed but for the family around it. False: there is nothing in it. */
    bool (*row)(const scene_scaling *s, const rec_at *at, uint32_t slot, int outer,
                scene_scale_row *out);
    /* Of a row with elements that will be walked, so that it can tell what it cannot; or NULL. */
    void (*look)(const scene_scaling *s, const rec_at *at, uint32_t slot, unsigned family);
    const char *refuse; /* what is said of any number that is met; NULL: they are scaled */
    const void *user;
    /* inside: of each part its copy, or NULL; and which have one */
    uint8_t **copies;
    size_t parts;
    buf changed;
};

/* Sets the powers of a factor; scene_scale_end is to follow. */
void scene_scale_begin(scene_scaling *s, double factor);
/* The factor to a power. */
static inline double scene_scale_by(const scene_scaling *s, int power)
{
    return s->by[power + SCENE_SCALE_POWERS];
}
/* The power of a row in a record that itself has the power `outer`. */
static inline int scene_scale_power(const rec_field *row, int outer)
{
    return row->power ? row->power : row->flags & REC_UNSCALED ? 0 : outer;
}
/* Tells of a place that it was left as it is. */
void scene_scale_tell(const scene_scaling *s, const rec_at *at, uint32_t slot, const char *reason);
/* Scales a record and all below, of that family, in copies of the parts that it lies in. */
lathe_result scene_scale_record(scene_scaling *s, const rec_at *at, unsigned family,
                                lathe_error *err);
/* The bytes of a part as they will be. NULL: no memory. */
uint8_t *scene_scale_copy(scene_scaling *s, uint32_t part);
/* What was changed goes into the document, a part in one piece. */
lathe_result scene_scale_write(scene_scaling *s, lathe_error *err);
void scene_scale_end(scene_scaling *s);

/* Makes a leaf of all elements of a row, where they are records of nothing but numbers at fixed places: floats are
 * multiplied as scene_scale_power says of their rows. False: they are something else. */
bool scene_scale_flat(const scene_scaling *s, const rec_layout *element, int outer,
                      scene_scale_row *out);

/* ---- formats with few lengths ------------------------------------------------------------------ */

/* What scaling does to a row, by its name. Of a matrix the translation is scaled. */
typedef struct scene_scale_rule {
    const char *row;
    int power; /* scaling by s multiplies by s^power; 0: records, whose rows are looked up in turn */
    unsigned told; /* in each element, as report->changed counts them */
} scene_scale_rule;

/* What such a verb takes: factor, what, mass. All formats take all of them, so that one call serves a folder of many. */
extern const rec_param *const scene_scale_params[];
/* The verb of a format whose numbers are all of one family: scales the rows that the rules name (the last one names none),
 * from the root down. Other rows stay. One factor for all axes: LATHE_ERR_RANGE. */
lathe_result scene_scale_rules(lathe_view self, const scene_scale_rule *rules, unsigned family,
                               const lathe_source *args, lathe_report *report, lathe_error *err);

#endif
