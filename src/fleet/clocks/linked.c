#include "fleet/clocks/linked.h"

#include <stdlib.h>

#include "base/array.h"

void pv_linked_init(struct pv_linked *linked)
{
	*linked = (struct pv_linked){.count = 0};
	pv_arena_init(&linked->texts);
}

void pv_linked_finish(struct pv_linked *linked)
{
	pv_arena_finish(&linked->texts);
	free(linked->clocks);
	free(linked->owners);
}

void pv_linked_add(struct pv_linked *linked, struct pv_str clock, int64_t owner)
{
	size_t i = linked->count;
	*PV_ARRAY_PUSH(linked->clocks, linked->count, linked->clocks_size) =
	    pv_arena_copy(&linked->texts, clock);
	*PV_ARRAY_PUSH(linked->owners, i, linked->owners_size) = owner;
}

void pv_linked_clear(struct pv_linked *linked)
{
	pv_arena_finish(&linked->texts);
	pv_arena_init(&linked->texts);
	linked->count = 0;
}
