/* Textures of one call, decoded once where there is room. */
#include "preview/preview.h"

#include <string.h>

enum {
    LARGEST = 512,     /* pixels in width and height: pictures are not much larger */
    TEXTURE_LIMIT = 64 /* at once, and the most that one document has */
};

typedef struct preview_texture {
    char *path;
    picture_texture picture;
    bool there;
    size_t used; /* number of the last document that has it */
} preview_texture;

static lathe_result decode(preview *p, const char *path, picture_texture *out, lathe_error *err)
{
    const void *bytes = NULL;
    size_t n = 0;
    lathe_result r = p->options.texture(p->options.user, path, &bytes, &n, err);
    return r == LATHE_OK ? picture_dds_read(&p->mem, bytes, n, LARGEST, out, err) : r;
}

static void free_texture(const preview *p, preview_texture *one)
{
    if (one->there)
        picture_texture_free(&p->mem, &one->picture);
    mem_free(&p->mem, one->path, one->path ? strlen(one->path) + 1 : 0);
    *one = (preview_texture){.path = NULL};
}

static preview_texture *find(preview *p, const char *path)
{
    for (size_t i = 0; i < p->texture_count; i++)
        if (p->textures[i].path && strcmp(p->textures[i].path, path) == 0)
            return &p->textures[i];
    return NULL;
}

/* A place for one more: a new one, or that of a texture of documents before. NULL: there is none. */
static preview_texture *make_room(preview *p)
{
    if (p->texture_count < TEXTURE_LIMIT)
        return &p->textures[p->texture_count++];
    for (size_t i = 0; i < TEXTURE_LIMIT; i++)
        if (p->textures[i].used != p->number) {
            free_texture(p, &p->textures[i]);
            return &p->textures[i];
        }
    if (p->too_many != p->number)
        preview_skip(p, NULL, "more than %d textures: the others are not drawn", TEXTURE_LIMIT);
    p->too_many = p->number;
    return NULL;
}

static lathe_result read_texture(preview *p, const char *path, preview_texture *one,
                                 lathe_error *err)
{
    lathe_error why;
    size_t size = strlen(path) + 1;
    one->path = mem_alloc(&p->mem, size);
    if (!one->path)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    memcpy(one->path, path, size);
    error_clear(&why);
    lathe_result r = decode(p, path, &one->picture, &why);
    if (r == LATHE_ERR_MEMORY)
        return error_pass(err, &why);
    one->there = r == LATHE_OK;
    if (!one->there)
        preview_skip(p, path, "drawn without the texture: %s", why.message);
    return LATHE_OK;
}

lathe_result preview_texture_of(preview *p, const char *path, const picture_texture **out,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *out = NULL;
    if (!p->textures)
        p->textures = mem_zalloc(&p->mem, TEXTURE_LIMIT * sizeof *p->textures);
    if (!p->textures)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    preview_texture *one = find(p, path);
    if (!one) {
        one = make_room(p);
        r = one ? read_texture(p, path, one, err) : LATHE_OK;
    }
    if (!one || r != LATHE_OK)
        return r;
    one->used = p->number;
    if (one->there)
        *out = &one->picture;
    return LATHE_OK;
}

void preview_textures_free(preview *p)
{
    for (size_t i = 0; i < p->texture_count; i++)
        free_texture(p, &p->textures[i]);
    mem_free(&p->mem, p->textures, p->textures ? TEXTURE_LIMIT * sizeof *p->textures : 0);
    p->textures = NULL;
    p->texture_count = 0;
}
