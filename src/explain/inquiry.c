#include "explain/inquiry.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/system.h"
#include "base/why.h"
#include "explain/inquiring.h"
#include "fetch/fetch.h"
#include "names/names.h"
#include "robots/robots.h"
#include "schedule/scheduler.h"

/* An authority that was asked. */
struct pv_known_authority {
	struct pv_buf text;
	struct pv_inquiry_answer answer;
};

/* Asking */

static struct pv_known_authority *find_authority(
    struct pv_inquiry *inquiry, struct pv_str text)
{
	for (size_t i = 0; i < inquiry->authority_count; i++) {
		struct pv_known_authority *known = inquiry->authorities[i];
		if (pv_str_equal(pv_buf_str(&known->text), text))
			return known;
	}
	return NULL;
}

static struct pv_known_authority *add_authority(
    struct pv_inquiry *inquiry, struct pv_str text)
{
	struct pv_known_authority *known = pv_alloc(sizeof(*known));
	pv_buf_init(&known->text, PV_INQUIRY_URL_MAX);
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
	pv_inquiry_ask_here(inquiry);
	while (!inquiry->is_done) {
		if (!uv_run(&inquiry->loop, UV_RUN_ONCE) && !inquiry->is_done)
			pv_inquiry_end(
			    inquiry, PV_INQUIRY_CLOSED, "there was no answer");
	}
}

static void ask_for_robots(
    struct pv_inquiry *inquiry, struct pv_known_authority *known)
{
	struct pv_buf url;
	pv_buf_init(&url, PV_INQUIRY_URL_MAX);
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
	pv_buf_init(&text, PV_INQUIRY_URL_MAX);
	pv_url_write_authority(url, &text);
	struct pv_known_authority *known =
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

static void on_wake(void *ctx)
{
	pv_inquiry_pump(ctx);
}

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
	int64_t now = pv_inquiry_now(inquiry).monotonic_ms;
	const struct pv_schedule_plan plan = {
	    .rate = &policy->rate,
	    .seed = (uint64_t)now,
	    .environment = getenv("TZ"),
	};
	inquiry->policy = policy;
	inquiry->spill = spill && spill[0] ? spill : "/tmp";
	pv_scope_ports_init(&inquiry->ports, policy);
	pv_url_init(&inquiry->url, PV_INQUIRY_URL_MAX);
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
		struct pv_known_authority *known = inquiry->authorities[i];
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
