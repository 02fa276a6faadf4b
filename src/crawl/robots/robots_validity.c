#include "crawl/robots/robots_validity.h"

#include "crawl/conductor.h"
#include "crawl/host/giving_up.h"
#include "crawl/host/host_rest.h"
#include "robots/access.h"

/* An authority twice, and why. */
#define LINE_MAX_BYTES 2048

void pv_robots_validity_renew(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_robots_rules *rules)
{
	int64_t now = pv_crawl_now(crawl);
	pv_authorities_set_rules(&crawl->hosts.authorities, authority, rules);
	authority->state = rules ? PV_AUTHORITY_RULES : PV_AUTHORITY_OPEN;
	authority->failures = 0;
	authority->failed_since_wall_ms = 0;
	authority->ask_at =
	    now + pv_robots_refresh_ms(crawl->policy->robots.ttl_ms);
	authority->good_until = now + PV_ROBOTS_GOOD_MS;
	authority->is_page_first = false;
}

/* Closed until it is asked again, where somebody waits for it. */
static void close_until(
    struct pv_crawl *crawl, struct pv_authority *authority, int64_t ask_at)
{
	authority->state = PV_AUTHORITY_CLOSED;
	authority->is_page_first = false;
	authority->ask_at = ask_at;
	pv_authorities_note_ask(&crawl->hosts.authorities, ask_at);
}

static bool is_good(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	return pv_crawl_now(crawl) < authority->good_until;
}

static void keep_copy(struct pv_authority *authority, int64_t ask_at)
{
	authority->state =
	    authority->rules ? PV_AUTHORITY_RULES : PV_AUTHORITY_OPEN;
	authority->ask_at = ask_at;
}

/* Failing */

static int64_t seconds(int64_t ms)
{
	return (ms + 999) / 1000;
}

/* Since when it could not be fetched, from the first failure on. A clock that
 * was set back begins anew. */
static void note_failure(
    const struct pv_crawl *crawl, struct pv_authority *authority)
{
	int64_t now = crawl->now.wall_ms;
	authority->failures++;
	if (!authority->failed_since_wall_ms ||
	    authority->failed_since_wall_ms > now)
		authority->failed_since_wall_ms = now;
}

/* Why it is given up, if it has not been had for as long as the policy waits;
 * who has never answered may not be there at all. */
static const char *why_lost(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	const struct pv_robots_policy *policy = &crawl->policy->robots;
	int64_t ms = crawl->now.wall_ms - authority->failed_since_wall_ms;
	if (policy->give_up_ms != PV_NONE && ms >= policy->give_up_ms)
		return "its robots.txt could not be fetched for longer than "
		       "robots.give_up";
	if (!authority->has_answered && policy->give_up_silent_ms != PV_NONE &&
	    ms >= policy->give_up_silent_ms)
		return "it has never answered, for longer than "
		       "robots.give_up_silent";
	return NULL;
}

static void give_up(
    struct pv_crawl *crawl, struct pv_authority *authority, const char *why)
{
	authority->state = PV_AUTHORITY_LOST;
	authority->is_page_first = false;
	authority->ask_at = pv_crawl_now(crawl) + crawl->policy->robots.ttl_ms;
	bool is_left =
	    authority->host && pv_giving_up_lose(authority->host, why);
	if (!is_left)
		pv_log(&crawl->log, PV_LOG_WARNING, "%.*s: given up: %s",
		    PV_STR_ARG(authority->text), why);
}

static int64_t host_rest_of(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	const struct pv_manners *manners =
	    authority->host ? &authority->host->manners.manners
			    : &crawl->policy->manners;
	return pv_host_rest_ms(manners, authority->failures - 1);
}

/* Whether a person has named an address there. */
static bool has_seed(const struct pv_authority *authority)
{
	const struct pv_task *task = authority->aside.first;
	while (task && !pv_standing_is_seed(&task->visit.standing))
		task = task->next;
	return task != NULL;
}

/* Of a host's name; an IPv6 address ends in a bracket. */
static bool has_port(struct pv_str name)
{
	return pv_str_find(name, ':') != PV_NOT_FOUND &&
	       name.ptr[name.len - 1] != ']';
}

/* Of a seed the scheme may be wrong, where it has no port of its own. */
static void ask_for_other_scheme(
    const struct pv_authority *authority, struct pv_buf *line)
{
	const struct pv_str http = PV_STR("http://");
	const struct pv_str https = PV_STR("https://");
	bool is_http = pv_str_starts(authority->text, http);
	struct pv_str name =
	    pv_str_from(authority->text, is_http ? http.len : https.len);
	if (!has_seed(authority) || has_port(name))
		return;
	pv_buf_append_format(line, "; does %.*s%.*s work?",
	    PV_STR_ARG(is_http ? https : http), PV_STR_ARG(name));
}

static void write_failure(const struct pv_authority *authority,
    const struct pv_robots_failure *failure, struct pv_buf *line)
{
	struct pv_str text = authority->text;
	if (failure->unreached == PV_UNREACHED_HOST) {
		pv_buf_append_format(line, "nothing listens at %.*s (%s)",
		    PV_STR_ARG(text), failure->why);
	} else if (failure->outcome == PV_OUTCOME_NO_CONNECTION) {
		pv_buf_append_format(line, "cannot connect to %.*s (%s)",
		    PV_STR_ARG(text), failure->why);
	} else {
		pv_buf_append_format(line, "%.*s: cannot fetch robots.txt (%s)",
		    PV_STR_ARG(text), failure->why);
	}
}

static void wait_on(struct pv_crawl *crawl, struct pv_authority *authority,
    const struct pv_robots_failure *failure)
{
	int64_t host_rest_ms = host_rest_of(crawl, authority);
	struct pv_buf line;
	close_until(crawl, authority, pv_crawl_now(crawl) + host_rest_ms);
	pv_buf_init(&line, LINE_MAX_BYTES);
	write_failure(authority, failure, &line);
	if (!crawl->options.is_attended ||
	    !pv_counters_are_silent(&crawl->counters))
		pv_buf_append_format(&line, "; next try in %lld s",
		    (long long)seconds(host_rest_ms));
	if (failure->unreached == PV_UNREACHED_HOST)
		ask_for_other_scheme(authority, &line);
	pv_log(&crawl->log, PV_LOG_WARNING, "%s", pv_buf_text(&line));
	pv_buf_finish(&line);
}

static void go_by_copy(
    struct pv_crawl *crawl, struct pv_authority *authority, const char *why)
{
	int64_t now = pv_crawl_now(crawl);
	int64_t host_rest_ms = host_rest_of(crawl, authority);
	keep_copy(authority, now + host_rest_ms);
	authority->is_page_first = true;
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%.*s: cannot fetch robots.txt (%s); the last copy counts for "
	    "%lld s more; next try in %lld s",
	    PV_STR_ARG(authority->text), why,
	    (long long)seconds(authority->good_until - now),
	    (long long)seconds(host_rest_ms));
}

void pv_robots_validity_fail(struct pv_crawl *crawl,
    struct pv_authority *authority, const struct pv_robots_failure *failure)
{
	note_failure(crawl, authority);
	const char *lost = why_lost(crawl, authority);
	if (is_good(crawl, authority))
		go_by_copy(crawl, authority, failure->why);
	else if (lost)
		give_up(crawl, authority, lost);
	else
		wait_on(crawl, authority, failure);
}

void pv_robots_validity_put_off(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	if (is_good(crawl, authority))
		keep_copy(authority, crawl->backpressure.pause_until);
	else
		close_until(crawl, authority, crawl->backpressure.pause_until);
}

/* What counts meanwhile */

bool pv_robots_validity_is_kept(const struct pv_authority *authority)
{
	return authority->failures > 0 &&
	       (authority->state == PV_AUTHORITY_RULES ||
		   authority->state == PV_AUTHORITY_OPEN);
}

void pv_robots_validity_look(
    struct pv_crawl *crawl, struct pv_authority *authority)
{
	if (!pv_robots_validity_is_kept(authority) || is_good(crawl, authority))
		return;
	close_until(crawl, authority, authority->ask_at);
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%.*s: cannot fetch robots.txt and the last copy is a day old, "
	    "so no page is requested",
	    PV_STR_ARG(authority->text));
}

int64_t pv_robots_validity_since(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	int64_t left_ms = authority->good_until - pv_crawl_now(crawl);
	return crawl->now.wall_ms + left_ms - PV_ROBOTS_GOOD_MS;
}
