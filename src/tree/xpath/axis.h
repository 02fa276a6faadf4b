#ifndef PAVANE_TREE_XPATH_AXIS_H
#define PAVANE_TREE_XPATH_AXIS_H

#include "tree/xpath/ops.h"
#include "tree/xpath/value.h"

/* The nodes of an axis, in its order: what is behind, going on; what is before,
 * going back. */
struct pv_axis_walk {
	enum pv_xpath_axis axis;
	struct pv_xpath_ref origin;
	const struct pv_tree_node *at; /* the next; NULL: no more */
	const struct pv_tree_node *end;
	uint32_t attribute;
};

void pv_axis_start(struct pv_axis_walk *walk, enum pv_xpath_axis axis,
    struct pv_xpath_ref origin);

/* False if there are no more. */
bool pv_axis_next(struct pv_axis_walk *walk, struct pv_xpath_ref *ref);

/* Whether a node of the axis passes the step's test. */
bool pv_xpath_step_fits(
    const struct pv_xpath_step *step, struct pv_xpath_ref ref);

#endif
