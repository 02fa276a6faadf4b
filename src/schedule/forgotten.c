#include "schedule/forgotten.h"

#include <stdlib.h>

#include "base/alloc.h"

void pv_forgotten_init(struct pv_forgotten *forgotten, struct pv_hash_key key)
{
	*forgotten = (struct pv_forgotten){.key = key};
}

void pv_forgotten_finish(struct pv_forgotten *forgotten)
{
	free(forgotten->until);
	forgotten->until = NULL;
}

static size_t drawer_of(
    const struct pv_forgotten *forgotten, struct pv_str name)
{
	return pv_hash(&forgotten->key, name) % PV_FORGOTTEN_DRAWERS;
}

void pv_forgotten_note(
    struct pv_forgotten *forgotten, struct pv_str name, int64_t until)
{
	if (!forgotten->until)
		forgotten->until = pv_alloc_array(
		    PV_FORGOTTEN_DRAWERS, sizeof(*forgotten->until));
	int64_t *kept = &forgotten->until[drawer_of(forgotten, name)];
	if (*kept < until)
		*kept = until;
}

int64_t pv_forgotten_until(
    const struct pv_forgotten *forgotten, struct pv_str name)
{
	return forgotten->until ? forgotten->until[drawer_of(forgotten, name)]
				: 0;
}
