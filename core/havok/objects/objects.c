#include "havok/objects/objects.h"

#include <string.h>

/* ---- objects ----------------------------------------------------------------------------------------- */

uint32_t hk_object_row(lathe_doc *doc, uint32_t c)
{
    return rec_slot_find(doc->parts[doc->containers[c].root].root, "objects");
}

const uint32_t *hk_object_list(lathe_doc *doc, uint32_t c, uint64_t *n)
{
    uint32_t row = hk_object_row(doc, c);
    *n = 0;
    return row == REC_NO_SLOT ? NULL : rec_kid_list(doc, doc->containers[c].root, row, n);
}

/* How many objects begin at or before a position. */
static uint64_t objects_before(lathe_doc *doc, uint32_t c, hk_origin from, uint64_t position)
{
    uint64_t n, lo = 0;
    const uint32_t *kids = rec_kid_list(doc, doc->containers[c].root, from.row, &n);
    uint64_t start = rec_start(doc, from.data, 0), hi = n;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (doc->parts[kids[mid]].start - start <= position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool hk_object_place(lathe_doc *doc, uint32_t c, hk_origin from, uint64_t position, uint32_t *part,
                     uint64_t *off)
{
    if (!rec_places(doc))
        return false;
    uint64_t n = objects_before(doc, c, from, position);
    *part = n ? rec_kid(doc, doc->containers[c].root, from.row, n - 1) : from.data;
    *off = position - (rec_start(doc, *part, 0) - rec_start(doc, from.data, 0));
    return *off <= doc->parts[*part].size;
}

uint64_t hk_object_begins(lathe_doc *doc, uint32_t c, hk_origin from, uint64_t position)
{
    uint32_t part;
    uint64_t off, n = rec_places(doc) ? objects_before(doc, c, from, position) : 0;
    return n && hk_object_place(doc, c, from, position, &part, &off) && off == 0 ? n : 0;
}

bool hk_number_in_path(const lathe_value *v, int64_t *out)
{
    static const char start[] = "objects[";
    size_t n = sizeof start - 1;
    *out = 0;
    if (v->kind != LATHE_KIND_STRING || v->as.s.n <= n || memcmp(v->as.s.p, start, n) != 0)
        return false;
    for (; n < v->as.s.n && v->as.s.p[n] >= '0' && v->as.s.p[n] <= '9' && *out < UINT32_MAX; n++)
        *out = *out * 10 + (v->as.s.p[n] - '0');
    return n + 1 == v->as.s.n && v->as.s.p[n] == ']';
}

rec_at hk_object(lathe_doc *doc, uint32_t part)
{
    return (rec_at){.doc = doc, .layout = rec_part_root(doc, part), .part = part};
}

/* The row: its type is that of objects that are not described, and it knows what they are. */
static const rec_field *row_of(lathe_doc *doc, uint32_t part)
{
    uint32_t root = doc->containers[rec_part_of(doc, part)->container].root;
    const rec_part *p = rec_part_of(doc, part);
    return p->owner == root ? doc->parts[root].root->slots[p->slot].row : NULL;
}

const char *hk_object_class(lathe_doc *doc, uint32_t part)
{
    const rec_field *row = row_of(doc, part);
    const rec_layout *root = rec_part_root(doc, part);
    if (root && (!row || root->type != rec_row_type(row)))
        return rec_type_name(root->type);
    return row && rec_row_rare(row)->type_name ? rec_row_rare(row)->type_name(doc, part) : NULL;
}

lathe_result hk_object_look(lathe_doc *doc, uint32_t part, bool *opens, lathe_error *err)
{
    lathe_error why = {.code = LATHE_OK};
    const rec_field *row = row_of(doc, part);
    const rec_layout *root = rec_part_root(doc, part);
    *opens = false;
    if (!root)
        return rec_no_memory(err);
    *opens = row && root->type != rec_row_type(row) && !rec_opaque(doc, part, &why);
    return why.code == LATHE_ERR_MEMORY ? rec_no_memory(err) : LATHE_OK;
}

bool hk_object_opens(lathe_doc *doc, uint32_t part)
{
    bool opens;
    return hk_object_look(doc, part, &opens, NULL) == LATHE_OK && opens;
}

bool hk_object_is(lathe_doc *doc, uint32_t part, const char *class_name)
{
    const rec_layout *root = rec_part_root(doc, part);
    return root && hk_type_is(root->type, class_name) && hk_object_opens(doc, part);
}

bool hk_object_described(lathe_doc *doc, uint32_t part)
{
    const rec_field *row = row_of(doc, part);
    const rec_layout *root = rec_part_root(doc, part);
    return root && (!row || root->type != rec_row_type(row));
}

bool hk_describes_classes(lathe_doc *doc, uint32_t c)
{
    return doc->containers[c].format->own_type != NULL;
}

bool hk_type_is(const rec_type *type, const char *class_name)
{
    for (; type; type = rec_type_base(type))
        if (strcmp(rec_type_name(type), class_name) == 0)
            return true;
    return false;
}

bool hk_is(const rec_at *at, const char *class_name)
{
    return hk_type_is(at->layout->type, class_name);
}

bool hk_is_big(const rec_at *at)
{
    return at->doc->containers[at->layout->container].big;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* A stored row of the name; NULL: there is none. */
static const rec_slot *stored(const rec_at *at, const char *name, uint32_t *slot)
{
    *slot = at->layout ? rec_slot_find(at->layout, name) : REC_NO_SLOT;
    if (*slot == REC_NO_SLOT)
        return NULL;
    const rec_slot *s = rec_slot_of(at, *slot);
    return rec_unstored(s->row) || rec_row_rare(s->row)->embed ? NULL : s;
}

static bool is_list(const rec_slot *s)
{
    return s->array || s->row->kind == REC_BYTES;
}

uint32_t hk_array_row(const rec_at *at, const char *name, uint64_t size)
{
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    bool suits = s && is_list(s) && s->elem == size && s->row->kind != REC_POINTER &&
                 s->row->kind != REC_STR && !(s->row->flags & REC_PART);
    return suits ? slot : REC_NO_SLOT;
}

lathe_result hk_read_length(const rec_at *at, const char *name, uint64_t *n, lathe_error *err)
{
    rec_loc loc;
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    *n = 0;
    if (!s || !is_list(s))
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r == LATHE_OK && loc.present)
        *n = loc.count;
    return r;
}

uint64_t hk_length(const rec_at *at, const char *name)
{
    uint64_t n;
    return hk_read_length(at, name, &n, NULL) == LATHE_OK ? n : 0;
}

/* ---- records ----------------------------------------------------------------------------------------- */

lathe_result hk_find_records(const rec_at *at, const char *name, uint32_t *slot, uint64_t *n,
                             lathe_error *err)
{
    rec_loc loc;
    const rec_slot *s = stored(at, name, slot);
    *n = 0;
    if (!s || s->row->kind != REC_RECORD)
        return LATHE_OK;
    lathe_result r = rec_find(at, *slot, &loc, err);
    if (r == LATHE_OK && loc.present)
        *n = s->array ? loc.count : 1;
    return r;
}

bool hk_record_at(const rec_at *at, const char *name, uint64_t i, rec_at *out)
{
    uint32_t slot;
    uint64_t n;
    return hk_find_records(at, name, &slot, &n, NULL) == LATHE_OK && i < n &&
           rec_sub(at, slot, i, out, NULL) == LATHE_OK;
}

bool hk_is_element(const rec_at *owner, const char *array, const rec_at *at, uint64_t *i)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(owner->layout, array);
    if (slot == REC_NO_SLOT || rec_find(owner, slot, &loc, NULL) != LATHE_OK || !loc.present ||
        loc.data_part != at->part || at->off < loc.data)
        return false;
    uint64_t size = rec_slot_of(owner, slot)->elem;
    *i = size ? (at->off - loc.data) / size : 0;
    return size && *i < loc.count && (at->off - loc.data) % size == 0;
}

/* ---- values ------------------------------------------------------------------------------------------ */

double hk_number(const rec_at *at, const char *name)
{
    lathe_value v;
    double number = 0;
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT || rec_get(at, slot, true, &v, NULL) != LATHE_OK ||
        !rec_number(&v, &number))
        return 0;
    return number;
}

/* Texts that end in a NUL in the file: in line, or elsewhere. */
static bool is_text(const rec_slot *s)
{
    const rec_field *row = s ? s->row : NULL;
    return row && row->kind == REC_STR && !row->term && !row->prefix && !row->size && !row->body;
}

lathe_result hk_read_text(const rec_at *at, const char *name, const char **text, uint64_t *n,
                          lathe_error *err)
{
    lathe_value v;
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    *text = NULL;
    *n = 0;
    if (!is_text(s) || s->array)
        return LATHE_OK;
    lathe_result r = rec_get(at, slot, false, &v, err);
    if (r == LATHE_OK && v.kind == LATHE_KIND_STRING) {
        *text = v.as.s.p;
        *n = v.as.s.n;
    }
    return r;
}

const char *hk_text(const rec_at *at, const char *name)
{
    const char *text;
    uint64_t n;
    return hk_read_text(at, name, &text, &n, NULL) == LATHE_OK ? text : NULL;
}

lathe_result hk_read_text_item(const rec_at *at, const char *name, uint64_t i, const char **text,
                               lathe_error *err)
{
    lathe_value v;
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    *text = NULL;
    bool list = s && s->array && s->row->kind == REC_STR && s->row->text && !s->row->term;
    if (!list || i >= hk_length(at, name))
        return LATHE_OK;
    lathe_result r = rec_get_item(at, slot, i, false, &v, err);
    if (r == LATHE_OK && v.kind == LATHE_KIND_STRING)
        *text = v.as.s.p;
    return r;
}

lathe_result hk_read_target(const rec_at *at, const char *name, uint64_t i, uint32_t *part,
                            lathe_error *err)
{
    uint64_t raw = 0, n;
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    *part = REC_NO_PART;
    if (!s || s->row->kind != REC_POINTER)
        return LATHE_OK;
    lathe_result r = rec_raw(at, slot, i, &raw, err);
    if (r != LATHE_OK || !raw)
        return r;
    const uint32_t *objects = hk_object_list(at->doc, at->layout->container, &n);
    if (raw <= n)
        *part = objects[raw - 1];
    return LATHE_OK;
}

uint32_t hk_target(const rec_at *at, const char *name, uint64_t i)
{
    uint32_t part;
    return hk_read_target(at, name, i, &part, NULL) == LATHE_OK ? part : REC_NO_PART;
}

/* ---- numbers in a row ---------------------------------------------------------------------------------- */

static lathe_result other_elements(const rec_at *at, const char *name, uint64_t size,
                                   lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "an array of elements of %llu bytes was expected", (unsigned long long)size);
}

lathe_result hk_elements(const rec_at *at, const char *name, uint64_t size, bytes_array *as,
                         lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = hk_array_row(at, name, size);
    *as = (bytes_array){NULL, 0};
    if (slot == REC_NO_SLOT)
        return rec_slot_find(at->layout, name) == REC_NO_SLOT ? LATHE_OK
                                                              : other_elements(at, name, size, err);
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r == LATHE_OK && loc.present && loc.count)
        *as = (bytes_array){at->doc->parts[loc.data_part].data + loc.data, loc.count};
    return r;
}

/* Translation, rotation and scale, each of four floats. */
static bool is_transform(const rec_layout *l)
{
    static const char *const names[] = {"translation", "rotation", "scale"};
    for (uint32_t i = 0; l && i < REC_COUNT_OF(names); i++) {
        uint32_t slot = rec_slot_find(l, names[i]);
        if (slot == REC_NO_SLOT || l->slots[slot].off != 16 * i || l->slots[slot].size != 16)
            return false;
    }
    return l != NULL;
}

lathe_result hk_transforms(const rec_at *at, const char *name, bytes_array *as, lathe_error *err)
{
    uint32_t slot = hk_array_row(at, name, HK_TRANSFORM_SIZE);
    *as = (bytes_array){NULL, 0};
    if (slot != REC_NO_SLOT && !is_transform(at->layout->slots[slot].sub))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "its transforms are not a translation, a rotation and a scale");
    return hk_elements(at, name, HK_TRANSFORM_SIZE, as, err);
}

int32_t hk_index(const rec_at *at, const char *name, uint64_t i)
{
    bytes_array numbers;
    if (hk_elements(at, name, 2, &numbers, NULL) != LATHE_OK || i >= numbers.count)
        return -1;
    return (int16_t)bytes_ld16(numbers.bytes + 2 * i, hk_is_big(at));
}

bool hk_floats(const rec_at *at, const char *name, uint32_t n, double *out)
{
    rec_loc loc;
    uint32_t slot;
    const rec_slot *s = stored(at, name, &slot);
    bool numbers = s && s->row->kind == REC_F32 && s->array && s->row->n == n && !s->row->body;
    bool vector = s && s->row->kind == REC_RECORD && !s->array && s->sub &&
                  rec_lanes(s->sub->type) == n && s->sub->size == 4 * (uint64_t)n;
    if ((!numbers && !vector) || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    const uint8_t *p = at->doc->parts[loc.part].data + loc.off;
    for (uint32_t i = 0; i < n; i++)
        out[i] = bytes_f32_widen(bytes_ld32(p + 4 * (uint64_t)i, hk_is_big(at)));
    return true;
}

/* ---- transforms in a row --------------------------------------------------------------------------------- */

static const char *const column_names[] = {"column0", "column1", "column2", "translation"};

/* Three columns of a rotation and a translation, of four floats each: as a record of four vectors, as one of a rotation
 * and a translation, or as sixteen numbers. */
static bool read_columns(const rec_at *at, const char *name, double out[16])
{
    rec_at sub;
    if (hk_floats(at, name, 16, out))
        return true;
    if (!hk_record_at(at, name, 0, &sub))
        return false;
    if (hk_floats(&sub, "rotation", 12, out))
        return hk_floats(&sub, "translation", 4, out + 12);
    for (unsigned i = 0; i < 4; i++)
        if (!hk_floats(&sub, column_names[i], 4, out + 4 * i))
            return false;
    return true;
}

bool hk_matrix(const rec_at *at, const char *name, mat4 *out)
{
    double columns[16];
    *out = mat4_identity();
    if (!read_columns(at, name, columns))
        return false;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned r = 0; r < 3; r++)
            out->m[c][r] = columns[4 * c + r];
    return true;
}

/* Numbers [from, from + n) of a row that hk_floats reads, from columns of 4; w stays. */
static lathe_result set_columns(const rec_at *at, const char *name, uint32_t columns,
                                const double (*to)[4], lathe_error *err)
{
    rec_at sub = *at;
    uint32_t slot = rec_slot_find(at->layout, name);
    bool vector = at->layout->slots[slot].row->kind == REC_RECORD;
    lathe_result r = vector ? rec_sub(at, slot, 0, &sub, err) : LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < 4 * columns; i++) {
        const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = to[i / 4][i % 4]};
        if (i % 4 < 3)
            r = vector ? rec_set(&sub, i, &v, err) : rec_set_item(at, slot, i, &v, err);
    }
    return r;
}

lathe_result hk_set_matrix(const rec_at *at, const char *name, const mat4 *to, lathe_error *err)
{
    rec_at sub;
    double columns[16];
    if (!read_columns(at, name, columns))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "it has no transform %s", name);
    if (hk_floats(at, name, 16, columns))
        return set_columns(at, name, 4, to->m, err);
    if (!hk_record_at(at, name, 0, &sub))
        return rec_no_memory(err);
    lathe_result r = LATHE_OK;
    if (hk_floats(&sub, "rotation", 12, columns))
        r = set_columns(&sub, "rotation", 3, to->m, err);
    else
        for (unsigned i = 0; r == LATHE_OK && i < 3; i++)
            r = set_columns(&sub, column_names[i], 1, to->m + i, err);
    return r == LATHE_OK ? set_columns(&sub, "translation", 1, to->m + 3, err) : r;
}

lathe_result hk_array_of(const rec_at *at, const char *name, bytes_array *as, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(at, rec_slot_find(at->layout, name), &loc, err);
    *as = (bytes_array){NULL, 0};
    if (r == LATHE_OK && loc.present && loc.count)
        *as = (bytes_array){at->doc->parts[loc.data_part].data + loc.data, loc.count};
    return r;
}
