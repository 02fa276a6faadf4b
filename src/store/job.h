#ifndef PAVANE_STORE_JOB_H
#define PAVANE_STORE_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "store/database.h"

/* A piece of work for the writer: part of a larger struct of the sender.
 *
 * It is the writer's from when it is sent until `done`, which is called on the
 * sender's thread, once for each job, and makes it the sender's again.
 */
struct pv_job {
	/* Jobs that are sent as a chain are never parted by a commit, unless
	 * the one before says that it may be. */
	struct pv_job *next;
	bool may_be_parted; /* by a commit, from those behind it */

	/* On the writer's thread, in a transaction; what goes wrong is left in
	 * the database. */
	void (*run)(struct pv_job *job, struct pv_database *database);

	/* What became of the transaction, or with `is_answered_at_once` of the
	 * job alone. */
	void (*done)(struct pv_job *job, enum pv_store_status status);

	size_t rows;  /* that it changes, about; `run` may add to it what was
			 not known before */
	size_t pages; /* of the file that it may change at most, about, beside
			 those of jobs before it; `run` may set it. 0: as many
			 as its rows let expect (store/wal.h) */
	size_t bytes; /* that it holds, with what the answer will hold */
	bool is_answered_at_once;

	/* the writer's own */
	enum pv_store_status status;
	bool is_joined; /* with the next */
};

#endif
