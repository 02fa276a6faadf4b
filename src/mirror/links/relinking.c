#include "mirror/links/relinking.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "base/visible.h"
#include "mirror/files/extension.h"
#include "mirror/links/document_list.h"
#include "mirror/links/moved_links.h"
#include "mirror/links/relative.h"
#include "mirror/links/replacing.h"
#include "mirror/links/rewriter.h"
#include "mirror/links/stubs.h"
#include "mirror/links/targets.h"
#include "mirror/links/twins.h"

/* For so many another worker is worth it. */
#define WORKER_DOCUMENTS 32

struct worker {
	const struct pv_relinking_plan *plan;
	struct pv_document_list *list;
	struct pv_moved_book *book;
	int root;
	pthread_t thread;
	bool is_started;
	struct pv_targets *targets;
	struct pv_replacing *replacing;
	struct pv_replacing_faults faults;
	struct pv_rewriter rewriter;
	struct pv_target target;
	bool is_going;     /* the document */
	struct pv_url url; /* of it */
	struct pv_url other;
	struct pv_listed_document document;
	struct pv_buf place;  /* its directories there and here */
	struct pv_buf beside; /* the file that a relative link leads to */
	struct pv_buf text;
	struct stat status; /* of the file */
	uint64_t documents;
};

/* A link */

static enum pv_rewriting append_target(
    struct worker *worker, struct pv_buf *address)
{
	pv_relative_write(pv_buf_str(&worker->document.file),
	    pv_buf_str(&worker->target.file), address);
	pv_buf_append(address, pv_buf_str(&worker->target.fragment));
	if (worker->target.is_part)
		return PV_REWRITING_TO_PART;
	return worker->target.is_moved ? PV_REWRITING_TO_MOVED
				       : PV_REWRITING_TO_FILE;
}

/* What is in gone/ by now was linked to the others where it was. */
static bool was_in_site(struct worker *worker)
{
	static const char from[] = "gone/";
	static const char to[] = "site/";
	if (!pv_str_starts(pv_buf_str(&worker->beside), pv_str_of(from)))
		return false;
	memcpy(worker->beside.ptr, to, strlen(to));
	return true;
}

/* A relative link is mostly one that was made so before. Where its file has
 * gone, the address of that tells what it was about. */
static enum pv_rewriting relink_relative(
    struct worker *worker, struct pv_str text, struct pv_buf *address)
{
	size_t hash = pv_str_find(text, '#');
	pv_buf_clear(&worker->beside);
	if (!pv_relative_read(
		pv_buf_str(&worker->document.file), text, &worker->beside))
		return PV_REWRITING_NONE;
	bool is_stale = was_in_site(worker);
	struct pv_str beside = pv_buf_str(&worker->beside);
	if (pv_targets_has(worker->targets, beside) && !is_stale &&
	    !pv_targets_is_going(worker->targets, beside) && !worker->is_going)
		return PV_REWRITING_LOCAL;
	if (!pv_targets_address_of(worker->targets, beside, address))
		return PV_REWRITING_NONE;
	if (hash != PV_NOT_FOUND)
		pv_buf_append(address, pv_str_from(text, hash));
	bool is_moved =
	    !worker->is_going &&
	    pv_url_parse(&worker->other, pv_buf_str(address)) == PV_URL_OK &&
	    pv_targets_find(worker->targets, &worker->other, &worker->target);
	if (!is_moved)
		return PV_REWRITING_TO_ADDRESS;
	if (worker->target.is_moved)
		pv_buf_append(&worker->rewriter.named, pv_buf_str(address));
	pv_buf_clear(address);
	return append_target(worker, address);
}

static enum pv_rewriting relink(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	struct worker *worker = ctx;
	bool is_whole = pv_rewriter_is_whole(text);
	enum pv_rewriting rewriting =
	    is_whole ? PV_REWRITING_NONE
		     : relink_relative(worker, text, address);
	if (rewriting != PV_REWRITING_NONE)
		return rewriting;
	if (!worker->is_going &&
	    pv_targets_find(worker->targets, url, &worker->target))
		return append_target(worker, address);
	if (is_whole)
		return PV_REWRITING_NONE;
	pv_buf_append(address, pv_url_text(url));
	return PV_REWRITING_TO_ADDRESS;
}

/* A document */

static enum pv_file_read read_document(struct worker *worker)
{
	pv_buf_clear(&worker->text);
	return pv_file_read_at(worker->root,
	    pv_buf_text(&worker->document.file), &worker->status,
	    &worker->text);
}

static void note_fault(struct worker *worker)
{
	int error = errno;
	if (worker->faults.count++)
		return;
	worker->faults.error = error;
	pv_buf_append(&worker->faults.file, pv_buf_str(&worker->document.file));
}

/* Whose links are made whole is an exception among those that lie there. */
static struct pv_str place_of(struct worker *worker)
{
	struct pv_str file = pv_buf_str(&worker->document.file);
	pv_buf_clear(&worker->place);
	if (worker->is_going)
		return PV_STR("");
	pv_buf_append(&worker->place, pv_url_directory(&worker->url));
	pv_buf_append_char(&worker->place, '\n');
	pv_buf_append(
	    &worker->place, pv_str_head(file, pv_str_find_last(file, '/') + 1));
	return pv_buf_str(&worker->place);
}

static bool keep_moved(struct worker *worker)
{
	const struct pv_listed_document *document = &worker->document;
	return document->is_left ||
	       pv_moved_book_keep(worker->book, document->number,
		   &document->moved, worker->rewriter.has_known,
		   &worker->rewriter.moved);
}

/* Where the state could not be read nothing is known of a link: the document
 * stays as it is, and so do all that nobody has begun. */
static void rewrite(struct worker *worker, const struct pv_document *document)
{
	bool is_changed =
	    pv_rewriter_run(&worker->rewriter, document, relink, worker);
	if (pv_targets_fault(worker->targets)[0] || !keep_moved(worker))
		pv_document_list_cut(worker->list);
	else if (is_changed)
		pv_replacing_add(worker->replacing,
		    pv_buf_str(&worker->document.file),
		    pv_buf_str(&worker->rewriter.text));
}

/* One that is not there any more is missed by nobody here, and one that is too
 * large stays as it came. One that is on its way to another place gets whole
 * addresses, which are right in both, and none of the others leads to it any
 * more. */
static void relink_document(struct worker *worker)
{
	struct pv_document document = {
	    .kind = pv_document_kind_of(pv_buf_str(&worker->document.file)),
	    .url = &worker->url,
	};
	if (pv_url_parse(&worker->url, pv_buf_str(&worker->document.address)) !=
	    PV_URL_OK)
		return;
	enum pv_file_read read = read_document(worker);
	if (read == PV_FILE_FAILED && errno != ENOENT)
		note_fault(worker);
	if (read != PV_FILE_READ)
		return;
	worker->documents++;
	worker->is_going =
	    worker->document.is_left || pv_targets_is_going(worker->targets,
					    pv_buf_str(&worker->document.file));
	document.text = pv_buf_str(&worker->text);
	document.place = place_of(worker);
	document.moved = &worker->document.moved;
	rewrite(worker, &document);
}

/* Workers */

static bool open_worker(struct worker *worker, struct pv_why *why)
{
	const struct pv_relinking_plan *plan = worker->plan;
	pv_rewriter_init(&worker->rewriter, plan->link_max);
	pv_target_init(&worker->target);
	pv_url_init(&worker->url, plan->link_max);
	pv_url_init(&worker->other, plan->link_max);
	pv_listed_document_init(&worker->document);
	pv_buf_init(&worker->place, SIZE_MAX);
	pv_buf_init(&worker->beside, SIZE_MAX);
	pv_buf_init(&worker->text, PV_DOCUMENT_TEXT_MAX);
	pv_buf_init(&worker->faults.file, SIZE_MAX);
	const struct pv_targets_plan targets = {
	    .directory = plan->directory,
	    .root = worker->root,
	    .identity = plan->identity,
	    .kept = worker->list->kept,
	};
	worker->targets = pv_targets_open(&targets, why);
	return worker->targets;
}

static void tell_faults(
    const struct pv_replacing_faults *faults, struct pv_relinking *result)
{
	struct pv_buf text;
	result->failed += faults->count;
	if (!faults->count || result->fault[0])
		return;
	pv_buf_init(&text, sizeof(result->fault) - 1);
	pv_buf_append_format(&text, "%s: ", strerror(faults->error));
	pv_visible_append(&text, pv_buf_str(&faults->file));
	memcpy(result->fault, pv_buf_text(&text), text.len + 1);
	pv_buf_finish(&text);
}

/* What was looked up last counts as failed, whatever it was, so that nobody
 * takes all for linked. */
static void tell_state(const char *fault, struct pv_relinking *result)
{
	if (!fault[0])
		return;
	result->failed++;
	result->is_cut = true;
	if (!result->fault[0])
		snprintf(result->fault, sizeof(result->fault),
		    "cannot read the state of the mirror: %s", fault);
}

static void close_worker(struct worker *worker, struct pv_relinking *result)
{
	result->documents += worker->documents;
	tell_faults(&worker->faults, result);
	pv_buf_finish(&worker->faults.file);
	if (worker->targets)
		tell_state(pv_targets_fault(worker->targets), result);
	pv_targets_close(worker->targets);
	pv_rewriter_finish(&worker->rewriter);
	pv_target_finish(&worker->target);
	pv_url_finish(&worker->url);
	pv_url_finish(&worker->other);
	pv_listed_document_finish(&worker->document);
	pv_buf_finish(&worker->place);
	pv_buf_finish(&worker->beside);
	pv_buf_finish(&worker->text);
}

static void *run(void *ctx)
{
	struct worker *worker = ctx;
	while (pv_document_list_take(worker->list, &worker->document))
		relink_document(worker);
	return NULL;
}

static void start(struct worker *worker)
{
	worker->is_started =
	    pv_thread_start(&worker->thread, "relinking", run, worker);
}

static void write_stubs(const struct worker *worker)
{
	const struct pv_stubs stubs = {
	    .database = worker->list->database,
	    .targets = worker->targets,
	    .replacing = worker->replacing,
	    .root = worker->root,
	    .is_portable = worker->plan->is_portable,
	};
	if (!worker->list->is_cut)
		pv_stubs_write(&stubs);
}

static bool open_all(struct worker *workers, size_t count, struct pv_why *why)
{
	bool are_open = true;
	for (size_t i = 0; i < count; i++)
		are_open = open_worker(&workers[i], why) && are_open;
	return are_open;
}

/* The first of them works in the caller's thread, so that one is enough. */
static void run_all(struct worker *workers, size_t count)
{
	for (size_t i = 1; i < count; i++)
		start(&workers[i]);
	run(&workers[0]);
	for (size_t i = 1; i < count; i++) {
		if (workers[i].is_started)
			pthread_join(workers[i].thread, NULL);
	}
	write_stubs(&workers[0]);
}

static struct worker *create_workers(const struct pv_relinking_plan *plan,
    struct pv_document_list *list, struct pv_moved_book *book, size_t count,
    int root, struct pv_replacing *replacing)
{
	struct worker *workers = pv_alloc_array(count, sizeof(*workers));
	for (size_t i = 0; i < count; i++) {
		workers[i].plan = plan;
		workers[i].list = list;
		workers[i].book = book;
		workers[i].root = root;
		workers[i].replacing = replacing;
	}
	return workers;
}

static void end_replacing(
    struct pv_replacing *replacing, struct pv_relinking *result)
{
	struct pv_replacing_faults faults;
	result->changed = pv_replacing_end(replacing, &faults);
	tell_faults(&faults, result);
	pv_buf_finish(&faults.file);
}

/* As many as find something to do, with what it takes to begin. */
static size_t count_workers(
    const struct pv_relinking_plan *plan, const struct pv_document_list *list)
{
	size_t most = pv_kept_files_count(list->kept) / WORKER_DOCUMENTS + 1;
	return plan->threads < most ? plan->threads : most;
}

static bool relink_all(const struct pv_relinking_plan *plan, int root,
    struct pv_relinking *result, struct pv_why *why)
{
	struct pv_document_list list;
	if (!pv_twins_join(plan->directory, root, why))
		return false;
	bool is_open = pv_document_list_open(&list, plan->directory, why);
	list.is_enough = plan->is_enough;
	list.ctx = plan->ctx;
	if (is_open) {
		struct pv_replacing *replacing =
		    pv_replacing_create(root, "link");
		size_t count = count_workers(plan, &list);
		struct pv_moved_book *book =
		    pv_moved_book_create(plan->directory);
		struct worker *workers =
		    create_workers(plan, &list, book, count, root, replacing);
		is_open = open_all(workers, count, why);
		if (is_open)
			run_all(workers, count);
		for (size_t i = 0; i < count; i++)
			close_worker(&workers[i], result);
		end_replacing(replacing, result);
		free(workers);
		tell_state(pv_database_fault(list.database), result);
		tell_state(pv_moved_book_fault(book), result);
		pv_moved_book_destroy(book);
		result->is_cut = result->is_cut || list.is_cut;
	}
	pv_document_list_close(&list);
	return is_open;
}

bool pv_relinking_run(const struct pv_relinking_plan *plan,
    struct pv_relinking *result, struct pv_why *why)
{
	*result = (struct pv_relinking){.documents = 0};
	int root = open(plan->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0) {
		pv_why_add(why, (struct pv_place){.file = plan->directory},
		    PV_STR(""), "cannot be opened: %s", strerror(errno));
		return false;
	}
	bool is_done = relink_all(plan, root, result, why);
	unlinkat(root, PV_REPLACING_TEMPORARY, AT_REMOVEDIR);
	close(root);
	return is_done;
}
