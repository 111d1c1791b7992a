/* Plots one below the other, with one axis of time. */
#include "preview/track.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

enum { CURVES = 4 };
static const double LABEL = 12, LEFT = 64, HEAD = 20, GAP = 10, FOOT = 40, MARKS = 30;

typedef struct plot {
    const char *title;
    const char *const *names;
    unsigned curves;
    const float *values; /* value k of frame i is values[i * stride + first + k] */
    size_t stride, first;
    double factor;  /* from the stored number to what is shown */
    bool continues; /* quaternions: with the sign of the frame before */
} plot;

static const char *const axes[] = {"x", "y", "z", "w"};
static const char *const angle[] = {"angle"};
static const char *const value[] = {"value"};

typedef struct area {
    picture_canvas *canvas;
    const preview_track *track;
    frame_rect in;    /* of the curves */
    double low, high; /* of the values at the bottom and the top */
    double *xy;       /* room for two numbers for each frame */
    double *signs;    /* of each frame */
} area;

static bool scales_change(const preview_track *t)
{
    for (size_t i = 0; i < t->frames; i++)
        for (unsigned k = 7; k < MODEL_POSE; k++)
            if (!(fabsf(t->rows[i * MODEL_POSE + k] - 1) < 1e-5f))
                return true;
    return false;
}

enum { PLOTS_MOST = 6 };

static unsigned list_plots(const preview_track *t, plot *out)
{
    const double degrees = 57.295779513082321;
    unsigned n = 0;
    if (t->rows) {
        out[n++] = (plot){"translation (units)", axes, 3, t->rows, MODEL_POSE, 0, 1, false};
        out[n++] = (plot){"rotation (quaternion)", axes, 4, t->rows, MODEL_POSE, 3, 1, true};
        if (scales_change(t))
            out[n++] = (plot){"scale", axes, 3, t->rows, MODEL_POSE, 7, 1, false};
    }
    if (t->floats)
        out[n++] = (plot){"number", value, 1, t->floats, 1, 0, 1, false};
    if (t->moves) {
        out[n++] = (plot){"root motion (units)", axes, 3, t->moves, MODEL_MOVE, 0, 1, false};
        out[n++] = (plot){"root motion: turn about the up axis (degrees)",
                          angle,
                          1,
                          t->moves,
                          MODEL_MOVE,
                          3,
                          degrees,
                          false};
    }
    return n;
}

/* q and -q are the same rotation. */
static void find_signs(const area *a, const plot *p)
{
    for (size_t i = 0; i < a->track->frames; i++) {
        a->signs[i] = 1;
        if (!p->continues || i == 0)
            continue;
        const float *now = p->values + i * p->stride + p->first, *before = now - p->stride;
        double dot = 0;
        for (unsigned k = 0; k < 4; k++)
            dot += (double)now[k] * (double)before[k];
        a->signs[i] = dot < 0 ? -a->signs[i - 1] : a->signs[i - 1];
    }
}

static double value_at(const area *a, const plot *p, size_t frame, unsigned curve)
{
    double v = (double)p->values[frame * p->stride + p->first + curve];
    return v * p->factor * a->signs[frame];
}

/* The range of values, a little wider than they are. Values that are not finite are left out. */
static void find_range(area *a, const plot *p)
{
    bool any = false;
    a->low = a->high = 0;
    for (size_t i = 0; i < a->track->frames; i++)
        for (unsigned k = 0; k < p->curves; k++) {
            double v = value_at(a, p, i, k);
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
    double all = a->track->duration > 0 ? a->track->duration : 1;
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
        picture_text_fit(a->canvas, a->in.x - 6, y + 4, LABEL, PICTURE_RIGHT,
                         frame_colors[FRAME_FAINT], LEFT - 8, text, n);
    }
}

static void draw_legend(const area *a, const plot *p)
{
    double y = a->in.y - 6, x = a->in.x + a->in.width;
    for (unsigned k = p->curves; k-- > 0;) {
        size_t n = strlen(p->names[k]);
        double width = picture_text_width(LABEL, p->names[k], n);
        picture_text(a->canvas, x - width, y, LABEL, PICTURE_LEFT, frame_colors[FRAME_TEXT],
                     p->names[k], n);
        const double line[4] = {x - width - 20, y - 4, x - width - 5, y - 4};
        picture_polyline(a->canvas, line, 2, 2, frame_colors[FRAME_X + k]);
        x -= width + 32;
    }
    picture_text_fit(a->canvas, a->in.x, y, LABEL, PICTURE_LEFT, frame_colors[FRAME_TEXT],
                     x - a->in.x, p->title, strlen(p->title));
}

static void draw_curves(const area *a, const plot *p)
{
    const preview_track *t = a->track;
    picture_clip(a->canvas, a->in.x - 3, a->in.y - 3, a->in.width + 6, a->in.height + 6);
    for (unsigned k = 0; k < p->curves; k++) {
        for (size_t i = 0; i < t->frames; i++) {
            a->xy[2 * i] = x_of(a, t->times[i]);
            a->xy[2 * i + 1] = y_of(a, value_at(a, p, i, k));
        }
        picture_polyline(a->canvas, a->xy, t->frames, 1.5, frame_colors[FRAME_X + k]);
        if ((double)t->frames * 8 > a->in.width)
            continue;
        for (size_t i = 0; i < t->frames; i++)
            picture_disc(a->canvas, a->xy[2 * i], a->xy[2 * i + 1], 2, frame_colors[FRAME_X + k]);
    }
    picture_clip_end(a->canvas);
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
    find_signs(a, p);
    find_range(a, p);
    picture_rect(a->canvas, a->in.x, a->in.y, a->in.width, a->in.height, 0xffffffff);
    draw_values(a);
    draw_events(a, a->in.y, a->in.y + a->in.height);
    draw_legend(a, p);
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

/* Seconds, and under them frames. */
static void draw_time(const area *a)
{
    unsigned decimals;
    double y = a->in.y + a->in.height;
    double step = frame_step(a->track->duration, (unsigned)(a->in.width / 70) + 1, &decimals);
    char text[64], number[FRAME_NUMBER];
    for (unsigned i = 0; i < 200; i++) {
        double time = i * step;
        if (time > a->track->duration * (1 + 1e-9))
            break;
        double x = x_of(a, time);
        draw_line(a->canvas, half_pixel(x), y, half_pixel(x), y + 4, frame_colors[FRAME_FAINT]);
        frame_number(number, time, decimals);
        text[0] = 0;
        frame_append(text, sizeof text, number);
        picture_text(a->canvas, x, y + 17, LABEL, PICTURE_CENTRE, frame_colors[FRAME_TEXT], text,
                     strlen(text));
        frame_short_number(number, frame_at(a->track, time), 4);
        picture_text(a->canvas, x, y + 33, LABEL, PICTURE_CENTRE, frame_colors[FRAME_FAINT], number,
                     strlen(number));
    }
    picture_text(a->canvas, a->in.x - 18, y + 17, LABEL, PICTURE_RIGHT, frame_colors[FRAME_TEXT],
                 "seconds", 7);
    picture_text(a->canvas, a->in.x - 18, y + 33, LABEL, PICTURE_RIGHT, frame_colors[FRAME_FAINT],
                 "frames", 6);
}

/* The texts of annotations, in two rows above the plots. */
static size_t draw_texts(const area *a, double top)
{
    size_t hidden = 0;
    double ends[2] = {-1e9, -1e9}, right = a->in.x + a->in.width;
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
        draw_line(a->canvas, half_pixel(x), top + MARKS * 0.5 * row + 2, half_pixel(x),
                  top + MARKS * 0.5 * row + 13, frame_colors[FRAME_MARK]);
        picture_text_fit(a->canvas, at, top + MARKS * 0.5 * row + 11, LABEL, PICTURE_LEFT,
                         frame_colors[FRAME_MARK], width + 0.5, e->text, e->length);
    }
    return hidden;
}

lathe_result preview_track_draw(picture_canvas *canvas, const preview_track *track, frame_rect box,
                                size_t *hidden_texts, lathe_error *err)
{
    plot plots[PLOTS_MOST];
    unsigned n = list_plots(track, plots);
    size_t size = (track->frames ? track->frames : 1) * sizeof(double);
    area a = {.canvas = canvas, .track = track};
    a.xy = mem_alloc(track->mem, 2 * size);
    a.signs = mem_alloc(track->mem, size);
    bool ok = a.xy && a.signs;
    double marks = track->event_count ? MARKS : 0;
    double each = (box.height - marks - FOOT) / (n ? n : 1);
    a.in = (frame_rect){box.x + LEFT, box.y + marks, box.width - LEFT - GAP, each - HEAD};
    for (unsigned i = 0; ok && i < n; i++) {
        a.in.y = half_pixel(box.y + marks + each * i + HEAD) - 0.5;
        draw_plot(&a, &plots[i]);
    }
    if (ok && n)
        draw_time(&a);
    size_t hidden = ok ? draw_texts(&a, box.y) : 0;
    if (hidden_texts)
        *hidden_texts = hidden;
    mem_free(track->mem, a.xy, 2 * size);
    mem_free(track->mem, a.signs, size);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}
