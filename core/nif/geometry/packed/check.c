/* Checks packed geometry for consistency, and against the shape that owns it. formats/precombined.md#3 */
#include "nif/geometry/check.h"

#include "gen/nif_types.h"
#include "nif/geometry/packed/packed.h"
#include "nif/geometry/packed/shared.h"
#include "record/offset_cache.h"

typedef unsigned long long number;

typedef struct totals {
    uint64_t vertices, triangles; /* of all instances of all objects */
} totals;

static uint64_t unsigned_at(const rec_at *at, const char *row)
{
    return (uint64_t)rec_int(at, row);
}

/* Checks that the bands are contiguous: each begins behind the triangles of the previous ones. */
static void check_bands(const nif_checks *k, const rec_at *object)
{
    static const char *const counts[] = {"tri_count0", "tri_count1", "tri_count2"};
    static const char *const offsets[] = {"tri_offset0", "tri_offset1", "tri_offset2"};
    uint64_t before = 0;
    for (size_t i = 0; i < 3; i++) {
        uint64_t count = unsigned_at(object, counts[i]), offset = unsigned_at(object, offsets[i]);
        if (count && offset != 3 * before)
            rec_finding(k->report, LATHE_LEVEL_WARNING, object,
                        rec_slot_find(object->layout, offsets[i]), REC_NO_ITEM,
                        "%llu, but %llu indices come before this band", (number)offset,
                        (number)(3 * before));
        before += count;
    }
}

/* Loads the geometry of an object from a geometry file. False: not possible. A missing file is not a problem
 * of the scene; code that needs the geometry reports it. */
static bool load_shared(const nif_checks *k, const rec_at *object, const rec_at *entry,
                        nif_object_bytes *out)
{
    lathe_doc *geometry;
    lathe_error why;
    uint32_t hash = (uint32_t)unsigned_at(entry, "geometry_file_hash");
    if (nif_shared_doc(object->doc, hash, &geometry, &why) == LATHE_ERR_IO)
        return false;
    if (nif_object_load(object, out, &why) == LATHE_OK)
        return true;
    rec_found(k->report, LATHE_LEVEL_ERROR, &why);
    return false;
}

/* Reports the first triangle with an index that is not a vertex of the object. */
static void check_triangles(const nif_checks *k, const rec_at *object)
{
    nif_column here;
    nif_object_bytes bytes = {.vertex_count = unsigned_at(object, "num_vertices")};
    rec_at entry;
    bool shared = nif_is_shared_object(object, &entry);
    if (shared && !load_shared(k, object, &entry, &bytes))
        return;
    if (!shared && nif_column_find(object, "triangles", 6, &here)) {
        bytes.indices = here.p;
        bytes.index_count = 3 * here.count;
    }
    for (uint64_t i = 0; i < bytes.index_count; i++) {
        unsigned v = bytes_ld16(bytes.indices + 2 * i, false);
        if (v < bytes.vertex_count)
            continue;
        rec_finding(k->report, LATHE_LEVEL_ERROR, object,
                    rec_slot_find(object->layout, shared ? "shared_triangles" : "triangles"), i / 3,
                    "there is no vertex %u (from 0) of %llu", v, (number)bytes.vertex_count);
        return;
    }
}

static totals check_objects(const nif_checks *k, const rec_at *block)
{
    totals t = {0, 0};
    rec_loc objects;
    rec_at object;
    uint32_t slot = rec_slot_find(block->layout, "data");
    if (rec_find(block, slot, &objects, NULL) != LATHE_OK)
        return t;
    rec_offset_hold(block, slot, objects.data);
    for (uint64_t i = 0; i < objects.count; i++) {
        if (rec_sub(block, slot, i, &object, NULL) != LATHE_OK)
            break;
        uint64_t instances = unsigned_at(&object, "num_combined");
        t.vertices += unsigned_at(&object, "num_vertices") * instances;
        t.triangles += (unsigned_at(&object, "tri_count0") + unsigned_at(&object, "tri_count1") +
                        unsigned_at(&object, "tri_count2")) *
                       instances;
        check_bands(k, &object);
        check_triangles(k, &object);
    }
    rec_offset_release(block, slot);
    return t;
}

/* Checks a total of the block: the game allocates memory for that many. */
static void check_total(const nif_checks *k, const rec_at *block, const char *row, uint64_t sum,
                        const char *what)
{
    uint64_t stored = unsigned_at(block, row);
    if (stored == sum)
        return;
    rec_finding(k->report, stored < sum ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING, block,
                rec_slot_find(block->layout, row), REC_NO_ITEM,
                "%llu, but the instances of the objects have %llu %s", (number)stored, (number)sum,
                what);
}

static void check_block(const nif_checks *k, const rec_at *block)
{
    totals t = check_objects(k, block);
    check_total(k, block, "num_vertices", t.vertices, "vertices");
    check_total(k, block, "num_triangles", t.triangles, "triangles");
    if (t.vertices > NIF_BUCKET_VERTICES)
        rec_finding(k->report, LATHE_LEVEL_ERROR, block,
                    rec_slot_find(block->layout, "num_vertices"), REC_NO_ITEM,
                    "the instances of the objects have %llu vertices, more than %d",
                    (number)t.vertices, NIF_BUCKET_VERTICES);
    nif_check_placed(k, block);
}

/* Checks the shape: it has the expanded totals and the descriptor of the expanded vertices, but no vertices
 * itself. */
static void check_owner(const nif_checks *k, const rec_at *shape, const rec_at *block)
{
    static const char *const same[] = {"num_vertices", "num_triangles", "vertex_desc"};
    for (size_t i = 0; i < 3; i++) {
        uint32_t slot = rec_slot_find(shape->layout, same[i]);
        uint64_t mine = unsigned_at(shape, same[i]), its = unsigned_at(block, same[i]);
        if (slot != REC_NO_SLOT && mine != its)
            rec_finding(k->report, LATHE_LEVEL_ERROR, shape, slot, REC_NO_ITEM,
                        i < 2 ? "%llu, but blocks[%llu].%s is %llu"
                              : "0x%llX, but blocks[%llu].%s is 0x%llX",
                        (number)mine, (number)nif_number(k->doc, block->part) + 1, same[i],
                        (number)its);
    }
    if (rec_int(shape, "data_size"))
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape,
                    rec_slot_find(shape->layout, "data_size"), REC_NO_ITEM,
                    "the shape has vertices beside its packed geometry");
}

/* The shape that owns each block: its number plus 1, by block number. NULL: out of memory, or there are no
 * such blocks. */
static uint32_t *owners_of(const nif_checks *k)
{
    uint32_t *owners = mem_zalloc(&k->doc->mem, ((size_t)k->blocks + 1) * sizeof *owners);
    for (uint64_t i = 0; owners && i < k->blocks; i++) {
        uint32_t part = nif_block(k->doc, k->c, i);
        if (!nif_block_is(k->doc, part, &nif_BSTriShape))
            continue;
        rec_at at = nif_at(k->doc, part);
        uint32_t packed = nif_packed_of(&at);
        uint64_t of = packed == REC_NO_PART ? k->blocks : nif_number(k->doc, packed);
        if (of < k->blocks && !owners[of])
            owners[of] = (uint32_t)i + 1;
    }
    return owners;
}

static void check_owned(const nif_checks *k, const rec_at *block, uint64_t i,
                        const uint32_t *owners)
{
    check_block(k, block);
    if (!owners[i])
        rec_finding(k->report, LATHE_LEVEL_WARNING, block, REC_NO_SLOT, REC_NO_ITEM,
                    "no shape has it among its extra data, so it is not drawn");
}

static void check_shape(const nif_checks *k, const rec_at *shape, uint64_t i,
                        const uint32_t *owners)
{
    uint32_t packed = nif_packed_of(shape);
    if (packed == REC_NO_PART)
        return;
    rec_at block = nif_at(k->doc, packed);
    uint64_t of = nif_number(k->doc, packed);
    check_owner(k, shape, &block);
    if (of < k->blocks && owners[of] == i + 1)
        nif_check_around(k, shape, &block);
    else if (of < k->blocks)
        rec_finding(k->report, LATHE_LEVEL_WARNING, shape,
                    rec_slot_find(shape->layout, "extra_data_list"), REC_NO_ITEM,
                    "blocks[%llu] also belongs to blocks[%u]", (number)of + 1, owners[of]);
}

void nif_check_packed(const nif_checks *k)
{
    uint32_t *owners = owners_of(k);
    for (uint64_t i = 0; owners && i < k->blocks && !k->report->stopped; i++) {
        uint32_t part = nif_block(k->doc, k->c, i);
        const rec_layout *root = rec_part_root(k->doc, part);
        if (!root || rec_opaque(k->doc, part, NULL))
            continue;
        rec_at at = nif_at(k->doc, part);
        if (nif_is_packed(root->type))
            check_owned(k, &at, i, owners);
        else if (rec_is_a(root->type, &nif_BSTriShape))
            check_shape(k, &at, i, owners);
    }
    mem_free(&k->doc->mem, owners, ((size_t)k->blocks + 1) * sizeof *owners);
}
