#include "record/recent.h"

/* Merges two writes to one part into a change that covers both and the bytes between. In a root part only adjacent
 * writes are merged, because a header contains many tables, and a cache may depend on one that lies between. */
static bool join(const lathe_doc *doc, rec_change *last, const rec_change *next)
{
    if (last->part != next->part)
        return false;
    if (!next->removed && !next->inserted)
        return true;
    if (last->removed != last->inserted || next->removed != next->inserted || !last->removed)
        return false;
    uint64_t end = last->at + last->removed, next_end = next->at + next->removed;
    if (doc->parts[next->part].owner == REC_NO_PART && (next->at > end || last->at > next_end))
        return false;
    last->at = next->at < last->at ? next->at : last->at;
    last->removed = last->inserted = (next_end > end ? next_end : end) - last->at;
    return true;
}

void rec_recent_note(lathe_doc *doc, rec_change change)
{
    bool unread = doc->recent_n > doc->recent_read;
    if (unread && join(doc, &doc->recent[(doc->recent_n - 1) % REC_RECENT], &change))
        return;
    doc->recent[doc->recent_n++ % REC_RECENT] = change;
}

void rec_recent_note_all(lathe_doc *doc)
{
    rec_recent_note(doc, (rec_change){.part = REC_NO_PART});
}

uint64_t rec_recent_next(lathe_doc *doc)
{
    return doc->recent_read = doc->recent_n;
}

bool rec_recent_knows(const lathe_doc *doc, uint64_t since)
{
    return doc->recent_n - since <= REC_RECENT;
}

const rec_change *rec_recent_at(const lathe_doc *doc, uint64_t number)
{
    return &doc->recent[number % REC_RECENT];
}
