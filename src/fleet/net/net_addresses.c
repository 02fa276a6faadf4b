#include "fleet/net/net_addresses.h"

#include <stdlib.h>

#include "base/array.h"
#include "fleet/giving/giving.h"
#include "fleet/giving/naming.h"
#include "fleet/worker/worker.h"

/* So many addresses are asked for at a time. */
#define ASKED_MAX 1000

/* So often it is asked whether others want ours, or who owns what nobody did. */
#define LOOK_MS 200

enum { FENCE, CLAIM, WANT, FIND, WANTED, WANTED_CLOCKS, STEPS };

void pv_net_addresses_init(struct pv_net_addresses *net, struct pv_hash_key key)
{
	*net = (struct pv_net_addresses){.is_asking = false};
	pv_net_table_init(&net->table, key);
}

void pv_net_addresses_finish(struct pv_net_addresses *net)
{
	pv_net_table_finish(&net->table);
}

/* What was heard */

static struct pv_net_address *address_at(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step, size_t row)
{
	struct pv_str name = pv_fleet_results_text(results, step, row, 0);
	struct pv_net_address *address =
	    pv_net_table_find(&fleet->net.table, name);
	return address && address->owner != PV_NET_LEAVING ? address : NULL;
}

/* The longest rest that others know of is that of the database. */
static void own(struct pv_fleet *fleet, struct pv_net_address *address,
    int64_t left_ms, int64_t rest_ms)
{
	int64_t ready_ms = pv_fleet_time(fleet).monotonic_ms + left_ms;
	address->rest_ms = rest_ms;
	if (address->owner == PV_NET_OURS)
		return;
	address->owner = PV_NET_OURS;
	address->is_wanted = false;
	address->ready_ms = ready_ms;
	pv_clock_events_address(
	    &fleet->events, PV_CLOCK_TAKEN, address->name, pv_boot_now_ms());
}

static void hear_owners(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	for (size_t i = 0; i < pv_fleet_results_rows(results, FIND); i++) {
		struct pv_net_address *address =
		    address_at(fleet, results, FIND, i);
		int64_t worker = pv_fleet_results_number(results, FIND, i, 1);
		if (address && worker == fleet->worker)
			own(fleet, address,
			    pv_fleet_results_number(results, FIND, i, 2),
			    pv_fleet_results_number(results, FIND, i, 3));
		else if (address && worker)
			pv_net_table_lose(
			    address, worker, pv_fleet_time(fleet).monotonic_ms);
	}
}

/* A lower number wants an address of ours. */
static void hear_wishes(
    struct pv_fleet *fleet, const struct pv_fleet_results *results)
{
	for (size_t i = 0; i < pv_fleet_results_rows(results, WANTED); i++) {
		struct pv_net_address *address =
		    address_at(fleet, results, WANTED, i);
		int64_t worker = pv_fleet_results_number(results, WANTED, i, 1);
		struct pv_net_group group;
		if (!address || worker >= fleet->worker)
			continue;
		pv_net_group_of_address(address, &group);
		pv_giving_add_group(fleet, &group, worker);
		pv_net_group_finish(&group);
	}
}

static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	(void)request;
	fleet->net.is_asking = false;
	fleet->net.look_at = pv_fleet_now(fleet) + LOOK_MS;
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	if (answer->status != PV_FLEET_OK)
		return;
	hear_owners(fleet, answer->results);
	hear_wishes(fleet, answer->results);
	pv_naming_hear_wanted(fleet, answer->results, WANTED_CLOCKS);
}

/* What is asked */

struct question {
	struct pv_str *names;
	int64_t *rests;
	size_t count;
	struct pv_str *wanted;
	size_t wanted_count;
};

static void add(struct question *question, struct pv_net_address *address)
{
	question->names[question->count] = address->name;
	question->rests[question->count++] = address->longest_ms;
	if (address->is_wanted)
		question->wanted[question->wanted_count++] = address->name;
	address->is_to_be_asked = false;
}

static void collect(struct pv_net_table *table, struct question *question)
{
	*question = (struct question){
	    .names = pv_alloc_array(ASKED_MAX, sizeof(struct pv_str)),
	    .rests = pv_alloc_array(ASKED_MAX, sizeof(int64_t)),
	    .wanted = pv_alloc_array(ASKED_MAX, sizeof(struct pv_str)),
	};
	for (size_t i = 0;
	     i < table->address_count && question->count < ASKED_MAX; i++) {
		struct pv_net_address *address = table->addresses[i];
		if (address->is_to_be_asked && address->owner != PV_NET_LEAVING)
			add(question, address);
	}
}

static void send_question(
    struct pv_fleet *fleet, const struct question *question)
{
	const struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	const struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	const struct pv_fleet_value names =
	    pv_fleet_texts(PV_FLEET_TEXTS, question->names, question->count);
	const struct pv_fleet_value claim[] = {crawl, worker, names,
	    pv_fleet_numbers(PV_FLEET_INT8S, question->rests, question->count)};
	const struct pv_fleet_value want[] = {crawl, worker,
	    pv_fleet_texts(
		PV_FLEET_TEXTS, question->wanted, question->wanted_count)};
	const struct pv_fleet_value find[] = {crawl, names};
	const struct pv_fleet_step steps[STEPS] = {
	    [FENCE] = {PV_SAY_FENCE, fleet->fence, 2},
	    [CLAIM] = {PV_SAY_CLAIM_ADDRESSES, claim, 4},
	    [WANT] = {PV_SAY_WANT_ADDRESSES, want, 3},
	    [FIND] = {PV_SAY_FIND_ADDRESSES, find, 2},
	    [WANTED] = {PV_SAY_WANTED, &worker, 1},
	    [WANTED_CLOCKS] = {PV_SAY_WANTED_CLOCKS, &worker, 1},
	};
	fleet->net.is_asking = true;
	pv_fleet_line_send(fleet->line,
	    pv_fleet_request_create(steps, STEPS, on_answer, fleet));
}

/* What is new is asked at once, and all else once in a while. */
void pv_net_addresses_step(struct pv_fleet *fleet)
{
	struct pv_net_addresses *net = &fleet->net;
	struct question question;
	if (net->is_asking || !pv_fleet_is_up(fleet) || fleet->is_hurried)
		return;
	if (pv_fleet_now(fleet) < net->look_at && !net->has_new)
		return;
	net->has_new = false;
	collect(&net->table, &question);
	send_question(fleet, &question);
	free(question.names);
	free(question.rests);
	free(question.wanted);
}
