/* Pictures of animations. */
#ifndef LATHE_PREVIEW_FLAT_H
#define LATHE_PREVIEW_FLAT_H

#include "preview/preview.h"

/* The curves of the track in the options, of the clip in the options or in `doc`. `other`: a document whose clip is compared
 * with it, and its name; or NULL. LATHE_ERR_NAME: no track is asked for, or none has that name. */
lathe_result preview_track_shot(preview *p, lathe_doc *doc, lathe_doc *other,
                                const char *other_name, frame_rect box, frame_text title,
                                lathe_error *err);
/* Poses of the clip in the options or in `doc`, side by side: skinned meshes, else bones. LATHE_ERR_STATE: there is no skeleton. */
lathe_result preview_strip_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                                lathe_error *err);

#endif
