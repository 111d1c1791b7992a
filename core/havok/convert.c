/* doc:convert of packfiles: the document becomes the file of another game. All of it is written in that game's layout
 * first, so that what cannot be is refused before anything changes; then it takes the document's place. */
#include "havok/convert.h"

#include "havok/container.h"

#include "havok/packfile/serialize.h"

#include <stdio.h>

/* ---- classes that have no counterpart ---------------------------------------------------------------- */

enum { MOST_NAMES = 8 };

typedef struct missing {
    const char *names[MOST_NAMES];
    size_t n;
    uint32_t first; /* the part of the first object of such a class */
    bool more;      /* than names has room for */
} missing;

static void add_missing(missing *m, uint32_t part, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->names[i], name) == 0)
            return;
    if (m->n == 0)
        m->first = part;
    if (m->n < MOST_NAMES)
        m->names[m->n++] = name;
    else
        m->more = true;
}

/* Described in files of both versions, and of a signature that is known. */
static bool has_counterpart(const lathe_format *format, const char *name, int64_t from, int64_t to)
{
    return hk_carries(format, name, from, to) && (from == to || hk_signature(format, name, to));
}

static lathe_result refuse(lathe_doc *doc, const missing *m, const char *game, lathe_error *err)
{
    char list[256] = "";
    rec_at at = {
        .doc = doc, .layout = doc->parts[m->first].root, .part = m->first, .slot = REC_NO_SLOT};
    for (size_t i = 0; i < m->n; i++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", m->names[i]);
    }
    return rec_fail(&at, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                    "no counterpart in files of %s is known of %s%s", game, list,
                    m->more ? " and others" : "");
}

static lathe_result check_classes(lathe_doc *doc, const hk_head *head, lathe_error *err)
{
    missing m = {.n = 0};
    uint64_t n;
    const rec_container *c = &doc->containers[0];
    const uint32_t *objects = hk_object_list(doc, 0, &n);
    for (uint64_t i = 0; i < n; i++) {
        const char *name = hk_class_of(doc, objects[i]);
        if (!name)
            return rec_no_memory(err);
        if (!has_counterpart(c->format, name, c->version, head->version))
            add_missing(&m, objects[i], name);
    }
    return m.n ? refuse(doc, &m, hk_game_of(head->version, head->pointer), err) : LATHE_OK;
}

/* ---- the verb -------------------------------------------------------------------------------------------- */

static const char *const words[] = {"skyrim-le", "skyrim-se", "fallout4", "Skyrim LE",
                                    "Skyrim SE", "Fallout 4", "xml",      NULL};
static const rec_param to = {.name = "to",
                             .doc = "The form that it gets. That of a game, named for command "
                                    "lines or as doc.game says it; or XML.",
                             .kind = LATHE_PARAM_TEXT,
                             .values = words,
                             .positional = true,
                             .needed = true};
const rec_param *const hk_convert_params[] = {&to, NULL};

const char hk_convert_doc[] =
    "Makes it XML, or the file of another game: pointers, versions of classes, "
    "numbers of animation types and blend hints. What "
    "such files have no place for is left out and told; a class of which "
    "no counterpart is known refuses it.";

static lathe_result replace(lathe_doc *doc, hk_head *head, lathe_report *report, lathe_error *err)
{
    uint64_t objects;
    buf out;
    buf_init(&out, &doc->mem);
    hk_object_list(doc, 0, &objects);
    lathe_result r = hk_write_for(doc, 0, head, report, &out, err);
    if (r == LATHE_OK)
        r = rec_replace(doc, out.data, out.size, err);
    if (r == LATHE_OK)
        report->changed += objects;
    buf_free(&out);
    return r;
}

/* All of it is written once, so that what XML has no form for is refused, and what it does not say is counted. */
static lathe_result to_xml(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    hk_xml_losses losses = {0};
    uint64_t objects;
    buf out;
    if (rec_in_form(doc))
        return LATHE_OK;
    buf_init(&out, &doc->mem);
    hk_object_list(doc, 0, &objects);
    lathe_result r = hk_xml_of(doc, 0, &losses, &out, err);
    if (r == LATHE_OK)
        r = rec_set_param(doc, 0, REC_FORMED, err);
    if (r == LATHE_OK) {
        report->changed += objects;
        hk_tell_losses(&losses, report);
    }
    buf_free(&out);
    return r;
}

/* The packfile in memory is what the text becomes where it has that game's layout. */
static lathe_result from_xml(lathe_doc *doc, lathe_report *report, lathe_error *err)
{
    uint64_t objects;
    hk_object_list(doc, 0, &objects);
    lathe_result r = rec_set_param(doc, 0, 0, err);
    if (r == LATHE_OK)
        report->changed += objects;
    return r;
}

lathe_result hk_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err)
{
    lathe_report none = {.size = sizeof none};
    lathe_doc *doc = self.doc;
    lathe_value game = {.kind = LATHE_KIND_NONE};
    hk_head head = {.version = 0};
    report = report ? report : &none;
    const rec_container *c = &doc->containers[doc->parts[self.part].container];
    rec_arg(args, "to", &game);
    hk_head_of_game(&game, &head);
    if (c != &doc->containers[0])
        return error_set(
            err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
            "a packfile inside another file has the game of that file: convert the file");
    bool same = c->version == head.version && c->pointer == head.pointer && c->big == head.big;
    lathe_result r = rec_make_ready(doc, err); /* animations that this edit changed */
    if (r == LATHE_OK && rec_text_is(&game, "xml"))
        return to_xml(doc, report, err);
    if (same)
        return r == LATHE_OK && rec_in_form(doc) ? from_xml(doc, report, err) : r;
    if (r == LATHE_OK)
        r = check_classes(doc, &head, err);
    return r == LATHE_OK ? replace(doc, &head, report, err) : r;
}
