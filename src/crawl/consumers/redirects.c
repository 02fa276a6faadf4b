#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/consumers/consumers.h"
#include "crawl/visit/record.h"
#include "crawl/visit/rewrite.h"
#include "http/status.h"
#include "mirror/kept/dead_ends.h"
#include "policy/policy.h"
#include "reading/findings.h"
#include "store/tables/page_marks.h"
#include "store/tables/redirects.h"

/* Where addresses are redirected to, so that the links of a mirror lead there
 * and circles are found; and which redirects lead to nothing. */
struct book {
	struct pv_redirects redirects;
	struct pv_linking *linking;
	bool is_rewritten; /* the mirror */
};

static struct book *book_of(struct pv_sink *sink)
{
	return (struct book *)sink;
}

static struct pv_sink *open_redirects(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct book *book = pv_alloc(sizeof(*book));
	(void)why;
	*book = (struct book){
	    .linking = plan->linking,
	    .is_rewritten = pv_rewrite_is_wanted(plan->policy),
	};
	pv_redirects_open(&book->redirects, plan->database);
	return (struct pv_sink *)book;
}

static void close_redirects(struct pv_sink *sink)
{
	struct book *book = book_of(sink);
	pv_redirects_close(&book->redirects);
	free(book);
}

/* What leads on and did not before is no dead end any more. */
static void note_dead_end(const struct pv_sink_entry *entry)
{
	const struct pv_visit *visit = entry->page->visit;
	const struct pv_findings *findings = entry->record->findings;
	if (findings->redirect.dead_end)
		pv_dead_ends_keep(entry->database, visit->id,
		    findings->redirect.dead_end,
		    pv_buf_str(&findings->redirect.moved_to));
	else if (findings->redirect.moved_to.len &&
		 (visit->is_repeated || entry->record->is_in_update))
		pv_page_marks_unset_dead_end(entry->database, visit->id);
}

/* An error may pass. */
static bool is_redirect_no_more(const struct pv_sink_entry *entry)
{
	const struct pv_response *response = entry->page->response;
	if (!entry->record->is_in_update || !response ||
	    response->outcome != PV_OUTCOME_ANSWERED)
		return false;
	int status = response->http_status;
	return pv_http_class(status) == PV_HTTP_SUCCESS || status == 404 ||
	       status == 410 || entry->record->findings->redirect.dead_end;
}

/* Whether it leads elsewhere than before. */
static bool turn(const struct book *book, const struct pv_sink_entry *entry)
{
	const struct pv_findings *findings = entry->record->findings;
	bool is_one =
	    findings->redirect.moved_to.len && !findings->redirect.dead_end;
	if (!is_one && !is_redirect_no_more(entry))
		return false;
	struct pv_fingerprint fingerprint = pv_frontier_fingerprint(
	    entry->record->frontier, entry->record->url);
	return is_one ? pv_redirects_keep(&book->redirects, fingerprint,
			    pv_buf_str(&findings->redirect.moved_to))
		      : pv_redirects_drop(&book->redirects, fingerprint);
}

/* What links lead to then is another matter for all documents. */
static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	const struct book *book = book_of(sink);
	if (!entry->record)
		return true;
	note_dead_end(entry);
	if (turn(book, entry) && book->is_rewritten)
		atomic_store(&book->linking->has_kept, true);
	return true;
}

const struct pv_sink_kind pv_consumer_redirects = {
    .name = "redirects",
    .open = open_redirects,
    .append = append,
    .close = close_redirects,
};
