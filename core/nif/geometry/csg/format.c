/* The format "geometry": recognising, opening and closing files. */
#include "base/deflate.h"
#include "nif/geometry/csg/csg.h"

lathe_result csg_get_stream_size(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    uint64_t size;
    (void)row, (void)err;
    out->kind = LATHE_KIND_NONE; /* if the last chunk is damaged: check reports it */
    if (csg_stream_size(at->doc, &size, NULL) != LATHE_OK)
        return LATHE_OK;
    out->kind = LATHE_KIND_INT;
    out->as.i = (int64_t)size;
    return LATHE_OK;
}

lathe_result csg_get_hash(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    (void)row, (void)err;
    out->kind = at->doc->path ? LATHE_KIND_INT : LATHE_KIND_NONE;
    out->as.i = at->doc->path ? (int64_t)csg_hash(at->doc->path) : 0;
    return LATHE_OK;
}

static int sniff(const uint8_t *p, size_t n)
{
    uint32_t mark = n < 4 ? 0 : bytes_ld32(p, false);
    return mark == CSG_MARK_PLAIN || mark == CSG_MARK_PACKED ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static uint64_t head(const uint8_t *p, size_t n)
{
    bool packed = n >= 4 && bytes_ld32(p, false) == CSG_MARK_PACKED;
    if (sniff(p, n) == REC_SNIFF_NO || n < (packed ? 12U : 8U))
        return n;
    uint64_t rows = bytes_ld32(p + 4, false), chunks = packed ? bytes_ld32(p + 8, false) : 0;
    return (packed ? 12 : 8) + CSG_ENTRY * chunks + CSG_ROW * rows;
}

/* Stores the layout of the input. */
static void learn(lathe_doc *doc, bool packed)
{
    csg *g = csg_of(doc);
    g->input_packed = packed;
    g->last_bad = false;
    g->input_head = csg_head_size(doc);
    g->input_chunks = packed ? bytes_ld32(doc->input + 8, false) : 0;
}

static lathe_result open(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_container *k = &doc->containers[c];
    const rec_part *p = &doc->parts[k->root];
    rec_at root = rec_root(doc, c);
    if (sniff(p->data, (size_t)p->size) == REC_SNIFF_NO)
        return rec_fail(&root, CSG_FORM, 0, err, LATHE_ERR_FORMAT,
                        "not a geometry file: it begins with neither 'bpsg' nor 'bcsg'");
    bool packed = bytes_ld32(p->data, false) == CSG_MARK_PACKED;
    if (packed && !deflate_built_in())
        return rec_fail(&root, CSG_FORM, 0, err, LATHE_ERR_UNSUPPORTED,
                        "a packed geometry file (.csg): this lathe was built without zlib");
    uint64_t need = packed ? 12 : 8, have = rec_input_size(doc);
    if (p->size >= need)
        need = head(p->data, (size_t)p->size);
    if (need > have || need > p->size)
        return rec_fail(&root, CSG_NUM_ROWS, 4, err, LATHE_ERR_BOUNDS,
                        "truncated: tables of %llu bytes, the file has %llu",
                        (unsigned long long)need, (unsigned long long)have);
    k->index = mem_zalloc(&doc->mem, sizeof(csg));
    if (!k->index)
        return rec_no_memory(err);
    k->index_size = sizeof(csg);
    learn(doc, packed);
    bool tidy = packed && csg_tidy(doc->input + 12, csg_of(doc)->input_chunks, need, have);
    k->version = !packed ? CSG_PLAIN : tidy ? CSG_PACKED : CSG_UNTIDY;
    rec_forget(doc, k->root, 0);
    return LATHE_OK;
}

static void close(lathe_doc *doc, uint32_t c)
{
    csg *g = doc->containers[c].index;
    if (!g)
        return;
    csg_index_drop(doc);
    csg_close_stream(doc);
    for (size_t i = 0; i < g->blocks_n; i++) {
        mem_free(&doc->mem, g->blocks[i].packed, g->blocks[i].packed_size);
        mem_free(&doc->mem, g->blocks[i].fresh, g->blocks[i].fresh_size);
    }
    mem_free(&doc->mem, g->blocks, g->blocks_cap * sizeof *g->blocks);
    mem_free(&doc->mem, g->packed, CSG_MOST_PACKED);
    deflate_free(g->zlib);
}

static void rebase(lathe_doc *doc, uint32_t c)
{
    bool packed = csg_form(doc) != CSG_PLAIN, was = csg_of(doc)->input_packed;
    (void)c;
    learn(doc, packed);
    csg_forget(doc);
    if (packed != was) /* undo would need chunks that no file has any more */
        rec_history_forget(doc);
}

static const rec_verb verbs[] = {{.name = "convert",
                                  .doc = "Gives the file another form: plain (psg), or packed in "
                                         "chunks by zlib (csg), laid out as the game's are. "
                                         "No row moves in the stream.",
                                  .params = csg_convert_params,
                                  .run = csg_convert},
                                 {0}};

static const char *const extensions[] = {"csg", "psg", NULL};
static const char *const games[] = {"Fallout 4", NULL};
const lathe_format format_geometry = {
    .name = "geometry",
    .doc = "Geometry that precombined meshes share: plain (.psg) or packed (.csg)",
    .extensions = extensions,
    .games = games,
    .root = &csg_geometry,
    .sniff = sniff,
    .head = head,
    .open = open,
    .close = close,
    .rest_size = csg_rest_size,
    .rest = csg_rest,
    .ready = csg_ready,
    .rebase = rebase,
    .relayout = csg_relayout,
    .settle = csg_settle,
    .make = csg_make,
    .check = csg_check,
    .verbs = verbs,
};
