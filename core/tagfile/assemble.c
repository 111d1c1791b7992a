/* Writes a tagfile with its data, items and patches in the SDK's order. Everything else is kept, except the
 * sizes of the sections around them. */
#include "tagfile/order.h"

typedef struct span { /* a section with its header; at 0: not there */
    uint64_t at, end;
} span;

typedef struct file {
    const uint8_t *p;
    uint64_t size;
    span tag, data, type, index, items, patches;
    bool tagged;
} file;

static span *in_tag(file *f, const tag_section *s)
{
    return tag_section_is(s, "DATA")   ? &f->data
           : tag_section_is(s, "TYPE") ? &f->type
           : tag_section_is(s, "INDX") ? &f->index
                                       : NULL;
}

static span *in_index(file *f, const tag_section *s)
{
    return tag_section_is(s, "ITEM") ? &f->items : tag_section_is(s, "PTCH") ? &f->patches : NULL;
}

static lathe_result list(file *f, span of, span *(*which)(file *f, const tag_section *s),
                         lathe_error *err)
{
    tag_section s;
    uint64_t at = of.at + TAG_HEADER;
    lathe_result r;
    while ((r = tag_section_next(f->p, of.end, 0, &at, &s, err)) == LATHE_OK && s.size) {
        span *to = which(f, &s);
        if (to && !to->at)
            *to = (span){s.at, s.at + s.size};
    }
    return r;
}

/* Reads the sections again: opening has checked them, but edits may have changed them since. */
static lathe_result read_file(file *f, lathe_error *err)
{
    tag_section s;
    uint64_t at = 0;
    lathe_result r = tag_section_next(f->p, f->size, 0, &at, &s, err);
    if (r != LATHE_OK)
        return r;
    f->tag = (span){s.at, s.at + s.size};
    r = list(f, f->tag, in_tag, err);
    if (r == LATHE_OK && f->index.at)
        r = list(f, f->index, in_index, err);
    if (r == LATHE_OK && !(f->data.at && f->items.at && f->data.end <= f->index.at))
        r = error_set(err, LATHE_ERR_INVALID, 0,
                      "sections DATA and ITEM expected in the file that is written anew");
    if (r == LATHE_OK && f->patches.at && f->patches.at < f->items.at)
        r = error_set(err, LATHE_ERR_UNSUPPORTED, f->patches.at, "PTCH in front of ITEM");
    return r;
}

/* Reads the bytes behind the groups of PTCH. Zeros are kept; patches of other files cannot be updated. */
static lathe_result read_tail(const file *f, uint64_t *at, lathe_error *err)
{
    *at = f->patches.at + TAG_HEADER;
    while (f->patches.end - *at >= 8 && bytes_ld32(f->p + *at, false)) {
        uint32_t n = bytes_ld32(f->p + *at + 4, false);
        if (n > (f->patches.end - *at - 8) / 4)
            return error_set(err, LATHE_ERR_BOUNDS, *at,
                             "PTCH: a group of %u patches does not fit into it", n);
        *at += 8 + 4 * (uint64_t)n;
    }
    for (uint64_t i = *at; i < f->patches.end; i++)
        if (f->p[i])
            return error_set(
                err, LATHE_ERR_UNSUPPORTED, i,
                "PTCH: patches of other files cannot be written anew: how they count is not known");
    return LATHE_OK;
}

static bool put_section(buf *out, const uint8_t *header, const char *name, const buf *payload,
                        uint64_t extra)
{
    uint8_t head[TAG_HEADER] = {0x40};
    uint64_t size = TAG_HEADER + payload->size + extra;
    memcpy(head + 4, name, 4);
    bytes_st32(head, tag_section_word(bytes_ld32(header ? header : head, true), size), true);
    return size < (1u << 30) && buf_put(out, head, sizeof head) &&
           (!payload->size || buf_put(out, payload->data, payload->size));
}

/* Sets the size of a branch section whose header was copied to `at`. */
static bool set_size(buf *out, size_t at, uint64_t size)
{
    uint8_t *p = out->data + at;
    bytes_st32(p, tag_section_word(bytes_ld32(p, true), size), true);
    return size < (1u << 30);
}

static bool put_file(const file *f, const tag_ordered *o, uint64_t tail, buf *out)
{
    size_t start = out->size, index;
    bool patched = f->patches.at || o->patches.size;
    uint64_t patches = f->patches.at ? f->patches.at : f->items.end,
             patches_end = f->patches.at ? f->patches.end : f->items.end,
             kept = f->patches.at ? f->patches.end - tail : 0;
    bool done = buf_put(out, f->p, (size_t)f->data.at) &&
                put_section(out, f->p + f->data.at, "DATA", &o->data, 0) &&
                buf_put(out, f->p + f->data.end, (size_t)(f->index.at - f->data.end));
    index = out->size;
    done = done && buf_put(out, f->p + f->index.at, (size_t)(f->items.at - f->index.at)) &&
           put_section(out, f->p + f->items.at, "ITEM", &o->items, 0) &&
           buf_put(out, f->p + f->items.end, (size_t)(patches - f->items.end));
    if (done && patched)
        done = put_section(out, f->patches.at ? f->p + f->patches.at : NULL, "PTCH", &o->patches,
                           kept) &&
               buf_put(out, f->p + tail, (size_t)kept);
    done = done && buf_put(out, f->p + patches_end, (size_t)(f->index.end - patches_end)) &&
           set_size(out, index, out->size - index);
    done = done && buf_put(out, f->p + f->index.end, (size_t)(f->tag.end - f->index.end)) &&
           set_size(out, start, out->size - start);
    return done && buf_put(out, f->p + f->tag.end, (size_t)(f->size - f->tag.end));
}

static lathe_result put_ordered(const file *f, const tag_ordered *ordered, uint64_t tail, buf *out,
                                lathe_error *err)
{
    if (ordered->data.size >= 1u << 30)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a section has at most 2^30 - 1 bytes: too much data");
    return put_file(f, ordered, tail, out) ? LATHE_OK : rec_no_memory(err);
}

lathe_result tag_refill(const uint8_t *bytes, uint64_t size, const tag_ordered *with, buf *out,
                        lathe_error *err)
{
    file f = {.p = bytes, .size = size};
    uint64_t tail = 0;
    lathe_result r = read_file(&f, err);
    if (r == LATHE_OK && f.patches.at)
        r = read_tail(&f, &tail, err);
    return r == LATHE_OK ? put_ordered(&f, with, tail, out, err) : r;
}

lathe_result tag_assemble(const mem *m, const tag_types *types, const uint8_t *bytes, uint64_t size,
                          bool numbered, buf *out, lathe_error *err)
{
    file f = {.p = bytes, .size = size};
    uint64_t tail = 0;
    tag_ordered ordered;
    lathe_result r = read_file(&f, err);
    if (r == LATHE_OK && f.patches.at)
        r = read_tail(&f, &tail, err);
    if (r != LATHE_OK)
        return r;
    tag_image in = {.data = bytes + f.data.at + TAG_HEADER,
                    .size = f.data.end - f.data.at - TAG_HEADER,
                    .items = bytes + f.items.at + TAG_HEADER,
                    .items_n = (uint32_t)((f.items.end - f.items.at - TAG_HEADER) / TAG_ITEM_SIZE),
                    .numbered = numbered};
    tag_ordered_init(&ordered, m);
    r = tag_order(m, types, &in, f.data.at + TAG_HEADER, &ordered, err);
    if (r == LATHE_OK)
        r = put_ordered(&f, &ordered, tail, out, err);
    tag_ordered_free(&ordered);
    return r;
}
