#include "wolfire/phxbn.h"
void phxbn_check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    (void)doc;
    (void)c;
    (void)r;
}
