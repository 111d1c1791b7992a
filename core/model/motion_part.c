/* Functions that the operations on motions share: reports, and root motion of a frame. */
#include "model/motion_part.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- reports ------------------------------------------------------------------------------------------ */

uint64_t motion_numbers(const model_motion *m)
{
    return m->frame_count * (m->track_count + m->float_count + (m->moves ? 1 : 0));
}

void motion_changed(lathe_report *report, uint64_t n)
{
    if (report)
        report->changed += n;
}

void motion_skipped(lathe_report *report, const char *path, const char *reason)
{
    if (report && report->skipped)
        report->skipped(report->user, path, reason);
}

void motion_note(lathe_report *report, const char *fmt, ...)
{
    char text[400];
    va_list args;
    if (!report || !report->result)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const lathe_value value = {.kind = LATHE_KIND_STRING, .as.s = {text, strlen(text)}};
    report->result(report->user, "notes", &value);
}

/* ---- root motion -------------------------------------------------------------------------------------- */

void motion_read_move(const model_motion *m, uint64_t i, double *out)
{
    for (size_t k = 0; k < MODEL_MOVE; k++)
        out[k] = (double)m->moves[i * MODEL_MOVE + k];
}

void motion_write_move(model_motion *m, uint64_t i, const double *move)
{
    float *to = m->moves + i * MODEL_MOVE;
    for (size_t k = 0; k < MODEL_MOVE; k++) {
        float now = (float)move[k];
        if (now < to[k] || now > to[k] || isnan(now) != isnan(to[k]))
            to[k] = now;
    }
}
