#ifndef PAVANE_FLEET_CLOCKS_GIFTS_H
#define PAVANE_FLEET_CLOCKS_GIFTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A gift: clocks, and addresses where they live, that go to another worker
 * together (fleet/giving/giving.h). */
enum pv_gift_step {
	PV_GIFT_LEAVES,  /* hosts of it may be held still */
	PV_GIFT_PASSES,  /* its changes are being passed on */
	PV_GIFT_IS_GONE, /* here; PostgreSQL is told */
};

/* Texts of its own. */
struct pv_gift_names {
	struct pv_str *items;
	size_t count;
	size_t size;
	char **owned; /* what the items point to */
	size_t owned_count;
	size_t owned_size;
};

struct pv_gift {
	struct pv_gift *next;
	int64_t worker; /* who is to have it; 0: anybody */
	enum pv_gift_step step;
	struct pv_gift_names clocks;
	struct pv_gift_names addresses;
	struct pv_gift_names hosts; /* of its clocks, if they are listed */
	bool is_listed;
	bool is_ready;  /* as the last work in the state has found it */
	uint64_t round; /* of passing on, after which it may go */
};

struct pv_gift *pv_gift_create(int64_t worker);
void pv_gift_destroy(struct pv_gift *gift);

void pv_gift_names_add(struct pv_gift_names *names, struct pv_str text);
void pv_gift_names_clear(struct pv_gift_names *names);

#endif
