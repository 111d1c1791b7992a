/* Formats that no game has: between them they use every word of the schema. Tests of the engine link
 * them in place of core/formats.c.
 *
 *   nested      one part, little-endian: every kind of field, records in records in records, arrays
 *               in arrays, shared counts, selectors, conditions, columns of numbers
 *   nested_big  the same types, big-endian
 *   parts       a header with a table, a list of parts with stored positions inside, a footer; a
 *               part may hold a document of the format pack
 *   pack        a small document of several parts, alone or inside a part of parts
 *   laid        records with given offsets, and as a C compiler lays them out
 *   words       groups of parallel arrays, counts that are not stored, overlays, parts that a walk
 *               finds, bytes in a part
 *   keys        arrays that are found by a text; parts whose first field comes with version 2
 *   linked      stored positions in front of and behind all that can grow, come or go
 *   tiers       parts in parts in parts, each with a total of what is below
 *   bush        records in records of their own kind, with fields behind them
 *   moves       a skeleton and animations
 *   walk        an animation that is the whole document
 *   shapes      meshes with bones, tangents and a material's looks
 *   blocks      elements of several types that come and go, types with a base, rows of some versions,
 *               records whose shape is an argument
 *   bits        integers whose bits are rows, vectors that are worked out from rows of their own
 *   own         objects of types that the file itself describes
 *
 * The bytes of parts: "PRTS", u32 size of everything, u16 number of chunks, then a u32 offset and a
 * u32 size for each chunk, the chunks, and at the end u32 size of everything, u16 number of chunks,
 * "ENDS". A chunk without cells, note and pack is
 *     u32 id, u32 weight (= length of the name), u16 0, u16 0, u8 0, u32 0, u32 0, u32 0,
 *     u16 length and name, u16 0, u16 0
 * so that a large document is easy to write by hand. */
#ifndef LATHE_MADE_UP_H
#define LATHE_MADE_UP_H

#include "gen/made_up_types.h"
#include "record/record.h"

extern const lathe_format made_up_nested, made_up_nested_big, made_up_parts, made_up_pack,
    made_up_laid, made_up_words, made_up_linked, made_up_tiers, made_up_bush, made_up_moves,
    made_up_walk, made_up_keys, made_up_shapes, made_up_blocks, made_up_bits, made_up_own;
extern uint64_t made_up_steps; /* how often a bush was walked from its start */

/* A nested value written as text, in the manner of Lua: {id = 3, name = "x", list = {1, 2.5, true}}.
 * Strings know \n, \0, \\ and \". */
typedef struct made_up_node made_up_node;
typedef struct made_up_text {
    made_up_node *nodes;
    size_t n, cap;
    char *strings;
    size_t strings_n;
    lathe_source source; /* names are known: unknown ones are refused */
} made_up_text;

/* False where the text does not read. */
bool made_up_text_read(made_up_text *out, const char *text);
void made_up_text_free(made_up_text *text);

/* A document as a nested value: what totable gives in Lua. Field by field, in values only. */
typedef struct made_up_copy {
    lathe_value *nodes[65536];
    size_t n;
    lathe_source source;
} made_up_copy;

made_up_copy *made_up_copy_of(lathe_view view);
void made_up_copy_free(made_up_copy *copy);

/* A whole document encoded. The bytes are the caller's, to free(); NULL where it fails. */
uint8_t *made_up_encode(lathe_doc *doc, size_t *n);

/* Inside an edit: the part that is number `from` on a row of the root becomes number `to`. */
lathe_result made_up_move(lathe_doc *doc, const char *row, uint64_t from, uint64_t to,
                          lathe_error *err);

/* A sequence that is the same on every machine. */
uint64_t made_up_random(uint64_t *state);

/* An allocator that counts, checks the sizes that it is told, and refuses call number `fail_at`
 * (from 1; 0: never) and, with fail_on, everything after it. */
typedef struct made_up_memory {
    size_t bytes, blocks, calls, fail_at;
    bool fail_on, wrong_size;
} made_up_memory;

void *made_up_alloc(void *memory, void *ptr, size_t old_size, size_t new_size);

#endif
