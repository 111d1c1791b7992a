/* doc:remove_collision: its name, arguments and documentation. */
#include "gen/nif_types.h"
#include "havok/physics/bodies.h"
#include "nif/collision/collide.h"

/* A body that the argument gives: that of a system in a block, or a block of an older game. */
typedef struct given {
    uint32_t system, block; /* REC_NO_PART: it is none of these */
    uint64_t number;        /* in the system, from 0 */
} given;

static lathe_result not_removable(lathe_error *err)
{
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                     "'node' of remove_collision: a node of this document, its number or its name, "
                     "or one of its bodies expected");
}

/* A body in a packfile. */
static lathe_result read_body(lathe_doc *doc, const rec_at *at, given *out, lathe_error *err)
{
    hk_body_of body;
    uint32_t block = nif_block_around(doc, doc->containers[0].root, at->part);
    if (block == REC_NO_PART || !rec_is_a(nif_part_type(doc, block), &nif_bhkSystem) ||
        hk_body_at(at, &body, NULL) != LATHE_OK || body.cinfo.off != at->off)
        return not_removable(err);
    out->system = block;
    out->number = body.number;
    return LATHE_OK;
}

static lathe_result read_given(lathe_doc *doc, const lathe_source *args, given *out,
                               lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    uint32_t slot;
    rec_at at;
    bool ok = true;
    *out = (given){REC_NO_PART, REC_NO_PART, 0};
    rec_arg(args, "node", &v);
    if (v.kind != LATHE_KIND_RECORD || v.as.v.doc != doc)
        return LATHE_OK;
    lathe_result r = rec_enter(&v.as.v, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    if (at.layout->container != 0)
        return read_body(doc, &at, out, err);
    bool reads = !at.off && nif_block_reads(doc, at.part, &ok);
    if (!ok)
        return rec_no_memory(err);
    if (reads && nif_block_is(doc, at.part, &nif_bhkWorldObject))
        out->block = at.part;
    return LATHE_OK;
}

static lathe_result remove_it(nif_detaching *d, const lathe_source *args, lathe_error *err)
{
    uint32_t node = REC_NO_PART;
    given body;
    lathe_value v;
    lathe_result r = read_given(d->doc, args, &body, err);
    if (r != LATHE_OK)
        return r;
    if (body.system != REC_NO_PART)
        return nif_detach_body(d, body.system, body.number, err);
    if (body.block != REC_NO_PART)
        return nif_detach_world_object(d, body.block, err);
    if (rec_arg(args, "node", &v) && v.kind == LATHE_KIND_BOOL)
        return not_removable(err);
    r = nif_node_arg(d->doc, args, "remove_collision", &nif_NiAVObject, &node, err);
    return r == LATHE_OK ? nif_detach_node(d, node, err) : r;
}

lathe_result nif_remove_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                                  lathe_error *err)
{
    lathe_doc *doc = self.doc;
    nif_detaching d = {.doc = doc, .report = report};
    lathe_value v;
    d.constraints = rec_arg(args, "constraints", &v) && rec_text_is(&v, "remove");
    buf_init(&d.blocks, &doc->mem);
    lathe_result r = remove_it(&d, args, err);
    buf_free(&d.blocks);
    return r;
}

/* ---- its parameters --------------------------------------------------------------------------------------- */

const char nif_remove_collision_doc[] =
    "Removes the collision of a node, or a body, with all that nothing else uses: the collision "
    "object, the body with its shapes, motion and material, the system if no other node uses it. "
    "Bits of BSXFlags that it alone accounted for are cleared: `flags` lists them. `constraints` "
    "lists the constraints that were removed.";

static const char *const policies[] = {"refuse", "remove", NULL};

/* clang-format off */
#define PARAM(name_, ...) static const rec_param name_##_param = {.name = #name_, __VA_ARGS__}
PARAM(node, .positional = true, .needed = true,
      .doc = "The node or shape: a view, its number among doc.blocks, or its name. Or a body: one of doc.bodies, or a bhkRigidBody or phantom.");
PARAM(constraints, .kind = LATHE_PARAM_TEXT, .values = policies,
      .doc = "What happens if constraints hold the body. refuse: an error lists them. remove: they are removed, too. Default: refuse.");
/* clang-format on */

const rec_param *const nif_remove_collision_params[] = {&node_param, &constraints_param, NULL};
