/* What the checks of all rooms work with. */
#ifndef LATHE_NIF_CONTAINER_CHECK_H
#define LATHE_NIF_CONTAINER_CHECK_H

#include "nif/container/container.h"

typedef struct nif_checks {
    lathe_doc *doc;
    rec_report *report;
    uint32_t c;      /* the container */
    uint64_t blocks; /* how many are known */
    bool complete;   /* every block of the file is described and parses */
} nif_checks;

#endif
