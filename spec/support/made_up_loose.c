/* Loose types as the engine has its own. */
#include "made_up_loose.h"

#include <assert.h>
#include <stdlib.h>

static rec_field row_of(loose_types *types, const loose_row *r)
{
    return (rec_field){
        .name = r->name,
        .doc = r->doc,
        .kind = r->kind,
        .shown = r->shown,
        .flags = r->flags,
        .type = r->type ? loose_type_of(types, r->type) : r->of,
        .arg = r->arg,
        .names = r->names,
        .codec = r->codec,
        .ref = r->ref,
        .body = r->body,
        .off = r->off,
        .place = r->place,
        .tag = r->tag,
        .type_name = r->type_name,
        .prefix = r->prefix,
        .n = r->n,
        .by = r->by,
        .count = r->count,
        .group = r->group,
        .column = r->column,
        .key = r->key,
        .value = r->value,
        .renumber = r->renumber,
        .resizes = r->resizes,
        .since = r->since,
        .only = r->only,
        .when = r->when,
        .uses = r->uses,
        .uses_top = r->uses_top,
        .init_lanes = r->init_lanes,
        .range = {r->range[0], r->range[1]},
        .power = r->power,
        .derive = r->derive,
        .get = r->get,
        .why = NULL,
        .bits_of = r->bits_of,
        .low = r->low,
        .bits = r->bits,
    };
}

const rec_type *loose_type_of(loose_types *types, const loose_type *from)
{
    for (size_t i = 0; i < types->n; i++)
        if (types->made[i].from == from)
            return types->made[i].type;
    assert(types->n < REC_COUNT_OF(types->made));
    struct loose_made *made = &types->made[types->n++];
    *made = (struct loose_made){from, calloc(1, sizeof *made->type),
                                calloc(from->count + 1, sizeof *made->rows)};
    assert(made->type && made->rows);
    for (uint32_t i = 0; i < from->count; i++)
        made->rows[i] = row_of(types, &from->rows[i]);
    *made->type = (rec_type){.name = from->name,
                             .doc = from->doc,
                             .base = from->base ? loose_type_of(types, from->base) : NULL,
                             .rows = made->rows,
                             .count = from->count,
                             .flags = from->flags,
                             .size = from->size,
                             .extent = from->extent,
                             .load = from->load,
                             .store = from->store};
    return made->type;
}

void loose_types_free(loose_types *types)
{
    for (size_t i = 0; i < types->n; i++) {
        free(types->made[i].rows);
        free(types->made[i].type);
    }
    types->n = 0;
}
