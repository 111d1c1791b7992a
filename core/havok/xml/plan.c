#include "havok/xml/plan.h"

#include "havok/packfile/members.h"

void hk_xml_plans_open(hk_xml_plans *plans, lathe_doc *doc, uint32_t c)
{
    *plans = (hk_xml_plans){.doc = doc, .c = c};
    arena_init(&plans->arena, &doc->mem);
}

void hk_xml_plans_close(hk_xml_plans *plans)
{
    if (!plans->doc)
        return;
    mem_free(&plans->doc->mem, plans->table, plans->cap * sizeof *plans->table);
    arena_free(&plans->arena);
}

/* ---- names ----------------------------------------------------------------------------------------------- */

const char *hk_xml_name(const rec_names *names, uint32_t i, int64_t *value)
{
    if (!names || i >= names->count)
        return NULL;
    *value = rec_names_item(names, i).value;
    return rec_names_item_original(names, i);
}

/* ---- members --------------------------------------------------------------------------------------------- */

/* Kinds that are numbers in parentheses: those of each group of four that are written. */
static const char *lanes_of(uint8_t kind)
{
    switch (kind) {
    case HK_KIND_VECTOR4:
    case HK_KIND_QUATERNION: return "4";
    case HK_KIND_QSTRANSFORM: return "343";
    case HK_KIND_MATRIX3:
    case HK_KIND_ROTATION: return "333";
    case HK_KIND_TRANSFORM: return "3333";
    case HK_KIND_MATRIX4: return "4444";
    default: return NULL;
    }
}

static hk_xml_op op_of(uint8_t kind)
{
    switch (kind) {
    case HK_KIND_BOOL: return HK_XML_BOOL;
    case HK_KIND_INT8:
    case HK_KIND_INT16:
    case HK_KIND_INT32:
    case HK_KIND_INT64: return HK_XML_INT;
    case HK_KIND_CHAR: /* by how it is stored */
    case HK_KIND_UINT8:
    case HK_KIND_UINT16:
    case HK_KIND_UINT32:
    case HK_KIND_UINT64:
    case HK_KIND_ULONG: return HK_XML_UINT;
    case HK_KIND_REAL: return HK_XML_REAL;
    case HK_KIND_HALF: return HK_XML_HALF;
    case HK_KIND_ENUM: return HK_XML_ENUM;
    case HK_KIND_FLAGS: return HK_XML_FLAGS;
    case HK_KIND_POINTER: return HK_XML_POINTER;
    case HK_KIND_CSTRING:
    case HK_KIND_STRINGPTR: return HK_XML_TEXT;
    case HK_KIND_STRUCT: return HK_XML_STRUCT;
    default: return lanes_of(kind) ? HK_XML_TUPLE : HK_XML_NONE;
    }
}

static bool is_array(const hk_member *m)
{
    return m->kind == HK_KIND_ARRAY || m->kind == HK_KIND_SIMPLEARRAY ||
           m->kind == HK_KIND_RELARRAY;
}

/* What a row is stored as must be what its kind says: else there is no telling its bytes. */
static bool is_stored_so(const hk_xml_member *m)
{
    const rec_field *row = m->as->row;
    switch (m->op) {
    case HK_XML_TUPLE: return m->as->sub && m->as->sub->size == 16 * strlen(m->lanes);
    case HK_XML_POINTER: return row->kind == REC_POINTER;
    case HK_XML_TEXT: return row->text && m->many != HK_XML_FIXED;
    case HK_XML_STRUCT: return m->as->sub;
    case HK_XML_REAL: return row->kind == REC_F32;
    case HK_XML_HALF: return row->kind == REC_F16_UPPER;
    default:
        return m->width && row->kind != REC_F32 && row->kind != REC_F64 && row->kind != REC_F16;
    }
}

static bool fill_member(hk_xml_plans *plans, hk_xml_plan *plan, uint32_t slot)
{
    const rec_slot *s = &plan->layout->slots[slot];
    int64_t version = plans->doc->containers[plans->c].version;
    hk_member of;
    if (s->never || !rec_in_version(s->row, version) || !hk_member_of(s->row, version, &of))
        return true;
    hk_xml_member *m = &plan->members[plan->n++];
    uint8_t kind = is_array(&of) ? of.sub : of.kind;
    *m = (hk_xml_member){.name = of.name, .slot = slot, .as = s, .names = of.names};
    m->name_n = (uint32_t)strlen(m->name);
    plan->by_slot[slot] = plan->n;
    m->many = is_array(&of) ? HK_XML_ARRAY : of.fixed ? HK_XML_FIXED : HK_XML_ONE;
    m->lanes = lanes_of(kind);
    m->width = (uint8_t)(s->row->kind == REC_BYTES ? 1 : rec_width(s->row->kind));
    m->op = s->row->flags & REC_IGNORED ? HK_XML_IGNORED : (uint8_t)op_of(kind);
    if (m->op != HK_XML_IGNORED && !is_stored_so(m))
        m->op = HK_XML_NONE;
    if (m->op == HK_XML_STRUCT) {
        m->sub = hk_xml_plan_of(plans, s->sub);
        plan->points = plan->points || (m->sub && m->sub->points);
    }
    plan->points = plan->points || m->op == HK_XML_POINTER;
    return m->op != HK_XML_STRUCT || m->sub;
}

/* Some classes are shown by names of lathe's own: files have those of Havok, over the same bytes. */
const rec_layout *hk_xml_layout(const hk_xml_plans *plans, const rec_layout *layout)
{
    const rec_type *stored =
        rec_type_stored(layout->type, plans->doc->containers[plans->c].version);
    return stored == layout->type ? layout : rec_layout_of(plans->doc, plans->c, stored);
}

/* ---- plans ----------------------------------------------------------------------------------------------- */

static const hk_xml_plan **slot_for(const hk_xml_plans *plans, const rec_layout *layout)
{
    size_t at = ((uintptr_t)layout >> 4) * 0x9E3779B1u & (plans->cap - 1);
    while (plans->table[at] && plans->table[at]->layout != layout)
        at = (at + 1) & (plans->cap - 1);
    return &plans->table[at];
}

static bool grow(hk_xml_plans *plans)
{
    hk_xml_plans more = *plans;
    more.cap = plans->cap ? plans->cap * 2 : 64;
    more.table = mem_zalloc(&plans->doc->mem, more.cap * sizeof *more.table);
    if (!more.table)
        return false;
    for (size_t i = 0; i < plans->cap; i++)
        if (plans->table[i])
            *slot_for(&more, plans->table[i]->layout) = plans->table[i];
    mem_free(&plans->doc->mem, plans->table, plans->cap * sizeof *plans->table);
    *plans = more;
    return true;
}

/* Records in line, and elements of arrays, nest as deep as classes do; an array of its own class leads back to the plan that
 * is being made, which stands in the table by then. */
const hk_xml_plan *hk_xml_plan_of(hk_xml_plans *plans, const rec_layout *shown)
{
    const rec_layout *layout = hk_xml_layout(plans, shown);
    if (!layout)
        return NULL;
    if (2 * (plans->n + 1) > plans->cap && !grow(plans))
        return NULL;
    const hk_xml_plan **found = slot_for(plans, layout);
    if (*found)
        return *found;
    hk_xml_plan *plan =
        arena_zalloc(&plans->arena, sizeof *plan + layout->count * sizeof *plan->members);
    uint32_t *by_slot = arena_zalloc(&plans->arena, (layout->count + 1) * sizeof *by_slot);
    if (!plan || !by_slot)
        return NULL;
    plan->layout = layout;
    plan->name = rec_type_name(layout->type);
    plan->by_slot = by_slot;
    plan->points = layout->recursive;
    *found = plan;
    plans->n++;
    for (uint32_t slot = 0; slot < layout->count; slot++)
        if (!fill_member(plans, plan, slot))
            return NULL;
    return plan;
}
