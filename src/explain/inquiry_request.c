#include "explain/inquiring.h"

#include "crawl/visit/outcome.h"
#include "fetch/fetch.h"
#include "policy/secrets/secret.h"
#include "robots/robots.h"
#include "schedule/scheduler.h"

/* Nobody waits longer at a terminal for one clock. */
#define PATIENCE_MS 60000

/* So many bytes count of what is being asked now. */
static size_t ceiling_of(const struct pv_inquiry *inquiry)
{
	return inquiry->page ? inquiry->page->bytes_max : PV_ROBOTS_BYTES;
}

/* The request */

static void on_sent(void *ctx)
{
	struct pv_inquiry *inquiry = ctx;
	pv_schedule_sent(inquiry->schedule, inquiry->flight,
	    pv_inquiry_now(inquiry).monotonic_ms + 1);
}

static void on_end(void *ctx)
{
	struct pv_inquiry *inquiry = ctx;
	struct pv_time now = pv_inquiry_now(inquiry);
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
	pv_inquiry_leave_host(inquiry);
	pv_body_init(&body, inquiry->spill, ceiling_of(inquiry));
	pv_inquiry_judge(inquiry, &decoding);
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

/* Its time */

static void wait_until(struct pv_inquiry *inquiry, int64_t wake)
{
	struct pv_time now = pv_inquiry_now(inquiry);
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
	pv_inquiry_leave_host(inquiry);
	pv_inquiry_end(inquiry, PV_INQUIRY_PUT_OFF, pv_wait_text(wait.reason));
}

void pv_inquiry_pump(struct pv_inquiry *inquiry)
{
	struct pv_release release;
	struct pv_time now = pv_inquiry_now(inquiry);
	if (pv_scheduler_wake(inquiry->schedule, now, &release, 1) == 0) {
		wait_until(inquiry, pv_scheduler_next_wake(
					inquiry->schedule, now.monotonic_ms));
		return;
	}
	inquiry->flight = release.flight;
	fetch(inquiry);
}
