/* The list of formats, in the order of sniffing: formats with a signature come first. */
#include "havok/hkx.h"
#include "lugaru/solid.h"
#include "nif/geometry/csg/csg.h"
#include "nif/nif.h"
#include "phive/phive.h"
#include "tagfile/tagfile.h"
#include "wolfire/wolfire.h"

const lathe_format *const rec_formats[] = {
    &format_hkx, &format_bphsh, &format_tagfile, &format_nif,   &format_geometry,
    &format_fzx, &format_save,  &format_anm,     &format_solid, &format_phxbn,
    NULL};
