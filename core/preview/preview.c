/* lathe_preview: options, and cells of a sheet. */
#include "preview/against.h"

#include "api/api.h"

#include <string.h>

enum { WIDTH = 1024, HEIGHT = 768, LEAST = 64 };

static lathe_result read_options(const lathe_preview_options *from, lathe_preview_options *to,
                                 lathe_error *err)
{
    *to = (lathe_preview_options){.size = sizeof *to};
    api_take(to, from, sizeof *to);
    if (!to->width && !to->height) {
        to->width = WIDTH;
        to->height = HEIGHT;
    }
    if (!to->triangles)
        to->triangles = LATHE_PREVIEW_TRIANGLES;
    if (to->width < LEAST || to->height < LEAST)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "a picture has at least %d x %d pixels", LEAST, LEAST);
    if ((uint64_t)to->width * to->height > PICTURE_PIXELS_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%u x %u pixels are more than %d, the most of a picture", to->width,
                         to->height, PICTURE_PIXELS_MAX);
    if ((unsigned)to->what >= LATHE_PREVIEW_WHAT_COUNT ||
        (unsigned)to->view >= LATHE_PREVIEW_VIEW_COUNT)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "no such kind of picture or view");
    if (to->against && !to->against->doc)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                         "the document to compare with is not open");
    if (to->against && to->what == LATHE_PREVIEW_STRIP)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "strips of two clips are not compared: choose a pose or a track");
    return LATHE_OK;
}

/* ---- one document -------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; path && *path; path++)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name;
}

static const char *name_of(const lathe_preview_document *one, const lathe_doc *doc)
{
    if (one->name)
        return one->name;
    const char *path = doc ? lathe_doc_info(doc, "path") : NULL;
    return path ? base_name(path) : "document";
}

static lathe_result opened(preview *p, const lathe_preview_document *one, size_t i, lathe_doc **doc,
                           lathe_error *err)
{
    *doc = one->doc;
    if (*doc)
        return LATHE_OK;
    if (!p->options.open)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "document %zu is not open", i + 1);
    return p->options.open(p->options.user, i, doc, err);
}

static lathe_result draw_one(preview *p, const lathe_preview_document *one, size_t i,
                             frame_rect box, bool alone, lathe_error *err)
{
    lathe_doc *doc = NULL;
    p->number++;
    p->name = name_of(one, NULL);
    lathe_result r = opened(p, one, i, &doc, err);
    if (r != LATHE_OK)
        return r;
    p->name = name_of(one, doc);
    const frame_text title = frame_string(alone && p->options.title ? p->options.title : p->name);
    const lathe_preview_document *other = p->options.against;
    r = other
            ? preview_against_shot(p, doc, other->doc, name_of(other, other->doc), box, title, err)
            : preview_shot(p, doc, box, title, err);
    if (!one->doc && p->options.close)
        p->options.close(p->options.user, i, doc);
    return r;
}

/* ---- sheets -------------------------------------------------------------------------------------- */

/* The columns of a sheet whose cells are nearest to 4 by 3. */
static size_t columns_of(const preview *p, double height, size_t n)
{
    size_t best = 1;
    double least = -1;
    for (size_t columns = 1; columns <= n && columns <= p->options.width / 8; columns++) {
        size_t rows = (n + columns - 1) / columns;
        double wide = p->options.width / (double)columns, tall = height / (double)rows;
        double side = wide < tall * 4 / 3 ? wide : tall * 4 / 3;
        if (side > least) {
            least = side;
            best = columns;
        }
    }
    return best;
}

static lathe_result draw_sheet(preview *p, const lathe_preview_document *list, size_t n,
                               lathe_error *err)
{
    enum { TITLE = 28 };
    lathe_error why;
    lathe_result r = LATHE_OK;
    double top = p->options.title ? TITLE : 0, height = p->options.height - top;
    size_t columns = columns_of(p, height, n), rows = (n + columns - 1) / columns;
    size_t wide = p->options.width / columns, tall = (size_t)height / rows;
    if (wide < LEAST || tall < LEAST)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%zu cells need a larger picture: %d x %d pixels each", n, LEAST, LEAST);
    if (p->options.title)
        picture_text_fit(p->canvas, 8, 19, 15, PICTURE_LEFT, frame_colors[FRAME_TEXT],
                         p->options.width - 16.0, p->options.title, strlen(p->options.title));
    for (size_t i = 0; i < n; i++) {
        const frame_rect cell = {(double)(i % columns * wide), top + (double)(i / columns * tall),
                                 (double)wide, (double)tall};
        error_clear(&why);
        r = draw_one(p, &list[i], i, cell, false, &why);
        if (r == LATHE_ERR_MEMORY)
            return error_pass(err, &why);
        if (r == LATHE_OK)
            continue;
        const preview_frame frame = {.all = cell, .title = frame_string(p->name)};
        frame_draw(p->canvas, &frame);
        frame_say(p->canvas, frame_inside(&frame), why.message);
        preview_skip(p, p->name, "%s", why.message);
    }
    return LATHE_OK;
}

lathe_result lathe_preview(const lathe_preview_document *documents, size_t n,
                           const lathe_preview_options *options, lathe_sink sink, void *user,
                           lathe_report *report, lathe_error *err)
{
    preview p = {.report = report, .mem = mem_default(), .sheet = n > 1};
    lathe_result r = read_options(options, &p.options, err);
    if (r == LATHE_OK && !n)
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "there is no document to draw");
    if (r == LATHE_OK && n > 1 && p.options.against)
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                      "one document is compared with another, not %zu", n);
    if (r != LATHE_OK)
        return r;
    if (p.options.alloc)
        p.mem = (mem){p.options.alloc, p.options.alloc_user};
    r = picture_canvas_new(&p.mem, p.options.svg ? PICTURE_SVG : PICTURE_PNG, p.options.width,
                           p.options.height, frame_colors[FRAME_BACKGROUND], &p.canvas, err);
    const frame_rect all = {0, 0, p.options.width, p.options.height};
    const char *title = p.options.title ? p.options.title : n == 1 ? documents[0].name : NULL;
    if (r == LATHE_OK && title)
        picture_title(p.canvas, title, strlen(title));
    if (r == LATHE_OK)
        r = n == 1 ? draw_one(&p, documents, 0, all, true, err) : draw_sheet(&p, documents, n, err);
    if (r == LATHE_OK)
        r = picture_canvas_write(p.canvas, sink, user, err);
    if (r == LATHE_OK)
        preview_told(&p);
    picture_canvas_free(p.canvas);
    preview_textures_free(&p);
    return r;
}
