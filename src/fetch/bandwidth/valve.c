#include "fetch/bandwidth/valve.h"

void pv_valve_init(struct pv_valve *valve, int64_t limit, int64_t now)
{
	*valve = (struct pv_valve){.is_turn_of_others = false};
	pv_byte_bucket_init(&valve->bucket, limit, now);
}

/* Behind another in its line; NULL: before all. */
static void put_behind(struct pv_flow *previous, struct pv_flow *flow)
{
	struct pv_flow_line *line = flow->line;
	flow->previous = previous;
	flow->next = previous ? previous->next : line->first;
	if (previous)
		previous->next = flow;
	else
		line->first = flow;
	if (flow->next)
		flow->next->previous = flow;
	else
		line->last = flow;
}

/* It comes last, but first while it is its turn. */
static void push(struct pv_valve *valve, struct pv_flow *flow, bool is_its_turn)
{
	bool is_fresh = flow->passed < PV_FLOW_FRESH;
	flow->valve = valve;
	flow->line = is_fresh ? &valve->fresh : &valve->others;
	put_behind(is_its_turn ? NULL : flow->line->last, flow);
	if (is_its_turn)
		valve->is_turn_of_others = !is_fresh;
	else
		flow->turn_left = PV_FLOW_TURN;
}

void pv_valve_forget(struct pv_flow *flow)
{
	struct pv_flow_line *line = flow->line;
	if (!flow->valve)
		return;
	if (flow->previous)
		flow->previous->next = flow->next;
	else
		line->first = flow->next;
	if (flow->next)
		flow->next->previous = flow->previous;
	else
		line->last = flow->previous;
	flow->valve = NULL;
}

/* Whose turn it is; NULL if nobody waits. It is not passed over if it wants
 * more than there is yet, or it would wait for as long as others want less. */
static struct pv_flow *first(const struct pv_valve *valve)
{
	if (valve->is_turn_of_others && valve->others.first)
		return valve->others.first;
	return valve->fresh.first ? valve->fresh.first : valve->others.first;
}

static void use_turn(struct pv_flow *flow, size_t bytes)
{
	flow->turn_left -= bytes < flow->turn_left ? bytes : flow->turn_left;
}

bool pv_valve_pass(
    struct pv_valve *valve, struct pv_flow *flow, size_t bytes, int64_t now)
{
	bool is_its_turn = valve->turn_of == flow && bytes <= flow->turn_left;
	if ((is_its_turn || !first(valve)) &&
	    pv_byte_bucket_take(&valve->bucket, (int64_t)bytes, now)) {
		use_turn(flow, bytes);
		return true;
	}
	flow->wanted = bytes;
	push(valve, flow, is_its_turn);
	return false;
}

struct pv_flow *pv_valve_take_next(struct pv_valve *valve, int64_t now)
{
	struct pv_flow *flow = first(valve);
	if (!flow ||
	    !pv_byte_bucket_take(&valve->bucket, (int64_t)flow->wanted, now))
		return NULL;
	valve->is_turn_of_others = flow->line == &valve->fresh;
	valve->turn_of = flow;
	use_turn(flow, flow->wanted);
	pv_valve_forget(flow);
	return flow;
}

void pv_valve_end_turn(struct pv_valve *valve)
{
	valve->turn_of = NULL;
}

int64_t pv_valve_wait(struct pv_valve *valve, int64_t now)
{
	const struct pv_flow *flow = first(valve);
	if (!flow)
		return PV_VALVE_NEVER;
	return pv_byte_bucket_wait(&valve->bucket, (int64_t)flow->wanted, now);
}
