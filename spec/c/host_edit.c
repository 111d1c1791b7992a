/* Opens a model, lifts its first vertex by one unit and saves it elsewhere: host_edit IN OUT. */
#include "lathe.h"

#include <stdio.h>

static lathe_result lift(lathe_doc *doc, lathe_error *err)
{
    lathe_value vertex, y;
    lathe_result r = lathe_view_at(lathe_doc_root(doc), "vertices[1]", &vertex, err);
    if (r == LATHE_OK)
        r = lathe_view_get(vertex.as.v, "y", &y, err);
    if (r != LATHE_OK)
        return r;
    y.as.f += 1; /* a number in the file's own units */
    return lathe_view_set(vertex.as.v, "y", &y, err);
}

int main(int argc, char **argv)
{
    lathe_options options = {.size = sizeof options, .format = "solid"};
    lathe_save_options saving = {.size = sizeof saving, .backup = true};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (argc != 3)
        return fprintf(stderr, "usage: %s IN OUT\n", argv[0]), 2;
    lathe_result r = lathe_doc_open(argv[1], &options, &doc, &err);
    if (r == LATHE_OK)
        r = lift(doc, &err);
    if (r == LATHE_OK)
        r = lathe_doc_save(doc, argv[2], &saving, &err);
    if (r != LATHE_OK) {
        char text[1024];
        lathe_error_text(&err, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    lathe_doc_close(doc); /* NULL is fine */
    return r != LATHE_OK;
}
