#include "crawl/shard/inbound.h"

#include "base/reader.h"
#include "crawl/conductor.h"
#include "crawl/run/seed_redirect.h"
#include "reading/handed.h"
#include "sink/outbound_line.h"

#define BATCH 500
#define BATCH_BYTES ((size_t)4 << 20)

bool pv_inbound_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_inbound *inbound = &crawl->inbound;
	bool is_there = true;
	pv_inbound_files_init(&inbound->files);
	pv_buf_init(&inbound->widened, SIZE_MAX);
	pv_url_init(&inbound->url, PV_SEED_ADDRESS_MAX);
	pv_link_list_init(&inbound->report.links, BATCH_BYTES);
	for (size_t i = 0; is_there && i < crawl->options.inbound_count; i++)
		is_there = pv_inbound_files_add(&inbound->files,
		    crawl->options.inbound[i], crawl->reading.shard.number,
		    why);
	crawl->options.inbound = NULL;
	inbound->is_done = !inbound->files.count;
	return is_there;
}

void pv_inbound_finish(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	pv_inbound_files_finish(&inbound->files);
	pv_buf_finish(&inbound->widened);
	pv_url_finish(&inbound->url);
	pv_link_list_finish(&inbound->report.links);
}

/* Lines */

/* The number of its kind of page by this policy, if it has one. */
static const char *find_kind(const struct pv_crawl *crawl, struct pv_str name,
    struct pv_standing *standing)
{
	const struct pv_pages *pages = &crawl->policy->pages;
	if (!name.len || standing->use != PV_PAGE)
		return NULL;
	size_t number = pv_pages_find(pages, name);
	if (number == pages->count)
		return "the policy has no such kind of page";
	standing->kind = (uint8_t)(number + 1);
	return NULL;
}

/* From now on, and in later runs, what lies below it is in scope. */
static void widen(struct pv_crawl *crawl, const struct pv_handed *handed)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (!pv_handed_widens(handed))
		return;
	pv_scope_add_redirect(crawl->reading.scope, handed->url);
	pv_buf_append(&inbound->widened, pv_url_page(handed->url));
	pv_buf_append_char(&inbound->widened, '\n');
}

static const char *add(
    struct pv_crawl *crawl, const struct pv_outbound_line *read)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_handed handed = {
	    .url = &inbound->url,
	    .standing = read->link.standing,
	    .tag = read->link.tag,
	    .carry = read->link.carry,
	    .lastmod_wall_ms = read->link.lastmod_wall_ms,
	    .wall_ms = crawl->now.wall_ms,
	};
	const char *fault = pv_seed_parse(&inbound->url, read->link.url);
	if (!fault && pv_url_has_credentials(&inbound->url))
		fault = "its url has a user name or a password";
	if (!fault)
		fault = find_kind(crawl, read->kind, &handed.standing);
	if (fault)
		return fault;
	widen(crawl, &handed);
	if (!pv_handed_add(&crawl->reading, &handed, &inbound->report.links))
		return "it is too long";
	inbound->count++;
	return NULL;
}

static void read_line(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_outbound_line read;
	const char *fault =
	    pv_outbound_line_read(&read, pv_buf_str(&inbound->files.text));
	if (!fault)
		fault = add(crawl, &read);
	if (fault) {
		inbound->faults++;
		pv_inbound_files_refuse(&inbound->files, fault);
	}
	pv_outbound_line_finish(&read);
}

static void note(struct pv_job *job, struct pv_database *database)
{
	const struct pv_inbound *inbound =
	    (struct pv_inbound *)((char *)job -
				  offsetof(struct pv_inbound, noting));
	struct pv_reader reader = pv_reader_of(pv_buf_str(&inbound->widened));
	while (!pv_reader_is_end(&reader))
		pv_seed_redirect_keep(database, pv_reader_take_line(&reader));
}

/* Seeds of other shards, ahead of all else */

/* Most lines need not be read for that. */
static bool may_widen(const struct pv_buf *text)
{
	const char *line = pv_buf_text(text);
	return strstr(line, "\"depth\":0") && !strstr(line, "\"entry\"");
}

static void widen_by_line(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_outbound_line read;
	const char *fault =
	    pv_outbound_line_read(&read, pv_buf_str(&inbound->files.text));
	const struct pv_handed handed = {
	    .url = &inbound->url, .standing = read.link.standing};
	if (!fault)
		fault = pv_seed_parse(&inbound->url, read.link.url);
	if (!fault && !pv_url_has_credentials(&inbound->url)) {
		pv_crawl_identity_apply(
		    &crawl->reading.sameness.identity, &inbound->url);
		if (!pv_seed_redirect_is_kept(
			crawl->store->database, pv_url_page(&inbound->url)))
			widen(crawl, &handed);
	}
	pv_outbound_line_finish(&read);
}

/* What is wrong in the files is told when all of it is read. */
void pv_inbound_widen(struct pv_crawl *crawl)
{
	struct pv_inbound_files *files = &crawl->inbound.files;
	enum pv_inbound_step step;
	while ((step = pv_inbound_files_next(files)) != PV_INBOUND_END) {
		if (step == PV_INBOUND_LINE && may_widen(&files->text))
			widen_by_line(crawl);
	}
	pv_inbound_files_rewind(files);
	files->log = &crawl->log;
}

void pv_inbound_note_widened(struct pv_crawl *crawl)
{
	note(&crawl->inbound.noting, crawl->store->database);
	pv_buf_clear(&crawl->inbound.widened);
}

/* Batches */

/* Fills a batch; whether there is anything in it. */
static bool gather(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_link_list *links = &inbound->report.links;
	enum pv_inbound_step step = PV_INBOUND_NOTHING;
	for (size_t lines = 0; lines < BATCH && step != PV_INBOUND_END &&
			       pv_link_list_bytes(links) < BATCH_BYTES / 4;
	     lines++) {
		step = pv_inbound_files_next(&inbound->files);
		if (step == PV_INBOUND_LINE)
			read_line(crawl);
	}
	inbound->is_read = step == PV_INBOUND_END;
	return links->count > 0;
}

/* The last of both has the next batch read. */
static void on_noted(struct pv_job *job, enum pv_store_status status)
{
	struct pv_inbound *inbound =
	    (struct pv_inbound *)((char *)job -
				  offsetof(struct pv_inbound, noting));
	(void)status; /* its report has the same */
	inbound->under_way--;
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	struct pv_crawl *crawl = report->ctx;
	pv_outbox_came_back(&crawl->outbox);
	crawl->inbound.under_way--;
	pv_link_list_clear(&report->links);
	pv_halt_note_status(crawl, status);
}

static void end(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	inbound->is_done = true;
	if (inbound->is_full)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "other shards: limits.known is reached and addresses were "
		    "left out; to take them: --set limits.known=none with the "
		    "same --inbound");
	pv_log(&crawl->log, PV_LOG_INFO,
	    "other shards: %llu addresses were read, %llu lines left out",
	    (unsigned long long)inbound->count,
	    (unsigned long long)inbound->faults);
}

static bool has_room(void *ctx, const struct pv_link *link)
{
	struct pv_inbound *inbound = ctx;
	(void)link;
	if (!inbound->room)
		return false;
	inbound->room--;
	return true;
}

static void give(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	bool has_note = inbound->widened.len > 0;
	inbound->under_way = has_note ? 2 : 1;
	inbound->noting = (struct pv_job){.run = note,
	    .done = on_noted,
	    .rows = 1,
	    .bytes = inbound->widened.len};
	inbound->report.kind = PV_REPORT_LINKS;
	inbound->report.with = has_note ? &inbound->noting : NULL;
	inbound->report.done = on_reported;
	inbound->report.ctx = crawl;
	pv_outbox_give(&crawl->outbox, PV_PAPER_REPORT, &inbound->report,
	    pv_crawl_now(crawl));
}

/* Seeds may be any number, since a policy has only so many; what others have
 * found counts as links do. What is left out comes with the next start. */
static void leave_out(struct pv_crawl *crawl, uint64_t known)
{
	struct pv_inbound *inbound = &crawl->inbound;
	uint64_t most = (uint64_t)crawl->policy->limits.known;
	inbound->room = known < most ? most - known : 0;
	if (inbound->report.links.count <= inbound->room)
		return;
	pv_link_list_keep(&inbound->report.links, has_room, inbound);
	inbound->is_full = true;
}

static void on_count(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct pv_crawl *crawl = request->ctx;
	uint64_t known = 0;
	pv_outbox_came_back(&crawl->outbox);
	pv_halt_note_status(crawl, status);
	for (unsigned i = 0; i < PV_STATE_COUNT; i++)
		known += request->counts.states[i];
	crawl->inbound.under_way = 0;
	if (status != PV_STORE_OK || crawl->halt.is_ending)
		return; /* the next start reads it again */
	leave_out(crawl, known);
	give(crawl);
}

/* Where the number of addresses is limited, first it is asked how many are
 * known. */
static void count_and_give(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (crawl->policy->limits.known == PV_NONE) {
		give(crawl);
		return;
	}
	inbound->under_way = 1;
	inbound->counting =
	    (struct pv_count_request){.done = on_count, .ctx = crawl};
	pv_outbox_give(&crawl->outbox, PV_PAPER_COUNT_REQUEST,
	    &inbound->counting, pv_crawl_now(crawl));
}

/* Where a whole batch of lines was none the loop comes back at once. */
void pv_inbound_step(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (inbound->is_done || inbound->under_way || crawl->halt.is_ending)
		return;
	pv_buf_clear(&inbound->widened);
	if (inbound->is_full)
		end(crawl);
	else if (gather(crawl))
		count_and_give(crawl);
	else if (inbound->is_read)
		end(crawl);
	else
		pv_wakeup_send(&crawl->wakeup);
}
