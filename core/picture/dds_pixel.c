#include "picture/dds.h"

typedef struct channel {
    unsigned shift;
    uint32_t most; /* the value of full intensity; 0: missing */
} channel;

static channel channel_of(uint32_t mask)
{
    channel c = {0, mask};
    while (c.most && !(c.most & 1)) {
        c.most >>= 1;
        c.shift++;
    }
    return c;
}

static uint8_t value_of(channel c, uint32_t pixel, uint8_t missing)
{
    uint32_t v = pixel >> c.shift & c.most;
    if (c.most == 255)
        return (uint8_t)v;
    return c.most ? (uint8_t)(((uint64_t)v * 255 + c.most / 2) / c.most) : missing;
}

void dds_pixels(const dds_format *format, const uint8_t *from, size_t n, uint8_t *rgba)
{
    channel channels[4];
    for (unsigned c = 0; c < 4; c++)
        channels[c] = channel_of(format->masks[format->grey && c < 3 ? 0 : c]);
    for (size_t i = 0; i < n; i++, from += format->unit, rgba += 4) {
        uint32_t pixel = 0;
        for (unsigned b = 0; b < format->unit; b++)
            pixel |= (uint32_t)from[b] << 8 * b;
        for (unsigned c = 0; c < 4; c++)
            rgba[c] = value_of(channels[c], pixel, c == 3 ? 255 : 0);
    }
}
