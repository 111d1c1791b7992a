/* The classes of skeletons and animations, as packfiles have them (animation/schema). */
#ifndef LATHE_HAVOK_ANIMATION_TYPES_H
#define LATHE_HAVOK_ANIMATION_TYPES_H

#include "gen/animation_types.h"
#include "gen/packfile_types.h"

#endif
