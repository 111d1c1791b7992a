/* The argument `into` of verbs, a geometry document that gets new rows, and the edit that it shares with the
 * NIF. */
#include "nif/geometry/packed/into.h"

#include "nif/geometry/csg/csg.h"
#include "record/companions.h"

lathe_result nif_into_arg(const lathe_source *args, const char *verb, bool needed, lathe_doc **into,
                          lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child = NULL;
    *into = NULL;
    bool given = args && args->get(args->user, NULL, "into", 0, &v, &child) &&
                 (v.kind != LATHE_KIND_NONE || child);
    if (!given && !needed)
        return LATHE_OK;
    lathe_doc *doc = v.kind == LATHE_KIND_RECORD && !child ? v.as.v.doc : NULL;
    if (!doc || !csg_is(doc) || v.as.v.part != doc->containers[0].root || v.as.v.off)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'into' of %s must be a geometry document; save it after the NIF's edit",
                         verb);
    if (!doc->path)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "'into' of %s must have a path, because blocks name a geometry file by "
                         "the hash of its name: save it first, or lathe.new(\"geometry\", { … }, "
                         "{ path = \"Some Mod - Geometry.csg\" })",
                         verb);
    *into = doc;
    return LATHE_OK;
}

lathe_result nif_into_begin(lathe_doc *doc, lathe_doc *into, lathe_error *err)
{
    lathe_result r = rec_join(doc, into, err);
    return r == LATHE_OK ? rec_begin(into, err) : r;
}

lathe_result nif_into_end(lathe_doc *doc, lathe_doc *into, bool used, lathe_result r,
                          lathe_error *err)
{
    r = rec_end(into, r, err);
    return r == LATHE_OK && used ? rec_companion_prefer(doc, csg_hash(into->path), into, err) : r;
}
