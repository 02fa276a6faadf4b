#include "mirror/update/gone_files.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/visible.h"
#include "mirror/update/gone_tree.h"
#include "policy/policy.h"
#include "store/tables/file_moves.h"
#include "store/wal.h"

/* Files of a step: a signal waits for no more than them. */
#define BATCH 500

/* The same of files that were left: each may change pages of the state of its
 * own. */
#define LEFT_BATCH 1000

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

static bool is_too_many(const struct pv_gone_figures *figures, int64_t alarm)
{
	bool is_one_of_some = figures->going == 1 && figures->files > 1;
	if (alarm == PV_NONE || !figures->going || is_one_of_some)
		return false;
	return figures->going * 100 > figures->files * (uint64_t)alarm;
}

bool pv_gone_files_decide(struct pv_gone_files *gone, struct pv_writer *writer)
{
	struct pv_gone_figures *figures = &gone->figures;
	struct pv_database *database = writer->database;
	if (!pv_file_moves_have_gone(database))
		return false;
	if (gone->choice != PV_GONE_KEEP)
		pv_file_moves_count(database, &figures->files, &figures->going);
	figures->is_alarm = is_too_many(figures, gone->alarm);
	gone->are_going = figures->going && !figures->is_alarm;
	if (gone->are_going)
		pv_file_moves_plan(writer);
	return pv_file_moves_are_planned(database);
}

/* Taking some in hand */

static struct pv_buf copy_of(struct pv_str text)
{
	struct pv_buf copy;
	pv_buf_init(&copy, text.len);
	pv_buf_append(&copy, text);
	return copy;
}

static void take_one(void *ctx, const struct pv_file_move *move)
{
	struct pv_gone_files *gone = ctx;
	gone->items[gone->count++] = (struct item){
	    .address = move->address,
	    .from = copy_of(move->from),
	    .to = copy_of(move->to),
	    .may_go = move->may_go,
	};
	gone->last = move->address;
}

static void take(struct pv_gone_files *gone, struct pv_database *database)
{
	const struct pv_file_step step = {
	    .is_back = !gone->are_back_done,
	    .after = gone->last,
	    .max = BATCH,
	};
	gone->count = 0;
	pv_file_moves_each(database, &step, take_one, gone);
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
	    error == ELOOP ? "it is a symbolic link, which is not followed"
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

static void write_down(struct pv_gone_files *gone, struct pv_database *database)
{
	for (size_t i = 0; i < gone->count; i++) {
		const struct item *item = &gone->items[i];
		if (item->is_moved)
			pv_file_moves_set_file(
			    database, item->address, pv_buf_str(&item->to));
		if (item->is_nowhere)
			pv_file_moves_set_file(
			    database, item->address, PV_STR(""));
		if (item->is_back)
			pv_file_moves_forget(database, item->address);
	}
}

/* What is not known to be on the disk is not said to be there: it is found
 * there the next time. */
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
	take(gone, database);
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

/* Files that were left */

/* What is behind that file; false after the last. */
static bool remove_some(struct pv_database *database, struct pv_gone_tree *tree,
    struct pv_buf *file)
{
	size_t count = 0;
	pv_database_begin(database);
	while (count < LEFT_BATCH && pv_file_moves_next_left(database, file)) {
		int error = pv_gone_tree_remove(tree, pv_buf_str(file));
		if (!error || error == ENOENT)
			pv_file_moves_forget_left(database, pv_buf_str(file));
		count++;
	}
	return pv_database_commit(database) && count == LEFT_BATCH;
}

void pv_left_files_remove(struct pv_database *database, const char *directory)
{
	struct pv_gone_tree *tree = pv_gone_tree_create(directory);
	struct pv_buf file;
	pv_buf_init(&file, SIZE_MAX);
	pv_file_moves_keep_shared(database);
	while (remove_some(database, tree, &file))
		pv_wal_fold(database);
	pv_buf_finish(&file);
	pv_gone_tree_destroy(tree);
}
