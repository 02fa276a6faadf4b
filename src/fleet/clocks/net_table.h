#ifndef PAVANE_FLEET_CLOCKS_NET_TABLE_H
#define PAVANE_FLEET_CLOCKS_NET_TABLE_H

#include "base/map.h"

/* What a worker knows of IP addresses: whose they are, and which of its clocks live
 * there.
 *
 * An address at which a delay is to be kept has one owner in the fleet, as a clock
 * has, and a clock lives where its owner also owns the address. A clock with
 * several hosts may live at several addresses; so clocks and addresses that hang
 * together are a group, which is given away as a whole.
 *
 * Pure: times are given, by the crawl's clock. Names of addresses are text, with
 * their port where each port is another server.
 */
enum pv_net_owner {
	PV_NET_NOBODY, /* that is not known */
	PV_NET_OURS,
	PV_NET_OTHERS,
	PV_NET_LEAVING, /* it is being given away */
};

struct pv_net_clock;

struct pv_net_address {
	struct pv_str name; /* its own */
	size_t place;
	enum pv_net_owner owner;
	int64_t worker;      /* the other one, when it was heard of ... */
	int64_t heard_ms;    /* ... then */
	int64_t sent_ms;     /* we have sent it there then ... */
	int64_t sent_until;  /* ... and it arrives by then */
	int64_t ready_ms;    /* it is not asked before */
	int64_t rest_ms;     /* that others know of ... */
	int64_t longest_ms;  /* ... and that is needed here */
	bool is_to_be_asked; /* with the next request: whose it is */
	bool is_wanted;      /* by us, who have a lower number */
	bool is_in_group;    /* while one is gathered */
	struct pv_net_clock **clocks; /* that live there */
	size_t clock_count;
	size_t clock_size;
};

struct pv_net_clock {
	struct pv_str name; /* its own */
	size_t place;
	bool is_bound;    /* it was given to us since it lives at an address of
			     ours ... */
	int64_t bound_ms; /* ... then */
	bool is_in_group; /* while one is gathered */
	struct pv_net_address **addresses;
	size_t address_count;
	size_t address_size;
};

struct pv_net_table {
	struct pv_net_address **addresses;
	size_t address_count;
	size_t address_size;
	struct pv_map address_map;
	struct pv_net_clock **clocks;
	size_t clock_count;
	size_t clock_size;
	struct pv_map clock_map;
};

/* What hangs together, borrowed until the table changes. */
struct pv_net_group {
	struct pv_net_address **addresses;
	size_t address_count;
	size_t address_size;
	struct pv_net_clock **clocks;
	size_t clock_count;
	size_t clock_size;
};

void pv_net_table_init(struct pv_net_table *table, struct pv_hash_key key);
void pv_net_table_finish(struct pv_net_table *table);

/* NULL if it is not known; and made if it is not. */
struct pv_net_address *pv_net_table_find(
    const struct pv_net_table *table, struct pv_str name);
struct pv_net_address *pv_net_table_get(
    struct pv_net_table *table, struct pv_str name);

/* That address is ours, and the clock lives there. */
void pv_net_table_join(struct pv_net_table *table,
    struct pv_net_address *address, struct pv_str clock);

/* The clock was given to us, for whom it was marked. */
void pv_net_table_bind(
    struct pv_net_table *table, struct pv_str clock, int64_t now);

/* Whether it lives at an address of ours, and whether it does as far as is known: it
 * would come back from another owner. */
bool pv_net_table_lives_here(
    const struct pv_net_table *table, struct pv_str clock);
bool pv_net_table_is_bound(
    const struct pv_net_table *table, struct pv_str clock);

/* Another worker owns it: no clock of ours lives there. */
void pv_net_table_lose(
    struct pv_net_address *address, int64_t worker, int64_t now);

/* We send it there, where it arrives by then. */
void pv_net_table_send(
    struct pv_net_address *address, int64_t worker, int64_t now, int64_t until);

/* Whether the clock is to follow an address that is on its way: not if it was sent to us
 * since then, by who thinks otherwise. */
bool pv_net_table_follows(const struct pv_net_table *table,
    const struct pv_net_address *address, struct pv_str clock, int64_t now);

/* Whose it is has to be asked anew: the worker may not have heard what was done. */
void pv_net_table_doubt(struct pv_net_table *table, struct pv_str name);

/* They are others' business from now on. */
void pv_net_table_remove_clock(struct pv_net_table *table, struct pv_str clock);
void pv_net_table_remove_address(
    struct pv_net_table *table, struct pv_str address);

/* All that hangs together with the clock, or with the address. */
void pv_net_group_of_clock(const struct pv_net_table *table,
    struct pv_str clock, struct pv_net_group *group);
void pv_net_group_of_address(
    struct pv_net_address *address, struct pv_net_group *group);
void pv_net_group_finish(struct pv_net_group *group);

#endif
