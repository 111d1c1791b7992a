#include "havok/xml/xml.h"

#include "havok/packfile/packfile.h"
#include "havok/xml/read.h"

/* ---- what is kept of a text ------------------------------------------------------------------------------ */

static void release(lathe_doc *doc, void *what)
{
    hk_xml_kept *kept = what;
    const mem *m = &doc->mem;
    size_t n = (size_t)kept->n + 1;
    mem_free(m, kept->parts, kept->parts ? n * sizeof *kept->parts : 0);
    mem_free(m, kept->names, kept->names ? n * sizeof *kept->names : 0);
    mem_free(m, kept->order, kept->order ? n * sizeof *kept->order : 0);
    mem_free(m, kept->text, kept->text ? kept->text_n : 0);
    mem_free(m, kept->of_part, kept->of_part ? (size_t)kept->parts_n * sizeof *kept->of_part : 0);
    mem_free(m, kept, sizeof *kept);
}

static lathe_result keep(lathe_doc *doc, const hk_xml_tree *tree, hk_xml_kept **out,
                         lathe_error *err)
{
    const mem *m = &doc->mem;
    size_t n = tree->objects_n + 1;
    hk_xml_kept *kept = mem_zalloc(m, sizeof *kept);
    *out = kept;
    if (!kept)
        return rec_no_memory(err);
    kept->n = (uint32_t)tree->objects_n;
    kept->comments = tree->comments;
    kept->parts = mem_zalloc(m, n * sizeof *kept->parts);
    kept->names = mem_zalloc(m, n * sizeof *kept->names);
    kept->order = mem_zalloc(m, n * sizeof *kept->order);
    kept->text_n = 1;
    for (size_t i = 0; i < tree->objects_n; i++)
        kept->text_n += tree->nodes[tree->objects[i].node - 1].name.n;
    kept->text = mem_alloc(m, kept->text_n);
    if (!kept->parts || !kept->names || !kept->order || !kept->text)
        return rec_no_memory(err);
    uint32_t at = 0;
    for (size_t i = 0; i < tree->objects_n; i++) {
        const hk_xml_span name = tree->nodes[tree->objects[i].node - 1].name;
        kept->names[i] = at;
        memcpy(kept->text + at, name.p, name.n);
        at += name.n;
    }
    kept->names[tree->objects_n] = at;
    return LATHE_OK;
}

/* ---- the form -------------------------------------------------------------------------------------------- */

static lathe_result make(lathe_doc *doc, const lathe_format *format, hk_xml_tree *tree,
                         uint32_t *order, buf *out, lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    lathe_doc *maker = NULL;
    lathe_result r = rec_doc_new(&o, NULL, 0, doc->path, &maker, err);
    if (r == LATHE_OK)
        r = hk_xml_to_packfile(format, maker, tree, order, out, err);
    lathe_doc_close(maker);
    return r;
}

static lathe_result read(lathe_doc *doc, const lathe_format *format, const uint8_t *bytes, size_t n,
                         buf *out, void **what, lathe_error *err)
{
    hk_xml_tree tree;
    hk_xml_kept *kept = NULL;
    lathe_result r = hk_xml_tree_open(&tree, &doc->mem, (const char *)bytes, n, err);
    if (r == LATHE_OK)
        r = keep(doc, &tree, &kept, err);
    *what = kept;
    if (r == LATHE_OK)
        r = make(doc, format, &tree, kept->order, out, err);
    hk_xml_tree_close(&tree);
    return r;
}

/* Objects of the packfile are in an order of their own. */
static lathe_result opened(lathe_doc *doc, void *what, lathe_error *err)
{
    hk_xml_kept *kept = what;
    uint64_t n;
    const uint32_t *parts = hk_object_list(doc, 0, &n);
    if (n != kept->n)
        return error_set(err, LATHE_ERR_INVALID, 0, "%llu of %u objects came out of the text",
                         (unsigned long long)n, kept->n);
    kept->of_part = mem_zalloc(&doc->mem, doc->parts_n * sizeof *kept->of_part);
    if (!kept->of_part)
        return rec_no_memory(err);
    kept->parts_n = (uint32_t)doc->parts_n;
    for (uint64_t i = 0; i < n; i++) {
        kept->parts[kept->order[i]] = parts[i];
        kept->of_part[parts[i]] = kept->order[i] + 1;
    }
    return LATHE_OK;
}

static lathe_result write(lathe_doc *doc, const void *kept, buf *out, lathe_error *err)
{
    return hk_xml_write(doc, 0, kept, NULL, out, err);
}

static const char *forgets(const void *what)
{
    const hk_xml_kept *kept = what;
    return kept->comments ? "its comments are not written: the file was changed" : NULL;
}

static const char *const names[] = {"binary", "xml", NULL};

const rec_form hk_xml_form = {
    .name = "xml",
    .names = names,
    .plain = "binary",
    .extension = "xml",
    .is = hk_is_xml,
    .read = read,
    .opened = opened,
    .write = write,
    .forgets = forgets,
    .release = release,
};

lathe_result hk_xml_of(lathe_doc *doc, uint32_t c, hk_xml_losses *losses, buf *out,
                       lathe_error *err)
{
    const void *kept = c == 0 ? rec_form_kept(doc) : NULL;
    return hk_xml_write(doc, c, kept, losses, out, err);
}
