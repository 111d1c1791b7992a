/* Objects of classes that are not described: their pointers as text, so that a copy of one is complete. */
#include "havok/packfile/packfile.h"

#include <stdio.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    const hk_fixup *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The records of a table that lie in the object, in the order of the table. */
static bool collect(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from, uint64_t to, buf *out)
{
    uint32_t first, n = hk_fixup_sources(doc, c, table, from, to, &first);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_by_source(doc, c, table, first + i);
        if (!buf_put(out, &f, sizeof f))
            return false;
    }
    if (out->size)
        qsort(out->data, out->size / sizeof(hk_fixup), sizeof(hk_fixup), by_number);
    return true;
}

static bool put_word(buf *text, uint32_t site, char mark, uint64_t target)
{
    char word[48];
    int n = mark ? snprintf(word, sizeof word, "%s0x%x=%c%llu", text->size ? " " : "", site, mark,
                            (unsigned long long)target)
                 : snprintf(word, sizeof word, "%s0x%x=0x%llx", text->size ? " " : "", site,
                            (unsigned long long)target);
    return buf_put(text, word, (size_t)n);
}

/* Data are told from the object's start, objects by their number, and what is neither by its position. */
static bool put_words(lathe_doc *doc, uint32_t c, hk_part table, uint32_t part, buf *text)
{
    uint64_t from = hk_position(doc, part, 0), size = rec_part_of(doc, part)->size;
    buf found;
    buf_init(&found, &doc->mem);
    bool ok = collect(doc, c, table, from, from + size, &found);
    for (size_t i = 0; ok && i < found.size / sizeof(hk_fixup); i++) {
        hk_fixup f;
        memcpy(&f, found.data + i * sizeof f, sizeof f);
        uint32_t site = (uint32_t)(f.source - from);
        uint64_t object = hk_object_at(doc, c, f.target);
        bool own = table == HK_LOCAL && f.target >= from && f.target - from <= size &&
                   (f.target - from < size || !object);
        ok = own      ? put_word(text, site, 0, f.target - from)
             : object ? put_word(text, site, '#', object)
                      : put_word(text, site, '@', f.target);
    }
    buf_free(&found);
    return ok;
}

static lathe_result tell(const rec_at *at, buf *text, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = rec_part_of(doc, at->part)->container;
    bool ok = doc->parts[at->part].scratch ||
              (rec_places(doc) && put_words(doc, c, HK_LOCAL, at->part, text) &&
               put_words(doc, c, HK_GLOBAL, at->part, text));
    return ok ? LATHE_OK : rec_no_memory(err);
}

/* As text: "0x10=0x40 0x58=#12" has a pointer at 0x10 to the object's own data at 0x40, and one at 0x58 to object 12;
 * data's first, each in the order of its table. */
lathe_result hk_get_pointers(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    buf text;
    (void)row;
    buf_init(&text, &at->doc->mem);
    lathe_result r = tell(at, &text, err);
    if (r == LATHE_OK)
        r = rec_text(at, text.size ? (const char *)text.data : "", text.size, out, err);
    buf_free(&text);
    return r;
}

/* A copy may be put back where it is from; nothing else. */
lathe_result hk_set_pointers(const rec_at *at, const rec_field *row, const lathe_value *value,
                             lathe_error *err)
{
    lathe_value now;
    lathe_result r = hk_get_pointers(at, row, &now, err);
    if (r != LATHE_OK || (value->kind == LATHE_KIND_STRING && value->as.s.n == now.as.s.n &&
                          memcmp(value->as.s.p, now.as.s.p, now.as.s.n) == 0))
        return r;
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                    LATHE_ERR_READONLY, "read-only: the meaning of its bytes is unknown");
}
