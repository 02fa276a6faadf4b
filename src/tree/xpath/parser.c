#include "tree/xpath/parser.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "tree/xpath/functions.h"
#include "tree/xpath/number.h"
#include "tree/xpath/path_parser.h"

#define TEXT_MAX 4096
#define DEPTH_MAX 32

/* From those that bind least. */
static const struct {
	struct pv_str text;
	unsigned level;
	enum pv_xpath_kind kind;
} operators[] = {
    {PV_STR("or"), 0, PV_XPATH_OR},
    {PV_STR("and"), 1, PV_XPATH_AND},
    {PV_STR("="), 2, PV_XPATH_EQUAL},
    {PV_STR("!="), 2, PV_XPATH_UNEQUAL},
    {PV_STR("<="), 3, PV_XPATH_LESS_EQUAL},
    {PV_STR("<"), 3, PV_XPATH_LESS},
    {PV_STR(">="), 3, PV_XPATH_GREATER_EQUAL},
    {PV_STR(">"), 3, PV_XPATH_GREATER},
    {PV_STR("+"), 4, PV_XPATH_ADD},
    {PV_STR("-"), 4, PV_XPATH_SUBTRACT},
    {PV_STR("*"), 5, PV_XPATH_MULTIPLY},
    {PV_STR("div"), 5, PV_XPATH_DIVIDE},
    {PV_STR("mod"), 5, PV_XPATH_MODULO},
};

#define LEVELS 6

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_name_start(int byte)
{
	return pv_is_alpha(byte) || byte == '_' || byte >= 0x80;
}

static bool is_name_byte(int byte)
{
	return is_name_start(byte) || pv_is_digit(byte) || byte == '-' ||
	       byte == '.';
}

size_t pv_xpath_offset(const struct pv_xpath_parsing *parsing)
{
	return (size_t)(parsing->reader.at - parsing->start);
}

void *pv_xpath_tell(struct pv_xpath_parsing *parsing, const char *sentence)
{
	pv_reader_take_while(&parsing->reader, is_space);
	pv_expression_fault_tell(
	    parsing->fault, pv_xpath_offset(parsing), "%s", sentence);
	return NULL;
}

int pv_xpath_peek(struct pv_xpath_parsing *parsing)
{
	pv_reader_take_while(&parsing->reader, is_space);
	return pv_reader_peek(&parsing->reader);
}

bool pv_xpath_accept(struct pv_xpath_parsing *parsing, struct pv_str text)
{
	struct pv_reader ahead = parsing->reader;
	pv_reader_take_while(&ahead, is_space);
	if (!pv_reader_accept_str(&ahead, text))
		return false;
	parsing->reader = ahead;
	return true;
}

struct pv_str pv_xpath_take_name(struct pv_xpath_parsing *parsing)
{
	struct pv_reader *reader = &parsing->reader;
	if (!is_name_start(pv_xpath_peek(parsing)))
		return PV_STR("");
	const char *start = reader->at;
	pv_reader_take_while(reader, is_name_byte);
	struct pv_reader ahead = *reader;
	if (pv_reader_accept(&ahead, ':') &&
	    is_name_start(pv_reader_peek(&ahead))) {
		pv_reader_take_while(&ahead, is_name_byte);
		*reader = ahead;
	}
	return pv_arena_copy(parsing->arena,
	    (struct pv_str){start, (size_t)(reader->at - start)});
}

struct pv_xpath_op *pv_xpath_add_op(
    struct pv_xpath_parsing *parsing, enum pv_xpath_kind kind)
{
	struct pv_xpath_op *op = pv_arena_give(parsing->arena, sizeof(*op));
	op->kind = kind;
	return op;
}

bool pv_xpath_parse_predicates(
    struct pv_xpath_parsing *parsing, struct pv_xpath_op **first)
{
	while (pv_xpath_accept(parsing, PV_STR("["))) {
		*first = pv_xpath_parse(parsing);
		if (!*first)
			return false;
		if (!pv_xpath_accept(parsing, PV_STR("]"))) {
			pv_xpath_tell(parsing, "\"]\" is expected here");
			return false;
		}
		first = &(*first)->next;
	}
	return true;
}

static struct pv_xpath_op *parse_string(struct pv_xpath_parsing *parsing)
{
	struct pv_reader *reader = &parsing->reader;
	struct pv_xpath_parsing before = *parsing;
	char quote = (char)pv_reader_next(reader);
	struct pv_xpath_op *op = pv_xpath_add_op(parsing, PV_XPATH_TEXT);
	op->text =
	    pv_arena_copy(parsing->arena, pv_reader_take_until(reader, quote));
	if (pv_reader_accept(reader, quote))
		return op;
	return pv_xpath_tell(&before, "this quotation mark is not closed");
}

static bool is_number_byte(int byte)
{
	return pv_is_digit(byte) || byte == '.';
}

static struct pv_xpath_op *parse_number(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_parsing before = *parsing;
	struct pv_xpath_op *op = pv_xpath_add_op(parsing, PV_XPATH_NUMBER);
	op->number = pv_xpath_number_of(
	    pv_reader_take_while(&parsing->reader, is_number_byte));
	if (op->number >= 0)
		return op;
	return pv_xpath_tell(&before, "this is no number");
}

/* Behind "(", to ")". */
static bool parse_arguments(
    struct pv_xpath_parsing *parsing, struct pv_xpath_op *op, size_t *count)
{
	struct pv_xpath_op **end = &op->first;
	*count = 0;
	if (pv_xpath_accept(parsing, PV_STR(")")))
		return true;
	do {
		*end = pv_xpath_parse(parsing);
		if (!*end)
			return false;
		if (op->function->wants_nodes &&
		    (*end)->kind != PV_XPATH_PATH &&
		    (*end)->kind != PV_XPATH_FILTER &&
		    (*end)->kind != PV_XPATH_UNION &&
		    !((*end)->kind == PV_XPATH_CALL &&
			(*end)->function->result == PV_XPATH_REFS)) {
			pv_xpath_tell(
			    parsing, "before this, nodes are expected: a path");
			return false;
		}
		end = &(*end)->next;
		++*count;
	} while (pv_xpath_accept(parsing, PV_STR(",")));
	if (pv_xpath_accept(parsing, PV_STR(")")))
		return true;
	pv_xpath_tell(parsing, "\",\" or \")\" is expected here");
	return false;
}

static struct pv_xpath_op *parse_call(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_parsing before = *parsing;
	struct pv_xpath_op *op = pv_xpath_add_op(parsing, PV_XPATH_CALL);
	struct pv_str name = pv_xpath_take_name(parsing);
	size_t count;
	op->function = pv_xpath_function_find(name);
	if (!op->function) {
		pv_xpath_peek(&before);
		pv_expression_fault_tell(parsing->fault,
		    pv_xpath_offset(&before),
		    "there is no function \"%.*s\" in XPath 1.0%s",
		    (int)(name.len < 60 ? name.len : 60), name.ptr,
		    pv_str_equal(name, PV_STR("lang"))
			? " here; write @lang"
			: "; for regular expressions write the key regex");
		return NULL;
	}
	pv_xpath_accept(parsing, PV_STR("("));
	if (!parse_arguments(parsing, op, &count))
		return NULL;
	if (count >= op->function->fewest && count <= op->function->most)
		return op;
	pv_xpath_peek(&before);
	pv_expression_fault_tell(parsing->fault, pv_xpath_offset(&before),
	    "%.*s() has %zu to %zu arguments, not %zu", PV_STR_ARG(name),
	    op->function->fewest, op->function->most, count);
	return NULL;
}

/* A name and "(", and no test of a step. */
static bool is_at_call(const struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_parsing ahead = *parsing;
	struct pv_str name = pv_xpath_take_name(&ahead);
	return name.len && pv_xpath_accept(&ahead, PV_STR("(")) &&
	       !pv_str_equal(name, PV_STR("node")) &&
	       !pv_str_equal(name, PV_STR("text")) &&
	       !pv_str_equal(name, PV_STR("comment")) &&
	       !pv_str_equal(name, PV_STR("processing-instruction"));
}

static struct pv_xpath_op *parse_group(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_op *op = pv_xpath_parse(parsing);
	if (!op || pv_xpath_accept(parsing, PV_STR(")")))
		return op;
	return pv_xpath_tell(parsing, "\")\" is expected here");
}

/* What is no location path; `is_primary` says whether it is. */
static struct pv_xpath_op *parse_primary(
    struct pv_xpath_parsing *parsing, bool *is_primary)
{
	int byte = pv_xpath_peek(parsing);
	struct pv_reader ahead = parsing->reader;
	pv_reader_next(&ahead);
	*is_primary = true;
	if (byte == '"' || byte == '\'')
		return parse_string(parsing);
	if (pv_is_digit(byte) ||
	    (byte == '.' && pv_is_digit(pv_reader_peek(&ahead))))
		return parse_number(parsing);
	if (byte == '$')
		return pv_xpath_tell(
		    parsing, "there are no variables; write the value itself");
	if (is_at_call(parsing))
		return parse_call(parsing);
	if (pv_xpath_accept(parsing, PV_STR("(")))
		return parse_group(parsing);
	*is_primary = false;
	return NULL;
}

/* Whether nodes may come of it. */
static bool is_nodes(const struct pv_xpath_op *op)
{
	return op->kind >= PV_XPATH_FILTER || op->kind == PV_XPATH_UNION ||
	       (op->kind == PV_XPATH_CALL &&
		   op->function->result == PV_XPATH_REFS);
}

static struct pv_xpath_op *parse_filter_or_path(
    struct pv_xpath_parsing *parsing)
{
	bool is_primary;
	struct pv_xpath_op *left = parse_primary(parsing, &is_primary);
	if (!is_primary)
		return pv_xpath_parse_path(parsing);
	if (!left)
		return NULL;
	int byte = pv_xpath_peek(parsing);
	if ((byte == '[' || byte == '/') && !is_nodes(left))
		return pv_xpath_tell(parsing,
		    "what is before this gives no nodes, so nothing can be "
		    "chosen of it");
	if (byte == '[') {
		struct pv_xpath_op *op =
		    pv_xpath_add_op(parsing, PV_XPATH_FILTER);
		op->left = left;
		if (!pv_xpath_parse_predicates(parsing, &op->first))
			return NULL;
		left = op;
	}
	return pv_xpath_parse_path_of(parsing, left);
}

static struct pv_xpath_op *parse_union(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_op *left = parse_filter_or_path(parsing);
	while (left && pv_xpath_peek(parsing) == '|') {
		if (!is_nodes(left))
			return pv_xpath_tell(
			    parsing, "\"|\" stands between paths only");
		pv_xpath_accept(parsing, PV_STR("|"));
		struct pv_xpath_op *op =
		    pv_xpath_add_op(parsing, PV_XPATH_UNION);
		op->left = left;
		op->right = parse_filter_or_path(parsing);
		if (op->right && !is_nodes(op->right))
			return pv_xpath_tell(parsing,
			    "before this, a path is expected: \"|\" stands "
			    "between paths only");
		left = op->right ? op : NULL;
	}
	return left;
}

static struct pv_xpath_op *parse_unary(struct pv_xpath_parsing *parsing)
{
	bool is_negated = false, has_sign = false;
	while (pv_xpath_accept(parsing, PV_STR("-"))) {
		is_negated = !is_negated;
		has_sign = true;
	}
	struct pv_xpath_op *op = parse_union(parsing);
	if (!op || !has_sign)
		return op;
	for (unsigned i = 0; i < (is_negated ? 1U : 2U); i++) {
		struct pv_xpath_op *negated =
		    pv_xpath_add_op(parsing, PV_XPATH_NEGATE);
		negated->left = op;
		op = negated;
	}
	return op;
}

/* A word is an operator only as a whole: "order" is a name. */
static bool take_operator(
    struct pv_xpath_parsing *parsing, unsigned level, enum pv_xpath_kind *kind)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		struct pv_xpath_parsing ahead = *parsing;
		struct pv_str text = operators[i].text;
		if (operators[i].level != level ||
		    !pv_xpath_accept(&ahead, text) ||
		    (is_name_start((unsigned char)*text.ptr) &&
			is_name_byte(pv_reader_peek(&ahead.reader))))
			continue;
		*kind = operators[i].kind;
		parsing->reader = ahead.reader;
		return true;
	}
	return false;
}

static struct pv_xpath_op *parse_binary(
    struct pv_xpath_parsing *parsing, unsigned level)
{
	enum pv_xpath_kind kind;
	if (level == LEVELS)
		return parse_unary(parsing);
	struct pv_xpath_op *left = parse_binary(parsing, level + 1);
	while (left && take_operator(parsing, level, &kind)) {
		struct pv_xpath_op *op = pv_xpath_add_op(parsing, kind);
		op->left = left;
		op->right = parse_binary(parsing, level + 1);
		left = op->right ? op : NULL;
	}
	return left;
}

struct pv_xpath_op *pv_xpath_parse(struct pv_xpath_parsing *parsing)
{
	if (parsing->depth == DEPTH_MAX)
		return pv_xpath_tell(
		    parsing, "more than 32 parentheses within another");
	parsing->depth++;
	struct pv_xpath_op *op = parse_binary(parsing, 0);
	parsing->depth--;
	return op;
}

static struct pv_xpath_op *parse_whole(struct pv_xpath_parsing *parsing)
{
	struct pv_xpath_op *op = pv_xpath_parse(parsing);
	if (!op || pv_xpath_peek(parsing) < 0)
		return op;
	return pv_xpath_tell(parsing, "the expression ought to end here");
}

struct pv_xpath *pv_xpath_create(
    struct pv_str text, struct pv_expression_fault *fault)
{
	struct pv_xpath *xpath = pv_alloc(sizeof(*xpath));
	pv_arena_init(&xpath->arena);
	struct pv_xpath_parsing parsing = {
	    .reader = pv_reader_of(text),
	    .arena = &xpath->arena,
	    .fault = fault,
	};
	parsing.start = parsing.reader.at;
	if (text.len <= TEXT_MAX)
		xpath->top = parse_whole(&parsing);
	else
		pv_xpath_tell(&parsing, "longer than 4096 bytes");
	if (xpath->top)
		return xpath;
	pv_xpath_destroy(xpath);
	return NULL;
}

void pv_xpath_destroy(struct pv_xpath *xpath)
{
	if (!xpath)
		return;
	pv_arena_finish(&xpath->arena);
	free(xpath);
}
