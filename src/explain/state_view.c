#include "explain/state_view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "policy/values/host_pattern.h"
#include "robots/robots.h"
#include "store/lock.h"
#include "store/state_look.h"
#include "store/tables/note.h"
#include "store/tables/state_figures.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)65536)

struct pv_state_view {
	struct pv_buf directory;
	struct pv_database *database;
	struct pv_hash_key key;
	struct pv_address_table addresses;
	struct pv_host_table hosts;
	bool has_tables;
};

/* Opening */

static void tell_fault(const struct pv_state_view *look, struct pv_why *why)
{
	pv_state_look_tell(look->database, pv_buf_text(&look->directory), why);
}

static void open_tables(struct pv_state_view *look)
{
	struct pv_database *database = look->database;
	look->key = pv_note_get_key(database);
	pv_address_table_init(&look->addresses, database);
	pv_host_table_init(&look->hosts, database);
	look->has_tables = true;
}

struct pv_state_view *pv_state_view_open(
    const char *directory, struct pv_why *why)
{
	struct pv_state_view *look = pv_alloc(sizeof(*look));
	pv_buf_init(&look->directory, SIZE_MAX);
	pv_buf_append_text(&look->directory, directory);
	look->database = pv_state_look(directory, why);
	if (look->database) {
		open_tables(look);
		if (pv_database_status(look->database) == PV_STORE_OK)
			return look;
		tell_fault(look, why);
	}
	pv_state_view_close(look);
	return NULL;
}

void pv_state_view_close(struct pv_state_view *look)
{
	if (!look)
		return;
	if (look->has_tables) {
		pv_address_table_finish(&look->addresses);
		pv_host_table_finish(&look->hosts);
	}
	if (look->database)
		pv_database_close(look->database);
	pv_buf_finish(&look->directory);
	free(look);
}

/* Looking */

void pv_state_view_answer_init(struct pv_state_view_answer *answer)
{
	*answer = (struct pv_state_view_answer){.is_known = false};
	pv_buf_init(&answer->via, ADDRESS_MAX);
	pv_buf_init(&answer->robots_copy, PV_ROBOTS_CEILINGS.bytes + 1);
}

void pv_state_view_answer_finish(struct pv_state_view_answer *answer)
{
	pv_buf_finish(&answer->via);
	pv_buf_finish(&answer->robots_copy);
}

static void look_at_address(struct pv_state_view *look,
    const struct pv_url *url, struct pv_state_view_answer *answer)
{
	struct pv_fingerprint fingerprint =
	    pv_fingerprint_of(&look->key, pv_url_page(url));
	uint64_t id = pv_address_table_find(&look->addresses, fingerprint);
	answer->is_known =
	    id && pv_address_table_get(&look->addresses, id, &answer->row);
	if (answer->is_known)
		pv_address_table_via(&look->addresses, id, &answer->via);
}

/* Under the name that a crawl gives it (robots_store.c). */
static void look_at_robots(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer)
{
	struct pv_str authority = pv_url_between(url, 0, url->parts.path);
	pv_robots_table_get(
	    look->database, authority, &answer->robots, &answer->robots_copy);
}

bool pv_state_view_at(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer, struct pv_why *why)
{
	struct pv_str host = pv_host_name_trim(pv_url_host(url));
	answer->is_running = pv_lock_holder(pv_buf_text(&look->directory)) != 0;
	look_at_address(look, url, answer);
	if (answer->row.state == PV_STATE_IN_FLIGHT &&
	    pv_host_table_were_left(&look->hosts))
		answer->row.state = PV_STATE_PENDING;
	answer->has_host = pv_host_table_look(
	    &look->hosts, host, &answer->host, &answer->holding);
	look_at_robots(look, url, answer);
	struct pv_state_sums sums = pv_state_figures_sums(look->database);
	answer->pages = sums.pages;
	answer->bytes = sums.bytes;
	if (pv_database_status(look->database) == PV_STORE_OK)
		return true;
	tell_fault(look, why);
	return false;
}
