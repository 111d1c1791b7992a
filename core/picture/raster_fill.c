/* Fills triangles of the grid, band by band of the picture. What a triangle gives to a pixel does not depend on the band:
 * whatever runs along rows and columns begins where the triangle does. */
#include "picture/raster_fill.h"
#include "base/error.h"

#include <string.h>

/* Where the samples are in a pixel, in steps of the grid: no two in a row or column. */
static const int32_t sample_at[RASTER_SAMPLES][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};

enum { CENTRE = RASTER_GRID / 2, ALL = (1 << RASTER_SAMPLES) - 1 };

/* ---- setting up ----------------------------------------------------------------------------- */

/* A function of the edge from (ax, ay) to (bx, by), at least 0 at points inside. Points on the edge are inside if it is a
 * top or a left one, so that triangles which share an edge share no point. */
static void set_edge(fill_edge *e, int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    int64_t dx = bx - ax, dy = by - ay;
    bool owns = dy < 0 || (dy == 0 && dx > 0);
    e->origin = -dx * ay + dy * ax - !owns;
    e->column = -dy * RASTER_GRID;
    e->row = dx * RASTER_GRID;
    e->centre = dx * CENTRE - dy * CENTRE;
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        e->sample[s] = dx * sample_at[s][1] - dy * sample_at[s][0];
        e->least = s == 0 || e->sample[s] < e->least ? e->sample[s] : e->least;
        e->most = s == 0 || e->sample[s] > e->most ? e->sample[s] : e->most;
    }
}

/* The limit keeps 128 times the number within 64 bits. Only slivers thinner than the grid come near to it. */
static int64_t whole(double v)
{
    const double limit = 18014398509481984.0; /* 2^54 */
    return (int64_t)(v < limit ? (v > -limit ? v : -limit) : limit);
}

/* The plane through values at the corners, times 2^bits. */
static void set_plane(fill_plane *p, const fill_triangle *f, const double value[3], int bits)
{
    const raster_triangle *t = f->t;
    double x1 = t->x[1] - t->x[0], y1 = t->y[1] - t->y[0], x2 = t->x[2] - t->x[0],
           y2 = t->y[2] - t->y[0], d1 = value[1] - value[0], d2 = value[2] - value[0];
    double area = x1 * y2 - x2 * y1, k = (double)((int64_t)1 << bits);
    double dx = (d1 * y2 - d2 * y1) / area, dy = (x1 * d2 - x2 * d1) / area;
    double x = (double)f->left * RASTER_GRID + CENTRE - t->x[0],
           y = (double)t->row * RASTER_GRID + CENTRE - t->y[0];
    p->origin = whole((value[0] + dx * x + dy * y) * k);
    p->column = whole(dx * RASTER_GRID * k);
    p->row = whole(dy * RASTER_GRID * k);
}

/* May overflow where a sliver is left by far; what it gives is limited to what the corners have. */
static int64_t plane_at(const fill_plane *p, int64_t column, int64_t row)
{
    return (int64_t)((uint64_t)p->origin + (uint64_t)p->column * (uint64_t)column +
                     (uint64_t)p->row * (uint64_t)row);
}

static int64_t plane_step(const fill_plane *p, int sample)
{
    return (p->column * (sample_at[sample][0] - CENTRE) +
            p->row * (sample_at[sample][1] - CENTRE)) /
           RASTER_GRID;
}

/* At a sample of the pixel, or at its centre (-1). */
static int64_t plane_at_sample(const fill_plane *p, int64_t column, int64_t row, int sample)
{
    int64_t step = sample < 0 ? 0 : plane_step(p, sample);
    return (int64_t)((uint64_t)plane_at(p, column, row) + (uint64_t)step);
}

static int64_t limited(int64_t v, int64_t least, int64_t most)
{
    return v < least ? least : v > most ? most : v;
}

static void set_depth(fill_triangle *f)
{
    const raster_triangle *t = f->t;
    double value[3];
    f->least = UINT32_MAX, f->most = 0;
    for (int i = 0; i < 3; i++) {
        value[i] = (double)t->depth[i];
        f->least = t->depth[i] < f->least ? t->depth[i] : f->least;
        f->most = t->depth[i] > f->most ? t->depth[i] : f->most;
    }
    set_plane(&f->depth, f, value, FILL_DEPTH_FRACTION);
    for (int s = 0; s < RASTER_SAMPLES; s++)
        f->depth_step[s] = plane_step(&f->depth, s);
}

/* Shares of corners 1 and 2, each times its weight; and the sum of weights. */
static void set_shares(fill_triangle *f)
{
    const raster_triangle *t = f->t;
    double one = 1 << RASTER_WEIGHT_BITS, value[3];
    f->perspective = t->weight[0] != 0;
    for (int k = 1; k < 3; k++) {
        f->share_most[k - 1] =
            (int64_t)(f->perspective ? t->weight[k] : (uint32_t)1 << RASTER_WEIGHT_BITS)
            << FILL_SHARE_FRACTION;
        for (int i = 0; i < 3; i++)
            value[i] = i != k ? 0 : f->perspective ? (double)t->weight[k] : one;
        set_plane(&f->share[k - 1], f, value, FILL_SHARE_FRACTION);
    }
    if (!f->perspective)
        return;
    f->sum_least = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        int64_t w = (int64_t)t->weight[i] << FILL_SHARE_FRACTION;
        value[i] = (double)t->weight[i];
        f->sum_least = w < f->sum_least ? w : f->sum_least;
    }
    set_plane(&f->sum, f, value, FILL_SHARE_FRACTION);
}

/* Levels: level k covers a pixel best while it has between a half and two of its texels, 4^k of the whole texture's. Their
 * number goes with the third power of the weight; it is compared without a root or a logarithm. */
static void set_levels(fill_triangle *f)
{
    const raster_triangle *t = f->t;
    const picture_texture *texture = f->material->texture;
    double u1 = t->u[1] - (double)t->u[0], v1 = t->v[1] - (double)t->v[0],
           u2 = t->u[2] - (double)t->u[0], v2 = t->v[2] - (double)t->v[0];
    double x1 = t->x[1] - t->x[0], y1 = t->y[1] - t->y[0], x2 = t->x[2] - t->x[0],
           y2 = t->y[2] - t->y[0];
    double one = (double)((int64_t)1 << RASTER_UV_BITS), covers = u1 * v2 - u2 * v1;
    double texels = (covers < 0 ? -covers : covers) / (one * one) * texture->levels[0].width *
                    texture->levels[0].height;
    double pixels = (x1 * y2 - x2 * y1) / (RASTER_GRID * RASTER_GRID), weights = 1;
    for (int i = 0; i < 3 && f->perspective; i++)
        weights *= (double)t->weight[i] / (1 << RASTER_WEIGHT_BITS);
    double cube = texels / pixels * weights * (double)((uint64_t)1 << 3 * FILL_LEVEL_BITS);
    for (unsigned k = 1; k < texture->level_count; k++) {
        double bound = cube / (double)((uint64_t)1 << (2 * k - 1));
        f->level_bound[k] = bound < 1e15 ? (uint64_t)bound : (uint64_t)1e15;
    }
}

static void set_up(fill_triangle *f, const picture_raster *r, const raster_triangle *t)
{
    int32_t left = t->x[0], right = t->x[0], width = (int32_t)r->pixels->width;
    for (int i = 1; i < 3; i++) {
        left = t->x[i] < left ? t->x[i] : left;
        right = t->x[i] > right ? t->x[i] : right;
    }
    f->t = t;
    f->material = &r->materials[t->material];
    f->left = left > 0 ? left / RASTER_GRID : 0;
    f->right = right / RASTER_GRID < width ? right / RASTER_GRID : width - 1;
    for (int i = 0; i < 3; i++)
        set_edge(&f->edge[i], t->x[i], t->y[i], t->x[(i + 1) % 3], t->y[(i + 1) % 3]);
    set_depth(f);
    f->even = t->color[0] == t->color[1] && t->color[0] == t->color[2];
    if (f->even && !f->material->texture)
        return;
    set_shares(f);
    if (f->material->texture)
        set_levels(f);
}

/* ---- colour --------------------------------------------------------------------------------- */

/* A value between those of the corners. */
static int64_t mixed(int64_t a, int64_t b, int64_t c, const int64_t share[2])
{
    int64_t half = (int64_t)1 << (RASTER_WEIGHT_BITS - 1);
    return a + (((b - a) * share[0] + (c - a) * share[1] + half) >> RASTER_WEIGHT_BITS);
}

/* The shares of corners 1 and 2 at a pixel, of 2^RASTER_WEIGHT_BITS; returns the weight there, of 2^FILL_LEVEL_BITS. */
static uint64_t shares_at(const fill_triangle *f, int64_t column, int64_t row, int sample,
                          int64_t share[2])
{
    enum { ONE = 1 << RASTER_WEIGHT_BITS };
    int64_t sum = (int64_t)ONE << FILL_SHARE_FRACTION;
    if (f->perspective)
        sum = limited(plane_at_sample(&f->sum, column, row, sample), f->sum_least, sum);
    for (int k = 0; k < 2; k++) {
        int64_t at =
            limited(plane_at_sample(&f->share[k], column, row, sample), 0, f->share_most[k]);
        share[k] = f->perspective ? ((at >> FILL_SHARE_FRACTION / 2) << RASTER_WEIGHT_BITS) /
                                        (sum >> FILL_SHARE_FRACTION / 2)
                                  : (at + (1 << (FILL_SHARE_FRACTION - 1))) >> FILL_SHARE_FRACTION;
        share[k] = limited(share[k], 0, k == 0 ? ONE : ONE - share[0]);
    }
    return (uint64_t)(sum >> (FILL_SHARE_FRACTION + RASTER_WEIGHT_BITS - FILL_LEVEL_BITS));
}

static uint32_t product(uint32_t a, uint32_t b)
{
    uint32_t out = 0;
    for (int shift = 24; shift >= 0; shift -= 8)
        out |= ((a >> shift & 0xff) * (b >> shift & 0xff) + 127) / 255 << shift;
    return out;
}

/* The colour of a pixel, at a sample, or at its centre (-1). */
static picture_color color_at(const fill_triangle *f, int64_t column, int64_t row, int sample)
{
    const raster_triangle *t = f->t;
    const picture_texture *texture = f->material->texture;
    uint32_t color = t->color[0];
    int64_t share[2];
    if (f->even && !texture)
        return color;
    uint64_t weight = shares_at(f, column, row, sample, share);
    if (!f->even) {
        color = 0;
        for (int shift = 24; shift >= 0; shift -= 8)
            color |= (uint32_t)mixed(t->color[0] >> shift & 0xff, t->color[1] >> shift & 0xff,
                                     t->color[2] >> shift & 0xff, share)
                     << shift;
    }
    if (!texture)
        return color;
    unsigned level = 0;
    uint64_t cube = weight * weight * weight;
    while (level + 1 < texture->level_count && cube < f->level_bound[level + 1])
        level++;
    return product(color,
                   raster_texel(&texture->levels[level], mixed(t->u[0], t->u[1], t->u[2], share),
                                mixed(t->v[0], t->v[1], t->v[2], share)));
}

/* Onto an opaque colour: the common case, which needs no division but by 255. */
static uint32_t over_opaque(uint32_t color, uint32_t under)
{
    uint32_t a = color & 0xff, out = 0xff;
    for (int shift = 24; shift > 0; shift -= 8)
        out |= ((color >> shift & 0xff) * a + (under >> shift & 0xff) * (255 - a) + 127) / 255
               << shift;
    return out;
}

static uint32_t over(uint32_t color, uint32_t under)
{
    uint32_t a = color & 0xff, rest = (under & 0xff) * (255 - a), sum = a * 255 + rest;
    if ((under & 0xff) == 0xff)
        return over_opaque(color, under);
    if (sum == 0)
        return under;
    uint32_t out = (sum + 127) / 255;
    for (int shift = 24; shift > 0; shift -= 8)
        out |= ((color >> shift & 0xff) * a * 255 + (under >> shift & 0xff) * rest + sum / 2) / sum
               << shift;
    return out;
}

static void blend_samples(uint32_t c, unsigned seen, uint32_t color[RASTER_SAMPLES])
{
    uint32_t under = 0, mixed_color = over(c, 0);
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        if (!(seen >> s & 1))
            continue;
        if (color[s] != under) {
            under = color[s];
            mixed_color = over(c, under);
        }
        color[s] = mixed_color;
    }
}

/* ---- pixels --------------------------------------------------------------------------------- */

/* Gives the samples of `mask` to the triangle, as far as nothing is in front of them. */
static void draw_pixel(const fill_triangle *f, const fill_band *b, int64_t x, int64_t y,
                       unsigned mask, bool centre)
{
    size_t at = ((size_t)(y - b->row) * b->width + (size_t)x) * RASTER_SAMPLES;
    uint32_t *depth = b->depth + at, *color = b->color + at, own[RASTER_SAMPLES];
    int64_t column = x - f->left, row = y - f->t->row;
    int64_t middle = plane_at(&f->depth, column, row);
    picture_alpha alpha = f->material->alpha;
    unsigned seen = 0;
    int first = -1;
    for (int s = RASTER_SAMPLES - 1; s >= 0; s--) {
        int64_t z = (int64_t)((uint64_t)middle + (uint64_t)f->depth_step[s]) >> FILL_DEPTH_FRACTION;
        own[s] = (uint32_t)limited(z, f->least, f->most);
        if (!(mask >> s & 1))
            continue;
        first = s;
        if (own[s] > depth[s] || (alpha == PICTURE_BLEND && own[s] == depth[s]))
            seen |= 1u << s;
    }
    if (!seen)
        return;
    picture_color c = color_at(f, column, row, centre ? -1 : first);
    if (alpha == PICTURE_MASK && (c & 0xff) < f->material->cutoff)
        return;
    if (alpha == PICTURE_BLEND) {
        blend_samples(c, seen, color);
        return;
    }
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        if (!(seen >> s & 1))
            continue;
        color[s] = c | 0xff;
        depth[s] = own[s];
    }
}

/* Narrows [*from, *to] to the pixels of a row in which the edge may leave samples; `at` is its value at column 0. */
static void narrow(const fill_edge *e, int64_t at, int64_t *from, int64_t *to)
{
    int64_t most = at + e->most;
    if (e->column > 0 && most < 0) {
        int64_t first = (-most + e->column - 1) / e->column;
        *from = first > *from ? first : *from;
    } else if (e->column < 0) {
        int64_t last = most < 0 ? -1 : most / -e->column;
        *to = last < *to ? last : *to;
    } else if (e->column == 0 && most < 0) {
        *to = -1;
    }
}

static unsigned mask_of(const fill_triangle *f, const int64_t at[3])
{
    unsigned mask = 0;
    for (int s = 0; s < RASTER_SAMPLES; s++)
        if ((at[0] + f->edge[0].sample[s]) >= 0 && (at[1] + f->edge[1].sample[s]) >= 0 &&
            (at[2] + f->edge[2].sample[s]) >= 0)
            mask |= 1u << s;
    return mask;
}

static void draw_row(const fill_triangle *f, const fill_band *b, int64_t y)
{
    int64_t from = f->left, to = f->right, at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = f->edge[i].origin + f->edge[i].row * y;
        narrow(&f->edge[i], at[i], &from, &to);
    }
    for (int i = 0; i < 3; i++)
        at[i] += f->edge[i].column * from;
    for (int64_t x = from; x <= to; x++) {
        bool full = at[0] + f->edge[0].least >= 0 && at[1] + f->edge[1].least >= 0 &&
                    at[2] + f->edge[2].least >= 0;
        unsigned mask = full ? ALL : mask_of(f, at);
        if (mask)
            draw_pixel(f, b, x, y, mask,
                       full || (at[0] + f->edge[0].centre >= 0 && at[1] + f->edge[1].centre >= 0 &&
                                at[2] + f->edge[2].centre >= 0));
        for (int i = 0; i < 3; i++)
            at[i] += f->edge[i].column;
    }
}

static void draw_triangle(const picture_raster *r, const fill_band *b, const raster_triangle *t)
{
    fill_triangle f;
    uint32_t from = t->row > b->row ? t->row : b->row,
             to = t->end_row < b->end_row ? t->end_row : b->end_row;
    set_up(&f, r, t);
    for (uint32_t y = from; y < to; y++)
        draw_row(&f, b, y);
}

/* ---- bands ---------------------------------------------------------------------------------- */

static uint32_t color_of(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void begin_band(const picture_raster *r, const fill_band *b)
{
    size_t n = (size_t)(b->end_row - b->row) * b->width;
    const uint8_t *p = r->pixels->rgba + (size_t)b->row * b->width * 4;
    memset(b->depth, 0, n * RASTER_SAMPLES * sizeof *b->depth);
    for (size_t i = 0; i < n; i++)
        for (int s = 0; s < RASTER_SAMPLES; s++)
            b->color[i * RASTER_SAMPLES + (size_t)s] = color_of(p + 4 * i);
}

/* The pixel of some samples: the mean of their colours, each as much as it is opaque. */
static void resolve(const uint32_t color[RASTER_SAMPLES], uint8_t out[4])
{
    uint32_t alpha = 0, sum[3] = {0};
    for (int s = 0; s < RASTER_SAMPLES; s++) {
        uint32_t a = color[s] & 0xff;
        alpha += a;
        for (int i = 0; i < 3; i++)
            sum[i] += (color[s] >> (24 - 8 * i) & 0xff) * a;
    }
    for (int i = 0; i < 3 && alpha; i++)
        out[i] = (uint8_t)((sum[i] + alpha / 2) / alpha);
    out[3] = (uint8_t)((alpha + RASTER_SAMPLES / 2) / RASTER_SAMPLES);
}

static void end_band(const picture_raster *r, const fill_band *b)
{
    size_t n = (size_t)(b->end_row - b->row) * b->width;
    uint8_t *p = r->pixels->rgba + (size_t)b->row * b->width * 4;
    for (size_t i = 0; i < n; i++)
        resolve(b->color + i * RASTER_SAMPLES, p + 4 * i);
}

/* The triangles of a list by the band in which they begin, and those that reach into the present band, in their order. */
typedef struct queue {
    const raster_list *list;
    uint32_t *by_band, *active, *other;
    size_t next, active_count;
} queue;

static bool queue_begin(queue *q, const picture_raster *r, const raster_list *list, uint32_t rows)
{
    size_t n = list->count;
    *q = (queue){.list = list};
    q->by_band = mem_alloc(&r->m, 3 * n * sizeof *q->by_band);
    if (!q->by_band)
        return false;
    q->active = q->by_band + n;
    q->other = q->active + n;
    return raster_sort_by_band(&r->m, list, rows, (r->pixels->height + rows - 1) / rows,
                               q->by_band);
}

static void queue_end(queue *q, const mem *m)
{
    if (q->by_band)
        mem_free(m, q->by_band, 3 * q->list->count * sizeof *q->by_band);
}

/* Merges the triangles that begin in the band into those that still reach into it. */
static void queue_advance(queue *q, const fill_band *b)
{
    size_t n = 0, i = 0;
    const raster_triangle *items = q->list->items;
    for (;;) {
        while (i < q->active_count && items[q->active[i]].end_row <= b->row)
            i++;
        bool old = i < q->active_count;
        bool new = q->next < q->list->count &&items[q->by_band[q->next]].row < b->end_row;
        if (!old && !new)
            break;
        if (new && (!old || q->by_band[q->next] < q->active[i]))
            q->other[n++] = q->by_band[q->next++];
        else
            q->other[n++] = q->active[i++];
    }
    uint32_t *swap = q->active;
    q->active = q->other;
    q->other = swap;
    q->active_count = n;
}

static void draw_bands(const picture_raster *r, fill_band *b, uint32_t rows, queue queues[2])
{
    for (b->row = 0; b->row < r->pixels->height; b->row = b->end_row) {
        uint32_t left = r->pixels->height - b->row;
        b->end_row = b->row + (rows < left ? rows : left);
        begin_band(r, b);
        for (int k = 0; k < 2; k++) {
            queue_advance(&queues[k], b);
            for (size_t i = 0; i < queues[k].active_count; i++)
                draw_triangle(r, b, &queues[k].list->items[queues[k].active[i]]);
        }
        end_band(r, b);
    }
}

lathe_result raster_fill(picture_raster *r, uint32_t rows, lathe_error *err)
{
    queue queues[2] = {0};
    fill_band b = {.width = r->pixels->width};
    size_t row = (size_t)b.width * RASTER_SAMPLES, most = PICTURE_RASTER_SAMPLES / (8 * row);
    if (rows == 0)
        rows = most > 1 ? (uint32_t)most : 1;
    rows = rows < r->pixels->height ? rows : r->pixels->height;
    bool ok = raster_sort_by_depth(&r->m, &r->blended);
    b.depth = mem_alloc(&r->m, 2 * rows * row * sizeof *b.depth);
    ok = ok && b.depth && queue_begin(&queues[0], r, &r->solid, rows) &&
         queue_begin(&queues[1], r, &r->blended, rows);
    if (ok) {
        b.color = b.depth + rows * row;
        draw_bands(r, &b, rows, queues);
    }
    queue_end(&queues[0], &r->m);
    queue_end(&queues[1], &r->m);
    mem_free(&r->m, b.depth, 2 * rows * row * sizeof *b.depth);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}
