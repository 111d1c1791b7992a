#include "model/hull_parts.h"

#include "base/error.h"

void hull_loops_free(hull_loops *loops)
{
    const mem m = loops->mem;
    if (!m.fn)
        return;
    mem_free(&m, loops->indices, loops->index_cap * sizeof *loops->indices);
    mem_free(&m, loops->planes, loops->plane_cap * sizeof *loops->planes);
    mem_free(&m, loops->faces, loops->face_cap * sizeof *loops->faces);
    *loops = (hull_loops){.mem = m};
}

#if !defined(LATHE_QHULL)

bool hull_built_in(void)
{
    return false;
}

lathe_result hull_find_loops(hull_loops *loops, double (*points)[3], size_t count, double flatness,
                             lathe_error *err)
{
    (void)loops, (void)points, (void)count, (void)flatness;
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "no convex hulls: this lathe was built without qhull");
}

#else

#include "base/os.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

bool hull_built_in(void)
{
    return true;
}

enum { MESSAGE = 512 };

/* All data that must survive a longjmp. Set before the first setjmp, or read only by their owner. */
typedef struct qhull_run {
    qhT qh;
    hull_loops *loops;
    FILE *messages; /* qhull always writes messages; they go to `said` */
    char said[MESSAGE];
    bool no_memory;
} qhull_run;

/* Stores the loop of a facet, in either direction; the caller directs it by the facet's normal. */
static bool take_facet(qhull_run *run, facetT *facet)
{
    hull_loops *loops = run->loops;
    setT *corners = qh_facet3vertex(&run->qh, facet);
    if (!corners)
        /* too few vertices for a face: the surface is not closed, which the caller detects */
        return true;
    const size_t n = (size_t)qh_setsize(&run->qh, corners);
    const size_t first = loops->index_count;
    bool ok = mem_reserve(&loops->mem, (void **)&loops->indices, &loops->index_cap, first + n,
                          sizeof *loops->indices) &&
              mem_reserve(&loops->mem, (void **)&loops->planes, &loops->plane_cap,
                          loops->face_count + 1, sizeof *loops->planes) &&
              mem_reserve(&loops->mem, (void **)&loops->faces, &loops->face_cap,
                          loops->face_count + 1, sizeof *loops->faces);
    if (ok) {
        for (size_t i = 0; i < n; i++) {
            vertexT *vertex = SETelemt_(corners, (int)i, vertexT);
            loops->indices[first + i] = (uint32_t)qh_pointid(&run->qh, vertex->point);
        }
        hull_plane *plane = &loops->planes[loops->face_count];
        for (int i = 0; i < 3; i++)
            plane->n[i] = facet->normal[i];
        plane->d = facet->offset;
        loops->faces[loops->face_count++] = (hull_face){(uint32_t)first, (uint32_t)n};
        loops->index_count += n;
    }
    qh_settempfree(&run->qh, &corners);
    return ok;
}

/* Stores all facets. qhull's functions jump to errexit on internal errors. Returns 0 on success. */
static int take_facets(qhull_run *run)
{
    const int code = setjmp(run->qh.errexit);
    if (code == 0) {
        run->qh.NOerrexit = False;
        facetT *facet;
        for (facet = run->qh.facet_list; facet && facet->next; facet = facet->next)
            if (!take_facet(run, facet)) {
                run->no_memory = true;
                break;
            }
        run->loops->outside = run->qh.max_outside > 0 ? run->qh.max_outside : 0;
    }
    run->qh.NOerrexit = True;
    return code;
}

/* The error with the first line of qhull's message, without its prefix. */
static lathe_result gave_up(qhull_run *run, int code, lathe_error *err)
{
    if (run->no_memory || code == qh_ERRmem)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    fflush(run->messages);
    run->said[MESSAGE - 1] = '\0';
    const char *line = run->said + strspn(run->said, "\r\n ");
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "qhull found no hull: %.*s",
                     (int)strcspn(line, "\r\n"), line);
}

/* Whether qhull can process the points: it crashes on NaN and infinity, and squares coordinates. */
static bool points_fit(double (*points)[3], size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(points[i][k]) <= 1e60))
                return false;
    return true;
}

lathe_result hull_find_loops(hull_loops *loops, double (*points)[3], size_t count, double flatness,
                             lathe_error *err)
{
    const mem m = loops->mem;
    hull_loops_free(loops);
    if (!points_fit(points, count))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "no hull: a coordinate is no number, or too large");
    qhull_run *run = mem_zalloc(&m, sizeof *run);
    if (!run)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    run->loops = loops;
    run->messages = os_memory_file(run->said, sizeof run->said);
    if (!run->messages) {
        mem_free(&m, run, sizeof *run);
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "no place for qhull's messages");
    }
    /* Pp: no warnings. C-n: merge facets within that flatness. Q12: wide facets are no error; the resulting error is
     * measured. */
    char command[64];
    if (flatness > 0)
        snprintf(command, sizeof command, "qhull Pp Q12 C-%.17g", flatness);
    else
        snprintf(command, sizeof command, "qhull Pp");
    qh_zero(&run->qh, run->messages);
    int code =
        qh_new_qhull(&run->qh, 3, (int)count, points[0], False, command, NULL, run->messages);
    if (code == 0)
        code = take_facets(run);
    lathe_result result = LATHE_OK;
    if (code != 0 || run->no_memory)
        result = gave_up(run, code, err);
    int left, blocks;
    qh_freeqhull(&run->qh, !qh_ALL);
    qh_memfreeshort(&run->qh, &left, &blocks);
    fclose(run->messages);
    mem_free(&m, run, sizeof *run);
    if (result != LATHE_OK)
        hull_loops_free(loops);
    return result;
}

#endif
