#include "store/tables/redirects.h"

#include "store/statement.h"

void pv_redirects_open(
    struct pv_redirects *redirects, struct pv_database *database)
{
	redirects->keep = pv_statement_create(database,
	    "INSERT INTO redirects(origin, fingerprint, target) "
	    "VALUES(?1, ?2, ?3) "
	    "ON CONFLICT DO UPDATE SET target = ?3 WHERE target <> ?3");
	redirects->drop = pv_statement_create(database,
	    "UPDATE redirects SET target = '' WHERE origin = ?1 AND "
	    "fingerprint = ?2 AND target <> ''");
	redirects->get = pv_statement_create(database,
	    "SELECT target FROM redirects WHERE origin = ?1 AND "
	    "fingerprint = ?2 AND target <> ''");
}

void pv_redirects_close(struct pv_redirects *redirects)
{
	pv_statement_destroy(redirects->keep);
	pv_statement_destroy(redirects->drop);
	pv_statement_destroy(redirects->get);
	*redirects = (struct pv_redirects){NULL, NULL, NULL};
}

bool pv_redirects_keep(const struct pv_redirects *redirects,
    struct pv_fingerprint fingerprint, struct pv_str target)
{
	pv_statement_bind_fingerprint(redirects->keep, 1, fingerprint);
	pv_statement_bind_text(redirects->keep, 3, target);
	return pv_statement_run(redirects->keep) > 0;
}

bool pv_redirects_drop(
    const struct pv_redirects *redirects, struct pv_fingerprint fingerprint)
{
	pv_statement_bind_fingerprint(redirects->drop, 1, fingerprint);
	return pv_statement_run(redirects->drop) > 0;
}

bool pv_redirects_get(const struct pv_redirects *redirects,
    struct pv_fingerprint fingerprint, struct pv_buf *target)
{
	pv_statement_bind_fingerprint(redirects->get, 1, fingerprint);
	if (!pv_statement_step(redirects->get))
		return false;
	pv_buf_append(target, pv_statement_text(redirects->get, 0));
	pv_statement_reset(redirects->get);
	return true;
}

size_t pv_redirects_each(struct pv_database *database, size_t max,
    pv_redirect_fn on_redirect, void *ctx)
{
	size_t count = 0;
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT origin, fingerprint, target FROM redirects "
	    "WHERE target <> '' ORDER BY origin, fingerprint LIMIT ?1");
	pv_statement_bind(row, 1, (int64_t)max);
	for (; pv_statement_step(row); count++) {
		struct pv_fingerprint from = {
		    .origin = (uint32_t)pv_statement_number(row, 0),
		    .address = (uint64_t)pv_statement_number(row, 1)};
		on_redirect(ctx, from, pv_statement_text(row, 2));
	}
	pv_statement_destroy(row);
	return count;
}
