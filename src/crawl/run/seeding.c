#include "crawl/run/seeding.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/run/fleet_worker.h"
#include "crawl/run/halt.h"
#include "policy/values/host_pattern.h"
#include "reading/judge.h"

#define BATCH 500
#define BATCH_BYTES ((size_t)4 << 20)

/* So many are to be known before anybody is visited. */
#define FIRST 20000

/* So many of one come before those of the next. */
#define TURN 20000

void pv_seeding_init(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	*seeding = (struct pv_seeding){.number = 0};
	seeding->has_rest = pv_alloc_array(
	    crawl->policy->seeds.count, sizeof(*seeding->has_rest));
	pv_url_init(&seeding->url, PV_SEED_ADDRESS_MAX);
	pv_link_list_init(&seeding->report.links, BATCH_BYTES);
}

void pv_seeding_finish(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	if (seeding->is_walking)
		pv_seed_walk_close(&seeding->walk);
	free(seeding->has_rest);
	pv_url_finish(&seeding->url);
	pv_link_list_finish(&seeding->report.links);
}

bool pv_seeding_has_begun(const struct pv_crawl *crawl)
{
	return crawl->seeding.is_done || crawl->seeding.count >= FIRST;
}

/* A host and an origin that a person has named. */
static void name(struct pv_crawl *crawl, const struct pv_url *url)
{
	pv_origins_add(&crawl->secrets.origins, url);
	crawl->around.names->add_named(
	    crawl->names, pv_host_name_trim(pv_url_host(url)));
}

static void note_fault(struct pv_seeding *seeding)
{
	seeding->faults++;
	seeding->walked_faults++;
}

static void add(struct pv_crawl *crawl, const struct pv_seed *seed)
{
	struct pv_seeding *seeding = &crawl->seeding;
	struct pv_found found = {.url = &seeding->url,
	    .kind = PV_LINK_PAGE,
	    .seed = seed,
	    .wall_ms = crawl->now.wall_ms};
	bool is_added;
	if (seed->as)
		found.page_kind = (unsigned)pv_pages_find(&crawl->policy->pages,
				      pv_str_of(seed->as)) +
				  1;
	if (pv_seed_parse(&seeding->url, pv_buf_str(&seeding->walk.text)) !=
	    NULL) {
		note_fault(seeding);
		return;
	}
	pv_crawl_identity_apply(
	    &crawl->reading.sameness.identity, &seeding->url);
	name(crawl, &seeding->url);
	if (!pv_secrets_add(crawl, &seeding->url)) {
		seeding->unkept++;
		seeding->walked_unkept++;
	}
	pv_judge_add(
	    &crawl->reading, &found, &seeding->report.links, &is_added);
	seeding->count++;
}

static bool open_walk(struct pv_crawl *crawl, const struct pv_seed *seed)
{
	struct pv_seeding *seeding = &crawl->seeding;
	seeding->walked = seeding->walked_faults = seeding->walked_unkept = 0;
	seeding->is_walking = pv_seed_walk_open(&seeding->walk, seed);
	if (seeding->is_walking)
		return true;
	pv_log(&crawl->log, PV_LOG_WARNING, "%s: its seeds are left out: %s",
	    seed->text, strerror(errno));
	pv_seed_walk_close(&seeding->walk);
	return false;
}

/* The next seed whose turn it is; NULL if there is none. */
static const struct pv_seed *next_seed(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	const struct pv_seeds *seeds = &crawl->policy->seeds;
	if (seeding->number == seeds->count && seeding->has_any_rest &&
	    !seeding->is_second) {
		seeding->is_second = true;
		seeding->number = 0;
	}
	while (seeding->is_second && seeding->number < seeds->count &&
	       !seeding->has_rest[seeding->number])
		seeding->number++;
	return seeding->number < seeds->count ? &seeds->items[seeding->number]
					      : NULL;
}

/* Opens the next seed; false if there is none. */
static bool open_next(struct pv_crawl *crawl)
{
	const struct pv_seed *seed;
	while ((seed = next_seed(crawl))) {
		if (open_walk(crawl, seed))
			return true;
		crawl->seeding.number++;
	}
	return false;
}

static void close_walk(struct pv_crawl *crawl)
{
	pv_seed_walk_close(&crawl->seeding.walk);
	crawl->seeding.is_walking = false;
	crawl->seeding.number++;
}

static bool has_had_its_turn(const struct pv_crawl *crawl)
{
	const struct pv_seeding *seeding = &crawl->seeding;
	return !seeding->is_second && seeding->walked >= TURN &&
	       crawl->policy->seeds.count > 1;
}

/* It will be walked through once more, from its beginning: what is known by
 * then stays as it is, and its faults are counted then. */
static void let_others_go_first(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	seeding->has_rest[seeding->number] = true;
	seeding->has_any_rest = true;
	seeding->faults -= seeding->walked_faults;
	seeding->unkept -= seeding->walked_unkept;
	close_walk(crawl);
}

static void walk(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	enum pv_seed_step step = pv_seed_walk_next(&seeding->walk);
	seeding->walked++;
	if (step == PV_SEED_END)
		close_walk(crawl);
	else if (step == PV_SEED_FAULT)
		note_fault(seeding);
	else
		add(crawl, &crawl->policy->seeds.items[seeding->number]);
	if (seeding->is_walking && has_had_its_turn(crawl))
		let_others_go_first(crawl);
}

/* Fills a batch; whether there is anything in it. */
static bool gather(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	struct pv_link_list *links = &seeding->report.links;
	while (links->count < BATCH &&
	       pv_link_list_bytes(links) < BATCH_BYTES / 2) {
		if (!seeding->is_walking && !open_next(crawl))
			break;
		walk(crawl);
	}
	return links->count > 0;
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	struct pv_crawl *crawl = report->ctx;
	pv_outbox_came_back(&crawl->outbox);
	crawl->seeding.is_reporting = false;
	pv_link_list_finish(&report->links);
	pv_link_list_init(&report->links, BATCH_BYTES);
	pv_halt_note_status(crawl, status);
}

static void end(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	seeding->is_done = true;
	if (seeding->faults)
		pv_log(&crawl->log, PV_LOG_WARNING, "seeds: %llu %s left out",
		    (unsigned long long)seeding->faults,
		    seeding->faults == 1
			? "line is not a web address and is"
			: "lines are not web addresses and are");
	if (seeding->unkept)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "seeds: %llu are requested without their user name and "
		    "password: a crawl stores at most %d of them; divide "
		    "the seeds among several crawls",
		    (unsigned long long)seeding->unkept, PV_LOGINS_MAX);
}

/* A worker that joins a finished fleet would pass its seeds on to nobody. */
static bool has_none(const struct pv_crawl *crawl)
{
	return crawl->options.leaves_out_seeds ||
	       (!crawl->seeding.count && pv_fleet_worker_is_finished(crawl));
}

void pv_seeding_step(struct pv_crawl *crawl)
{
	struct pv_seeding *seeding = &crawl->seeding;
	if (seeding->is_done || seeding->is_reporting || crawl->halt.is_ending)
		return;
	if (has_none(crawl) || !gather(crawl)) {
		end(crawl);
		return;
	}
	if (!pv_secrets_write(crawl))
		pv_halt_fail_page(crawl, "cannot write secrets", errno);
	seeding->is_reporting = true;
	seeding->report.kind = PV_REPORT_LINKS;
	seeding->report.with = pv_secrets_note(crawl);
	seeding->report.done = on_reported;
	seeding->report.ctx = crawl;
	pv_outbox_give(&crawl->outbox, PV_PAPER_REPORT, &seeding->report,
	    pv_crawl_now(crawl));
}
