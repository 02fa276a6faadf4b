#include "fleet/net/net_addresses.h"

#include <stdlib.h>

#include "base/address.h"
#include "base/alloc.h"
#include "fleet/giving/giving.h"
#include "fleet/worker/worker.h"
#include "limiter/limiter.h"

/* That another worker owns an address is believed for so long. */
#define BELIEVED_MS 1000

#define NAME_MAX_BYTES 80

struct net_limiter {
	struct pv_limiter limiter;
	struct pv_limiter *inner;
	struct pv_fleet *fleet;
};

static struct pv_limiter *inner_of(struct pv_limiter *limiter)
{
	return PV_WHOLE(struct net_limiter, limiter, limiter)->inner;
}

/* "192.0.2.1", and where each port counts for itself "127.0.0.1 port 8080". */
static void write_name(const struct pv_limiter_ask *ask, struct pv_buf *name)
{
	struct pv_address address = {.bits = (uint8_t)(ask->name.len * 8)};
	memcpy(address.bytes, ask->name.ptr, ask->name.len);
	pv_buf_init(name, NAME_MAX_BYTES);
	pv_address_write(&address, name);
	if (ask->port)
		pv_buf_append_format(name, " port %u", (unsigned)ask->port);
}

static bool is_name(const struct pv_limiter_ask *ask)
{
	return ask->name.len == 4 || ask->name.len == 16;
}

static enum pv_limiter_answer claim_of_ours(
    struct pv_net_address *address, int64_t now, int64_t *until)
{
	if (address->longest_ms > address->rest_ms) {
		address->is_to_be_asked = true;
		return PV_LIMITER_BUSY;
	}
	*until = address->ready_ms;
	return address->ready_ms > now ? PV_LIMITER_EARLY : PV_LIMITER_GRANTED;
}

/* Whether another worker would send the clock back. What was sent here to an address
 * follows it when that is sent on. */
static bool would_come_back(const struct pv_fleet *fleet,
    const struct pv_net_address *address, struct pv_str clock, int64_t now)
{
	const struct pv_net_table *table = &fleet->net.table;
	return pv_net_table_follows(table, address, clock, now)
		   ? pv_net_table_lives_here(table, clock)
		   : pv_net_table_is_bound(table, clock);
}

/* Whose the address is need not be asked: it was just now, or we have sent it to a
 * worker that lives. */
static bool is_believed(const struct pv_fleet *fleet,
    const struct pv_net_address *address, struct pv_str clock, int64_t now)
{
	return now < address->heard_ms + BELIEVED_MS ||
	       (pv_net_table_follows(&fleet->net.table, address, clock, now) &&
		   pv_fleet_members_has(
		       &fleet->beats.members, address->worker));
}

/* The clock goes where the address belongs. */
static void settle(struct pv_fleet *fleet, struct pv_net_address *address,
    struct pv_str clock, int64_t now)
{
	struct pv_net_table *table = &fleet->net.table;
	struct pv_net_group group;
	if (pv_giving_has(&fleet->giving, clock))
		return;
	if (!would_come_back(fleet, address, clock, now)) {
		pv_giving_add_clock(fleet, clock, address->worker);
		return;
	}
	if (address->worker > fleet->worker) {
		address->is_wanted = address->is_to_be_asked = true;
		return;
	}
	pv_net_group_of_clock(table, clock, &group);
	pv_giving_add_group(fleet, &group, address->worker);
	pv_net_group_finish(&group);
}

/* Whether the worker may ask there, as far as the fleet is concerned. */
static enum pv_limiter_answer claim_address(struct pv_fleet *fleet,
    const struct pv_limiter_ask *ask, int64_t now, int64_t *until)
{
	struct pv_buf name;
	write_name(ask, &name);
	struct pv_net_address *address =
	    pv_net_table_get(&fleet->net.table, pv_buf_str(&name));
	pv_buf_finish(&name);
	*until = now;
	if (address->longest_ms < ask->rest_ms)
		address->longest_ms = ask->rest_ms;
	switch (address->owner) {
	case PV_NET_OURS:
		pv_net_table_join(&fleet->net.table, address, ask->host_clock);
		return claim_of_ours(address, now, until);
	case PV_NET_OTHERS:
		if (is_believed(fleet, address, ask->host_clock, now))
			settle(fleet, address, ask->host_clock, now);
		else
			address->is_to_be_asked = true;
		return PV_LIMITER_BUSY;
	case PV_NET_NOBODY:
		address->is_to_be_asked = fleet->net.has_new = true;
		return PV_LIMITER_BUSY;
	case PV_NET_LEAVING:
		break;
	}
	return PV_LIMITER_BUSY;
}

static enum pv_limiter_answer claim(struct pv_limiter *limiter,
    const struct pv_limiter_ask *ask, struct pv_time now,
    struct pv_limiter_claim *claim, int64_t *until)
{
	struct net_limiter *net =
	    PV_WHOLE(struct net_limiter, limiter, limiter);
	enum pv_limiter_answer answer = PV_LIMITER_GRANTED;
	struct pv_str clock =
	    ask->clock == PV_LIMITER_HOST ? ask->name : ask->host_clock;
	*until = now.monotonic_ms;
	if (pv_giving_has(&net->fleet->giving, clock))
		return PV_LIMITER_BUSY;
	if (ask->clock == PV_LIMITER_ADDRESS && ask->rest_ms && is_name(ask))
		answer =
		    claim_address(net->fleet, ask, now.monotonic_ms, until);
	if (answer != PV_LIMITER_GRANTED) {
		pv_net_addresses_step(net->fleet);
		return answer;
	}
	return pv_limiter_claim(net->inner, ask, now, claim, until);
}

static void sent(struct pv_limiter *limiter,
    const struct pv_limiter_claim *claim, int64_t now, int64_t next)
{
	struct pv_limiter *inner = inner_of(limiter);
	inner->kind->sent(inner, claim, now, next);
}

static void end(struct pv_limiter *limiter,
    const struct pv_limiter_claim *claim, int64_t now, int64_t next)
{
	struct pv_limiter *inner = inner_of(limiter);
	inner->kind->end(inner, claim, now, next);
}

static void drop(
    struct pv_limiter *limiter, const struct pv_limiter_claim *claim)
{
	struct pv_limiter *inner = inner_of(limiter);
	inner->kind->drop(inner, claim);
}

static void close_limiter(struct pv_limiter *limiter)
{
	struct net_limiter *net =
	    PV_WHOLE(struct net_limiter, limiter, limiter);
	pv_limiter_close(net->inner);
	free(net);
}

/* It stands before another one, and is not opened at a place. */
static const struct pv_limiter_kind kind = {
    .name = "fleet",
    .claim = claim,
    .sent = sent,
    .end = end,
    .drop = drop,
    .close = close_limiter,
};

struct pv_limiter *pv_net_addresses_limit(
    struct pv_fleet *fleet, struct pv_limiter *inner)
{
	struct net_limiter *net = pv_alloc(sizeof(*net));
	*net = (struct net_limiter){
	    .limiter = {&kind}, .inner = inner, .fleet = fleet};
	return &net->limiter;
}
