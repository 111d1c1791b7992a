/* Texts compared and replaced by patterns with stars, as games compare paths: upper and lower case, and both slashes, are
 * the same. */
#ifndef LATHE_MODEL_PATTERN_H
#define LATHE_MODEL_PATTERN_H

#include "lathe.h"

#include "base/mem.h"

enum { MODEL_STARS = 16 };

typedef struct model_piece {
    const char *p;
    size_t n;
} model_piece;

/* A text cut at its stars: pieces[0] * pieces[1] * … The text must outlive it. */
typedef struct model_pattern {
    model_piece pieces[MODEL_STARS + 1];
    size_t stars;
} model_pattern;

/* Refuses more than MODEL_STARS stars. */
lathe_result model_pattern_cut(const lathe_value *text, model_pattern *out, lathe_error *err);
/* Whether a text matches as a whole. Each star takes as little as it can, from the left, and the last one what is left:
 * `taken` has room for MODEL_STARS. */
bool model_pattern_match(const model_pattern *from, const char *p, size_t n, model_piece *taken);
/* Appends the text that `to` makes of what the stars took. False: out of memory. */
bool model_pattern_put(buf *out, const model_pattern *to, const model_piece *taken);

/* Whether n bytes are the same to the games. */
bool model_same_text(const char *a, const char *b, size_t n);

#endif
