/* Textures of one call, each decoded once. */
#include "preview/preview.h"

#include <string.h>

enum { LARGEST = 512, /* pixels in width and height: pictures are not much larger */ KEPT = 64 };

typedef struct preview_texture {
    char *path;
    picture_texture picture;
    bool there;
} preview_texture;

static lathe_result decode(preview *p, const char *path, picture_texture *out, lathe_error *err)
{
    const void *bytes = NULL;
    size_t n = 0;
    lathe_result r = p->options.texture(p->options.user, path, &bytes, &n, err);
    return r == LATHE_OK ? picture_dds_read(&p->mem, bytes, n, LARGEST, out, err) : r;
}

const picture_texture *preview_texture_of(preview *p, const char *path)
{
    lathe_error why;
    for (size_t i = 0; i < p->texture_count; i++)
        if (strcmp(p->textures[i].path, path) == 0)
            return p->textures[i].there ? &p->textures[i].picture : NULL;
    if (p->texture_count == KEPT) {
        preview_skip(p, path, "more than %d textures: drawn without it", KEPT);
        return NULL;
    }
    size_t size = strlen(path) + 1;
    if (!p->textures)
        p->textures = mem_zalloc(&p->mem, KEPT * sizeof *p->textures);
    char *copy = p->textures ? mem_alloc(&p->mem, size) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, path, size);
    preview_texture *one = &p->textures[p->texture_count++];
    one->path = copy;
    error_clear(&why);
    one->there = decode(p, path, &one->picture, &why) == LATHE_OK;
    if (!one->there)
        preview_skip(p, path, "drawn without the texture: %s", why.message);
    return one->there ? &one->picture : NULL;
}

void preview_textures_free(preview *p)
{
    for (size_t i = 0; i < p->texture_count; i++) {
        if (p->textures[i].there)
            picture_texture_free(&p->mem, &p->textures[i].picture);
        mem_free(&p->mem, p->textures[i].path, strlen(p->textures[i].path) + 1);
    }
    mem_free(&p->mem, p->textures, p->textures ? KEPT * sizeof *p->textures : 0);
    p->textures = NULL;
    p->texture_count = 0;
}
