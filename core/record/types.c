/* Functions on record types without a container: names of rows and types for messages, and search for types by name. */
#include "record/record.h"

#include <stdio.h>

/* ---- names ------------------------------------------------------------------------------------- */

bool rec_is_array(const rec_field *row)
{
    if (!row->n && !row->body && !row->by && !row->rare && !(row->flags & REC_REST))
        return false; /* as most rows are */
    bool text = row->kind == REC_STR && row->body && !row->prefix && !row->size && !row->text;
    return row->kind != REC_BYTES && !text && /* their count is their length */
           (row->n || (row->body && rec_row_body(row)->count) || row->by ||
            rec_row_rare(row)->count || rec_row_group(row) || (row->flags & REC_REST) != 0);
}

const char *rec_row_type_name(const rec_field *row, char *text, size_t cap)
{
    static const char *const names[REC_KIND_COUNT] = {
        [REC_U8] = "u8",       [REC_I8] = "i8",
        [REC_U16] = "u16",     [REC_I16] = "i16",
        [REC_U32] = "u32",     [REC_I32] = "i32",
        [REC_U64] = "u64",     [REC_I64] = "i64",
        [REC_F16] = "f16",     [REC_F16_UPPER] = "f16_upper",
        [REC_F32] = "f32",     [REC_F64] = "f64",
        [REC_BYTES] = "bytes",
    };
    if (row->kind == REC_RECORD)
        return rec_row_rare(row)->embed ? rec_row_rare(row)->embed->name
                                        : rec_type_name(rec_row_type(row));
    if (row->kind == REC_POINTER)
        return row->type ? rec_type_name(rec_row_type(row)) : "pointer";
    if (row->kind == REC_STR) {
        if (row->prefix)
            snprintf(text, cap, "str%d", 8 * (row->prefix < 0 ? -row->prefix : row->prefix));
        else if (row->size)
            snprintf(text, cap, "char[%u]", (unsigned)row->size);
        else
            snprintf(text, cap, "cstr");
        return text;
    }
    if (row->kind == REC_COMPUTED && row->type)
        return rec_type_name(rec_row_type(row));
    if (row->kind == REC_COMPUTED) {
        static const char *const shown[] = {
            [REC_PLAIN] = "number",    [REC_BOOL] = "bool",         [REC_ENUM] = "enum",
            [REC_FLAGS] = "flags",     [REC_TEXT] = "text",         [REC_NUMBER] = "number",
            [REC_INTEGER] = "integer", [REC_ANY_RECORD] = "record",
        };
        return shown[row->shown];
    }
    return names[row->kind];
}

const char *rec_wanted(const rec_field *row, char *text, size_t cap)
{
    if (row->shown == REC_BOOL)
        return "a boolean";
    if (row->ref && (!row->type || row->kind != REC_POINTER))
        return "a record, its number or false";
    return row->codec && rec_row_codec(row)->kind == LATHE_KIND_STRING
               ? "a text"
               : rec_row_type_name(row, text, cap);
}

static bool has_row(const rec_type *type, const char *name)
{
    for (uint32_t i = 0; i < rec_row_count(type); i++)
        if (strcmp(rec_row_name(rec_row(type, i)), name) == 0)
            return true;
    return false;
}

const char *rec_holder(const rec_type *type, const char *field)
{
    for (uint32_t i = 0; i < rec_row_count(type); i++) {
        const rec_field *row = rec_row(type, i);
        if (row->kind == REC_RECORD && !rec_row_rare(row)->embed && !rec_is_array(row) &&
            has_row(rec_row_type(row), field))
            return rec_row_name(row);
    }
    return NULL;
}

/* ---- search ------------------------------------------------------------------------------------ */

static const rec_type *find_below(const rec_type *type, const char *name, int depth)
{
    if (strcmp(rec_type_name(type), name) == 0)
        return type;
    uint32_t rows = depth > 0 ? rec_row_count(type) : 0;
    for (uint32_t i = 0; i < rows; i++) {
        const rec_field *row = rec_row(type, i);
        if (row->kind != REC_RECORD && row->kind != REC_POINTER)
            continue;
        const rec_type *sub =
            rec_row_rare(row)->embed ? rec_row_rare(row)->embed->root : rec_row_type(row);
        if (sub == type || !sub)
            continue;
        const rec_type *found = find_below(sub, name, depth - 1);
        if (found)
            return found;
    }
    return NULL;
}

/* Finds a record type by name at or below `type`. NULL: none. */
static const rec_type *type_within(const rec_type *type, const char *name)
{
    return find_below(type, name, 8);
}

const rec_type *rec_type_of(const lathe_format *format, const char *name)
{
    const rec_type *found = type_within(format->root, name);
    const rec_type *t;
    if (format->type_any)
        return found ? found : format->type_any(name);
    for (size_t i = 0; !found && format->types && (t = format->types(i)); i++)
        found = type_within(t, name);
    return found;
}

const rec_type *rec_type_find(const char *name)
{
    const rec_type *found = NULL;
    for (const lathe_format *const *f = rec_formats; !found && *f; f++)
        found = strcmp((*f)->name, name) == 0 ? (*f)->root : rec_type_of(*f, name);
    return found;
}
