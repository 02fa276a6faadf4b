#ifndef PAVANE_CRAWL_PROGRESS_COUNTERS_H
#define PAVANE_CRAWL_PROGRESS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "crawl/progress/spread.h"
#include "record/histogram.h"
#include "record/response.h"

/* What a run has done so far, in numbers: counted as it happens, and read by
 * progress and status. */

/* What a crawl spends its time on waiting for. */
enum pv_holder {
	PV_HELD_BY_NOTHING,
	PV_HELD_BY_POLICY,  /* delays, rates, hours: what was asked of us */
	PV_HELD_BY_SERVER,  /* answers that are on their way */
	PV_HELD_BY_LINE,    /* bodies that are on their way */
	PV_HELD_BY_MACHINE, /* the disk, the threads */
	PV_HELD_BY_FAILURE, /* rests after what failed */
	PV_HOLDER_COUNT,
};

#define PV_SAMPLE_COUNT 8
#define PV_STATUS_COUNT 600

struct pv_sample {
	int64_t at;
	uint64_t requests;
	uint64_t pages;
	uint64_t bytes;
};

struct pv_counters {
	int64_t started_at;
	uint64_t requests;
	uint64_t pages; /* answers of 2xx to visits, a redirect is none */
	uint64_t bytes; /* of bodies, on the wire */
	uint64_t statuses[PV_STATUS_COUNT];
	bool has_answered;   /* anything, with whatever status */
	uint64_t unanswered; /* requests to which nothing came */
	uint64_t refused;    /* visits that ended with a status of 4xx or 5xx */

	/* over all runs, for limits: of pages only */
	uint64_t all_pages;
	uint64_t all_bytes;

	struct pv_histogram name;
	struct pv_histogram connect;
	struct pv_histogram first_byte;
	struct pv_histogram total;
	struct pv_histogram pool;
	struct pavane_spread lateness;
	struct pavane_spread commit;
	int64_t blocked_ms;     /* the longest round of the loop ... */
	uint64_t turn_cpu_us;   /* ... and the most that one had of a
				   processor, in its thread */
	uint64_t turned_cpu_ns; /* that it had had at the last round */

	struct pv_sample samples[PV_SAMPLE_COUNT]; /* one a second: a ring */
	size_t sample_next;

	uint64_t held_us[PV_HOLDER_COUNT];
};

void pv_counters_init(struct pv_counters *counters, int64_t now);

/* A request has gone out, and what came of it. That a robots.txt or a sitemap
 * that nobody has promised (is_optional) is not there is no error, and is
 * counted as no answer's status. */
void pv_counters_sent(struct pv_counters *counters);
void pv_counters_refused(struct pv_counters *counters);
void pv_counters_ended(struct pv_counters *counters,
    const struct pv_response *response, bool is_optional);

/* Whether nothing has ever answered, in this run or one before. */
bool pv_counters_are_silent(const struct pv_counters *counters);

/* About once a second. */
void pv_counters_sample(struct pv_counters *counters, int64_t now);

/* What has been going on since the oldest sample that is kept, a second. */
struct pv_pace_figures {
	double requests;
	double pages;
	double bytes;
};
struct pv_pace_figures pv_counters_pace(
    const struct pv_counters *counters, int64_t now);

/* Who has held it most, and in how many in a hundred of the time. */
enum pv_holder pv_counters_holder(
    const struct pv_counters *counters, unsigned *percent);

#endif
