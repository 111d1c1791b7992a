/* What one can do with files that describe their own classes. */
#ifndef LATHE_HAVOK_NAMED_VERBS_H
#define LATHE_HAVOK_NAMED_VERBS_H

#include "record/schema.h"

extern const rec_verb hk_named_verbs[];

#endif
