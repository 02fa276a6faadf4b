#ifndef PAVANE_TREE_CSS_SELECTOR_H
#define PAVANE_TREE_CSS_SELECTOR_H

#include "base/arena.h"
#include "tree/nodes/budget.h"
#include "tree/nodes/matches.h"

/* A list of CSS selectors, compiled: what it is made of, and how it is matched.
 *
 * It is matched from right to left against each element in the order of the
 * document, so that nothing is found twice or has to be sorted. It is never
 * changed, and any number of threads may read it.
 */
enum pv_css_test_kind {
	PV_CSS_TEST_ID,
	PV_CSS_TEST_CLASS,
	PV_CSS_TEST_ATTRIBUTE,
	PV_CSS_TEST_NTH,
	PV_CSS_TEST_EMPTY,
	PV_CSS_TEST_ROOT,
	PV_CSS_TEST_NOT,
};

enum pv_css_operator {
	PV_CSS_PRESENT,
	PV_CSS_EQUAL,    /* = */
	PV_CSS_WORD,     /* ~= */
	PV_CSS_DASH,     /* |= */
	PV_CSS_STARTS,   /* ^= */
	PV_CSS_ENDS,     /* $= */
	PV_CSS_CONTAINS, /* *= */
};

/* Every a-th of those that follow number b. */
struct pv_css_nth {
	int32_t a, b;
	bool is_from_end;
	bool is_of_type;
};

struct pv_css_test {
	enum pv_css_test_kind kind;
	enum pv_css_operator operator;
	bool is_nocase;
	struct pv_str name;  /* of an attribute */
	struct pv_str value; /* ..., an id or a class */
	struct pv_css_nth nth;
	struct pv_css_compound *compound; /* that is not to match */
};

/* What stands before a compound. */
enum pv_css_combinator {
	PV_CSS_DESCENDANT,
	PV_CSS_CHILD,   /* > */
	PV_CSS_SIBLING, /* + */
	PV_CSS_LATER,   /* ~ */
};

#define PV_CSS_TESTS_MAX 16
#define PV_CSS_COMPOUNDS_MAX 16
#define PV_CSS_SELECTORS_MAX 32

struct pv_css_compound {
	enum pv_css_combinator combinator;
	struct pv_str type; /* empty: any */
	uint32_t type_hash;
	uint64_t words; /* that a node must have (tree/nodes/node.h) */
	struct pv_css_test *tests;
	size_t test_count;
	bool is_or_self; /* it may be what is before it, too: "p ::text" */
	size_t end;      /* how far it goes, in bytes of the text */
};

enum pv_css_result {
	PV_CSS_ELEMENTS,
	PV_CSS_TEXTS,      /* ::text */
	PV_CSS_ATTRIBUTES, /* ::attr(name) */
};

struct pv_css_complex {
	struct pv_css_compound *compounds;
	size_t count;
	size_t start; /* where it begins in the text */
	enum pv_css_result result;
	struct pv_str attribute;
};

struct pv_selector {
	struct pv_arena arena;
	struct pv_css_complex *items;
	size_t count;
};

/* Adds what is found in the context and below it; the context itself may be
 * found, and each compound must be there. False if the budget is spent. */
bool pv_selector_match(const struct pv_selector *selector,
    const struct pv_tree_node *context, struct pv_tree_budget *budget,
    struct pv_matches *matches);

#endif
