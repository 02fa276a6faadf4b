#include "fetch/watch.h"

#include "fetch/connection/cuts.h"

static void begin(struct pv_watch *watch, unsigned serial, uint64_t cpu_ns)
{
	*watch = (struct pv_watch){.serial = serial, .cpu_ns = cpu_ns};
}

/* What it uses counts from now on. */
static void mark(struct pv_watch *watch, struct pv_lane *lane)
{
	pv_cuts_mark(&lane->sockets);
	watch->is_marked = true;
	watch->cpu_ns = pv_lane_cpu_ns(lane);
}

/* From whom most has been read in this call: one that was made for one socket
 * may have gone on with others. Where nobody has brought much, whom it was made
 * for. */
static int find(const struct pv_watch *watch, struct pv_lane *lane)
{
	int made_for = atomic_load(&lane->call.socket);
	if (made_for >= 0 && !watch->is_marked)
		return made_for;
	int greediest = pv_cuts_find_greediest(&lane->sockets, NULL);
	return greediest >= 0 ? greediest : made_for;
}

/* The call may have ended since, and the number be another connection's. Whether it
 * was not cut off before. */
static bool cut(const struct pv_watch *watch, struct pv_lane *lane)
{
	return pv_cuts_add_during(&lane->sockets, find(watch, lane),
	    &lane->call.serial, watch->serial);
}

bool pv_watch_look(struct pv_watch *watch, struct pv_lane *lane)
{
	unsigned serial = atomic_load(&lane->call.serial);
	bool is_called = serial % 2;
	if (!is_called || serial != watch->serial) {
		begin(watch, serial, is_called ? pv_lane_cpu_ns(lane) : 0);
		return is_called;
	}
	uint64_t cpu_ns = pv_lane_cpu_ns(lane);
	uint64_t used_ns = cpu_ns - watch->cpu_ns;
	if (!watch->is_marked) {
		if (used_ns >= PV_WATCH_MARK_NS)
			mark(watch, lane);
	} else if (used_ns >= PV_WATCH_CALL_NS) {
		cut(watch, lane);
		watch->cpu_ns = cpu_ns;
	}
	return true;
}

void pv_watch_cut(struct pv_watch *watch, struct pv_lane *lane)
{
	unsigned serial = atomic_load(&lane->call.serial);
	if (serial % 2 == 0)
		return;
	if (serial != watch->serial)
		begin(watch, serial, 0);
	if (cut(watch, lane) || !watch->is_marked)
		mark(watch, lane);
}
