/* Havok packfiles: .hkx, and blocks of NIF files. */
#ifndef LATHE_HAVOK_HKX_H
#define LATHE_HAVOK_HKX_H

#include "record/schema.h"

extern const lathe_format format_hkx;

#endif
