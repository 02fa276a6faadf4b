#include "crawl/shard/inbound.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/reader.h"
#include "crawl/conductor.h"
#include "crawl/run/seed_redirect.h"
#include "reading/handed.h"
#include "sink/outbound.h"
#include "sink/outbound_line.h"

#define BATCH 500
#define BATCH_BYTES ((size_t)4 << 20)

/* Faults beyond so many are only counted. */
#define TOLD_MAX 20

/* Opening */

static bool fail(const char *path, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR("--inbound"),
	    "cannot be read: %s", strerror(errno));
	return false;
}

static void add_path(struct pv_inbound *inbound, struct pv_buf *path)
{
	*PV_ARRAY_PUSH(inbound->paths, inbound->path_count,
	    inbound->path_size) = pv_buf_take(path);
}

/* A crawl has no such file as long as it has found nothing for this shard. */
static void add_of_directory(struct pv_crawl *crawl, const char *directory)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/" PV_OUTBOUND_DIRECTORY "/%u.jsonl",
	    directory, (unsigned)crawl->reading.shard.number);
	if (access(pv_buf_text(&path), F_OK) == 0)
		add_path(&crawl->inbound, &path);
	else
		pv_buf_finish(&path);
}

static bool add_named(
    struct pv_crawl *crawl, const char *named, struct pv_why *why)
{
	struct pv_buf path;
	struct stat facts;
	if (stat(named, &facts) != 0 || access(named, R_OK) != 0)
		return fail(named, why);
	if (S_ISDIR(facts.st_mode)) {
		add_of_directory(crawl, named);
		return true;
	}
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_text(&path, named);
	add_path(&crawl->inbound, &path);
	return true;
}

bool pv_inbound_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_inbound *inbound = &crawl->inbound;
	bool is_there = true;
	pv_buf_init(&inbound->text, PV_OUTBOUND_LINE_MAX);
	pv_buf_init(&inbound->widened, SIZE_MAX);
	pv_url_init(&inbound->url, PV_SEED_ADDRESS_MAX);
	pv_link_list_init(&inbound->report.links, BATCH_BYTES);
	for (size_t i = 0; is_there && i < crawl->options.inbound_count; i++)
		is_there = add_named(crawl, crawl->options.inbound[i], why);
	crawl->options.inbound = NULL;
	inbound->is_done = !inbound->path_count;
	return is_there;
}

void pv_inbound_finish(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (inbound->file)
		fclose(inbound->file);
	for (size_t i = 0; i < inbound->path_count; i++)
		free(inbound->paths[i]);
	free(inbound->paths);
	pv_buf_finish(&inbound->text);
	pv_buf_finish(&inbound->widened);
	pv_url_finish(&inbound->url);
	pv_link_list_finish(&inbound->report.links);
}

/* Lines */

static void refuse(struct pv_crawl *crawl, const char *fault)
{
	struct pv_inbound *inbound = &crawl->inbound;
	inbound->faults++;
	if (inbound->told++ >= TOLD_MAX)
		return;
	pv_log(&crawl->log, PV_LOG_WARNING,
	    "%s:%llu: this line is left out: %s",
	    inbound->paths[inbound->number], (unsigned long long)inbound->line,
	    fault);
}

/* Takes a line into the buffer; what is beyond its ceiling is passed over.
 * False at the end. */
static bool take_line(struct pv_inbound *inbound)
{
	int byte = EOF;
	bool has_any = false;
	pv_buf_clear(&inbound->text);
	inbound->line++;
	while ((byte = getc_unlocked(inbound->file)) != EOF && byte != '\n') {
		has_any = true;
		pv_buf_append_char(&inbound->text, (char)byte);
	}
	inbound->is_whole = byte == '\n';
	return has_any || inbound->is_whole;
}

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
	if (inbound->text.is_full) {
		refuse(crawl, "it is longer than any that a crawl writes");
		return;
	}
	const char *fault =
	    pv_outbound_line_read(&read, pv_buf_str(&inbound->text));
	if (!fault)
		fault = add(crawl, &read);
	if (fault)
		refuse(crawl, fault);
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
static bool may_widen(const struct pv_inbound *inbound)
{
	const char *line = pv_buf_text(&inbound->text);
	return inbound->is_whole && !inbound->text.is_full &&
	       strstr(line, "\"depth\":0") && !strstr(line, "\"entry\"");
}

static void widen_by_line(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_outbound_line read;
	const char *fault =
	    pv_outbound_line_read(&read, pv_buf_str(&inbound->text));
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

void pv_inbound_widen(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	for (size_t i = 0; i < inbound->path_count; i++) {
		inbound->file = fopen(inbound->paths[i], "re");
		while (inbound->file && take_line(inbound)) {
			if (may_widen(inbound))
				widen_by_line(crawl);
		}
		if (inbound->file)
			fclose(inbound->file);
		inbound->file = NULL;
	}
}

void pv_inbound_note_widened(struct pv_crawl *crawl)
{
	note(&crawl->inbound.noting, crawl->store->database);
	pv_buf_clear(&crawl->inbound.widened);
}

/* Files */

/* Opens the next file that can be opened; false if there is none. */
static bool open_next(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	for (; inbound->number < inbound->path_count; inbound->number++) {
		const char *path = inbound->paths[inbound->number];
		inbound->file = fopen(path, "re");
		inbound->line = 0;
		inbound->told = 0;
		if (inbound->file)
			return true;
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: its addresses are left out: %s", path,
		    strerror(errno));
	}
	return false;
}

static void close_file(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	const char *path = inbound->paths[inbound->number++];
	if (ferror(inbound->file))
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: cannot be read further than line %llu", path,
		    (unsigned long long)inbound->line);
	if (inbound->told > TOLD_MAX)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: %llu more lines are left out", path,
		    (unsigned long long)(inbound->told - TOLD_MAX));
	fclose(inbound->file);
	inbound->file = NULL;
}

static void step_file(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (!take_line(inbound)) {
		close_file(crawl);
	} else if (!inbound->is_whole) {
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s:%llu: the last line has no end, since it was being "
		    "written: it is left out",
		    inbound->paths[inbound->number],
		    (unsigned long long)inbound->line);
		close_file(crawl);
	} else if (inbound->text.len) {
		read_line(crawl);
	}
}

/* Fills a batch; whether there is anything in it. */
static bool gather(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	struct pv_link_list *links = &inbound->report.links;
	for (size_t lines = 0;
	     lines < BATCH && pv_link_list_bytes(links) < BATCH_BYTES / 4;
	     lines++) {
		if (!inbound->file && !open_next(crawl))
			break;
		step_file(crawl);
	}
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
	pv_log(&crawl->log, PV_LOG_INFO,
	    "other shards: %llu addresses were read, %llu lines left out",
	    (unsigned long long)inbound->count,
	    (unsigned long long)inbound->faults);
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

/* Where a whole batch of lines was none the loop comes back at once. */
void pv_inbound_step(struct pv_crawl *crawl)
{
	struct pv_inbound *inbound = &crawl->inbound;
	if (inbound->is_done || inbound->under_way || crawl->halt.is_ending)
		return;
	pv_buf_clear(&inbound->widened);
	if (gather(crawl))
		give(crawl);
	else if (inbound->file || inbound->number < inbound->path_count)
		pv_wakeup_send(&crawl->wakeup);
	else
		end(crawl);
}
