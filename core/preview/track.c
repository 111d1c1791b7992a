/* Plots one below the other, with one axis of time. */
#include "preview/plots.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static const double LABEL = 12, LEFT = 64, HEAD = 20, TOP = 4, GAP = 10;
static const double SMALL_SHARE =
    100; /* of the greatest difference: times with less are not marked */
static const double LEAST_LEGEND = 40; /* height of a plot from which it has a title */

/* What there is room for around the curves. */
typedef struct layout {
    double marks, left, foot; /* texts of annotations, values, times: their rooms */
    bool values, frames, times;
    unsigned plots;
    double each; /* height of a plot with its head */
} layout;

typedef struct area {
    picture_canvas *canvas;
    const preview_track *track;
    const preview_curves *curves;
    layout layout;
    frame_rect in;    /* of the curves */
    double low, high; /* of the values at the bottom and the top */
    double duration;
    double *xy;       /* room for two numbers for each frame */
    double *signs[2]; /* of each frame */
} area;

/* q and -q are the same rotation: each frame has the sign that continues the one before, and the first frame of a second
 * track the one that is nearer to the first track. */
static void find_signs(const area *a, const plot *p, int side)
{
    const preview_track *t = p->tracks[side];
    for (size_t i = 0; i < t->frames; i++) {
        const bool first = i == 0;
        a->signs[side][i] = 1;
        if (p->measure != PLOT_ANGLE || (first && (!side || !p->values[0])))
            continue;
        double dot = 0, before = first ? a->signs[0][0] : a->signs[side][i - 1];
        for (unsigned k = 0; k < 4; k++)
            dot +=
                plot_value(p, side, i, k) * plot_value(p, first ? 0 : side, first ? 0 : i - 1, k);
        a->signs[side][i] = dot < 0 ? -before : before;
    }
}

static double value_at(const area *a, const plot *p, int side, size_t frame, unsigned curve)
{
    return plot_value(p, side, frame, curve) * a->signs[side][frame];
}

/* The range of values, a little wider than they are. Values that are not finite are left out. */
static void find_range(area *a, const plot *p)
{
    bool any = false;
    a->low = a->high = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; p->values[side] && i < p->tracks[side]->frames; i++)
            for (unsigned k = 0; k < p->curves; k++) {
                double v = value_at(a, p, side, i, k);
                if (!isfinite(v))
                    continue;
                a->low = !any || v < a->low ? v : a->low;
                a->high = !any || v > a->high ? v : a->high;
                any = true;
            }
    double range = a->high - a->low,
           size = fabs(a->high) > fabs(a->low) ? fabs(a->high) : fabs(a->low);
    /* a track that hardly moves must not look as if it shook */
    double least = size * 1e-3 > 1e-3 ? size * 1e-3 : 1e-3;
    double more = range < least ? (least - range) / 2 + least * 0.05 : range * 0.06;
    a->low -= more;
    a->high += more;
}

static double x_of(const area *a, double time)
{
    double all = a->duration > 0 ? a->duration : 1;
    return a->in.x + a->in.width * (time / all);
}

static double y_of(const area *a, double v)
{
    return a->in.y + a->in.height * ((a->high - v) / (a->high - a->low));
}

static void draw_line(picture_canvas *canvas, double x0, double y0, double x1, double y1,
                      picture_color color)
{
    const double line[4] = {x0, y0, x1, y1};
    picture_polyline(canvas, line, 2, 1, color);
}

static double half_pixel(double v)
{
    return (double)(int64_t)v + 0.5;
}

static void draw_values(const area *a)
{
    unsigned decimals, most = (unsigned)(a->in.height / 24);
    double step = frame_step(a->high - a->low, most < 2 ? 2 : most, &decimals);
    double first = a->low / step;
    if (!(fabs(first) < 1e15))
        return;
    int64_t from = (int64_t)first - 1;
    for (int64_t i = from; i < from + 64; i++) {
        double v = (double)i * step;
        if (v < a->low || v > a->high)
            continue;
        char text[FRAME_NUMBER];
        size_t n = decimals <= 6 ? frame_number(text, v, decimals) : frame_short_number(text, v, 4);
        double y = half_pixel(y_of(a, v));
        draw_line(a->canvas, a->in.x, y, a->in.x + a->in.width, y, frame_colors[FRAME_LINE]);
        if (a->layout.values)
            picture_text_fit(a->canvas, a->in.x - 6, y + 4, LABEL, PICTURE_RIGHT,
                             frame_colors[FRAME_FAINT], LEFT - 8, text, n);
    }
}

/* The names of the curves at the right. Returns where they begin. */
static double draw_names(const area *a, const plot *p, double y)
{
    double x = a->in.x + a->in.width;
    for (unsigned k = p->curves; k-- > 0;) {
        size_t n = strlen(p->names[k]);
        double width = picture_text_width(LABEL, p->names[k], n);
        picture_text(a->canvas, x - width, y, LABEL, PICTURE_LEFT, frame_colors[FRAME_TEXT],
                     p->names[k], n);
        const double line[4] = {x - width - 20, y - 4, x - width - 5, y - 4};
        picture_polyline(a->canvas, line, 2, 2, frame_colors[FRAME_X + k]);
        x -= width + 32;
    }
    return x;
}

static double names_width(const plot *p)
{
    double width = 0;
    for (unsigned k = 0; k < p->curves; k++)
        width += picture_text_width(LABEL, p->names[k], strlen(p->names[k])) + 32;
    return width;
}

static double width_of(const char *text)
{
    return picture_text_width(LABEL, text, strlen(text));
}

/* What the plot shows, with its unit, what differs, and the names of its curves. Where there is no room for all, the unit is
 * left out first, then the names, then words of what differs. */
static void draw_legend(const area *a, const plot *p, const plot_change *change)
{
    enum { APART = 14 };
    char title[PLOT_TEXT] = "", told[PLOT_TEXT] = "";
    const char *says = told;
    double y = a->in.y - 6, x = a->in.x, names = names_width(p), all = a->in.width;
    if (a->curves->tracks[1])
        plot_tell(p, change, told);
    double more = *told ? width_of(told) + APART : 0;
    frame_append(title, sizeof title, p->name);
    frame_append(title, sizeof title, p->name_unit);
    if (width_of(title) + more + names > all)
        title[strlen(p->name)] = 0;
    if (width_of(title) + more + names <= all)
        all = draw_names(a, p, y) - x;
    if (width_of(title) + more > all && change->most > 0)
        says += strlen(PLOT_DIFFERS);
    picture_text_fit(a->canvas, x, y, LABEL, PICTURE_LEFT, frame_colors[FRAME_TEXT], all, title,
                     strlen(title));
    picture_text_fit(a->canvas, x + width_of(title) + APART, y, LABEL, PICTURE_LEFT,
                     change->most > 0 || change->unknown ? PREVIEW_MARK : frame_colors[FRAME_FAINT],
                     all - width_of(title) - APART, says, strlen(says));
}

static void draw_side(const area *a, const plot *p, int side, double width, uint32_t alpha)
{
    const preview_track *t = p->tracks[side];
    for (unsigned k = 0; k < p->curves; k++) {
        picture_color color = (frame_colors[FRAME_X + k] & 0xffffff00) | alpha;
        for (size_t i = 0; i < t->frames; i++) {
            a->xy[2 * i] = x_of(a, t->times[i]);
            a->xy[2 * i + 1] = y_of(a, value_at(a, p, side, i, k));
        }
        picture_polyline(a->canvas, a->xy, t->frames, width, color);
        if (side || (double)t->frames * 8 > a->in.width)
            continue;
        for (size_t i = 0; i < t->frames; i++)
            picture_disc(a->canvas, a->xy[2 * i], a->xy[2 * i + 1], 2, color);
    }
}

static void draw_curves(const area *a, const plot *p)
{
    const double THIN = 1.5, WIDE = 6;
    picture_clip(a->canvas, a->in.x - 3, a->in.y - 3, a->in.width + 6, a->in.height + 6);
    if (p->values[1])
        draw_side(a, p, 1, WIDE, 0x60);
    if (p->values[0])
        draw_side(a, p, 0, THIN, 0xff);
    picture_clip_end(a->canvas);
}

static void draw_band(const area *a, double from, double to)
{
    double left = x_of(a, from), right = x_of(a, to);
    if (right < left + 1)
        right = left + 1;
    picture_rect(a->canvas, left, a->in.y, right - left, a->in.height,
                 (PREVIEW_MARK & 0xffffff00) | 0x16);
}

/* Marks the times at which the two tracks differ by at least so much: between frames of which one does. */
static void draw_bands(const area *a, const plot *p, double least)
{
    plot_walk walk;
    double time, apart, from = 0, before = 0;
    bool open = false, differed = false, any = false;
    plot_walk_begin(&walk, p);
    while (plot_walk_next(&walk, &time, &apart)) {
        bool differs = apart > 0 && apart >= least, marked = any && (differs || differed);
        if (marked && !open)
            from = before;
        if (open && !marked)
            draw_band(a, from, before);
        open = marked;
        differed = differs;
        before = time;
        any = true;
    }
    if (open || differed) /* one frame alone has no interval */
        draw_band(a, open ? from : before, before);
}

/* A line at the greatest difference, thicker at its ends. */
static void draw_most(const area *a, const plot_change *change)
{
    double x = half_pixel(x_of(a, change->time)), low = a->in.y + a->in.height;
    if (!(change->most > 0))
        return;
    const double line[4] = {x, a->in.y, x, low};
    picture_polyline(a->canvas, line, 2, 1.5, PREVIEW_MARK);
    picture_disc(a->canvas, x, a->in.y, 3, PREVIEW_MARK);
    picture_disc(a->canvas, x, low, 3, PREVIEW_MARK);
}

/* A line at the time of each annotation. */
static void draw_events(const area *a, double top, double bottom)
{
    for (size_t i = 0; i < a->track->event_count; i++) {
        double x = x_of(a, a->track->events[i].time);
        if (x >= a->in.x - 1 && x <= a->in.x + a->in.width + 1)
            draw_line(a->canvas, half_pixel(x), top, half_pixel(x), bottom,
                      (frame_colors[FRAME_MARK] & 0xffffff00) | 0x90);
    }
}

static void draw_plot(area *a, const plot *p)
{
    plot_change change = {0, 0, 0};
    for (int side = 0; side < 2; side++)
        if (p->values[side])
            find_signs(a, p, side);
    find_range(a, p);
    picture_rect(a->canvas, a->in.x, a->in.y, a->in.width, a->in.height, 0xffffffff);
    draw_values(a);
    draw_events(a, a->in.y, a->in.y + a->in.height);
    if (a->curves->tracks[1]) {
        change = plot_compare(p);
        draw_bands(a, p, change.most / SMALL_SHARE);
        draw_most(a, &change);
    }
    if (a->layout.each >= LEAST_LEGEND)
        draw_legend(a, p, &change);
    draw_curves(a, p);
}

/* The number of the frame at a time, with a fraction between two. */
static double frame_at(const preview_track *t, double time)
{
    for (size_t i = 1; i < t->frames; i++)
        if (t->times[i] >= time) {
            double step = t->times[i] - t->times[i - 1];
            return (double)(i - 1) + (step > 0 ? (time - t->times[i - 1]) / step : 0);
        }
    return t->frames ? (double)(t->frames - 1) : 0;
}

/* Seconds, and under them frames. Where no words say so, the unit stands behind the numbers. */
static void draw_time(const area *a)
{
    unsigned decimals;
    double y = a->in.y + a->in.height;
    double step = frame_step(a->duration, (unsigned)(a->in.width / 70) + 1, &decimals);
    char text[64], number[FRAME_NUMBER];
    for (unsigned i = 0; i < 200; i++) {
        double time = i * step;
        if (time > a->duration * (1 + 1e-9))
            break;
        double x = x_of(a, time);
        draw_line(a->canvas, half_pixel(x), y, half_pixel(x), y + 4, frame_colors[FRAME_FAINT]);
        frame_number(number, time, decimals);
        text[0] = 0;
        frame_append(text, sizeof text, number);
        if (!a->layout.values)
            frame_append(text, sizeof text, " s");
        double half = width_of(text) / 2, right = a->in.x + a->in.width + GAP;
        picture_text(a->canvas, x + half > right ? right - half : x, y + 17, LABEL, PICTURE_CENTRE,
                     frame_colors[FRAME_TEXT], text, strlen(text));
        if (!a->layout.frames)
            continue;
        frame_short_number(number, frame_at(a->track, time), 4);
        picture_text(a->canvas, x, y + 33, LABEL, PICTURE_CENTRE, frame_colors[FRAME_FAINT], number,
                     strlen(number));
    }
    if (!a->layout.values)
        return;
    picture_text(a->canvas, a->in.x - 18, y + 17, LABEL, PICTURE_RIGHT, frame_colors[FRAME_TEXT],
                 "seconds", 7);
    if (a->layout.frames)
        picture_text(a->canvas, a->in.x - 18, y + 33, LABEL, PICTURE_RIGHT,
                     frame_colors[FRAME_FAINT], "frames", 6);
}

/* The texts of annotations, in two rows above the plots. */
static size_t draw_texts(const area *a, double top)
{
    size_t hidden = 0;
    double ends[2] = {-1e9, -1e9}, right = a->in.x + a->in.width;
    if (!(a->layout.marks > 0))
        return a->track->event_count;
    for (size_t i = 0; i < a->track->event_count; i++) {
        const model_event *e = &a->track->events[i];
        double x = x_of(a, e->time);
        if (!(x >= a->in.x - 1 && x <= right + 1)) {
            hidden++;
            continue;
        }
        double width = picture_text_width(LABEL, e->text, e->length);
        double most = a->in.width / 2, at = x + 3;
        width = width > most ? most : width;
        at = at + width > right ? x - 3 - width : at;
        unsigned row = ends[0] <= at ? 0 : 1;
        if (ends[row] > at) {
            hidden++;
            continue;
        }
        ends[row] = at + width + 6;
        draw_line(a->canvas, half_pixel(x), top + a->layout.marks * 0.5 * row + 2, half_pixel(x),
                  top + a->layout.marks * 0.5 * row + 13, frame_colors[FRAME_MARK]);
        picture_text_fit(a->canvas, at, top + a->layout.marks * 0.5 * row + 11, LABEL, PICTURE_LEFT,
                         frame_colors[FRAME_MARK], width + 0.5, e->text, e->length);
    }
    return hidden;
}

/* Chooses what is drawn in a box of this size. */
static layout lay_out(frame_rect box, unsigned plots, bool marks)
{
    const double MARKS = 30, FOOT = 40, SECONDS = 24, TIGHT = 4, NARROW = 240, LEAST_PLOT = 58;
    layout l = {.values = box.width >= NARROW, .frames = true, .times = true, .plots = plots};
    l.marks = marks ? MARKS : 0;
    l.foot = FOOT;
    for (;;) {
        l.each = (box.height - l.marks - l.foot) / (l.plots ? l.plots : 1);
        if (l.each >= LEAST_PLOT)
            break;
        if (l.frames)
            l.frames = false, l.foot = SECONDS;
        else if (l.marks > 0)
            l.marks = 0;
        else if (l.plots > 1)
            l.plots--;
        else if (l.times && l.each < LEAST_LEGEND + SECONDS)
            l.times = false, l.foot = TIGHT;
        else
            break;
    }
    l.left = l.values ? LEFT : GAP;
    return l;
}

static bool make_room(area *a, size_t frames)
{
    const mem *m = a->track->mem;
    a->xy = mem_alloc(m, 2 * frames * sizeof *a->xy);
    for (int side = 0; side < 2; side++)
        a->signs[side] = mem_alloc(m, frames * sizeof *a->signs[side]);
    return a->xy && a->signs[0] && a->signs[1];
}

static void free_room(area *a, size_t frames)
{
    const mem *m = a->track->mem;
    mem_free(m, a->xy, 2 * frames * sizeof *a->xy);
    for (int side = 0; side < 2; side++)
        mem_free(m, a->signs[side], frames * sizeof *a->signs[side]);
}

lathe_result preview_track_draw(picture_canvas *canvas, preview_curves *curves, frame_rect box,
                                lathe_error *err)
{
    plot plots[PLOT_LIMIT];
    const preview_track *const *t = curves->tracks;
    unsigned n = plot_list(t, plots);
    size_t frames = t[0]->frames + (t[1] ? t[1]->frames : 0) + 1;
    area a = {.canvas = canvas, .track = t[0], .curves = curves, .duration = t[0]->duration};
    if (t[1] && t[1]->duration > a.duration)
        a.duration = t[1]->duration;
    a.layout = lay_out(box, n, t[0]->event_count > 0);
    curves->hidden_plots = n - a.layout.plots;
    plot_choose(plots, &n, a.layout.plots);
    double head = a.layout.each >= LEAST_LEGEND ? HEAD : TOP;
    a.in = (frame_rect){box.x + a.layout.left, 0, box.width - a.layout.left - GAP,
                        a.layout.each - head};
    bool ok = make_room(&a, frames);
    for (unsigned i = 0; ok && i < n; i++) {
        a.in.y = half_pixel(box.y + a.layout.marks + a.layout.each * i + head) - 0.5;
        draw_plot(&a, &plots[i]);
    }
    if (ok && n && a.layout.times)
        draw_time(&a);
    curves->hidden_texts = ok ? draw_texts(&a, box.y) : 0;
    free_room(&a, frames);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}
