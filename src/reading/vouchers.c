#include "reading/vouchers.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "store/tables/voucher_table.h"

/* Most crawls have none, and the others a handful. */
struct pv_vouchers {
	pthread_mutex_t mutex;
	struct pv_voucher *items;
	size_t count;
	size_t size;
	size_t kept; /* so many of them stand in the state */
	struct pv_arena hosts;
};

static bool has(
    const struct pv_vouchers *vouchers, uint64_t sitemap, struct pv_str host)
{
	for (size_t i = 0; i < vouchers->count; i++) {
		if (vouchers->items[i].sitemap == sitemap &&
		    pv_str_equal(vouchers->items[i].host, host))
			return true;
	}
	return false;
}

static void add(struct pv_vouchers *vouchers, uint64_t sitemap,
    struct pv_str at, struct pv_str host)
{
	if (vouchers->count >= PV_VOUCHERS_MAX || has(vouchers, sitemap, host))
		return;
	*PV_ARRAY_PUSH(vouchers->items, vouchers->count, vouchers->size) =
	    (struct pv_voucher){sitemap, pv_arena_copy(&vouchers->hosts, host),
		pv_arena_copy(&vouchers->hosts, at)};
}

static void restore(void *ctx, const struct pv_voucher *voucher)
{
	add(ctx, voucher->sitemap, voucher->at, voucher->host);
}

struct pv_vouchers *pv_vouchers_open(struct pv_database *database)
{
	struct pv_vouchers *vouchers = pv_alloc(sizeof(*vouchers));
	pthread_mutex_init(&vouchers->mutex, NULL);
	pv_arena_init(&vouchers->hosts);
	pv_voucher_table_each(database, restore, vouchers);
	vouchers->kept = vouchers->count;
	return vouchers;
}

void pv_vouchers_close(struct pv_vouchers *vouchers)
{
	if (!vouchers)
		return;
	pthread_mutex_destroy(&vouchers->mutex);
	pv_arena_finish(&vouchers->hosts);
	free(vouchers->items);
	free(vouchers);
}

void pv_vouchers_add(struct pv_vouchers *vouchers, uint64_t sitemap,
    struct pv_str at, struct pv_str host)
{
	pthread_mutex_lock(&vouchers->mutex);
	add(vouchers, sitemap, at, host);
	pthread_mutex_unlock(&vouchers->mutex);
}

void pv_vouchers_inherit(struct pv_vouchers *vouchers, uint64_t from,
    uint64_t sitemap, struct pv_str at)
{
	pthread_mutex_lock(&vouchers->mutex);
	size_t count = vouchers->count;
	for (size_t i = 0; i < count; i++) {
		if (vouchers->items[i].sitemap == from)
			add(vouchers, sitemap, at, vouchers->items[i].host);
	}
	pthread_mutex_unlock(&vouchers->mutex);
}

bool pv_vouchers_has(
    struct pv_vouchers *vouchers, uint64_t sitemap, struct pv_str host)
{
	pthread_mutex_lock(&vouchers->mutex);
	bool is_there = has(vouchers, sitemap, host);
	pthread_mutex_unlock(&vouchers->mutex);
	return is_there;
}

bool pv_vouchers_has_any(struct pv_vouchers *vouchers, uint64_t sitemap)
{
	bool is_there = false;
	pthread_mutex_lock(&vouchers->mutex);
	for (size_t i = 0; i < vouchers->count && !is_there; i++)
		is_there = vouchers->items[i].sitemap == sitemap;
	pthread_mutex_unlock(&vouchers->mutex);
	return is_there;
}

void pv_vouchers_keep(
    struct pv_vouchers *vouchers, struct pv_database *database)
{
	pthread_mutex_lock(&vouchers->mutex);
	for (; vouchers->kept < vouchers->count; vouchers->kept++)
		pv_voucher_table_add(
		    database, &vouchers->items[vouchers->kept]);
	pthread_mutex_unlock(&vouchers->mutex);
}
