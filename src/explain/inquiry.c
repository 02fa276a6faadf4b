#include "explain/inquiry.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/system.h"
#include "base/why.h"
#include "crawl/environment.h"
#include "crawl/host/proxies.h"
#include "crawl/visit/outcome.h"
#include "fetch/fetch.h"
#include "http/status.h"
#include "loop/clock.h"
#include "names/names.h"
#include "policy/policy.h"
#include "policy/secrets/secret.h"
#include "policy/secrets/users.h"
#include "policy/seed_walk.h"
#include "policy/values/host_pattern.h"
#include "reading/decoding.h"
#include "robots/access.h"
#include "robots/robots.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"
#include "scope/ports.h"
#include "url/url.h"

#define URL_MAX PV_SEED_ADDRESS_MAX

/* Nobody waits longer at a terminal for one clock. */
#define PATIENCE_MS 60000

#define NO_CONTACT                                                  \
	"the host is not yours and the policy has no contact: set " \
	"identity.contact"

/* An authority that was asked. */
struct known_authority {
	struct pv_buf text;
	struct pv_inquiry_answer answer;
};

/* The proxy by which a host is asked; empty for none. */
struct way {
	struct pv_buf address;
	struct pv_buf name;
	struct pv_buf host;
	uint16_t port;
};

struct pv_inquiry {
	const struct pv_policy *policy;
	uv_loop_t loop;
	struct pv_environment around;
	struct pv_clock *clock;
	struct pv_names *names;
	struct pv_fetch *fetch;
	struct pv_schedule *schedule;
	struct pv_scope_ports ports;
	const char *spill; /* directory for large bodies */
	struct known_authority **authorities;
	size_t authority_count;
	size_t authority_size;

	/* what is being asked now */
	struct pv_inquiry_answer *answer;
	const struct pv_page_question *page; /* NULL: a robots.txt */
	struct pv_url url;
	struct pv_host_manners manners; /* that the url's host is owed */
	struct pv_schedule_host *host;  /* while it is to be asked */
	struct pv_address address;
	uint16_t port;
	struct way way;
	struct pv_resolve_table resolve;
	struct pv_response response;
	uint32_t flight;
	struct pv_users users;       /* of the domain table */
	struct pv_named_seeds seeds; /* what of the url was named */
	bool is_done;
};

/* Of what is being asked now. */
static size_t ceiling_of(const struct pv_inquiry *inquiry)
{
	return inquiry->page ? inquiry->page->bytes_max : PV_ROBOTS_BYTES;
}

static void pump(struct pv_inquiry *inquiry);
static void ask_here(struct pv_inquiry *inquiry);
static void leave_host(struct pv_inquiry *inquiry);

static struct pv_time now_of(const struct pv_inquiry *inquiry)
{
	return inquiry->around.clock->now(inquiry->clock);
}

static void end(
    struct pv_inquiry *inquiry, enum pv_inquiry_result result, const char *why)
{
	inquiry->answer->result = result;
	if (why != inquiry->answer->why)
		snprintf(inquiry->answer->why, sizeof(inquiry->answer->why),
		    "%s", why);
	inquiry->is_done = true;
}

static void refuse(
    struct pv_inquiry *inquiry, enum pv_reason reason, const char *why)
{
	inquiry->answer->reason = reason;
	end(inquiry, PV_INQUIRY_REFUSED, why);
}

/* The answer */

/* Asks on where the answer lies instead; a hop to who may not be asked leaves
 * it unreachable. */
static void follow(struct pv_inquiry *inquiry)
{
	struct pv_url next;
	struct pv_str location =
	    pv_headers_get(&inquiry->response.headers, PV_STR("Location"));
	pv_url_init(&next, URL_MAX);
	if (location.ptr &&
	    pv_url_join(&next, &inquiry->url, location, NULL) == PV_URL_OK) {
		inquiry->answer->redirects++;
		pv_url_parse(&inquiry->url, pv_url_page(&next));
		ask_here(inquiry);
	} else {
		end(inquiry, PV_INQUIRY_CLOSED,
		    "it is redirected to something that is not a web address");
	}
	pv_url_finish(&next);
}

static void take_text(
    struct pv_inquiry *inquiry, const struct pv_decoding *decoding)
{
	struct pv_buf *text = &inquiry->answer->text;
	inquiry->answer->is_cut =
	    inquiry->response.outcome == PV_OUTCOME_TOO_LARGE;
	pv_buf_append(text, decoding->text);
	end(inquiry, PV_INQUIRY_RULES, inquiry->response.why);
}

static void close_for(struct pv_inquiry *inquiry)
{
	const struct pv_response *response = &inquiry->response;
	char status[40];
	snprintf(status, sizeof(status), "answered %u",
	    (unsigned)response->http_status);
	end(inquiry, PV_INQUIRY_CLOSED,
	    response->why[0] ? response->why : status);
}

/* As a crawl reads it (robots_gate.c): of what is too large the beginning. */
static void judge(struct pv_inquiry *inquiry, struct pv_decoding *decoding)
{
	struct pv_response *response = &inquiry->response;
	pv_decoding_undo(decoding);
	bool is_beginning = response->outcome == PV_OUTCOME_TOO_LARGE &&
			    response->stage >= PV_STAGE_BODY;
	bool is_answered =
	    response->outcome == PV_OUTCOME_ANSWERED || is_beginning;
	int status =
	    is_answered && !decoding->error ? response->http_status : 0;
	inquiry->answer->http_status = response->http_status;
	switch (pv_robots_access(status, inquiry->answer->redirects)) {
	case PV_ROBOTS_READ_IT:
		take_text(inquiry, decoding);
		break;
	case PV_ROBOTS_ELSEWHERE:
		follow(inquiry);
		break;
	case PV_ROBOTS_ALL_ALLOWED:
		end(inquiry, PV_INQUIRY_OPEN, "");
		break;
	case PV_ROBOTS_ALL_FORBIDDEN:
		close_for(inquiry);
		break;
	}
}

/* Where a page lies instead is for the caller to ask. */
static void note_moved(struct pv_inquiry *inquiry)
{
	struct pv_buf *moved_to = &inquiry->answer->url;
	struct pv_url next;
	struct pv_str location =
	    pv_headers_get(&inquiry->response.headers, PV_STR("Location"));
	pv_url_init(&next, URL_MAX);
	if (location.ptr &&
	    pv_url_join(&next, &inquiry->url, location, NULL) == PV_URL_OK) {
		pv_buf_clear(moved_to);
		pv_buf_append(moved_to, pv_url_page(&next));
		end(inquiry, PV_INQUIRY_MOVED, "");
	} else {
		end(inquiry, PV_INQUIRY_CLOSED,
		    "it is redirected to something that is not a web address");
	}
	pv_url_finish(&next);
}

static void judge_page(struct pv_inquiry *inquiry, struct pv_decoding *decoding)
{
	struct pv_response *response = &inquiry->response;
	pv_decoding_undo(decoding);
	bool is_beginning = response->outcome == PV_OUTCOME_TOO_LARGE &&
			    response->stage >= PV_STAGE_BODY;
	bool is_whole = response->outcome == PV_OUTCOME_ANSWERED;
	int status = response->http_status;
	inquiry->answer->http_status = response->http_status;
	if (is_whole && pv_http_is_redirect(status))
		note_moved(inquiry);
	else if ((is_whole || is_beginning) && !decoding->error &&
		 pv_http_class(status) == PV_HTTP_SUCCESS)
		take_text(inquiry, decoding);
	else
		close_for(inquiry);
}

/* The wire */

static void on_sent(void *ctx)
{
	struct pv_inquiry *inquiry = ctx;
	pv_schedule_sent(inquiry->schedule, inquiry->flight,
	    now_of(inquiry).monotonic_ms + 1);
}

static void on_end(void *ctx)
{
	struct pv_inquiry *inquiry = ctx;
	struct pv_time now = now_of(inquiry);
	struct pv_visit_end ended =
	    pv_visit_outcome_end(&inquiry->response, now.wall_ms);
	struct pv_body body;
	struct pv_decoding decoding = {
	    .response = &inquiry->response,
	    .body = &body,
	    .path = pv_url_path(&inquiry->url),
	    .is_robots = !inquiry->page,
	};
	pv_schedule_ended(
	    inquiry->schedule, inquiry->flight, &ended, now.monotonic_ms + 1);
	leave_host(inquiry);
	pv_body_init(&body, inquiry->spill, ceiling_of(inquiry));
	if (inquiry->page)
		judge_page(inquiry, &decoding);
	else
		judge(inquiry, &decoding);
	pv_body_finish(&body);
}

static void fetch(struct pv_inquiry *inquiry)
{
	struct pv_request request = {
	    .url = &inquiry->url,
	    .address = inquiry->address,
	    .port = inquiry->port ? inquiry->port : pv_url_port(&inquiry->url),
	    .has_secrets = inquiry->seeds.has_authority,
	    .is_any_type = true,
	    .is_beginning_enough = true,
	    .is_tls_verified = inquiry->manners.manners.tls_verify,
	    .tls_ca = inquiry->manners.manners.tls_ca,
	    .response = &inquiry->response,
	    .on_sent = on_sent,
	    .on_end = on_end,
	    .ctx = inquiry,
	};
	if (pv_domain_secrets_reach(&inquiry->seeds, &inquiry->url)) {
		const struct pv_manners *said = &inquiry->manners.manners;
		request.headers = said->headers;
		request.authorization = pv_users_find(
		    &inquiry->users, said->user, inquiry->manners.host);
	}
	if (inquiry->way.address.len) {
		request.proxy = pv_buf_text(&inquiry->way.address);
		request.proxy_name = pv_buf_text(&inquiry->way.name);
	}
	pv_response_clear(&inquiry->response, ceiling_of(inquiry));
	inquiry->around.fetch->start(inquiry->fetch, &request);
}

/* The clocks */

static void on_wake(void *ctx)
{
	pump(ctx);
}

static void wait_until(struct pv_inquiry *inquiry, int64_t wake)
{
	struct pv_time now = now_of(inquiry);
	int64_t wait_ms = wake - now.monotonic_ms;
	struct pv_wait wait =
	    pv_schedule_host_wait(inquiry->schedule, inquiry->host, now);
	if (wait_ms <= PATIENCE_MS) {
		inquiry->around.clock->wake_in(
		    inquiry->clock, wait_ms > 0 ? wait_ms : 0, false);
		return;
	}
	inquiry->answer->until_wall_ms =
	    wake == PV_NEVER ? INT64_MAX : now.wall_ms + wait_ms;
	leave_host(inquiry);
	end(inquiry, PV_INQUIRY_PUT_OFF, pv_wait_text(wait.reason));
}

static void pump(struct pv_inquiry *inquiry)
{
	struct pv_release release;
	struct pv_time now = now_of(inquiry);
	if (pv_scheduler_wake(inquiry->schedule, now, &release, 1) == 0) {
		wait_until(inquiry, pv_scheduler_next_wake(
					inquiry->schedule, now.monotonic_ms));
		return;
	}
	inquiry->flight = release.flight;
	fetch(inquiry);
}

/* Hosts */

/* Its clock stays when it leaves the schedule again, as long as it has
 * something to say. */
static void ask_host(
    struct pv_inquiry *inquiry, const struct pv_name_answer *found)
{
	int64_t now = now_of(inquiry).monotonic_ms;
	inquiry->address = found->addresses[0];
	inquiry->port = found->port;
	if (!inquiry->way.address.len)
		pv_policy_manners(inquiry->policy,
		    pv_host_name_trim(pv_url_host(&inquiry->url)),
		    &inquiry->address, &inquiry->manners);
	const struct pv_host_plan plan = {
	    .clock = inquiry->manners.clock,
	    .address = &inquiry->address,
	    .manners = &inquiry->manners.manners,
	    .ctx = inquiry,
	};
	inquiry->host = pv_schedule_host_add(inquiry->schedule, &plan, now);
	if (inquiry->page)
		pv_schedule_host_crawl_delay(inquiry->schedule, inquiry->host,
		    inquiry->page->crawl_delay_ms);
	pv_schedule_push_first(inquiry->schedule, inquiry->host, 1, now);
	pump(inquiry);
}

static void leave_host(struct pv_inquiry *inquiry)
{
	pv_schedule_host_remove(inquiry->schedule, inquiry->host);
	inquiry->host = NULL;
}

/* A redirect that leads to who may not be asked is as good as no answer; only
 * of the first host does it say that nothing at all may be asked. */
static void forbid(
    struct pv_inquiry *inquiry, enum pv_reason reason, const char *why)
{
	if (inquiry->answer->redirects)
		end(inquiry, PV_INQUIRY_CLOSED, why);
	else
		refuse(inquiry, reason, why);
}

/* By a proxy: by the first, of which it is not known yet how it is. */
static void choose_way(struct pv_inquiry *inquiry)
{
	const struct pv_texts *proxies = &inquiry->manners.manners.proxies;
	struct way *way = &inquiry->way;
	struct pv_proxy_form form;
	struct pv_str unset;
	pv_buf_clear(&way->address);
	pv_buf_clear(&way->name);
	pv_buf_clear(&way->host);
	if (!proxies->count)
		return;
	pv_proxy_form_read(pv_str_of(proxies->items[0]), &form, &way->host);
	pv_proxy_form_write(
	    &form, pv_buf_str(&way->host), &way->address, &unset);
	pv_proxy_form_write_open(&form, pv_buf_str(&way->host), &way->name);
	way->port = form.port;
	inquiry->around.names->add_named(
	    inquiry->names, pv_buf_str(&way->host));
}

static void on_way(void *ctx, const struct pv_name_answer *found)
{
	struct pv_inquiry *inquiry = ctx;
	struct pv_name_answer way = *found;
	way.port = inquiry->way.port;
	if (found->result == PV_NAME_FOUND)
		ask_host(inquiry, &way);
	else
		end(inquiry, PV_INQUIRY_CLOSED, found->why);
}

static void go(struct pv_inquiry *inquiry, const struct pv_name_answer *found)
{
	struct way *way = &inquiry->way;
	if (way->address.len)
		inquiry->around.names->find(
		    inquiry->names, pv_buf_str(&way->host), on_way, inquiry);
	else
		ask_host(inquiry, found);
}

static void on_name(void *ctx, const struct pv_name_answer *found)
{
	struct pv_inquiry *inquiry = ctx;
	bool has_hop = inquiry->answer->redirects > 0;
	switch (found->result) {
	case PV_NAME_FOUND:
		if (found->is_own || inquiry->policy->identity.contact)
			go(inquiry, found);
		else
			forbid(inquiry, PV_REASON_CONTACT, NO_CONTACT);
		break;
	case PV_NAME_UNKNOWN:
		end(inquiry, has_hop ? PV_INQUIRY_CLOSED : PV_INQUIRY_NO_NAME,
		    found->why);
		break;
	case PV_NAME_FORBIDDEN:
		forbid(inquiry, PV_REASON_PRIVATE, found->why);
		break;
	case PV_NAME_ASKED_AWAY:
		forbid(inquiry, PV_REASON_NEVER, found->why);
		break;
	case PV_NAME_NO_ANSWER:
		end(inquiry, PV_INQUIRY_CLOSED, found->why);
		break;
	}
}

static void look_up(struct pv_inquiry *inquiry, struct pv_str host)
{
	struct pv_address address;
	pv_policy_manners(inquiry->policy, host,
	    pv_host_literal(host, &address), &inquiry->manners);
	choose_way(inquiry);
	bool is_left = pv_proxies_find_host(
	    &inquiry->manners.manners, &inquiry->resolve, host);
	if (is_left && inquiry->policy->identity.contact)
		go(inquiry, NULL);
	else if (is_left)
		forbid(inquiry, PV_REASON_CONTACT, NO_CONTACT);
	else
		inquiry->around.names->find(
		    inquiry->names, host, on_name, inquiry);
}

/* Asks for what the url says. */
static void ask_here(struct pv_inquiry *inquiry)
{
	struct pv_str host = pv_host_name_trim(pv_url_host(&inquiry->url));
	pv_buf_clear(&inquiry->answer->url);
	pv_buf_append(&inquiry->answer->url, pv_url_page(&inquiry->url));
	if (pv_never_find(
		&inquiry->policy->never, host, pv_url_address(&inquiry->url))) {
		forbid(inquiry, PV_REASON_NEVER,
		    "its owner does not want to be crawled (never.txt)");
		return;
	}
	inquiry->seeds = pv_named_seeds_find(inquiry->policy, &inquiry->url);
	if (!inquiry->seeds.has_authority &&
	    pv_scope_ports_refuse(&inquiry->ports, &inquiry->url)) {
		forbid(inquiry, PV_REASON_PORT,
		    "its port belongs to another protocol, and the policy "
		    "does not name it");
		return;
	}
	if (inquiry->seeds.has_host)
		inquiry->around.names->add_named(inquiry->names, host);
	look_up(inquiry, host);
}

/* Asking */

void pv_inquiry_answer_init(struct pv_inquiry_answer *answer, size_t bytes_max)
{
	*answer = (struct pv_inquiry_answer){.result = PV_INQUIRY_CLOSED};
	pv_buf_init(&answer->url, URL_MAX);
	pv_buf_init(&answer->text, bytes_max);
}

void pv_inquiry_answer_finish(struct pv_inquiry_answer *answer)
{
	pv_buf_finish(&answer->url);
	pv_buf_finish(&answer->text);
}

static struct known_authority *find_authority(
    struct pv_inquiry *inquiry, struct pv_str text)
{
	for (size_t i = 0; i < inquiry->authority_count; i++) {
		struct known_authority *known = inquiry->authorities[i];
		if (pv_str_equal(pv_buf_str(&known->text), text))
			return known;
	}
	return NULL;
}

static struct known_authority *add_authority(
    struct pv_inquiry *inquiry, struct pv_str text)
{
	struct known_authority *known = pv_alloc(sizeof(*known));
	pv_buf_init(&known->text, URL_MAX);
	pv_inquiry_answer_init(&known->answer, PV_ROBOTS_BYTES);
	pv_buf_append(&known->text, text);
	*PV_ARRAY_PUSH(inquiry->authorities, inquiry->authority_count,
	    inquiry->authority_size) = known;
	return known;
}

/* Until it is answered. */
static void ask(struct pv_inquiry *inquiry, struct pv_str url,
    struct pv_inquiry_answer *answer)
{
	inquiry->answer = answer;
	inquiry->is_done = false;
	pv_url_parse(&inquiry->url, url);
	ask_here(inquiry);
	while (!inquiry->is_done) {
		if (!uv_run(&inquiry->loop, UV_RUN_ONCE) && !inquiry->is_done)
			end(inquiry, PV_INQUIRY_CLOSED, "there was no answer");
	}
}

static void ask_for_robots(
    struct pv_inquiry *inquiry, struct known_authority *known)
{
	struct pv_buf url;
	pv_buf_init(&url, URL_MAX);
	pv_buf_append(&url, pv_buf_str(&known->text));
	pv_buf_append_text(&url, "/robots.txt");
	inquiry->page = NULL;
	ask(inquiry, pv_buf_str(&url), &known->answer);
	pv_buf_finish(&url);
}

const struct pv_inquiry_answer *pv_inquiry_ask(
    struct pv_inquiry *inquiry, const struct pv_url *url)
{
	struct pv_buf text;
	pv_buf_init(&text, URL_MAX);
	pv_url_write_authority(url, &text);
	struct known_authority *known =
	    find_authority(inquiry, pv_buf_str(&text));
	if (!known) {
		known = add_authority(inquiry, pv_buf_str(&text));
		ask_for_robots(inquiry, known);
	}
	pv_buf_finish(&text);
	return &known->answer;
}

void pv_inquiry_ask_page(struct pv_inquiry *inquiry, const struct pv_url *url,
    const struct pv_page_question *question, struct pv_inquiry_answer *answer)
{
	pv_buf_clear(&answer->text);
	inquiry->page = question;
	ask(inquiry, pv_url_page(url), answer);
	inquiry->page = NULL;
}

const struct pv_headers *pv_inquiry_headers(const struct pv_inquiry *inquiry)
{
	return &inquiry->response.headers;
}

/* Life */

static bool begin_loop(uv_loop_t *loop, struct pv_why *why)
{
	if (!pv_descriptors_check(why))
		return false;
	int error = uv_loop_init(loop);
	if (error)
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "cannot set up the event loop: %s", uv_strerror(error));
	return !error;
}

struct pv_inquiry *pv_inquiry_create(const struct pv_policy *policy,
    const struct pv_environment *around, struct pv_why *why)
{
	struct pv_inquiry *inquiry = pv_alloc(sizeof(*inquiry));
	if (!begin_loop(&inquiry->loop, why)) {
		free(inquiry);
		return NULL;
	}
	inquiry->around = *around;
	inquiry->clock =
	    around->clock->create(&inquiry->loop, on_wake, inquiry);
	const char *spill = getenv("TMPDIR");
	int64_t now = now_of(inquiry).monotonic_ms;
	const struct pv_schedule_plan plan = {
	    .rate = &policy->rate,
	    .seed = (uint64_t)now,
	    .environment = getenv("TZ"),
	};
	inquiry->policy = policy;
	inquiry->spill = spill && spill[0] ? spill : "/tmp";
	pv_scope_ports_init(&inquiry->ports, policy);
	pv_url_init(&inquiry->url, URL_MAX);
	pv_response_init(&inquiry->response, inquiry->spill, PV_ROBOTS_BYTES);
	inquiry->schedule = pv_schedule_create(&plan, now);
	inquiry->names = around->names->create(
	    &inquiry->loop, policy, around->clock, inquiry->clock);
	inquiry->fetch = around->fetch->create(
	    &(struct pv_fetch_plan){.loop = &inquiry->loop, .policy = policy},
	    why);
	pv_users_init(&inquiry->users);
	pv_resolve_table_init(&inquiry->resolve, &policy->fetch.resolve);
	pv_buf_init(&inquiry->way.address, SIZE_MAX);
	pv_buf_init(&inquiry->way.name, SIZE_MAX);
	pv_buf_init(&inquiry->way.host, SIZE_MAX);
	if (inquiry->fetch && pv_users_read(&inquiry->users, policy, true, why))
		return inquiry;
	pv_inquiry_destroy(inquiry);
	return NULL;
}

static void drop_known(struct pv_inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->authority_count; i++) {
		struct known_authority *known = inquiry->authorities[i];
		pv_buf_finish(&known->text);
		pv_inquiry_answer_finish(&known->answer);
		free(known);
	}
	free(inquiry->authorities);
}

void pv_inquiry_destroy(struct pv_inquiry *inquiry)
{
	if (!inquiry)
		return;
	inquiry->around.names->destroy(inquiry->names);
	inquiry->around.fetch->destroy(inquiry->fetch);
	inquiry->around.clock->destroy(inquiry->clock);
	uv_run(&inquiry->loop, UV_RUN_DEFAULT);
	uv_loop_close(&inquiry->loop);
	pv_schedule_destroy(inquiry->schedule);
	pv_users_finish(&inquiry->users);
	pv_resolve_table_finish(&inquiry->resolve);
	pv_buf_finish(&inquiry->way.address);
	pv_buf_finish(&inquiry->way.name);
	pv_buf_finish(&inquiry->way.host);
	drop_known(inquiry);
	pv_scope_ports_finish(&inquiry->ports);
	pv_response_finish(&inquiry->response);
	pv_url_finish(&inquiry->url);
	free(inquiry);
}
