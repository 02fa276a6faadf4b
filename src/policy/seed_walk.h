#ifndef PAVANE_POLICY_SEED_WALK_H
#define PAVANE_POLICY_SEED_WALK_H

#include <stdbool.h>
#include <stdio.h>

#include "policy/seeds.h"

struct pv_policy;
struct pv_url;

/* The addresses that a seed stands for, one by one, so that neither a billion
 * of them nor a file without end is ever held in memory.
 *
 * In a file a line is an address; blank lines and lines that begin with # are
 * passed over, and braces mean themselves.
 */
#define PV_SEED_LINE_MAX ((size_t)65536)

struct pv_seed_walk {
	const struct pv_seed *seed; /* outlives the walk */
	int64_t number;             /* of the next address of a template */
	FILE *file;
	uint32_t line;      /* of the last address of a file; 0 otherwise */
	struct pv_buf text; /* the last address, as it was written */
	const char *fault;  /* why the last step gave none */
	bool has_failed;    /* the file cannot be read: reported, and its end */
};

enum pv_seed_step {
	PV_SEED_ADDRESS, /* walk.text has it */
	PV_SEED_FAULT,   /* walk.fault says what is wrong with this line */
	PV_SEED_END,
};

/* False if the seed's file cannot be opened; errno says why. */
bool pv_seed_walk_open(struct pv_seed_walk *walk, const struct pv_seed *seed);
enum pv_seed_step pv_seed_walk_next(struct pv_seed_walk *walk);
void pv_seed_walk_close(struct pv_seed_walk *walk);

/* What a person named among the seeds, for who asks about one address only and
 * does not walk through all of them to begin with, as a crawl does. */
struct pv_named_seeds {
	bool has_host;      /* which may lie on a private network, then */
	bool has_port;      /* with its scheme, at whatever host */
	bool has_authority; /* to which secrets may go, then */
};

struct pv_named_seeds pv_named_seeds_find(
    const struct pv_policy *policy, const struct pv_url *url);

#endif
