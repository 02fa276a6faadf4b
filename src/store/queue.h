#ifndef PAVANE_STORE_QUEUE_H
#define PAVANE_STORE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

struct pv_job;

/* Jobs on their way from one thread to another, in order.
 *
 * It has no ceiling of its own: the sender counts what it has sent and not got
 * back (store/writer.h), which bounds both ways at once.
 */
struct pv_queue {
	pthread_mutex_t mutex;
	pthread_cond_t is_ready;
	struct pv_job *first;
	struct pv_job **end;
	bool is_closed;
};

void pv_queue_init(struct pv_queue *queue);
void pv_queue_finish(struct pv_queue *queue);

/* Gives a chain of jobs; whether the queue was empty before. */
bool pv_queue_push(struct pv_queue *queue, struct pv_job *jobs);

/* Takes all jobs as a chain; NULL if there are none. */
struct pv_job *pv_queue_take(struct pv_queue *queue);

/* Waits for jobs and takes them; NULL when the queue is closed and empty. */
struct pv_job *pv_queue_wait(struct pv_queue *queue);

/* Nothing more will come. */
void pv_queue_close(struct pv_queue *queue);

#endif
