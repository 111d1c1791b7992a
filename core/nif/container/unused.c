/* Removes strings of the header that no block uses. This is done only on request, because the strings behind
 * them get other numbers. */
#include "nif/container/container.h"

#define UNUSED UINT32_MAX

/* The new number of each string. */
typedef struct numbers {
    uint32_t *now;
    uint64_t count;
} numbers;

static lathe_result mark(void *user, const nif_link *link, lathe_error *err)
{
    const numbers *texts = user;
    (void)err;
    if (link->text && link->value < texts->count)
        texts->now[link->value] = 0;
    return LATHE_OK;
}

static lathe_result follow(void *user, const nif_link *link, lathe_error *err)
{
    const numbers *texts = user;
    uint8_t bytes[4];
    if (!link->text || link->value >= texts->count || texts->now[link->value] == link->value)
        return LATHE_OK;
    bytes_st(bytes, texts->now[link->value], 4, false);
    return rec_splice(link->at->doc, link->at->part, link->off, 4, bytes, 4, err);
}

static lathe_result each_block(lathe_doc *doc, uint32_t c, numbers *texts,
                               lathe_result (*each)(void *user, const nif_link *link,
                                                    lathe_error *err),
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < nif_total(doc, c); i++)
        r = nif_each_link(doc, nif_block(doc, c, i), each, texts, err);
    return r;
}

/* Marks used strings and numbers them. *kept: how many remain. */
static lathe_result count(lathe_doc *doc, uint32_t c, numbers *texts, uint64_t *kept,
                          lathe_error *err)
{
    lathe_result r = each_block(doc, c, texts, mark, err);
    *kept = 0;
    for (uint64_t i = 0; i < texts->count; i++)
        if (texts->now[i] != UNUSED)
            texts->now[i] = (uint32_t)(*kept)++;
    return r;
}

/* Moves each string to its new place and cuts off the rest. */
static lathe_result close_up(const rec_at *root, const numbers *texts, uint64_t kept,
                             lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < texts->count; i++) {
        lathe_value text;
        if (texts->now[i] == UNUSED || texts->now[i] == i)
            continue;
        r = rec_get_item(root, NIF_STRINGS, i, false, &text, err);
        if (r == LATHE_OK)
            r = rec_set_item(root, NIF_STRINGS, texts->now[i], &text, err);
    }
    return r == LATHE_OK ? rec_remove(root, NIF_STRINGS, kept, texts->count - kept, err) : r;
}

static lathe_result remove_unused(const rec_at *root, numbers *texts, lathe_report *report,
                                  lathe_error *err)
{
    lathe_doc *doc = root->doc;
    uint32_t c = root->layout->container;
    uint64_t kept;
    lathe_result r = count(doc, c, texts, &kept, err);
    if (r != LATHE_OK || kept == texts->count)
        return r;
    r = each_block(doc, c, texts, follow, err);
    if (r == LATHE_OK)
        r = close_up(root, texts, kept, err);
    if (r == LATHE_OK && report)
        report->changed += texts->count - kept;
    return r;
}

lathe_result nif_remove_unused_strings(lathe_view self, const lathe_source *args,
                                       lathe_report *report, lathe_error *err)
{
    rec_at root = rec_root(self.doc, self.doc->parts[self.part].container);
    rec_loc strings;
    (void)args;
    lathe_result r = rec_find(&root, NIF_STRINGS, &strings, err);
    if (r != LATHE_OK || !strings.present || !strings.count)
        return r;
    r = nif_knows_all(&root, "nobody knows its strings: none of the header's can be removed", err);
    if (r != LATHE_OK)
        return r;
    numbers texts = {.count = strings.count};
    size_t size = (size_t)texts.count * sizeof *texts.now;
    texts.now = mem_alloc(&self.doc->mem, size);
    if (!texts.now)
        return rec_no_memory(err);
    memset(texts.now, 0xFF, size);
    r = remove_unused(&root, &texts, report, err);
    mem_free(&self.doc->mem, texts.now, size);
    return r;
}
