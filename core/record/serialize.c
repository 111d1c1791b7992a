/* Writes documents as new files, in the order of the format's own tools. */
#include "record/record.h"
#include "record/upper.h"

lathe_result rec_serialize(lathe_view place, const lathe_source *args, buf *out, lathe_error *err)
{
    lathe_doc *doc = place.doc;
    lathe_result r = rec_sync(&place, err);
    if (r != LATHE_OK)
        return r;
    uint32_t c = doc->parts[place.part].container;
    const lathe_format *f = doc->containers[c].format;
    const rec_verb verb = {.name = "serialize", .params = f->serialize_params};
    if (!f->serialize)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "%s has no order of its own to be written in", f->name);
    if (place.flags || place.off || place.part != doc->containers[c].root)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "only a whole document can be serialized, or a document inside another");
    r = rec_check_args(&verb, args, err);
    if (r == LATHE_OK)
        r = rec_upper_floor.lay_out(doc, err);
    return r == LATHE_OK ? f->serialize(doc, c, args, out, err) : r;
}

lathe_result lathe_doc_serialize(lathe_view place, const lathe_source *args, lathe_sink sink,
                                 void *user, lathe_error *err)
{
    buf out;
    buf_init(&out, &place.doc->mem);
    lathe_result r = rec_serialize(place, args, &out, err);
    if (r == LATHE_OK && !sink(user, out.data, out.size))
        r = error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
    buf_free(&out);
    return r;
}
