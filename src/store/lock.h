#ifndef PAVANE_STORE_LOCK_H
#define PAVANE_STORE_LOCK_H

#include <stdbool.h>

#include "base/why.h"

/* One process to a crawl's directory.
 *
 * The lock is the kernel's, on a file `state.lock` in the directory, so it ends
 * with the process, however that ends; the file stays, and tells who holds the
 * lock.
 */
struct pv_lock {
	int file;
};

/* False, with the reason, if another holds it or it cannot be had. */
bool pv_lock_take(
    struct pv_lock *lock, const char *directory, struct pv_why *why);
void pv_lock_give(struct pv_lock *lock);

#endif
