#include "trial/asked_page.h"

#include "policy/identity.h"
#include "policy/policy.h"
#include "policy/seeds.h"
#include "robots/matcher.h"
#include "robots/robots.h"

/* So many redirects are followed. */
#define HOPS_MAX 5

struct asking {
	struct pv_asked_page *page;
	const struct pv_asked_plan *plan;
	struct pv_page_question question;
	struct pv_why *why;
};

/* Where a host begins, or the page itself. */
static bool refuse(
    const struct asking *asking, const char *what, const char *reason)
{
	pv_why_add(asking->why, (struct pv_place){0}, PV_STR(""), "%.*s: %s%s",
	    PV_STR_ARG(pv_url_page(&asking->page->url)), what, reason);
	return false;
}

/* Robots.txt */

static bool is_shut(
    const struct asking *asking, const struct pv_robots_matcher *matcher)
{
	struct pv_robots_day day = {{false}};
	int64_t minute = asking->plan->wall_ms / 60000 % PV_ROBOTS_DAY_MINUTES;
	pv_robots_shut(matcher, &day);
	return day.is_shut[minute];
}

static bool is_allowed(
    struct asking *asking, const struct pv_robots_matcher *matcher)
{
	struct pv_robots_decision decision =
	    pv_robots_decide(matcher, pv_url_target(&asking->page->url));
	asking->question.crawl_delay_ms = pv_robots_delay_ms(matcher);
	if (!decision.is_allowed) {
		pv_why_add(asking->why, (struct pv_place){0}, PV_STR(""),
		    "%.*s: robots.txt forbids it by line %u: %.*s",
		    PV_STR_ARG(pv_url_page(&asking->page->url)),
		    (unsigned)decision.number, PV_STR_ARG(decision.line));
		return false;
	}
	if (is_shut(asking, matcher))
		return refuse(
		    asking, "robots.txt asks for visits at other hours", "");
	return true;
}

static bool obey(struct asking *asking, const struct pv_inquiry_answer *robots)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *rules = pv_robots_create(
	    pv_buf_str(&robots->text), robots->is_cut, &ceilings, NULL);
	struct pv_robots_matcher *matcher = pv_robots_matcher_create(
	    rules, pv_identity_product(&asking->plan->policy->identity));
	bool may_ask = is_allowed(asking, matcher);
	pv_robots_matcher_destroy(matcher);
	pv_robots_destroy(rules);
	return may_ask;
}

static bool may_ask(struct asking *asking)
{
	struct pv_asked_page *page = asking->page;
	struct pv_host_manners manners;
	asking->question.crawl_delay_ms = 0;
	pv_policy_manners(asking->plan->policy, pv_url_host(&page->url),
	    pv_url_address(&page->url), &manners);
	if (manners.manners.robots == PV_ROBOTS_IGNORE)
		return true;
	const struct pv_inquiry_answer *robots =
	    pv_inquiry_ask(page->inquiry, &page->url);
	switch (robots->result) {
	case PV_INQUIRY_RULES:
		return obey(asking, robots);
	case PV_INQUIRY_OPEN:
		return true;
	case PV_INQUIRY_CLOSED:
		return refuse(asking,
		    "robots.txt cannot be fetched, so no page may be "
		    "fetched: ",
		    robots->why);
	default:
		return refuse(asking, "not requested: ", robots->why);
	}
}

/* The page */

enum hop {
	HOP_PAGE,
	HOP_MOVED,
	HOP_NONE,
};

static enum hop ask(struct asking *asking)
{
	struct pv_asked_page *page = asking->page;
	if (!may_ask(asking))
		return HOP_NONE;
	pv_inquiry_ask_page(
	    page->inquiry, &page->url, &asking->question, &page->answer);
	switch (page->answer.result) {
	case PV_INQUIRY_RULES:
		return HOP_PAGE;
	case PV_INQUIRY_MOVED:
		pv_url_parse(&page->url, pv_buf_str(&page->answer.url));
		return HOP_MOVED;
	case PV_INQUIRY_PUT_OFF:
		refuse(
		    asking, "not requested: its host waits ", page->answer.why);
		return HOP_NONE;
	default:
		refuse(asking, "", page->answer.why);
		return HOP_NONE;
	}
}

bool pv_asked_page_open(struct pv_asked_page *page,
    const struct pv_asked_plan *plan, const struct pv_url *url,
    struct pv_why *why)
{
	struct asking asking = {
	    .page = page,
	    .plan = plan,
	    .question = {.bytes_max = plan->bytes_max},
	    .why = why,
	};
	enum hop hop = HOP_MOVED;
	pv_url_init(&page->url, PV_SEED_ADDRESS_MAX);
	pv_url_parse(&page->url, pv_url_page(url));
	pv_inquiry_answer_init(&page->answer, plan->bytes_max);
	page->inquiry = pv_inquiry_create(plan->policy, plan->around, why);
	if (!page->inquiry)
		return false;
	for (int hops = 0; hop == HOP_MOVED && hops <= HOPS_MAX; hops++)
		hop = ask(&asking);
	if (hop == HOP_MOVED)
		refuse(&asking, "it is redirected on and on", "");
	return hop == HOP_PAGE;
}

void pv_asked_page_close(struct pv_asked_page *page)
{
	pv_inquiry_destroy(page->inquiry);
	pv_inquiry_answer_finish(&page->answer);
	pv_url_finish(&page->url);
}
