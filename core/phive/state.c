/* The parts of a shape file, and its cached state. */
#include "phive/names.h"
#include "phive/phive.h"

uint32_t phive_row(phive_part which)
{
    return PHIVE_ROW_TAGFILE + which;
}

uint32_t phive_part_of(lathe_doc *doc, uint32_t c, phive_part which)
{
    return rec_kid(doc, doc->containers[c].root, phive_row(which), 0);
}

phive_state *phive_state_of(const lathe_doc *doc, uint32_t c)
{
    return doc->containers[c].index;
}

lathe_result phive_state_begin(lathe_doc *doc, uint32_t c, int64_t variant, lathe_error *err)
{
    rec_container *container = &doc->containers[c];
    phive_state *state = container->index;
    if (!state)
        state = mem_zalloc(&doc->mem, sizeof *state);
    if (!state)
        return rec_no_memory(err);
    container->index = state;
    container->index_size = sizeof *state;
    return phive_names_read(doc, variant, &state->names, err);
}

const phive_names *phive_names_of(const lathe_doc *doc, uint32_t c)
{
    const phive_state *state = phive_state_of(doc, c);
    return state && state->names.of ? &state->names
                                    : phive_names_built_in(doc->containers[c].version);
}
