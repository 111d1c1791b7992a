/* Caches block types by their number in the header, because they are requested very often. Kept in the
 * container's index; valid while the document does not change. */
#include "nif/container/container.h"

typedef struct known {
    uint64_t changes;       /* doc->changes when it was made */
    const uint8_t *numbers; /* of each block's type; NULL: the header has none */
    uint64_t blocks;
    uint64_t kinds;
    const rec_type *types[]; /* by number; NULL: not requested yet */
} known;

/* Allocates entries for so many types and drops the old ones. */
static known *renew(lathe_doc *doc, rec_container *c, uint64_t kinds)
{
    enum { MOST = 0x8000 }; /* maximum of a type number */
    kinds = kinds < MOST ? kinds : MOST;
    size_t size = sizeof(known) + (size_t)kinds * sizeof(const rec_type *);
    if (!c->index || c->index_size != size) {
        mem_free(&doc->mem, c->index, c->index_size);
        c->index = mem_alloc(&doc->mem, size);
        c->index_size = size;
    }
    if (!c->index)
        return NULL;
    memset(c->index, 0, size);
    known *k = c->index;
    k->changes = doc->changes;
    k->kinds = kinds;
    return k;
}

static known *known_of(lathe_doc *doc, uint32_t container)
{
    known *k = doc->containers[container].index;
    rec_at root = rec_root(doc, container);
    rec_loc numbers, types;
    if (k && k->changes == doc->changes)
        return k;
    bool listed = rec_find(&root, NIF_BLOCK_TYPE_INDEX, &numbers, NULL) == LATHE_OK &&
                  numbers.present && rec_find(&root, NIF_BLOCK_TYPES, &types, NULL) == LATHE_OK &&
                  types.present;
    k = renew(doc, &doc->containers[container], listed ? types.count : 0);
    if (k && listed) {
        k->numbers = rec_part_of(doc, numbers.data_part)->data + numbers.data;
        k->blocks = numbers.count;
    }
    return k;
}

const rec_type **nif_known_type(lathe_doc *doc, uint32_t part)
{
    known *k = known_of(doc, doc->parts[part].container);
    uint64_t i = k && k->numbers ? nif_number(doc, part) : 0;
    if (!k || i >= k->blocks)
        return NULL;
    uint64_t number = bytes_ld16(k->numbers + 2 * i, false) & 0x7FFF;
    return number < k->kinds ? &k->types[number] : NULL;
}
