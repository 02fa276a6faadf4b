#include "explain/inquiring.h"

#include "crawl/host/proxies.h"
#include "names/names.h"

#define NO_CONTACT                                                  \
	"the host is not yours and the policy has no contact: set " \
	"identity.contact"

static void refuse(
    struct pv_inquiry *inquiry, enum pv_reason reason, const char *why)
{
	inquiry->answer->reason = reason;
	pv_inquiry_end(inquiry, PV_INQUIRY_REFUSED, why);
}

/* The host */

/* Its clock stays when it leaves the schedule again, as long as it has
 * something to say. */
static void ask_host(
    struct pv_inquiry *inquiry, const struct pv_name_answer *found)
{
	int64_t now = pv_inquiry_now(inquiry).monotonic_ms;
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
	pv_inquiry_pump(inquiry);
}

void pv_inquiry_leave_host(struct pv_inquiry *inquiry)
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
		pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED, why);
	else
		refuse(inquiry, reason, why);
}

/* By a proxy: by the first, of which it is not known yet how it is. */
static void choose_way(struct pv_inquiry *inquiry)
{
	const struct pv_texts *proxies = &inquiry->manners.manners.proxies;
	struct pv_inquiry_way *way = &inquiry->way;
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
		pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED, found->why);
}

static void go(struct pv_inquiry *inquiry, const struct pv_name_answer *found)
{
	struct pv_inquiry_way *way = &inquiry->way;
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
		pv_inquiry_end(inquiry,
		    has_hop ? PV_INQUIRY_CLOSED : PV_INQUIRY_NO_NAME,
		    found->why);
		break;
	case PV_NAME_FORBIDDEN:
		forbid(inquiry, PV_REASON_PRIVATE, found->why);
		break;
	case PV_NAME_ASKED_AWAY:
		forbid(inquiry, PV_REASON_NEVER, found->why);
		break;
	case PV_NAME_NO_ANSWER:
		pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED, found->why);
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
void pv_inquiry_ask_here(struct pv_inquiry *inquiry)
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
