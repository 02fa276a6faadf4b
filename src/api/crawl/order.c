#include "api/problems.h"
#include "api/sized.h"
#include "base/system.h"
#include "crawl/control/order.h"

/* Orders to a crawl. */

static enum pavane_answer tell(const struct pavane_order *order,
    enum pavane_answer answer, struct pv_why *why)
{
	pv_problems_tell(why, order->on_line, order->ctx);
	pv_why_finish(why);
	return answer;
}

enum pavane_answer pavane_order_pause(const struct pavane_order *given)
{
	struct pavane_order own, *order = &own;
	struct pv_why why;
	if (!pv_sized_read(order, sizeof(own), given))
		return PAVANE_WRONG;
	pv_why_init(&why);
	return tell(
	    order, pv_order_pause(order, pv_time_now().wall_ms, &why), &why);
}

enum pavane_answer pavane_order_resume(const struct pavane_order *given)
{
	struct pavane_order own, *order = &own;
	struct pv_why why;
	if (!pv_sized_read(order, sizeof(own), given))
		return PAVANE_WRONG;
	pv_why_init(&why);
	return tell(
	    order, pv_order_resume(order, pv_time_now().wall_ms, &why), &why);
}

enum pavane_answer pavane_order_set(const struct pavane_order *given,
    const char *const *assignments, size_t count)
{
	struct pavane_order own, *order = &own;
	struct pv_why why, notes;
	if (!pv_sized_read(order, sizeof(own), given))
		return PAVANE_WRONG;
	pv_why_init(&why);
	pv_why_init(&notes);
	enum pavane_answer answer =
	    pv_order_set(order, assignments, count, &notes, &why);
	if (answer == PAVANE_YES)
		pv_notes_tell(&notes, order->on_line, order->ctx);
	pv_why_finish(&notes);
	return tell(order, answer, &why);
}

enum pavane_answer pavane_order_stop(
    const struct pavane_order *given, int64_t *process)
{
	struct pavane_order own, *order = &own;
	struct pv_why why;
	if (!pv_sized_read(order, sizeof(own), given))
		return PAVANE_WRONG;
	pv_why_init(&why);
	return tell(order, pv_order_stop(order, process, &why), &why);
}
