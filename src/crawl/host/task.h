#ifndef PAVANE_CRAWL_HOST_TASK_H
#define PAVANE_CRAWL_HOST_TASK_H

#include "record/visit.h"

/* What we are to ask a host for: a visit of the frontier's, the robots.txt of
 * an authority, or a page of it that is to show whether the host is well
 * (probe.h). A task is what the schedule knows by a number and
 * releases; until then it waits at its host.
 *
 * It belongs to its host, which keeps a list of all of its tasks, wherever
 * else they stand in line.
 */
struct pv_live_host;
struct pv_authority;

struct pv_task {
	struct pv_live_host *host;
	struct pv_authority *authority; /* whose robots.txt it is, or whose
					   page; NULL for a visit */
	bool is_probe;
	struct pv_visit visit;     /* its texts stand behind it */
	int64_t ready_at;          /* from when it was only waiting for
					   its time */
	int64_t rests_until;       /* after a failure */
	struct pv_task *next;      /* in the line in which it stands */
	struct pv_task *host_next; /* among all of its host */
	struct pv_task **host_link;
	char texts[];
};

/* All tasks of a host, wherever they stand. */
struct pv_task_list {
	struct pv_task *first;
	uint32_t asks; /* those for an authority */
};

struct pv_task_line {
	struct pv_task *first;
	struct pv_task *last;
	size_t count;
};

void pv_task_line_push(struct pv_task_line *line, struct pv_task *task);
void pv_task_line_push_first(struct pv_task_line *line, struct pv_task *task);

/* The first, which stands in line no more; NULL if there is none. */
struct pv_task *pv_task_line_pop(struct pv_task_line *line);

/* Puts all of another line before those in this one. */
void pv_task_line_put_first(
    struct pv_task_line *line, struct pv_task_line *others);

/* A task of the host's whose list that is; the visit's texts are copied. */
struct pv_task *pv_task_create(
    struct pv_task_list *all, const struct pv_visit *visit);

/* One of this host's on behalf of an authority, be it another host's, which is
 * remembered as long as there is the task. */
struct pv_task *pv_task_create_for(struct pv_authority *authority,
    struct pv_live_host *host, const struct pv_visit *visit);
void pv_task_destroy(struct pv_task *task);

#endif
