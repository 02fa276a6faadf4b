#ifndef PAVANE_STORE_TABLES_VOUCHER_TABLE_H
#define PAVANE_STORE_TABLES_VOUCHER_TABLE_H

#include "base/str.h"
#include "store/database.h"

/* The table vouchers: for which other hosts a sitemap may speak. Faults are the
 * database's. */
struct pv_voucher {
	uint64_t sitemap; /* the hash of its address */
	struct pv_str host;
};

/* What is there already stays. */
void pv_voucher_table_add(
    struct pv_database *database, const struct pv_voucher *voucher);

/* Calls it with each; the host is borrowed for the call. */
typedef void (*pv_voucher_fn)(void *ctx, const struct pv_voucher *voucher);
void pv_voucher_table_each(
    struct pv_database *database, pv_voucher_fn on_voucher, void *ctx);

#endif
