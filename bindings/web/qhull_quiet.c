/* Stands in for the functions with which qhull prints facets, a tenth of its code. lathe shows the first line of what
 * qhull says, which comes before them. web.mk gives qhull's own functions other names, so they are not linked. */
#include <libqhull_r/qhull_ra.h>

void qh_produce_output(qhT *qh)
{
    (void)qh;
}

void qh_printafacet(qhT *qh, FILE *fp, qh_PRINT format, facetT *facet, boolT printall)
{
    (void)qh, (void)fp, (void)format, (void)facet, (void)printall;
}

void qh_printbegin(qhT *qh, FILE *fp, qh_PRINT format, facetT *list, setT *facets, boolT printall)
{
    (void)qh, (void)fp, (void)format, (void)list, (void)facets, (void)printall;
}

void qh_printend(qhT *qh, FILE *fp, qh_PRINT format, facetT *list, setT *facets, boolT printall)
{
    (void)qh, (void)fp, (void)format, (void)list, (void)facets, (void)printall;
}

void qh_printfacet(qhT *qh, FILE *fp, facetT *facet)
{
    (void)qh, (void)fp, (void)facet;
}

void qh_printneighborhood(qhT *qh, FILE *fp, qh_PRINT format, facetT *a, facetT *b, boolT printall)
{
    (void)qh, (void)fp, (void)format, (void)a, (void)b, (void)printall;
}

void qh_printridge(qhT *qh, FILE *fp, ridgeT *ridge)
{
    (void)qh, (void)fp, (void)ridge;
}

void qh_printsummary(qhT *qh, FILE *fp)
{
    (void)qh, (void)fp;
}

void qh_printvertex(qhT *qh, FILE *fp, vertexT *vertex)
{
    (void)qh, (void)fp, (void)vertex;
}
