/* Verbs of animations, the same for all formats that write them: on a document (all its animations) or on one. A format's own
 * verb of a name comes first. */
#ifndef LATHE_RECORD_CLIP_VERBS_H
#define LATHE_RECORD_CLIP_VERBS_H

#include "record/clip.h"

extern const rec_verb rec_clip_verbs[]; /* the last one has no name */

/* Whether it is one of them; and whether a view has it: a document with animations that can be written, or one of these. */
bool rec_clip_verb_is(const rec_verb *verb);
bool rec_clip_verb_suits(lathe_view view, const rec_verb *verb);
/* Of a format: its own verbs, then those of animations that it has none of its own of. NULL past the last. */
const rec_verb *rec_verb_at(const lathe_format *format, size_t i);

#endif
