/* doc:check() of a NIF: all of it. */
#ifndef LATHE_NIF_CHECK_H
#define LATHE_NIF_CHECK_H

#include "nif/container/check.h"

/* check_bsx.c: the bits of BSXFlags against what is in the file. */
void nif_check_bsx(const nif_checks *k);

#endif
