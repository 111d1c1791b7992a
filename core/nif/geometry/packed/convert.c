/* Converts blocks of precombined geometry to another layout. The new block is written as bytes, and then
 * parsed like a block of a file. Instances, bounds and totals are copied, as are the bytes of vertices and
 * triangles. */
#include "nif/geometry/packed/convert.h"

#include "gen/nif_types.h"
#include "nif/geometry/csg/csg.h"
#include "nif/geometry/mesh.h"
#include "nif/geometry/packed/into.h"
#include "nif/geometry/packed/shared.h"
#include "record/offset_cache.h"

enum { PREFIX = 32, ENTRY = 8, HEAD = 36, INSTANCE = 72, DESCRIPTOR = 8 };
enum { LAYOUT = NIF_PACKED_INLINE | NIF_PACKED_TABLE };
/* Limits of the bytes that a block, and all blocks of a document, take from geometry files. A small NIF can
 * refer to large geometry, and any number of objects can refer to the same. */
#define MOST_OF_BLOCK REC_MADE
#define MOST_OF_ALL (16 * REC_MADE)
/* Limit of the bytes that a geometry document may get in addition to the total size of its sources. */
#define MORE_THAN_STREAMS REC_MADE

typedef struct tally {
    uint64_t objects, found, appended;
} tally;

typedef struct conversion {
    lathe_doc *doc, *into;
    uint64_t to;
    uint32_t hash;     /* of `into` */
    uint64_t made;     /* bytes from geometry files so far, in all blocks */
    uint64_t appended; /* bytes copied from there to `into` so far */
    uint64_t streams;  /* total size of the streams of these files */
    buf sources;       /* the source files: lathe_doc * */
    /* For one block: */
    rec_at block;
    uint64_t from;
    tally n;
    buf out, data; /* the new block; vertices and triangles of one object */
    buf halves; /* offsets in `out` of descriptors that say floats, although positions are halves */
    bool full, filled; /* some object has floats; some object has vertices or triangles */
} conversion;

static const char *word_of(uint64_t layout)
{
    static const char *const words[] = {"?", "inline", "shared", "inline+table"};
    return words[layout & LAYOUT];
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Finds the row that the object's entry refers to, if it is one of `into` and has these data: of several
 * equal rows it is kept. */
static lathe_result find_own(const conversion *cv, uint64_t i, const csg_row *like, csg_row *row,
                             lathe_error *err)
{
    rec_at entry;
    bool equal = false;
    uint32_t slot = rec_slot_find(cv->block.layout, "objects");
    if (!(cv->from & NIF_PACKED_TABLE) || rec_sub(&cv->block, slot, i, &entry, NULL) != LATHE_OK ||
        (uint32_t)rec_int(&entry, "geometry_file_hash") != cv->hash)
        return LATHE_ERR_NAME;
    lathe_result r = csg_row_find(cv->into, (uint64_t)rec_int(&entry, "data_offset"), row, NULL);
    if (r != LATHE_OK || row->layout != like->layout || row->vertices != like->vertices ||
        row->indices != like->indices)
        return LATHE_ERR_NAME;
    r = csg_row_equals(cv->into, row, cv->data.data, cv->data.size, &equal, err);
    return r == LATHE_OK && !equal ? LATHE_ERR_NAME : r;
}

static void note_source(conversion *cv, lathe_doc *geometry, bool *lost)
{
    lathe_doc *one;
    for (size_t i = 0; i < cv->sources.size; i += sizeof one) {
        memcpy(&one, cv->sources.data + i, sizeof one);
        if (one == geometry)
            return;
    }
    *lost = !buf_put(&cv->sources, &geometry, sizeof geometry);
    cv->streams += csg_stream_most(geometry);
}

/* Fails if too much is appended: objects can refer to any bytes of a geometry file, and any number of them to
 * nearly the same. Valid objects refer to each byte once. */
static lathe_result check_appended(conversion *cv, const rec_at *object, lathe_doc *geometry,
                                   lathe_error *err)
{
    bool lost = false;
    if (!geometry)
        return LATHE_OK;
    note_source(cv, geometry, &lost);
    if (lost)
        return rec_no_memory(err);
    uint64_t room = MOST_OF_ALL - MORE_THAN_STREAMS;
    uint64_t most = MORE_THAN_STREAMS + (cv->streams < room ? cv->streams : room);
    cv->appended += cv->data.size;
    return cv->appended <= most
               ? LATHE_OK
               : rec_fail(
                     object, REC_NO_SLOT, object->off, err, LATHE_ERR_LIMIT,
                     "the geometry document would get more than %llu bytes from geometry files",
                     (unsigned long long)most);
}

static lathe_result place_row(conversion *cv, const rec_at *object, uint64_t i, lathe_doc *geometry,
                              const csg_row *like, csg_row *row, lathe_error *err)
{
    const uint8_t *data = cv->data.data;
    uint64_t size = cv->data.size;
    lathe_result r = find_own(cv, i, like, row, err);
    if (r == LATHE_ERR_NAME)
        r = csg_find_equal(cv->into, like->desc, like->vertices, like->indices, data, size, row,
                           err);
    cv->n.found += r == LATHE_OK;
    if (r != LATHE_ERR_NAME)
        return r;
    r = check_appended(cv, object, geometry, err);
    if (r == LATHE_OK)
        r = csg_append(cv->into, like->desc, like->vertices, like->indices, data, size, row, err);
    cv->n.appended += r == LATHE_OK;
    return r;
}

/* Writes the entry of object i in the table. */
static lathe_result put_entry(conversion *cv, const rec_at *object, uint64_t i,
                              const nif_object_bytes *bytes, lathe_error *err)
{
    uint8_t *to = cv->out.data + PREFIX + ENTRY * i;
    csg_row row = {.offset = 0}, like = {.desc = bytes->desc,
                                         .vertices = (uint32_t)bytes->vertex_count,
                                         .indices = (uint32_t)bytes->index_count,
                                         .size = cv->data.size};
    if (!cv->into) {
        memcpy(to, rec_part_of(cv->doc, cv->block.part)->data + PREFIX + ENTRY * i, ENTRY);
        return LATHE_OK;
    }
    if (bytes->vertex_count > UINT32_MAX || bytes->index_count > UINT32_MAX || !csg_fits(&like))
        return rec_fail(object, rec_slot_find(object->layout, "vertex_desc"), object->off, err,
                        LATHE_ERR_UNSUPPORTED,
                        "no row of a geometry file has %llu vertices of %lu bytes and %llu indices "
                        "with descriptor 0x%016llx",
                        (unsigned long long)bytes->vertex_count, (unsigned long)bytes->stride,
                        (unsigned long long)bytes->index_count, (unsigned long long)bytes->desc);
    lathe_result r =
        cv->data.size ? place_row(cv, object, i, bytes->geometry, &like, &row, err) : LATHE_OK;
    if (r == LATHE_OK) {
        bytes_st32(to, cv->hash, false);
        bytes_st32(to + 4, (uint32_t)row.offset, false);
    }
    return r;
}

/* ---- objects --------------------------------------------------------------------------------------------- */

static lathe_result check_size(conversion *cv, const rec_at *object, uint64_t more,
                               lathe_error *err)
{
    uint64_t size = cv->out.size + more;
    if (cv->from & NIF_PACKED_INLINE)
        return LATHE_OK;
    cv->made += more;
    if (size <= MOST_OF_BLOCK && cv->made <= MOST_OF_ALL)
        return LATHE_OK;
    return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_LIMIT,
                    size > MOST_OF_BLOCK
                        ? "inline, the block would have more than %llu bytes"
                        : "inline, the blocks would have more than %llu bytes from geometry files",
                    (unsigned long long)(size > MOST_OF_BLOCK ? MOST_OF_BLOCK : MOST_OF_ALL));
}

static lathe_result read_object(conversion *cv, uint64_t i, rec_at *object, nif_object_bytes *bytes,
                                lathe_error *err)
{
    nif_column instances = {.count = 0};
    lathe_result r = rec_sub(&cv->block, rec_slot_find(cv->block.layout, "data"), i, object, err);
    if (r == LATHE_OK)
        r = nif_object_load(object, bytes, err);
    if (r != LATHE_OK)
        return r;
    if (rec_int(object, "num_combined") &&
        !nif_column_find(object, "combined", INSTANCE, &instances))
        return rec_no_memory(err); /* they were found before */
    uint64_t head = HEAD + INSTANCE * instances.count + DESCRIPTOR;
    uint64_t vertices = bytes->vertex_count * bytes->stride, indices = bytes->index_count * 2;
    if (cv->to & NIF_PACKED_INLINE &&
        (r = check_size(cv, object, vertices + indices, err)) != LATHE_OK)
        return r;
    cv->data.size = 0;
    if (!buf_put(&cv->out, rec_part_of(cv->doc, object->part)->data + object->off, (size_t)head) ||
        !buf_put(&cv->data, bytes->vertices, (size_t)vertices) ||
        !buf_put(&cv->data, bytes->indices, (size_t)indices))
        return rec_no_memory(err);
    return LATHE_OK;
}

static lathe_result convert_object(conversion *cv, uint64_t i, lathe_error *err)
{
    rec_at object;
    nif_object_bytes bytes;
    lathe_result r = read_object(cv, i, &object, &bytes, err);
    uint64_t desc = cv->out.size - DESCRIPTOR;
    if (r == LATHE_OK && cv->to & NIF_PACKED_TABLE)
        r = put_entry(cv, &object, i, &bytes, err);
    if (r != LATHE_OK)
        return r;
    cv->n.objects++;
    cv->filled = cv->filled || cv->data.size;
    cv->full = cv->full || (bytes.desc & NIF_FULL_PRECISION && !bytes.half);
    return (!bytes.half || buf_put(&cv->halves, &desc, sizeof desc)) &&
                   (!(cv->to & NIF_PACKED_INLINE) ||
                    buf_put(&cv->out, cv->data.data, cv->data.size))
               ? LATHE_OK
               : rec_no_memory(err);
}

/* ---- the block ------------------------------------------------------------------------------------------- */

/* Decides how positions are stored inline: if all descriptors that say floats have halves, a flag of the
 * layout says so; if only some have, their descriptors are corrected. */
static uint64_t settle_halves(conversion *cv)
{
    if (!(cv->to & NIF_PACKED_INLINE) || !cv->halves.size)
        return 0;
    for (size_t i = 0; cv->full && i < cv->halves.size; i += sizeof(uint64_t)) {
        uint64_t at;
        memcpy(&at, cv->halves.data + i, sizeof at);
        uint8_t *p = cv->out.data + at;
        bytes_st64(p, csg_halved(bytes_ld64(p, false)), false);
    }
    return cv->full ? 0 : NIF_PACKED_HALF;
}

static lathe_result write_block(conversion *cv, lathe_error *err)
{
    rec_loc objects;
    uint32_t slot = rec_slot_find(cv->block.layout, "data");
    lathe_result r = rec_find(&cv->block, slot, &objects, err);
    if (r != LATHE_OK)
        return r;
    if (!buf_put(&cv->out, rec_part_of(cv->doc, cv->block.part)->data, PREFIX) ||
        (cv->to & NIF_PACKED_TABLE && !buf_fill(&cv->out, 0, (size_t)objects.count * ENTRY)))
        return rec_no_memory(err);
    rec_offset_hold(&cv->block, slot, objects.data);
    for (uint64_t i = 0; r == LATHE_OK && i < objects.count; i++)
        r = convert_object(cv, i, err);
    rec_offset_release(&cv->block, slot);
    return r;
}

/* Input for a block made by the engine. */
typedef struct given {
    const rec_type *type;
    uint64_t layout;
    const buf *bytes;
} given;

static bool give(void *user, const void *node, const char *name, uint64_t index, lathe_value *leaf,
                 const void **child)
{
    const given *g = user;
    (void)node, (void)index;
    *child = NULL;
    if (!name)
        return false;
    if (strcmp(name, "half_stored") == 0) {
        *leaf = (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = g->layout & NIF_PACKED_HALF};
        return true;
    }
    const char *text = strcmp(name, "type") == 0     ? rec_type_name(g->type)
                       : strcmp(name, "layout") == 0 ? word_of(g->layout)
                       : strcmp(name, "bytes") == 0  ? (const char *)g->bytes->data
                                                     : NULL;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {text, 0}};
    if (text)
        leaf->as.s.n = text == (const char *)g->bytes->data ? g->bytes->size : strlen(text);
    return text != NULL;
}

static uint64_t give_count(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

/* Replaces the old block. Its type and layout are those with which a file with these bytes is read. */
static lathe_result put_block(conversion *cv, uint64_t layout, lathe_error *err)
{
    given g = {
        .type = &nif_BSPackedCombinedSharedGeomDataExtra, .layout = layout, .bytes = &cv->out};
    const lathe_source source = {
        .size = sizeof source, .user = &g, .get = give, .count = give_count};
    rec_from from = {.source = &source};
    rec_at root = rec_root(cv->doc, cv->block.layout->container), element;
    uint64_t i = nif_number(cv->doc, cv->block.part), got = 0;
    bool raw;
    if (cv->to == NIF_PACKED_INLINE)
        g.type = &nif_BSPackedCombinedGeomDataExtra;
    lathe_result r = rec_element_for(&root, NIF_BLOCKS, i, &from, &element, &raw, err);
    uint32_t part = nif_block(cv->doc, cv->block.layout->container, i);
    if (r == LATHE_OK)
        r = nif_part_arg(cv->doc, part, g.type, &got, err);
    if (r != LATHE_OK || got == layout)
        return r;
    return rec_fail(&cv->block, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                    "as %s the block would be read as %s: its bytes fit that, too", word_of(layout),
                    word_of(got));
}

static bool is_same(const conversion *cv, uint64_t layout)
{
    const rec_part *p = rec_part_of(cv->doc, cv->block.part);
    return layout == cv->from && p->size == cv->out.size &&
           memcmp(p->data, cv->out.data, cv->out.size) == 0;
}

static lathe_result may_convert(const conversion *cv, lathe_error *err)
{
    bool old = (uint64_t)NIF_AT_V(&cv->block) < 0x14020005;
    bool lacks =
        cv->to == NIF_PACKED_TABLE ? cv->from != cv->to : cv->to & ~cv->from & NIF_PACKED_TABLE;
    if (old)
        return rec_fail(&cv->block, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "files of this version do not say how large a block is");
    if (lacks && !cv->into)
        return rec_fail(
            &cv->block, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
            "%s geometry becomes %s with rows of a geometry file: say which, "
            "doc:convert{ to = \"%s\", into = geometry document }, or --into in the shell",
            word_of(cv->from), word_of(cv->to), word_of(cv->to));
    return LATHE_OK;
}

/* *changed: the block was converted. */
static lathe_result convert_block(conversion *cv, uint32_t part, bool *changed, lathe_error *err)
{
    cv->block = nif_at(cv->doc, part);
    cv->from = cv->block.layout->arg;
    cv->n = (tally){0};
    cv->full = cv->filled = *changed = false;
    cv->out.size = cv->halves.size = 0;
    if ((cv->from & LAYOUT) == cv->to && !cv->into)
        return LATHE_OK;
    lathe_result r = may_convert(cv, err);
    if (r == LATHE_OK)
        r = write_block(cv, err);
    if (r != LATHE_OK)
        return r;
    uint64_t layout = cv->to | settle_halves(cv);
    if (!cv->filled && cv->to == LAYOUT)
        layout = NIF_PACKED_TABLE; /* the same bytes */
    *changed = !is_same(cv, layout);
    return *changed ? put_block(cv, layout, err) : LATHE_OK;
}

static void begin(conversion *cv, lathe_doc *doc, uint64_t to, lathe_doc *into)
{
    *cv = (conversion){.doc = doc, .to = to, .into = into};
    if (into)
        cv->hash = csg_hash(into->path);
    buf_init(&cv->out, &doc->mem);
    buf_init(&cv->data, &doc->mem);
    buf_init(&cv->halves, &doc->mem);
    buf_init(&cv->sources, &doc->mem);
}

static void end(conversion *cv)
{
    buf_free(&cv->out);
    buf_free(&cv->data);
    buf_free(&cv->halves);
    buf_free(&cv->sources);
}

static lathe_result check_into(const lathe_doc *into, uint64_t to, lathe_error *err)
{
    return into && to == NIF_PACKED_INLINE
               ? error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                           "'into' of convert: inline geometry has no rows in another file")
               : LATHE_OK;
}

lathe_result nif_packed_convert(lathe_doc *doc, uint32_t part, uint64_t layout, lathe_doc *into,
                                lathe_error *err)
{
    conversion cv;
    bool changed = false;
    lathe_result r = check_into(into, layout, err);
    if (r != LATHE_OK)
        return r;
    begin(&cv, doc, layout, into);
    r = into ? nif_into_begin(doc, into, err) : LATHE_OK;
    if (r == LATHE_OK) {
        r = convert_block(&cv, part, &changed, err);
        r = into ? nif_into_end(doc, into, changed, r, err) : r;
    }
    end(&cv);
    return r;
}

/* ---- the verb -------------------------------------------------------------------------------------------- */

const char nif_convert_doc[] =
    "Gives all precombined geometry another layout. Rows that the geometry document has are found "
    "there, others are added behind its last one: save it before the NIF. What fits no layout is "
    "left alone. The report lists the `blocks` that changed and, for each, its `objects` and how "
    "many rows were `found` and `appended`.";
static const char *const layouts[] = {"inline", "shared", "inline+table", NULL};
static const rec_param convert_to = {
    .name = "to",
    .doc = "The form that it gets. Inline: geometry lies in the blocks; shared: in a geometry "
           "file; inline+table: in the blocks, with a table of places in such a file.",
    .kind = LATHE_PARAM_TEXT,
    .values = layouts,
    .positional = true,
    .needed = true};
static const rec_param convert_into = {
    .name = "into",
    .doc = "The geometry document whose rows the blocks name then; none: inline, and inline+table "
           "of what is shared already.",
    .kind = LATHE_PARAM_ANY};
const rec_param *const nif_convert_params[] = {&convert_to, &convert_into, NULL};

static uint64_t layout_of(const lathe_value *word)
{
    for (uint64_t layout = NIF_PACKED_INLINE; layout < LAYOUT; layout++)
        if (rec_text_is(word, word_of(layout)))
            return layout;
    return LAYOUT;
}

static void tell(const conversion *cv, uint64_t i, lathe_report *report)
{
    rec_at root = rec_root(cv->doc, 0);
    char path[64];
    const struct {
        const char *name;
        uint64_t n;
    } counts[] = {{"objects", cv->n.objects}, {"found", cv->n.found}, {"appended", cv->n.appended}};
    report->changed++;
    if (!report->result)
        return;
    size_t n = rec_path(&root, NIF_BLOCKS, i, path, sizeof path);
    lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {path, n}};
    report->result(report->user, "blocks", &v);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        v = (lathe_value){.kind = LATHE_KIND_INT, .as.i = (int64_t)counts[k].n};
        report->result(report->user, counts[k].name, &v);
    }
}

static lathe_result convert_one(conversion *cv, uint64_t i, bool *some, lathe_report *report,
                                lathe_error *err)
{
    uint32_t part = nif_block(cv->doc, 0, i);
    const rec_layout *root = rec_part_root(cv->doc, part);
    lathe_error why = {.code = LATHE_OK};
    bool changed;
    if (!root)
        return rec_no_memory(err);
    if (!nif_is_packed(root->type))
        return LATHE_OK;
    if (rec_opaque(cv->doc, part, &why)) {
        rec_at block = nif_at(cv->doc, part);
        char path[64];
        if (why.code == LATHE_ERR_MEMORY)
            return rec_no_memory(err);
        rec_path(&block, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
        if (report && report->skipped)
            report->skipped(report->user, path, why.message);
        return LATHE_OK;
    }
    lathe_result r = convert_block(cv, part, &changed, err);
    if (r == LATHE_OK && changed && report)
        tell(cv, i, report);
    *some = *some || changed;
    return r;
}

lathe_result nif_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    lathe_value to;
    lathe_doc *into;
    conversion cv;
    bool changed = false;
    rec_arg(args, "to", &to);
    lathe_result r = nif_into_arg(args, "convert", false, &into, err);
    if (r == LATHE_OK)
        r = check_into(into, layout_of(&to), err);
    if (r != LATHE_OK)
        return r;
    begin(&cv, self.doc, layout_of(&to), into);
    r = into ? nif_into_begin(cv.doc, into, err) : LATHE_OK;
    if (r == LATHE_OK) {
        for (uint64_t i = 0, n = nif_total(self.doc, 0); r == LATHE_OK && i < n; i++)
            r = convert_one(&cv, i, &changed, report, err);
        r = into ? nif_into_end(cv.doc, into, changed, r, err) : r;
    }
    end(&cv);
    return r;
}
