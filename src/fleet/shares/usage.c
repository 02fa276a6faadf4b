#include "fleet/shares/usage.h"

#include "fleet/shares/share.h"

/* One request more or less lies at the edges of the time. */
static void look(struct pv_share_usage *usage, int64_t used, double all)
{
	usage->has_room = (double)(used + 1) < all * 3 / 4;
	usage->is_full = (double)(used + 1) >= all * 19 / 20;
}

void pv_share_usage_note(struct pv_share_usage *usage,
    const struct pv_fleet_part *part, int64_t requests, int64_t now_ms,
    int64_t least_ms)
{
	int64_t spent_ms = now_ms - usage->since_ms;
	bool is_other = part->max_rate != usage->max_rate;
	if (is_other || !part->max_rate)
		usage->has_room = usage->is_full = false;
	else if (spent_ms < least_ms || spent_ms < 2 * part->interval_ms)
		return;
	else
		look(usage, requests - usage->requests,
		    (double)part->max_rate * (double)spent_ms /
			(double)part->interval_ms);
	usage->max_rate = part->max_rate;
	usage->requests = requests;
	usage->since_ms = now_ms;
}
