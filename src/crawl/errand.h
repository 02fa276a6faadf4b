#ifndef PAVANE_CRAWL_ERRAND_H
#define PAVANE_CRAWL_ERRAND_H

#include "record/visit.h"

/* What we are to ask a host for: a visit of the frontier's, or the robots.txt
 * of an authority. An errand is what the schedule knows by a number and
 * releases; until then it waits at its host.
 *
 * It belongs to its host, which keeps a list of all of its errands, wherever
 * else they stand in line.
 */
struct pv_live_host;
struct pv_authority;

struct pv_errand {
	struct pv_live_host *host;
	struct pv_authority *authority; /* whose robots.txt it is; NULL for a
					   visit */
	struct pv_visit visit;          /* its texts stand behind it */
	int64_t ready_at;               /* from when it was only waiting for
					   its time */
	int64_t rests_until;            /* after a failure */
	struct pv_errand *next;         /* in the line in which it stands */
	struct pv_errand *host_next;    /* among all of its host */
	struct pv_errand **host_link;
	char texts[];
};

struct pv_errand_line {
	struct pv_errand *first;
	struct pv_errand *last;
	size_t count;
};

void pv_errand_line_push(struct pv_errand_line *line, struct pv_errand *errand);
void pv_errand_line_push_first(
    struct pv_errand_line *line, struct pv_errand *errand);

/* The first, which stands in line no more; NULL if there is none. */
struct pv_errand *pv_errand_line_pop(struct pv_errand_line *line);

/* Puts all of another line before those in this one. */
void pv_errand_line_put_first(
    struct pv_errand_line *line, struct pv_errand_line *others);

/* An errand of the host's whose list begins there; the visit's texts are
 * copied. */
struct pv_errand *pv_errand_create(
    struct pv_errand **all, const struct pv_visit *visit);
void pv_errand_destroy(struct pv_errand *errand);

#endif
