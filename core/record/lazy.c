/* Parts that are parsed on first access (REC_LAZY). A part that cannot be parsed becomes opaque. */
#include "record/record.h"

void rec_part_refuse(lathe_doc *doc, uint32_t part, const lathe_error *why)
{
    lathe_error *kept = arena_zalloc(&doc->arena, sizeof *kept);
    if (kept)
        *kept = *why;
    doc->parts[part].state = PART_OPAQUE;
    doc->parts[part].problem = kept;
}

/* Parses a part. Its root record must take the whole part, except for out-of-line data if the format can find their
 * owners. Returns whether it is opaque. */
static bool look(lathe_doc *doc, uint32_t part)
{
    bool data_behind = doc->containers[doc->parts[part].container].format->owner != NULL;
    rec_at root = {
        .doc = doc, .layout = rec_part_root(doc, part), .part = part, .slot = REC_NO_SLOT};
    lathe_error why = {.code = LATHE_OK};
    uint64_t size = 0, have = doc->parts[part].size;
    if (!root.layout)
        return true;                             /* no memory: parsed again on next access */
    if (doc->parts[part].state != PART_UNPARSED) /* an embedded document, which is open now */
        return doc->parts[part].state == PART_OPAQUE;
    doc->parts[part].state = PART_PARSING;
    lathe_result r = rec_measure(&root, &size, &why);
    if (r == LATHE_OK && root.layout->embeds != REC_NO_SLOT) {
        r = rec_embed_split(&root, size, &why);
        have = doc->parts[part].size;
    }
    if (r == LATHE_OK && size != have && !(data_behind && size < have))
        r = rec_fail(&root, REC_NO_SLOT, size, &why, LATHE_ERR_INVALID,
                     "%llu bytes of its %llu can be parsed", (unsigned long long)size,
                     (unsigned long long)have);
    rec_part *p = &doc->parts[part];
    p->state = r == LATHE_OK ? PART_PLAIN : r == LATHE_ERR_MEMORY ? PART_UNPARSED : PART_OPAQUE;
    if (p->state == PART_UNPARSED)
        return true; /* no memory */
    if (r != LATHE_OK)
        rec_part_refuse(doc, part, &why);
    else
        p->problem = NULL;
    return r != LATHE_OK;
}

bool rec_opaque(lathe_doc *doc, uint32_t part, lathe_error *why)
{
    const rec_part *p = &doc->parts[part];
    bool opaque = p->state == PART_OPAQUE || (p->state == PART_UNPARSED && look(doc, part));
    if (opaque && why && doc->parts[part].problem)
        *why = *doc->parts[part].problem;
    else if (opaque && why) /* it was not parsed, or the reason could not be stored */
        rec_no_memory(why);
    return opaque;
}
