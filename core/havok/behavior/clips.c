/* Clip generators: new ones, and the animations that they play. */
#include "havok/behavior/edit.h"
#include "havok/behavior/verbs.h"

#include <stdio.h>
#include <string.h>

/* ---- replacing animations -------------------------------------------------------------------------------------- */

static const rec_param was = {.name = "from",
                              .doc = "Animation as clips and characters name it; compared without "
                                     "case, and with / as \\.",
                              .kind = LATHE_PARAM_TEXT,
                              .positional = true,
                              .needed = true};
static const rec_param becomes = {.name = "to",
                                  .doc = "Animation that is played instead.",
                                  .kind = LATHE_PARAM_TEXT,
                                  .positional = true,
                                  .needed = true};
const rec_param *const hk_replace_animation_params[] = {&was, &becomes, NULL};

static char plain(char c)
{
    return c == '/' ? '\\' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_path(const lathe_value *a, const char *p, uint64_t n)
{
    bool same = a->as.s.n == n;
    for (size_t i = 0; same && i < n; i++)
        same = plain(a->as.s.p[i]) == plain(p[i]);
    return same;
}

static lathe_result replace_in_clips(lathe_doc *doc, const buf *clips, const lathe_value *from,
                                     const lathe_value *to, uint64_t *changed, lathe_error *err)
{
    uint32_t part;
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < clips->size / sizeof part; i++) {
        const char *text;
        uint64_t n;
        memcpy(&part, clips->data + i * sizeof part, sizeof part);
        rec_at at = hk_object(doc, part);
        r = hk_read_text(&at, "animation_name", &text, &n, err);
        if (r != LATHE_OK || !text || !is_path(from, text, n))
            continue;
        r = hkb_put_value(&at, "animation_name", to, err);
        ++*changed;
    }
    return r;
}

static lathe_result replace_in_files(const buf *files, const lathe_value *from,
                                     const lathe_value *to, uint64_t *changed, lathe_error *err)
{
    hk_file f;
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < files->size / sizeof f; i++) {
        rec_at at;
        uint32_t none;
        lathe_value v;
        memcpy(&f, files->data + i * sizeof f, sizeof f);
        r = rec_enter(&f.record, &at, &none, err);
        if (r == LATHE_OK)
            r = rec_get_item(&at, f.slot, f.i, false, &v, err);
        if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || !is_path(from, v.as.s.p, v.as.s.n))
            continue;
        r = rec_set_item(&at, f.slot, f.i, to, err);
        ++*changed;
    }
    return r;
}

typedef struct files_of {
    lathe_doc *doc;
    const hk_graph *g;
} files_of;

/* Names of animations, for suggestions. */
static const char *next_animation(void *user, size_t i)
{
    const files_of *of = user;
    uint32_t part;
    if (i >= of->g->clips.size / sizeof part)
        return NULL;
    memcpy(&part, of->g->clips.data + i * sizeof part, sizeof part);
    rec_at at = hk_object(of->doc, part);
    const char *text = hk_text(&at, "animation_name");
    return text ? text : "";
}

static lathe_result note_none(lathe_doc *doc, uint32_t c, const lathe_value *from,
                              lathe_report *report, lathe_error *err)
{
    const hk_graph *g;
    char text[96];
    lathe_result r = hk_graph_of(doc, c, &g, err);
    if (r != LATHE_OK)
        return r;
    files_of of = {doc, g};
    snprintf(text, sizeof text, "%.*s", (int)(from->as.s.n < 90 ? from->as.s.n : 90), from->as.s.p);
    const char *near = error_nearest(text, next_animation, &of);
    hk_report_note(report,
                   near ? "no clip or character names the animation '%s'; did you mean '%.90s'?"
                        : "no clip or character names the animation '%s'",
                   text, near);
    return r;
}

lathe_result hk_replace_animation(lathe_view self, const lathe_source *args, lathe_report *report,
                                  lathe_error *err)
{
    const hk_graph *g;
    lathe_value from, to;
    uint64_t changed = 0;
    buf clips, files;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_of(doc, c, &g, err);
    if (r != LATHE_OK || !rec_arg(args, "from", &from) || !rec_arg(args, "to", &to))
        return r;
    if (!to.as.s.n)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the name of an animation cannot be empty");
    buf_init(&clips, &doc->mem); /* the graph's lists go with the first change */
    buf_init(&files, &doc->mem);
    bool ok = (!g->clips.size || buf_put(&clips, g->clips.data, g->clips.size)) &&
              (!g->files.size || buf_put(&files, g->files.data, g->files.size));
    r = ok ? replace_in_clips(doc, &clips, &from, &to, &changed, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = replace_in_files(&files, &from, &to, &changed, err);
    buf_free(&clips);
    buf_free(&files);
    if (r == LATHE_OK && !changed)
        r = note_none(doc, c, &from, report, err);
    if (r == LATHE_OK && report)
        report->changed += changed;
    return r;
}

/* ---- new clips ------------------------------------------------------------------------------------------------- */

static const rec_param name = {.name = "name",
                               .doc = "Name of the clip generator, which no other node has.",
                               .kind = LATHE_PARAM_TEXT,
                               .positional = true,
                               .needed = true};
static const rec_param animation = {.name = "animation",
                                    .doc = "Animation that it plays, as the character lists it.",
                                    .kind = LATHE_PARAM_TEXT,
                                    .positional = true,
                                    .needed = true};
static const rec_param into = {.name = "into",
                               .doc = "Where it goes: a blender or selector of the graph, a state "
                                      "or other node without a generator, or its name.",
                               .kind = LATHE_PARAM_ANY,
                               .needed = true};
static const char *const modes[] = {"single", "loop", "user", "ping_pong", NULL};
static const rec_param mode = {.name = "mode",
                               .doc = "What happens at the end of the animation. Default: single.",
                               .kind = LATHE_PARAM_TEXT,
                               .values = modes};
static const rec_param speed = {.name = "speed",
                                .doc = "Factor of speed; negative plays backwards. Default: 1.",
                                .kind = LATHE_PARAM_NUMBER};
static const rec_param event = {.name = "event",
                                .doc = "Name or id of an event that the clip sends …",
                                .kind = LATHE_PARAM_ANY};
static const rec_param at_time = {.name = "at",
                                  .doc = "… and when. Default: at its start.",
                                  .unit = "s",
                                  .kind = LATHE_PARAM_NUMBER};
const rec_param *const hk_add_clip_params[] = {&name,  &animation, &into,    &mode,
                                               &speed, &event,     &at_time, NULL};

lathe_result hk_make_clip(lathe_doc *doc, uint32_t c, const lathe_value *clip_name,
                          const lathe_value *file, rec_at *out, lathe_error *err)
{
    if (!file->as.s.n)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the name of an animation cannot be empty");
    lathe_result r = hkb_append_object(doc, c, "hkbClipGenerator", out, err);
    if (r == LATHE_OK)
        r = hkb_put_value(out, "name", clip_name, err);
    return r == LATHE_OK ? hkb_put_value(out, "animation_name", file, err) : r;
}

/* Puts a clip below another node. */
static lathe_result put_into(lathe_doc *doc, uint32_t c, const rec_at *to, const rec_at *clip,
                             lathe_error *err)
{
    rec_at child;
    const rec_type *type = to->layout->type;
    if (rec_is_a(type, &hkb_manual_selector_generator))
        return hkb_append_pointer(to, "generators", clip, err);
    if (rec_is_a(type, &hkb_blender_generator)) {
        lathe_result r = hkb_append_object(doc, c, "hkbBlenderGeneratorChild", &child, err);
        if (r == LATHE_OK)
            r = hkb_put_integer(&child, "weight", 1, err);
        if (r == LATHE_OK)
            r = hkb_point_to(&child, "generator", clip, err);
        return r == LATHE_OK ? hkb_append_pointer(to, "children", &child, err) : r;
    }
    if (rec_slot_find(to->layout, "generator") == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "option 'into': a %s has no place for a clip generator",
                         rec_type_name(type));
    if (hk_target(to, "generator", 0) != REC_NO_PART)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "option 'into': this %s has a generator already", rec_type_name(type));
    return hkb_point_to(to, "generator", clip, err);
}

/* Fails if a node has the name. */
static lathe_result check_name(lathe_doc *doc, uint32_t c, const lathe_value *text,
                               lathe_error *err)
{
    rec_at node;
    uint64_t found;
    if (!text->as.s.n)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "a name cannot be empty");
    lathe_result r = hk_objects_named(doc, c, text, &hkb_node, &node, &found, err);
    if (r == LATHE_OK && found)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "there is a node '%.*s' already",
                      (int)(text->as.s.n < 90 ? text->as.s.n : 90), text->as.s.p);
    return r;
}

static lathe_result add_trigger(lathe_doc *doc, uint32_t c, const rec_at *clip, uint64_t id,
                                const lathe_source *args, lathe_error *err)
{
    rec_at array, trigger, sent;
    lathe_result r = hkb_append_object(doc, c, "hkbClipTriggerArray", &array, err);
    if (r == LATHE_OK)
        r = hkb_append(&array, "triggers", &trigger, err);
    if (r == LATHE_OK)
        r = hkb_take_option(&trigger, "local_time", args, "at", err);
    if (r == LATHE_OK)
        r = rec_sub(&trigger, rec_slot_find(trigger.layout, "event"), 0, &sent, err);
    if (r == LATHE_OK)
        r = hkb_put_integer(&sent, "id", (int64_t)id, err);
    return r == LATHE_OK ? hkb_point_to(clip, "triggers", &array, err) : r;
}

static lathe_result fill(const rec_at *clip, const lathe_source *args, lathe_error *err)
{
    lathe_value v;
    int64_t number = 0;
    if (rec_arg(args, "mode", &v))
        while (modes[number] && !rec_text_is(&v, modes[number]))
            number++;
    lathe_result r = hkb_put_integer(clip, "mode", number, err);
    return r == LATHE_OK ? hkb_take_option(clip, "playback_speed", args, "speed", err) : r;
}

lathe_result hk_add_clip(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    const hk_graph *g;
    lathe_value text, file, v;
    rec_at to, clip;
    uint64_t id = 0;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    bool sends = rec_arg(args, "event", &v);
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r != LATHE_OK || !rec_arg(args, "name", &text) || !rec_arg(args, "animation", &file))
        return r;
    if (!sends && rec_arg(args, "at", &v))
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "option 'at': the event that is sent then is missing");
    if (r == LATHE_OK)
        r = check_name(doc, c, &text, err);
    if (r == LATHE_OK)
        r = hk_object_option(doc, c, args, "into", &hkb_bindable, &to, err);
    if (r == LATHE_OK && sends)
        r = hk_number_option(doc, g, HK_EVENTS, args, "event", &id, err);
    if (r == LATHE_OK)
        r = hk_make_clip(doc, c, &text, &file, &clip, err);
    if (r == LATHE_OK)
        r = fill(&clip, args, err);
    if (r == LATHE_OK && sends)
        r = add_trigger(doc, c, &clip, id, args, err);
    if (r == LATHE_OK)
        r = put_into(doc, c, &to, &clip, err);
    if (r == LATHE_OK && report) {
        report->changed++;
        hk_report_record(report, "clip", &clip);
    }
    return r;
}
