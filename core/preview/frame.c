/* Layout: title and sizes at the top, keys at the right, notes at the bottom. */
#include "preview/frame.h"

#include "preview/foot.h"

#include <math.h>
#include <string.h>

const picture_color frame_colors[FRAME_COLORS] = {
    0xf7f8faff, 0x1f2430ff, 0x8a93a3ff, 0xd5dae2ff, 0xd13b3bff,
    0x2b9348ff, 0x2f6fdeff, 0x8a52c8ff, 0xb26a00ff,
};

static const picture_color VEIL = 0xf7f8fac0; /* behind a text that is over a drawing */

static const double MARGIN = FRAME_MARGIN, TITLE = 18, LINE = FRAME_LINE_SIZE;

frame_text frame_string(const char *text)
{
    return (frame_text){text, text ? strlen(text) : 0};
}

void frame_note(preview_frame *frame, const char *text)
{
    if (frame->note_count < FRAME_NOTES)
        frame->notes[frame->note_count++] = frame_string(text);
}

/* The title is large where it fits; else small, in two lines if need be. */
typedef struct title_lines {
    double size;
    unsigned count;
    size_t split, next; /* bytes of the first line; where the second begins */
} title_lines;

static title_lines title_of(const preview_frame *f)
{
    enum { LEAST_WIDTH = 200, LEAST_HEIGHT = 150, TWO_LINES = 100 };
    title_lines t = {TITLE, f->title.length ? 1 : 0, f->title.length, f->title.length};
    const double room = f->all.width - 2 * MARGIN;
    bool small = f->all.width < LEAST_WIDTH || f->all.height < LEAST_HEIGHT;
    if (!t.count || (!small && picture_text_width(TITLE, f->title.text, f->title.length) <= room))
        return t;
    t.size = LINE;
    if (picture_text_width(LINE, f->title.text, f->title.length) <= room ||
        f->all.height < TWO_LINES)
        return t;
    t.split = frame_break(f->title, LINE, room, &t.next);
    t.count = 2;
    return t;
}

static double top_height(const preview_frame *f)
{
    title_lines t = title_of(f);
    double title = t.count ? t.size + 8 + (t.count - 1) * FRAME_LINE_STEP : 0;
    return MARGIN + title + (f->has_size ? FRAME_LINE_STEP + 2 : 0);
}

frame_rect frame_inside(const preview_frame *f)
{
    frame_foot foot;
    foot_lay_out(f, &foot);
    double top = top_height(f), bottom = MARGIN + f->under + foot_height(&foot);
    frame_rect r = {frame_whole(f->all.x + MARGIN), frame_whole(f->all.y + top), 0, 0};
    r.width = frame_whole(f->all.width - 2 * MARGIN - foot.column);
    r.height = frame_whole(f->all.height - top - bottom);
    return r;
}

static void put_size(char *out, size_t room, const double size[3], double factor, unsigned digits,
                     const char *unit)
{
    char number[FRAME_NUMBER];
    double most = size[0] > size[1] ? size[0] : size[1]; /* rounding beside it is no size */
    most = size[2] > most ? size[2] : most;
    for (unsigned i = 0; i < 3; i++) {
        frame_short_number(number, size[i] > most * 1e-9 ? size[i] * factor : 0, digits);
        frame_append(out, room, i ? " \xc3\x97 " : "");
        frame_append(out, room, number);
    }
    frame_append(out, room, unit);
}

enum { SIZE_TEXT = 256, DIGITS = 4, LEAST_DIGITS = 2 };

/* A small cross of axes beside title and size, and its distance from them. */
static const double CROSS = 44, APART = 16;

/* The sizes in units and metres; where there is no room for both, in metres alone or without words, with fewer digits (down
 * to `least`) if need be; else nothing. */
static void size_text(const preview_frame *f, double room, unsigned least, char text[SIZE_TEXT])
{
    const bool known = f->metres > 0;
    strcpy(text, "x \xc3\x97 y \xc3\x97 z: ");
    put_size(text, SIZE_TEXT, f->size, 1, DIGITS, " units");
    frame_append(text, SIZE_TEXT, known ? " = " : " (size of a unit not known)");
    if (known)
        put_size(text, SIZE_TEXT, f->size, f->metres, DIGITS, " m");
    for (unsigned n = DIGITS; n >= least; n--) {
        if (picture_text_width(LINE, text, strlen(text)) <= room)
            return;
        text[0] = 0;
        put_size(text, SIZE_TEXT, f->size, known ? f->metres : 1, n, known ? " m" : " units");
    }
    if (picture_text_width(LINE, text, strlen(text)) > room)
        text[0] = 0;
}

/* Draws title and size. beside: axes stand beside them. Returns the width of the longest line. */
static double draw_top(picture_canvas *canvas, const preview_frame *f, bool beside)
{
    const title_lines t = title_of(f);
    const double x = f->all.x + MARGIN, room = f->all.width - 2 * MARGIN;
    double y = f->all.y + MARGIN, width = 0;
    size_t from = 0;
    for (unsigned i = 0; i < t.count; i++, from = t.next) {
        size_t n = (i ? f->title.length : t.split) - from;
        double one = picture_text_width(t.size, f->title.text + from, n);
        picture_text_fit(canvas, x, frame_whole(y + t.size * 0.8), t.size, PICTURE_LEFT,
                         frame_colors[FRAME_TEXT], room, f->title.text + from, n);
        y += i + 1 < t.count ? FRAME_LINE_STEP : t.size + 8;
        width = one > width ? one : width;
    }
    if (!f->has_size)
        return width;
    char text[SIZE_TEXT];
    size_text(f, beside ? room - CROSS - APART : room, DIGITS,
              text); /* the axes say more than words */
    if (!text[0])
        size_text(f, room, LEAST_DIGITS, text);
    picture_text_fit(canvas, x, frame_whole(y + LINE * 0.7), LINE, PICTURE_LEFT,
                     frame_colors[FRAME_FAINT], room, text, strlen(text));
    double one = picture_text_width(LINE, text, strlen(text));
    return one > width ? one : width;
}

/* The axes from the far one to the near one. */
static void axis_order(const picture_camera *camera, unsigned order[3])
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned k = i;
        for (; k > 0 && camera->view.m[order[k - 1]][2] > camera->view.m[i][2]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

static void draw_axes(picture_canvas *canvas, const picture_camera *camera, double x, double y,
                      double length)
{
    static const char *const names[3] = {"x", "y", "z"};
    unsigned order[3];
    axis_order(camera, order);
    for (unsigned i = 0; i < 3; i++) {
        unsigned axis = order[i];
        const double *to = camera->view.m[axis];
        double all = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
        if (!isfinite(all) || !(all > 0))
            continue;
        double dx = to[0] / all, dy = -to[1] / all, flat = sqrt(dx * dx + dy * dy);
        picture_color color = frame_colors[FRAME_X + axis];
        if (flat < 0.1) { /* it points at the viewer, or away */
            picture_disc(canvas, x, y, 4, color);
            picture_text(canvas, x - 12, y + 14, LINE, PICTURE_CENTRE, color, names[axis], 1);
            continue;
        }
        const double line[4] = {x, y, x + dx * length, y + dy * length};
        picture_polyline(canvas, line, 2, 2, color);
        double reach = length + 8;
        picture_text(canvas, x + dx * length + dx / flat * (reach - length),
                     y + dy * length + dy / flat * (reach - length) + 4, LINE, PICTURE_CENTRE,
                     color, names[axis], 1);
    }
}

/* The longest round length of at most `most` pixels. */
static double bar_length(double scale, double most)
{
    unsigned decimals;
    double range = most / scale, step = frame_step(range, 1, &decimals);
    if (step > range)
        step = frame_step(range, 2, &decimals);
    return step > range ? frame_step(range, 3, &decimals) : step;
}

/* A bar whose right end is at (right, y), at most so wide, with its text in `in`. */
static void draw_bar(picture_canvas *canvas, const preview_frame *f, frame_rect in, double right,
                     double y, double most)
{
    double units = bar_length(f->scale, most), pixels = units * f->scale;
    if (!isfinite(units) || !isfinite(pixels) || !(pixels >= 8) || pixels > most * 1.01)
        return;
    char text[128] = "", number[FRAME_NUMBER];
    frame_append_quantity(text, sizeof text, units, 4, " unit");
    if (f->metres > 0) {
        frame_short_number(number, units * f->metres, 3);
        frame_append(text, sizeof text, " = ");
        frame_append(text, sizeof text, number);
        frame_append(text, sizeof text, " m");
    }
    double left = right - pixels, width = picture_text_width(LINE, text, strlen(text));
    if (width > in.width)
        return;
    const double line[8] = {left, y - 5, left, y, right, y, right, y - 5};
    picture_polyline(canvas, line, 4, 1.5, frame_colors[FRAME_TEXT]);
    double middle = (left + right) / 2;
    if (middle + width / 2 > in.x + in.width)
        middle = in.x + in.width - width / 2;
    picture_rect(canvas, frame_whole(middle - width / 2) - 3, y - 21, width + 6, 15, VEIL);
    picture_text(canvas, middle, y - 10, LINE, PICTURE_CENTRE, frame_colors[FRAME_TEXT], text,
                 strlen(text));
}

/* Axes and bar at the top right, where title and size leave room: in a small picture they would lie over the drawing. */
static void draw_corner(picture_canvas *canvas, const preview_frame *f, double used)
{
    const double LENGTH = 12, BAR = 60, FOOT = 42;
    double right = f->all.x + f->all.width - MARGIN, left = f->all.x + MARGIN + used + APART;
    if (!f->has_size || right - left < CROSS)
        return;
    if (f->camera)
        draw_axes(canvas, f->camera, right - CROSS / 2, f->all.y + MARGIN / 2 + CROSS / 2, LENGTH);
    right -= CROSS + APART;
    const frame_rect in = {left, f->all.y, right - left, top_height(f)};
    double most = in.width < BAR ? in.width : BAR;
    if (f->scale > 0 && most >= 8)
        draw_bar(canvas, f, in, right, f->all.y + FOOT, most);
}

void frame_draw(picture_canvas *canvas, const preview_frame *frame)
{
    enum { WIDE = 320, TALL = 240 };
    frame_rect in = frame_inside(frame);
    bool beside = !frame->foot && (in.width < WIDE || in.height < TALL);
    double used = draw_top(canvas, frame, beside && frame->camera);
    foot_draw(canvas, frame, frame->all.y + top_height(frame));
    bool roomy = in.width >= 100 && in.height >= 100;
    if (beside) {
        draw_corner(canvas, frame, used);
        return;
    }
    if (frame->camera && roomy)
        draw_axes(canvas, frame->camera, in.x + 40, in.y + in.height - 40, 26);
    if (frame->scale > 0 && roomy)
        draw_bar(canvas, frame, in, in.x + in.width - 6, in.y + in.height - 8,
                 in.width / 3 < 160 ? in.width / 3 : 160);
}

frame_rect frame_room(preview_frame *frame)
{
    enum { SMALL = 160, ENOUGH = 40 };
    frame_rect inside = frame_inside(frame);
    if (frame->all.height < SMALL && inside.height < ENOUGH) {
        frame->has_size = false;
        inside = frame_inside(frame);
    }
    if (inside.height < 8) {
        frame->title = frame_string(NULL);
        inside = frame_inside(frame);
    }
    return inside;
}

void frame_say(picture_canvas *canvas, frame_rect box, const char *text)
{
    frame_text t = frame_string(text);
    double y = box.y + box.height / 2;
    while (t.length && y <= box.y + box.height - 4) {
        size_t next, n = frame_break(t, LINE, box.width - 16, &next);
        picture_text(canvas, box.x + box.width / 2, y, LINE, PICTURE_CENTRE,
                     frame_colors[FRAME_TEXT], t.text, n);
        y += FRAME_LINE_STEP;
        t.text += next;
        t.length -= next;
    }
}
