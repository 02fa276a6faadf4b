#include "store/tables/voucher_table.h"

#include "store/statement.h"

void pv_voucher_table_add(
    struct pv_database *database, const struct pv_voucher *voucher)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT OR IGNORE INTO vouchers(sitemap, host, at) "
	    "VALUES(?1, ?2, ?3)");
	pv_statement_bind(add, 1, (int64_t)voucher->sitemap);
	pv_statement_bind_text(add, 2, voucher->host);
	pv_statement_bind_text(add, 3, voucher->at);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

void pv_voucher_table_each(
    struct pv_database *database, pv_voucher_fn on_voucher, void *ctx)
{
	struct pv_statement *row = pv_statement_create(
	    database, "SELECT sitemap, host, at FROM vouchers");
	while (pv_statement_step(row)) {
		struct pv_voucher voucher = {
		    .sitemap = (uint64_t)pv_statement_number(row, 0),
		    .host = pv_statement_text(row, 1),
		    .at = pv_statement_text(row, 2),
		};
		on_voucher(ctx, &voucher);
	}
	pv_statement_destroy(row);
}

bool pv_voucher_table_get_at(struct pv_database *database,
    const struct pv_voucher *voucher, struct pv_buf *at)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT at FROM vouchers WHERE sitemap = ?1 AND host = ?2");
	pv_statement_bind(row, 1, (int64_t)voucher->sitemap);
	pv_statement_bind_text(row, 2, voucher->host);
	if (pv_statement_step(row))
		pv_buf_append(at, pv_statement_text(row, 0));
	pv_statement_destroy(row);
	return at->len > 0;
}
