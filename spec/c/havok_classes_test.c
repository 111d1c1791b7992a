/* The tables of classes against what Havok states of them: signatures worked out from their members, views against the
 * classes that they are views of, search by name. With --list: every member with its place, for
 * spec/formats/hkx_classes_spec.lua. */
#include "havok/hkx.h"
#include "havok/named/classes.h"
#include "havok/packfile/members.h"
#include "havok/packfile/packfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a class's signature: formats/havok-classes.md#5 -------------------------------------------------- */

typedef struct crc {
    uint32_t state;
    int64_t version;
} crc;

static void add_bytes(crc *c, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) {
        c->state ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            c->state = c->state >> 1 ^ (c->state & 1 ? 0xEDB88320u : 0);
    }
}

static void add_number(crc *c, uint32_t number, size_t bytes)
{
    uint8_t p[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                    (uint8_t)(number >> 24)};
    add_bytes(c, p, bytes);
}

static void add_text(crc *c, const char *text)
{
    add_bytes(c, text, strlen(text));
}

static void add_names(crc *c, const rec_names *names)
{
    add_text(c, rec_names_original(names));
    for (uint32_t i = 0; i < names->count; i++) {
        add_text(c, rec_names_item_original(names, i));
        add_number(c, (uint32_t)rec_names_item(names, i).value, 4);
    }
    add_number(c, names->count, 4);
}

static bool is_named(const hk_member *m)
{
    return m->kind == HK_KIND_ENUM || m->kind == HK_KIND_FLAGS;
}

static uint32_t flags_of(const rec_field *row, const hk_member *m)
{
    uint32_t flags = row->align == 16 ? 0x100 : row->align == 8 ? 0x80 : 0;
    flags |= row->flags & REC_NOT_OWNED ? 0x200 : 0;
    return is_named(m) ? flags | 8 * rec_width(row->kind) : flags;
}

static void add_class(crc *c, const rec_type *type);

static void add_member(crc *c, const rec_field *row, const hk_member *m)
{
    bool ignored = row->flags & REC_IGNORED;
    uint8_t sub = is_named(m) ? HK_KIND_VOID : m->sub;
    if (m->names)
        add_names(c, m->names);
    if (m->kind == HK_KIND_STRUCT || (m->type && m->sub == HK_KIND_STRUCT && row->body))
        add_class(c, m->type);
    add_text(c, m->name);
    if (ignored)
        add_number(c, HK_KIND_ZERO, 2);
    add_number(c, m->kind, 2);
    if (!ignored || sub != HK_KIND_VOID)
        add_number(c, sub, 2);
    add_number(c, m->fixed, 2);
    add_number(c, flags_of(row, m), 2);
}

/* What a class says, without its base. */
static void add_own(crc *c, const rec_type *type)
{
    const rec_stated *stated = rec_type_stated(type);
    uint32_t enums = 0, members = 0;
    hk_member m;
    const rec_names *all = rec_unit_of_type(type)->names;
    add_number(c, hk_hidden_pointers(type, c->version), 4);
    for (uint32_t i = 0; i < stated->names_n; i++)
        if (rec_names_in_version(&all[stated->names - 1 + i], c->version)) {
            add_names(c, &all[stated->names - 1 + i]);
            enums++;
        }
    add_number(c, enums, 4);
    const rec_setting in = {.version = c->version, .type = type, .pointer = 8};
    for (uint32_t i = 0; i < type->count; i++) {
        const rec_field *row = &rec_type_rows(type)[i];
        const rec_condition *when = rec_row_condition(row);
        if (!rec_in_version(row, c->version) || (when->only && !when->only(&in)) ||
            !hk_member_of(row, c->version, &m))
            continue;
        add_member(c, row, &m);
        members++;
    }
    add_number(c, members, 4);
}

static void add_class(crc *c, const rec_type *type)
{
    for (; type; type = rec_type_base(type)) {
        type = rec_type_stored(type, c->version);
        add_own(c, type);
    }
}

static uint32_t signature_of(const rec_type *type, int64_t version)
{
    crc c = {.state = UINT32_MAX, .version = version};
    add_class(&c, type);
    return ~c.state;
}

/* ---- both games ------------------------------------------------------------------------------------------- */

typedef struct game {
    const char *name;
    int64_t version;
    uint32_t stated, agree; /* classes with a signature, and those whose members give it */
} game;

static const game games[] = {{"skyrim", HK_2010, 678, 678}, {"fallout4", HK_2014, 896, 816}};

/* Number i of the classes that files of a version have; NULL past the last. Structs that are none are left out. */
static const rec_type *next_class(size_t *i, int64_t version)
{
    const rec_type *t;
    while ((t = hk_type((*i)++)) != NULL)
        if (t->stated && rec_type_in_version(t, version) &&
            hk_type_in_version(rec_type_name(t), version) == t)
            return t;
    return NULL;
}

/* Those of Fallout 4 whose reference does not name the members that files leave out, or all items of their enumerations. */
static bool may_differ(const char *name)
{
    static const char *const all[] = {
        "hkMemoryMeshBody",
        "hkMemoryMeshMaterial",
        "hkMemoryMeshShape",
        "hkMemoryMeshShapeSection",
        "hkMemoryMeshVertexBuffer",
        "hkMeshSection",
        "hkMeshSectionCinfo",
        "hkMultipleVertexBuffer",
        "hkMultipleVertexBufferVertexBufferInfo",
        "hkSkinBinding",
        "hkSkinnedMeshShapeBoneSection",
        "hkSkinnedRefMeshShape",
        "hkStorageSkinnedMeshShape",
        "hkVertexFormat",
        "hkVertexFormatElement",
        "hknpBSMaterialProperties",
        "hclAntiPinchConstraintSet",
        "hclBendLinkConstraintSet",
        "hclBendLinkConstraintSetMx",
        "hclBendStiffnessConstraintSet",
        "hclBendStiffnessConstraintSetMx",
        "hclBlendSomeVerticesOperator",
        "hclBonePlanesConstraintSet",
        "hclBoneSpaceDeformer",
        "hclBoneSpaceDeformerFourBlendEntryBlock",
        "hclBoneSpaceDeformerThreeBlendEntryBlock",
        "hclBoneSpaceMeshMeshDeformOperator",
        "hclBoneSpaceMeshMeshDeformPNOperator",
        "hclBoneSpaceMeshMeshDeformPNTBOperator",
        "hclBoneSpaceMeshMeshDeformPNTOperator",
        "hclBoneSpaceMeshMeshDeformPOperator",
        "hclBoneSpaceSkinOperator",
        "hclBoneSpaceSkinPNOperator",
        "hclBoneSpaceSkinPNTBOperator",
        "hclBoneSpaceSkinPNTOperator",
        "hclBoneSpaceSkinPOperator",
        "hclCapsuleShape",
        "hclCollidable",
        "hclCompressibleLinkConstraintSet",
        "hclCompressibleLinkConstraintSetMx",
        "hclConstraintSet",
        "hclConvexGeometryShape",
        "hclConvexHeightFieldShape",
        "hclConvexPlanesShape",
        "hclCopyVerticesOperator",
        "hclGatherAllVerticesOperator",
        "hclGatherSomeVerticesOperator",
        "hclInputConvertOperator",
        "hclLocalRangeConstraintSet",
        "hclMeshBoneDeformOperator",
        "hclMeshMeshDeformOperator",
        "hclMoveParticlesOperator",
        "hclObjectSpaceMeshMeshDeformOperator",
        "hclObjectSpaceMeshMeshDeformPNOperator",
        "hclObjectSpaceMeshMeshDeformPNTBOperator",
        "hclObjectSpaceMeshMeshDeformPNTOperator",
        "hclObjectSpaceMeshMeshDeformPOperator",
        "hclObjectSpaceSkinOperator",
        "hclObjectSpaceSkinPNOperator",
        "hclObjectSpaceSkinPNTBOperator",
        "hclObjectSpaceSkinPNTOperator",
        "hclObjectSpaceSkinPOperator",
        "hclOperator",
        "hclOutputConvertOperator",
        "hclPlaneShape",
        "hclShape",
        "hclSimpleMeshBoneDeformOperator",
        "hclSimulateOperator",
        "hclSkinOperator",
        "hclSphereShape",
        "hclStandardLinkConstraintSet",
        "hclStandardLinkConstraintSetMx",
        "hclStretchLinkConstraintSet",
        "hclStretchLinkConstraintSetMx",
        "hclTaperedCapsuleShape",
        "hclTransitionConstraintSet",
        "hclUpdateAllVertexFramesOperator",
        "hclUpdateSomeVertexFramesOperator",
        "hclVolumeConstraint",
        "hclVolumeConstraintMx",
    };
    for (size_t i = 0; i < REC_COUNT_OF(all); i++)
        if (strcmp(all[i], name) == 0)
            return true;
    return false;
}

/* How many classes have a signature, and of how many the members give it. Returns those of which that is not as expected. */
static uint32_t count_signatures(const game *g, uint32_t *stated, uint32_t *agree)
{
    uint32_t wrong = 0;
    const rec_type *t;
    *stated = *agree = 0;
    for (size_t i = 0; (t = next_class(&i, g->version));) {
        uint32_t known = rec_type_stated(t)->signature[g->version == HK_2014];
        bool same = signature_of(t, g->version) == known;
        *stated += known != 0;
        *agree += known && same;
        if (known && same == (g->version == HK_2014 && may_differ(rec_type_name(t)))) {
            fprintf(stderr, "%s: %s 0x%08x\n", g->name, rec_type_name(t), known);
            wrong++;
        }
    }
    return wrong;
}

static void test_signatures(void **state)
{
    (void)state;
    for (size_t g = 0; g < REC_COUNT_OF(games); g++) {
        uint32_t stated, agree;
        assert_int_equal(count_signatures(&games[g], &stated, &agree), 0);
        assert_int_equal(stated, games[g].stated);
        assert_int_equal(agree, games[g].agree);
    }
}

/* ---- layouts ----------------------------------------------------------------------------------------------- */

static lathe_doc *arranged(int64_t version, uint8_t pointer)
{
    lathe_doc *doc = NULL;
    assert_int_equal(rec_doc_new(NULL, NULL, 0, NULL, &doc, NULL), LATHE_OK);
    assert_int_equal(rec_container_add(doc, &format_hkx, REC_NO_PART, UINT32_MAX), 0);
    doc->containers[0].version = version; /* before there is any layout */
    doc->containers[0].pointer = pointer;
    return doc;
}

static bool is_there(const rec_slot *s, int64_t version)
{
    return !s->never && !rec_unstored(s->row) && rec_in_version(s->row, version);
}

/* What lies where in a record: 'p' and 'h' where pointers and heads are, but for those that files leave empty. */
static void mark(const rec_layout *l, int64_t version, uint64_t at, char *map)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const rec_slot *s = &l->slots[i];
        if (!is_there(s, version) || s->row->flags & REC_IGNORED)
            continue;
        uint64_t n = s->row->body || !s->row->n ? 1 : s->row->n;
        for (uint64_t k = 0; k < n; k++) {
            uint64_t off = at + s->off + k * s->elem;
            if (s->row->body || s->row->text)
                memset(map + off, 'h', (size_t)s->head);
            else if (s->row->kind == REC_POINTER)
                memset(map + off, 'p', (size_t)s->elem);
            else if (s->sub)
                mark(s->sub, version, off, map);
        }
    }
}

static void test_views(void **state)
{
    uint32_t views = 0;
    (void)state;
    for (size_t g = 0; g < REC_COUNT_OF(games); g++) {
        const rec_type *t;
        lathe_doc *doc = arranged(games[g].version, 8);
        for (size_t i = 0; (t = next_class(&i, games[g].version));) {
            const rec_type *stored = rec_type_stored(t, games[g].version);
            char map[2][512];
            if (stored == t)
                continue;
            const rec_layout *a = rec_layout_of(doc, 0, t), *b = rec_layout_of(doc, 0, stored);
            views++;
            if (a->size != b->size)
                fprintf(stderr, "%s: %u, %u\n", rec_type_name(t), (unsigned)a->size,
                        (unsigned)b->size);
            assert_true(a->size == b->size && a->size <= sizeof map[0]);
            memset(map, '.', sizeof map);
            mark(a, games[g].version, 0, map[0]);
            mark(b, games[g].version, 0, map[1]);
            if (memcmp(map[0], map[1], (size_t)a->size) != 0)
                fprintf(stderr, "%s\n%.*s\n%.*s\n", rec_type_name(t), (int)a->size, map[0],
                        (int)a->size, map[1]);
            assert_memory_equal(map[0], map[1], (size_t)a->size);
        }
        lathe_doc_close(doc);
    }
    assert_true(views > 25);
}

static void test_names(void **state)
{
    const rec_type *t;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; (t = hk_type(i)); i++, n++) {
        const rec_type *newest = hk_type_any(rec_type_name(t));
        assert_true(newest && strcmp(rec_type_name(newest), rec_type_name(t)) == 0);
    }
    assert_true(n > 1200);
    assert_ptr_equal(hk_type_in_version("hkpRigidBody", HK_2010), hk_type_any("hkpRigidBody"));
    assert_null(hk_type_in_version("hkpRigidBody", HK_2014));
    assert_null(hk_type_in_version("hkVector4", HK_2014)); /* a struct, no class */
    assert_null(hk_type_in_version("hkPackfile", HK_2014));
    assert_null(hk_type_in_version("", HK_2010));
    assert_null(hk_type_in_version("zzz", HK_2010));
    assert_ptr_not_equal(hk_type_in_version("hkGeometry", HK_2010),
                         hk_type_in_version("hkGeometry", HK_2014));
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

static void list_members(const rec_type *shown, const rec_layout *l, const game *g,
                         unsigned pointer)
{
    hk_member m;
    uint32_t own = l->type->count;
    printf("class\t%s\t%u\t%s\t%u\n", g->name, pointer, rec_type_name(shown), (unsigned)l->size);
    for (uint32_t i = l->count - own; i < l->count; i++) {
        const rec_slot *s = &l->slots[i];
        if (is_there(s, g->version) && hk_member_of(s->row, g->version, &m))
            printf("member\t%s\t%u\t%u\t%u\t%u\t%s\t%s\t%u\n", m.name, (unsigned)s->off, m.kind,
                   m.sub, m.fixed, m.type ? rec_type_name(m.type) : "",
                   m.names ? rec_names_original(m.names) : "",
                   (s->row->flags & REC_IGNORED ? 1u : 0u));
    }
}

static int list_all(void)
{
    for (size_t g = 0; g < REC_COUNT_OF(games); g++)
        for (uint8_t pointer = 4; pointer <= 8; pointer = (uint8_t)(pointer + 4)) {
            lathe_doc *doc = arranged(games[g].version, pointer);
            const rec_type *t;
            for (size_t i = 0; (t = next_class(&i, games[g].version));)
                list_members(t, rec_layout_of(doc, 0, rec_type_stored(t, games[g].version)),
                             &games[g], pointer);
            lathe_doc_close(doc);
        }
    for (size_t g = 0; g < REC_COUNT_OF(games); g++) {
        uint32_t stated, agree;
        count_signatures(&games[g], &stated, &agree);
        printf("signatures\t%s\t%u\t%u\n", games[g].name, stated, agree);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signatures),
                                       cmocka_unit_test(test_views), cmocka_unit_test(test_names)};
    if (argc > 1 && strcmp(argv[1], "--list") == 0)
        return list_all();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
