#ifndef PAVANE_EXPLAIN_INQUIRING_H
#define PAVANE_EXPLAIN_INQUIRING_H

#include <uv.h>

#include "crawl/environment.h"
#include "explain/inquiry.h"
#include "loop/clock.h"
#include "policy/policy.h"
#include "policy/secrets/users.h"
#include "policy/seed_walk.h"
#include "policy/values/host_pattern.h"
#include "reading/decoding.h"
#include "schedule/schedule_host.h"
#include "scope/ports.h"
#include "url/url.h"

/* An inquiry from within, for its parts, of which each leads to the next: whom
 * to ask (inquiry_hosts.c), when, and the request (inquiry_request.c), and what
 * came of it (inquiry_answer.c), which may be that somebody else is to be
 * asked. All of it is one thread's.
 */
#define PV_INQUIRY_URL_MAX PV_SEED_ADDRESS_MAX

struct pv_known_authority;

/* The proxy by which a host is asked; empty for none. */
struct pv_inquiry_way {
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
	struct pv_known_authority **authorities;
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
	struct pv_inquiry_way way;
	struct pv_resolve_table resolve;
	struct pv_response response;
	uint32_t flight;
	struct pv_users users;       /* of the domain table */
	struct pv_named_seeds seeds; /* what of the url was named */
	bool is_done;
};

static inline struct pv_time pv_inquiry_now(const struct pv_inquiry *inquiry)
{
	return inquiry->around.clock->now(inquiry->clock);
}

/* It is over, with that result. */
void pv_inquiry_end(
    struct pv_inquiry *inquiry, enum pv_inquiry_result result, const char *why);

/* Asks for what the url says. */
void pv_inquiry_ask_here(struct pv_inquiry *inquiry);

/* The host leaves the schedule; its clock stays as long as it has something to
 * say. */
void pv_inquiry_leave_host(struct pv_inquiry *inquiry);

/* Asks the host once its time has come, and puts it off if that is far away. */
void pv_inquiry_pump(struct pv_inquiry *inquiry);

/* Judges what came, by its kind. */
void pv_inquiry_judge(struct pv_inquiry *inquiry, struct pv_decoding *decoding);

#endif
