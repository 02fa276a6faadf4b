#ifndef PAVANE_TREE_XPATH_VALUE_H
#define PAVANE_TREE_XPATH_VALUE_H

#include "base/buf.h"
#include "tree/nodes/budget.h"
#include "tree/nodes/node.h"

/* What an operation gives, and how it becomes another sort (XPath, 4). All that
 * copies text takes it off the budget; where that is spent a value is empty,
 * and whoever evaluates gives up. */

/* A node, or one of its attributes, by number from 1. */
struct pv_xpath_ref {
	const struct pv_tree_node *node;
	uint32_t attribute; /* 0: the node itself */
};

enum pv_xpath_sort {
	PV_XPATH_REFS, /* in the order of the document, each once */
	PV_XPATH_STRING,
	PV_XPATH_DOUBLE,
	PV_XPATH_BOOLEAN,
};

struct pv_xpath_value {
	enum pv_xpath_sort sort;
	struct pv_str text; /* the tree's, the expression's, or in `own` */
	struct pv_buf own;
	double number;
	bool boolean;
	struct pv_xpath_ref *refs;
	size_t count, size;
};

/* More nodes than these are given up. */
#define PV_XPATH_REFS_MAX ((size_t)1 << 20)

void pv_xpath_value_init(struct pv_xpath_value *value);
void pv_xpath_value_finish(struct pv_xpath_value *value);

/* Each sets what was empty. */
void pv_xpath_value_set_boolean(struct pv_xpath_value *value, bool boolean);
void pv_xpath_value_set_number(struct pv_xpath_value *value, double number);
void pv_xpath_value_set_text(struct pv_xpath_value *value, struct pv_str text);

/* The same with a copy. */
void pv_xpath_value_set_copy(struct pv_xpath_value *value, struct pv_str text,
    struct pv_tree_budget *budget);

/* False if there are too many. */
bool pv_xpath_value_add(struct pv_xpath_value *value, struct pv_xpath_ref ref);

/* Brings the nodes in order, each once. */
void pv_xpath_value_sort(
    struct pv_xpath_value *value, struct pv_tree_budget *budget);

/* The text of a node, in `scratch` if it stands nowhere as a whole. */
struct pv_str pv_xpath_text_of(struct pv_xpath_ref ref, struct pv_buf *scratch,
    struct pv_tree_budget *budget);

bool pv_xpath_boolean(const struct pv_xpath_value *value);
double pv_xpath_number(
    const struct pv_xpath_value *value, struct pv_tree_budget *budget);
struct pv_str pv_xpath_text(const struct pv_xpath_value *value,
    struct pv_buf *scratch, struct pv_tree_budget *budget);

/* Number of a node's text. */
double pv_xpath_number_of_ref(
    struct pv_xpath_ref ref, struct pv_tree_budget *budget);

/* A buffer for text that is made. */
void pv_xpath_scratch_init(struct pv_buf *buf);

#endif
