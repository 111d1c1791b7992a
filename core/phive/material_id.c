/* Which material of the game's collection is meant by a number or a name. */
#include "phive/edits.h"

#include <stdlib.h>

bool phive_text_number(const char *p, size_t n, uint32_t *number)
{
    uint64_t v = 0;
    bool hex = n > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t from = hex ? 2 : 0;
    if (from == n)
        return false;
    for (size_t i = from; i < n; i++) {
        char c = (char)(p[i] >= 'A' && p[i] <= 'F' ? p[i] - 'A' + 'a' : p[i]);
        bool digit = c >= '0' && c <= '9', letter = hex && c >= 'a' && c <= 'f';
        if (!digit && !letter)
            return false;
        v = v * (hex ? 16 : 10) + (uint64_t)(digit ? c - '0' : c - 'a' + 10);
        if (v > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)v;
    return true;
}

lathe_result phive_material_id(lathe_doc *doc, uint32_t c, const lathe_value *v, uint32_t *id,
                               lathe_error *err)
{
    double number;
    (void)doc;
    (void)c;
    if (v->kind == LATHE_KIND_STRING && phive_text_number(v->as.s.p, v->as.s.n, id))
        return LATHE_OK;
    if (v->kind == LATHE_KIND_STRING)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no known material '%.*s'",
                         (int)(v->as.s.n < 60 ? v->as.s.n : 60), v->as.s.p);
    if (!rec_number(v, &number) || !(number >= 0 && number <= UINT32_MAX) ||
        number != (double)(uint32_t)number)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a material's name or a number from 0 to 4294967295 expected");
    *id = (uint32_t)number;
    return LATHE_OK;
}
