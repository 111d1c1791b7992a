#include "tagfile/heads.h"
static lathe_result no(const rec_at *at, const rec_field *row, lathe_error *err)
{
    return rec_fail(at, tag_slot_of(at, row), at->off, err, LATHE_ERR_UNSUPPORTED, "not yet");
}
lathe_result tag_place_data(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                            lathe_error *err)
{
    (void)site;
    (void)off;
    return no(at, row, err);
}
lathe_result tag_point_array(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                             lathe_error *err)
{
    (void)site;
    (void)off;
    return no(at, row, err);
}
lathe_result tag_point_text(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                            lathe_error *err)
{
    (void)site;
    (void)off;
    return no(at, row, err);
}
lathe_result tag_lift(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err)
{
    (void)site;
    return no(at, row, err);
}
lathe_result tag_recount(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                         lathe_error *err)
{
    (void)site;
    (void)n;
    return no(at, row, err);
}
lathe_result tag_put_pointer(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                             uint64_t raw, lathe_error *err)
{
    (void)site;
    (void)part;
    (void)raw;
    return no(at, row, err);
}
lathe_result tag_point_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                                lathe_error *err)
{
    (void)site;
    (void)off;
    return no(at, row, err);
}
lathe_result tag_lift_relative(const rec_at *at, const rec_field *row, uint64_t site,
                               lathe_error *err)
{
    (void)site;
    return no(at, row, err);
}
lathe_result tag_recount_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                  lathe_error *err)
{
    (void)site;
    (void)n;
    return no(at, row, err);
}
lathe_result tag_put_relative(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                              uint64_t raw, lathe_error *err)
{
    (void)site;
    (void)part;
    (void)raw;
    return no(at, row, err);
}
bool tag_data_shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end)
{
    (void)doc;
    (void)part;
    (void)off;
    (void)end;
    return true;
}
uint64_t tag_data_room(lathe_doc *doc, uint32_t part, uint64_t end)
{
    (void)doc;
    (void)part;
    (void)end;
    return 0;
}
