/* Documents whose files are compressed: what is opened is their content, what is encoded is compressed again. */
#ifndef LATHE_RECORD_COMPRESSED_H
#define LATHE_RECORD_COMPRESSED_H

#include "record/record.h"

/* Opening only: where the input is compressed, and was not just made, its content takes its place. A dictionary is kept
 * for compressing. */
lathe_result rec_uncompress(lathe_doc *doc, const lathe_options *options, bool made,
                            lathe_error *err);
void rec_compressed_free(lathe_doc *doc);

bool rec_compresses(const lathe_doc *doc); /* whether encoding compresses */
bool rec_compression_changed(
    const lathe_doc *doc); /* … and does not where the file did, or the reverse */
void rec_compression_saved(lathe_doc *doc); /* the file has what encoding gives */
/* The encoded document, borrowed until it changes. Of what was opened these are its own bytes; what was changed is
 * compressed once for each state that is asked for. */
lathe_result rec_compress(lathe_doc *doc, const uint8_t **bytes, size_t *n, lathe_error *err);

#endif
