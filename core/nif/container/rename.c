/* Renames a type of packed geometry in the header when all its blocks were converted to the other one. */
#include "gen/nif_types.h"
#include "nif/container/container.h"

/* Finds the number of a type in the header. */
static bool type_in_header(const rec_at *root, const char *name, uint64_t *number)
{
    rec_loc types, text;
    size_t n = strlen(name);
    if (rec_find(root, NIF_BLOCK_TYPES, &types, NULL) != LATHE_OK)
        return false;
    for (*number = 0; *number < types.count; ++*number) {
        if (rec_find_item(root, NIF_BLOCK_TYPES, *number, &text, NULL) != LATHE_OK)
            return false;
        if (text.count == n &&
            memcmp(rec_part_of(root->doc, root->part)->data + text.data, name, n) == 0)
            return true;
    }
    return false;
}

/* True if all blocks with type `number` in the header were made as that other type. */
static bool all_became(const rec_at *root, uint64_t number, const char *other)
{
    rec_loc numbers;
    bool some = false;
    uint64_t n = nif_total(root->doc, root->layout->container);
    if (rec_find(root, NIF_BLOCK_TYPE_INDEX, &numbers, NULL) != LATHE_OK || !numbers.present)
        return false;
    for (uint64_t i = 0; i < n && i < numbers.count; i++) {
        const uint8_t *p = rec_part_of(root->doc, numbers.data_part)->data + numbers.data + 2 * i;
        if ((bytes_ld16(p, false) & 0x7FFFU) != number)
            continue;
        const char *label =
            rec_part_of(root->doc, nif_block(root->doc, root->layout->container, i))->label;
        if (!label || strcmp(label, other) != 0)
            return false;
        some = true;
    }
    return some;
}

/* True if the open edit made such a block. */
static bool some_was_made(lathe_doc *doc, const char *const *names)
{
    for (size_t i = 0; i < doc->journal.n; i++) {
        const rec_edit *e = &doc->journal.edits[i];
        const char *label = e->kind == EDIT_PART_ADD ? rec_part_of(doc, e->part)->label : NULL;
        if (label && (label == names[0] || label == names[1]))
            return true;
    }
    return false;
}

lathe_result nif_packed_rename(const rec_at *root, lathe_error *err)
{
    const char *const names[] = {rec_type_name(&nif_BSPackedCombinedGeomDataExtra),
                                 rec_type_name(&nif_BSPackedCombinedSharedGeomDataExtra)};
    if (!some_was_made(root->doc, names))
        return LATHE_OK;
    for (int i = 0; i < 2; i++) {
        uint64_t number, other;
        const char *now = names[1 - i];
        lathe_value text = {.kind = LATHE_KIND_STRING, .as.s = {now, strlen(now)}};
        if (type_in_header(root, names[i], &number) && !type_in_header(root, now, &other) &&
            all_became(root, number, now))
            return rec_set_item(root, NIF_BLOCK_TYPES, number, &text, err);
    }
    return LATHE_OK;
}
