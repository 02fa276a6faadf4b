#ifndef PAVANE_SERVE_JOBS_RESULT_LENGTHS_H
#define PAVANE_SERVE_JOBS_RESULT_LENGTHS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* How much of files of crawls is committed, asked for by many who read the same one
 * at the same news: the state is looked at once for all of them. */
#define PV_RESULT_LENGTHS 64

struct pv_result_lengths {
	pthread_mutex_t mutex;
	struct pv_result_length {
		struct pv_buf path;
		uint64_t
		    news; /* the number of the last when it was looked at */
		uint64_t length;
	} items[PV_RESULT_LENGTHS];
	size_t next; /* the place of the next that is new */
};

void pv_result_lengths_init(struct pv_result_lengths *lengths);
void pv_result_lengths_finish(struct pv_result_lengths *lengths);

/* As of those news, or later. */
uint64_t pv_result_lengths_get(struct pv_result_lengths *lengths,
    const char *directory, const char *file, uint64_t news);

/* As of now. */
uint64_t pv_result_length_now(const char *directory, const char *file);

#endif
