#ifndef PAVANE_READING_VOUCHERS_H
#define PAVANE_READING_VOUCHERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* For which other hosts a sitemap may speak.
 *
 * A sitemap lists what lies on its own host. Where the robots.txt of another
 * host names it, that host has vouched for it, and it may list what lies there
 * as well (https://www.sitemaps.org/protocol.html, "cross submits"); so may the
 * sitemaps that it names, and the one that it was moved to. That is kept in the
 * state, since a sitemap may be read in a later run than what names it.
 *
 * Any thread may ask and add. There is a ceiling; past it, further hosts are
 * not recorded: their addresses are found by links, or by their own sitemaps.
 */
struct pv_vouchers;
struct pv_database;

#define PV_VOUCHERS_MAX 10000

/* Before the store is started: with what is known. */
struct pv_vouchers *pv_vouchers_open(struct pv_database *database);
void pv_vouchers_close(struct pv_vouchers *vouchers);

/* The host vouches for the sitemap of that fingerprint, which is at the host `at`. */
void pv_vouchers_add(struct pv_vouchers *vouchers, uint64_t sitemap,
    struct pv_str at, struct pv_str host);

/* Each host that vouches for `from` vouches for `sitemap`, too. */
void pv_vouchers_inherit(struct pv_vouchers *vouchers, uint64_t from,
    uint64_t sitemap, struct pv_str at);

bool pv_vouchers_has(
    struct pv_vouchers *vouchers, uint64_t sitemap, struct pv_str host);

/* Whether anybody vouches for it. */
bool pv_vouchers_has_any(struct pv_vouchers *vouchers, uint64_t sitemap);

/* In the writer's thread: keeps what was added since the last time. */
void pv_vouchers_keep(
    struct pv_vouchers *vouchers, struct pv_database *database);

#endif
