/* Draws pictures for a spec that compares them: the same program for each compiler, and for Windows. Each line of the input is
 * a picture: its path, then words NAME=VALUE, all with tabs between them. NAME is `doc` (once or several times), the name of a
 * document of lathe_preview_options, `data` (the folder of textures), or that of another option; numbers are written as such. It writes a line
 * for each thing that was left out: the path and the reason. */
#include "lathe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct picture {
    lathe_preview_document docs[MOST], against;
    lathe_preview_options options;
    size_t n, opened;
    lathe_doc *all[2 * MOST]; /* what is to be closed */
    const char *data;
    void *texture;
} picture;

static void fail(const char *where, const char *why)
{
    fprintf(stderr, "preview_host: %s: %s\n", where, why);
    exit(1);
}

static lathe_doc *open_document(picture *p, const char *path)
{
    lathe_error err;
    if (p->opened == 2 * MOST)
        fail(path, "too many documents");
    if (lathe_doc_open(path, NULL, &p->all[p->opened], &err) != LATHE_OK)
        fail(path, err.message);
    return p->all[p->opened++];
}

static bool keep(void *user, const void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, user) == n;
}

/* The texture `textures\NAME` is NAME in the folder. */
static lathe_result give_texture(void *user, const char *path, const void **bytes, size_t *n,
                                 lathe_error *err)
{
    picture *p = user;
    const char *name = strrchr(path, '\\');
    char real[512];
    (void)err;
    snprintf(real, sizeof real, "%s/%s", p->data, name ? name + 1 : path);
    FILE *f = fopen(real, "rb");
    if (!f)
        return LATHE_ERR_IO;
    enum { ROOM = 1 << 16 };
    free(p->texture);
    p->texture = malloc(ROOM);
    if (!p->texture)
        fail(real, "out of memory");
    *n = fread(p->texture, 1, ROOM, f);
    *bytes = p->texture;
    fclose(f);
    return LATHE_OK;
}

static bool take_document(picture *p, const char *name, const char *value)
{
    lathe_preview_options *o = &p->options;
    if (strcmp(name, "doc") == 0) {
        if (p->n == MOST)
            fail(value, "too many documents");
        p->docs[p->n++].doc = open_document(p, value);
    } else if (strcmp(name, "against") == 0) {
        p->against.doc = open_document(p, value);
        o->against = &p->against;
    } else if (strcmp(name, "clip") == 0) {
        o->clip = open_document(p, value);
    } else if (strcmp(name, "skeleton") == 0) {
        o->skeleton = open_document(p, value);
    } else if (strcmp(name, "mesh") == 0) {
        o->mesh = open_document(p, value);
    } else {
        return false;
    }
    return true;
}

static bool take_text(picture *p, const char *name, const char *value)
{
    if (strcmp(name, "fit") == 0)
        p->options.fit = value;
    else if (strcmp(name, "title") == 0)
        p->options.title = value;
    else if (strcmp(name, "track") == 0)
        p->options.track = value;
    else if (strcmp(name, "data") == 0)
        p->data = value;
    else
        return false;
    return true;
}

static void take_number(picture *p, const char *name, const char *value)
{
    lathe_preview_options *o = &p->options;
    double number = strtod(value, NULL);
    if (strcmp(name, "width") == 0)
        o->width = (uint32_t)number;
    else if (strcmp(name, "height") == 0)
        o->height = (uint32_t)number;
    else if (strcmp(name, "what") == 0)
        o->what = (lathe_preview_what)number;
    else if (strcmp(name, "view") == 0)
        o->view = (lathe_preview_view)number;
    else if (strcmp(name, "frames") == 0)
        o->frames = (uint32_t)number;
    else if (strcmp(name, "triangles") == 0)
        o->triangles = (uint64_t)number;
    else if (strcmp(name, "names") == 0)
        o->names = number != 0;
    else if (strcmp(name, "time") == 0)
        o->by_time = true, o->at = number;
    else
        fail(name, "unknown option");
}

static void tell(void *user, const char *path, const char *reason)
{
    (void)user;
    printf("%s: %s\n", path ? path : "-", reason);
}

static void draw(char *line)
{
    lathe_report report = {.size = sizeof report, .skipped = tell};
    picture p = {.options = {.size = sizeof p.options}};
    const char *path = strtok(line, "\t\n");
    lathe_error err;
    for (char *word; (word = strtok(NULL, "\t\n")) != NULL;) {
        char *value = strchr(word, '=');
        if (!value)
            fail(word, "NAME=VALUE expected");
        *value++ = '\0';
        if (!take_document(&p, word, value) && !take_text(&p, word, value))
            take_number(&p, word, value);
    }
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (!f)
        fail(path ? path : "-", "cannot write");
    p.options.texture = p.data ? give_texture : NULL;
    p.options.user = &p;
    if (lathe_preview(p.docs, p.n, &p.options, keep, f, &report, &err) != LATHE_OK)
        fail(path, err.message);
    if (fclose(f) != 0)
        fail(path, "cannot write");
    for (size_t i = 0; i < p.opened; i++)
        lathe_doc_close(p.all[i]);
    free(p.texture);
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin))
        draw(line);
    return 0;
}
