/* The key and the notes of a picture: how much of them has room, and where. */
#include "preview/foot.h"

#include <string.h>

static const double SIZE = FRAME_LINE_SIZE, STEP = FRAME_LINE_STEP, MARGIN = FRAME_MARGIN;
static const double SWATCH = FRAME_LINE_SIZE + 4; /* a square of colour, and a gap to its name */

double frame_whole(double v)
{
    return v > 0 ? (double)(int64_t)(v + 0.5) : 0;
}

size_t frame_break(frame_text t, double size, double room, size_t *next)
{
    size_t fits = picture_text_prefix(size, t.text, t.length, room), end = fits, word = 0, part = 0;
    for (size_t i = 1; fits < t.length && i <= fits; i++) {
        if (t.text[i] == ' ' && t.text[i - 1] != ' ')
            word = i;
        if (memchr("/\\_-", t.text[i - 1], 4) || t.text[i] == '.')
            part = i;
    }
    if (fits < t.length)
        end = word > fits / 3 ? word : part > fits / 2 ? part : fits;
    for (*next = end; *next < t.length && t.text[*next] == ' ';)
        ++*next;
    return end;
}

/* ---- lines --------------------------------------------------------------------------------------- */

/* Draws a text in lines, the first with its base line at y. Without a canvas it counts them alone. */
static unsigned put_lines(picture_canvas *canvas, double x, double y, double room,
                          picture_color color, frame_text t, unsigned most)
{
    unsigned lines = 0;
    do {
        size_t next, n = frame_break(t, SIZE, room, &next);
        if (canvas)
            picture_text(canvas, x, frame_whole(y + lines * STEP), SIZE, PICTURE_LEFT, color,
                         t.text, n);
        t.text += next;
        t.length -= next;
        lines++;
    } while (t.length && lines < most);
    return t.length ? most + 1 : lines;
}

/* ---- the key in rows ------------------------------------------------------------------------------- */

typedef struct rows {
    picture_canvas *canvas; /* NULL: they are counted alone */
    double left, y, room, x;
    unsigned count, most;
} rows;

/* Where the next item of the key begins, which is so wide. */
static void place_item(rows *r, double width)
{
    if (r->count && r->x + width <= r->room)
        return;
    r->x = 0;
    r->count++;
}

static void put_key(rows *r, const frame_key *key)
{
    double width = SWATCH + picture_text_width(SIZE, key->name.text, key->name.length);
    place_item(r, width);
    if (r->count > r->most)
        return;
    double y = r->y + (r->count - 1) * STEP;
    if (r->canvas)
        picture_rect(r->canvas, frame_whole(r->left + r->x), frame_whole(y - SIZE * 0.8 + 1),
                     SIZE - 2, SIZE - 2, key->color);
    unsigned lines = put_lines(r->canvas, frame_whole(r->left + r->x + SWATCH), y, r->room - SWATCH,
                               frame_colors[FRAME_TEXT], key->name, r->most - r->count + 1);
    r->count += lines - 1;
    r->x = lines > 1 ? r->room : r->x + width + SIZE;
}

/* Rows of the first n colours, and of a text behind them. More than `most`: they do not fit. */
static unsigned put_rows(rows r, const preview_frame *f, size_t n, const char *more)
{
    for (size_t i = 0; i < n && r.count <= r.most; i++)
        put_key(&r, &f->keys[i]);
    if (!*more || r.count > r.most)
        return r.count;
    place_item(&r, picture_text_width(SIZE, more, strlen(more)));
    if (r.canvas && r.count <= r.most)
        picture_text(r.canvas, frame_whole(r.left + r.x), frame_whole(r.y + (r.count - 1) * STEP),
                     SIZE, PICTURE_LEFT, frame_colors[FRAME_FAINT], more, strlen(more));
    return r.count;
}

/* ---- what has room --------------------------------------------------------------------------------- */

/* The lines that rows and notes have together. */
static unsigned most_lines(const preview_frame *f)
{
    enum { NONE_BELOW = 120, ONE_BELOW = 160 };
    if (f->all.height < NONE_BELOW || (f->cell && f->all.height < ONE_BELOW))
        return 0;
    return f->all.height < ONE_BELOW ? 1 : (unsigned)(f->all.height / (f->cell ? 4 : 3) / STEP);
}

static double room_of(const preview_frame *f)
{
    return f->all.width - 2 * MARGIN;
}

/* The width of a column of the key; 0: its names do not fit. */
static double column_of(const preview_frame *f)
{
    enum { LEAST_HEIGHT = 160, MOST = 220 };
    double width = 0, most = f->all.width / 4 < MOST ? f->all.width / 4 : MOST;
    if (f->wide || f->all.height < LEAST_HEIGHT)
        return 0;
    for (size_t i = 0; i < f->key_count && width <= most; i++) {
        double one = picture_text_width(SIZE, f->keys[i].name.text, f->keys[i].name.length);
        width = one > width ? one : width;
    }
    return f->key_count && width <= most ? width + 2 * SIZE + MARGIN : 0;
}

static void lay_out_rows(const preview_frame *f, unsigned most, frame_foot *foot)
{
    const rows r = {.room = room_of(f), .most = most};
    for (foot->keys = f->key_count; foot->keys && most; foot->keys--) {
        size_t rest = f->key_count - foot->keys;
        foot->more_keys[0] = 0;
        if (rest) {
            frame_append(foot->more_keys, FOOT_TEXT, "\xe2\x80\xa6 and ");
            frame_append_count(foot->more_keys, FOOT_TEXT, rest, " more", " more");
        }
        foot->rows = put_rows(r, f, foot->keys, foot->more_keys);
        if (foot->rows <= most)
            return;
    }
    foot->rows = 0;
    foot->keys = 0;
    foot->more_keys[0] = 0;
}

/* Says how many notes have no room, and how many colours if no colour is shown. */
static void tell_notes(const preview_frame *f, frame_foot *foot, size_t keys)
{
    size_t rest = f->note_count - foot->notes;
    foot->more_notes[0] = 0;
    if (!rest && !keys)
        return;
    frame_append(foot->more_notes, FOOT_TEXT, foot->notes ? "\xe2\x80\xa6 and " : "no room: ");
    if (keys)
        frame_append_count(foot->more_notes, FOOT_TEXT, keys, " colour", " colours");
    if (keys && rest)
        frame_append(foot->more_notes, FOOT_TEXT, ", ");
    if (rest && foot->notes)
        frame_append_count(foot->more_notes, FOOT_TEXT, rest, " more note", " more notes");
    else if (rest)
        frame_append_count(foot->more_notes, FOOT_TEXT, rest, " note", " notes");
}

static unsigned put_notes(picture_canvas *canvas, const preview_frame *f, const frame_foot *foot,
                          double y, unsigned most)
{
    const double x = f->all.x + MARGIN, room = room_of(f);
    unsigned lines = 0;
    for (size_t i = 0; i < foot->notes && lines <= most; i++)
        lines += put_lines(canvas, x, y + lines * STEP, room, frame_colors[FRAME_FAINT],
                           f->notes[i], most > lines ? most - lines : 0);
    if (!foot->more_notes[0])
        return lines;
    if (canvas)
        picture_text_fit(canvas, x, frame_whole(y + lines * STEP), SIZE, PICTURE_LEFT,
                         frame_colors[FRAME_FAINT], room, foot->more_notes,
                         strlen(foot->more_notes));
    return lines + 1;
}

void foot_lay_out(const preview_frame *f, frame_foot *foot)
{
    unsigned most = most_lines(f);
    *foot = (frame_foot){.column = column_of(f)};
    if (foot->column <= 0)
        lay_out_rows(f, f->note_count ? most / 2 : most, foot);
    most -= foot->rows;
    size_t keys = foot->column > 0 || foot->keys ? 0 : f->key_count;
    if (!most || (!f->note_count && !keys))
        return;
    for (foot->notes = f->note_count;; foot->notes--) {
        tell_notes(f, foot, keys);
        foot->lines = put_notes(NULL, f, foot, 0, most);
        if (foot->lines <= most || !foot->notes)
            return;
    }
}

double foot_height(const frame_foot *foot)
{
    return (foot->rows + foot->lines) * STEP;
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static void draw_column(picture_canvas *canvas, const preview_frame *f, const frame_foot *foot,
                        double y)
{
    double x = f->all.x + f->all.width - foot->column;
    double bottom = f->all.y + f->all.height - MARGIN - foot_height(foot);
    for (size_t i = 0; i < f->key_count; i++, y += STEP) {
        if (y + 2 * STEP > bottom && i + 1 < f->key_count) {
            char text[FOOT_TEXT] = "\xe2\x80\xa6 and ";
            frame_append_count(text, FOOT_TEXT, f->key_count - i, " more", " more");
            picture_text_fit(canvas, x, frame_whole(y + SIZE * 0.8), SIZE, PICTURE_LEFT,
                             frame_colors[FRAME_FAINT], foot->column - MARGIN, text, strlen(text));
            return;
        }
        const frame_key *key = &f->keys[i];
        picture_rect(canvas, frame_whole(x), frame_whole(y + 1), SIZE - 2, SIZE - 2, key->color);
        picture_text(canvas, frame_whole(x + SWATCH), frame_whole(y + SIZE * 0.8), SIZE,
                     PICTURE_LEFT, frame_colors[FRAME_TEXT], key->name.text, key->name.length);
    }
}

void foot_draw(picture_canvas *canvas, const preview_frame *f, double top)
{
    frame_foot foot;
    foot_lay_out(f, &foot);
    double y = f->all.y + f->all.height - MARGIN - foot_height(&foot) + STEP;
    if (foot.column > 0)
        draw_column(canvas, f, &foot, top);
    const rows r = {
        .canvas = canvas, .left = f->all.x + MARGIN, .y = y, .room = room_of(f), .most = foot.rows};
    if (foot.rows)
        put_rows(r, f, foot.keys, foot.more_keys);
    put_notes(canvas, f, &foot, y + foot.rows * STEP, foot.lines);
}
