#ifndef PAVANE_FETCH_TRUST_H
#define PAVANE_FETCH_TRUST_H

#include <pthread.h>
#include <stdint.h>

#include <openssl/ssl.h>

#include "base/buf.h"

/* Whose certificates are believed: the system's authorities, or those of a
 * file that a policy names for some hosts.
 *
 * Reading the system's takes tens of milliseconds, which libcurl would spend
 * for each of its multis, or for each connection. So each file is read when a
 * host first needs it, and then shared by all connections. A file that cannot
 * be read is tried again for the next connection: somebody may have mended it.
 * Any thread may ask; who needs a file that another one is reading waits.
 */
struct pv_trust {
	pthread_mutex_t mutex; /* for all of it */
	struct pv_trust_file *files;
	size_t count;
	size_t size;
};

void pv_trust_init(struct pv_trust *trust);
void pv_trust_finish(struct pv_trust *trust);

/* The number of a file of authorities (kept by the caller), or of the
 * system's, if it is NULL. */
uint32_t pv_trust_find(struct pv_trust *trust, const char *file);

/* The authorities of that number, for a context that takes a reference of its
 * own; NULL, with a sentence (if one is wanted), if they cannot be read. */
X509_STORE *pv_trust_get(
    struct pv_trust *trust, uint32_t number, struct pv_buf *fault);

#endif
