#ifndef PAVANE_STORE_TABLES_VOUCHER_TABLE_H
#define PAVANE_STORE_TABLES_VOUCHER_TABLE_H

#include "base/buf.h"
#include "store/database.h"

/* The table vouchers: for which other hosts a sitemap may speak. Faults are the
 * database's. */
struct pv_voucher {
	uint64_t sitemap;   /* the hash of its address ... */
	struct pv_str host; /* for which it may speak */
	struct pv_str at;   /* the sitemap's own host */
};

/* What is there already stays. */
void pv_voucher_table_add(
    struct pv_database *database, const struct pv_voucher *voucher);

/* Appends where the sitemap is; false if there is no such voucher, or it does not
 * say. */
bool pv_voucher_table_get_at(struct pv_database *database,
    const struct pv_voucher *voucher, struct pv_buf *at);

/* Calls it with each; the hosts are borrowed for the call. */
typedef void (*pv_voucher_fn)(void *ctx, const struct pv_voucher *voucher);
void pv_voucher_table_each(
    struct pv_database *database, pv_voucher_fn on_voucher, void *ctx);

#endif
