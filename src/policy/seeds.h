#ifndef PAVANE_POLICY_SEEDS_H
#define PAVANE_POLICY_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/document/origin.h"
#include "policy/values/template.h"

/* Where a crawl begins, as the policy says it; seed_walk.h gives the
 * addresses one by one. */
enum pv_seed_kind {
	PV_SEED_PAGE,
	PV_SEED_SITEMAP,
	PV_SEED_FILE, /* an address a line */
};

struct pv_seed {
	enum pv_seed_kind kind;
	const char *text;           /* the address, or the file's path */
	struct pv_template address; /* of a page or a sitemap */
	int64_t depth;              /* PV_NONE: the scope's */
	const char *tag;            /* NULL for none */
	const char *as;             /* the kind of page that it is; NULL */
	bool is_input;              /* of a file: the standard input, which is
				       read by sources/seed_input.h */
	struct pv_origin origin;
};

struct pv_seeds {
	struct pv_seed *items;
	size_t count;
};

/* Reads an address as people write it, braces and all, into a seed. NULL if it
 * is right, else what is wrong, which may live in the arena. */
const char *pv_seed_read_address(
    struct pv_str text, struct pv_arena *arena, struct pv_seed *seed);

/* What is wrong with one address without braces, or NULL; it is parsed into
 * the url. */
struct pv_url;
const char *pv_seed_parse(struct pv_url *url, struct pv_str text);

/* The length that no address of a seed may pass. */
#define PV_SEED_ADDRESS_MAX ((size_t)65536)

#endif
