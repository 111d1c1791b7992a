#include "wolfire/phxbn.h"
const rec_verb phxbn_verbs[] = {{0}};
