#include "record/own_unit.h"

#include "record/record.h"

#include <string.h>

static rec_unit unit_of(const rec_own *own)
{
    return (rec_unit){
        .texts = own->texts.entries,
        .rows = own->block ? own->block->rows : NULL,
        .outside = own->types.entries,
        .outside_names = own->names.entries,
        .codecs = own->codecs.entries,
        .refs = own->refs.entries,
        .bodies = own->bodies.entries,
        .numbers = own->numbers.entries,
        .conditions = own->conditions.entries,
        .rares = own->rares.entries,
    };
}

/* Appends n zeroed entries to a list, and returns the number of the first one; entry 0 is unused. 0: no memory. */
static uint32_t more(rec_own *own, rec_own_list *list, size_t n, size_t size)
{
    uint32_t at = list->n ? list->n : 1;
    if (!own->block || n > UINT32_MAX - at ||
        !mem_reserve(&own->doc->mem, &list->entries, &list->cap, at + n, size)) {
        own->short_of_memory = true;
        return 0;
    }
    memset((char *)list->entries + list->n * size, 0, (at + n - list->n) * size);
    list->n = at + (uint32_t)n;
    own->block->unit = unit_of(own); /* rows can be read at any time */
    return at;
}

/* The same for one entry, with a 16-bit number. */
static uint16_t one_more(rec_own *own, rec_own_list *list, size_t size)
{
    uint32_t at = list->n <= UINT16_MAX ? more(own, list, 1, size) : 0;
    own->short_of_memory = own->short_of_memory || !at;
    return (uint16_t)at;
}

uint32_t rec_own_text(rec_own *own, const char *text)
{
    size_t n = text ? strlen(text) + 1 : 0;
    uint32_t at = !text ? 0 : n == 1 ? REC_OWN_EMPTY : more(own, &own->texts, n, 1);
    if (at && n > 1)
        memcpy((char *)own->texts.entries + at, text, n);
    return at;
}

/* Defines a function that gives the number of an object in its list. It compares with the last entries only, because
 * rows use an object of the last few rows, or a new one. */
#define OWN_POINTER(linkage, word, list, of)                                                       \
    linkage uint16_t rec_own_##word(rec_own *own, const of *what)                                  \
    {                                                                                              \
        const of **all = own->list.entries;                                                        \
        for (uint32_t k = 1; what && k < own->list.n && k < NEAR; k++)                             \
            if (all[own->list.n - k] == what)                                                      \
                return (uint16_t)(own->list.n - k);                                                \
        uint16_t at = what ? one_more(own, &own->list, sizeof what) : 0;                           \
        if (at)                                                                                    \
            ((const of **)own->list.entries)[at] = what;                                           \
        return at;                                                                                 \
    }

enum { NEAR = 8 };
OWN_POINTER(extern, type, types, rec_type)
OWN_POINTER(extern, names, names, rec_names)
OWN_POINTER(static, codec, codecs, rec_codec)
OWN_POINTER(extern, ref, refs, rec_ref)
OWN_POINTER(extern, body, bodies, rec_body)

rec_rare *rec_own_rare(rec_own *own, rec_field *row)
{
    if (!row->rare)
        row->rare = one_more(own, &own->rares, sizeof(rec_rare));
    return row->rare ? &((rec_rare *)own->rares.entries)[row->rare] : &own->lost;
}

void rec_own_begin(rec_own *own, lathe_doc *doc, const char *type_name, uint32_t most)
{
    size_t size = sizeof *own->block + most * sizeof own->block->rows[0];
    *own = (rec_own){.doc = doc, .block = mem_zalloc(&doc->mem, size), .most = most};
    uint32_t empty = more(own, &own->texts, 1, 1); /* REC_OWN_EMPTY, followed by REC_OWN_NAME: */
    if (empty)
        rec_own_text(own, type_name[0] ? type_name : " ");
}

rec_field *rec_own_row(rec_own *own)
{
    if (!own->block || own->n == own->most)
        return NULL;
    rec_field *row = &own->block->rows[own->n++];
    *row = (rec_field){.back = (uint32_t)((char *)row - (char *)own->block), .doc = REC_OWN_EMPTY};
    return row;
}

/* ---- rows of other units --------------------------------------------------------------------------- */

static uint16_t copy_init(rec_own *own, const rec_field *row)
{
    const double *lanes = rec_row_init_lanes(row), one = rec_row_init(row);
    uint32_t n = lanes ? rec_lanes(rec_row_type(row)) : 1;
    uint32_t at = row->init ? more(own, &own->numbers, n, sizeof one) : 0;
    if (at)
        memcpy((double *)own->numbers.entries + at, lanes ? lanes : &one, n * sizeof one);
    return (uint16_t)at;
}

static uint16_t copy_condition(rec_own *own, const rec_field *row)
{
    uint16_t at = row->condition ? one_more(own, &own->conditions, sizeof(rec_condition)) : 0;
    rec_condition *to = at ? &((rec_condition *)own->conditions.entries)[at] : NULL;
    if (!to)
        return 0;
    *to = *rec_row_condition(row);
    to->when = rec_own_text(own, rec_row_when(row));
    to->uses = rec_own_text(own, rec_row_uses(row));
    to->uses_top = rec_own_text(own, rec_row_uses_top(row));
    return at;
}

static void copy_rare(rec_own *own, rec_field *to, const rec_field *row)
{
    if (!row->rare)
        return;
    rec_rare *rare = rec_own_rare(own, to);
    *rare = *rec_row_rare(row);
    rare->bytes_by = rec_own_text(own, rec_row_bytes_by(row));
    rare->tag = rec_own_text(own, rec_row_tag(row));
    rare->group = rec_own_text(own, rec_row_group(row));
    rare->column = rec_own_text(own, rec_row_column(row));
    rare->key = rec_own_text(own, rec_row_key(row));
    rare->value = rec_own_text(own, rec_row_value(row));
    rare->shown_by = rec_own_text(own, rec_row_shown_by(row));
    rare->why = rec_own_text(own, rec_row_why(row));
    rare->instead = rec_own_text(own, rec_row_instead(row));
    rare->bits_of =
        rare->bits_of == REC_ARGUMENT ? REC_ARGUMENT : rec_own_text(own, rec_row_bits_of(row));
    const char *init = rec_row_init_bytes(row);
    uint32_t n = rare->init_size ? rare->init_size : init ? (uint32_t)strlen(init) : 0;
    rare->init_bytes = init ? more(own, &own->texts, (size_t)n + 1, 1) : 0;
    if (rare->init_bytes)
        memcpy((char *)own->texts.entries + rare->init_bytes, init, n);
}

rec_field *rec_own_copy(rec_own *own, const rec_field *row)
{
    rec_field *to = rec_own_row(own);
    if (!to)
        return NULL;
    uint32_t back = to->back;
    *to = *row;
    to->back = back;
    to->name = rec_own_text(own, rec_row_name(row));
    to->original = rec_own_text(own, rec_row_original(row));
    to->doc = rec_own_text(own, rec_row_doc(row));
    to->unit = rec_own_text(own, rec_row_unit(row));
    to->by = rec_own_text(own, rec_row_by(row));
    to->type = rec_own_type(own, rec_row_type(row));
    to->names = rec_own_names(own, rec_row_names(row));
    to->codec = rec_own_codec(own, rec_row_codec(row));
    to->ref = rec_own_ref(own, rec_row_ref(row));
    to->body = rec_own_body(own, rec_row_body(row));
    to->text = rec_own_body(own, rec_row_text(row));
    to->init = copy_init(own, row);
    to->condition = copy_condition(own, row);
    to->rare = 0;
    copy_rare(own, to, row);
    return to;
}

/* ---- the end --------------------------------------------------------------------------------------- */

/* Shrinks a list to its size; keep false: frees it. */
static void close_list(rec_own *own, rec_own_list *list, size_t size, bool keep)
{
    bool wanted = keep && list->n && !own->short_of_memory;
    void *kept = wanted ? arena_zalloc(&own->doc->arena, list->n * size) : NULL;
    if (kept)
        memcpy(kept, list->entries, list->n * size);
    own->short_of_memory = own->short_of_memory || (wanted && !kept);
    mem_free(&own->doc->mem, list->entries, list->cap * size);
    list->entries = kept;
}

bool rec_own_end(rec_own *own, rec_unit *unit)
{
    size_t head = sizeof *own->block, row = sizeof own->block->rows[0];
    rec_own_block *made = own->block;
    close_list(own, &own->texts, 1, unit);
    close_list(own, &own->types, sizeof(rec_type *), unit);
    close_list(own, &own->names, sizeof(rec_names *), unit);
    close_list(own, &own->codecs, sizeof(rec_codec *), unit);
    close_list(own, &own->refs, sizeof(rec_ref *), unit);
    close_list(own, &own->bodies, sizeof(rec_body *), unit);
    close_list(own, &own->numbers, sizeof(double), unit);
    close_list(own, &own->conditions, sizeof(rec_condition), unit);
    close_list(own, &own->rares, sizeof(rec_rare), unit);
    bool good = unit && made && !own->short_of_memory;
    own->block = good && own->n ? arena_zalloc(&own->doc->arena, head + own->n * row) : NULL;
    good = good && (own->block || !own->n);
    if (good)
        *unit = unit_of(own);
    if (own->block) {
        memcpy(own->block->rows, made->rows, own->n * row);
        own->block->unit = *unit;
    }
    mem_free(&own->doc->mem, made, head + own->most * row);
    own->block = NULL;
    return good;
}
