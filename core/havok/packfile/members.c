/* Translates rows of classes into the terms of Havok's reflection. */
#include "havok/packfile/members.h"

#include "havok/packfile/types.h"

static uint8_t kind_of_number(const rec_field *row)
{
    static const uint8_t kinds[REC_KIND_COUNT] = {
        [REC_U8] = HK_KIND_UINT8,       [REC_I8] = HK_KIND_INT8,    [REC_U16] = HK_KIND_UINT16,
        [REC_I16] = HK_KIND_INT16,      [REC_U32] = HK_KIND_UINT32, [REC_I32] = HK_KIND_INT32,
        [REC_U64] = HK_KIND_UINT64,     [REC_I64] = HK_KIND_INT64,  [REC_F32] = HK_KIND_REAL,
        [REC_F16_UPPER] = HK_KIND_HALF, [REC_BYTES] = HK_KIND_UINT8};
    return kinds[row->kind];
}

/* Whether it is an hkVector4, under the name that says what its numbers are. */
static bool is_vector4(const rec_type *type)
{
    static const rec_type *const all[] = {&hk_vector4, &hk_vector4_distances, &hk_vector4_plane,
                                          &hk_vector4_inverses, &hk_vector4_grid};
    for (size_t i = 0; i < REC_COUNT_OF(all); i++)
        if (type == all[i])
            return true;
    return false;
}

/* The kind of a Havok struct that has one, such as hkVector4. */
static uint8_t kind_of_type(const rec_type *type)
{
    return is_vector4(type)           ? HK_KIND_VECTOR4
           : type == &hk_quaternion   ? HK_KIND_QUATERNION
           : type == &hk_transform    ? HK_KIND_TRANSFORM
           : type == &hk_qs_transform ? HK_KIND_QSTRANSFORM
           : type == &hk_matrix3      ? HK_KIND_MATRIX3
           : type == &hk_rotation     ? HK_KIND_ROTATION
           : type == &hk_matrix4      ? HK_KIND_MATRIX4
           : type == &hk_variant      ? HK_KIND_VARIANT
                                      : HK_KIND_STRUCT;
}

/* The kind of one element. */
static uint8_t kind_of_row(const rec_field *row)
{
    if (row->code && !(row->code >= HK_ID_EVENT && row->code < HK_ID_END))
        return row->code;
    if (row->shown == REC_ENUM || row->shown == REC_FLAGS)
        return row->shown == REC_ENUM ? HK_KIND_ENUM : HK_KIND_FLAGS;
    if (row->shown == REC_BOOL)
        return HK_KIND_BOOL;
    if (row->text)
        return HK_KIND_STRINGPTR;
    if (row->kind == REC_POINTER)
        return HK_KIND_POINTER;
    return row->kind == REC_RECORD ? kind_of_type(rec_row_type(row)) : kind_of_number(row);
}

static uint8_t kind_of_body(const rec_field *row)
{
    const rec_body *body = rec_row_body(row);
    return body == &hk_simple_body ? HK_KIND_SIMPLEARRAY
           : body == &hk_rel_body  ? HK_KIND_RELARRAY
                                   : HK_KIND_ARRAY;
}

/* True for hidden interface pointers and fillers, which are no members. */
static bool is_hidden(const rec_field *row)
{
    return !row->code && !row->body &&
           ((row->kind == REC_POINTER && !row->type) || row->kind == REC_BYTES);
}

const rec_names *hk_names_in_version(const rec_names *names, int64_t version)
{
    if (!names || !names->back || rec_names_in_version(names, version))
        return names;
    const rec_unit *unit = rec_unit_of_names(names);
    for (uint32_t i = 0; i < unit->names_n; i++) {
        const rec_names *other = &unit->names[i];
        if (rec_names_in_version(other, version) && (other->since || other->before) &&
            other + 2 > names && names + 2 > other &&
            strcmp(rec_names_original(other), rec_names_original(names)) == 0)
            return other;
    }
    return names;
}

bool hk_member_of(const rec_field *row, int64_t version, hk_member *out)
{
    if (rec_unstored(row) || is_hidden(row))
        return false;
    uint8_t kind = kind_of_row(row);
    *out = (hk_member){.name = row->original ? rec_row_original(row) : rec_row_name(row),
                       .kind = kind,
                       .fixed = row->body ? 0 : row->n};
    if (kind == HK_KIND_STRUCT || row->kind == REC_POINTER)
        out->type = rec_row_type(row);
    if (kind == HK_KIND_ENUM || kind == HK_KIND_FLAGS) {
        out->sub = kind_of_number(row);
        out->names = hk_names_in_version(rec_row_names(row), version);
    }
    if (kind == HK_KIND_POINTER && row->type && !row->code)
        out->sub = HK_KIND_STRUCT;
    if (row->body) {
        out->sub = kind == HK_KIND_UNKNOWN ? HK_KIND_VOID : kind;
        out->kind = kind_of_body(row);
    }
    return true;
}

uint32_t hk_hidden_pointers(const rec_type *type, int64_t version)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < type->count; i++) {
        const rec_field *row = &rec_type_rows(type)[i];
        if (row->kind == REC_POINTER && is_hidden(row) && rec_in_version(row, version))
            n += row->n ? row->n : 1;
    }
    return n;
}
