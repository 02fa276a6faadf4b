#include "fleet/taking/loading.h"

#include <stdlib.h>

#include "base/array.h"
#include "fleet/giving/giving.h"
#include "fleet/giving/naming.h"
#include "fleet/taking/notes.h"
#include "fleet/taking/widening.h"
#include "fleet/worker/worker.h"

/* Clocks that are claimed at a time: few at first, so that workers that come together
 * share what is free, and twice as many while there are more, up to so many as one
 * request loads. */
#define CLAIM_MIN 4
#define CLAIM_MAX PV_TAKING_HOSTS_MAX

/* Links, addresses of all hosts, and clocks of its own, that are loaded at a time. */
#define CLAIMED_MAX 256
#define LINKS_MAX 2000
#define ADDRESSES_MAX 4000

/* Hosts that are loaded at a time, and bytes of their copies of robots.txt. Both fit
 * into the parcels. */
#define HOSTS_MAX 5000
#define ROBOTS_MAX ((int64_t)24 << 20)

/* Requests */

static void ask(struct pv_fleet *fleet, const struct pv_fleet_step *steps,
    size_t count, pv_fleet_request_fn done)
{
	fleet->taking.is_under_way = true;
	pv_fleet_line_send(
	    fleet->line, pv_fleet_request_create(steps, count, done, fleet));
}

static struct pv_fleet_value crawl_of(const struct pv_fleet *fleet)
{
	return pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
}

static struct pv_fleet_value worker_of(const struct pv_fleet *fleet)
{
	return pv_fleet_number(PV_FLEET_INT8, fleet->worker);
}

static struct pv_fleet_value int8(int64_t number)
{
	return pv_fleet_number(PV_FLEET_INT8, number);
}

static int64_t claim_most(const struct pv_taking *taking)
{
	return taking->claimed < CLAIM_MIN   ? CLAIM_MIN
	       : taking->claimed < CLAIM_MAX ? 2 * taking->claimed
					     : CLAIM_MAX;
}

/* The steps of a look. What is claimed changes the worker's own row, for which its
 * beats wait: so it comes last, and nothing waits after that. */
enum { NEWS = 1, LINKS, ADD_NAMED, OTHERS, NAMED, CLAIM, LOOK_STEPS };

void pv_loading_look(struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	size_t count;
	struct pv_str *names = pv_naming_list(fleet, &count);
	struct pv_fleet_figures figures = {0};
	bool takes_any = !fleet->is_finished && !fleet->is_hurried;
	pv_fleet_figures(fleet, &figures);
	struct pv_fleet_value crawl[] = {crawl_of(fleet)};
	struct pv_fleet_value links[] = {worker_of(fleet), int8(LINKS_MAX)};
	struct pv_fleet_value claim[] = {crawl_of(fleet), worker_of(fleet),
	    int8(takes_any ? claim_most(&fleet->taking) : 0),
	    int8(++fleet->activity)};
	struct pv_fleet_value named[] = {crawl_of(fleet), worker_of(fleet),
	    pv_fleet_texts(PV_FLEET_TEXTS, names, count),
	    int8(fleet->activity)};
	struct pv_fleet_value add[] = {named[0], named[2]};
	const struct pv_fleet_step steps[LOOK_STEPS] = {
	    {PV_SAY_FENCE, fleet->fence, 2},
	    [NEWS] = {PV_SAY_LOOK, crawl, 1},
	    [LINKS] = {PV_SAY_LINKS_TO, links, 2},
	    [ADD_NAMED] = {PV_SAY_ADD_CLOCKS, add, 2},
	    [OTHERS] = {PV_SAY_WANT_CLOCKS, named, 3},
	    [NAMED] = {PV_SAY_CLAIM_NAMED, named, 4},
	    [CLAIM] = {figures.is_halted ? PV_SAY_CLAIM_GIVEN : PV_SAY_CLAIM,
		claim, 4},
	};
	fleet->taking.step = PV_TAKING_LOOK;
	ask(fleet, steps, LOOK_STEPS, done);
	free(names);
}

void pv_loading_look_at_claimed(
    struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct pv_fleet_value claimed[] = {crawl_of(fleet), worker_of(fleet),
	    pv_fleet_text(pv_buf_str(&fleet->taking.last_claimed)),
	    int8(CLAIMED_MAX)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fleet->fence, 2},
	    {PV_SAY_CLAIMED, claimed, 4},
	};
	fleet->taking.step = PV_TAKING_CLAIMED;
	ask(fleet, steps, 2, done);
}

void pv_loading_ask_hosts(struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct pv_taking *taking = &fleet->taking;
	struct pv_str *clocks = pv_taken_list(&taking->clocks);
	struct pv_fleet_value values[] = {crawl_of(fleet),
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks, taking->clocks.count),
	    pv_fleet_text(pv_buf_str(&taking->last_host)), int8(HOSTS_MAX),
	    int8(ROBOTS_MAX)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_HOSTS_OF, values, 4},
	    {PV_SAY_ROBOTS_OF, values, 5},
	};
	taking->step = PV_TAKING_HOSTS;
	ask(fleet, steps, 2, done);
	free(clocks);
}

/* Of each host. */
static size_t addresses_max(const struct pv_taking *taking)
{
	return ADDRESSES_MAX / taking->asked_count;
}

bool pv_loading_ask_addresses(struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct pv_taking *taking = &fleet->taking;
	int64_t hosts[PV_TAKING_HOSTS_MAX], behind[PV_TAKING_HOSTS_MAX];
	size_t count = 0;
	for (size_t i = 0;
	     i < taking->hosts.count && count < PV_TAKING_HOSTS_MAX; i++) {
		const struct pv_taken_name *host = &taking->hosts.items[i];
		if (!host->has_more)
			continue;
		hosts[count] = (int64_t)pv_hash(&fleet->key, host->name);
		behind[count] = host->behind;
		taking->asked[count++] = i;
	}
	taking->step = PV_TAKING_ADDRESSES;
	taking->asked_count = count;
	if (!count)
		return false;
	struct pv_fleet_value values[] = {crawl_of(fleet),
	    pv_fleet_numbers(PV_FLEET_INT8S, hosts, count),
	    pv_fleet_numbers(PV_FLEET_INT8S, behind, count),
	    int8((int64_t)addresses_max(taking))};
	const struct pv_fleet_step steps[] = {{PV_SAY_ADDRESSES_OF, values, 4}};
	ask(fleet, steps, 1, done);
	return true;
}

void pv_loading_ask_links(struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct pv_taking *taking = &fleet->taking;
	struct pv_str *clocks = pv_taken_list(&taking->clocks);
	struct pv_fleet_value values[] = {crawl_of(fleet),
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks, taking->clocks.count),
	    int8(taking->behind), int8(LINKS_MAX)};
	const struct pv_fleet_step steps[] = {{PV_SAY_LINKS_OF, values, 4}};
	taking->step = PV_TAKING_LINKS;
	ask(fleet, steps, 1, done);
	free(clocks);
}

void pv_loading_ask_notes(struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct pv_taking *taking = &fleet->taking;
	taking->step = PV_TAKING_NOTES;
	taking->is_under_way = true;
	pv_fleet_line_send(fleet->line, pv_notes_request(fleet, done));
}

/* Answers */

/* Links, with their numbers; whose hosts are owned when all is written. What does
 * not fit is asked for again. */
static void hear_links(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	struct pv_taking *taking = &fleet->taking;
	size_t i = 0, count = pv_fleet_results_rows(results, step);
	for (; i < count; i++) {
		const struct pv_parcel link = {
		    .kind = pv_fleet_results_flag(results, step, i, 3)
				? PV_PARCEL_VOUCHER
				: PV_PARCEL_LINK,
		    .host = pv_fleet_results_text(results, step, i, 1),
		    .bytes = pv_fleet_results_text(results, step, i, 2),
		};
		if (!pv_parcels_add(&taking->parcels, &link))
			break;
		taking->behind = pv_fleet_results_number(results, step, i, 0);
		*PV_ARRAY_PUSH(taking->numbers, taking->number_count,
		    taking->number_size) = taking->behind;
		if (!pv_giving_has(
			&fleet->giving, pv_fleet_clock_of(fleet, link.host)))
			pv_taken_add(&taking->hosts, link.host);
	}
	taking->has_more = i < count || count == LINKS_MAX;
}

static void hear_look(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_taking *taking = &fleet->taking;
	fleet->is_finished = pv_fleet_results_flag(results, NEWS, 0, 0);
	pv_widening_note(fleet, results, NEWS);
	hear_links(fleet, results, LINKS);
	size_t claimed = pv_fleet_results_rows(results, CLAIM);
	taking->claimed =
	    (int64_t)claimed < claim_most(taking) ? 0 : (int64_t)claimed;
	for (size_t i = 0; i < claimed; i++) {
		struct pv_str clock =
		    pv_fleet_results_text(results, CLAIM, i, 0);
		pv_taken_add(&taking->clocks, clock)->was_owned =
		    pv_fleet_results_flag(results, CLAIM, i, 2);
		if (pv_fleet_results_flag(results, CLAIM, i, 1))
			pv_net_table_bind(&fleet->net.table, clock,
			    pv_fleet_time(fleet).monotonic_ms);
	}
	pv_naming_hear_others(fleet, results, OTHERS);
	pv_naming_hear(fleet, results, NAMED);
	taking->owned += taking->clocks.count;
	taking->has_found = taking->number_count || taking->clocks.count;
	if (!taking->has_found)
		taking->look_at = pv_fleet_now(fleet) + PV_FLEET_LOOK_MS;
}

/* A copy of robots.txt that does not fit is asked for again, of its host. */
static void hear_hosts(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_taking *taking = &fleet->taking;
	size_t count = pv_fleet_results_rows(results, 0);
	for (size_t i = 0; i < count; i++) {
		const struct pv_parcel host = {
		    .kind = PV_PARCEL_HOST,
		    .host = pv_fleet_results_text(results, 0, i, 0),
		    .left_ms = pv_fleet_results_number(results, 0, i, 1),
		    .rest_ms = pv_fleet_results_number(results, 0, i, 2),
		    .bytes = pv_fleet_results_text(results, 0, i, 3),
		};
		if (host.bytes.len) /* it was asked before */
			pv_parcels_add(&taking->parcels, &host);
		pv_taken_add(&taking->hosts, host.host)->is_listed = true;
		pv_buf_clear(&taking->last_host);
		pv_buf_append(&taking->last_host, host.host);
	}
	taking->has_more_hosts = count == HOSTS_MAX;
	for (size_t i = 0; i < pv_fleet_results_rows(results, 1); i++)
		pv_parcels_add(&taking->parcels,
		    &(struct pv_parcel){
			.kind = PV_PARCEL_ROBOTS,
			.host = pv_fleet_results_text(results, 1, i, 0),
			.name = pv_fleet_results_text(results, 1, i, 1),
			.bytes = pv_fleet_results_text(results, 1, i, 2),
		    });
}

/* The addresses of a host, column by column. */
struct columns {
	struct pv_fleet_array fingerprints;
	struct pv_fleet_array states;
	struct pv_fleet_array rows;
};

static bool open_columns(
    struct columns *columns, const struct pv_fleet_results *results, size_t row)
{
	return pv_fleet_field_array(pv_fleet_results_field(results, 0, row, 1),
		   &columns->fingerprints) &&
	       pv_fleet_field_array(pv_fleet_results_field(results, 0, row, 2),
		   &columns->states) &&
	       pv_fleet_field_array(
		   pv_fleet_results_field(results, 0, row, 3), &columns->rows);
}

static bool next_address(
    struct columns *columns, int64_t *fingerprint, struct pv_parcel *address)
{
	struct pv_fleet_field key, state, row;
	int64_t number = 0;
	if (!pv_fleet_array_next(&columns->fingerprints, &key) ||
	    !pv_fleet_array_next(&columns->states, &state) ||
	    !pv_fleet_array_next(&columns->rows, &row) ||
	    !pv_fleet_field_number(key, fingerprint) ||
	    !pv_fleet_field_number(state, &number) ||
	    !pv_fleet_field_text(row, &address->bytes))
		return false;
	address->state = (unsigned)number;
	return true;
}

/* What does not fit is asked for again. */
static void hear_addresses_of(struct pv_taking *taking,
    struct pv_taken_name *host, const struct pv_fleet_results *results,
    size_t row)
{
	struct columns columns;
	struct pv_parcel address = {
	    .kind = PV_PARCEL_ADDRESS, .host = host->name};
	int64_t fingerprint;
	size_t count = 0;
	bool fits = true;
	host->has_more = false;
	if (!open_columns(&columns, results, row))
		return; /* there are none */
	for (; fits && next_address(&columns, &fingerprint, &address);
	     count++) {
		fits = pv_parcels_add(&taking->parcels, &address);
		if (fits)
			host->behind = fingerprint;
	}
	host->has_more = !fits || count == addresses_max(taking);
}

static void hear_addresses(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_taking *taking = &fleet->taking;
	for (size_t i = 0; i < pv_fleet_results_rows(results, 0); i++) {
		int64_t place = pv_fleet_results_number(results, 0, i, 0);
		if (place > 0 && (size_t)place <= taking->asked_count)
			hear_addresses_of(taking,
			    &taking->hosts.items[taking->asked[place - 1]],
			    results, i);
	}
}

/* The next of what it owned, by their names. */
static void hear_claimed(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	struct pv_taking *taking = &fleet->taking;
	size_t count = pv_fleet_results_rows(results, 1);
	if (!taking->last_claimed.len)
		taking->owned = 0;
	for (size_t i = 0; i < count; i++) {
		struct pv_str clock = pv_fleet_results_text(results, 1, i, 0);
		pv_taken_add(&taking->clocks, clock)->was_owned = true;
		pv_buf_clear(&taking->last_claimed);
		pv_buf_append(&taking->last_claimed, clock);
	}
	taking->owned += count;
	taking->has_looked = count < CLAIMED_MAX;
}

void pv_loading_hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	switch (fleet->taking.step) {
	case PV_TAKING_LOOK:
		hear_look(fleet, results);
		break;
	case PV_TAKING_CLAIMED:
		hear_claimed(fleet, results);
		break;
	case PV_TAKING_HOSTS:
		hear_hosts(fleet, results);
		break;
	case PV_TAKING_ADDRESSES:
		hear_addresses(fleet, results);
		break;
	case PV_TAKING_LINKS:
		hear_links(fleet, results, 0);
		break;
	case PV_TAKING_NOTES:
		pv_notes_hear(fleet, results);
		break;
	case PV_TAKING_NOTHING:
	case PV_TAKING_OWN:
		break;
	}
}
