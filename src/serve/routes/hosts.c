#include <stdlib.h>

#include "base/array.h"
#include "base/json/json.h"
#include "serve/fetches/fetch_hosts.h"
#include "serve/jobs/job_hosts.h"
#include "serve/routes/answer.h"
#include "serve/routes/host_view.h"

/* What hosts wait for, in all jobs that run: how many for each reason, and those
 * that wait longest by name. */

#define LISTED_MAX 200
#define REASONS_MAX 64

struct listed {
	struct pv_json *view;
	int64_t until_ms;
};

struct walk {
	struct {
		const char *word; /* the library's */
		const char *why;
		uint64_t count;
	} reasons[REASONS_MAX];
	size_t reason_count;
	uint64_t waiting;
	uint64_t given_up;
	struct listed *items;
	size_t count;
	size_t size;
};

static void count_reason(struct walk *walk, const struct pv_waiting_host *host)
{
	size_t i = 0;
	while (
	    i < walk->reason_count && walk->reasons[i].word != host->waits_for)
		i++;
	if (i == REASONS_MAX)
		return;
	if (i == walk->reason_count) {
		walk->reasons[walk->reason_count++].word = host->waits_for;
		walk->reasons[i].why = host->why;
	}
	walk->reasons[i].count++;
}

/* Who waits for ever comes last, and who nobody knows about behind the others. */
static int64_t rank_of(const struct pv_waiting_host *host)
{
	return host->until_ms ? host->until_ms : INT64_MAX;
}

static struct pv_json *view_of(
    struct pv_str id, const struct pv_waiting_host *host)
{
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "host", pv_json_text(host->name));
	pv_json_set(view, "job", pv_json_text(id));
	if (*host->waits_for) {
		pv_json_set_text(view, "waits_for", host->waits_for);
		pv_json_set_text(view, "why", host->why);
	}
	if (host->since_ms)
		pv_json_set(view, "since", pv_route_time(host->since_ms));
	if (host->until_ms)
		pv_json_set(view, "until", pv_route_time(host->until_ms));
	if (host->failures)
		pv_json_set(view, "failures", pv_json_integer(host->failures));
	if (host->is_paused)
		pv_json_set(view, "paused", pv_json_bool(true));
	if (*host->given_up)
		pv_json_set_text(view, "given_up", host->given_up);
	return view;
}

/* Of all hosts those are kept that wait longest. */
static void keep(
    struct walk *walk, struct pv_str id, const struct pv_waiting_host *host)
{
	size_t least = 0;
	if (walk->count < LISTED_MAX) {
		*PV_ARRAY_PUSH(walk->items, walk->count, walk->size) =
		    (struct listed){view_of(id, host), rank_of(host)};
		return;
	}
	for (size_t i = 1; i < walk->count; i++) {
		if (walk->items[i].until_ms < walk->items[least].until_ms)
			least = i;
	}
	if (walk->items[least].until_ms >= rank_of(host))
		return;
	pv_json_destroy(walk->items[least].view);
	walk->items[least] = (struct listed){view_of(id, host), rank_of(host)};
}

static bool hear(
    void *ctx, struct pv_str id, const struct pv_waiting_host *host)
{
	struct walk *walk = ctx;
	walk->given_up += *host->given_up != '\0';
	walk->waiting += *host->waits_for != '\0';
	if (*host->waits_for)
		count_reason(walk, host);
	keep(walk, id, host);
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct listed *one = a, *other = b;
	return (one->until_ms < other->until_ms) -
	       (one->until_ms > other->until_ms);
}

static struct pv_json *reasons_of(const struct walk *walk)
{
	struct pv_json *reasons = pv_json_array();
	for (size_t i = 0; i < walk->reason_count; i++) {
		struct pv_json *reason = pv_json_object();
		pv_json_set_text(reason, "waits_for", walk->reasons[i].word);
		pv_json_set_text(reason, "why", walk->reasons[i].why);
		pv_json_set(reason, "hosts",
		    pv_json_integer((int64_t)walk->reasons[i].count));
		pv_json_add(reasons, reason);
	}
	return reasons;
}

static bool add_paused(void *ctx, const struct pv_paused_host *host)
{
	struct pv_json *view = pv_host_view_pause(host);
	pv_json_set(view, "host", pv_json_text(host->name));
	pv_json_add(ctx, view);
	return true;
}

void pv_route_hosts(struct pv_request *request, struct pv_reply *reply)
{
	struct walk walk = {.count = 0};
	struct pv_json *view = pv_json_object();
	struct pv_json *hosts = pv_json_array();
	struct pv_json *paused = pv_json_array();
	pv_jobs_each_paused(request->service->jobs, add_paused, paused);
	pv_jobs_each_host(request->service->jobs, request->owner, hear, &walk);
	if (!request->owner)
		pv_fetches_each_host(request->service->fetches, hear, &walk);
	if (walk.count)
		qsort(walk.items, walk.count, sizeof(*walk.items), compare);
	for (size_t i = 0; i < walk.count; i++)
		pv_json_add(hosts, walk.items[i].view);
	pv_json_set(view, "waiting", pv_json_integer((int64_t)walk.waiting));
	pv_json_set(view, "given_up", pv_json_integer((int64_t)walk.given_up));
	pv_json_set(view, "reasons", reasons_of(&walk));
	pv_json_set(view, "hosts", hosts);
	pv_json_set(view, "paused", paused);
	free(walk.items);
	pv_route_give_json(reply, view);
}
