/* Documents in compressed files. Opening decompresses them, and encoding compresses them again. */
#ifndef LATHE_RECORD_COMPRESSED_H
#define LATHE_RECORD_COMPRESSED_H

#include "record/record.h"

/* Opening only: replaces the input by its decompressed content, if it is compressed and was not just made. Keeps the
 * dictionary for encoding. */
lathe_result rec_uncompress(lathe_doc *doc, const lathe_options *options, bool made,
                            lathe_error *err);
void rec_compressed_free(lathe_doc *doc);

bool rec_compresses(const lathe_doc *doc); /* whether encoding compresses */
bool rec_compression_changed(
    /* … and whether that differs from the file that was opened or saved last */
    const lathe_doc *doc);
/* the file now has the compression that encoding uses */
void rec_compression_saved(lathe_doc *doc);
/* The encoded document, borrowed until it changes. If it is unchanged, these are the bytes of its file. Each changed
 * state is compressed once. */
lathe_result rec_compress(lathe_doc *doc, const uint8_t **bytes, size_t *n, lathe_error *err);
/* Other bytes than those that it is encoded to: they become compressed ones. */
lathe_result rec_compress_apart(lathe_doc *doc, buf *bytes, lathe_error *err);

#endif
