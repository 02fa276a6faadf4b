#include "audit/audit.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "audit/clock_file.h"
#include "audit/entry.h"
#include "audit/journal.h"
#include "audit/walks.h"
#include "base/alloc.h"
#include "store/state_look.h"
#include "store/tables/ledger_table.h"
#include "store/tables/note.h"
#include "url/url.h"

#define URL_MAX_BYTES ((size_t)1 << 20)

static bool fail(const struct pv_audit *audit, const char *text)
{
	pv_why_add(audit->why, (struct pv_place){.file = audit->directory},
	    PV_STR(""), "%s", text);
	return false;
}

/* Reading */

struct reading {
	struct pv_audit *audit;
	struct pv_audit_part *part;
	struct pv_url url;
};

/* Whose robots.txt counts for it, and what was asked for there. */
static bool place(struct reading *reading, const struct pv_audit_entry *entry,
    struct pv_audit_request *request)
{
	struct pv_url *url = &reading->url;
	if (pv_url_parse(url, entry->url) != PV_URL_OK)
		return false;
	struct pv_str authority = entry->robots_of.len
				      ? entry->robots_of
				      : pv_url_between(url, 0, url->parts.path);
	request->authority =
	    pv_audit_names_find(&reading->audit->authorities, authority);
	request->text =
	    entry->request.is_robots ? entry->digest : pv_url_target(url);
	request->is_hop = entry->robots_of.len > 0;
	return true;
}

/* In a merge the runs of all workers have numbers of their own, and times are
 * those of the server. False if nobody knows the worker. */
static bool place_worker(struct pv_audit *audit,
    const struct pv_audit_entry *entry, struct pv_audit_request *request)
{
	struct pv_ledger_entry *facts = &request->facts;
	request->worker = entry->worker;
	facts->wall_ms = pv_clock_memory_server_ms(&audit->clocks,
	    entry->worker, facts->wall_ms, &request->uncertainty_ms);
	if (!audit->workers.is_merge)
		return true;
	const struct pv_merged_worker *worker =
	    pv_audit_workers_find(&audit->workers, entry->worker);
	if (!worker)
		return false;
	request->place = worker->place;
	facts->pacing.run += worker->runs_before;
	return true;
}

static bool remember(struct reading *reading, int64_t number,
    const struct pv_audit_entry *entry, struct pv_why *why)
{
	struct pv_audit *audit = reading->audit;
	struct pv_audit_request request = {
	    .line = number,
	    .attempt = entry->attempt,
	    .held_ms = entry->held_ms,
	    .facts = entry->request,
	    .is_answered = entry->is_answered,
	    .is_failure = entry->is_failure,
	    .is_unreachable = entry->is_unreachable,
	};
	if (!place_worker(audit, entry, &request) ||
	    request.facts.pacing.run > audit->run_count ||
	    !place(reading, entry, &request))
		return false;
	if (!pv_audit_terms_policy(
		&audit->terms, request.facts.pacing.run, why))
		return false;
	request.promise = pv_audit_terms_of(
	    &audit->terms, entry->host, entry->ip, pv_url_port(&reading->url));
	pv_audit_memory_add(
	    &audit->memory, &request, &audit->terms.promises[request.promise]);
	audit->request_count++;
	return pv_database_status(audit->memory.database) == PV_STORE_OK;
}

/* A version before this one said nothing of when; a request that this machine
 * could not make took no turn. Both have no run. */
static bool take_entry(struct reading *reading, int64_t number,
    const struct pv_audit_entry *entry, struct pv_why *why)
{
	struct pv_audit *audit = reading->audit;
	int64_t wall_ms = entry->request.wall_ms;
	if (!entry->is_asked)
		return true;
	if (entry->request.pacing.run <= 0) {
		audit->undated_count++;
		return true;
	}
	if (!audit->request_count || wall_ms < audit->first_wall_ms)
		audit->first_wall_ms = wall_ms;
	if (wall_ms > audit->last_wall_ms)
		audit->last_wall_ms = wall_ms;
	return remember(reading, number, entry, why);
}

static bool on_line(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct reading *reading = ctx;
	struct pv_audit_entry entry;
	char name[PV_JOURNAL_NAME_MAX];
	bool is_ours = pv_audit_entry_read(&entry, line);
	reading->audit->line_count++;
	if (is_ours) {
		is_ours = take_entry(reading,
		    reading->part->first_line + number - 1, &entry, why);
		pv_audit_entry_finish(&entry);
	}
	pv_journal_name_write(reading->part->generation, name);
	if (!is_ours && !pv_why_has_problems(why))
		pv_why_add(why,
		    (struct pv_place){.file = name, .line = (uint32_t)number},
		    PV_STR(""), "is no line of a journal");
	return is_ours;
}

static bool read_part(struct reading *reading)
{
	struct pv_audit *audit = reading->audit;
	struct pv_buf path;
	char name[PV_JOURNAL_NAME_MAX];
	pv_journal_name_write(reading->part->generation, name);
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", audit->directory, name);
	reading->part->first_line = audit->line_count + 1;
	bool is_read = pv_audit_journal_read(pv_buf_text(&path),
	    reading->part->length, on_line, reading, audit->why);
	pv_buf_finish(&path);
	return is_read;
}

static bool read_journal(struct pv_audit *audit)
{
	struct reading reading = {.audit = audit};
	bool is_read = true;
	pv_url_init(&reading.url, URL_MAX_BYTES);
	pv_audit_parts_find(&audit->parts, audit->state, audit->directory);
	for (size_t i = 0; is_read && i < audit->parts.count; i++) {
		reading.part = &audit->parts.items[i];
		is_read = read_part(&reading);
	}
	pv_url_finish(&reading.url);
	return is_read;
}

/* The state */

static bool tell_state(const struct pv_audit *audit)
{
	struct pv_buf text;
	if (pv_database_status(audit->state) == PV_STORE_OK)
		return true;
	pv_buf_init(&text, 4096);
	pv_buf_append_text(
	    &text, "is not a crawl's directory: cannot read its state.db: ");
	pv_buf_append_text(&text, pv_database_fault(audit->state));
	fail(audit, pv_buf_text(&text));
	pv_buf_finish(&text);
	return false;
}

static bool has_ledger(const struct pv_audit *audit)
{
	bool is_there = pv_ledger_table_is_there(audit->state);
	if (!tell_state(audit))
		return false;
	return is_there ||
	       fail(audit,
		   "is not a crawl's directory, or was written by a version "
		   "without a ledger: to update it, run `pavane continue`");
}

static bool open_state(struct pv_audit *audit)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", audit->directory);
	bool is_there = access(pv_buf_text(&path), R_OK) == 0;
	const char *fault = is_there ? NULL : strerror(errno);
	audit->state = pv_database_look(pv_buf_text(&path));
	pv_buf_clear(&path);
	pv_buf_append_format(&path,
	    "is not a crawl's directory: cannot read its state.db: %s",
	    fault ? fault : "");
	if (fault)
		fail(audit, pv_buf_text(&path));
	pv_buf_finish(&path);
	if (fault || !has_ledger(audit))
		return false;
	/* All that is looked at later is as of now. */
	pv_state_look_copy(audit->state);
	return tell_state(audit);
}

/* Judging */

static bool judge(struct pv_audit *audit)
{
	if (audit->workers.is_merge)
		pv_audit_memory_order(&audit->memory);
	pv_audit_walk_robots(audit);
	pv_audit_walk_clocks(audit);
	pv_audit_walk_addresses(audit);
	pv_audit_walk_crawl(audit);
	pv_audit_walk_ownership(audit);
	if (audit->workers.is_fleet)
		pv_audit_walk_fleet(audit);
	if (audit->workers.is_merge)
		pv_audit_walk_handovers(audit);
	pv_audit_walk_ledger(audit);
	if (!tell_state(audit))
		return false;
	if (pv_database_status(audit->clocks.database) != PV_STORE_OK)
		return fail(audit, pv_database_fault(audit->clocks.database));
	if (pv_database_status(audit->memory.database) != PV_STORE_OK)
		return fail(audit, pv_database_fault(audit->memory.database));
	return !pv_why_has_problems(audit->why);
}

struct pv_audit *pv_audit_create(
    const char *directory, const char *environment, struct pv_why *why)
{
	struct pv_audit *audit = pv_alloc(sizeof(*audit));
	struct pv_hash_key key = {{0x70617661, 0x6e656175}};
	audit->directory = directory;
	audit->why = why;
	pv_audit_names_init(&audit->authorities, key);
	pv_audit_names_init(&audit->owned, key);
	bool is_open = open_state(audit);
	pv_audit_terms_init(
	    &audit->terms, audit->state, directory, environment);
	pv_audit_memory_open(&audit->memory);
	pv_clock_memory_open(&audit->clocks);
	if (is_open) {
		audit->run_count = pv_note_get(audit->state, PV_STR("runs"), 0);
		pv_audit_workers_init(&audit->workers, audit->state);
	}
	if (is_open && pv_clock_file_read(&audit->clocks, directory, why) &&
	    read_journal(audit) && judge(audit))
		return audit;
	pv_audit_destroy(audit);
	return NULL;
}

void pv_audit_destroy(struct pv_audit *audit)
{
	if (!audit)
		return;
	pv_audit_memory_close(&audit->memory);
	pv_audit_terms_finish(&audit->terms);
	pv_audit_names_finish(&audit->authorities);
	pv_audit_names_finish(&audit->owned);
	pv_clock_memory_close(&audit->clocks);
	pv_audit_workers_finish(&audit->workers);
	pv_audit_handovers_finish(&audit->handovers);
	pv_audit_findings_finish(&audit->findings);
	pv_audit_parts_finish(&audit->parts);
	pv_database_close(audit->state);
	free(audit);
}
