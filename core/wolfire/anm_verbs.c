/* Verbs of animations. Their list is here; those that need the maths of poses have files of their own. */
#include "wolfire/anm.h"

const rec_verb anm_verbs[] = {
    {0},
};
