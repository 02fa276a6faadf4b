#ifndef PAVANE_SERVE_JOBS_WAITING_HOSTS_H
#define PAVANE_SERVE_JOBS_WAITING_HOSTS_H

#include "base/map.h"
#include "pavane/command.h"

/* What the hosts of a crawl wait for, as it tells (on_host), so that it can be
 * seen without asking the crawl. Only those that wait, or were given up, are kept,
 * and no more than there is room for. For one thread at a time. */
#define PV_WAITING_HOSTS_MAX 10000

struct pv_waiting_host {
	const char
	    *waits_for;  /* a word, as in pavane_host_look; the library's */
	const char *why; /* the end of "it waits ..." */
	const char *given_up; /* "" if it is not */
	int64_t since_ms;     /* 1970, when it was first told of that reason */
	int64_t until_ms;     /* since 1970; 0: nobody knows */
	uint32_t failures;
	bool is_paused;
	struct pv_str name; /* behind it */
};

struct pv_waiting_hosts {
	struct pv_waiting_host **items;
	size_t count;
	size_t size;
	struct pv_map by_name;
};

void pv_waiting_hosts_init(
    struct pv_waiting_hosts *hosts, struct pv_hash_key key);
void pv_waiting_hosts_finish(struct pv_waiting_hosts *hosts);

void pv_waiting_hosts_hear(struct pv_waiting_hosts *hosts, struct pv_str name,
    const struct pavane_host_look *look, int64_t now_ms);

/* Since when it waits for what it waits for now; 0 if it is none of these. */
int64_t pv_waiting_hosts_since(
    const struct pv_waiting_hosts *hosts, struct pv_str name);

#endif
