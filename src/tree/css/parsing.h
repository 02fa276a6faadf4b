#ifndef PAVANE_TREE_CSS_PARSING_H
#define PAVANE_TREE_CSS_PARSING_H

#include "tree/css/selector.h"
#include "tree/css/word.h"
#include "tree/nodes/fault.h"

/* A selector that is being parsed, as parser.c, attribute_parser.c and
 * pseudo_class.c share it. */
struct pv_css_parsing {
	struct pv_reader reader;
	const char *start;
	struct pv_arena *arena;
	struct pv_expression_fault *fault;
};

static inline size_t pv_css_offset(const struct pv_css_parsing *parsing)
{
	return (size_t)(parsing->reader.at - parsing->start);
}

static inline void pv_css_skip_space(struct pv_css_parsing *parsing)
{
	pv_reader_take_while(&parsing->reader, pv_selector_is_space);
}

/* Room for one more test; NULL, with the fault told, if there are too many. */
static inline struct pv_css_test *pv_css_add_test(
    struct pv_css_parsing *parsing, struct pv_css_compound *compound)
{
	if (compound->test_count == PV_CSS_TESTS_MAX) {
		pv_expression_fault_tell(parsing->fault, pv_css_offset(parsing),
		    "more than %d conditions for one element",
		    PV_CSS_TESTS_MAX);
		return NULL;
	}
	return &compound->tests[compound->test_count++];
}

#endif
