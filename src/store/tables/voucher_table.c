#include "store/tables/voucher_table.h"

#include "store/statement.h"

void pv_voucher_table_add(
    struct pv_database *database, const struct pv_voucher *voucher)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT OR IGNORE INTO vouchers(sitemap, host) VALUES(?1, ?2)");
	pv_statement_bind(add, 1, (int64_t)voucher->sitemap);
	pv_statement_bind_text(add, 2, voucher->host);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

void pv_voucher_table_each(
    struct pv_database *database, pv_voucher_fn on_voucher, void *ctx)
{
	struct pv_statement *row =
	    pv_statement_create(database, "SELECT sitemap, host FROM vouchers");
	while (pv_statement_step(row)) {
		struct pv_voucher voucher = {
		    .sitemap = (uint64_t)pv_statement_number(row, 0),
		    .host = pv_statement_text(row, 1),
		};
		on_voucher(ctx, &voucher);
	}
	pv_statement_destroy(row);
}
