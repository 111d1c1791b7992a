/* Each pixel has a grid of samples. Every row of samples is crossed by edges; between crossings, the winding number tells
 * whether samples are covered. So outlines may overlap without seams, and nothing depends on the order of the edges. */
#include "picture/canvas_fill.h"

#include <math.h>

enum {
    FEW = 48, /* crossings of a row that are sorted; more are counted sample by sample */
    CROSSINGS_MAX = 1 << 25 /* of one shape; more, and pixels get fewer rows of samples */
};

void fill_begin(fill_shape *shape, const mem *m, uint32_t width, uint32_t height)
{
    *shape = (fill_shape){.mem = m, .width = (double)width, .height = (double)height};
}

void fill_free(fill_shape *shape)
{
    mem_free(shape->mem, shape->edges, shape->room * sizeof *shape->edges);
    shape->edges = NULL;
    shape->count = shape->room = 0;
}

/* For positions down to -3 pixels. */
static int32_t on_grid(double v)
{
    return (int32_t)((v + 4) * FILL_GRID + 0.5) - 4 * FILL_GRID;
}

static void put(fill_shape *shape, double x0, double y0, double x1, double y1)
{
    fill_edge edge = {on_grid(x0), on_grid(y0), on_grid(x1), on_grid(y1)};
    if (edge.y0 == edge.y1 || shape->failed)
        return;
    if (!mem_reserve(shape->mem, (void **)&shape->edges, &shape->room, shape->count + 1,
                     sizeof *shape->edges)) {
        shape->failed = true;
        return;
    }
    shape->edges[shape->count++] = edge;
    shape->rises += (uint64_t)(edge.y1 > edge.y0 ? edge.y1 - edge.y0 : edge.y0 - edge.y1);
}

static double between(double from, double to, double share)
{
    return from + (to - from) * share;
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Cuts off what is beside the picture. On the left it still counts for the winding number: it moves to the border. */
static void cut_sides(fill_shape *shape, double x0, double y0, double x1, double y1)
{
    const double low = -1, high = shape->width + 1;
    if (x0 > x1) {
        /* one order, so that both directions of an edge are cut alike */
        if (x0 > high) {
            if (x1 >= high)
                return;
            y0 = between(y1, y0, (high - x1) / (x0 - x1));
            x0 = high;
        }
        if (x1 < low) {
            double at = x0 <= low ? y0 : between(y1, y0, (low - x1) / (x0 - x1));
            put(shape, low, at, low, y1);
            if (x0 <= low)
                return;
            x1 = low;
            y1 = at;
        }
    } else {
        if (x1 > high) {
            if (x0 >= high)
                return;
            y1 = between(y0, y1, (high - x0) / (x1 - x0));
            x1 = high;
        }
        if (x0 < low) {
            double at = x1 <= low ? y1 : between(y0, y1, (low - x0) / (x1 - x0));
            put(shape, low, y0, low, at);
            if (x1 <= low)
                return;
            x0 = low;
            y0 = at;
        }
    }
    put(shape, x0, y0, x1, y1);
}

/* The nearest coordinate of which sums and differences are finite. */
static double limited(double v)
{
    const double most = 1e300;
    return v < -most ? -most : v > most ? most : v;
}

void fill_add(fill_shape *shape, double x0, double y0, double x1, double y1)
{
    const double low = -1, high = shape->height + 1;
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1))
        return;
    x0 = limited(x0), y0 = limited(y0);
    x1 = limited(x1), y1 = limited(y1);
    if (y0 == y1)
        return;
    bool down = y0 < y1;
    if (!down) {
        swap(&x0, &x1);
        swap(&y0, &y1);
    }
    if (y1 <= low || y0 >= high)
        return;
    double height = y1 - y0, left = x0, top = y0;
    if (y0 < low) {
        x0 = between(left, x1, (low - top) / height);
        y0 = low;
    }
    if (y1 > high) {
        x1 = between(left, x1, (high - top) / height);
        y1 = high;
    }
    if (down)
        cut_sides(shape, x0, y0, x1, y1);
    else
        cut_sides(shape, x1, y1, x0, y0);
}

void fill_blend(uint8_t *rgba, picture_color color, uint32_t cover)
{
    const uint32_t full = 255 * 256;
    uint32_t share = cover * (color & 255);
    if (!share)
        return;
    uint64_t over = (uint64_t)share * 255, under = (uint64_t)rgba[3] * (full - share);
    uint64_t sum = over + under;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t c = color >> (24 - 8 * i) & 255;
        rgba[i] = (uint8_t)((c * over + rgba[i] * under + sum / 2) / sum);
    }
    rgba[3] = (uint8_t)((sum + full / 2) / full);
}

/* An edge that crosses the present row of samples at x + rest / height. */
typedef struct crossing {
    int32_t x, step;
    int32_t rest, step_rest, height;
    int32_t end; /* the first row that it does not cross */
    int32_t turn;
} crossing;

typedef struct event {
    int32_t at; /* sample */
    int32_t turn;
} event;

typedef struct painter {
    const fill_shape *shape;
    picture_pixels *pixels;
    fill_clip clip;
    picture_color color;
    int32_t fine;        /* rows of samples in a pixel */
    int32_t first, rows; /* rows of samples that edges cross: number of the first, count */
    size_t *starts;      /* for each row + 1, edges that start before it, in `order` */
    size_t *order;
    crossing *active;
    size_t active_count, active_room;
    int32_t *deltas; /* for each sample of a row, + 1 */
    int32_t *cover;  /* for each pixel of a row, + 2: covered samples, as differences */
    size_t samples, columns;
    int32_t low, high; /* pixels of `cover` that were touched */
} painter;

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* The first row of samples at or below y. */
static int32_t row_at(const painter *p, int32_t y)
{
    int32_t step = FILL_GRID / p->fine;
    return (int32_t)-floor_div(-((int64_t)y - step / 2), step);
}

static void edge_rows(const painter *p, const fill_edge *e, int32_t *first, int32_t *end)
{
    *first = row_at(p, e->y0 < e->y1 ? e->y0 : e->y1);
    *end = row_at(p, e->y0 < e->y1 ? e->y1 : e->y0);
}

/* Sorts the edges by their first row, by counting. */
static bool sort_edges(painter *p)
{
    const fill_shape *s = p->shape;
    int32_t low = INT32_MAX, high = INT32_MIN, first, end;
    for (size_t i = 0; i < s->count; i++) {
        edge_rows(p, &s->edges[i], &first, &end);
        low = first < low ? first : low;
        high = end > high ? end : high;
    }
    p->first = low;
    p->rows = high > low ? high - low : 0;
    p->starts = mem_zalloc(s->mem, ((size_t)p->rows + 2) * sizeof *p->starts);
    p->order = mem_alloc(s->mem, s->count * sizeof *p->order);
    if (!p->starts || !p->order)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        edge_rows(p, &s->edges[i], &first, &end);
        p->starts[first - low + 1]++;
    }
    for (int32_t row = 0; row <= p->rows; row++)
        p->starts[row + 1] += p->starts[row];
    for (size_t i = s->count; i > 0; i--) {
        edge_rows(p, &s->edges[i - 1], &first, &end);
        p->order[--p->starts[first - low + 1]] = i - 1;
    }
    return true;
}

static bool activate(painter *p, const fill_edge *e, int32_t row)
{
    bool down = e->y0 < e->y1;
    int32_t x0 = down ? e->x0 : e->x1, y0 = down ? e->y0 : e->y1;
    int32_t x1 = down ? e->x1 : e->x0, y1 = down ? e->y1 : e->y0;
    int32_t step = FILL_GRID / p->fine, end = row_at(p, y1);
    if (end <= row)
        return true;
    if (!mem_reserve(p->shape->mem, (void **)&p->active, &p->active_room, p->active_count + 1,
                     sizeof *p->active))
        return false;
    int64_t height = y1 - y0, width = x1 - x0;
    int64_t at = ((int64_t)row * step + step / 2 - y0) * width;
    crossing *c = &p->active[p->active_count++];
    *c = (crossing){.height = (int32_t)height, .end = end, .turn = down ? 1 : -1};
    c->x = x0 + (int32_t)floor_div(at, height);
    c->rest = (int32_t)(at - floor_div(at, height) * height);
    c->step = (int32_t)floor_div(step * width, height);
    c->step_rest = (int32_t)(step * width - c->step * height);
    return true;
}

static int32_t sample_at(const painter *p, int32_t x)
{
    const int32_t step = FILL_GRID / FILL_SAMPLES;
    int32_t at = (x + step * 64 + step / 2 - 1) / step - 64; /* x is not below -1 pixel */
    return at < p->clip.left ? p->clip.left : at > p->clip.right ? p->clip.right : at;
}

static void cover_span(painter *p, int32_t from, int32_t to)
{
    if (from >= to)
        return;
    int32_t a = from / FILL_SAMPLES, b = to / FILL_SAMPLES;
    int32_t in_a = from % FILL_SAMPLES, in_b = to % FILL_SAMPLES;
    p->cover[a] += FILL_SAMPLES - in_a;
    p->cover[a + 1] += in_a;
    p->cover[b] -= FILL_SAMPLES - in_b;
    p->cover[b + 1] -= in_b;
    p->low = a < p->low ? a : p->low;
    p->high = b + 1 > p->high ? b + 1 : p->high;
}

/* Moves an edge to the next row of samples. */
static void step_down(crossing *c)
{
    c->x += c->step;
    c->rest += c->step_rest;
    if (c->rest >= c->height) {
        c->rest -= c->height;
        c->x++;
    }
}

static void row_of_few(painter *p)
{
    event events[FEW];
    size_t n = p->active_count;
    for (size_t i = 0; i < n; i++) {
        event e = {sample_at(p, p->active[i].x), p->active[i].turn};
        size_t k = i;
        for (; k > 0 && events[k - 1].at > e.at; k--)
            events[k] = events[k - 1];
        events[k] = e;
    }
    int32_t winding = 0;
    for (size_t i = 0; i < n; i++) {
        if (winding)
            cover_span(p, events[i - 1].at, events[i].at);
        winding += events[i].turn;
    }
    if (winding)
        cover_span(p, events[n - 1].at, p->clip.right);
}

static void row_of_many(painter *p)
{
    int32_t low = p->clip.right, high = p->clip.left;
    for (size_t i = 0; i < p->active_count; i++) {
        int32_t at = sample_at(p, p->active[i].x);
        p->deltas[at] += p->active[i].turn;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    int32_t winding = 0, from = low;
    for (int32_t at = low; at <= high; at++) {
        int32_t turn = p->deltas[at];
        p->deltas[at] = 0;
        if (!winding && turn)
            from = at;
        if (winding && !(winding + turn))
            cover_span(p, from, at);
        winding += turn;
    }
    if (winding)
        cover_span(p, from, p->clip.right);
}

static void blend_row(painter *p, int32_t y)
{
    const int32_t whole = FILL_SAMPLES * p->fine;
    int32_t sum = 0;
    for (int32_t x = p->low; x <= p->high; x++) {
        sum += p->cover[x];
        p->cover[x] = 0;
        if (sum && x < (int32_t)p->pixels->width)
            fill_blend(p->pixels->rgba + ((size_t)y * p->pixels->width + (size_t)x) * 4, p->color,
                       (uint32_t)(sum * 256 / whole));
    }
    p->low = INT32_MAX;
    p->high = INT32_MIN;
}

static bool paint_rows(painter *p)
{
    const int32_t part = FILL_SAMPLES / p->fine;
    const int32_t last = (int32_t)p->pixels->height * p->fine;
    for (int32_t i = 0; i < p->rows; i++) {
        int32_t row = p->first + i, middle = row * part + part / 2;
        for (size_t k = p->starts[i + 1]; k < p->starts[i + 2]; k++)
            if (!activate(p, &p->shape->edges[p->order[k]], row))
                return false;
        bool inside = row >= 0 && row < last && middle >= p->clip.top && middle < p->clip.bottom;
        if (inside && p->active_count)
            (p->active_count <= FEW ? row_of_few : row_of_many)(p);
        size_t kept = 0;
        for (size_t k = 0; k < p->active_count; k++) {
            if (p->active[k].end <= row + 1)
                continue;
            p->active[kept] = p->active[k];
            step_down(&p->active[kept++]);
        }
        p->active_count = kept;
        if (p->high >= 0 && (i + 1 == p->rows || (row + 1) % p->fine == 0))
            blend_row(p, row / p->fine);
    }
    return true;
}

bool fill_paint(fill_shape *shape, picture_pixels *pixels, const fill_clip *clip,
                picture_color color)
{
    painter p = {.shape = shape, .pixels = pixels, .clip = *clip, .color = color};
    bool done = !shape->failed;
    p.low = INT32_MAX;
    p.high = INT32_MIN;
    p.samples = (size_t)pixels->width * FILL_SAMPLES + 1;
    p.columns = (size_t)pixels->width + 2;
    p.fine = FILL_SAMPLES;
    while (p.fine > 1 && shape->rises / FILL_GRID * (uint64_t)p.fine > CROSSINGS_MAX)
        p.fine /= 4;
    if (done && shape->count && clip->left < clip->right && clip->top < clip->bottom) {
        p.deltas = mem_zalloc(shape->mem, p.samples * sizeof *p.deltas);
        p.cover = mem_zalloc(shape->mem, p.columns * sizeof *p.cover);
        done = sort_edges(&p) && p.deltas && p.cover && paint_rows(&p);
    }
    mem_free(shape->mem, p.deltas, p.samples * sizeof *p.deltas);
    mem_free(shape->mem, p.cover, p.columns * sizeof *p.cover);
    mem_free(shape->mem, p.starts, ((size_t)p.rows + 2) * sizeof *p.starts);
    mem_free(shape->mem, p.order, shape->count * sizeof *p.order);
    mem_free(shape->mem, p.active, p.active_room * sizeof *p.active);
    shape->count = 0;
    shape->rises = 0;
    return done;
}
