#ifndef PAVANE_NAMES_LIMITS_H
#define PAVANE_NAMES_LIMITS_H

#include "names/names.h"

/* The measures by which names are looked up and kept: all in one place, so
 * that a test can have others. */
struct pv_names_limits {
	int64_t deadline_ms; /* of a look-up, from its asking on */
	int64_t patience_ms; /* for the rest, once IPv4 has been answered */

	int64_t least_kept_ms; /* of what a name server says how long to keep */
	int64_t most_kept_ms;
	int64_t unknown_kept_ms;
	int64_t no_answer_kept_ms;

	uint32_t asked_max;    /* look-ups under way at once */
	uint32_t turn_max;     /* begun and told in one turn of the loop */
	uint32_t failures_max; /* so many in a row, and the system's name
				  servers are read anew */
	uint32_t kept_max;     /* names, the last used ones */

	const char *hosts_path; /* the system's table of hosts */
};

extern const struct pv_names_limits pv_names_limits_usual;

/* How long an answer is kept: a name server's by its word in seconds, what
 * nobody was asked for at its longest (PV_NAME_TTL_NONE). */
#define PV_NAME_TTL_NONE INT64_MAX
int64_t pv_names_limits_kept_ms(const struct pv_names_limits *limits,
    enum pv_name_result result, int64_t ttl_s);

#endif
