#ifndef PAVANE_RECORD_HOST_H
#define PAVANE_RECORD_HOST_H

#include "base/buf.h"

#include <stdint.h>

/* What must outlive the process of a host's clock and its limits. */
struct pv_host_state {
	int64_t rest_ms;   /* how long it still rests ... */
	int64_t saved_ms;  /* ... as of then, wall clock */
	int64_t failures;  /* in a row */
	int64_t overloads; /* 429 and 503 in a row */
	int64_t blocks;    /* 401, 403 and 451 in a row */
	int64_t pages;     /* visits done, for the host's limits */
	int64_t bytes;
};

/* A host as the frontier gives it out. */
struct pv_host {
	uint64_t id;
	struct pv_str name;
	struct pv_host_state state;
	/* The last run ended before it was given back: whatever its clock says,
	 * it may just have been asked, and its whole delay is due. */
	bool owes_delay;
};

/* Hosts with their names, up to a ceiling. */
struct pv_hosts {
	struct pv_host_item *items;
	size_t count;
	size_t size;
	struct pv_buf names;
};

void pv_hosts_init(struct pv_hosts *hosts, size_t name_ceiling);
void pv_hosts_finish(struct pv_hosts *hosts);

/* Copies the host; false if the ceiling is in the way. */
bool pv_hosts_add(struct pv_hosts *hosts, const struct pv_host *host);

/* The host of that number, whose name is valid until the next change. */
struct pv_host pv_hosts_get(const struct pv_hosts *hosts, size_t number);

#endif
