#ifndef PAVANE_TREE_NODES_BUDGET_H
#define PAVANE_TREE_NODES_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What evaluating may cost, on one page and for all its expressions together.
 *
 * It is counted and not timed, so that the same page always ends alike. A step
 * is a node that is looked at, or some bytes of text that are copied or
 * compared; it takes 20 ns at most.
 */
struct pv_tree_budget {
	uint64_t steps; /* that are left */
};

#define PV_TREE_STEPS UINT64_C(30000000)
#define PV_TREE_STEP_BYTES 16

/* Takes so many steps; false, with none left, if there are not as many. */
static inline bool pv_tree_budget_take(
    struct pv_tree_budget *budget, uint64_t steps)
{
	if (budget->steps < steps) {
		budget->steps = 0;
		return false;
	}
	budget->steps -= steps;
	return true;
}

/* The same for text. */
static inline bool pv_tree_budget_take_bytes(
    struct pv_tree_budget *budget, size_t bytes)
{
	return pv_tree_budget_take(budget, 1 + bytes / PV_TREE_STEP_BYTES);
}

#endif
