/* Scaling: which values of which fields are multiplied. The tables (.power) come first; exceptions are in
 * scale_special.c. */
#ifndef LATHE_NIF_SCALE_H
#define LATHE_NIF_SCALE_H

#include "model/scale.h"
#include "nif/nif.h"

/* How a field is scaled: all its values with `power`. With a `period`, values repeat in groups of that size;
 * those of the bits `up` are multiplied, those of `down` divided. */
typedef struct nif_scale_rule {
    int power;
    unsigned period;
    uint64_t up, down;
} nif_scale_rule;

/* The rule for a field of a record in a block. `outer` is the power of the field that contains the record.
 * `keys`: the block's keys are known to be lengths. */
nif_scale_rule nif_scale_rule_of(const rec_at *at, const rec_field *row, int outer, bool keys);
/* Whether records of a type may hold anything to scale. */
bool nif_scales(const rec_type *type);
/* Whether records of a type may hold data of another kind than their block. */
bool nif_scales_other(const rec_type *type);
/* The kind of data (MODEL_…) of a block, and of a field of a record in it whose own kind is `outer`. */
unsigned nif_scale_family(const rec_type *block);
unsigned nif_scale_family_of(const rec_at *at, const rec_field *row, const rec_type *block,
                             unsigned outer);
/* Whether blocks of a type contain a collision packfile. */
bool nif_has_system(const rec_type *block);
/* Why blocks of a type cannot be scaled; NULL: they can. */
const char *nif_scale_lacks(const rec_at *block);
/* Why scaling a block has no effect although it is possible; NULL: it has. */
const char *nif_scale_elsewhere(const rec_at *block);
/* For each block: whether its keys are lengths. `total` bytes, freed by the caller. NULL: out of memory. */
uint8_t *nif_scale_keys(lathe_doc *doc, uint32_t c, uint64_t total);

/* The verb. */
extern const char nif_scale_doc[];
extern const rec_param *const nif_scale_params[];
lathe_result nif_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err);

#endif
