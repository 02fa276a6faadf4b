#include "serve/fetches/fetches_state.h"

#include "base/array.h"

int64_t pv_fetches_now(const struct pv_fetches *fetches)
{
	return fetches->plan.now_ms(fetches->plan.ctx);
}

bool pv_fetches_have_store(struct pv_fetches *fetches)
{
	struct pv_why why;
	if (fetches->store &&
	    pv_fetch_store_status(fetches->store) == PV_STORE_OK)
		return true;
	pv_why_init(&why);
	pv_fetch_store_close(fetches->store);
	fetches->store = pv_fetch_store_open(fetches->plan.directory, &why);
	pv_why_finish(&why);
	fetches->is_renewed = true;
	return fetches->store;
}

void pv_fetches_send_later(struct pv_fetches *fetches, uint64_t number)
{
	*PV_ARRAY_PUSH(fetches->unsent, fetches->unsent_count,
	    fetches->unsent_size) = number;
}
