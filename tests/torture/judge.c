#include "torture/judge.h"

#include <stdlib.h>

#include "crawl/patience.h"
#include "server/log_check.h"
#include "torture/maze.h"

#define FAULTS_MAX (1u << 20)
#define DAYS 2

__attribute__((format(printf, 2, 3))) static void note(
    struct judgement *judgement, const char *format, ...)
{
	va_list list;
	judgement->fault_count++;
	va_start(list, format);
	pv_buf_append_format_list(&judgement->faults, format, list);
	va_end(list);
	pv_buf_append_char(&judgement->faults, '\n');
}

static void compare(struct judgement *judgement, const struct lines *found,
    const struct lines *wanted, const char *what)
{
	judgement->fault_count +=
	    lines_compare(found, wanted, what, &judgement->faults);
}

/* Of what is about addresses that came nearer nothing is claimed. */
static void compare_others(struct judgement *judgement,
    const struct lines *found, const struct lines *wanted,
    const struct lines *nearer, const char *what)
{
	struct lines found_others = {.items = NULL};
	struct lines wanted_others = {.items = NULL};
	lines_add_others(&found_others, found, nearer);
	lines_add_others(&wanted_others, wanted, nearer);
	compare(judgement, &found_others, &wanted_others, what);
	lines_finish(&found_others);
	lines_finish(&wanted_others);
}

/* Files */

/* "FILE ADDRESS": whether there is what was served last. What is gone is
 * kept, where the state says. */
static void judge_file(
    struct judgement *judgement, struct trial *trial, struct pv_str copy)
{
	struct pv_buf name, found, wanted;
	size_t blank = pv_str_find(copy, ' ');
	struct pv_str url = pv_str_from(copy, blank + 1);
	int day = atomic_load(&trial->maze->day);
	pv_buf_init(&name, FAULTS_MAX);
	pv_buf_init(&found, FAULTS_MAX);
	pv_buf_init(&wanted, FAULTS_MAX);
	pv_buf_append_format(
	    &name, "o/%.*s", PV_STR_ARG(pv_str_head(copy, blank)));
	while (day && !maze_write_body(url, day, &wanted)) {
		pv_buf_clear(&wanted);
		day--;
	}
	if (!day || !home_read(&trial->home, pv_buf_text(&name), &found) ||
	    !pv_str_equal(pv_buf_str(&found), pv_buf_str(&wanted)))
		note(judgement,
		    "file: %.*s has %zu bytes, and not the %zu of %.*s",
		    PV_STR_ARG(pv_buf_str(&name)), found.len, wanted.len,
		    PV_STR_ARG(url));
	pv_buf_finish(&name);
	pv_buf_finish(&found);
	pv_buf_finish(&wanted);
}

static void judge_files(struct judgement *judgement, struct trial *trial,
    const struct portrait *found)
{
	struct lines named = {.items = NULL};
	for (size_t i = 0; i < found->copies.count; i++) {
		struct pv_str copy = pv_str_of(found->copies.items[i]);
		struct pv_str name = pv_str_head(copy, pv_str_find(copy, ' '));
		lines_add(&named, "%.*s", PV_STR_ARG(name));
		judge_file(judgement, trial, copy);
	}
	lines_sort(&named);
	compare(judgement, &found->files, &named, "file");
	lines_finish(&named);
}

/* Requests */

/* What there may be between an answer and its commit. It goes through so many
 * threads, each of which waits for a processor as the first one does. */
#define THREADS_TO_COMMIT 4

static int64_t commit_us(const struct trial *trial, size_t end)
{
	double times = patience() / PATIENCE_LEAST;
	return (int64_t)(JUDGE_COMMIT_MS * 1000 * times) +
	       THREADS_TO_COMMIT * trial->waited_us[end];
}

static bool is_in_flight(
    const struct trial *trial, const struct server_record *record, size_t end)
{
	int64_t end_us = trial->ends_us[end];
	return record->begin_us <= end_us &&
	       (!record->end_us ||
		   record->end_us > end_us - commit_us(trial, end));
}

/* A line for each request and each end of a run at which it was in flight. */
static void add_in_flight(
    struct trial *trial, const struct log_view *view, struct lines *in_flight)
{
	struct pv_buf line;
	pv_buf_init(&line, FAULTS_MAX);
	for (size_t i = 0; i < view->count; i++) {
		pv_buf_clear(&line);
		portrait_write_asked(&view->records[i], &line);
		for (size_t k = 0; k < trial->end_count; k++)
			if (is_in_flight(trial, &view->records[i], k))
				lines_add(in_flight, "%s", pv_buf_text(&line));
	}
	pv_buf_finish(&line);
	lines_sort(in_flight);
}

/* Whether "HOST TARGET" is one of these addresses. */
static bool is_one_of(const struct lines *addresses, const char *asked)
{
	struct pv_buf url;
	const char *blank = strchr(asked, ' ');
	pv_buf_init(&url, FAULTS_MAX);
	pv_buf_append_format(
	    &url, "http://%.*s%s", (int)(blank - asked), asked, blank + 1);
	bool is_one = lines_count(addresses, pv_buf_text(&url)) > 0;
	pv_buf_finish(&url);
	return is_one;
}

static void judge_repeats(struct judgement *judgement,
    const struct portrait *portrait, const struct lines *wanted,
    const struct lines *in_flight)
{
	const struct lines *asked = &portrait->asked;
	for (size_t i = 0; i < asked->count; i++) {
		const char *line = asked->items[i];
		size_t found = lines_count(asked, line);
		size_t due = lines_count(wanted, line);
		size_t again = lines_count(in_flight, line) +
			       is_one_of(&portrait->nearer, line);
		if (i && strcmp(asked->items[i - 1], line) == 0)
			continue;
		judgement->repeats += found > due ? found - due : 0;
		if (found > due + again)
			note(judgement,
			    "request: %s was asked for %zu times, not %zu; it was "
			    "in flight at %zu ends",
			    line, found, due, again);
	}
	judgement->in_flight = in_flight->count;
}

/* Pace */

/* Whether it may not have been committed when a run ended. */
static bool is_cut_short(
    const struct trial *trial, const struct server_record *record)
{
	for (size_t i = 0; i < trial->end_count; i++)
		if (trial->ends_us[i] >= record->begin_us &&
		    trial->ends_us[i] < record->end_us + commit_us(trial, i))
			return true;
	return false;
}

/* Of the requests of one host: each busy answer is followed by the rest that it
 * asked for. */
static void judge_retry_after(struct judgement *judgement,
    const struct trial *trial, const struct log_view *view)
{
	for (size_t i = 0; i < view->count; i++) {
		const struct server_record *busy = &view->records[i];
		if (busy->status != 503 || is_cut_short(trial, busy))
			continue;
		for (size_t k = 0; k < view->count; k++) {
			int64_t rest_us =
			    view->records[k].begin_us - busy->end_us;
			if (view->records[k].begin_us > busy->begin_us &&
			    rest_us < MAZE_RETRY_AFTER_MS * 1000)
				note(judgement,
				    "pace: %.*s got %lld us after it was busy",
				    PV_STR_ARG(busy->host), (long long)rest_us);
		}
	}
}

static void leave_robots(struct log_view *view)
{
	size_t count = 0;
	for (size_t i = 0; i < view->count; i++)
		if (!pv_str_equal(
			view->records[i].target, PV_STR("/robots.txt")))
			view->records[count++] = view->records[i];
	view->count = count;
}

static void judge_gaps(struct judgement *judgement, const char *host,
    const struct log_view *view, int64_t delay_ms)
{
	struct log_gap gap = log_shortest_gap(view, LOG_BY_HOST);
	if (gap.us < delay_ms * 1000)
		note(judgement,
		    "pace: %s was asked for %.*s %lld us after %.*s", host,
		    PV_STR_ARG(gap.second.target), (long long)gap.us,
		    PV_STR_ARG(gap.first.target));
}

static void judge_host(
    struct judgement *judgement, struct trial *trial, const char *host)
{
	struct log_view view = log_view_of(trial->server);
	struct pv_str name = pv_str_of(host);
	log_view_keep(&view, host, NULL);
	judge_gaps(judgement, host, &view, maze_delay_ms(name, false));
	judge_retry_after(judgement, trial, &view);
	leave_robots(&view);
	judge_gaps(judgement, host, &view, maze_delay_ms(name, true));
	log_view_finish(&view);
}

static void judge_requests(struct judgement *judgement, struct trial *trial,
    const struct portrait *found, const struct lines *wanted)
{
	struct lines in_flight = {.items = NULL};
	struct log_view view = log_view_of(trial->server);
	const char *host;
	add_in_flight(trial, &view, &in_flight);
	judge_repeats(judgement, found, wanted, &in_flight);
	for (size_t i = 0; (host = maze_host(i)); i++)
		judge_host(judgement, trial, host);
	log_view_finish(&view);
	lines_finish(&in_flight);
}

static void judge_promises(struct judgement *judgement, struct trial *trial)
{
	static const char *const audit[] = {"audit", "o", "--json", NULL};
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, FAULTS_MAX);
	if (!program_run(&trial->home, audit, &said, &end) || end.is_killed ||
	    end.status)
		note(judgement, "audit: %.2000s", pv_buf_text(&said));
	pv_buf_finish(&said);
}

void judge(struct judgement *judgement, struct trial *trial,
    const struct portrait *wanted)
{
	struct portrait found;
	*judgement = (struct judgement){.repeats = 0};
	pv_buf_init(&judgement->faults, FAULTS_MAX);
	server_wait_idle(trial->server, 0, 120000);
	portrait_take(&found, trial);
	if (!found.is_sound)
		note(judgement, "state.db: it is damaged");
	if (found.torn)
		note(judgement, "%zu lines are torn", found.torn);
	compare(judgement, &found.addresses, &wanted->addresses, "address");
	compare(judgement, &found.counts, &wanted->counts, "count");
	compare_others(judgement, &found.finals, &wanted->finals, &found.nearer,
	    "last line");
	compare_others(judgement, &found.changes, &wanted->changes,
	    &found.nearer, "change");
	judge_files(judgement, trial, &found);
	judge_requests(judgement, trial, &found, &wanted->asked);
	judge_promises(judgement, trial);
	portrait_finish(&found);
}

void judgement_finish(struct judgement *judgement)
{
	pv_buf_finish(&judgement->faults);
}
