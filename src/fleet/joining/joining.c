#include "fleet/joining/joining.h"

#include <unistd.h>

#include "base/visible.h"
#include "fleet/joining/directory_place.h"
#include "fleet/joining/terms.h"
#include "fleet/tables/schema.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"
#include "store/tables/note.h"

/* How long a start waits for PostgreSQL. */
#define START_MS 10000

/* One that waits for longer says so then, and again so often. */
#define FIRST_TELL_MS 1000
#define TELL_MS 60000

/* How often it is asked whether it is enough, which may read a file. */
#define ENOUGH_MS 200

#define PLACE_MAX 4096 /* bytes of it, for people */

#define NOTE_PLACE PV_STR("fleet-place") /* where that worker was */

/* Waiting */

bool pv_joining_is_enough(struct pv_fleet *fleet)
{
	const struct pv_fleet_options *options = &fleet->options;
	int64_t now = pv_fleet_now(fleet);
	if (options->is_enough && !fleet->has_had_enough &&
	    now >= fleet->ask_enough_at) {
		fleet->ask_enough_at = now + ENOUGH_MS;
		fleet->has_had_enough = options->is_enough(options->ctx);
	}
	return fleet->has_had_enough;
}

static const char *trouble_of(const struct pv_fleet *fleet)
{
	return fleet->trouble.len ? pv_buf_text(&fleet->trouble)
				  : "PostgreSQL does not answer";
}

static void write_url(const struct pv_fleet *fleet, struct pv_buf *url)
{
	pv_buf_init(url, 1000);
	pv_fleet_line_show_url(fleet->options.url, url);
}

static void tell_waiting(struct pv_fleet *fleet)
{
	struct pv_buf url, line;
	if (pv_fleet_now(fleet) < fleet->tell_waiting_at)
		return;
	fleet->tell_waiting_at = pv_fleet_now(fleet) + TELL_MS;
	write_url(fleet, &url);
	pv_buf_init(&line, 4000);
	pv_buf_append_format(&line,
	    "this worker waits until it can join again, and requests nothing: "
	    "%s: %s",
	    pv_buf_text(&url), trouble_of(fleet));
	fleet->options.on_line(fleet->options.ctx, true, pv_buf_text(&line));
	pv_buf_finish(&line);
	pv_buf_finish(&url);
}

/* Whether a start that began to wait then is to go on. The line connects anew
 * meanwhile, with rests that differ by chance. */
static bool is_patient(struct pv_fleet *fleet, int64_t since)
{
	if (!fleet->options.was_part)
		return pv_fleet_now(fleet) < since + START_MS &&
		       !pv_joining_is_enough(fleet);
	if (pv_fleet_now(fleet) >= since + FIRST_TELL_MS)
		tell_waiting(fleet);
	return !pv_joining_is_enough(fleet);
}

/* Until it is so, or it cannot be. */
static bool wait_for(struct pv_fleet *fleet, const bool *is_so)
{
	uv_loop_t *loop = fleet->options.loop;
	uv_update_time(loop);
	int64_t since = pv_fleet_now(fleet);
	while (!*is_so && !fleet->why && is_patient(fleet, since))
		uv_run(loop, UV_RUN_ONCE);
	return *is_so && !fleet->why;
}

/* Whoever has asked to stop has no reason to hear. */
bool pv_joining_tell(const struct pv_fleet *fleet, struct pv_why *why)
{
	struct pv_buf url;
	if (fleet->has_had_enough)
		return false;
	write_url(fleet, &url);
	pv_why_add(why, (struct pv_place){.file = pv_buf_text(&url)},
	    PV_STR(""), "%s", fleet->why ? fleet->why : trouble_of(fleet));
	pv_buf_finish(&url);
	return false;
}

/* One request that the start waits for. */
static void on_start_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->has_answer = answer->status != PV_FLEET_LOST;
	fleet->is_asking = false;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_fail(fleet, answer->message);
	if (answer->status == PV_FLEET_OK)
		fleet->on_start(fleet, answer->results);
}

/* A server that stands still does not answer, and is as good as none. */
static void wait_for_answer(struct pv_fleet *fleet)
{
	int64_t until = pv_fleet_now(fleet) + START_MS;
	while (fleet->is_asking && !pv_joining_is_enough(fleet)) {
		uv_run(fleet->options.loop, UV_RUN_ONCE);
		if (fleet->is_asking && pv_fleet_now(fleet) >= until)
			pv_fleet_line_drop(fleet->line,
			    "the server has not answered for too long");
	}
}

bool pv_joining_ask(struct pv_fleet *fleet, const struct pv_fleet_step *steps,
    size_t count,
    void (*hear)(
	struct pv_fleet *fleet, const struct pv_fleet_results *results))
{
	fleet->on_start = hear;
	fleet->has_answer = false;
	while (
	    !fleet->has_answer && !fleet->why && !pv_joining_is_enough(fleet)) {
		if (!wait_for(fleet, &fleet->is_up))
			return false;
		fleet->is_asking = true;
		pv_fleet_line_send(
		    fleet->line, pv_fleet_request_create(
				     steps, count, on_start_answer, fleet));
		wait_for_answer(fleet);
	}
	return fleet->has_answer && !fleet->why;
}

/* Joining */

static void hear_crawl(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_str key = pv_fleet_results_text(results, 1, 0, 2);
	fleet->crawl = pv_fleet_results_number(results, 1, 0, 0);
	if (key.len != sizeof(fleet->key)) {
		pv_fleet_fail(
		    fleet, "the crawl's key in the database is damaged");
		return;
	}
	memcpy(&fleet->key, key.ptr, key.len);
	pv_buf_clear(&fleet->policy);
	pv_buf_append(&fleet->policy, pv_fleet_results_text(results, 1, 0, 1));
	if (pv_fleet_results_number(results, 1, 0, 3) !=
	    pv_fleet_state_version())
		pv_fleet_fail(fleet,
		    "the crawl was begun by another version of pavane: run the "
		    "same version on all machines");
	fleet->is_finished = pv_fleet_results_flag(results, 1, 0, 4);
	fleet->joined_wish = pv_fleet_results_number(results, 1, 0, 6);
	if (fleet->options.was_part &&
	    fleet->options.wish_before < fleet->joined_wish)
		fleet->joined_wish = fleet->options.wish_before;
	fleet->terms = (struct pv_fleet_terms){
	    .policy = pv_fleet_results_number(results, 1, 0, 7),
	    .round = pv_fleet_results_number(results, 1, 0, 8),
	    .began_ms = pv_fleet_results_number(results, 1, 0, 9),
	    .before_ms = pv_fleet_results_number(results, 1, 0, 10),
	    .takes_failed = pv_fleet_results_flag(results, 1, 0, 11),
	    .is_waking = pv_fleet_results_flag(results, 1, 0, 12),
	    .sent_policy = pv_fleet_results_number(results, 1, 0, 13),
	    .begins_round = fleet->terms.begins_round,
	};
}

bool pv_joining_find_crawl(struct pv_fleet *fleet, struct pv_why *why)
{
	const struct pv_fleet_options *options = &fleet->options;
	struct pv_fleet_value name = pv_fleet_text(pv_str_of(options->name));
	struct pv_fleet_value add[] = {name,
	    pv_fleet_text(pv_buf_str(&fleet->own_policy)),
	    pv_fleet_bytes((struct pv_str){
		(const char *)&options->random, sizeof(options->random)}),
	    pv_fleet_number(PV_FLEET_INT4, pv_fleet_state_version())};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_ADD_CRAWL, add, 4}, {PV_SAY_FIND_CRAWL, &name, 1}};
	return pv_joining_ask(fleet, steps, 2, hear_crawl) ||
	       pv_joining_tell(fleet, why);
}

/* Registering */

/* The second of two steps. */
static void hear_second(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	fleet->worker = pv_fleet_results_number(results, 1, 0, 0);
	fleet->activity = pv_fleet_results_number(results, 1, 0, 1);
	pv_fleet_begin_session(
	    fleet, pv_fleet_results_number(results, 1, 0, 2));
}

static bool resume(struct pv_fleet *fleet, int64_t number)
{
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT8, number),
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_END_SESSION, values, 2}, {PV_SAY_RESUME, values, 2}};
	return pv_joining_ask(fleet, steps, 2, hear_second);
}

/* Not if the terms are others by now. */
static bool register_anew(struct pv_fleet *fleet)
{
	char host[256] = "";
	struct pv_buf place;
	gethostname(host, sizeof(host) - 1);
	pv_buf_init(&place, PLACE_MAX);
	pv_buf_append_format(&place, "%s:", host);
	pv_visible_append(&place, pv_str_of(fleet->options.directory));
	struct pv_fleet_value values[] = {
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl),
	    pv_fleet_text(pv_buf_str(&place)),
	    pv_fleet_number(PV_FLEET_INT8, fleet->terms.policy),
	    pv_fleet_number(PV_FLEET_INT8, fleet->terms.round)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_LOCK_CRAWL, values, 1}, {PV_SAY_REGISTER, values, 4}};
	bool is_registered = pv_joining_ask(fleet, steps, 2, hear_second);
	pv_buf_finish(&place);
	return is_registered;
}

/* What was owned under the number before belongs to others. */
static void give_all(struct pv_fleet *fleet)
{
	pv_writer_begin(&fleet->store->writer);
	pv_handover_give_all(&fleet->handover);
	pv_note_set(
	    fleet->store->database, PV_NOTE_FLEET_WORKER, fleet->worker);
	pv_note_set(fleet->store->database, NOTE_PLACE,
	    pv_directory_place(fleet->options.directory, fleet->key));
	pv_note_set(fleet->store->database, PV_NOTE_FLEET_CRAWL, fleet->crawl);
	pv_writer_commit(&fleet->store->writer);
}

static bool tell_other(const struct pv_fleet *fleet, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = fleet->options.directory},
	    PV_STR(""),
	    "it has another crawl than %s of this fleet, be it of another "
	    "name, or that from before the fleet's tables were made anew: "
	    "choose another directory",
	    fleet->options.name);
	return false;
}

/* The number of the worker that was in this directory before; 0 in a copy of it, where
 * that worker may be alive. */
static int64_t number_before(const struct pv_fleet *fleet)
{
	struct pv_database *database = fleet->store->database;
	int64_t number = pv_note_get(database, PV_NOTE_FLEET_WORKER, 0);
	int64_t place =
	    pv_directory_place(fleet->options.directory, fleet->key);
	if (!number || (place && place == pv_note_get(database, NOTE_PLACE, 0)))
		return number;
	fleet->options.on_line(fleet->options.ctx, false,
	    "this directory was copied or moved, or the machine was started "
	    "anew: it begins as a new worker. Of a copy, the original must not "
	    "go on: the two could not be merged");
	return 0;
}

/* By the number that the directory had before, if that still lives. */
static bool register_by_terms(struct pv_fleet *fleet, int64_t before)
{
	if (before && !resume(fleet, before))
		return false;
	fleet->keeps_number = fleet->worker != 0;
	if (fleet->keeps_number)
		return true;
	if (!register_anew(fleet))
		return false;
	if (fleet->worker)
		give_all(fleet);
	return true;
}

bool pv_joining_register(struct pv_fleet *fleet, struct pv_why *why)
{
	int64_t before = number_before(fleet);
	if (memcmp(&fleet->store->key, &fleet->key, sizeof(fleet->key)) != 0)
		return tell_other(fleet, why);
	while (!fleet->worker) {
		if (!pv_terms_agree(fleet, &before, why))
			return false;
		if (!register_by_terms(fleet, before))
			return pv_joining_tell(fleet, why);
		/* Another one has changed the terms meanwhile. */
		if (!fleet->worker && !pv_joining_find_crawl(fleet, why))
			return false;
	}
	pv_terms_begin(fleet);
	return true;
}
