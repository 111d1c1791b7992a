/* Scaling: which numbers of which rows are multiplied. What a table says (.power) goes first; what it cannot say
 * is in scale_special.c. */
#ifndef LATHE_NIF_SCALE_H
#define LATHE_NIF_SCALE_H

#include "model/scale.h"
#include "nif/nif.h"

/* How a row is scaled: all numbers in it with `power`; or, where there is a `period`, of so many floats in turn
 * those of the bits `up` are multiplied, and those of `down` divided. */
typedef struct nif_scale_rule {
    int power;
    unsigned period;
    uint64_t up, down;
} nif_scale_rule;

/* Of a row of a record in a block; `outer` is the power of the row that the record is in. `keys`: the block's
 * keys are known to be lengths. */
nif_scale_rule nif_scale_rule_of(const rec_at *at, const rec_field *row, int outer, bool keys);
/* Whether records of a type may hold anything to scale. */
bool nif_scales(const rec_type *type);
/* Whether records of a type may hold what is of another kind than the block that they are in. */
bool nif_scales_other(const rec_type *type);
/* What a block is of, and a row of a record in it that is itself of `outer`. */
unsigned nif_scale_family(const rec_type *block);
unsigned nif_scale_family_of(const rec_at *at, const rec_field *row, const rec_type *block,
                             unsigned outer);
/* Whether blocks of a type have a packfile of collision in them. */
bool nif_has_system(const rec_type *block);
/* Why blocks of a type cannot be scaled; NULL: they can. */
const char *nif_scale_lacks(const rec_at *block);
/* Why scaling one does not do, though it can be; NULL: it does. */
const char *nif_scale_elsewhere(const rec_at *block);
/* For each block whether its keys are lengths: `total` bytes, to be freed. NULL: no memory. */
uint8_t *nif_scale_keys(lathe_doc *doc, uint32_t c, uint64_t total);

/* The verb. */
extern const char nif_scale_doc[];
extern const rec_param *const nif_scale_params[];
lathe_result nif_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err);

#endif
