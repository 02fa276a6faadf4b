#ifndef PAVANE_TESTS_CRAWL_WORLD_H
#define PAVANE_TESTS_CRAWL_WORLD_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
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
#include "sink/sink.h"
#include "store/database.h"
#include "tap.h"
#include "url/url.h"

/* A world for the conductor: names, servers and a sink of the test's own in
 * the place of the rooms that reach out, so that anything may happen in them
 * and at any moment. Its time is simulated (simulated_clock.h): what is awaited
 * comes at once, and a wait is as long as it is wherever the test runs. To be
 * included in one file of a program.
 *
 * The sink's lines are kept as a disk would keep them: what was not committed
 * is cut when it is opened again. Each thing that happens is counted, and the
 * crawl can be asked to stop at any of them.
 */

struct reply {
	enum pv_outcome outcome; /* 0: answered */
	enum pv_stage stage;     /* 0: as the others say */
	uint16_t http_status;    /* 0: none, or 200 where answered */
	const char *location;    /* NULL for none */
	const char *header;      /* another one, "Name: value" */
	const char *type;        /* of the body; NULL: HTML */
	const char *body;
	const char *why; /* it failed; NULL: in no words */
	enum pv_unreached unreached;
	unsigned took_ms;
	bool is_own_fault;
	int disk_error;
	bool is_silent; /* it never ends */
};

#define SLOW_AFTER 2

struct world_name {
	enum pv_name_result result;
	const char *address; /* "10.0.0.1" where it is found */
	int64_t kept_ms;     /* 0: as long as anybody likes */
};

struct world_line {
	char *url;
	enum pv_outcome outcome;
	uint16_t http_status;
	enum pv_reason reason;
	bool is_final;
	bool is_robots;
	bool is_probe;
};

struct world_request {
	char *url;
	int64_t sent_ms; /* of simulated time */
	int64_t end_ms;  /* 0: it did not end */
	bool has_secrets;
	bool has_login;
	struct pv_address address;
};

static struct world {
	/* the test's */
	struct reply (*answer)(const char *url, unsigned nth);
	struct world_name (*look_up)(const char *host, unsigned nth);
	unsigned look_up_ms; /* of a name, from the third time on; 0: one */
	unsigned stop_at;    /* that event, counted from 1; 0: never */
	unsigned stops;      /* how often it is asked to stop then */
	unsigned fail_at;    /* that page cannot be kept, counted from 1 */
	bool is_attended;
	bool is_stepped; /* by a loop of the test (running.h) */
	unsigned steps;
	unsigned progress_ms; /* between two looks at progress; 0: 50 */
	int fail_error;       /* nor can any other, for this; 0: they can */
	void (*before_run)(struct pv_crawl *crawl); /* NULL for nothing */

	struct scratch scratch;
	unsigned descriptors; /* open before */
	struct pv_policy *policy;
	struct pv_crawl *crawl;
	enum pavane_end end;
	uint64_t held_bytes; /* of answers, when crawls had ended */
	unsigned levels[5];  /* lines for people, by their level */
	char last_line[512];
	char warning[512]; /* the last */
	char error[512];   /* the last one of those that are */

	pthread_mutex_t mutex; /* for what follows */
	unsigned events;
	unsigned prepared;
	struct world_line *lines;
	size_t line_count;
	size_t line_size;
	struct world_request *requests;
	size_t request_count;
	size_t request_size;
	char **looked_up;
	size_t look_up_count;
	size_t look_up_size;
	unsigned in_flight;
} world;

/* Something has happened; in any thread. */
static void world_event(void)
{
	pthread_mutex_lock(&world.mutex);
	bool is_it = ++world.events == world.stop_at;
	pthread_mutex_unlock(&world.mutex);
	for (unsigned i = 0; is_it && i < world.stops; i++)
		pv_crawl_stop(world.crawl);
}

static char *world_copy(struct pv_str text)
{
	char *copy = pv_alloc(text.len + 1);
	memcpy(copy, pv_str_bytes(text), text.len);
	return copy;
}

static int64_t world_now(void)
{
	return simulated.now_ms;
}

/* Lets time pass between two runs. */
__attribute__((unused)) static void world_pass(int64_t ms)
{
	simulated.now_ms += ms;
}

/* The hour in UTC, as a Visit-time counts it. */
__attribute__((unused)) static unsigned world_hour(void)
{
	int64_t wall_ms = SIMULATED_BEGAN_WALL_MS + simulated.now_ms;
	return (unsigned)(wall_ms / 3600000 % 24);
}

/* Names */

struct world_look_up {
	struct simulated_event event; /* the first */
	struct pv_names *names;
	struct world_look_up *next;
	char *host;
	pv_name_fn on_answer;
	void *ctx;
	struct pv_name_answer answer;
};

struct pv_names {
	struct world_look_up *all;
	uint32_t count;
};

static struct pv_names *world_create_names(struct uv_loop_s *loop,
    const struct pv_policy *policy, const struct pv_clock_kind *clock_kind,
    const struct pv_clock *clock)
{
	struct pv_names *names = pv_alloc(sizeof(*names));
	(void)loop;
	(void)policy;
	(void)clock_kind;
	(void)clock;
	return names;
}

static void world_add_named(struct pv_names *names, struct pv_str host)
{
	(void)names;
	(void)host;
}

static const struct pv_name_answer *world_get_name(
    struct pv_names *names, struct pv_str host)
{
	(void)names;
	(void)host;
	return NULL;
}

static void world_end_look_up(struct world_look_up *look_up)
{
	struct world_look_up **link = &look_up->names->all;
	while (*link != look_up)
		link = &(*link)->next;
	*link = look_up->next;
	look_up->names->count--;
	simulated_remove(&look_up->event);
	free(look_up->host);
	free(look_up);
}

static void world_on_name(struct simulated_event *event)
{
	struct world_look_up *look_up = (struct world_look_up *)event;
	struct pv_name_answer answer = look_up->answer;
	pv_name_fn on_answer = look_up->on_answer;
	void *ctx = look_up->ctx;
	if (answer.kept_until < INT64_MAX)
		answer.kept_until += simulated.now_ms;
	world_end_look_up(look_up);
	world_event();
	on_answer(ctx, &answer);
}

static unsigned world_count_look_ups(const char *host)
{
	unsigned count = 0;
	for (size_t i = 0; i < world.look_up_count; i++)
		count += strcmp(world.looked_up[i], host) == 0;
	return count;
}

static void world_find_name(
    struct pv_names *names, struct pv_str host, pv_name_fn on_answer, void *ctx)
{
	struct world_look_up *look_up = pv_alloc(sizeof(*look_up));
	look_up->names = names;
	look_up->host = world_copy(host);
	look_up->on_answer = on_answer;
	look_up->ctx = ctx;
	look_up->next = names->all;
	names->all = look_up;
	names->count++;
	struct world_name name = {PV_NAME_FOUND, "10.0.0.1", 0};
	if (world.look_up)
		name = world.look_up(
		    look_up->host, world_count_look_ups(look_up->host));
	*PV_ARRAY_PUSH(world.looked_up, world.look_up_count,
	    world.look_up_size) = world_copy(host);
	look_up->answer = (struct pv_name_answer){
	    .result = name.result,
	    .count = name.address ? 1 : 0,
	    .is_own = true,
	    .kept_until = name.kept_ms ? name.kept_ms : INT64_MAX,
	    .took_ms = 1,
	    .why = "as the test says",
	};
	if (name.address)
		pv_address_read(
		    pv_str_of(name.address), &look_up->answer.addresses[0]);
	bool is_slow = world.look_up_ms &&
		       world_count_look_ups(look_up->host) > SLOW_AFTER;
	simulated_add(
	    &look_up->event, is_slow ? world.look_up_ms : 1, world_on_name);
}

static void world_forget_name(struct pv_names *names, const void *ctx)
{
	struct world_look_up *look_up = names->all;
	while (look_up) {
		struct world_look_up *next = look_up->next;
		if (look_up->ctx == ctx)
			world_end_look_up(look_up);
		look_up = next;
	}
}

static uint32_t world_names_under_way(const struct pv_names *names)
{
	return names->count;
}

static void world_destroy_names(struct pv_names *names)
{
	while (names && names->all)
		world_end_look_up(names->all);
	free(names);
}

/* Servers */

struct pv_fetch {
	unsigned in_flight;
};

struct pv_transfer {
	struct simulated_event event; /* the first */
	struct pv_fetch *fetch;
	struct pv_request request;
	struct reply reply;
	char *texts[3]; /* of the reply */
	size_t number;
	bool is_sent;
};

static struct pv_fetch *world_create_fetch(
    const struct pv_fetch_plan *plan, struct pv_why *why)
{
	(void)plan;
	(void)why;
	return pv_alloc(sizeof(struct pv_fetch));
}

static void world_destroy_fetch(struct pv_fetch *fetch)
{
	if (fetch && fetch->in_flight)
		ok(false, "nothing is in flight any more");
	free(fetch);
}

/* The test may use its memory again for the next answer. */
static void world_keep_texts(struct pv_transfer *flight)
{
	const char **texts[] = {&flight->reply.location, &flight->reply.header,
	    &flight->reply.body};
	for (size_t i = 0; i < 3; i++) {
		if (*texts[i])
			*texts[i] = flight->texts[i] =
			    world_copy(pv_str_of(*texts[i]));
	}
}

static void world_end_flight(struct pv_transfer *flight)
{
	flight->fetch->in_flight--;
	simulated_remove(&flight->event);
	for (size_t i = 0; i < 3; i++)
		free(flight->texts[i]);
	free(flight);
}

static bool world_connects(const struct reply *reply)
{
	return reply->outcome != PV_OUTCOME_NO_CONNECTION;
}

static void world_fill(struct pv_response *response, const struct reply *reply)
{
	bool has_status = reply->outcome == PV_OUTCOME_NONE ||
			  reply->outcome == PV_OUTCOME_ANSWERED ||
			  reply->http_status;
	response->outcome =
	    reply->outcome ? reply->outcome : PV_OUTCOME_ANSWERED;
	response->is_own_fault = reply->is_own_fault;
	response->unreached = reply->unreached;
	if (reply->why)
		pv_response_fail(response, response->outcome, reply->why);
	response->disk_error = reply->disk_error;
	response->stage = reply->stage             ? reply->stage
			  : !world_connects(reply) ? PV_STAGE_CONNECT
			  : has_status             ? PV_STAGE_END
						   : PV_STAGE_WAIT;
	response->times = (struct pv_response_times){-1, 0, 0, 1, 1, 0};
	if (has_status)
		response->http_status =
		    reply->http_status ? reply->http_status : 200;
	pv_headers_add(&response->headers, PV_STR("Content-Type"),
	    pv_str_of(reply->type ? reply->type : "text/html"));
	if (reply->location)
		pv_headers_add(&response->headers, PV_STR("Location"),
		    pv_str_of(reply->location));
	if (reply->header)
		pv_headers_add_line(
		    &response->headers, pv_str_of(reply->header));
	if (reply->body)
		pv_body_append(&response->body, pv_str_of(reply->body));
}

static void world_on_event(struct simulated_event *event)
{
	struct pv_transfer *flight = (struct pv_transfer *)event;
	struct pv_request request = flight->request;
	world_event();
	if (!flight->is_sent && world_connects(&flight->reply)) {
		flight->is_sent = true;
		world.requests[flight->number].sent_ms = world_now();
		if (!flight->reply.is_silent)
			simulated_add(
			    event, flight->reply.took_ms, world_on_event);
		request.on_sent(request.ctx);
		return;
	}
	world.requests[flight->number].end_ms = world_now();
	world_fill(request.response, &flight->reply);
	world_end_flight(flight);
	request.on_end(request.ctx);
}

static unsigned world_count_requests(const char *url)
{
	unsigned count = 0;
	for (size_t i = 0; i < world.request_count; i++)
		count += strcmp(world.requests[i].url, url) == 0;
	return count;
}

static struct pv_transfer *world_start_flight(
    struct pv_fetch *fetch, const struct pv_request *request)
{
	struct pv_transfer *flight = pv_alloc(sizeof(*flight));
	char *url = world_copy(pv_url_page(request->url));
	flight->fetch = fetch;
	flight->request = *request;
	flight->reply = world.answer(url, world_count_requests(url));
	world_keep_texts(flight);
	flight->number = world.request_count;
	*PV_ARRAY_PUSH(world.requests, world.request_count,
	    world.request_size) = (struct world_request){
	    .url = url,
	    .has_secrets = request->has_secrets,
	    .has_login = pv_url_has_credentials(request->url),
	    .address = request->address,
	};
	fetch->in_flight++;
	simulated_add(&flight->event, 0, world_on_event);
	return flight;
}

static void world_cancel_flight(
    struct pv_fetch *fetch, struct pv_transfer *flight)
{
	(void)fetch;
	world_end_flight(flight);
}

static void world_close_idle(struct pv_fetch *fetch)
{
	(void)fetch;
}

static const struct pv_names_kind world_names = {
    .create = world_create_names,
    .destroy = world_destroy_names,
    .add_named = world_add_named,
    .get = world_get_name,
    .find = world_find_name,
    .forget = world_forget_name,
    .count = world_names_under_way,
};

static void world_do_nothing(struct pv_fetch *fetch)
{
	(void)fetch;
}

static const struct pv_fetch_kind world_fetch = {
    .leave = world_do_nothing,
    .hand_on = world_do_nothing,
    .create = world_create_fetch,
    .destroy = world_destroy_fetch,
    .start = world_start_flight,
    .cancel = world_cancel_flight,
    .close_idle = world_close_idle,
};

static const struct pv_environment world_environment = {
    .clock = &simulated_clock,
    .names = &world_names,
    .fetch = &world_fetch,
};

/* The sink */

static struct pv_sink *world_open_sink(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	(void)plan;
	(void)why;
	return (struct pv_sink *)&world;
}

static bool world_recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	(void)sink;
	(void)why;
	while (world.line_count > lengths[0])
		free(world.lines[--world.line_count].url);
	return world.line_count == lengths[0];
}

static bool world_prepare(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	(void)sink;
	(void)part;
	world_event();
	pthread_mutex_lock(&world.mutex);
	bool fails = ++world.prepared == world.fail_at ||
		     (world.fail_error && page->is_kept);
	pthread_mutex_unlock(&world.mutex);
	if (fails)
		snprintf(page->fault, sizeof(page->fault), "as it was asked");
	page->error = world.fail_error;
	return !fails;
}

static bool world_append(
    struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct pv_page *page = entry->page;
	(void)sink;
	world_event();
	pthread_mutex_lock(&world.mutex);
	*PV_ARRAY_PUSH(world.lines, world.line_count, world.line_size) =
	    (struct world_line){
		.url = world_copy(page->visit->url),
		.outcome =
		    page->response ? page->response->outcome : PV_OUTCOME_NONE,
		.http_status = page->response ? page->response->http_status : 0,
		.reason = page->verdict.reason,
		.is_final = entry->is_final,
		.is_robots = page->is_robots,
		.is_probe = page->is_probe,
	    };
	pthread_mutex_unlock(&world.mutex);
	return true;
}

static bool world_sync(struct pv_sink *sink, uint64_t *lengths)
{
	(void)sink;
	pthread_mutex_lock(&world.mutex);
	lengths[0] = world.line_count;
	pthread_mutex_unlock(&world.mutex);
	return true;
}

static void world_close_sink(struct pv_sink *sink)
{
	(void)sink;
}

static const char *const *world_files(const struct pv_sink *sink)
{
	static const char *const names[] = {"world", NULL};
	(void)sink;
	return names;
}

static const struct pv_sink_kind world_sink = {
    .name = "world",
    .files = world_files,
    .open = world_open_sink,
    .recover = world_recover,
    .prepare = world_prepare,
    .append = world_append,
    .sync = world_sync,
    .close = world_close_sink,
};

const struct pv_sink_kind *const pv_sink_kinds[] = {&world_sink};
const size_t pv_sink_kind_count = 1;

/* Runs */

/* What works for longer is ended by a signal. */
#define WORLD_SECONDS 240

/* The rest of a policy: as fast as may be, and with a contact. */
#define WORLD_POLICY                                                \
	"identity: {contact: bot@example.org}\n"                    \
	"rate: {max_rate: 100000, interval: 1s, concurrency: 20}\n" \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 0,\n"    \
	"  backoff: {failure: 5ms, overload: 5ms, factor: 1, max: 1s}}\n"

/* Sitemaps are asked for only where a test wants them. In the place of the policy
 * that there was, which must not be in use. */
static void world_policy(const char *policy)
{
	struct pv_why why;
	struct pv_buf text;
	pv_policy_destroy(world.policy);
	pv_why_init(&why);
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text, policy);
	pv_buf_append_text(&text, WORLD_POLICY);
	world.policy =
	    pv_policy_load_text("policy.yaml", pv_buf_str(&text), &why);
	if (why.problems.count)
		ok(false, "the policy is right: %s", why.problems.kept[0].text);
	else
		world.policy->scope.sitemaps = false;
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

static void world_open(
    struct reply (*answer)(const char *url, unsigned nth), const char *policy)
{
	memset(&world, 0, sizeof(world));
	world.descriptors = descriptors_count();
	pthread_mutex_init(&world.mutex, NULL);
	world.answer = answer;
	scratch_make(&world.scratch);
	world_policy(policy);
}

static void world_on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	world.levels[level]++;
	snprintf(world.last_line, sizeof(world.last_line), "%s", line);
	if (level == PAVANE_WARNING)
		snprintf(world.warning, sizeof(world.warning), "%s", line);
	if (level == PAVANE_ERROR)
		snprintf(world.error, sizeof(world.error), "%s", line);
}

/* By a loop of our own. */
static enum pavane_end world_step(void)
{
	struct pollfd wait = {pv_crawl_fd(world.crawl), POLLIN, 0};
	if (!pv_crawl_start(world.crawl))
		return PAVANE_FAILED;
	do {
		world.steps++;
		poll(&wait, 1, pv_crawl_timeout_ms(world.crawl));
	} while (pv_crawl_step(world.crawl));
	return pv_crawl_progress(world.crawl)->end;
}

/* With PAVANE_STEPS all scenes are stepped through. */
static enum pavane_end world_crawl(void)
{
	if (world.is_stepped || getenv("PAVANE_STEPS"))
		return world_step();
	return pv_crawl_run(world.crawl);
}

/* Begins or goes on; how it ended. */
static enum pavane_end world_run(void)
{
	struct pv_why why;
	struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = world.scratch.path,
	    .level = PAVANE_INFO,
	    .on_line = world_on_line,
	    .progress_ms = world.progress_ms ? world.progress_ms : 50,
	    .is_attended = world.is_attended,
	};
	end_after(WORLD_SECONDS);
	pv_why_init(&why);
	world.events = world.prepared = 0;
	world.crawl =
	    pv_crawl_open(world.policy, &options, &world_environment, &why);
	if (!world.crawl)
		ok(false, "a crawl opens: %s", why.problems.kept[0].text);
	if (world.crawl)
		pv_database_run(
		    world.crawl->store->database, SIMULATED_NO_SYNC);
	if (world.crawl && world.before_run)
		world.before_run(world.crawl);
	world.end = world.crawl ? world_crawl() : PAVANE_FAILED;
	if (world.crawl)
		world.held_bytes += world.crawl->flights.bytes;
	pv_crawl_close(world.crawl);
	world.crawl = NULL;
	pv_why_finish(&why);
	end_after(0);
	return world.end;
}

static void world_forget_requests(void)
{
	for (size_t i = 0; i < world.request_count; i++)
		free(world.requests[i].url);
	world.request_count = 0;
}

static void world_close(void)
{
	world_forget_requests();
	for (size_t i = 0; i < world.line_count; i++)
		free(world.lines[i].url);
	for (size_t i = 0; i < world.look_up_count; i++)
		free(world.looked_up[i]);
	free(world.requests);
	free(world.lines);
	free(world.looked_up);
	pv_policy_destroy(world.policy);
	scratch_remove(&world.scratch);
	pthread_mutex_destroy(&world.mutex);
	if (!ok(world.held_bytes == 0, "P5: no crawl holds what has ended"))
		printf("# %llu bytes\n", (unsigned long long)world.held_bytes);
	descriptors_claim(world.descriptors);
}

/* What came of it */

/* The number that SQL gives, of what is committed. */
__attribute__((unused)) static int64_t world_number(const char *sql)
{
	struct pv_database *database =
	    pv_database_look(scratch_file(&world.scratch, "state.db"));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK)
		printf("# %s: %s\n", sql, pv_database_fault(database));
	pv_database_close(database);
	return number;
}

/* The final line of an address; NULL if it has none, or more than one. */
__attribute__((unused)) static const struct world_line *world_final(
    const char *url)
{
	const struct world_line *found = NULL;
	for (size_t i = 0; i < world.line_count; i++) {
		const struct world_line *line = &world.lines[i];
		if (!line->is_final || line->is_robots ||
		    strcmp(line->url, url) != 0)
			continue;
		if (found)
			return NULL;
		found = line;
	}
	return found;
}

/* When it was asked for, the so-manieth time (from 0); negative if it was
 * not. */
__attribute__((unused)) static int64_t world_sent_at(
    const char *url, unsigned nth)
{
	for (size_t i = 0; i < world.request_count; i++) {
		if (strcmp(world.requests[i].url, url) == 0 && !nth--)
			return world.requests[i].sent_ms;
	}
	return -1;
}

/* How many final lines there are. */
__attribute__((unused)) static size_t world_finals(void)
{
	size_t count = 0;
	for (size_t i = 0; i < world.line_count; i++)
		count += world.lines[i].is_final && !world.lines[i].is_robots;
	return count;
}

/* A sum over all addresses and what came of them, whatever the order. */
__attribute__((unused)) static uint64_t world_sum(void)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < world.line_count; i++) {
		const struct world_line *line = &world.lines[i];
		struct pv_hash_key key = {
		    {line->outcome * 1000 + line->http_status, line->reason}};
		if (line->is_final && !line->is_robots)
			sum += pv_hash(&key, pv_str_of(line->url));
	}
	return sum;
}

/* P3: each address that is known has one end, and one final line. */
__attribute__((unused)) static bool world_is_settled(void)
{
	int64_t known = world_number("SELECT count(*) FROM addresses");
	int64_t open =
	    world_number("SELECT count(*) FROM addresses WHERE state < 2");
	int64_t held =
	    world_number("SELECT count(*) FROM hosts WHERE state = 'held'");
	bool is_settled = !open && !held && (int64_t)world_finals() == known;
	if (!is_settled)
		printf("# %lld known, %lld open, %zu final lines, "
		       "%lld hosts held\n",
		    (long long)known, (long long)open, world_finals(),
		    (long long)held);
	return is_settled;
}

#endif
