/* The scene's data of a document, made on first use and freed with the document. */
#ifndef LATHE_SCENE_STATE_H
#define LATHE_SCENE_STATE_H

#include "record/record.h"

struct scene_draft;
struct scene_notes;
struct scene_rigs;

typedef struct scene_state {
    struct scene_rigs *
        /* skeletons and animations by name (rigs.h). NULL: none cached and none linked */
        rigs;
    struct scene_notes *notes;   /* annotations in time order (annotations.h). NULL: none cached */
    struct scene_draft **drafts; /* pending poses of the open edit (draft.h) */
    size_t drafts_n, drafts_cap;
} scene_state;

/* NULL: no memory. */
scene_state *scene_state_of(lathe_doc *doc);

#endif
