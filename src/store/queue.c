#include "store/queue.h"

#include "store/job.h"

void pv_queue_init(struct pv_queue *queue)
{
	*queue = (struct pv_queue){.end = &queue->first};
	pthread_mutex_init(&queue->mutex, NULL);
	pthread_cond_init(&queue->is_ready, NULL);
}

void pv_queue_finish(struct pv_queue *queue)
{
	pthread_cond_destroy(&queue->is_ready);
	pthread_mutex_destroy(&queue->mutex);
}

bool pv_queue_push(struct pv_queue *queue, struct pv_job *jobs)
{
	struct pv_job **end = &jobs->next;
	while (*end)
		end = &(*end)->next;
	pthread_mutex_lock(&queue->mutex);
	bool was_empty = !queue->first;
	*queue->end = jobs;
	queue->end = end;
	pthread_cond_signal(&queue->is_ready);
	pthread_mutex_unlock(&queue->mutex);
	return was_empty;
}

static struct pv_job *take_all(struct pv_queue *queue)
{
	struct pv_job *jobs = queue->first;
	queue->first = NULL;
	queue->end = &queue->first;
	return jobs;
}

struct pv_job *pv_queue_take(struct pv_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	struct pv_job *jobs = take_all(queue);
	pthread_mutex_unlock(&queue->mutex);
	return jobs;
}

struct pv_job *pv_queue_wait(struct pv_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	while (!queue->first && !queue->is_closed)
		pthread_cond_wait(&queue->is_ready, &queue->mutex);
	struct pv_job *jobs = take_all(queue);
	pthread_mutex_unlock(&queue->mutex);
	return jobs;
}

void pv_queue_close(struct pv_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->is_closed = true;
	pthread_cond_signal(&queue->is_ready);
	pthread_mutex_unlock(&queue->mutex);
}
