/* Pattern matching and replacement with stars. */
#include "model/pattern.h"

#include "base/error.h"

lathe_result model_pattern_cut(const lathe_value *text, model_pattern *out, lathe_error *err)
{
    const char *p = text->as.s.p;
    out->stars = 0;
    out->pieces[0] = (model_piece){p, 0};
    for (size_t i = 0; i < text->as.s.n; i++) {
        if (p[i] != '*') {
            out->pieces[out->stars].n++;
            continue;
        }
        if (out->stars == MODEL_STARS)
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "more than %d * in '%.*s'",
                             MODEL_STARS, (int)(text->as.s.n < 80 ? text->as.s.n : 80), p);
        out->pieces[++out->stars] = (model_piece){p + i + 1, 0};
    }
    return LATHE_OK;
}

static unsigned char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned char)(c - 'A' + 'a');
    return c == '/' ? '\\' : (unsigned char)c;
}

bool model_same_text(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fold(a[i]) != fold(b[i]))
            return false;
    return true;
}

/* The shortest match from the left succeeds whenever any does. */
bool model_pattern_match(const model_pattern *from, const char *p, size_t n, model_piece *taken)
{
    const model_piece *head = &from->pieces[0], *tail = &from->pieces[from->stars];
    if (!from->stars)
        return n == head->n && model_same_text(p, head->p, n);
    if (n < head->n || n - head->n < tail->n || !model_same_text(p, head->p, head->n) ||
        !model_same_text(p + n - tail->n, tail->p, tail->n))
        return false;
    size_t at = head->n, end = n - tail->n;
    for (size_t k = 1; k < from->stars; k++) {
        const model_piece *mid = &from->pieces[k];
        size_t start = at;
        while (end - at >= mid->n && !model_same_text(p + at, mid->p, mid->n))
            at++;
        if (end - at < mid->n)
            return false;
        taken[k - 1] = (model_piece){p + start, at - start};
        at += mid->n;
    }
    taken[from->stars - 1] = (model_piece){p + at, end - at};
    return true;
}

bool model_pattern_put(buf *out, const model_pattern *to, const model_piece *taken)
{
    bool ok = buf_put(out, to->pieces[0].p, to->pieces[0].n);
    for (size_t k = 0; ok && k < to->stars; k++)
        ok = buf_put(out, taken[k].p, taken[k].n) &&
             buf_put(out, to->pieces[k + 1].p, to->pieces[k + 1].n);
    return ok;
}
