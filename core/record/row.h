/* How C reads the words of a row or type.
 *
 * Texts and what a row points to are asked for by functions; kind, shown, flags, sizes and other small numbers are
 * read directly. A word that few rows have is found through rec_row_rare, one about the row's presence through
 * rec_row_condition. Whether a row has one of the words here may be asked without its function: if (row->body). */
#ifndef LATHE_RECORD_ROW_H
#define LATHE_RECORD_ROW_H

#include "record/schema.h"

/* Texts. NULL: none; a name and a doc are never NULL. */
#define REC_ROW_TEXT(word)                                                                         \
    static inline const char *rec_row_##word(const rec_field *row)                                 \
    {                                                                                              \
        return row->word;                                                                          \
    }
REC_ROW_TEXT(name)
REC_ROW_TEXT(original)
REC_ROW_TEXT(doc)
REC_ROW_TEXT(unit)
REC_ROW_TEXT(by)
REC_ROW_TEXT(bytes_by)
REC_ROW_TEXT(tag)
REC_ROW_TEXT(group)
REC_ROW_TEXT(column)
REC_ROW_TEXT(key)
REC_ROW_TEXT(value)
REC_ROW_TEXT(when)
REC_ROW_TEXT(uses)
REC_ROW_TEXT(uses_top)
REC_ROW_TEXT(init_bytes)
REC_ROW_TEXT(shown_by)
REC_ROW_TEXT(why)
REC_ROW_TEXT(instead)
REC_ROW_TEXT(bits_of)
#undef REC_ROW_TEXT

/* What a row points to. NULL: nothing. */
static inline const rec_type *rec_row_type(const rec_field *row)
{
    return row->type;
}

static inline const rec_names *rec_row_names(const rec_field *row)
{
    return row->names;
}

static inline const rec_codec *rec_row_codec(const rec_field *row)
{
    return row->codec;
}

static inline const rec_ref *rec_row_ref(const rec_field *row)
{
    return row->ref;
}

static inline const rec_body *rec_row_body(const rec_field *row)
{
    return row->body;
}

static inline const rec_body *rec_row_text(const rec_field *row)
{
    return row->text;
}

/* The default: of a number, and of each number of a vector. */
static inline double rec_row_init(const rec_field *row)
{
    return row->init;
}

static inline const double *rec_row_init_lanes(const rec_field *row)
{
    return row->init_lanes;
}

/* since, before, only, when_eq, when_value, when_fn. Never NULL. */
static inline const rec_field *rec_row_condition(const rec_field *row)
{
    return row;
}

/* All hooks but those of the condition; limits and what else few rows have. Never NULL. */
static inline const rec_field *rec_row_rare(const rec_field *row)
{
    return row;
}

static inline const char *rec_type_name(const rec_type *type)
{
    return type->name;
}

static inline const char *rec_type_doc(const rec_type *type)
{
    return type->doc;
}

static inline const rec_type *rec_type_base(const rec_type *type)
{
    return type->base;
}

/* Its own rows, type->count of them; those of its bases apart. */
static inline const rec_field *rec_type_rows(const rec_type *type)
{
    return type->rows;
}

/* extent, load, store. Never NULL. */
static inline const rec_type *rec_type_hooks(const rec_type *type)
{
    return type;
}

#endif
