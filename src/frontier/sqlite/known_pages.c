#include "frontier/sqlite/known_pages.h"

#include "store/statement.h"

/* So many addresses of an origin are looked through. */
#define LOOK_MAX "10000"

/* Done, answered with 200, a page that people go to (record/standing.h). */
#define FIND                                                               \
	"SELECT url FROM (SELECT address FROM seen WHERE origin = ?1 "     \
	"LIMIT " LOOK_MAX ") AS some JOIN addresses ON "                   \
	"addresses.id = some.address WHERE state = 2 AND outcome = 1 AND " \
	"http_status = 200 AND use = 2 AND listing & 4 = 0 AND "           \
	"substr(url, 1, length(?2)) = ?2 AND "                             \
	"substr(url, length(?2) + 1, 1) = '/' LIMIT ?3"

void pv_known_pages_find(
    struct pv_database *database, struct pv_page_request *request)
{
	struct pv_statement *find = pv_statement_create(database, FIND);
	uint32_t wanted = request->number % PV_KNOWN_PAGES_LEAST, count = 0;
	pv_statement_bind(find, 1, request->origin);
	pv_statement_bind_text(find, 2, request->authority);
	pv_statement_bind(find, 3, PV_KNOWN_PAGES_LEAST);
	for (; pv_statement_step(find); count++) {
		if (count == wanted)
			pv_buf_append(
			    &request->url, pv_statement_text(find, 0));
	}
	pv_statement_destroy(find);
	if (count < PV_KNOWN_PAGES_LEAST || request->url.is_full)
		pv_buf_clear(&request->url);
}
