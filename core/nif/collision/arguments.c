/* Nodes and systems in the arguments of doc:set_collision and doc:remove_collision. */
#include "gen/nif_types.h"
#include "nif/collision/collide.h"

static lathe_result no_node(const char *text, size_t n, lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no node is called '%.*s'",
                     (int)(n < 80 ? n : 80), text);
}

/* The block that a view or a number gives. False: neither. *out is REC_NO_PART if it is no block. */
static lathe_result read_block(lathe_doc *doc, const lathe_source *args, const char *name,
                               lathe_value *v, bool *is, uint32_t *out, lathe_error *err)
{
    uint32_t slot;
    int64_t number = 1;
    rec_at at;
    *is = true;
    if (v->kind == LATHE_KIND_RECORD && v->as.v.doc == doc) {
        lathe_result r = rec_enter(&v->as.v, &at, &slot, err);
        if (r == LATHE_OK)
            *out = at.off ? REC_NO_PART : at.part;
        return r;
    }
    if (v->kind != LATHE_KIND_NONE && !rec_arg_integer(args, name, &number))
        *is = false;
    else
        *out = number >= 1 ? nif_block(doc, 0, (uint64_t)number - 1) : REC_NO_PART;
    return LATHE_OK;
}

/* Parses the block, so that its type can be asked for. */
static lathe_result parse(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    bool ok = true;
    return part != REC_NO_PART && !nif_block_reads(doc, part, &ok) && !ok ? rec_no_memory(err)
                                                                          : LATHE_OK;
}

static const char *name_of(lathe_doc *doc, uint32_t part)
{
    bool block = part != REC_NO_PART && doc->parts[part].owner == doc->containers[0].root;
    return block ? nif_type_name(doc, part) : "that";
}

lathe_result nif_node_arg(lathe_doc *doc, const lathe_source *args, const char *verb,
                          const rec_type *type, uint32_t *out, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_NONE};
    bool is;
    rec_arg(args, "node", &v);
    if (v.kind == LATHE_KIND_STRING) {
        lathe_result r = nif_block_named(doc, 0, &v, type, out, err);
        return r == LATHE_OK && *out == REC_NO_PART ? no_node(v.as.s.p, v.as.s.n, err) : r;
    }
    if (v.kind == LATHE_KIND_BOOL && !v.as.b)
        v.kind = LATHE_KIND_NONE;
    lathe_result r = read_block(doc, args, "node", &v, &is, out, err);
    if (r == LATHE_OK && !is)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'node' of %s: a node of this document, its number or its name expected",
                         verb);
    if (r == LATHE_OK)
        r = parse(doc, *out, err);
    if (r != LATHE_OK || (*out != REC_NO_PART && nif_block_is(doc, *out, type)))
        return r;
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                     "'node' of %s: %s is no node, and only nodes have collision here", verb,
                     name_of(doc, *out));
}

lathe_result nif_system_arg(lathe_doc *doc, const lathe_source *args, uint32_t *out,
                            lathe_error *err)
{
    lathe_value v;
    bool is;
    *out = REC_NO_PART;
    if (!rec_arg(args, "system", &v))
        return LATHE_OK;
    lathe_result r = read_block(doc, args, "system", &v, &is, out, err);
    if (r == LATHE_OK && !is)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'system' of set_collision: a bhkPhysicsSystem of this document or its "
                         "number expected");
    if (r == LATHE_OK)
        r = parse(doc, *out, err);
    if (r != LATHE_OK || (*out != REC_NO_PART && nif_block_is(doc, *out, &nif_bhkPhysicsSystem)))
        return r;
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                     "'system' of set_collision: %s is no bhkPhysicsSystem", name_of(doc, *out));
}
