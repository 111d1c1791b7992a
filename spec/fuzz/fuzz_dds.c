/* DDS files: a texture that was read has levels down to 1 x 1 and only those of the size asked for; an error has a message;
 * nothing leaks, and memory is bounded. The first byte says how large pixels may get. */
#include "picture/pixels.h"

#include "counted.h"
#include "promise.h"

#include <stdlib.h>

static void look_at(const picture_texture *t, uint32_t largest)
{
    PROMISE(t->level_count >= 1 && t->level_count <= PICTURE_LEVELS);
    unsigned long sum = 0;
    for (unsigned i = 0; i < t->level_count; i++) {
        const picture_pixels *p = &t->levels[i], *before = &t->levels[i ? i - 1 : 0];
        PROMISE(p->width >= 1 && p->width <= largest && p->height >= 1 && p->height <= largest);
        PROMISE(i == 0 || p->width == (before->width > 1 ? before->width / 2 : 1));
        PROMISE(i == 0 || p->height == (before->height > 1 ? before->height / 2 : 1));
        for (size_t k = 0; k < (size_t)p->width * p->height * 4; k++)
            sum += p->rgba[k];
    }
    PROMISE(sum < (unsigned long)-1);
    const picture_pixels *last = &t->levels[t->level_count - 1];
    PROMISE(last->width == 1 && last->height == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SLACK = 65535 * 4 * 4 + 65535 * 4 * 8 }; /* rows while they are decoded */
    if (!size)
        return 0;
    const uint32_t largest = (uint32_t)data[0] + 1;
    counted c = {0, 0};
    const mem m = {count, &c};
    picture_texture t;
    lathe_error err;
    lathe_result r = picture_dds_read(&m, data + 1, size - 1, largest, &t, &err);
    if (r == LATHE_OK)
        look_at(&t, largest);
    else
        PROMISE(err.code == r && err.message[0] && r != LATHE_ERR_MEMORY && t.level_count == 0);
    PROMISE(c.most <= (size_t)largest * largest * 8 + SLACK);
    picture_texture_free(&m, &t);
    PROMISE(c.now == 0);
    return 0;
}
