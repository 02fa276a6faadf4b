#ifndef PAVANE_STORE_LOCK_H
#define PAVANE_STORE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/why.h"

/* One process to a crawl's directory.
 *
 * The lock is the kernel's, on a file `state.lock` in the directory, so it ends
 * with the process, however that ends; the file stays, and tells who holds the
 * lock.
 */
#define PV_LOCK_NAME "state.lock"

struct pv_lock {
	int file;
};

/* False, with the reason, if another process holds it or it cannot be taken. */
bool pv_lock_take(
    struct pv_lock *lock, const char *directory, struct pv_why *why);
void pv_lock_give(struct pv_lock *lock);

/* The process that holds the directory's lock; 0 if none does, and -1 if one
 * does that has not said who it is. Nothing is made or changed. */
int64_t pv_lock_holder(const char *directory);

#endif
