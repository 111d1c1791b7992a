/* Pattern matching and replacement with stars. Like paths in the games, comparisons ignore case and treat both
 * slashes as the same. */
#ifndef LATHE_MODEL_PATTERN_H
#define LATHE_MODEL_PATTERN_H

#include "lathe.h"

#include "base/mem.h"

enum { MODEL_STARS = 16 };

typedef struct model_piece {
    const char *p;
    size_t n;
} model_piece;

/* A pattern split at its stars: pieces[0] * pieces[1] * … The text is borrowed. */
typedef struct model_pattern {
    model_piece pieces[MODEL_STARS + 1];
    size_t stars;
} model_pattern;

/* Refuses more than MODEL_STARS stars. */
lathe_result model_pattern_cut(const lathe_value *text, model_pattern *out, lathe_error *err);
/* Whether the whole text matches. Each star matches as little as possible, from the left, and the last one the rest.
 * `taken` has room for MODEL_STARS matches. */
bool model_pattern_match(const model_pattern *from, const char *p, size_t n, model_piece *taken);
/* Appends the pattern `to` with its stars replaced by the matches. False: out of memory. */
bool model_pattern_put(buf *out, const model_pattern *to, const model_piece *taken);

/* Whether n bytes are equal, ignoring case and the kind of slash. */
bool model_same_text(const char *a, const char *b, size_t n);

#endif
