/* Two documents side by side, with what differs marked. */
#ifndef LATHE_PREVIEW_AGAINST_H
#define LATHE_PREVIEW_AGAINST_H

#include "preview/preview.h"

/* Draws `doc` on the left and `other` on the right. title: the name of `doc`. */
lathe_result preview_against_shot(preview *p, lathe_doc *doc, lathe_doc *other,
                                  const char *other_name, frame_rect box, frame_text title,
                                  lathe_error *err);

#endif
