/* The control points that bring a curve nearest to samples, its knots given: least squares, whose matrix has as
 * many diagonals as the curve's degree. */
#include "havok/animation/maths/spline_fit.h"

#include <math.h>

void hk_fit_basis(const hk_fit_shape *c, unsigned s, double u, double out[HK_DEGREE_MAX + 1])
{
    const uint8_t *k = c->knots;
    out[0] = 1;
    for (unsigned i = 1; i <= c->degree; i++) {
        double carry = 0;
        for (unsigned j = 0; j < i; j++) {
            double left = u - k[s + 1 + j - i], right = k[s + 1 + j] - u;
            double part = left + right > 0 ? out[j] / (left + right) : 0;
            out[j] = carry + right * part;
            carry = left * part;
        }
        out[i] = carry;
    }
}

static double length_of(const double *v, unsigned lanes)
{
    double sum = 0;
    for (unsigned i = 0; i < lanes; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static void place_vector(const hk_fit_target *t, hk_fit_shape *c, unsigned i, const double *v)
{
    bool small = t->packing == HK_SCALAR8;
    for (unsigned a = 0; a < t->lanes; a++) {
        uint16_t n =
            hk_pack_scalar(t->low[a], t->high[a], small ? 255 : 65535, v[a], &c->points[i][a]);
        if (small)
            bytes_st8(c->packed[i] + a, (uint8_t)n);
        else
            bytes_st16(c->packed[i] + (size_t)2 * a, n, false);
    }
}

void hk_fit_place(const hk_fit_target *t, hk_fit_shape *c, unsigned i, const double v[4])
{
    double unit[4] = {0, 0, 0, 1}, length;
    if (t->lanes < 4) {
        place_vector(t, c, i, v);
        return;
    }
    length = length_of(v, 4);
    for (unsigned a = 0; length > 0 && a < 4; a++)
        unit[a] = v[a] / length;
    hk_pack_rotation(t->packing, unit, c->packed[i], c->points[i]);
}

/* ---- least squares ----------------------------------------------------------------------------------- */

/* Keeps the matrix regular where no frame tells a point where to be. */
static const double pull = 1e-7;

static void begin(hk_fitter *f, const hk_fit_shape *c, unsigned first, unsigned last)
{
    const hk_fit_target *t = &f->target;
    for (unsigned i = first; i <= last; i++) {
        unsigned middle = 0;
        for (unsigned j = 1; j <= c->degree; j++)
            middle += c->knots[i + j];
        middle = (middle + c->degree / 2) / c->degree;
        memset(f->matrix[i], 0, sizeof f->matrix[i]);
        f->matrix[i][0] = pull;
        for (unsigned a = 0; a < t->lanes; a++)
            f->right[i][a] = pull * t->samples[middle][a];
    }
}

static void add_frame(hk_fitter *f, const hk_fit_shape *c, unsigned s, unsigned u, unsigned first,
                      unsigned last)
{
    double b[HK_DEGREE_MAX + 1], left[4];
    const hk_fit_target *t = &f->target;
    unsigned p = c->degree;
    hk_fit_basis(c, s, u, b);
    memcpy(left, t->samples[u], sizeof left);
    for (unsigned j = 0; j <= p; j++) {
        unsigned i = s - p + j;
        if (i < first || i > last)
            for (unsigned a = 0; a < t->lanes; a++)
                left[a] -= b[j] * c->points[i][a];
    }
    for (unsigned j = 0; j <= p; j++) {
        unsigned i = s - p + j;
        if (i < first || i > last)
            continue;
        for (unsigned a = 0; a < t->lanes; a++)
            f->right[i][a] += b[j] * left[a];
        for (unsigned d = 0; d <= j && i - d >= first; d++)
            f->matrix[i][d] += b[j] * b[j - d];
    }
}

/* Cholesky's without roots: matrix[i][d] is row i, column i - d. */
static void eliminate(hk_fitter *f, unsigned p, unsigned first, unsigned last)
{
    unsigned lanes = f->target.lanes;
    for (unsigned i = first; i <= last; i++) {
        unsigned reach = i - first < p ? i - first : p;
        for (unsigned d = reach; d > 0; d--) {
            double v = f->matrix[i][d];
            for (unsigned e = d + 1; e <= reach; e++)
                v -= f->matrix[i][e] * f->matrix[i - d][e - d];
            f->matrix[i][d] = v; /* times its diagonal, for now */
        }
        for (unsigned d = reach; d > 0; d--) {
            double v = f->matrix[i][d], share = v / f->matrix[i - d][0];
            f->matrix[i][0] -= v * share;
            f->matrix[i][d] = share;
            for (unsigned a = 0; a < lanes; a++)
                f->right[i][a] -= share * f->right[i - d][a];
        }
    }
    for (unsigned i = last + 1; i-- > first;) {
        for (unsigned a = 0; a < lanes; a++)
            f->right[i][a] /= f->matrix[i][0];
        for (unsigned d = 1; d <= p && i + d <= last; d++)
            for (unsigned a = 0; a < lanes; a++)
                f->right[i][a] -= f->matrix[i + d][d] * f->right[i + d][a];
    }
}

void hk_fit_solve(hk_fitter *f, hk_fit_shape *c, unsigned first, unsigned last)
{
    unsigned p = c->degree, s = p;
    if (first > last)
        return;
    begin(f, c, first, last);
    for (unsigned u = c->knots[first]; u <= c->knots[last + p + 1]; u++) {
        while (s + 1 < c->count && c->knots[s + 1] <= u)
            s++;
        add_frame(f, c, s, u, first, last);
    }
    eliminate(f, p, first, last);
    for (unsigned i = first; i <= last; i++)
        hk_fit_place(&f->target, c, i, f->right[i]);
}
