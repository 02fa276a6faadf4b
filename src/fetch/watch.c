#include "fetch/watch.h"

static void begin(struct pv_watch *watch, unsigned serial, uint64_t cpu_ns)
{
	*watch = (struct pv_watch){.serial = serial, .cpu_ns = cpu_ns};
}

/* Whom the call is for, if that is known and was not in vain before; else who
 * has received the most since the second look. */
static int find(const struct pv_watch *watch, struct pv_lane *lane)
{
	int fd = atomic_load(&lane->call.socket);
	return fd >= 0 && !watch->is_cut
		   ? fd
		   : pv_cuts_find_greediest(&lane->cuts, NULL);
}

/* The call may have ended since, and another have begun: it would have to be
 * for the same connection that was just found to be at fault, or for one that
 * sends as much. */
static void cut(struct pv_watch *watch, struct pv_lane *lane)
{
	int fd = find(watch, lane);
	if (atomic_load(&lane->call.serial) != watch->serial)
		return;
	if (fd >= 0)
		watch->is_cut = pv_cuts_add(&lane->cuts, fd);
}

bool pv_watch_look(struct pv_watch *watch, struct pv_lane *lane)
{
	unsigned serial = atomic_load(&lane->call.serial);
	bool is_called = serial % 2;
	if (!is_called || serial != watch->serial) {
		begin(watch, serial, is_called ? pv_lane_cpu_ns(lane) : 0);
		return is_called;
	}
	if (watch->looks++ == 0)
		pv_cuts_mark(&lane->cuts);
	uint64_t cpu_ns = pv_lane_cpu_ns(lane);
	if (cpu_ns - watch->cpu_ns < PV_WATCH_CALL_NS)
		return true;
	cut(watch, lane);
	watch->cpu_ns = cpu_ns;
	return true;
}

void pv_watch_cut(struct pv_watch *watch, struct pv_lane *lane)
{
	unsigned serial = atomic_load(&lane->call.serial);
	if (serial % 2 == 0)
		return;
	if (serial != watch->serial)
		begin(watch, serial, 0);
	cut(watch, lane);
	pv_cuts_mark(&lane->cuts);
}
