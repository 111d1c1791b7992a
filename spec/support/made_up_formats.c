/* Takes the place of core/formats.c. */
#include "made_up.h"

const lathe_format *const rec_formats[] = {&made_up_parts,
                                           &made_up_pack,
                                           &made_up_nested,
                                           &made_up_nested_big,
                                           &made_up_laid,
                                           &made_up_words,
                                           &made_up_linked,
                                           &made_up_tiers,
                                           &made_up_bush,
                                           &made_up_moves,
                                           &made_up_walk,
                                           &made_up_keys,
                                           &made_up_shapes,
                                           &made_up_blocks,
                                           &made_up_bits,
                                           &made_up_own,
                                           NULL};
