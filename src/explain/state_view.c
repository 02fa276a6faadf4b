#include "explain/state_view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/shard/kept_shard.h"
#include "policy/values/host_pattern.h"
#include "robots/robots.h"
#include "schedule/wait.h"
#include "store/lock.h"
#include "store/state_look.h"
#include "store/tables/note.h"
#include "store/tables/pause_notes.h"
#include "store/tables/state_figures.h"
#include "store/tables/state_hosts.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)65536)

struct pv_state_view {
	struct pv_buf directory;
	struct pv_database *database;
	struct pv_hash_key key;
	struct pv_state_addresses addresses;
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
	pv_state_addresses_init(&look->addresses, database);
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
	if (look->has_tables)
		pv_state_addresses_finish(&look->addresses);
	if (look->database)
		pv_database_close(look->database);
	pv_buf_finish(&look->directory);
	free(look);
}

/* Looking */

void pv_state_view_answer_init(struct pv_state_view_answer *answer)
{
	*answer = (struct pv_state_view_answer){.is_known = false};
	pv_buf_init(&answer->fleet.place, ADDRESS_MAX);
	pv_buf_init(&answer->via, ADDRESS_MAX);
	pv_buf_init(&answer->refusal, ADDRESS_MAX);
	pv_buf_init(&answer->robots_copy, PV_ROBOTS_BYTES);
}

void pv_state_view_answer_finish(struct pv_state_view_answer *answer)
{
	pv_buf_finish(&answer->fleet.place);
	pv_buf_finish(&answer->via);
	pv_buf_finish(&answer->refusal);
	pv_buf_finish(&answer->robots_copy);
}

static void keep_texts(
    const struct pv_state_address *address, struct pv_state_view_answer *answer)
{
	pv_buf_append(&answer->via, address->via);
	pv_buf_append(&answer->refusal, address->word);
	if (address->sentence.len)
		pv_buf_append_format(
		    &answer->refusal, ": %.*s", PV_STR_ARG(address->sentence));
}

static void look_at_address(struct pv_state_view *look,
    const struct pv_url *url, struct pv_state_view_answer *answer)
{
	struct pv_fingerprint fingerprint =
	    pv_fingerprint_of(&look->key, pv_url_page(url));
	struct pv_state_address *address = &answer->address;
	uint64_t id = pv_state_addresses_find(&look->addresses, fingerprint);
	answer->is_known =
	    id && pv_state_addresses_get(&look->addresses, id, address);
	if (answer->is_known)
		keep_texts(address, answer);
	pv_state_addresses_let_go(&look->addresses);
	address->url = address->via = (struct pv_str){NULL, 0};
	address->file = address->location = address->url;
	address->word = address->sentence = address->url;
	if (address->state == PV_STATE_IN_FLIGHT &&
	    pv_state_hosts_left_at(look->database) >= 0)
		address->state = PV_STATE_PENDING;
}

/* Under the name that a crawl gives it (robots_store.c). */
static void look_at_robots(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer)
{
	struct pv_str authority = pv_url_between(url, 0, url->parts.path);
	pv_robots_table_get(
	    look->database, authority, &answer->robots, &answer->robots_copy);
}

void pv_state_view_note_pause(
    const struct pv_pause *pause, struct pv_state_view_pause *noted)
{
	if (!pause || pause->until_wall_ms <= noted->until_wall_ms)
		return;
	noted->until_wall_ms = pause->until_wall_ms;
	memcpy(noted->why, pause->why, sizeof(noted->why));
}

/* A host that was never asked rests with others that share its clock. */
void pv_state_view_set_rest(
    struct pv_state_view_answer *answer, int64_t left_ms, int64_t wall_ms)
{
	struct pv_host_state *state = &answer->host.state;
	state->left_ms = left_ms;
	state->until_wall_ms = wall_ms + left_ms;
	if (state->wait_ms < left_ms)
		state->wait_ms = left_ms;
	if (left_ms && state->wait_reason == PV_WAIT_NOT)
		state->wait_reason = PV_WAIT_DELAY;
}

static void look_at_pauses(struct pv_state_view *look, struct pv_str host,
    struct pv_state_view_pause *noted)
{
	struct pv_orders orders;
	struct pv_buf text;
	struct pv_why why;
	pv_why_init(&why);
	if (pv_orders_load(
		pv_buf_text(&look->directory), &text, &orders, &why)) {
		pv_state_view_note_pause(
		    pv_orders_pause_of(&orders, PV_STR(""), 0), noted);
		pv_state_view_note_pause(
		    pv_orders_pause_of(&orders, host, 0), noted);
	}
	pv_orders_finish(&orders);
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

static void look_at_shared_pauses(struct pv_state_view *look,
    struct pv_str host, struct pv_state_view_pause *noted)
{
	struct pv_orders pauses;
	pv_orders_init(&pauses);
	pv_pause_notes_get(look->database, &pauses);
	pv_state_view_note_pause(pv_orders_pause_of(&pauses, host, 0), noted);
	pv_orders_finish(&pauses);
}

bool pv_state_view_at(struct pv_state_view *look, const struct pv_url *url,
    struct pv_state_view_answer *answer, struct pv_why *why)
{
	struct pv_str host = pv_host_name_trim(pv_url_host(url));
	answer->is_running = pv_lock_holder(pv_buf_text(&look->directory)) != 0;
	answer->shard = pv_kept_shard_read(look->database);
	answer->follows_no_links =
	    pv_note_get(look->database, PV_NOTE_FOLLOWS_NO_LINKS, 0) != 0;
	look_at_address(look, url, answer);
	answer->has_host = pv_state_hosts_get(
	    look->database, host, &answer->host, &answer->holding);
	look_at_robots(look, url, answer);
	look_at_pauses(look, host, &answer->pause);
	if (answer->is_running)
		look_at_shared_pauses(look, host, &answer->shared_pause);
	struct pv_state_sums sums = pv_state_figures_sums(look->database);
	answer->pages = sums.pages;
	answer->bytes = sums.bytes;
	if (pv_database_status(look->database) == PV_STORE_OK)
		return true;
	tell_fault(look, why);
	return false;
}
