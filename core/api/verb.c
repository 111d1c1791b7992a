/* Public functions for verbs: calls one with checked arguments. */
#include "api/api.h"
#include "scene/draft.h"

static const char *next_verb(void *user, size_t i)
{
    const lathe_view *view = user;
    const lathe_format *format = rec_format_of(*view);
    for (const rec_verb *v = NULL; (v = rec_verb_next(format, v)) != NULL;)
        if (rec_verb_suits(*view, v) && i-- == 0)
            return v->name;
    return NULL;
}

/* A format's own verbs may read and change bytes directly, so pending poses are encoded first. */
static lathe_result run(const rec_verb *v, lathe_view self, const lathe_source *args,
                        lathe_report *report, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (!v->query && !v->is)
        r = scene_drafts_settle(self.doc, report, err);
    if (r == LATHE_OK)
        r = rec_sync(&self, err);
    return r == LATHE_OK ? v->run(self, args, report, err) : r;
}

lathe_result lathe_view_call(lathe_view view, const char *verb, const lathe_source *args,
                             lathe_report *report, lathe_error *err)
{
    const rec_verb *v = rec_verb_find(view, verb);
    if (!v) {
        const char *near = error_nearest(verb, next_verb, &view);
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         near ? "no verb '%s' for %s; did you mean '%s'?" : "no verb '%s' for %s",
                         verb, lathe_view_type(view), near);
    }
    lathe_result r = rec_check_args(v, args, err);
    if (r == LATHE_OK)
        r = rec_sync(&view, err);
    if (r != LATHE_OK || (r = rec_begin(view.doc, err)) != LATHE_OK)
        return r;
    lathe_doc *doc = view.doc;
    lathe_report *outer = doc->verb_report;
    doc->verb_report = report ? report : outer;
    r = rec_end(doc, run(v, view, args, report, err), err);
    doc->verb_report = outer;
    return r;
}
