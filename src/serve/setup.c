#include "serve/setup.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"

static void read_lent(struct pv_setup *setup)
{
	const struct pv_texts *texts = &setup->config->private_hosts;
	for (size_t i = 0; i < texts->count; i++)
		pv_private_list_add(&setup->lent, pv_str_of(texts->items[i]));
}

static void read_trusted(struct pv_setup *setup)
{
	const struct pv_texts *texts = &setup->config->trusted_proxies;
	size_t size = 0;
	for (size_t i = 0; i < texts->count; i++) {
		struct pv_network network;
		bool is_exact;
		if (pv_network_read(
			pv_str_of(texts->items[i]), &network, &is_exact))
			*PV_ARRAY_PUSH(setup->trusted, setup->trusted_count,
			    size) = network;
	}
}

struct pv_setup *pv_setup_load(
    const struct pv_config_sources *sources, struct pv_why *why)
{
	struct pv_setup *setup = pv_alloc(sizeof(*setup));
	atomic_init(&setup->owners, 1);
	setup->config = pv_service_config_load(sources, why);
	pv_private_list_init(&setup->lent);
	read_lent(setup);
	read_trusted(setup);
	return setup;
}

struct pv_setup *pv_setup_take(struct pv_setup *setup)
{
	atomic_fetch_add(&setup->owners, 1);
	return setup;
}

void pv_setup_give(struct pv_setup *setup)
{
	if (!setup || atomic_fetch_sub(&setup->owners, 1) > 1)
		return;
	pv_private_list_finish(&setup->lent);
	pv_service_config_destroy(setup->config);
	free(setup->trusted);
	free(setup);
}
