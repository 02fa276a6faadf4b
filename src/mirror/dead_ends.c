#include "mirror/dead_ends.h"

#include "base/visible.h"
#include "store/statement.h"

#define LOCATION_MAX 500

void pv_dead_ends_keep(struct pv_database *database, uint64_t address,
    enum pv_dead_end end, struct pv_str location)
{
	struct pv_buf text;
	struct pv_statement *keep = pv_statement_create(database,
	    "INSERT OR REPLACE INTO dead_ends(address, kind, location) "
	    "VALUES(?1, ?2, ?3)");
	pv_buf_init(&text, LOCATION_MAX);
	pv_visible_append(&text, location);
	pv_statement_bind(keep, 1, (int64_t)address);
	pv_statement_bind(keep, 2, end);
	pv_statement_bind_text(keep, 3, pv_buf_str(&text));
	pv_statement_run(keep);
	pv_statement_destroy(keep);
	pv_buf_finish(&text);
}

void pv_dead_ends_remove(struct pv_database *database, uint64_t address)
{
	struct pv_statement *remove = pv_statement_create(
	    database, "DELETE FROM dead_ends WHERE address = ?1");
	pv_statement_bind(remove, 1, (int64_t)address);
	pv_statement_run(remove);
	pv_statement_destroy(remove);
}

void pv_dead_end_write(
    enum pv_dead_end end, struct pv_str location, struct pv_buf *text)
{
	static const struct {
		const char *before;
		const char *after;
	} words[PV_DEAD_END_COUNT] = {
	    [PV_DEAD_END_NOWHERE] = {"nowhere: no address is given", NULL},
	    [PV_DEAD_END_NO_ADDRESS] = {"", ", which is no web address"},
	    [PV_DEAD_END_ITSELF] = {"itself", NULL},
	    [PV_DEAD_END_SAME] = {"",
		", which the policy takes for the same address"},
	};
	pv_buf_append_format(text, "redirected to %s", words[end].before);
	if (!words[end].after)
		return;
	pv_buf_append(text, location);
	pv_buf_append_text(text, words[end].after);
}
