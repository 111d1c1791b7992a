/* Layout: title and sizes at the top, keys at the right, notes at the bottom. */
#include "preview/frame.h"

#include <math.h>
#include <string.h>

const picture_color frame_colors[FRAME_COLORS] = {
    0xf7f8faff, 0x1f2430ff, 0x8a93a3ff, 0xd5dae2ff, 0xd13b3bff,
    0x2b9348ff, 0x2f6fdeff, 0x8a52c8ff, 0xb26a00ff,
};

static const picture_color VEIL = 0xf7f8fac0; /* behind a text that is over a drawing */

static const double MARGIN = 10, TITLE = 18, LINE = 13, KEY_WIDTH_MOST = 220;

frame_text frame_string(const char *text)
{
    return (frame_text){text, text ? strlen(text) : 0};
}

static double key_width(const preview_frame *f)
{
    double width = 0;
    for (size_t i = 0; i < f->key_count; i++) {
        double one = picture_text_width(LINE, f->keys[i].name.text, f->keys[i].name.length);
        width = one > width ? one : width;
    }
    double most = f->all.width / 4 < KEY_WIDTH_MOST ? f->all.width / 4 : KEY_WIDTH_MOST;
    width = width > most ? most : width;
    return f->key_count ? width + 2 * LINE + MARGIN : 0;
}

static double line_step(void)
{
    return (double)(int)(LINE * 1.4);
}

static double top_height(const preview_frame *f)
{
    return MARGIN + (f->title.length ? TITLE + 8 : 0) + (f->has_size ? line_step() + 2 : 0);
}

static double whole(double v)
{
    return v > 0 ? (double)(int64_t)(v + 0.5) : 0;
}

frame_rect frame_inside(const preview_frame *f)
{
    double top = top_height(f);
    double bottom = MARGIN + (double)f->note_count * line_step();
    double right = MARGIN + key_width(f);
    frame_rect r = {whole(f->all.x + MARGIN), whole(f->all.y + top), 0, 0};
    r.width = whole(f->all.width - MARGIN - right);
    r.height = whole(f->all.height - top - bottom);
    return r;
}

static void put_size(char *out, size_t room, const double size[3], double factor, const char *unit)
{
    char number[FRAME_NUMBER];
    double most = size[0] > size[1] ? size[0] : size[1]; /* rounding beside it is no size */
    most = size[2] > most ? size[2] : most;
    for (unsigned i = 0; i < 3; i++) {
        frame_short_number(number, size[i] > most * 1e-9 ? size[i] * factor : 0, 4);
        frame_append(out, room, i ? " \xc3\x97 " : "");
        frame_append(out, room, number);
    }
    frame_append(out, room, unit);
}

enum { SIZE_TEXT = 256 };

/* The sizes in units and metres, or in metres alone where there is no room for both. */
static void size_text(const preview_frame *f, double room, char text[SIZE_TEXT])
{
    strcpy(text, "x \xc3\x97 y \xc3\x97 z: ");
    put_size(text, SIZE_TEXT, f->size, 1, " units");
    if (!(f->metres > 0)) {
        frame_append(text, SIZE_TEXT, " (size of a unit not known)");
        return;
    }
    frame_append(text, SIZE_TEXT, " = ");
    put_size(text, SIZE_TEXT, f->size, f->metres, " m");
    if (picture_text_width(LINE, text, strlen(text)) <= room)
        return;
    text[0] = 0;
    put_size(text, SIZE_TEXT, f->size, f->metres, " m");
}

static void draw_top(picture_canvas *canvas, const preview_frame *f)
{
    double x = f->all.x + MARGIN, y = f->all.y + MARGIN, room = f->all.width - 2 * MARGIN;
    if (f->title.length) {
        picture_text_fit(canvas, x, whole(y + TITLE * 0.8), TITLE, PICTURE_LEFT,
                         frame_colors[FRAME_TEXT], room, f->title.text, f->title.length);
        y += TITLE + 8;
    }
    if (!f->has_size)
        return;
    char text[SIZE_TEXT];
    size_text(f, room, text);
    picture_text_fit(canvas, x, whole(y + LINE * 0.7), LINE, PICTURE_LEFT,
                     frame_colors[FRAME_FAINT], room, text, strlen(text));
}

static void draw_keys(picture_canvas *canvas, const preview_frame *f)
{
    double width = key_width(f), x = f->all.x + f->all.width - width, y = f->all.y + top_height(f);
    double bottom = f->all.y + f->all.height - MARGIN - (double)f->note_count * line_step();
    for (size_t i = 0; i < f->key_count; i++, y += line_step()) {
        bool last = y + 2 * line_step() > bottom && i + 1 < f->key_count;
        if (last) {
            char text[64] = "\xe2\x80\xa6 and ", number[FRAME_NUMBER];
            frame_number(number, (double)(f->key_count - i), 0);
            frame_append(text, sizeof text, number);
            frame_append(text, sizeof text, " more");
            picture_text_fit(canvas, x, whole(y + LINE * 0.8), LINE, PICTURE_LEFT,
                             frame_colors[FRAME_FAINT], width - MARGIN, text, strlen(text));
            return;
        }
        const frame_key *key = &f->keys[i];
        picture_rect(canvas, whole(x), whole(y + 1), LINE - 2, LINE - 2, key->color);
        picture_text_fit(canvas, whole(x + LINE + 4), whole(y + LINE * 0.8), LINE, PICTURE_LEFT,
                         frame_colors[FRAME_TEXT], width - LINE - 4 - MARGIN / 2, key->name.text,
                         key->name.length);
    }
}

static void draw_notes(picture_canvas *canvas, const preview_frame *f)
{
    double y = f->all.y + f->all.height - MARGIN - (double)f->note_count * line_step();
    for (size_t i = 0; i < f->note_count; i++) {
        y += line_step();
        picture_text_fit(canvas, f->all.x + MARGIN, whole(y), LINE, PICTURE_LEFT,
                         frame_colors[FRAME_FAINT], f->all.width - 2 * MARGIN, f->notes[i].text,
                         f->notes[i].length);
    }
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

static void draw_axes(picture_canvas *canvas, const picture_camera *camera, double x, double y)
{
    static const char *const names[3] = {"x", "y", "z"};
    const double length = 26;
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

static void draw_bar(picture_canvas *canvas, const preview_frame *f, frame_rect in)
{
    double most = in.width / 3 < 160 ? in.width / 3 : 160;
    double units = bar_length(f->scale, most), pixels = units * f->scale;
    if (!isfinite(units) || !isfinite(pixels) || !(pixels >= 8) || pixels > most * 1.01)
        return;
    char text[128] = "", number[FRAME_NUMBER];
    frame_short_number(number, units, 4);
    frame_append(text, sizeof text, number);
    frame_append(text, sizeof text, units == 1 ? " unit" : " units");
    if (f->metres > 0) {
        frame_short_number(number, units * f->metres, 3);
        frame_append(text, sizeof text, " = ");
        frame_append(text, sizeof text, number);
        frame_append(text, sizeof text, " m");
    }
    double right = in.x + in.width - 6, y = in.y + in.height - 8, left = right - pixels;
    const double line[8] = {left, y - 5, left, y, right, y, right, y - 5};
    picture_polyline(canvas, line, 4, 1.5, frame_colors[FRAME_TEXT]);
    double width = picture_text_width(LINE, text, strlen(text));
    double middle = (left + right) / 2;
    if (middle + width / 2 > in.x + in.width)
        middle = in.x + in.width - width / 2;
    picture_rect(canvas, whole(middle - width / 2) - 3, y - 21, width + 6, 15, VEIL);
    picture_text(canvas, middle, y - 10, LINE, PICTURE_CENTRE, frame_colors[FRAME_TEXT], text,
                 strlen(text));
}

void frame_draw(picture_canvas *canvas, const preview_frame *frame)
{
    frame_rect in = frame_inside(frame);
    draw_top(canvas, frame);
    draw_keys(canvas, frame);
    draw_notes(canvas, frame);
    bool roomy = in.width >= 100 && in.height >= 100;
    if (frame->camera && roomy)
        draw_axes(canvas, frame->camera, in.x + 40, in.y + in.height - 40);
    if (frame->scale > 0 && roomy)
        draw_bar(canvas, frame, in);
}

frame_rect frame_room(preview_frame *frame)
{
    enum { SMALL = 160, ENOUGH = 40 };
    bool small = frame->all.height < SMALL;
    if (small)
        frame->key_count = frame->note_count = 0;
    frame_rect inside = frame_inside(frame);
    if (small && inside.height < ENOUGH) {
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
    enum { SIZE = 13 };
    size_t n = strlen(text), from = 0;
    double y = box.y + box.height / 2;
    while (from < n) {
        size_t to = n, end = n;
        while (to > from + 1 && picture_text_width(SIZE, text + from, to - from) > box.width - 16) {
            end = to;
            while (end > from && text[end - 1] != ' ')
                end--;
            to = end > from + 1 ? end - 1 : to - 1;
        }
        if (y > box.y + box.height - 4)
            return;
        picture_text(canvas, box.x + box.width / 2, y, SIZE, PICTURE_CENTRE,
                     frame_colors[FRAME_TEXT], text + from, to - from);
        y += SIZE * 1.4;
        for (from = to; from < n && text[from] == ' ';)
            from++;
    }
}
