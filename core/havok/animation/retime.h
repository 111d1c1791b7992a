/* Animations made faster or slower (retime.c). */
#ifndef LATHE_HAVOK_ANIMATION_RETIME_H
#define LATHE_HAVOK_ANIMATION_RETIME_H

#include "model/retime.h"
#include "record/record.h"

/* The verb, of an animation or of all in a document. */
extern const rec_param *const hk_retime_params[];
lathe_result hk_retime(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err);

#define HK_RETIME(of)                                                                              \
    {                                                                                              \
        .name = "retime", .type = (of),                                                            \
        .doc = "Faster or slower, by one of speed, duration, fps. Frames, annotations and root "   \
               "motion move along; no spline is touched.",                                         \
        .params = hk_retime_params, .run = hk_retime                                               \
    }

#endif
