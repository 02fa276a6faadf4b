#ifndef PAVANE_TESTS_CRAWL_SIMULATION_H
#define PAVANE_TESTS_CRAWL_SIMULATION_H

#include <signal.h>
#include <unistd.h>

#include "crawl/conductor.h"
#include "crawl/environment.h"
#include "crawl/patience.h"
#include "crawl/run/crawl.h"
#include "crawl/run/running.h"
#include "crawl/simulated_clock.h"
#include "descriptors.h"
#include "fetch/fetch.h"
#include "names/names.h"
#include "policy/sources/load.h"
#include "scratch.h"
#include "store/database.h"
#include "tap.h"
#include "url/url.h"

/* A whole crawl in simulated time: the conductor with all that is ours, names
 * and servers of the simulation's, and as many hosts as a test wants. To be
 * included in one file of a program.
 *
 * Each host has an address of its own, no robots.txt, and a root with so many
 * links, each of which leads to a chain of so many pages. What its server saw
 * is kept for each host as it happens, and judged when the crawl has ended.
 */
struct simulation_plan {
	unsigned hosts;
	unsigned chains;
	unsigned length;       /* of each chain */
	unsigned silent_every; /* each so-manieth host never answers; 0: none */
	unsigned unnamed;      /* so many hosts, the first, are at no address
				  that anybody could tell */
	int64_t delay_ms;
	int64_t latency_ms;
	int64_t stop_every_ms;  /* and is opened again; 0: it is not stopped */
	int64_t patience_ms;    /* of simulated time; then it is stopped */
	size_t places;          /* for hosts in memory; 0: as many as ever */
	unsigned rate;          /* requests a second; 0: as many as may be */
	unsigned concurrency;   /* 0: as many as may be */
	const char *policy;     /* more of it; NULL for nothing */
	const char *seeds;      /* NULL: the root of each host */
	const char *politeness; /* NULL: delay_ms after each answer */
	const char *state_dir;  /* of what crawls share; NULL: nothing */
	int64_t connect_ms;     /* until a request goes out */
	struct pv_lease *lease; /* NULL: all hosts are the crawl's own */
	void (*on_line)(const char *line); /* of the log; NULL for nobody */

	/* Makes of a 404 the answer to a request for robots.txt at that time,
	 * since the crawl began; NULL: there is none. */
	void (*robots)(struct pv_response *response, int64_t at);
	void (*on_request)(bool is_robots, int64_t at); /* NULL for nobody */

	/* How far it is, each so many milliseconds; NULL for nobody. */
	pavane_progress_fn on_progress;
	unsigned progress_ms;
};

/* What a server saw. */
struct simulated_host {
	bool is_silent;
	unsigned look_ups; /* of its name */
	unsigned robots;   /* how often that was asked for */
	unsigned requests; /* for pages */
	unsigned twice;    /* of these, for one that was asked for before */
	unsigned astray;   /* for what is not there */
	unsigned in_flight;
	unsigned most_in_flight;
	int64_t first_at;
	int64_t last_at;   /* a request came */
	int64_t ended_at;  /* an answer */
	int64_t least_gap; /* between two requests */
	int64_t most_gap;
	uint8_t *asked; /* by page */
};

static struct {
	struct simulation_plan plan;
	unsigned pages; /* of a host */
	struct simulated_host *hosts;
	int64_t began_at;
	int64_t ended_at;
	enum pavane_end end;
	struct pv_crawl *crawl;
	unsigned runs;
	struct simulated_event stop;
	struct simulated_event patience;
	bool is_out_of_patience;
	size_t most_held; /* hosts at once */
	char error[512];
} simulation;

/* Names */

struct simulated_look_up {
	struct simulated_event event; /* the first */
	struct pv_names *names;
	struct simulated_look_up *next;
	struct simulated_look_up **link;
	unsigned host;
	pv_name_fn on_answer;
	void *ctx;
};

struct pv_names {
	struct simulated_look_up *all;
	uint32_t count;
};

#define SIMULATED_LOOK_UP_MS 20

static struct pv_names *simulation_create_names(struct uv_loop_s *loop,
    const struct pv_policy *policy, const struct pv_clock_kind *clock_kind,
    const struct pv_clock *clock)
{
	(void)loop;
	(void)policy;
	(void)clock_kind;
	(void)clock;
	return pv_alloc(sizeof(struct pv_names));
}

static void simulation_add_named(struct pv_names *names, struct pv_str host)
{
	(void)names;
	(void)host;
}

static const struct pv_name_answer *simulation_get_name(
    struct pv_names *names, struct pv_str host)
{
	(void)names;
	(void)host;
	return NULL;
}

/* Of "h17.test" 16; anything else is nobody's. */
static unsigned simulation_host(struct pv_str name)
{
	unsigned number = 0;
	for (size_t i = 1; i < name.len && name.ptr[i] != '.'; i++)
		number = number * 10 + (unsigned)(name.ptr[i] - '0');
	return number - 1;
}

static void simulation_end_look_up(struct simulated_look_up *look_up)
{
	*look_up->link = look_up->next;
	if (look_up->next)
		look_up->next->link = look_up->link;
	look_up->names->count--;
	simulated_remove(&look_up->event);
	free(look_up);
}

static void simulation_on_name(struct simulated_event *event)
{
	struct simulated_look_up *look_up = (struct simulated_look_up *)event;
	unsigned number = look_up->host;
	struct pv_name_answer answer = {
	    .result = PV_NAME_FOUND,
	    .count = 1,
	    .kept_until = simulated.now_ms + 365 * SIMULATED_DAY_MS,
	    .took_ms = SIMULATED_LOOK_UP_MS,
	};
	char text[32];
	snprintf(text, sizeof(text), "11.%u.%u.%u", number >> 16 & 255,
	    number >> 8 & 255, number & 255);
	pv_address_read(pv_str_of(text), &answer.addresses[0]);
	if (number < simulation.plan.unnamed)
		answer = (struct pv_name_answer){.result = PV_NAME_NO_ANSWER,
		    .took_ms = SIMULATED_LOOK_UP_MS,
		    .why = "nobody answers"};
	pv_name_fn on_answer = look_up->on_answer;
	void *ctx = look_up->ctx;
	simulation_end_look_up(look_up);
	on_answer(ctx, &answer);
}

static void simulation_find_name(
    struct pv_names *names, struct pv_str host, pv_name_fn on_answer, void *ctx)
{
	struct simulated_look_up *look_up = pv_alloc(sizeof(*look_up));
	look_up->names = names;
	look_up->host = simulation_host(host);
	simulation.hosts[look_up->host].look_ups++;
	look_up->on_answer = on_answer;
	look_up->ctx = ctx;
	look_up->next = names->all;
	look_up->link = &names->all;
	if (look_up->next)
		look_up->next->link = &look_up->next;
	names->all = look_up;
	names->count++;
	simulated_add(
	    &look_up->event, SIMULATED_LOOK_UP_MS, simulation_on_name);
}

static void simulation_forget_name(struct pv_names *names, const void *ctx)
{
	struct simulated_look_up *look_up = names->all;
	while (look_up) {
		struct simulated_look_up *next = look_up->next;
		if (look_up->ctx == ctx)
			simulation_end_look_up(look_up);
		look_up = next;
	}
}

static uint32_t simulation_count_names(const struct pv_names *names)
{
	return names->count;
}

static void simulation_destroy_names(struct pv_names *names)
{
	while (names && names->all)
		simulation_end_look_up(names->all);
	free(names);
}

static const struct pv_names_kind simulation_names = {
    .create = simulation_create_names,
    .destroy = simulation_destroy_names,
    .add_named = simulation_add_named,
    .get = simulation_get_name,
    .find = simulation_find_name,
    .forget = simulation_forget_name,
    .count = simulation_count_names,
};

/* Servers */

#define SIMULATED_TIMEOUT_MS 30000

struct pv_fetch {
	unsigned in_flight;
};

struct pv_transfer {
	struct simulated_event event; /* the first */
	struct pv_fetch *fetch;
	struct pv_request request;
	struct simulated_host *host;
	unsigned page; /* pages of the host or more: it has none such */
	bool is_robots;
};

static struct pv_fetch *simulation_create_fetch(
    const struct pv_fetch_plan *plan, struct pv_why *why)
{
	(void)plan;
	(void)why;
	return pv_alloc(sizeof(struct pv_fetch));
}

/* "/" is page 0, "/3/2" the second of the third chain, both from 0. */
static unsigned simulation_page(struct pv_str target)
{
	unsigned numbers[3] = {0, 0, 0}, count = 0;
	for (size_t i = 0; i < target.len && count < 3; i++) {
		char byte = target.ptr[i];
		if (byte == '/')
			count++;
		else if (byte >= '0' && byte <= '9')
			numbers[count] =
			    numbers[count] * 10 + (unsigned)(byte - '0');
		else
			return simulation.pages;
	}
	if (target.len == 1)
		return 0;
	return 1 + numbers[1] * simulation.plan.length + numbers[2];
}

static void simulation_note_request(struct pv_transfer *flight)
{
	struct simulated_host *host = flight->host;
	int64_t now = simulated.now_ms;
	bool is_first = !host->requests && !host->robots;
	int64_t gap = now - (is_first ? simulation.began_at : host->last_at);
	if (is_first)
		host->first_at = now;
	else if (gap < host->least_gap)
		host->least_gap = gap;
	if (gap > host->most_gap)
		host->most_gap = gap;
	host->last_at = now;
	if (simulation.plan.on_request)
		simulation.plan.on_request(
		    flight->is_robots, now - simulation.began_at);
	if (simulation.crawl &&
	    simulation.crawl->hosts.held.count > simulation.most_held)
		simulation.most_held = simulation.crawl->hosts.held.count;
	host->in_flight++;
	if (host->in_flight > host->most_in_flight)
		host->most_in_flight = host->in_flight;
	if (flight->is_robots) {
		host->robots++;
		return;
	}
	host->requests++;
	if (flight->page >= simulation.pages)
		host->astray++;
	else if (host->asked[flight->page]++)
		host->twice++;
}

static void simulation_append_link(
    struct pv_response *response, unsigned chain, unsigned step)
{
	char link[64];
	snprintf(link, sizeof(link), "<a href=/%u/%u>", chain, step);
	pv_body_append(&response->body, pv_str_of(link));
}

static void simulation_fill(struct pv_response *response, unsigned page)
{
	const struct simulation_plan *plan = &simulation.plan;
	bool is_there = page < simulation.pages;
	response->outcome = PV_OUTCOME_ANSWERED;
	response->stage = PV_STAGE_END;
	response->http_status = is_there ? 200 : 404;
	response->times = (struct pv_response_times){
	    -1, 0, 0, plan->latency_ms, plan->latency_ms, 0};
	pv_headers_add(
	    &response->headers, PV_STR("Content-Type"), PV_STR("text/html"));
	for (unsigned i = 0; !page && i < plan->chains; i++)
		simulation_append_link(response, i, 0);
	if (page && is_there && page % plan->length)
		simulation_append_link(
		    response, (page - 1) / plan->length, page % plan->length);
}

static void simulation_time_out(struct pv_response *response)
{
	response->outcome = PV_OUTCOME_TIMEOUT;
	response->stage = PV_STAGE_WAIT;
	response->times =
	    (struct pv_response_times){-1, 0, 0, -1, SIMULATED_TIMEOUT_MS, 0};
}

static void simulation_on_end(struct simulated_event *event)
{
	struct pv_transfer *flight = (struct pv_transfer *)event;
	struct pv_request request = flight->request;
	flight->host->in_flight--;
	flight->host->ended_at = simulated.now_ms;
	flight->fetch->in_flight--;
	if (flight->host->is_silent)
		simulation_time_out(request.response);
	else
		simulation_fill(request.response,
		    flight->is_robots ? simulation.pages : flight->page);
	if (flight->is_robots && !flight->host->is_silent &&
	    simulation.plan.robots)
		simulation.plan.robots(
		    request.response, simulated.now_ms - simulation.began_at);
	free(flight);
	request.on_end(request.ctx);
}

static void simulation_on_sent(struct simulated_event *event)
{
	struct pv_transfer *flight = (struct pv_transfer *)event;
	simulation_note_request(flight);
	simulated_add(event,
	    flight->host->is_silent ? SIMULATED_TIMEOUT_MS
				    : simulation.plan.latency_ms,
	    simulation_on_end);
	flight->request.on_sent(flight->request.ctx);
}

static struct pv_transfer *simulation_start(
    struct pv_fetch *fetch, const struct pv_request *request)
{
	struct pv_transfer *flight = pv_alloc(sizeof(*flight));
	struct pv_str target = pv_url_target(request->url);
	unsigned host = simulation_host(pv_url_host(request->url));
	flight->fetch = fetch;
	flight->request = *request;
	flight->host = &simulation.hosts[host];
	flight->is_robots = pv_str_equal(target, PV_STR("/robots.txt"));
	flight->page = simulation_page(target);
	fetch->in_flight++;
	simulated_add(
	    &flight->event, simulation.plan.connect_ms, simulation_on_sent);
	return flight;
}

static void simulation_cancel(
    struct pv_fetch *fetch, struct pv_transfer *flight)
{
	fetch->in_flight--;
	simulated_remove(&flight->event);
	free(flight);
}

static void simulation_close_idle(struct pv_fetch *fetch)
{
	(void)fetch;
}

static void simulation_destroy_fetch(struct pv_fetch *fetch)
{
	free(fetch);
}

static void simulation_do_nothing(struct pv_fetch *fetch)
{
	(void)fetch;
}

static const struct pv_fetch_kind simulation_fetch = {
    .leave = simulation_do_nothing,
    .hand_on = simulation_do_nothing,
    .create = simulation_create_fetch,
    .destroy = simulation_destroy_fetch,
    .start = simulation_start,
    .cancel = simulation_cancel,
    .close_idle = simulation_close_idle,
};

static const struct pv_environment simulation_environment = {
    .clock = &simulated_clock,
    .names = &simulation_names,
    .fetch = &simulation_fetch,
};

/* Runs */

#define SIMULATION_SECONDS 300 /* of work; then a signal ends it */

static struct pv_policy *simulation_policy(const struct simulation_plan *plan)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 1 << 20);
	if (plan->seeds)
		pv_buf_append_format(&text, "seeds: [\"%s\"]\n", plan->seeds);
	else
		pv_buf_append_format(
		    &text, "seeds: [\"http://h{1..%u}.test/\"]\n", plan->hosts);
	if (plan->politeness)
		pv_buf_append_format(
		    &text, "politeness: {%s}\n", plan->politeness);
	else
		pv_buf_append_format(&text,
		    "politeness: {delay: %lldms, delay_factor: 0, "
		    "ip_delay: 0}\n",
		    (long long)plan->delay_ms);
	pv_buf_append_format(&text,
	    "identity: {contact: bot@example.org}\n"
	    "rate: {max_rate: %u, interval: 1s, concurrency: %u}\n"
	    "scope: {sitemaps: false}\n"
	    "output: {}\n%s",
	    plan->rate ? plan->rate : 1000000,
	    plan->concurrency ? plan->concurrency : 100000,
	    plan->policy ? plan->policy : "");
	struct pv_policy *policy =
	    pv_policy_load_text("policy.yaml", pv_buf_str(&text), &why);
	if (why.problems.count)
		ok(false, "the policy is right: %s", why.problems.kept[0].text);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	return policy;
}

static void simulation_on_line(
    void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (simulation.plan.on_line)
		simulation.plan.on_line(line);
	if (level == PAVANE_ERROR)
		snprintf(
		    simulation.error, sizeof(simulation.error), "%s", line);
}

static void simulation_lose_patience(struct simulated_event *event)
{
	(void)event;
	simulation.is_out_of_patience = true;
	pv_crawl_stop(simulation.crawl);
}

static void simulation_stop(struct simulated_event *event)
{
	(void)event;
	pv_crawl_stop(simulation.crawl);
}

static void simulation_go(const struct pv_policy *policy, const char *directory)
{
	struct pv_why why;
	struct pv_environment around = simulation_environment;
	around.lease = simulation.plan.lease;
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = directory,
	    .level = PAVANE_WARNING,
	    .on_line = simulation_on_line,
	    .progress_ms = simulation.plan.progress_ms
			       ? simulation.plan.progress_ms
			       : SIMULATED_DAY_MS / 24,
	    .on_progress = simulation.plan.on_progress,
	    .state_dir = simulation.plan.state_dir,
	};
	pv_why_init(&why);
	simulation.crawl =
	    pv_crawl_open(policy, &options, &around, &why);
	if (!simulation.crawl)
		ok(false, "a crawl opens: %s", why.problems.kept[0].text);
	if (simulation.crawl)
		pv_database_run(
		    simulation.crawl->store->database, SIMULATED_NO_SYNC);
	if (simulation.crawl && simulation.plan.places)
		simulation.crawl->hosts.slots.max = simulation.plan.places;
	simulation.end =
	    simulation.crawl ? pv_crawl_run(simulation.crawl) : PAVANE_FAILED;
	simulation.runs++;
	pv_crawl_close(simulation.crawl);
	pv_why_finish(&why);
}

static void simulation_crawl(const struct pv_policy *policy)
{
	const struct simulation_plan *plan = &simulation.plan;
	struct scratch scratch;
	unsigned descriptors = descriptors_count();
	scratch_make(&scratch);
	end_after(SIMULATION_SECONDS);
	simulated_add(
	    &simulation.patience, plan->patience_ms, simulation_lose_patience);
	do {
		if (plan->stop_every_ms)
			simulated_add(&simulation.stop, plan->stop_every_ms,
			    simulation_stop);
		simulation_go(policy, scratch.path);
		simulated_remove(&simulation.stop);
	} while (
	    simulation.end == PAVANE_STOPPED && !simulation.is_out_of_patience);
	simulated_remove(&simulation.patience);
	simulation.ended_at = simulated.now_ms;
	end_after(0);
	scratch_remove(&scratch);
	descriptors_claim(descriptors);
}

static void simulation_init(const struct simulation_plan *plan)
{
	memset(&simulation, 0, sizeof(simulation));
	simulation.plan = *plan;
	simulation.pages = 1 + plan->chains * plan->length;
	simulation.hosts =
	    pv_alloc_array(plan->hosts, sizeof(*simulation.hosts));
	simulation.began_at = simulated.now_ms;
	for (unsigned i = 0; i < plan->hosts; i++) {
		simulation.hosts[i].least_gap = INT64_MAX;
		simulation.hosts[i].is_silent =
		    plan->silent_every && i % plan->silent_every == 0;
		simulation.hosts[i].asked = pv_alloc(simulation.pages);
	}
}

__attribute__((unused)) static void simulation_run(
    const struct simulation_plan *plan)
{
	struct pv_policy *policy = simulation_policy(plan);
	simulation_init(plan);
	simulation_crawl(policy);
	pv_policy_destroy(policy);
}

static void simulation_finish(void)
{
	for (unsigned i = 0; i < simulation.plan.hosts; i++)
		free(simulation.hosts[i].asked);
	free(simulation.hosts);
}

/* What came of it */

/* How long until it is a host's turn again: by its own pace, or by that of all
 * together. */
__attribute__((unused)) static int64_t simulation_turn_ms(void)
{
	const struct simulation_plan *plan = &simulation.plan;
	int64_t own_ms = plan->delay_ms + plan->latency_ms;
	int64_t all_ms =
	    plan->rate ? 1000 * (int64_t)plan->hosts / plan->rate : 0;
	return own_ms > all_ms ? own_ms : all_ms;
}

/* How long it takes where each host is always asked as soon as it may be. */
__attribute__((unused)) static int64_t simulation_ideal_ms(void)
{
	return SIMULATED_LOOK_UP_MS +
	       (int64_t)(simulation.pages + 1) * simulation_turn_ms();
}

#endif
