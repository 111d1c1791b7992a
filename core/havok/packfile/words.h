/* What expressions of the classes' tables ask: the width of the container's pointers. */
#ifndef LATHE_HAVOK_WORDS_H
#define LATHE_HAVOK_WORDS_H

#define HK_POINTER(s) ((s)->pointer)
#define HK_AT_POINTER(at) ((at)->doc->containers[(at)->layout->container].pointer)

#endif
