/* Converts ad hoc types to units of the engine. */
#include "made_up_adhoc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t text_of(adhoc_unit *u, const char *text)
{
    uint32_t at = u->texts_n, n = text ? (uint32_t)strlen(text) + 1 : 0;
    if (!text)
        return 0;
    assert(n <= ADHOC_TEXTS - at);
    memcpy(u->texts + at, text, n);
    u->texts_n += n;
    return at;
}

static void set_condition(adhoc_unit *u, uint16_t k, const adhoc_row *r)
{
    u->conditions[k] = (rec_condition){.only = r->only,
                                       .when = text_of(u, r->when),
                                       .uses = text_of(u, r->uses),
                                       .uses_top = text_of(u, r->uses_top),
                                       .since = r->since};
}

static void set_rare(adhoc_unit *u, uint16_t k, const adhoc_row *r)
{
    u->rares[k] = (rec_rare){.arg = r->arg,
                             .place = r->place,
                             .count = r->count,
                             .renumber = r->renumber,
                             .resizes = r->resizes,
                             .type_name = r->type_name,
                             .range = {r->range[0], r->range[1]},
                             .derive = r->derive,
                             .get = r->get,
                             .tag = text_of(u, r->tag),
                             .group = text_of(u, r->group),
                             .column = text_of(u, r->column),
                             .key = text_of(u, r->key),
                             .value = text_of(u, r->value),
                             .bits_of = text_of(u, r->bits_of)};
}

static void set_row(adhoc_types *types, adhoc_unit *u, uint32_t i, const adhoc_row *r)
{
    uint16_t k = (uint16_t)(i + 1), first_lane = (uint16_t)(REC_LANES * k);
    u->outside[k] = r->type ? adhoc_type_of(types, r->type) : r->of;
    u->names[k] = r->names;
    u->codecs[k] = r->codec;
    u->refs[k] = r->ref;
    u->bodies[k] = r->body;
    if (r->init_lanes)
        memcpy(&u->numbers[first_lane], r->init_lanes, rec_lanes(u->outside[k]) * sizeof(double));
    set_condition(u, k, r);
    set_rare(u, k, r);
    u->rows[i] = (rec_field){
        .back = (uint32_t)(offsetof(adhoc_unit, rows) + i * sizeof(rec_field)),
        .name = text_of(u, r->name),
        .doc = text_of(u, r->doc),
        .flags = r->flags,
        .by = text_of(u, r->by),
        .n = (uint32_t)r->n,
        .off = r->off,
        .type = u->outside[k] ? k : 0,
        .names = r->names ? k : 0,
        .codec = r->codec ? k : 0,
        .ref = r->ref ? k : 0,
        .body = r->body ? k : 0,
        .init = r->init_lanes ? first_lane : 0,
        .condition = k,
        .rare = k,
        .kind = (uint8_t)r->kind,
        .shown = (uint8_t)r->shown,
        .prefix = (int8_t)r->prefix,
        .power = r->power,
        .low = r->low,
        .bits = r->bits,
    };
}

static void set_type(adhoc_types *types, adhoc_unit *u, const adhoc_type *from)
{
    u->texts_n = 1;
    u->head = (rec_unit){.texts = u->texts,
                         .rows = u->rows,
                         .outside = u->outside,
                         .outside_names = u->names,
                         .codecs = u->codecs,
                         .refs = u->refs,
                         .bodies = u->bodies,
                         .numbers = u->numbers,
                         .conditions = u->conditions,
                         .rares = u->rares,
                         .hooks = u->hooks};
    u->hooks[1] = (rec_hooks){from->extent, from->load, from->store};
    u->type = (rec_type){.back = offsetof(adhoc_unit, type),
                         .name = text_of(u, from->name),
                         .doc = text_of(u, from->doc),
                         .count = from->count,
                         .flags = from->flags,
                         .size = from->size,
                         .base = from->base ? ADHOC_ROWS_MOST + 1 : 0,
                         .hooks = 1};
    u->outside[ADHOC_ROWS_MOST + 1] = from->base ? adhoc_type_of(types, from->base) : NULL;
    assert(from->count <= ADHOC_ROWS_MOST);
    for (uint32_t i = 0; i < from->count; i++)
        set_row(types, u, i, &from->rows[i]);
}

const rec_type *adhoc_type_of(adhoc_types *types, const adhoc_type *from)
{
    for (size_t i = 0; i < types->n; i++)
        if (types->made[i].from == from)
            return &types->made[i].unit->type;
    assert(types->n < REC_COUNT_OF(types->made));
    struct adhoc_made *made = &types->made[types->n++];
    *made = (struct adhoc_made){from, calloc(1, sizeof *made->unit)};
    assert(made->unit);
    set_type(types, made->unit, from); /* a type may be its own base */
    return &made->unit->type;
}

void adhoc_types_free(adhoc_types *types)
{
    for (size_t i = 0; i < types->n; i++)
        free(types->made[i].unit);
    types->n = 0;
}
