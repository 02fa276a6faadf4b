#include "crawl/visit/rewrite.h"

#include "crawl/conductor.h"
#include <pthread.h>

#include "crawl/run/halt.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/read_job.h"
#include "http/status.h"
#include "mirror/files/file_name.h"
#include "mirror/links/relinking.h"
#include "mirror/update/gone_files.h"
#include "parse/bare_page.h"
#include "reading/desk.h"
#include "store/tables/note.h"
#include "store/tables/page_marks.h"

/* That all documents are linked to one another; not while a run is under
 * way. */
#define NOTE PV_STR("mirror-linked")

bool pv_rewrite_is_wanted(const struct pv_policy *policy)
{
	return policy->output.has_mirror && policy->output.mirror.rewrite;
}

/* What was kept since the last time is not. */
static bool are_all_linked(struct pv_crawl *crawl)
{
	return crawl->linking.is_linked &&
	       !atomic_load(&crawl->linking.has_kept);
}

void pv_rewrite_open(struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	if (!pv_rewrite_is_wanted(crawl->policy))
		return;
	crawl->linking.is_linked = pv_note_get(database, NOTE, 0);
	if (crawl->linking.is_linked)
		pv_note_set(database, NOTE, 0);
}

void pv_rewrite_close(struct pv_crawl *crawl)
{
	bool are_linked = are_all_linked(crawl);
	if (crawl->store &&
	    (are_linked || !pv_rewrite_is_wanted(crawl->policy)))
		pv_left_files_remove(crawl->store->database, crawl->directory);
	if (crawl->store && are_linked)
		pv_rewrite_note_linked(crawl->store->database);
}

void pv_rewrite_note_linked(struct pv_database *database)
{
	pv_note_set(database, NOTE, 1);
}

static enum pv_document_kind kind_of(
    const struct pv_read_job *job, struct pv_reader_desk *desk)
{
	pv_buf_clear(&desk->file);
	const struct pv_file_naming naming = {job->findings->type,
	    job->readers->context->policy->output.mirror.portable};
	if (job->answer.text.len > PV_DOCUMENT_TEXT_MAX ||
	    !pv_file_name_write(job->answer.url, &naming, &desk->file))
		return PV_DOCUMENT_NONE;
	return pv_document_kind_of(pv_buf_str(&desk->file));
}

static struct pv_str rewrite(struct pv_read_job *job,
    struct pv_reader_desk *desk, struct pv_document document)
{
	atomic_store(&job->readers->linking->has_kept, true);
	if (document.kind == desk->read_as)
		document.links = &desk->links;
	return pv_rewriter_run(
		   &desk->rewriter, &document, pv_rewriter_make_whole, NULL)
		   ? pv_buf_str(&desk->rewriter.text)
		   : (struct pv_str){NULL, 0};
}

struct pv_str pv_rewrite_prepare(
    struct pv_read_job *job, struct pv_reader_desk *desk)
{
	const struct pv_answer *answer = &job->answer;
	const struct pv_policy *policy = job->readers->context->policy;
	if (!job->findings->is_kept || !policy->output.has_mirror)
		return (struct pv_str){NULL, 0};
	struct pv_document document = {
	    .text = answer->text,
	    .kind = kind_of(job, desk),
	    .charset = pv_answer_charset(answer),
	    .url = answer->url,
	    .place = pv_url_directory(answer->url),
	};
	job->findings->is_bare =
	    document.kind == PV_DOCUMENT_HTML && pv_page_is_bare(answer->text);
	return pv_rewrite_is_wanted(policy) ? rewrite(job, desk, document)
					    : (struct pv_str){NULL, 0};
}

/* Linking */

/* How often the progress is logged; most are done sooner. */
#define TELL_MS 5000

struct linking {
	struct pv_crawl *crawl;
	pthread_t teller; /* lines go out of no other */
	int64_t told_ms;
	uint64_t documents; /* begun */
};

static void tell_progress(struct linking *linking)
{
	int64_t now = pv_crawl_now(linking->crawl);
	if (now - linking->told_ms < TELL_MS)
		return;
	linking->told_ms = now;
	pv_log(&linking->crawl->log, PV_LOG_INFO,
	    "%s: rewriting links: %llu document%s done (stop again to leave "
	    "the rest to the next run)",
	    linking->crawl->directory, (unsigned long long)linking->documents,
	    linking->documents == 1 ? "" : "s");
}

/* Somebody has asked twice to stop. */
static bool has_enough(const struct pv_crawl *crawl)
{
	return atomic_load(&crawl->halt.stop_asked) > 1;
}

static bool is_time_up(const struct pv_crawl *crawl)
{
	return pv_crawl_now(crawl) >= pv_halt_deadline(crawl);
}

/* Asked for each document, by one at a time. */
static bool is_enough(void *ctx)
{
	struct linking *linking = ctx;
	linking->documents++;
	pv_crawl_look_at_clock(linking->crawl);
	if (pthread_equal(pthread_self(), linking->teller))
		tell_progress(linking);
	return has_enough(linking->crawl) || is_time_up(linking->crawl);
}

static bool is_due(struct pv_crawl *crawl)
{
	return pv_rewrite_is_wanted(crawl->policy) && !are_all_linked(crawl) &&
	       !has_enough(crawl) && crawl->halt.end != PAVANE_FAILED &&
	       !atomic_load(&crawl->halt.is_interrupted);
}

static void tell(struct pv_crawl *crawl, const struct pv_relinking *result)
{
	if (result->failed)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: links in %llu document%s could not be rewritten: %s "
		    "(to try again: pavane relink)",
		    crawl->directory, (unsigned long long)result->failed,
		    result->failed == 1 ? "" : "s", result->fault);
	else if (result->is_cut)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: not all links are rewritten yet: continue the "
		    "crawl, or run pavane relink",
		    crawl->directory);
}

static void tell_why(struct pv_crawl *crawl, const struct pv_why *why)
{
	if (pv_why_has_problems(why))
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: links could not be rewritten: %s", crawl->directory,
		    why->problems.kept[0].text);
}

void pv_rewrite_link(struct pv_crawl *crawl)
{
	struct pv_relinking result = {.documents = 0};
	struct pv_why why;
	pv_crawl_look_at_clock(crawl);
	struct linking linking = {
	    .crawl = crawl,
	    .teller = pthread_self(),
	    .told_ms = pv_crawl_now(crawl),
	};
	const struct pv_relinking_plan plan = {
	    .directory = crawl->directory,
	    .identity = &crawl->reading.sameness.identity,
	    .threads = crawl->readers.count,
	    .is_portable = crawl->policy->output.mirror.portable,
	    .link_max = pv_policy_address_max(crawl->policy),
	    .is_enough = is_enough,
	    .ctx = &linking,
	};
	if (!is_due(crawl))
		return;
	crawl->linking.is_linked = false;
	pv_why_init(&why);
	result.is_cut = is_time_up(crawl);
	bool is_run = !result.is_cut && pv_relinking_run(&plan, &result, &why);
	tell_why(crawl, &why);
	tell(crawl, &result);
	crawl->linking.is_linked = is_run && !result.failed && !result.is_cut;
	if (crawl->linking.is_linked)
		atomic_store(&crawl->linking.has_kept, false);
	pv_why_finish(&why);
}

void pv_rewrite_link_anew(struct pv_crawl *crawl)
{
	crawl->linking.is_linked = false;
	pv_rewrite_link(crawl);
}
