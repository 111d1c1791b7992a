/* Checks skins against their shapes: bones, vertices and partitions that do not exist.
 * formats/nif.md#73-skinning */
#include "nif/geometry/check.h"

#include "gen/nif_types.h"
#include "record/offset_cache.h"

/* Limits of the indices in a block: number of vertices of the shape and of bones of the skin. The least of
 * all users of the block, so that each block is visited once. */
typedef struct limits {
    uint32_t vertices, bones;
} limits;

typedef struct skins {
    const nif_checks *k;
    limits *of; /* for each block */
} skins;

static limits *limits_of(const skins *s, uint32_t part)
{
    return &s->of[nif_number(s->k->doc, part)];
}

static void lower(uint32_t *limit, uint64_t to)
{
    if (to < *limit)
        *limit = (uint32_t)to;
}

static uint64_t count_of(const rec_at *at, const char *row)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    bool found = slot != REC_NO_SLOT && rec_find(at, slot, &loc, NULL) == LATHE_OK;
    return found && loc.present ? loc.count : 0;
}

/* ---- shapes ---------------------------------------------------------------------------------------------- */

static void check_shape(const skins *s, uint32_t part)
{
    lathe_doc *doc = s->k->doc;
    nif_shape shape;
    rec_at at = nif_at(doc, part);
    bool packed = rec_is_a(at.layout->type, &nif_BSTriShape);
    uint32_t skin = nif_target(&at, packed ? "skin" : "skin_instance", 0);
    if (skin == REC_NO_PART || !nif_shape_find(doc, part, &shape))
        return;
    lower(&limits_of(s, skin)->vertices, shape.vertices);
    rec_at instance = nif_at(doc, skin);
    if (shape.packed.p && !shape.partition.doc &&
        rec_slot_find(instance.layout, "bones") != REC_NO_SLOT)
        nif_check_lanes(s->k->report, &at, &shape.packed, &shape.layout,
                        count_of(&instance, "bones"));
}

/* ---- skin instances --------------------------------------------------------------------------------------- */

/* Starfield has names in place of bones. */
static void check_bones(const skins *s, const rec_at *at)
{
    nif_column bones;
    if (NIF_AT_B(at) >= NIF_STARFIELD || !nif_column_find(at, "bones", 4, &bones))
        return;
    for (uint64_t i = 0; i < bones.count; i++)
        if (bytes_ld32(bones.p + 4 * i, false) == UINT32_MAX) {
            rec_finding(s->k->report, LATHE_LEVEL_ERROR, at, rec_slot_find(at->layout, "bones"), i,
                        "a null bone");
            return;
        }
}

static void check_data(const skins *s, const rec_at *at, uint32_t data, uint64_t bones)
{
    const limits *mine = limits_of(s, at->part);
    rec_at to = nif_at(s->k->doc, data);
    uint64_t transforms = count_of(&to, "bones");
    lower(&limits_of(s, data)->vertices, mine->vertices);
    if (transforms != bones)
        rec_finding(s->k->report, LATHE_LEVEL_ERROR, at, rec_slot_find(at->layout, "bones"),
                    REC_NO_ITEM, "%llu bones, but blocks[%llu] has %llu", (unsigned long long)bones,
                    (unsigned long long)nif_number(s->k->doc, data) + 1,
                    (unsigned long long)transforms);
}

/* Skyrim draws the partitions of a skin, not the shape's triangles. */
static void check_no_partition(const skins *s, const rec_at *at)
{
    uint64_t raw;
    uint32_t slot = rec_slot_find(at->layout, "skin_partition");
    bool skyrim = NIF_AT_B(at) >= NIF_SKYRIM && NIF_AT_B(at) <= NIF_SKYRIM_SE;
    if (slot == REC_NO_SLOT || rec_raw(at, slot, 0, &raw, NULL) != LATHE_OK || raw != UINT32_MAX)
        return;
    if (skyrim || count_of(at, "partitions"))
        rec_finding(s->k->report, LATHE_LEVEL_ERROR, at, slot, REC_NO_ITEM,
                    "no NiSkinPartition: nothing of the shape is drawn");
}

static void check_body_parts(const skins *s, const rec_at *at, uint32_t partition)
{
    rec_at to = nif_at(s->k->doc, partition);
    uint64_t parts = count_of(at, "partitions"), have = count_of(&to, "partitions");
    if (rec_is_a(at->layout->type, &nif_BSDismemberSkinInstance) && parts != have)
        rec_finding(s->k->report, LATHE_LEVEL_ERROR, at, rec_slot_find(at->layout, "partitions"),
                    REC_NO_ITEM, "%llu body parts, but blocks[%llu] has %llu partitions",
                    (unsigned long long)parts,
                    (unsigned long long)nif_number(s->k->doc, partition) + 1,
                    (unsigned long long)have);
}

static void check_instance(const skins *s, uint32_t part, const rec_type *data_type)
{
    lathe_doc *doc = s->k->doc;
    rec_at at = nif_at(doc, part);
    uint64_t bones = count_of(&at, "bones");
    uint32_t data = nif_target(&at, "data", 0), to = nif_target(&at, "skin_partition", 0);
    check_bones(s, &at);
    if (nif_block_is(doc, data, data_type))
        check_data(s, &at, data, bones);
    check_no_partition(s, &at);
    if (!nif_block_is(doc, to, &nif_NiSkinPartition))
        return;
    check_body_parts(s, &at, to);
    lower(&limits_of(s, to)->vertices, limits_of(s, part)->vertices);
    lower(&limits_of(s, to)->bones, bones);
}

/* ---- NiSkinData --------------------------------------------------------------------------------------------- */

static void check_weights(const skins *s, uint32_t part)
{
    rec_loc loc;
    nif_column list;
    rec_at bone, weight, at = nif_at(s->k->doc, part);
    uint32_t slot = rec_slot_find(at.layout, "bones"), limit = limits_of(s, part)->vertices;
    if (rec_find(&at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return;
    rec_offset_hold(&at, slot, loc.data);
    for (uint64_t i = 0; i < loc.count && rec_sub(&at, slot, i, &bone, NULL) == LATHE_OK; i++) {
        if (!nif_column_find(&bone, "weights", 6, &list))
            continue;
        uint32_t weights = rec_slot_find(bone.layout, "weights");
        for (uint64_t w = 0; w < list.count; w++) {
            unsigned vertex = bytes_ld16(list.p + 6 * w, false);
            if (vertex < limit || rec_sub(&bone, weights, w, &weight, NULL) != LATHE_OK)
                continue;
            rec_finding(s->k->report, LATHE_LEVEL_ERROR, &weight,
                        rec_slot_find(weight.layout, "vertex"), REC_NO_ITEM,
                        "there is no vertex %u (from 0) of %u", vertex, limit);
            break;
        }
    }
    rec_offset_release(&at, slot);
}

/* ---- all checks --------------------------------------------------------------------------------------------- */

static void check_blocks(const skins *s)
{
    lathe_doc *doc = s->k->doc;
    for (uint64_t i = 0; i < s->k->blocks; i++) {
        uint32_t part = nif_block(doc, s->k->c, i);
        if (nif_block_is(doc, part, &nif_BSTriShape) ||
            nif_block_is(doc, part, &nif_NiTriBasedGeom))
            check_shape(s, part);
    }
    for (uint64_t i = 0; i < s->k->blocks; i++) {
        uint32_t part = nif_block(doc, s->k->c, i);
        if (nif_block_is(doc, part, &nif_NiSkinInstance))
            check_instance(s, part, &nif_NiSkinData);
        else if (nif_block_is(doc, part, &nif_BSSkin__Instance))
            check_instance(s, part, &nif_BSSkin__BoneData);
    }
    for (uint64_t i = 0; i < s->k->blocks && !s->k->report->stopped; i++) {
        uint32_t part = nif_block(doc, s->k->c, i);
        rec_at at = nif_at(doc, part);
        if (nif_block_is(doc, part, &nif_NiSkinData))
            check_weights(s, part);
        else if (nif_block_is(doc, part, &nif_NiSkinPartition))
            nif_check_partition(s->k->report, &at, s->of[i].vertices, s->of[i].bones);
    }
}

void nif_check_skins(const nif_checks *k)
{
    skins s = {.k = k};
    size_t room = (size_t)k->blocks * sizeof *s.of;
    s.of = room ? mem_alloc(&k->doc->mem, room) : NULL;
    if (!s.of)
        return;
    memset(s.of, 0xFF, room); /* no limits */
    check_blocks(&s);
    mem_free(&k->doc->mem, s.of, room);
}
