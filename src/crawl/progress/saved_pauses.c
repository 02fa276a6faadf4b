#include "crawl/progress/saved_pauses.h"

#include "crawl/control/pause_text.h"
#include "store/tables/pause_notes.h"
#include "store/tables/state_hosts.h"

static void drop_others(struct pv_database *database, struct pv_orders *pauses)
{
	struct pv_host host;
	enum pv_holding holding;
	for (size_t i = pauses->count; i > 0; i--) {
		struct pv_str name = pv_str_of(pauses->pauses[i - 1].host);
		if (!pv_state_hosts_get(database, name, &host, &holding) ||
		    holding == PV_HOST_IDLE)
			pv_orders_resume(pauses, name);
	}
}

void pv_saved_pauses_write(
    struct pv_database *database, int64_t wall_ms, struct pv_buf *text)
{
	struct pv_orders pauses;
	pv_orders_init(&pauses);
	pv_pause_notes_get(database, &pauses);
	drop_others(database, &pauses);
	pv_pause_text_write(&pauses, wall_ms, PV_PAUSED_BY_PROGRAM, text);
	pv_orders_finish(&pauses);
}
