#ifndef PAVANE_ROBOTS_ROBOTS_H
#define PAVANE_ROBOTS_ROBOTS_H

#include "base/why.h"
#include "robots/index.h"
#include "robots/sitemaps.h"
#include "robots/timing.h"

/* A robots.txt as it was read (RFC 9309): every group, whomever it is for.
 *
 * Reading never fails: what can be read counts and the rest is passed over,
 * with a note for who wants to know. What somebody does with it is in
 * matcher.h; a matcher keeps copies of what it needs, so that this may go.
 */

/* What of a file is taken. The memory that is needed is bounded by `bytes`. */
struct pv_robots_ceilings {
	size_t bytes;
	struct pv_robots_wild_room wildcards; /* of a group */
	size_t sitemaps;
};

/* RFC 9309, 2.5 wants at least 500 KiB. */
#define PV_ROBOTS_CEILINGS                                \
	((struct pv_robots_ceilings){.bytes = 500 * 1024, \
	    .wildcards = {2000, 64 * 1024},               \
	    .sitemaps = 1000})

/* What of an answer is taken: a byte more, to see that the file was cut. */
#define PV_ROBOTS_BYTES (PV_ROBOTS_CEILINGS.bytes + 1)

#define PV_ROBOTS_HOURS_MAX 8

/* What is asked besides rules, of those whom a run of consecutive user-agent
 * lines names. Rules of a group hold for all whom it names; a Crawl-delay, a
 * Request-rate and a Visit-time only for the nearest run above them, since
 * owners who write "User-agent: foo / Crawl-delay: 5 / User-agent: *" mean foo,
 * although it is one group. */
struct pv_robots_timing {
	int64_t delay_ms;      /* the longest of those it names */
	uint32_t delay_number; /* of the line that names it; 0 for none */
	struct pv_robots_hours hours[PV_ROBOTS_HOURS_MAX];
	size_t hours_count;
	uint32_t hours_number; /* of the first line that names any */
};

/* A line that names whom a group is for. */
struct pv_robots_agent {
	struct pv_str token; /* "*" for all whom no other group names */
	uint32_t number;     /* of the line */
	uint32_t group;      /* places, of the group ... */
	uint32_t run;        /* ... and of the timing */
};

/* What may be done with what is fetched: a Content-Usage or Content-Signal,
 * kept as it was written, which may hold for some paths only. */
struct pv_robots_preference {
	enum pv_robots_kind kind;
	uint32_t number; /* of the line */
	uint32_t group;
	struct pv_str value;
	struct pv_str terms;        /* the part of it behind a path */
	struct pv_robots_rule rule; /* which paths it holds for */
};

struct pv_robots {
	struct pv_robots_ceilings ceilings;
	struct pv_arena arena;
	size_t group_count;
	struct pv_robots_timing *timings; /* one for each run of agents */
	size_t timing_count, timing_size;
	struct pv_robots_agent *agents;
	size_t agent_count, agent_size;
	struct pv_robots_rule *rules;
	size_t rule_count, rule_size;
	struct pv_robots_preference *preferences;
	size_t preference_count, preference_size;
	struct pv_robots_sitemaps sitemaps;
};

/* Reads a file. `is_cut`: its end is missing; so it is, too, where the text is
 * longer than the ceiling. `why` gets the notes, and may be NULL. */
struct pv_robots *pv_robots_create(struct pv_str text, bool is_cut,
    const struct pv_robots_ceilings *ceilings, struct pv_why *why);
void pv_robots_destroy(struct pv_robots *robots);

/* The part of an agent's name that is compared: "examplebot" of
 * "examplebot/1.2 (+https://example.org/bot)". */
struct pv_str pv_robots_token(struct pv_str agent);

#endif
