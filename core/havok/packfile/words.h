/* The pointer size of the container, for expressions in the tables of classes. */
#ifndef LATHE_HAVOK_WORDS_H
#define LATHE_HAVOK_WORDS_H

#define HK_POINTER(s) ((s)->pointer)
#define HK_AT_POINTER(at) ((at)->doc->containers[(at)->layout->container].pointer)

#endif
