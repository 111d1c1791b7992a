/* doc:check() of a NIF file. */
#ifndef LATHE_NIF_CHECK_H
#define LATHE_NIF_CHECK_H

#include "nif/container/check.h"

/* check_bsx.c: compares the bits of BSXFlags with the contents of the file. */
void nif_check_bsx(const nif_checks *k);

#endif
