#include "serve/routes/host_view.h"

#include <string.h>

#include "api/look/host_pace.h"
#include "base/json/json.h"
#include "serve/routes/answer.h"
#include "store/state_look.h"
#include "store/tables/ledger_table.h"
#include "store/tables/robots_table.h"

static void set_count(struct pv_json *view, const char *name, uint64_t count)
{
	pv_json_set(view, name, pv_json_integer((int64_t)count));
}

/* Negative is "not known". */
static void set_ms(struct pv_json *view, const char *name, int64_t ms)
{
	if (ms >= 0)
		pv_json_set(view, name, pv_json_integer(ms));
}

static void set_words(struct pv_json *view, const char *name, const char *text)
{
	if (*text)
		pv_json_set_text(view, name, text);
}

static void set_look(struct pv_json *view, const struct pv_job_host *host)
{
	const struct pavane_host_look *look = host->look;
	set_words(view, "waits_for", look->waits_for);
	set_words(view, "why", look->waits_why);
	if (host->since_ms)
		pv_json_set(view, "since", pv_route_time(host->since_ms));
	if (look->until_ms)
		pv_json_set(view, "until", pv_route_time(look->until_ms));
	set_words(view, "given_up", look->given_up);
	pv_json_set(view, "paused", pv_json_bool(look->is_paused));
	set_ms(view, "delay_ms", look->delay_ms);
	set_count(view, "failures", look->failures);
	set_count(view, "in_flight", look->in_flight);
	set_count(view, "queued", look->queued);
	set_count(view, "pages", look->pages);
	set_count(view, "bytes", look->bytes);
}

/* What it has seen of us */

static struct pv_json *ledger_view(const struct pv_ledger *ledger)
{
	struct pv_json *view = pv_json_object();
	struct pv_json *rules = pv_json_object();
	set_count(view, "requests", (uint64_t)ledger->requests);
	set_count(view, "bytes", (uint64_t)ledger->bytes);
	set_count(view, "too_many", (uint64_t)ledger->too_many);
	set_count(view, "unavailable", (uint64_t)ledger->unavailable);
	set_count(view, "most_at_once", (uint64_t)ledger->most_at_once);
	set_ms(view, "least_gap_ms", ledger->least_gap_ms);
	set_ms(view, "median_gap_ms", (int64_t)pv_ledger_median_gap_ms(ledger));
	set_ms(view, "least_reaction_ms", ledger->least_reaction_ms);
	for (size_t i = 0; i < ledger->rule_count; i++)
		set_count(rules, ledger->rules[i].word,
		    (uint64_t)ledger->rules[i].count);
	pv_json_set(view, "paced_by", rules);
	return view;
}

static void set_ledger(
    struct pv_json *view, struct pv_database *database, struct pv_str name)
{
	struct pv_ledger_table table;
	struct pv_ledger ledger;
	if (!pv_ledger_table_is_there(database))
		return;
	pv_ledger_table_init(&table, database);
	if (pv_ledger_table_find(&table, name, &ledger))
		pv_json_set(view, "ledger", ledger_view(&ledger));
	pv_ledger_table_finish(&table);
}

/* robots.txt */

static bool find_authority(
    struct pv_database *database, struct pv_str name, struct pv_buf *authority)
{
	return pv_robots_table_find(database, "https", name, authority) ||
	       pv_robots_table_find(database, "http", name, authority);
}

static void set_robots(struct pv_json *view, struct pv_database *database,
    const struct pv_buf *authority, const char *state)
{
	struct pv_saved_robots saved;
	struct pv_buf copy;
	struct pv_json *robots = pv_json_object();
	pv_json_set_text(robots, "state", state);
	pv_buf_init(&copy, SIZE_MAX);
	if (authority->len && pv_robots_table_get(database,
				  pv_buf_str(authority), &saved, &copy)) {
		pv_json_set(
		    robots, "authority", pv_json_text(pv_buf_str(authority)));
		if (saved.http_status)
			set_count(robots, "status", saved.http_status);
		if (saved.asked_wall_ms)
			pv_json_set(robots, "asked",
			    pv_route_time(saved.asked_wall_ms));
		if (saved.until_wall_ms)
			pv_json_set(robots, "until",
			    pv_route_time(saved.until_wall_ms));
	}
	pv_json_set(view, "robots", robots);
	pv_buf_finish(&copy);
}

/* Clocks, as `pavane explain` tells them */

/* Where the owner has his files is nobody else's business. */
static const char *without_directory(const char *origin)
{
	const char *slash = strrchr(origin, '/');
	return slash ? slash + 1 : origin;
}

static struct pv_json *clock_view(const struct pavane_explained_line *line)
{
	struct pv_json *view = pv_json_object();
	pv_json_set_text(view, "sentence", line->sentence);
	set_words(view, "origin", without_directory(line->origin));
	return view;
}

static struct pv_json *clocks_view(const char *directory,
    const struct pv_buf *authority, const struct pavane_policy *policy,
    int64_t now_ms)
{
	struct pv_explained explained;
	struct pv_json *clocks = pv_json_array();
	pv_explained_init(&explained);
	if (authority->len)
		pv_host_pace_explain(policy, directory, pv_buf_str(authority),
		    now_ms, &explained);
	for (size_t i = 0; i < explained.count; i++)
		pv_json_add(clocks, clock_view(&explained.lines[i]));
	pv_explained_finish(&explained);
	return clocks;
}

struct pv_json *pv_host_view_in_job(
    struct pv_str name, const struct pv_job_host *host, int64_t now_ms)
{
	struct pv_json *view = pv_json_object();
	struct pv_buf authority;
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&authority, SIZE_MAX);
	pv_json_set(view, "job", pv_json_text(host->id));
	set_look(view, host);
	struct pv_database *database = pv_state_look(host->directory, &why);
	if (database) {
		find_authority(database, name, &authority);
		set_robots(view, database, &authority, host->look->robots);
		set_ledger(view, database, name);
		pv_json_set(view, "clocks",
		    clocks_view(
			host->directory, &authority, host->policy, now_ms));
	}
	pv_database_close(database);
	pv_buf_finish(&authority);
	pv_why_finish(&why);
	return view;
}

struct pv_json *pv_host_view_pause(const struct pv_paused_host *host)
{
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "since", pv_route_time(host->since_ms));
	if (host->until_ms != INT64_MAX)
		pv_json_set(view, "until", pv_route_time(host->until_ms));
	if (host->reason.len)
		pv_json_set(view, "reason", pv_json_text(host->reason));
	if (host->by.len)
		pv_json_set(view, "by", pv_json_text(host->by));
	return view;
}
