/* A Havok XML file: its frame, its objects in their order, their names. */
#include "havok/xml/write.h"

#include "havok/xml/number.h"
#include "havok/xml/order.h"
#include "havok/xml/reach.h"
#include "havok/xml/text.h"
#include "havok/xml/writer.h"

#include <stdio.h>

static bool put(buf *out, const char *text)
{
    return buf_put(out, text, strlen(text));
}

/* ---- order ----------------------------------------------------------------------------------------------- */

static lathe_result read_edges(hk_xml_writer *w, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < w->reader.count; i++) {
        hk_record record;
        w->first[i] = (uint32_t)(w->edges.size / sizeof(uint32_t));
        r = hk_xml_record(w, i, &record, err);
        if (r == LATHE_OK)
            r = hk_xml_follow(w, &record, err);
    }
    w->first[w->reader.count] = (uint32_t)(w->edges.size / sizeof(uint32_t));
    return r;
}

static bool order_kept(hk_xml_writer *w, const hk_xml_graph *graph)
{
    const hk_xml_kept *kept = w->kept;
    const mem *m = &w->doc->mem;
    uint32_t n = 0, *there = mem_alloc(m, ((size_t)kept->n + 1) * sizeof *there);
    uint32_t *at = mem_zalloc(m, ((size_t)kept->n + 1) * sizeof *at);
    bool ok = there && at;
    for (uint64_t i = 0; ok && i < w->reader.count; i++)
        if (hk_xml_kept_of(w, i))
            at[hk_xml_kept_of(w, i) - 1] = (uint32_t)i + 1;
    for (uint32_t i = 0; ok && i < kept->n; i++)
        if (at[i])
            there[n++] = at[i] - 1;
    ok = ok && hk_xml_order_kept(m, graph, there, n, hk_xml_next_number(kept), w->order, w->number);
    mem_free(m, there, ((size_t)kept->n + 1) * sizeof *there);
    mem_free(m, at, ((size_t)kept->n + 1) * sizeof *at);
    return ok;
}

static bool order_new(hk_xml_writer *w, const hk_xml_graph *graph)
{
    hk_xml_reach reach;
    bool ok = true;
    hk_xml_reach_open(&reach, &w->doc->mem, w->doc->containers[w->c].version);
    for (uint64_t i = 0; ok && i < w->reader.count; i++)
        ok = hk_xml_reach_add(&reach, w->doc->parts[w->reader.parts[i]].root->type);
    ok = ok && hk_xml_order(&w->doc->mem, graph, hk_xml_reach_top(&reach), w->order, w->number);
    hk_xml_reach_close(&reach);
    return ok;
}

static lathe_result find_order(hk_xml_writer *w, lathe_error *err)
{
    size_t n = (size_t)w->reader.count + 1;
    const mem *m = &w->doc->mem;
    bool named = false;
    w->first = mem_alloc(m, n * sizeof *w->first);
    w->order = mem_alloc(m, n * sizeof *w->order);
    w->number = mem_alloc(m, n * sizeof *w->number);
    if (!w->first || !w->order || !w->number)
        return rec_no_memory(err);
    lathe_result r = read_edges(w, err);
    const hk_xml_graph graph = {(uint32_t)w->reader.count, (uint32_t)w->root, w->first,
                                (const uint32_t *)(const void *)w->edges.data};
    for (uint64_t i = 0; r == LATHE_OK && !named && i < w->reader.count; i++)
        named = hk_xml_kept_of(w, i) != 0;
    if (r == LATHE_OK && !(named ? order_kept(w, &graph) : order_new(w, &graph)))
        r = rec_no_memory(err);
    return r;
}

/* ---- the file -------------------------------------------------------------------------------------------- */

static bool put_head(hk_xml_writer *w)
{
    const rec_container *c = &w->doc->containers[w->c];
    const char *contents = (const char *)w->doc->parts[c->root].data + 0x28;
    char version[HK_XML_NUMBER];
    size_t n = 0;
    while (n < HK_VERSION_SIZE && contents[n] && (unsigned char)contents[n] != 0xFF)
        n++;
    return put(w->out, "<?xml version=\"1.0\" encoding=\"ascii\"?>\n<hkpackfile classversion=\"") &&
           buf_put(w->out, version, hk_xml_print_int(version, c->version)) &&
           put(w->out, "\" contentsversion=\"") && hk_xml_encode(w->out, contents, n) &&
           put(w->out, "\" toplevelobject=\"") && hk_xml_put_name(w, w->root) &&
           put(w->out, "\">\n\n\t<hksection name=\"__data__\">\n\n");
}

static lathe_result put_object(hk_xml_writer *w, uint64_t i, lathe_error *err)
{
    char signature[24];
    uint32_t stated = 0;
    hk_record r;
    const char *class_name = hk_doc_reader_class(&w->reader, i, &stated);
    lathe_result result = hk_xml_record(w, i, &r, err);
    if (result != LATHE_OK)
        return result;
    snprintf(signature, sizeof signature, "0x%lx", (unsigned long)stated);
    bool ok = put(w->out, "\t\t<hkobject name=\"") && hk_xml_put_name(w, i) &&
              put(w->out, "\" class=\"") && put(w->out, class_name) &&
              put(w->out, "\" signature=\"") && put(w->out, signature) && put(w->out, "\">\n");
    if (!ok)
        return rec_no_memory(err);
    result = hk_xml_put_members(w, &r, 3, err);
    return result != LATHE_OK || put(w->out, "\t\t</hkobject>\n\n") ? result : rec_no_memory(err);
}

static lathe_result put_file(hk_xml_writer *w, lathe_error *err)
{
    lathe_result r = put_head(w) ? LATHE_OK : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < w->reader.count; i++)
        r = put_object(w, w->order[i], err);
    return r != LATHE_OK || put(w->out, "\t</hksection>\n\n</hkpackfile>\n") ? r
                                                                             : rec_no_memory(err);
}

static void close_writer(hk_xml_writer *w)
{
    const mem *m = &w->doc->mem;
    size_t n = (size_t)w->reader.count + 1;
    mem_free(m, w->first, w->first ? n * sizeof *w->first : 0);
    mem_free(m, w->order, w->order ? n * sizeof *w->order : 0);
    mem_free(m, w->number, w->number ? n * sizeof *w->number : 0);
    buf_free(&w->edges);
    hk_xml_plans_close(&w->plans);
    hk_doc_reader_close(&w->reader);
}

lathe_result hk_xml_write(lathe_doc *doc, uint32_t c, const hk_xml_kept *kept,
                          hk_xml_losses *losses, buf *out, lathe_error *err)
{
    const rec_container *of = &doc->containers[c];
    hk_xml_writer w = {.doc = doc, .c = c, .kept = kept, .losses = losses, .out = out};
    w.reader = (hk_doc_reader){.doc = doc, .c = c, .layout = of};
    w.head = (hk_head){.version = of->version, .pointer = of->pointer, .big = of->big};
    w.objects = (hk_objects){.format = of->format, .user = &w.reader};
    w.feed = (hk_writer){
        .maker = doc, .c = c, .head = &w.head, .objects = &w.objects, .from_version = of->version};
    buf_init(&w.edges, &doc->mem);
    hk_xml_plans_open(&w.plans, doc, c);
    lathe_result r = hk_doc_reader_open(&w.reader, &w.root, err);
    uint64_t budget = w.reader.left;
    if (r == LATHE_OK)
        r = find_order(&w, err);
    w.reader.left = budget; /* what was read for the order is read again */
    if (r == LATHE_OK)
        r = put_file(&w, err);
    close_writer(&w);
    return r;
}
