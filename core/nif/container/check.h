/* Shared data of the checks of all rooms. */
#ifndef LATHE_NIF_CONTAINER_CHECK_H
#define LATHE_NIF_CONTAINER_CHECK_H

#include "nif/container/container.h"

typedef struct nif_checks {
    lathe_doc *doc;
    rec_report *report;
    uint32_t c;      /* the container */
    uint64_t blocks; /* number of blocks */
    bool complete;   /* every block has a known type and can be parsed */
} nif_checks;

#endif
