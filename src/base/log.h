#ifndef PAVANE_BASE_LOG_H
#define PAVANE_BASE_LOG_H

#include "base/str.h"

/* Lines for operators: "host: what happened: why".
 *
 * A log may stand on another one and add its own context ("docs.example.org")
 * to each line once, for all that is logged through it. Facts for machines
 * belong in the journal. What a line quotes is made visible, so nothing from
 * the web reaches a terminal raw, and a line is cut after 4 KiB.
 */
enum pv_log_level {
	PV_LOG_ERROR, /* somebody must do something */
	PV_LOG_WARNING,
	PV_LOG_INFO,
	PV_LOG_DEBUG, /* events of hosts, for -v */
	PV_LOG_TRACE, /* requests, for -vv */
};

/* Gets each line, without a line end. */
typedef void (*pv_log_fn)(void *ctx, enum pv_log_level, struct pv_str line);

struct pv_log {
	const struct pv_log *parent; /* outlives this one; NULL at the root */
	const char *context;         /* borrowed; NULL or "" for none */
	enum pv_log_level level;     /* at the root: what is still told */
	pv_log_fn write;             /* at the root */
	void *ctx;
};

void pv_log(const struct pv_log *log, enum pv_log_level level,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
