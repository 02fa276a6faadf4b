#ifndef PAVANE_STORE_TABLES_REDIRECTS_H
#define PAVANE_STORE_TABLES_REDIRECTS_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* Where addresses were redirected to, by their fingerprints: so a link to one
 * can lead to the file of the other. What is kept is what the server said last,
 * its fragment included; of one that is none any more, that it was one, since
 * there may be a page in its place (mirror/links/stubs.h). */
struct pv_redirects {
	struct pv_statement *keep;
	struct pv_statement *drop;
	struct pv_statement *get;
};

void pv_redirects_open(
    struct pv_redirects *redirects, struct pv_database *database);
void pv_redirects_close(struct pv_redirects *redirects);

/* Whether that is another than before, or none was there. */
bool pv_redirects_keep(const struct pv_redirects *redirects,
    struct pv_fingerprint fingerprint, struct pv_str target);

/* It is none any more; whether it was one. */
bool pv_redirects_drop(
    const struct pv_redirects *redirects, struct pv_fingerprint fingerprint);

/* Appends where it leads; false if nowhere. */
bool pv_redirects_get(const struct pv_redirects *redirects,
    struct pv_fingerprint fingerprint, struct pv_buf *target);

/* Calls it with each that leads somewhere, up to so many, in the order of the
 * fingerprints; how many these were. */
typedef void (*pv_redirect_fn)(
    void *ctx, struct pv_fingerprint from, struct pv_str target);
size_t pv_redirects_each(struct pv_database *database, size_t max,
    pv_redirect_fn on_redirect, void *ctx);

#endif
