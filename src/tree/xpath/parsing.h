#ifndef PAVANE_TREE_XPATH_PARSING_H
#define PAVANE_TREE_XPATH_PARSING_H

#include "base/reader.h"
#include "tree/nodes/fault.h"
#include "tree/xpath/ops.h"

/* An expression that is being parsed, as parser.c and path_parser.c share it.
 * What takes something skips white space before it. */
struct pv_xpath_parsing {
	struct pv_reader reader;
	const char *start;
	struct pv_arena *arena;
	struct pv_expression_fault *fault;
	unsigned depth; /* of parentheses and brackets */
};

size_t pv_xpath_offset(const struct pv_xpath_parsing *parsing);

/* Tells what is expected where the reader is, and returns NULL. */
void *pv_xpath_tell(struct pv_xpath_parsing *parsing, const char *sentence);

/* Takes the text if it is next. */
bool pv_xpath_accept(struct pv_xpath_parsing *parsing, struct pv_str text);

/* What is next, without taking it; -1 at the end. */
int pv_xpath_peek(struct pv_xpath_parsing *parsing);

/* Takes a name, with a prefix if it has one; empty if none is next. */
struct pv_str pv_xpath_take_name(struct pv_xpath_parsing *parsing);

struct pv_xpath_op *pv_xpath_add_op(
    struct pv_xpath_parsing *parsing, enum pv_xpath_kind kind);

/* Parses an expression; NULL with the fault told. */
struct pv_xpath_op *pv_xpath_parse(struct pv_xpath_parsing *parsing);

/* Parses all predicates that are next, maybe none; false as above. */
bool pv_xpath_parse_predicates(
    struct pv_xpath_parsing *parsing, struct pv_xpath_op **first);

#endif
