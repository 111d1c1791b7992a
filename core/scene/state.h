/* What the scene keeps with a document: made when somebody asks for it, gone with the document. */
#ifndef LATHE_SCENE_STATE_H
#define LATHE_SCENE_STATE_H

#include "record/record.h"

struct scene_draft;
struct scene_notes;
struct scene_rigs;

typedef struct scene_state {
    struct scene_rigs *
        rigs; /* skeletons and animations by name (rigs.h). NULL: nobody asked, and none is linked */
    struct scene_notes *notes;   /* annotations in time order (annotations.h). NULL: nobody asked */
    struct scene_draft **drafts; /* animations that the open edit changed: draft.h */
    size_t drafts_n, drafts_cap;
} scene_state;

/* NULL: no memory. */
scene_state *scene_state_of(lathe_doc *doc);

#endif
