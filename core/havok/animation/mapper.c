#include "havok/animation/mapper.h"

#include <stdio.h>

static const char *const sides[] = {"skeleton_a", "skeleton_b"};

bool hk_mapper_ends(const rec_at *mapper, rec_at *mapping, uint32_t ends[2])
{
    if (!hk_record_at(mapper, "mapping", 0, mapping))
        return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = hk_target(mapping, sides[i], 0);
        if (ends[i] != REC_NO_PART && !hk_object_is(mapper->doc, ends[i], "hkaSkeleton"))
            ends[i] = REC_NO_PART;
    }
    return true;
}

/* ---- bones ----------------------------------------------------------------------------------------------- */

/* How many each side has; UINT64_MAX: nobody knows. */
typedef struct bones {
    uint64_t n[2];
    hk_faults *to;
} bones;

static bool tell_bone(const bones *b, const rec_at *at, const char *member, uint64_t item,
                      int64_t bone, int side)
{
    char text[96];
    if (bone >= 0 && (uint64_t)bone < b->n[side])
        return true;
    snprintf(text, sizeof text, "no bone %lld: %s has %llu", (long long)bone, sides[side],
             (unsigned long long)b->n[side]);
    return b->n[side] == UINT64_MAX || b->to->tell(b->to, at, member, item, text);
}

typedef struct end {
    const char *member;
    int side;
} end;

static bool tell_list(const bones *b, const rec_at *mapping, const char *list, const end *ends,
                      size_t n)
{
    uint32_t slot;
    uint64_t count;
    rec_at one;
    if (hk_find_records(mapping, list, &slot, &count, NULL) != LATHE_OK)
        return true;
    for (uint64_t i = 0; i < count; i++) {
        if (rec_sub(mapping, slot, i, &one, NULL) != LATHE_OK)
            return true;
        for (size_t k = 0; k < n; k++)
            if (!tell_bone(b, &one, ends[k].member, REC_NO_ITEM,
                           (int64_t)hk_number(&one, ends[k].member), ends[k].side))
                return false;
    }
    return true;
}

void hk_mapper_faults(const rec_at *mapper, hk_faults *to)
{
    static const end simple[] = {{"bone_a", 0}, {"bone_b", 1}};
    static const end chain[] = {
        {"start_bone_a", 0}, {"end_bone_a", 0}, {"start_bone_b", 1}, {"end_bone_b", 1}};
    rec_at mapping;
    bytes_array unmapped;
    bones b = {.to = to};
    if (!hk_record_at(mapper, "mapping", 0, &mapping))
        return;
    for (int i = 0; i < 2; i++) {
        uint32_t part;
        if (!hk_fault_target(to, &mapping, sides[i], REC_NO_ITEM, "hkaSkeleton", "skeleton", &part))
            return;
        bool known = part != REC_NO_PART && hk_object_opens(mapper->doc, part);
        rec_at skeleton = known ? hk_object(mapper->doc, part) : mapping;
        b.n[i] = known ? hk_length(&skeleton, "bones") : UINT64_MAX;
    }
    if (!tell_list(&b, &mapping, "simple_mappings", simple, REC_COUNT_OF(simple)) ||
        !tell_list(&b, &mapping, "chain_mappings", chain, REC_COUNT_OF(chain)) ||
        hk_elements(&mapping, "unmapped_bones", 2, &unmapped, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < unmapped.count; i++)
        if (!tell_bone(&b, &mapping, "unmapped_bones", i,
                       (int16_t)bytes_ld16(unmapped.bytes + 2 * i, hk_is_big(mapper)), 1))
            return;
}
