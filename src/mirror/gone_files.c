#include "mirror/gone_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/visible.h"
#include "mirror/gone_tree.h"
#include "policy/policy.h"
#include "store/statement.h"

/* Files of a step: a signal waits for no more than them. */
#define BATCH 500

#define IN_SITE "copies.file >= 'site/' AND copies.file < 'site0'"

/* A crawl that never heard of anything gone need not be looked through. */
static const char any_sql[] = "SELECT EXISTS(SELECT 1 FROM rounds WHERE gone > "
			      "0)";

/* As far as was heard of them last: it was nothing else since. */
#define IS_GONE "(is_gone AND NOT has_failed)"

static const char count_sql[] =
    "SELECT count(*), total" IS_GONE " FROM copies WHERE " IN_SITE;

/* Addresses that differ in credentials alone share a file, which stays as long as
 * one of them is there. */
static const char plan_sql[] =
    "INSERT OR REPLACE INTO gone_files(address, file) "
    "SELECT address, 'gone/' || substr(file, 6) FROM copies "
    "WHERE " IS_GONE " AND " IN_SITE " AND file NOT IN (SELECT file FROM "
    "copies WHERE NOT " IS_GONE
    " AND file IN (SELECT file FROM copies WHERE " IS_GONE " AND " IN_SITE "))";

/* Of each: the address, where it is (going), or where its page is by now
 * (back), the place in gone/, and whether it may go. */
static const char going_sql[] =
    "SELECT address, copies.file, gone_files.file, NOT has_failed FROM "
    "gone_files JOIN copies USING(address) WHERE address > ?1 AND is_gone AND " IN_SITE
    " ORDER BY address LIMIT ?2";

static const char back_sql[] =
    "SELECT address, copies.file, gone_files.file, 0 FROM gone_files JOIN "
    "copies USING(address) WHERE address > ?1 AND NOT is_gone AND " IN_SITE
    " AND gone_files.file NOT IN (SELECT gone_files.file FROM gone_files JOIN "
    "copies USING(address) WHERE is_gone) ORDER BY address LIMIT ?2";

static const char place_sql[] = "UPDATE copies SET file = ?2 WHERE address = "
				"?1";

static const char forget_sql[] = "DELETE FROM gone_files WHERE address = ?1";

/* A file, as long as it is in hand. */
struct item {
	int64_t address;
	struct pv_buf from; /* in site/ */
	struct pv_buf to;   /* in gone/ */
	bool may_go;
	bool is_moved; /* to there */
	bool is_nowhere;
	bool is_back; /* and nothing of it is in gone/ */
};

struct pv_gone_files {
	struct pv_gone_tree *tree;
	int choice; /* enum pv_gone */
	int64_t alarm;
	bool are_going;     /* decided */
	bool are_back_done; /* those whose pages are back */
	int64_t last;       /* address that was in hand */
	struct pv_gone_figures figures;
	struct item items[BATCH];
	size_t count;
};

struct pv_gone_files *pv_gone_files_create(
    const char *directory, const struct pv_output *output)
{
	struct pv_gone_files *gone = pv_alloc(sizeof(*gone));
	gone->tree = pv_gone_tree_create(directory);
	gone->choice = output->mirror.gone;
	gone->alarm = output->mirror.shrink_alarm;
	return gone;
}

void pv_gone_files_destroy(struct pv_gone_files *gone)
{
	if (!gone)
		return;
	pv_gone_tree_destroy(gone->tree);
	free(gone);
}

const struct pv_gone_figures *pv_gone_files_figures(
    const struct pv_gone_files *gone)
{
	return &gone->figures;
}

/* Deciding */

static void count(struct pv_gone_figures *figures, struct pv_database *database)
{
	struct pv_statement *row = pv_statement_create(database, count_sql);
	if (pv_statement_step(row)) {
		figures->files = (uint64_t)pv_statement_number(row, 0);
		figures->going = (uint64_t)pv_statement_number(row, 1);
	}
	pv_statement_destroy(row);
}

static bool is_too_many(const struct pv_gone_figures *figures, int64_t alarm)
{
	bool is_one_of_some = figures->going == 1 && figures->files > 1;
	if (alarm == PV_NONE || !figures->going || is_one_of_some)
		return false;
	return figures->going * 100 > figures->files * (uint64_t)alarm;
}

bool pv_gone_files_decide(
    struct pv_gone_files *gone, struct pv_database *database)
{
	struct pv_gone_figures *figures = &gone->figures;
	if (!pv_database_number(database, any_sql))
		return false;
	if (gone->choice != PV_GONE_KEEP)
		count(figures, database);
	figures->is_alarm = is_too_many(figures, gone->alarm);
	gone->are_going = figures->going && !figures->is_alarm;
	if (gone->are_going)
		pv_database_run(database, plan_sql);
	return pv_database_number(
		   database, "SELECT EXISTS(SELECT 1 FROM gone_files)") > 0;
}

/* Taking some in hand */

static struct pv_buf copy_of(struct pv_str text)
{
	struct pv_buf copy;
	pv_buf_init(&copy, text.len);
	pv_buf_append(&copy, text);
	return copy;
}

static void take(
    struct pv_gone_files *gone, struct pv_database *database, const char *sql)
{
	struct pv_statement *row = pv_statement_create(database, sql);
	pv_statement_bind(row, 1, gone->last);
	pv_statement_bind(row, 2, BATCH);
	gone->count = 0;
	while (gone->count < BATCH && pv_statement_step(row))
		gone->items[gone->count++] = (struct item){
		    .address = pv_statement_number(row, 0),
		    .from = copy_of(pv_statement_text(row, 1)),
		    .to = copy_of(pv_statement_text(row, 2)),
		    .may_go = pv_statement_number(row, 3) != 0,
		};
	if (gone->count)
		gone->last = gone->items[gone->count - 1].address;
	pv_statement_destroy(row);
}

static void drop(struct pv_gone_files *gone)
{
	for (size_t i = 0; i < gone->count; i++) {
		pv_buf_finish(&gone->items[i].from);
		pv_buf_finish(&gone->items[i].to);
	}
	gone->count = 0;
}

static void fail(
    struct pv_gone_figures *figures, int error, const struct pv_buf *path)
{
	struct pv_buf fault;
	if (figures->failed++)
		return;
	pv_buf_init(&fault, sizeof(figures->fault) - 1);
	pv_buf_append_format(&fault, "%s: ",
	    error == ELOOP ? "it is a symbolic link, and not followed"
			   : strerror(error));
	pv_visible_append(&fault, pv_buf_str(path));
	memcpy(figures->fault, pv_buf_text(&fault), fault.len + 1);
	pv_buf_finish(&fault);
}

/* What is nowhere is not asked about again. */
static void move(struct pv_gone_files *gone, struct item *item)
{
	int error = pv_gone_tree_move(
	    gone->tree, pv_buf_str(&item->from), pv_buf_str(&item->to));
	item->is_moved = !error;
	item->is_nowhere = error == ENOENT;
	if (error && error != ENOENT)
		fail(&gone->figures, error, &item->from);
	gone->figures.moved += !error;
}

/* What was moved, before the policy was another, is not deleted. */
static void remove_one(struct pv_gone_files *gone, struct item *item)
{
	int error = pv_gone_tree_remove(gone->tree, pv_buf_str(&item->from));
	item->is_moved = error == ENOENT &&
			 pv_gone_tree_has(gone->tree, pv_buf_str(&item->to));
	item->is_nowhere = !item->is_moved && (!error || error == ENOENT);
	if (error && error != ENOENT)
		fail(&gone->figures, error, &item->from);
	gone->figures.deleted += !error;
}

/* What is to stay by now may have been moved before that was said. */
static void find(struct pv_gone_files *gone, struct item *item)
{
	item->is_moved =
	    !pv_gone_tree_has(gone->tree, pv_buf_str(&item->from)) &&
	    pv_gone_tree_has(gone->tree, pv_buf_str(&item->to));
}

/* What is in gone/ is not needed any more, if the page is there indeed. */
static void clear(struct pv_gone_files *gone, struct item *item)
{
	if (!pv_gone_tree_has(gone->tree, pv_buf_str(&item->from)))
		return;
	int error = pv_gone_tree_remove(gone->tree, pv_buf_str(&item->to));
	item->is_back = !error || error == ENOENT;
	if (!item->is_back)
		fail(&gone->figures, error, &item->to);
}

/* Writing down what was done */

static void run(struct pv_database *database, const char *sql, int64_t address,
    const struct pv_buf *file)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	pv_statement_bind(statement, 1, address);
	if (file && file->len)
		pv_statement_bind_text(statement, 2, pv_buf_str(file));
	else if (file)
		pv_statement_bind_null(statement, 2);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

static void write_down(struct pv_gone_files *gone, struct pv_database *database)
{
	const struct pv_buf nowhere = {.len = 0};
	for (size_t i = 0; i < gone->count; i++) {
		const struct item *item = &gone->items[i];
		if (item->is_moved)
			run(database, place_sql, item->address, &item->to);
		if (item->is_nowhere)
			run(database, place_sql, item->address, &nowhere);
		if (item->is_back)
			run(database, forget_sql, item->address, NULL);
	}
}

/* What is not known to be on the disk is not said to be there: it is found there
 * the next time. */
static void settle(struct pv_gone_files *gone, struct pv_database *database)
{
	int error = pv_gone_tree_sync(gone->tree);
	if (error && gone->count)
		fail(&gone->figures, error, &gone->items[0].to);
	else
		write_down(gone, database);
	drop(gone);
}

static void go(struct pv_gone_files *gone)
{
	for (size_t i = 0; i < gone->count; i++) {
		struct item *item = &gone->items[i];
		if (!gone->are_back_done)
			clear(gone, item);
		else if (!gone->are_going || !item->may_go)
			find(gone, item);
		else if (gone->choice == PV_GONE_DELETE)
			remove_one(gone, item);
		else
			move(gone, item);
	}
}

bool pv_gone_files_step(
    struct pv_gone_files *gone, struct pv_database *database)
{
	take(gone, database, gone->are_back_done ? going_sql : back_sql);
	bool is_last = gone->count < BATCH;
	go(gone);
	settle(gone, database);
	if (!is_last)
		return true;
	if (gone->are_back_done)
		return false;
	gone->are_back_done = true;
	gone->last = 0;
	return true;
}
