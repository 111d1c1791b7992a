/* Reads the data that a document was opened from, in memory or on disk. */
#include "base/os.h"
#include "base/zstd.h"
#include "record/record.h"

uint64_t rec_input_size(const lathe_doc *doc)
{
    return doc->file ? os_file_size(doc->file) : doc->input_size;
}

lathe_result rec_input_read(lathe_doc *doc, uint64_t off, void *to, size_t n, lathe_error *err)
{
    uint64_t size = rec_input_size(doc);
    if (off > size || n > size - off)
        return error_set(err, LATHE_ERR_BOUNDS, off, "%llu bytes needed, %llu left",
                         (unsigned long long)n, (unsigned long long)(off < size ? size - off : 0));
    if (doc->file)
        return os_file_read(doc->file, off, to, n, err);
    if (n)
        memcpy(to, doc->input + off, n);
    return LATHE_OK;
}

lathe_result rec_input_check(const lathe_doc *doc, lathe_error *err)
{
    if (!doc->file || os_file_unchanged(doc->file))
        return LATHE_OK;
    error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", OS_FILE_CHANGED);
    error_path(err, doc->path);
    return LATHE_ERR_IO;
}

/* The format that reads a file with this beginning on demand; NULL: none. */
static const lathe_format *format_of(const lathe_format *forced, const uint8_t *bytes, size_t n)
{
    if (forced)
        return forced->head ? forced : NULL;
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if ((*f)->head && (*f)->sniff && (*f)->sniff(bytes, n) == REC_SNIFF_SURE)
            return *f;
    return NULL;
}

/* Reads the bytes that become parts. If the file is shorter than its header says, reads only what there is; .open
 * will refuse it. */
static lathe_result read_head(os_file *file, const lathe_format *format, const mem *m,
                              uint8_t **input, size_t *size, lathe_error *err)
{
    uint8_t first[REC_SNIFFED] = {0};
    uint64_t whole = os_file_size(file);
    size_t n = whole < sizeof first ? (size_t)whole : sizeof first;
    lathe_result r = os_file_read(file, 0, first, n, err);
    uint64_t head = format->head(first, n);
    size_t have = head <= whole && head <= SIZE_MAX / 2 ? (size_t)head : n;
    uint8_t *data = r == LATHE_OK ? mem_alloc(m, have) : NULL;
    if (!data)
        return r == LATHE_OK ? rec_no_memory(err) : r;
    r = os_file_read(file, 0, data, have, err);
    if (r == LATHE_OK) {
        *input = data;
        *size = have;
    } else {
        mem_free(m, data, have);
    }
    return r;
}

lathe_result rec_input_open(const char *real, const char *path, const lathe_format *forced,
                            uint64_t limit, const mem *m, os_file **out, uint8_t **input,
                            size_t *size, lathe_error *err)
{
    uint8_t first[REC_SNIFFED] = {0};
    os_file *file = NULL;
    size_t n = 0;
    *out = NULL;
    if (forced && !forced->head)
        return LATHE_OK;
    lathe_result r = os_read_start(real, path, first, sizeof first, &n, err);
    if (zstd_is(first, n)) /* compressed files are read as a whole */
        return r;
    const lathe_format *format = r == LATHE_OK && n ? format_of(forced, first, n) : NULL;
    if (!format)
        return r;
    r = os_file_open(real, path, m, &file, err);
    if (r == LATHE_OK && limit && os_file_size(file) > limit)
        r = error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                      "the file has more than the %llu bytes that are allowed",
                      (unsigned long long)limit);
    if (r == LATHE_OK)
        r = read_head(file, format, m, input, size, err);
    if (r == LATHE_OK)
        *out = file;
    else
        os_file_close(file);
    return r;
}

/* ---- saved over itself --------------------------------------------------------------------------- */

/* After saving a document over its own file: reads the parts again, because unedited ones borrow from the old
 * buffer. */
static bool take_head(lathe_doc *doc, os_file *file)
{
    rec_part *root = &doc->parts[doc->containers[0].root];
    uint8_t *input = NULL;
    size_t size = 0;
    if (read_head(file, doc->containers[0].format, &doc->mem, &input, &size, NULL) != LATHE_OK)
        return false;
    /* another program wrote to it, too */
    if (size != root->size || memcmp(input, root->data, size) != 0) {
        mem_free(&doc->mem, input, size);
        return false;
    }
    if (!root->owned)
        root->data = input;
    mem_free(&doc->mem, doc->input, doc->input_size);
    doc->input = input;
    doc->input_size = doc->head_size = size;
    return true;
}

void rec_input_leave(lathe_doc *doc)
{
    os_file_pause(doc->file);
}

void rec_input_return(lathe_doc *doc, const char *real, const char *path, bool saved)
{
    os_file *file = NULL;
    if (!saved)
        os_file_resume(doc->file);
    if (!saved || os_file_open(real, path, &doc->mem, &file, NULL) != LATHE_OK)
        return; /* the file no longer exists; reads will fail */
    if (!take_head(doc, file)) {
        os_file_close(file);
        return;
    }
    os_file_close(doc->file);
    doc->file = file;
    doc->changes++; /* caches of the format may contain pointers into the old buffer */
    const lathe_format *format = doc->containers[0].format;
    if (format->rebase)
        format->rebase(doc, 0);
}
