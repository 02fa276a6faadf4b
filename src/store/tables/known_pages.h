#ifndef PAVANE_STORE_TABLES_KNOWN_PAGES_H
#define PAVANE_STORE_TABLES_KNOWN_PAGES_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* Pages of an authority that were answered well, for who wants to see whether
 * its host still answers.
 *
 * One page may be another's work, such as a front page that is always at hand:
 * so nothing is found where fewer than PV_KNOWN_PAGES_LEAST are known. The
 * addresses of an origin stand in no order that it knows, and of them only a
 * part is looked through, so that a large site costs no more than others.
 */
#define PV_KNOWN_PAGES_LEAST 10

struct pv_known_pages_question {
	uint32_t origin; /* of its fingerprints (record/fingerprint.h) */
	struct pv_str authority; /* "https://example.org" */
	uint32_t number;         /* which of them; it counts round */
};

/* Appends the address of one; false if too few are known. */
bool pv_known_pages_get(struct pv_database *database,
    const struct pv_known_pages_question *question, struct pv_buf *url);

#endif
