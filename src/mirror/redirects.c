#include "mirror/redirects.h"

#include "store/statement.h"

void pv_redirects_open(
    struct pv_redirects *redirects, struct pv_database *database)
{
	redirects->keep = pv_statement_create(database,
	    "INSERT INTO redirects(fingerprint, target) VALUES(?1, ?2) "
	    "ON CONFLICT DO UPDATE SET target = ?2 WHERE target <> ?2");
	redirects->drop = pv_statement_create(database,
	    "UPDATE redirects SET target = '' WHERE fingerprint = ?1 AND "
	    "target <> ''");
	redirects->get = pv_statement_create(database,
	    "SELECT target FROM redirects WHERE fingerprint = ?1 "
	    "AND target <> ''");
}

void pv_redirects_close(struct pv_redirects *redirects)
{
	pv_statement_destroy(redirects->keep);
	pv_statement_destroy(redirects->drop);
	pv_statement_destroy(redirects->get);
	*redirects = (struct pv_redirects){NULL, NULL, NULL};
}

bool pv_redirects_keep(const struct pv_redirects *redirects,
    uint64_t fingerprint, struct pv_str target)
{
	pv_statement_bind(redirects->keep, 1, (int64_t)fingerprint);
	pv_statement_bind_text(redirects->keep, 2, target);
	return pv_statement_run(redirects->keep) > 0;
}

bool pv_redirects_drop(
    const struct pv_redirects *redirects, uint64_t fingerprint)
{
	pv_statement_bind(redirects->drop, 1, (int64_t)fingerprint);
	return pv_statement_run(redirects->drop) > 0;
}

bool pv_redirects_get(const struct pv_redirects *redirects,
    uint64_t fingerprint, struct pv_buf *target)
{
	pv_statement_bind(redirects->get, 1, (int64_t)fingerprint);
	if (!pv_statement_step(redirects->get))
		return false;
	pv_buf_append(target, pv_statement_text(redirects->get, 0));
	pv_statement_reset(redirects->get);
	return true;
}
