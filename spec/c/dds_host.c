/* Decodes DDS files: dds_host LARGEST FILE... Prints, for each one, "ok LEVELS ALPHA" and for each level "WIDTH HEIGHT" and its
 * pixels, or "error CODE MESSAGE"; then the most memory that was used at once. */
#include "picture/pixels.h"

#include "counted.h"

#include <stdio.h>
#include <stdlib.h>

static void *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long size = ftell(f);
        rewind(f);
        bytes = malloc((size_t)size + 1);
        *n = bytes ? fread(bytes, 1, (size_t)size, f) : 0;
    }
    if (f)
        fclose(f);
    return bytes;
}

static void show(const void *bytes, size_t n, uint32_t largest)
{
    counted c = {0, 0};
    const mem m = {count, &c};
    picture_texture t;
    lathe_error err;
    if (picture_dds_read(&m, bytes, n, largest, &t, &err) != LATHE_OK) {
        printf("error %d %s\n", (int)err.code, err.message);
    } else {
        printf("ok %u %d\n", t.level_count, (int)t.has_alpha);
        for (unsigned i = 0; i < t.level_count; i++) {
            const picture_pixels *p = &t.levels[i];
            printf("%u %u\n", (unsigned)p->width, (unsigned)p->height);
            fwrite(p->rgba, 4, (size_t)p->width * p->height, stdout);
        }
    }
    picture_texture_free(&m, &t);
    printf("\nmemory %zu %zu\n", c.most, c.now);
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        size_t n = 0;
        void *bytes = read_file(argv[i], &n);
        if (!bytes)
            return 1;
        show(bytes, n, (uint32_t)strtoul(argv[1], NULL, 10));
        free(bytes);
    }
    return 0;
}
