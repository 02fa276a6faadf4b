#ifndef PAVANE_MIRROR_UPDATE_GONE_FILES_H
#define PAVANE_MIRROR_UPDATE_GONE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/writer.h"

/* What becomes of the files of pages that an update has found gone, once the
 * update is complete: they are moved from site/ to gone/, or deleted, or
 * nothing of the kind (output.mirror.gone).
 *
 * Never do so many go at once that somebody must have made a mistake: if they
 * are more than output.mirror.shrink_alarm of the mirror, none goes. One alone
 * raises no alarm, unless nothing would be left.
 *
 * The table gone_files has a row for each file that is in gone/, or on its way
 * there, or would be if it were not deleted: the linking of documents finds in
 * it which address was in which file. It is committed before anything is moved,
 * and what `copies` says of the place is committed after that. So the process
 * may end at any instant: done once more, it goes on where it was, and finds
 * moved what was. Where a page has come back and is in site/ again, what is in
 * gone/ of it goes.
 *
 * Nothing that goes wrong with a file is a fault of the crawl's: it stays where
 * it is, and is tried again the next time. Used on the writer's thread, in its
 * transactions.
 */
struct pv_gone_files;
struct pv_output;

struct pv_gone_figures {
	uint64_t files; /* in site/, as the state knows */
	uint64_t going; /* that are to go */
	bool is_alarm;  /* and do not, being too many */
	uint64_t moved;
	uint64_t deleted;
	uint64_t failed;
	char fault[240]; /* with the first that failed, in words */
};

/* The directory is the crawl's; both are needed for the call only. */
struct pv_gone_files *pv_gone_files_create(
    const char *directory, const struct pv_output *output);

/* NULL is fine. */
void pv_gone_files_destroy(struct pv_gone_files *gone);

/* First: decides which go; whether there is anything to be done. What is
 * decided about very many may be cut between two transactions: a crawl that
 * ends in between decides anew. */
bool pv_gone_files_decide(struct pv_gone_files *gone, struct pv_writer *writer);

/* Once that is committed, and time and again: moves some; whether there may be
 * more. What was done holds when this is committed. */
bool pv_gone_files_step(
    struct pv_gone_files *gone, struct pv_database *database);

const struct pv_gone_figures *pv_gone_files_figures(
    const struct pv_gone_files *gone);

/* Removes the files in which addresses were kept before they got another name
 * (the table left_files), once no link leads to one any more. What cannot be
 * removed is tried again the next time. Outside of a transaction: it makes
 * some, so that the write-ahead log stays short however many files there
 * are. */
void pv_left_files_remove(struct pv_database *database, const char *directory);

#endif
