/* Makes a Phive shape from nested values shaped like its rows, or from a mesh. */
#include "phive/set_mesh.h"
#include "phive/types.h"
#include "phive/write.h"

#include <string.h>

phive_variant phive_variant_named(const lathe_value *v)
{
    const char *p = v->as.s.p;
    if (v->kind != LATHE_KIND_STRING || v->as.s.n != 3 || p[0] != 'v' || p[1] != '2')
        return PHIVE_NO_VARIANT;
    return p[2] >= '1' && p[2] <= '3' ? (phive_variant)(PHIVE_V21 + (p[2] - '1'))
                                      : PHIVE_NO_VARIANT;
}

lathe_result phive_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child;
    uint32_t slot = rec_slot_find(root.layout, "variant");
    phive_variant variant = PHIVE_V22;
    if (rec_source_value(from, &root, slot, &v, &child)) {
        variant = phive_variant_named(&v);
        if (!variant)
            return rec_fail(&root, slot, 0, err, LATHE_ERR_RANGE, "v21, v22 or v23 expected");
    }
    lathe_result r = phive_state_begin(doc, c, variant, err);
    return r == LATHE_OK ? rec_arrange(doc, c, false, 8, variant, err) : r;
}

/* ---- from a mesh ---------------------------------------------------------------------------------------------- */

typedef struct maker {
    lathe_doc *doc; /* used only for its allocator */
    const lathe_source *fields;
    phive_variant variant;
    buf tagfile;
    lathe_error *err;
} maker;

static lathe_result bad(const maker *m, const char *name, lathe_result code, const char *what)
{
    error_set(m->err, code, LATHE_NO_OFFSET, "%s", what);
    error_where(m->err, name);
    return code;
}

static bool given(const maker *m, const char *name, lathe_value *v)
{
    const void *child = NULL;
    *v = (lathe_value){.kind = LATHE_KIND_NONE};
    return m->fields->get(m->fields->user, NULL, name, 0, v, &child) &&
           (child || v->kind != LATHE_KIND_NONE);
}

static lathe_result check_names(const maker *m)
{
    static const char *const known[] = {"mesh",     "materials", "variant",   "template",
                                        "interior", "quads",     "flat_quads"};
    enum { FLAGS = 4 }; /* number of bytes from there on */
    const char *name;
    lathe_value v;
    for (uint64_t i = 0; m->fields->name && (name = m->fields->name(m->fields->user, NULL, i));
         i++) {
        size_t k = 0;
        while (k < REC_COUNT_OF(known) && strcmp(known[k], name) != 0)
            k++;
        if (k == REC_COUNT_OF(known))
            return bad(m, name, LATHE_ERR_NAME,
                       "with a mesh a shape is made of materials, variant, template, quads, "
                       "flat_quads and interior");
    }
    for (size_t i = FLAGS; i < REC_COUNT_OF(known); i++)
        if (given(m, known[i], &v) && v.kind != LATHE_KIND_BOOL)
            return bad(m, known[i], LATHE_ERR_TYPE, "true or false expected");
    return LATHE_OK;
}

/* Takes the tagfile of a document of this format, or of a document that is a tagfile. */
static lathe_result take_tagfile(maker *m, lathe_doc *from)
{
    uint32_t part = from->containers[0].root, c = 0, shape = 0;
    if (from->containers[0].format == &format_bphsh) {
        rec_at at;
        const phive_layout *layout;
        lathe_result r = phive_shape(from, 0, &at, &layout, &c, m->err);
        if (r != LATHE_OK)
            return r;
        part = phive_part_of(from, 0, PHIVE_TAGFILE);
    } else if (from->containers[0].format != &format_tagfile) {
        return bad(m, "template", LATHE_ERR_TYPE, "a Phive shape or its tagfile expected");
    }
    phive_layout layout;
    shape = tag_item_get(from, c, 1).type;
    lathe_result r = phive_layout_read(tag_types_of(from, c), shape, &layout, m->err);
    if (r != LATHE_OK)
        return r;
    if (m->variant && m->variant != layout.variant)
        return bad(m, "variant", LATHE_ERR_INVALID, "the template is of another variant");
    m->variant = layout.variant;
    return rec_part_bytes(from, part, &m->tagfile) ? LATHE_OK : rec_no_memory(m->err);
}

static lathe_result parse(const maker *m, const buf *bytes, const char *format, lathe_doc **out)
{
    lathe_options o = {.size = sizeof o,
                       .format = format,
                       .alloc = m->doc->mem.fn,
                       .alloc_user = m->doc->mem.user};
    return lathe_doc_parse(bytes->data, bytes->size, &o, out, m->err);
}

static lathe_result take_template(maker *m, const lathe_value *v, bool nested)
{
    rec_at at;
    uint32_t slot;
    lathe_view view = v->as.v;
    lathe_doc *doc = NULL;
    if (v->kind == LATHE_KIND_RECORD && !nested) {
        lathe_result r = rec_enter(&view, &at, &slot, m->err);
        return r == LATHE_OK ? take_tagfile(m, at.doc) : r;
    }
    if (v->kind != LATHE_KIND_STRING)
        return bad(m, "template", LATHE_ERR_TYPE, "a document or the bytes of a file expected");
    buf bytes = {.data = (uint8_t *)(uintptr_t)v->as.s.p, .size = v->as.s.n};
    lathe_result r = parse(m, &bytes, NULL, &doc);
    if (r == LATHE_ERR_FORMAT) /* probably the name of a file */
        return bad(m, "template", r, "a document or the bytes of a file expected");
    if (r == LATHE_OK)
        r = take_tagfile(m, doc);
    lathe_doc_close(doc);
    return r;
}

/* Makes a tagfile with the variant's types and a shape without triangles. */
static lathe_result fill(maker *m, lathe_doc *doc, const buf *empty)
{
    static const phive_mesh nothing = {.vertex_count = 0};
    const phive_build_options o = {.variant = m->variant};
    phive_layout layout;
    phive_built built;
    tag_ordered with;
    const tag_types *types = tag_types_of(doc, 0);
    uint32_t shape = 1;
    while (shape < types->count && strcmp(types->all[shape].name, "hknpMeshShape") != 0)
        shape++;
    lathe_result r = phive_layout_read(types, shape, &layout, m->err);
    if (r == LATHE_OK)
        r = phive_build(&built, &nothing, &o, &m->doc->mem, m->err);
    if (r != LATHE_OK)
        return r;
    tag_ordered_init(&with, &m->doc->mem);
    r = phive_write(&built, &layout, NULL, &with, m->err);
    if (r == LATHE_OK)
        r = tag_refill(empty->data, empty->size, &with, &m->tagfile, m->err);
    tag_ordered_free(&with);
    phive_built_free(&built);
    return r;
}

static lathe_result make_tagfile(maker *m)
{
    static const char *const versions[] = {"20210100", "20220100", "20230200"};
    lathe_doc *doc = NULL;
    buf types, empty;
    buf_init(&types, &m->doc->mem);
    buf_init(&empty, &m->doc->mem);
    m->variant = m->variant ? m->variant : PHIVE_V22;
    lathe_result r = phive_types_bytes(&m->doc->mem, (int)m->variant, &types) &&
                             tag_put_empty(versions[m->variant - PHIVE_V21], &types, &empty)
                         ? parse(m, &empty, format_tagfile.name, &doc)
                         : rec_no_memory(m->err);
    if (r == LATHE_OK)
        r = fill(m, doc, &empty);
    lathe_doc_close(doc);
    buf_free(&types);
    buf_free(&empty);
    return r;
}

static lathe_result read_base(maker *m)
{
    lathe_value v;
    const void *child = NULL;
    if (given(m, "variant", &v) && !(m->variant = phive_variant_named(&v)))
        return bad(m, "variant", LATHE_ERR_RANGE, "v21, v22 or v23 expected");
    if (!given(m, "template", &v))
        return make_tagfile(m);
    m->fields->get(m->fields->user, NULL, "template", 0, &v, &child);
    return take_template(m, &v, child != NULL);
}

static bool to_buf(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

/* Makes a file of the tagfile without materials, and puts the mesh into it. */
static lathe_result put_mesh(maker *m, buf *out)
{
    static const uint8_t zeros[PHIVE_ALIGN];
    uint8_t header[PHIVE_HEADER] = "Phive\0\1";
    lathe_doc *doc = NULL;
    lathe_value v;
    buf file;
    size_t padding = (PHIVE_ALIGN - m->tagfile.size % PHIVE_ALIGN) % PHIVE_ALIGN;
    uint32_t end = (uint32_t)(PHIVE_HEADER + m->tagfile.size + padding);
    bytes_st16(header + 8, 0xFEFF, false);
    header[11] = PHIVE_SECTIONS;
    bytes_st32(header + 12, PHIVE_HEADER, false);
    for (unsigned i = 1; i < PHIVE_SECTIONS; i++)
        bytes_st32(header + 12 + 4 * i, end, false);
    bytes_st32(header + 28, end - PHIVE_HEADER, false);
    buf_init(&file, &m->doc->mem);
    lathe_result r = buf_put(&file, header, sizeof header) &&
                             buf_put(&file, m->tagfile.data, m->tagfile.size) &&
                             buf_put(&file, zeros, padding)
                         ? parse(m, &file, format_bphsh.name, &doc)
                         : rec_no_memory(m->err);
    buf_free(&file);
    bool mesh = given(m, "mesh", &v);
    if (r == LATHE_OK && mesh)
        r = rec_begin(doc, m->err);
    if (r == LATHE_OK && mesh)
        r = rec_end(doc, phive_set_mesh(lathe_doc_root(doc), m->fields, NULL, m->err), m->err);
    if (r == LATHE_OK)
        r = lathe_doc_encode(doc, to_buf, out, m->err);
    lathe_doc_close(doc);
    return r == LATHE_ERR_IO ? rec_no_memory(m->err) : r; /* the buffer is allocated as needed */
}

/* Gives the maker a container, which the code that opens the result expects. */
static lathe_result begin_maker(lathe_doc *doc, lathe_error *err)
{
    uint32_t root = rec_part_add(doc, 0);
    if (root == REC_NO_PART ||
        rec_container_add(doc, &format_bphsh, root, UINT32_MAX) == UINT32_MAX)
        return rec_no_memory(err);
    doc->parts[root].alive = doc->parts[root].owned = true;
    return LATHE_OK;
}

static bool get_nothing(void *user, const void *node, const char *name, uint64_t index,
                        lathe_value *leaf, const void **child)
{
    (void)user, (void)node, (void)name, (void)index, (void)leaf, (void)child;
    return false;
}

static uint64_t count_nothing(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

lathe_result phive_make(lathe_doc *doc, const lathe_source *fields, buf *out, lathe_error *err)
{
    static const lathe_source nothing = {sizeof nothing, NULL, get_nothing, count_nothing, NULL};
    maker m = {.doc = doc, .fields = fields ? fields : &nothing, .err = err};
    lathe_value v;
    if (given(&m, "tagfile", &v) && !given(&m, "mesh", &v))
        return rec_make(doc, &format_bphsh, fields, out, err);
    buf_init(&m.tagfile, &doc->mem);
    lathe_result r = begin_maker(doc, err);
    if (r == LATHE_OK)
        r = check_names(&m);
    if (r == LATHE_OK)
        r = read_base(&m);
    if (r == LATHE_OK)
        r = put_mesh(&m, out);
    buf_free(&m.tagfile);
    return r;
}
