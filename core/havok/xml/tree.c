#include "havok/xml/tree.h"

/* ---- what is being read ---------------------------------------------------------------------------------- */

typedef enum element { FILE_ITSELF, PACKFILE, SECTION, OBJECT, PARAM, STRING } element;

static const char *const names[] = {"the file", "hkpackfile", "hksection",
                                    "hkobject", "hkparam",    "hkcstring"};

typedef struct open_element {
    element what;
    uint32_t node, last; /* number of its node and of its last child; 0: none */
    const char *content; /* where it begins */
    bool filled;         /* it has text other than blanks */
} open_element;

typedef struct parser {
    hk_xml_tree *tree;
    const hk_xml_text *text;
    const char *at;
    open_element stack[HK_XML_DEPTH];
    int depth; /* elements that are open; stack[0] is the file */
    bool done; /* hkpackfile has ended */
} parser;

/* Attributes of an element. */
typedef enum attribute {
    NAME,
    CLASS,
    SIGNATURE,
    VERSION,
    CONTENTS,
    TOP,
    ENCODING,
    ATTRIBUTES
} attribute;

typedef struct tag {
    hk_xml_span name;
    hk_xml_span values[ATTRIBUTES]; /* p is NULL where it is not given */
    bool empty;                     /* it ends with "/>" */
} tag;

#define FAIL(p, at, err, ...) hk_xml_fail((p)->text, (at), (err), LATHE_ERR_INVALID, __VA_ARGS__)

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static open_element *top(parser *p)
{
    return &p->stack[p->depth];
}

/* ---- tags ------------------------------------------------------------------------------------------------ */

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '-' || c == '.';
}

static hk_xml_span take_name(parser *p)
{
    const char *start = p->at;
    while (p->at < p->text->end && in_name(*p->at))
        p->at++;
    return (hk_xml_span){start, (uint32_t)(p->at - start)};
}

static lathe_result cut_off(const parser *p, const char *at, lathe_error *err)
{
    return hk_xml_fail(p->text, at, err, LATHE_ERR_BOUNDS, "the tag does not end");
}

/* A value without references is the text's own bytes. */
static lathe_result keep_value(parser *p, hk_xml_span raw, hk_xml_span *out, lathe_error *err)
{
    *out = raw;
    const char *lower = memchr(raw.p, '<', raw.n);
    if (lower)
        return FAIL(p, lower, err, "'<' in an attribute");
    if (!memchr(raw.p, '&', raw.n))
        return LATHE_OK;
    buf text;
    buf_init(&text, p->tree->mem);
    lathe_result r = hk_xml_decode(p->text, raw, &text, err);
    char *copy = r == LATHE_OK ? arena_zalloc(&p->tree->arena, text.size + 1) : NULL;
    if (copy) {
        memcpy(copy, text.data, text.size);
        *out = (hk_xml_span){copy, (uint32_t)text.size};
    }
    buf_free(&text);
    return r == LATHE_OK && !copy ? no_memory(err) : r;
}

static attribute attribute_of(hk_xml_span name)
{
    static const char *const known[ATTRIBUTES] = {
        "name",           "class",   "signature", "classversion", "contentsversion",
        "toplevelobject", "encoding"};
    attribute i = NAME;
    while (i < ATTRIBUTES && !hk_xml_is(name, known[i]))
        i++;
    return i;
}

/* One attribute, of which `at` is at the name. Those that mean nothing here are passed over. */
static lathe_result take_attribute(parser *p, tag *t, lathe_error *err)
{
    const char *start = p->at, *end = p->text->end;
    hk_xml_span name = take_name(p), value;
    if (!name.n)
        return FAIL(p, start, err, "an attribute, '>' or '/>' expected");
    p->at = hk_xml_skip(p->at, end);
    if (p->at == end || *p->at != '=')
        return FAIL(p, p->at, err, "'=' expected behind '%.*s'", hk_xml_shown(name), name.p);
    p->at = hk_xml_skip(p->at + 1, end);
    if (p->at == end || (*p->at != '"' && *p->at != '\''))
        return FAIL(p, p->at, err, "a value in quotes expected");
    const char *close = memchr(p->at + 1, *p->at, (size_t)(end - p->at - 1));
    if (!close)
        return hk_xml_fail(p->text, p->at, err, LATHE_ERR_BOUNDS, "the value does not end");
    const hk_xml_span raw = {p->at + 1, (uint32_t)(close - p->at - 1)};
    attribute which = attribute_of(name);
    p->at = close + 1;
    lathe_result r = keep_value(p, raw, &value, err);
    if (r != LATHE_OK || which == ATTRIBUTES)
        return r;
    if (t->values[which].p)
        return FAIL(p, start, err, "'%.*s' is given twice", (int)name.n, name.p);
    t->values[which] = value;
    return LATHE_OK;
}

/* From behind the '<' to behind the '>'; `last`: what stands in front of that at the end of a declaration. */
static lathe_result take_tag(parser *p, tag *t, char last, lathe_error *err)
{
    const char *start = p->at - 1, *end = p->text->end;
    memset(t, 0, sizeof *t);
    t->name = take_name(p);
    if (!t->name.n)
        return p->at == end ? cut_off(p, start, err)
                            : FAIL(p, p->at, err, "the name of a tag expected");
    for (;;) {
        const char *was = p->at;
        p->at = hk_xml_skip(p->at, end);
        if (p->at == end)
            return cut_off(p, start, err);
        t->empty = *p->at == last;
        p->at += t->empty;
        if (p->at < end && *p->at == '>' && (t->empty || last == '/')) {
            p->at++;
            return LATHE_OK;
        }
        if (t->empty || was == p->at)
            return p->at == end ? cut_off(p, start, err) : FAIL(p, p->at, err, "'>' expected");
        lathe_result r = take_attribute(p, t, err);
        if (r != LATHE_OK)
            return r;
    }
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

/* Behind the last child of the element that is open. 0: no memory. */
static uint32_t add_node(parser *p, hk_xml_kind kind)
{
    hk_xml_tree *t = p->tree;
    void *nodes = t->nodes;
    if (!mem_reserve(t->mem, &nodes, &t->nodes_cap, t->nodes_n + 1, sizeof *t->nodes))
        return 0;
    t->nodes = nodes;
    t->nodes[t->nodes_n] = (hk_xml_node){.kind = (uint8_t)kind, .plain = true};
    uint32_t number = (uint32_t)++t->nodes_n;
    open_element *in = top(p);
    hk_xml_node *parent = hk_xml_node_of(t, in->node);
    if (parent) {
        parent->count++;
        if (in->last)
            t->nodes[in->last - 1].next = number;
        else
            parent->child = number;
        in->last = number;
    }
    return number;
}

static lathe_result push(parser *p, element what, uint32_t node, const char *at, lathe_error *err)
{
    if (p->depth + 1 == HK_XML_DEPTH)
        return hk_xml_fail(p->text, at, err, LATHE_ERR_LIMIT, "elements nested deeper than %d",
                           HK_XML_DEPTH - 1);
    p->stack[++p->depth] = (open_element){.what = what, .node = node, .content = p->at};
    return LATHE_OK;
}

/* "0x76ad60a", with zeros in front or without. */
static bool take_signature(hk_xml_span from, uint32_t *out)
{
    *out = 0;
    if (from.n < 3 || from.n > 10 || from.p[0] != '0' || (from.p[1] | 0x20) != 'x')
        return false;
    for (uint32_t i = 2; i < from.n; i++) {
        int c = from.p[i] | 0x20;
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
            return false;
        *out = *out << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* An object of the section has a name and a class. */
static lathe_result add_object(parser *p, const tag *t, uint32_t node, const char *at,
                               lathe_error *err)
{
    hk_xml_tree *tree = p->tree;
    void *objects = tree->objects;
    hk_xml_object o = {.node = node, .class_name = t->values[CLASS]};
    const hk_xml_span signature = t->values[SIGNATURE];
    if (!t->values[NAME].n || !t->values[CLASS].n)
        return FAIL(p, at, err, "an object without a %s", t->values[NAME].n ? "class" : "name");
    o.has_signature = signature.p != NULL;
    if (o.has_signature && !take_signature(signature, &o.signature))
        return FAIL(p, hk_xml_at(p->text, signature, at), err, "'%.*s' is no signature",
                    hk_xml_shown(signature), signature.p);
    if (!mem_reserve(tree->mem, &objects, &tree->objects_cap, tree->objects_n + 1, sizeof o))
        return no_memory(err);
    tree->objects = objects;
    tree->objects[tree->objects_n++] = o;
    return LATHE_OK;
}

/* ---- elements -------------------------------------------------------------------------------------------- */

static element element_of(hk_xml_span name)
{
    for (element e = PACKFILE; e <= STRING; e++)
        if (hk_xml_is(name, names[e]))
            return e;
    return FILE_ITSELF;
}

static bool may_hold(element outer, element inner)
{
    switch (inner) {
    case PACKFILE: return outer == FILE_ITSELF;
    case SECTION: return outer == PACKFILE;
    case OBJECT: return outer == SECTION || outer == PARAM;
    case PARAM: return outer == OBJECT;
    case STRING: return outer == PARAM;
    default: return false;
    }
}

static lathe_result check_place(parser *p, const tag *t, element what, const char *at,
                                lathe_error *err)
{
    const open_element *in = top(p);
    if (what == FILE_ITSELF)
        return FAIL(p, at, err, "no element '%.*s' is known", hk_xml_shown(t->name), t->name.p);
    if (!may_hold(in->what, what) || (what == PACKFILE && p->done))
        return FAIL(p, at, err, "'%s' inside of %s", names[what], names[in->what]);
    if (in->filled)
        return FAIL(p, at, err, "'%s' beside text", names[what]);
    if (what == PARAM && !t->values[NAME].n)
        return FAIL(p, at, err, "a parameter without a name");
    if (what == SECTION && !hk_xml_is(t->values[NAME], "__data__"))
        return hk_xml_fail(
            p->text, at, err, LATHE_ERR_UNSUPPORTED, "a section '%.*s': lathe knows __data__ alone",
            hk_xml_shown(t->values[NAME]), t->values[NAME].n ? t->values[NAME].p : "");
    return LATHE_OK;
}

static void close_element(parser *p, const char *end)
{
    const open_element *e = top(p);
    hk_xml_node *node = hk_xml_node_of(p->tree, e->node);
    if (node && node->kind != HK_XML_OBJECT) {
        node->text = e->content;
        node->text_n = (uint32_t)(end - e->content);
    }
    p->done = p->done || e->what == PACKFILE;
    p->depth--;
}

static lathe_result open_tag(parser *p, lathe_error *err)
{
    const char *at = p->at - 1;
    tag t;
    lathe_result r = take_tag(p, &t, '/', err);
    element what = r == LATHE_OK ? element_of(t.name) : FILE_ITSELF;
    uint32_t node = 0;
    if (r == LATHE_OK)
        r = check_place(p, &t, what, at, err);
    if (r != LATHE_OK)
        return r;
    if (what == PACKFILE) {
        p->tree->version = t.values[VERSION];
        p->tree->contents = t.values[CONTENTS];
        p->tree->top = t.values[TOP];
    }
    if (what >= OBJECT) {
        node = add_node(p, what == OBJECT  ? HK_XML_OBJECT
                           : what == PARAM ? HK_XML_PARAM
                                           : HK_XML_STRING);
        if (!node)
            return no_memory(err);
        p->tree->nodes[node - 1].name = t.values[NAME];
        p->tree->nodes[node - 1].text = at;
    }
    if (what == OBJECT && top(p)->what == SECTION)
        r = add_object(p, &t, node, at, err);
    if (r == LATHE_OK)
        r = push(p, what, node, at, err);
    if (r == LATHE_OK && t.empty)
        close_element(p, p->at);
    return r;
}

static lathe_result close_tag(parser *p, const char *at, lathe_error *err)
{
    p->at = at + 2;
    hk_xml_span name = take_name(p);
    p->at = hk_xml_skip(p->at, p->text->end);
    if (p->at == p->text->end)
        return cut_off(p, at, err);
    if (*p->at != '>')
        return FAIL(p, p->at, err, "'>' expected");
    p->at++;
    if (p->depth == 0 || !hk_xml_is(name, names[top(p)->what]))
        return FAIL(p, at, err, "'</%.*s>' ends %s", hk_xml_shown(name), name.p,
                    p->depth ? names[top(p)->what] : "nothing");
    close_element(p, at);
    return LATHE_OK;
}

/* ---- what stands between tags ---------------------------------------------------------------------------- */

/* Text from p->at up to `end`. */
static lathe_result take_text(parser *p, const char *end, lathe_error *err)
{
    open_element *in = top(p);
    const char *start = p->at, *first = hk_xml_skip(start, end);
    hk_xml_node *node = hk_xml_node_of(p->tree, in->node);
    if (in->what == STRING || in->what == PARAM) {
        if (memchr(start, '&', (size_t)(end - start)) || memchr(start, '\r', (size_t)(end - start)))
            node->plain = false;
        if (first < end && node->count)
            return FAIL(p, first, err, "text beside elements");
        in->filled = in->filled || first < end;
    } else if (first < end) {
        return FAIL(p, first, err, "text in %s", names[in->what]);
    }
    return LATHE_OK;
}

/* "<!--" and what else begins with "<!" or "<?". */
static lathe_result take_markup(parser *p, const char *at, lathe_error *err)
{
    static const char ignored[] = " SERIALIZE_IGNORED";
    enum { TAIL = sizeof ignored - 1 };
    size_t left = (size_t)(p->text->end - at);
    if (left >= 4 && memcmp(at, "<!--", 4) == 0) {
        const char *end = hk_xml_comment_end(at, p->text->end);
        hk_xml_node *node = hk_xml_node_of(p->tree, top(p)->node);
        if (!end)
            return hk_xml_fail(p->text, at, err, LATHE_ERR_BOUNDS, "the comment does not end");
        if (node)
            node->plain = false;
        const char *body = at + 4, *body_end = end - 3;
        body_end -= body_end > body && body_end[-1] == ' ';
        if (body_end - body < TAIL || memcmp(body_end - TAIL, ignored, TAIL) != 0)
            p->tree->comments++;
        p->at = end;
        return LATHE_OK;
    }
    return hk_xml_fail(p->text, at, err, LATHE_ERR_UNSUPPORTED,
                       "%s: lathe does not read such files",
                       left >= 9 && memcmp(at, "<!DOCTYPE", 9) == 0   ? "a document type"
                       : left >= 9 && memcmp(at, "<![CDATA[", 9) == 0 ? "a CDATA section"
                       : at[1] == '?'                                 ? "a processing instruction"
                                                                      : "a declaration");
}

static lathe_result read_elements(parser *p, lathe_error *err)
{
    const char *end = p->text->end;
    lathe_result r = LATHE_OK;
    while (r == LATHE_OK && p->at < end) {
        const char *lower = memchr(p->at, '<', (size_t)(end - p->at));
        r = take_text(p, lower ? lower : end, err);
        if (r != LATHE_OK || !lower)
            break;
        p->at = lower + 1;
        if (p->at < end && (*p->at == '!' || *p->at == '?'))
            r = take_markup(p, lower, err);
        else if (p->at < end && *p->at == '/')
            r = close_tag(p, lower, err);
        else
            r = open_tag(p, err);
    }
    if (r == LATHE_OK && p->depth)
        r = hk_xml_fail(p->text, end, err, LATHE_ERR_BOUNDS, "the text ends inside of %s",
                        names[top(p)->what]);
    if (r == LATHE_OK && !p->done)
        r = FAIL(p, end, err, "no hkpackfile in the file");
    return r;
}

/* ---- the file -------------------------------------------------------------------------------------------- */

static bool is_any(hk_xml_span name, const char *const *list)
{
    char lower[16] = "";
    for (uint32_t i = 0; name.n < sizeof lower && i < name.n; i++)
        lower[i] = name.p[i] >= 'A' && name.p[i] <= 'Z' ? (char)(name.p[i] | 0x20) : name.p[i];
    while (*list && strcmp(lower, *list) != 0)
        list++;
    return *list != NULL;
}

/* "<?xml … ?>", which may be missing: then it is UTF-8. */
static lathe_result read_declaration(parser *p, bool *utf8, lathe_error *err)
{
    static const char *const ascii[] = {"ascii", "us-ascii", NULL};
    static const char *const wide[] = {"utf-8", "utf8", NULL};
    tag t = {.empty = false};
    lathe_result r;
    *utf8 = true;
    if (p->text->end - p->at < 6 || memcmp(p->at, "<?xml", 5) != 0 || !hk_xml_blank(p->at[5]))
        return LATHE_OK;
    p->at += 2;
    r = take_tag(p, &t, '?', err);
    const hk_xml_span encoding = t.values[ENCODING];
    if (r != LATHE_OK || !encoding.p)
        return r;
    *utf8 = !is_any(encoding, ascii);
    if (*utf8 && !is_any(encoding, wide))
        return hk_xml_fail(
            p->text, hk_xml_at(p->text, encoding, p->text->p), err, LATHE_ERR_UNSUPPORTED,
            "the encoding '%.*s': lathe reads ascii and UTF-8", hk_xml_shown(encoding), encoding.p);
    return LATHE_OK;
}

lathe_result hk_xml_tree_open(hk_xml_tree *tree, const mem *m, const char *text, size_t n,
                              lathe_error *err)
{
    bool utf8, mark = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    *tree = (hk_xml_tree){.mem = m, .text = {text, text + n}};
    arena_init(&tree->arena, m);
    parser p = {.tree = tree, .text = &tree->text, .at = text + (mark ? 3 : 0)};
    if (n >= UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, 0, "an XML file of 4 GiB or more");
    const char *start = p.at;
    lathe_result r = read_declaration(&p, &utf8, err);
    if (r == LATHE_OK)
        r = hk_xml_check_bytes(&tree->text, start, utf8 || mark, err);
    return r == LATHE_OK ? read_elements(&p, err) : r;
}

void hk_xml_tree_close(hk_xml_tree *tree)
{
    if (!tree->mem)
        return;
    mem_free(tree->mem, tree->nodes, tree->nodes_cap * sizeof *tree->nodes);
    mem_free(tree->mem, tree->objects, tree->objects_cap * sizeof *tree->objects);
    arena_free(&tree->arena);
}

hk_xml_node *hk_xml_child(const hk_xml_tree *tree, hk_xml_node *of, uint32_t i)
{
    if (!of->seen || of->seen_i > i) {
        of->seen = of->child;
        of->seen_i = 0;
    }
    for (; of->seen_i < i; of->seen_i++)
        of->seen = tree->nodes[of->seen - 1].next;
    return hk_xml_node_of(tree, of->seen);
}
