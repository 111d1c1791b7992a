#ifndef LATHE_WOLFIRE_FZX_H
#define LATHE_WOLFIRE_FZX_H

#include "gen/wolfire_types.h"
#include "record/types.h"
#include "scene/hooks.h"
#include "wolfire/wolfire.h"

enum { FZX_PER_BONE = 5 }; /* maximum number of volumes of one bone in the game */

typedef enum fzx_kind { FZX_NONE = 0, FZX_SIDE, FZX_SHAPE, FZX_MIRROR, FZX_PART } fzx_kind;

typedef struct fzx_word {
    const char *text;
    fzx_kind kind;
    bool sided; /* a part that needs a side */
} fzx_word;

/* How the game interprets a label: the last word of each kind is used; NULL: there is none. */
typedef struct fzx_label {
    const fzx_word *side, *shape, *part;
    bool mirrored;
} fzx_label;

/* Swaps the sides in a label in place: each word l becomes r, and r l, in the same case. */
void fzx_swap_sides(char *text, size_t n);
/* The word that a token means, ignoring case; NULL: none. */
const fzx_word *fzx_word_of(const char *token, size_t n);

extern const scene_hooks fzx_scene; /* fzx_body.c */
lathe_result fzx_label_of(const rec_at *object, fzx_label *label, lathe_error *err);

/* Checks a ragdoll against the skeleton passed to check: reports bones that the labels need and the skeleton
 * lacks (fzx_rig.c). */
void fzx_check_skeleton(const rec_at *root, rec_report *r);
/* The verbs (fzx_mirror.c). */
lathe_result fzx_mirror(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err);
lathe_result fzx_rename(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err);

#endif
