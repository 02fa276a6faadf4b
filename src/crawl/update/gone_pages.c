#include "crawl/update/gone_pages.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/run/halt.h"
#include "crawl/visit/rewrite.h"

struct departure {
	struct pv_job job;
	struct pv_crawl *crawl;
	struct pv_gone_files *files;
	bool is_decided;
	bool is_linked; /* as if they were gone already */
	bool has_more;
	void (*then)(struct pv_crawl *crawl);
};

static struct departure *of_job(struct pv_job *job)
{
	return (
	    struct departure *)((char *)job - offsetof(struct departure, job));
}

static void run(struct pv_job *job, struct pv_database *database)
{
	struct departure *departure = of_job(job);
	departure->has_more =
	    departure->is_decided
		? pv_gone_files_step(departure->files, database)
		: pv_gone_files_decide(
		      departure->files, &departure->crawl->store->writer);
	departure->is_decided = true;
}

/* Telling */

static void tell_alarm(const struct pv_crawl *crawl)
{
	const struct pv_gone_figures *gone = &crawl->update.gone;
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%s: %llu of %llu file%s belong%s to deleted pages, more than "
	    "output.mirror.shrink_alarm allows (%lld%%): all files are "
	    "kept. To remove them: pavane continue %s --set "
	    "output.mirror.shrink_alarm=none. To check again, update once "
	    "more",
	    crawl->directory, (unsigned long long)gone->going,
	    (unsigned long long)gone->files, gone->files == 1 ? "" : "s",
	    gone->going == 1 ? "s" : "",
	    (long long)crawl->policy->output.mirror.shrink_alarm,
	    crawl->directory);
}

static void tell(const struct pv_crawl *crawl)
{
	const struct pv_gone_figures *gone = &crawl->update.gone;
	if (gone->is_alarm)
		tell_alarm(crawl);
	if (gone->moved)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: moved the files of %llu deleted page%s to gone/",
		    crawl->directory, (unsigned long long)gone->moved,
		    gone->moved == 1 ? "" : "s");
	if (gone->deleted)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: removed the files of %llu deleted page%s",
		    crawl->directory, (unsigned long long)gone->deleted,
		    gone->deleted == 1 ? "" : "s");
	if (gone->failed)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: %llu file%s of deleted or returned pages could not "
		    "be moved, the next run tries again: %s",
		    crawl->directory, (unsigned long long)gone->failed,
		    gone->failed == 1 ? "" : "s", gone->fault);
}

/* Going on */

static void go_on(struct departure *departure)
{
	struct pv_crawl *crawl = departure->crawl;
	pv_outbox_give(&crawl->outbox, PV_PAPER_JOBS, &departure->job,
	    pv_crawl_now(crawl));
}

static void finish(struct departure *departure)
{
	struct pv_crawl *crawl = departure->crawl;
	void (*then)(struct pv_crawl *) = departure->then;
	crawl->update.gone = *pv_gone_files_figures(departure->files);
	tell(crawl);
	/* Links lead to where files are. */
	if (crawl->update.gone.moved || crawl->update.gone.deleted)
		crawl->linking.is_linked = false;
	pv_gone_files_destroy(departure->files);
	free(departure);
	then(crawl);
}

static void on_run(struct pv_job *job, enum pv_store_status status)
{
	struct departure *departure = of_job(job);
	struct pv_crawl *crawl = departure->crawl;
	pv_outbox_came_back(&crawl->outbox);
	pv_halt_note_status(crawl, status);
	if (!departure->has_more || crawl->halt.is_ending) {
		finish(departure);
		return;
	}
	if (!departure->is_linked)
		pv_rewrite_link_anew(crawl);
	departure->is_linked = true;
	go_on(departure);
}

void pv_gone_pages_begin(
    struct pv_crawl *crawl, void (*then)(struct pv_crawl *crawl))
{
	const struct pv_output *output = &crawl->policy->output;
	if (!output->has_mirror || crawl->update.round.number < 2 ||
	    crawl->halt.is_ending) {
		then(crawl);
		return;
	}
	struct departure *departure = pv_alloc(sizeof(*departure));
	*departure = (struct departure){
	    .job = {.run = run, .done = on_run, .rows = 1},
	    .crawl = crawl,
	    .files = pv_gone_files_create(crawl->directory, output),
	    .then = then,
	};
	go_on(departure);
}
