#include "fleet/giving/gift_request.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/clocks/gifts.h"
#include "fleet/worker/worker.h"

/* Names, and beside each for whom it is. */
struct column {
	struct pv_str *names;
	int64_t *workers;
	size_t count;
};

static void add_column(
    struct column *column, const struct pv_gift_names *names, int64_t worker)
{
	for (size_t i = 0; i < names->count; i++) {
		column->names[column->count] = names->items[i];
		column->workers[column->count++] = worker;
	}
}

static struct column make_column(
    const struct pv_giving *giving, bool is_of_addresses)
{
	struct column column = {.count = 0};
	size_t size = 1;
	for (size_t i = 0; i < giving->chosen_count; i++)
		size += giving->chosen[i]->clocks.count +
			giving->chosen[i]->addresses.count;
	column.names = pv_alloc_array(size, sizeof(*column.names));
	column.workers = pv_alloc_array(size, sizeof(*column.workers));
	for (size_t i = 0; i < giving->chosen_count; i++) {
		const struct pv_gift *gift = giving->chosen[i];
		add_column(&column,
		    is_of_addresses ? &gift->addresses : &gift->clocks,
		    gift->worker);
	}
	return column;
}

struct pv_fleet_request *pv_gift_request(
    struct pv_fleet *fleet, pv_fleet_request_fn done)
{
	struct column clocks = make_column(&fleet->giving, false);
	struct column addresses = make_column(&fleet->giving, true);
	const struct pv_fleet_value crawl =
	    pv_fleet_number(PV_FLEET_INT4, fleet->crawl);
	const struct pv_fleet_value worker =
	    pv_fleet_number(PV_FLEET_INT8, fleet->worker);
	const struct pv_fleet_value of_clocks[] = {crawl, worker,
	    pv_fleet_texts(PV_FLEET_TEXTS, clocks.names, clocks.count),
	    pv_fleet_numbers(PV_FLEET_INT8S, clocks.workers, clocks.count)};
	const struct pv_fleet_value of_addresses[] = {crawl, worker,
	    pv_fleet_texts(PV_FLEET_TEXTS, addresses.names, addresses.count)};
	const struct pv_fleet_step steps[] = {
	    {PV_SAY_FENCE, fleet->fence, 2},
	    {PV_SAY_GIVE_CLOCKS, of_clocks, 4},
	    {PV_SAY_GIVE_ADDRESSES, of_addresses, 3},
	};
	struct pv_fleet_request *request =
	    pv_fleet_request_create(steps, 3, done, fleet);
	free(clocks.names);
	free(clocks.workers);
	free(addresses.names);
	free(addresses.workers);
	return request;
}
