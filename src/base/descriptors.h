#ifndef PAVANE_BASE_DESCRIPTORS_H
#define PAVANE_BASE_DESCRIPTORS_H

#include "base/why.h"

/* How many more files a process may open, sockets and pipes included.
 *
 * Whoever is to reach hosts needs some for itself: the loop's, the state's, the
 * journal's, its threads'. libuv ends the program where it gets none, and with hardly more
 * than those no request could ever be made. */
#define PV_DESCRIPTORS_LEAST 36

/* False, with the reason, if it is fewer than that. It is tried, since what
 * others have handed on counts as well. */
bool pv_descriptors_check(struct pv_why *why);

#endif
