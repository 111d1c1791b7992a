/* Updates precombined geometry at the end of an edit: spheres of instances, offsets of bands, and totals.
 * formats/precombined.md#3 */
#include "gen/nif_types.h"
#include "nif/geometry/packed/packed.h"

/* Offsets in the block, in an object, and in an instance. */
enum { DESC = 4, NUM_VERTICES = 12, NUM_TRIANGLES = 16 };
enum { HEAD = 36, BAND = 12, BAND_STEP = 8 };
enum { TRANSFORM = 4, BOUNDS = 56, SPHERE = 16 };

typedef struct settling {
    lathe_doc *doc;
    uint32_t part;
    nif_before before;
    buf was, now; /* of nif_packed_place */
    nif_packed_change *change;
    uint64_t kept; /* number of instances that existed before */
    bool same_layout;
    bool lost; /* out of memory */
} settling;

static const nif_packed_place *places(const buf *list, size_t *n)
{
    *n = list->size / sizeof(nif_packed_place);
    return (const nif_packed_place *)(const void *)list->data;
}

static lathe_result put(const settling *s, uint64_t off, const uint8_t *bytes, uint64_t size,
                        lathe_error *err)
{
    return rec_splice(s->doc, s->part, off, size, bytes, size, err);
}

static lathe_result put32(const settling *s, uint64_t off, uint64_t number, lathe_error *err)
{
    uint8_t bytes[4];
    bytes_st32(bytes, (uint32_t)number, false);
    return put(s, off, bytes, sizeof bytes, err);
}

/* The object before the edit; NULL: the edit added it. */
static const nif_packed_place *object_before(const settling *s, const nif_packed_place *o)
{
    size_t lo = 0, n, hi;
    const nif_packed_place *all = places(&s->was, &n);
    uint64_t at = nif_before_place(&s->before, o->at, HEAD);
    for (hi = n; at != NIF_NEW && lo < hi;) {
        size_t mid = lo + (hi - lo) / 2;
        if (all[mid].at == at)
            return &all[mid];
        if (all[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

/* ---- bands ----------------------------------------------------------------------------------------------- */

/* Games also write 0 for an empty band. */
static bool bands_agree(const nif_packed_place *o)
{
    uint64_t before = 0;
    for (int k = 0; k < 3; before += o->triangles[k++])
        if (o->offsets[k] != 3 * before && (o->triangles[k] || o->offsets[k]))
            return false;
    return true;
}

static lathe_result settle_bands(const settling *s, const nif_packed_place *o,
                                 const nif_packed_place *was, lathe_error *err)
{
    static const nif_packed_place none = {.at = 0};
    lathe_result r = LATHE_OK;
    uint64_t before = 0;
    bool made = !was || s->before.made;
    was = made ? &none : was;
    if (made ? o->offsets[0] || o->offsets[1] || o->offsets[2] : !bands_agree(was))
        return LATHE_OK;
    for (int k = 0; r == LATHE_OK && k < 3; before += o->triangles[k++])
        if (o->offsets[k] == was->offsets[k] && (o->triangles[k] || o->offsets[k]))
            r = put32(s, o->at + BAND + (uint64_t)(BAND_STEP * k), 3 * before, err);
    return r;
}

/* ---- triangles ------------------------------------------------------------------------------------------- */

/* Finds the first index that is not a vertex: its position, or the number of all indices if there is none. */
static uint64_t missing(const uint8_t *data, const nif_packed_place *o, unsigned *vertex)
{
    uint64_t n = nif_packed_triangles(o);
    if (!o->is_here)
        return n;
    const uint8_t *p = data + o->vertices_at + o->vertices * o->layout.stride;
    for (uint64_t i = 0; i < 3 * n; i++) {
        *vertex = bytes_ld16(p + 2 * i, false);
        if (*vertex >= o->vertices)
            return i / 3;
    }
    return n;
}

/* Fails if the edit made such a triangle. Existing ones, and those in a new block, are left to check. */
static lathe_result settle_triangles(const settling *s, const nif_packed_place *o,
                                     const nif_packed_place *was, uint64_t number, lathe_error *err)
{
    unsigned vertex, before;
    rec_at block = nif_at(s->doc, s->part), at;
    if (s->before.made)
        return LATHE_OK;
    uint64_t i = missing(s->doc->parts[s->part].data, o, &vertex);
    if (i == nif_packed_triangles(o) ||
        (was && missing(s->before.image.data, was, &before) < nif_packed_triangles(was)))
        return LATHE_OK;
    lathe_result r = rec_sub(&block, rec_slot_find(block.layout, "data"), number, &at, err);
    return r != LATHE_OK
               ? r
               : rec_fail(&at, rec_slot_find(at.layout, "triangles"), at.off, err, LATHE_ERR_RANGE,
                          "row %llu: there is no vertex %u (from 0) of %llu",
                          (unsigned long long)i + 1, vertex, (unsigned long long)o->vertices);
}

/* ---- instances ------------------------------------------------------------------------------------------- */

/* The sphere of an object in its own space, if it was determined. */
typedef struct own_sphere {
    bool sought, found;
    nif_sphere sphere;
} own_sphere;

static bool geometry_moved(settling *s, const nif_packed_place *o, const nif_packed_place *was)
{
    const uint8_t *now = s->doc->parts[s->part].data, *old = s->before.image.data;
    if (!was || !o->is_here || !was->is_here)
        return false;
    if (o->vertices != was->vertices)
        return true;
    if (o->desc == was->desc && o->layout.stride == was->layout.stride &&
        memcmp(now + o->vertices_at, old + was->vertices_at,
               (size_t)(o->vertices * o->layout.stride)) == 0)
        return false;
    const mem *m = &s->doc->mem;
    float *p = nif_packed_positions(m, now, o, &s->lost);
    float *q = nif_packed_positions(m, old, was, &s->lost);
    bool moved = !p != !q || (p && memcmp(p, q, (size_t)o->vertices * 3 * sizeof *p) != 0);
    nif_packed_positions_free(m, o, p);
    nif_packed_positions_free(m, was, q);
    return moved;
}

static void sphere_of_vertices(settling *s, const nif_packed_place *o, own_sphere *out)
{
    float sphere[4];
    const mem *m = &s->doc->mem;
    float *p = nif_packed_positions(m, s->doc->parts[s->part].data, o, &s->lost);
    out->found = p && nif_sphere_of(p, o->vertices, sphere);
    for (int k = 0; out->found && k < 3; k++)
        out->sphere.center[k] = (double)sphere[k];
    if (out->found)
        out->sphere.radius = (double)sphere[3];
    nif_packed_positions_free(m, o, p);
}

/* Computes the object's sphere from that of an instance as it was before it moved. */
static bool sphere_of_instance(const settling *s, uint64_t at, nif_sphere *out)
{
    nif_placement t;
    nif_sphere sphere;
    const uint8_t *born = s->before.born.data + at;
    return nif_placement_read(born, &t) && nif_sphere_read(born, &sphere) &&
           nif_sphere_back(&t, &sphere, out);
}

/* Finds the object's sphere: from the vertices if they are here; else from this or another instance. */
static bool find_sphere(settling *s, const nif_packed_place *o, uint64_t at, own_sphere *own,
                        nif_sphere *out)
{
    if (!own->sought && o->is_here)
        sphere_of_vertices(s, o, own);
    if (!own->found && sphere_of_instance(s, at, out))
        return true;
    for (uint64_t i = 0; !own->sought && !own->found && i < o->instances; i++)
        own->found = sphere_of_instance(s, o->instances_at + NIF_INSTANCE * i, &own->sphere);
    own->sought = true;
    *out = own->sphere;
    return own->found;
}

static bool all_zero(const uint8_t *p, size_t n)
{
    while (n && !p[n - 1])
        n--;
    return n == 0;
}

/* True if the sphere of an instance is to be computed. Values set by the edit are kept, and so are spheres
 * that were not valid. *touched: it was added or moved. *wider: or its sphere changed. */
static bool follows(settling *s, uint64_t at, bool reshaped, bool *touched, bool *wider)
{
    const uint8_t *now = s->doc->parts[s->part].data + at, *born = s->before.born.data + at;
    uint64_t was = s->before.made ? NIF_NEW : nif_before_place(&s->before, at, NIF_INSTANCE);
    bool fresh = was == NIF_NEW;
    bool moved = memcmp(now + TRANSFORM, born + TRANSFORM, BOUNDS - TRANSFORM) != 0;
    bool zero = all_zero(born + BOUNDS, SPHERE);
    s->kept += !fresh;
    const uint8_t *from = fresh || s->before.rewritten ? born : s->before.image.data + was;
    *touched =
        fresh || reshaped || memcmp(now + TRANSFORM, from + TRANSFORM, BOUNDS - TRANSFORM) != 0;
    *wider = *touched || memcmp(now + BOUNDS, from + BOUNDS, SPHERE) != 0;
    if (memcmp(now + BOUNDS, born + BOUNDS, SPHERE) != 0)
        return false;
    return reshaped || (fresh ? zero || moved : moved && !zero);
}

static lathe_result settle_instance(settling *s, const nif_packed_place *o, uint64_t at,
                                    bool reshaped, own_sphere *own, lathe_error *err)
{
    nif_placement t;
    nif_sphere sphere;
    uint8_t bytes[SPHERE];
    bool touched, wider;
    lathe_result r = LATHE_OK;
    if (follows(s, at, reshaped, &touched, &wider) &&
        nif_placement_read(s->doc->parts[s->part].data + at, &t) &&
        find_sphere(s, o, at, own, &sphere) && nif_sphere_put(&t, &sphere, bytes))
        r = put(s, at + BOUNDS, bytes, SPHERE, err);
    s->change->moved = s->change->moved || touched;
    if (wider && nif_sphere_read(s->doc->parts[s->part].data + at, &sphere) &&
        !buf_put(&s->change->touched, &sphere, sizeof sphere))
        s->lost = true;
    return r;
}

static lathe_result settle_objects(settling *s, lathe_error *err)
{
    size_t n, was_n;
    uint64_t instances = 0;
    lathe_result r = LATHE_OK;
    const nif_packed_place *all = places(&s->now, &n), *was = places(&s->was, &was_n);
    for (size_t i = 0; i < was_n; i++)
        instances += was[i].instances;
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        const nif_packed_place *o = &all[i];
        own_sphere own = {.sought = false};
        const nif_packed_place *before = object_before(s, o);
        bool reshaped = geometry_moved(s, o, before);
        r = settle_triangles(s, o, before, i, err);
        if (r == LATHE_OK)
            r = settle_bands(s, o, before, err);
        for (uint64_t k = 0; r == LATHE_OK && k < o->instances; k++)
            r = settle_instance(s, o, o->instances_at + NIF_INSTANCE * k, reshaped, &own, err);
    }
    s->change->moved = s->change->moved || s->kept != instances;
    return r == LATHE_OK && s->lost ? rec_no_memory(err) : r;
}

/* ---- totals ---------------------------------------------------------------------------------------------- */

/* Both factors are below 2^34 and 2^32, so only the sum can overflow. */
static void add_product(uint64_t *sum, uint64_t a, uint64_t b)
{
    uint64_t room = UINT64_MAX - *sum;
    *sum = b && a > room / b ? UINT64_MAX : *sum + a * b;
}

nif_packed_totals nif_packed_count(const nif_packed_place *o, size_t n)
{
    nif_packed_totals t = {.vertices = 0};
    unsigned has = 0;
    for (size_t i = 0; i < n; i++) {
        add_product(&t.vertices, o[i].vertices, o[i].instances);
        add_product(&t.triangles, nif_packed_triangles(&o[i]), o[i].instances);
        for (int k = 0; k < 3; k++)
            add_product(&t.bands[k], o[i].triangles[k], o[i].instances);
        has |= (unsigned)(o[i].desc >> 44 & 0xFFF);
    }
    t.desc = has ? nif_vertex_turned(0, has | (unsigned)(NIF_FULL_PRECISION >> 44), true) : 0;
    return t;
}

nif_packed_totals nif_packed_stored(const uint8_t *block)
{
    return (nif_packed_totals){.vertices = bytes_ld32(block + NUM_VERTICES, false),
                               .triangles = bytes_ld32(block + NUM_TRIANGLES, false),
                               .desc = bytes_ld64(block + DESC, false)};
}

static lathe_result too_many(const settling *s, const char *row, uint64_t n, const char *what,
                             uint64_t most, lathe_error *err)
{
    rec_at at = nif_at(s->doc, s->part);
    return rec_fail(&at, rec_slot_find(at.layout, row), NUM_VERTICES, err, LATHE_ERR_RANGE,
                    "the instances of the objects have %llu %s, more than %llu, the most of a "
                    "bucket",
                    (unsigned long long)n, what, (unsigned long long)most);
}

/* 0 means that it is not set yet. */
static bool agreed(uint64_t now, uint64_t was, uint64_t sum)
{
    return now == was && (was == sum || !was);
}

/* Updates a 32-bit total in the header. Does nothing if the sum does not fit. */
static lathe_result follow_total(const settling *s, uint64_t off, uint64_t *is, uint64_t old,
                                 uint64_t was, uint64_t now, lathe_error *err)
{
    if (!agreed(*is, old, was) || now > UINT32_MAX)
        return LATHE_OK;
    *is = now;
    return put32(s, off, now, err);
}

static lathe_result settle_totals(settling *s, lathe_error *err)
{
    size_t n, was_n;
    const nif_packed_place *o = places(&s->now, &n), *was_o = places(&s->was, &was_n);
    nif_packed_totals was = nif_packed_count(was_o, was_n), now = nif_packed_count(o, n);
    nif_packed_totals old = nif_packed_stored(s->before.image.data), *is = &s->change->now;
    uint8_t desc[8];
    *is = nif_packed_stored(s->doc->parts[s->part].data);
    if (now.vertices > NIF_BUCKET_VERTICES && (s->before.made || now.vertices > was.vertices))
        return too_many(s, "num_vertices", now.vertices, "vertices", NIF_BUCKET_VERTICES, err);
    if (now.triangles > UINT32_MAX && (s->before.made || now.triangles > was.triangles))
        return too_many(s, "num_triangles", now.triangles, "triangles", UINT32_MAX, err);
    lathe_result r =
        follow_total(s, NUM_VERTICES, &is->vertices, old.vertices, was.vertices, now.vertices, err);
    if (r == LATHE_OK)
        r = follow_total(s, NUM_TRIANGLES, &is->triangles, old.triangles, was.triangles,
                         now.triangles, err);
    if (r == LATHE_OK && now.desc && agreed(is->desc, old.desc, was.desc)) {
        is->desc = now.desc;
        bytes_st64(desc, now.desc, false);
        r = put(s, DESC, desc, sizeof desc, err);
    }
    memcpy(is->bands, now.bands, sizeof now.bands);
    memcpy(old.bands, was.bands, sizeof was.bands);
    s->change->was = old;
    return r;
}

/* ---- updating -------------------------------------------------------------------------------------------- */

static void measure(settling *s)
{
    size_t n;
    const mem *m = &s->doc->mem;
    const nif_packed_place *o = places(&s->was, &n);
    nif_packed_change *c = s->change;
    c->was_bounded = nif_packed_bucket(m, s->before.image.data, o, n, &c->was_around, &s->lost);
    o = places(&s->now, &n);
    c->bounded = nif_packed_bucket(m, s->doc->parts[s->part].data, o, n, &c->around, &s->lost);
}

/* False: the block could not be parsed before or after the edit. */
static bool read_both(settling *s)
{
    const rec_part *p = &s->doc->parts[s->part];
    const buf *image = &s->before.image;
    uint64_t layout = p->root->arg;
    if (!nif_packed_scan(p->data, p->size, layout, &s->now, &s->lost))
        return false;
    s->same_layout = nif_packed_scan(image->data, image->size, layout, &s->was, &s->lost);
    if (s->same_layout)
        return true;
    return nif_packed_layout(p->root->type, image->data, image->size, &layout) && /* another type */
           nif_packed_scan(image->data, image->size, layout, &s->was, &s->lost);
}

static lathe_result settle(settling *s, lathe_error *err)
{
    if (!read_both(s))
        return s->lost ? rec_no_memory(err) : LATHE_OK;
    s->change->still = false;
    lathe_result r = LATHE_OK;
    if (s->doc->parts[s->part].root->arg & NIF_PACKED_TABLE && s->same_layout)
        r = nif_settle_rows(s->doc, s->part, &s->before, &s->was, &s->now, err);
    if (r == LATHE_OK)
        r = settle_objects(s, err);
    if (r == LATHE_OK)
        r = settle_totals(s, err);
    if (r == LATHE_OK && (s->change->moved || s->change->touched.size))
        measure(s);
    return r == LATHE_OK && s->lost ? rec_no_memory(err) : r;
}

lathe_result nif_settle_packed(lathe_doc *doc, uint32_t part, nif_packed_change *change,
                               lathe_error *err)
{
    settling s = {.doc = doc, .part = part, .change = change};
    *change = (nif_packed_change){.part = part, .still = true};
    buf_init(&change->touched, &doc->mem);
    buf_init(&s.was, &doc->mem);
    buf_init(&s.now, &doc->mem);
    lathe_result r =
        nif_before_read(doc, part, NIF_INSTANCE, &s.before) ? settle(&s, err) : rec_no_memory(err);
    if (change->still && doc->parts[part].size >= NUM_TRIANGLES + 4)
        change->was = change->now = nif_packed_stored(doc->parts[part].data);
    nif_before_free(&s.before);
    buf_free(&s.was);
    buf_free(&s.now);
    return r;
}

void nif_packed_change_free(nif_packed_change *change)
{
    buf_free(&change->touched);
}

void nif_packed_changes_free(buf *changes)
{
    nif_packed_change *all = (nif_packed_change *)(void *)changes->data;
    for (size_t i = 0; i < changes->size / sizeof *all; i++)
        nif_packed_change_free(&all[i]);
    buf_free(changes);
}
