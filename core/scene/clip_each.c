/* Runs an animation verb on one animation, or on all of a document. */
#include "scene/clip_verbs_part.h"
#include "scene/motion_verbs.h"

#include <stdio.h>

typedef struct named_report {
    lathe_report *to;
    char in[48]; /* "animations[2]", or "" */
} named_report;

static void skipped_in(void *user, const char *path, const char *reason)
{
    const named_report *named = user;
    char text[320];
    if (named->in[0])
        snprintf(text, sizeof text, "%s.%s", named->in, path);
    named->to->skipped(named->to->user, named->in[0] ? text : path, reason);
}

/* Puts the animation's name in front of notes, which are texts. */
static void result_in(void *user, const char *name, const lathe_value *value)
{
    const named_report *named = user;
    char text[480];
    lathe_value v = *value;
    if (named->in[0] && v.kind == LATHE_KIND_STRING) {
        int n = v.as.s.n < 400 ? (int)v.as.s.n : 400;
        snprintf(text, sizeof text, "%s: %.*s", named->in, n, v.as.s.p);
        v.as.s.p = text;
        v.as.s.n = strlen(text);
    }
    named->to->result(named->to->user, name, &v);
}

static lathe_result one_clip(clip_job *job, lathe_report *report, const char *in, clip_work *work,
                             lathe_error *err)
{
    named_report named = {.to = report};
    lathe_report own = {.size = sizeof own, .user = &named};
    if (report && report->skipped)
        own.skipped = skipped_in;
    if (report && report->result)
        own.result = result_in;
    snprintf(named.in, sizeof named.in, "%s", in);
    job->report = &own;
    model_motion_init(&job->m, &job->doc->mem);
    arena_init(&job->texts, &job->doc->mem);
    lathe_result r = scene_motion_take(&job->clip, NULL, &job->m, err);
    if (r == LATHE_OK) {
        r = work(job, err);
        if (r == LATHE_OK && own.changed)
            r = scene_motion_put(&job->clip, &job->m, NULL, err);
        model_motion_free(&job->m);
    }
    arena_free(&job->texts);
    if (report)
        report->changed += own.changed;
    if (r != LATHE_OK && in[0])
        error_where(err, in);
    return r;
}

lathe_result clip_each(const char *verb, lathe_view self, const lathe_source *args,
                       lathe_report *report, clip_work *work, lathe_error *err)
{
    clip_job job = {.verb = verb, .doc = self.doc, .args = args};
    char in[48] = "";
    uint64_t n = 0;
    bool all = lathe_view_same(self, lathe_doc_root(self.doc));
    if (!all) {
        lathe_result r = scene_clip_of(self, &job.clip, err);
        return r == LATHE_OK ? one_clip(&job, report, "", work, err) : r;
    }
    lathe_result r = scene_count(self.doc, LATHE_ANIMATIONS, &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = scene_clip_open(self.doc, i, &job.clip, err);
        if (n > 1)
            snprintf(in, sizeof in, "animations[%llu]", (unsigned long long)i + 1);
        if (r == LATHE_OK)
            r = one_clip(&job, report, in, work, err);
    }
    return r;
}
