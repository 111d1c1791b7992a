#include "havok/container.h"

#include "havok/packfile/serialize.h"

#include <stdio.h>

static const char *const containers[] = {"binary", "xml", NULL};
static const rec_param as_param = {
    .name = "as",
    .kind = LATHE_PARAM_TEXT,
    .values = containers,
    .doc = "The container. Default: with a game binary, else that of the document."};
const rec_param *const hk_serialize_params[] = {&hk_game_param, &as_param, NULL};

/* XML of the file that another game would have. */
static lathe_result as_xml_of(lathe_doc *doc, const buf *packfile, buf *out, lathe_error *err)
{
    lathe_options o = {.size = sizeof o, .format = "hkx", .alloc = doc->mem.fn};
    lathe_doc *made = NULL;
    o.alloc_user = doc->mem.user;
    lathe_result r = lathe_doc_parse(packfile->data, packfile->size, &o, &made, err);
    if (r == LATHE_OK)
        r = hk_xml_of(made, 0, NULL, out, err);
    lathe_doc_close(made);
    return r;
}

/* Pointers have no size in XML: only another version makes other text. */
static bool same_version(const rec_container *c, const lathe_value *game)
{
    hk_head head = {.version = c->version};
    hk_head_of_game(game, &head);
    return head.version == c->version;
}

lathe_result hk_serialize_as(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                             lathe_error *err)
{
    lathe_value as, game = {.kind = LATHE_KIND_NONE};
    bool told = rec_arg(args, "game", &game), xml = c == 0 && rec_in_form(doc) && !told;
    if (rec_arg(args, "as", &as))
        xml = rec_text_is(&as, "xml");
    if (!xml)
        return hk_serialize(doc, c, args, out, err);
    if (!told || same_version(&doc->containers[c], &game))
        return hk_xml_of(doc, c, NULL, out, err);
    buf packfile;
    buf_init(&packfile, &doc->mem);
    lathe_result r = hk_serialize(doc, c, args, &packfile, err);
    if (r == LATHE_OK)
        r = as_xml_of(doc, &packfile, out, err);
    buf_free(&packfile);
    return r;
}

/* ---- what XML does not say ------------------------------------------------------------------------------- */

void hk_tell_losses(const hk_xml_losses *losses, lathe_report *report)
{
    const struct {
        uint64_t n;
        const char *one, *many;
    } told[] = {
        {losses->decimals, "number with more than six decimals",
         "numbers with more than six decimals"},
        {losses->lanes, "fourth lane that is not 0", "fourth lanes that are not 0"},
        {losses->texts, "text that is not UTF-8, or reads as null",
         "texts that are not UTF-8, or read as null"},
        {losses->ignored, "member that is not saved, and is not 0",
         "members that are not saved, and are not 0"},
    };
    for (size_t i = 0; i < REC_COUNT_OF(told); i++) {
        char reason[128];
        if (!told[i].n || !report->skipped)
            continue;
        snprintf(reason, sizeof reason, "%llu %s", (unsigned long long)told[i].n,
                 told[i].n == 1 ? told[i].one : told[i].many);
        report->skipped(report->user, "objects", reason);
    }
}
