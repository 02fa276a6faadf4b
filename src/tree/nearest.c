#include "tree/nearest.h"

#include "base/ascii.h"
#include "tree/compiled.h"
#include "tree/css/selector.h"
#include "tree/page_words.h"
#include "tree/xpath/evaluate.h"

/* How much of a text is shown. */
#define SHOWN_MAX 200

struct search {
	const struct pv_expression *expression;
	const struct pv_tree *tree;
	const struct pv_tree_node *context;
	struct pv_tree_budget budget;
	struct pv_buf *buf;
};

static void quote(struct pv_buf *buf, struct pv_str text)
{
	struct pv_str shown = pv_str_trim(text);
	if (shown.len > SHOWN_MAX)
		shown.len = SHOWN_MAX;
	pv_buf_append_format(buf, "\"%.*s\"", PV_STR_ARG(shown));
}

/* A part of the expression as it was written. */
static struct pv_str part(const struct search *search, size_t start, size_t end)
{
	struct pv_str text = {search->expression->text, end};
	return pv_str_from(text, start);
}

static void append_times(struct pv_buf *buf, size_t count)
{
	if (count == 1)
		pv_buf_append_text(buf, " matches once");
	else
		pv_buf_append_format(buf, " matches %zu times", count);
}

/* How far it matches, and what then does not; each may be empty. */
static void append_miss(const struct search *search, struct pv_str matching,
    size_t count, struct pv_str missing)
{
	struct pv_buf *buf = search->buf;
	if (matching.len) {
		quote(buf, matching);
		append_times(buf, count);
	}
	if (matching.len && missing.len)
		pv_buf_append_text(buf, ", ");
	if (missing.len) {
		quote(buf, missing);
		pv_buf_append_text(
		    buf, matching.len ? " nothing" : " matches nothing");
	}
}

/* Browsers put one into each table, and show it to whoever looks there. */
static void append_tbody(const struct search *search, struct pv_str name)
{
	if (pv_str_equal_nocase(name, PV_STR("tbody")))
		pv_buf_append_text(search->buf,
		    "; browsers add tbody, but the page has none: leave it "
		    "out");
}

static void append_words(
    const struct search *search, const struct pv_css_test *test)
{
	bool is_id = test->kind == PV_CSS_TEST_ID;
	struct pv_page_words words;
	struct pv_arena arena;
	pv_arena_init(&arena);
	pv_page_words_find(&words, search->tree,
	    is_id ? PV_WORD_ID : PV_WORD_CLASS, test->value, &arena);
	if (words.count)
		pv_buf_append_format(search->buf, "; the page has the %s%s",
		    is_id ? "id" : "class",
		    words.count > 1 && is_id ? "s"
		    : words.count > 1        ? "es"
					     : "");
	for (size_t i = 0; i < words.count; i++)
		pv_buf_append_format(
		    search->buf, "%s%s", i ? ", " : " ", words.items[i]);
	pv_arena_finish(&arena);
}

static void append_hints(
    const struct search *search, const struct pv_css_compound *compound)
{
	append_tbody(search, compound->type);
	for (size_t i = 0; i < compound->test_count; i++) {
		const struct pv_css_test *test = &compound->tests[i];
		if (test->kind == PV_CSS_TEST_ID ||
		    test->kind == PV_CSS_TEST_CLASS)
			append_words(search, test);
	}
}

/* How often the first so many compounds match. */
static size_t count_compounds(struct search *search,
    const struct pv_css_complex *complex, size_t count,
    enum pv_css_result result)
{
	struct pv_css_complex beginning = *complex;
	beginning.count = count;
	beginning.result = result;
	const struct pv_selector selector = {.items = &beginning, .count = 1};
	struct pv_matches matches;
	pv_matches_init(&matches, PV_MATCHES_MAX);
	pv_selector_match(
	    &selector, search->context, &search->budget, &matches);
	size_t found = matches.count;
	pv_matches_finish(&matches);
	return found;
}

/* All elements match: it may be that none has what is asked for. */
static void append_result(struct search *search,
    const struct pv_css_complex *complex, size_t count, struct pv_str matching)
{
	append_miss(search, matching, count, PV_STR(""));
	if (complex->result == PV_CSS_ELEMENTS ||
	    count_compounds(search, complex, complex->count, complex->result))
		return;
	if (complex->result == PV_CSS_TEXTS)
		pv_buf_append_text(search->buf,
		    ", without a text of its own; write it without ::text for "
		    "all that is within");
	else
		pv_buf_append_format(search->buf, ", without an attribute %.*s",
		    PV_STR_ARG(complex->attribute));
}

static void search_complex(
    struct search *search, const struct pv_css_complex *complex)
{
	size_t fitting = 0, count = 0, found;
	const struct pv_css_compound *compounds = complex->compounds;
	while (fitting < complex->count &&
	       (found = count_compounds(
		    search, complex, fitting + 1, PV_CSS_ELEMENTS))) {
		count = found;
		fitting++;
	}
	struct pv_str matching = PV_STR("");
	if (fitting)
		matching =
		    part(search, complex->start, compounds[fitting - 1].end);
	if (fitting == complex->count) {
		append_result(search, complex, count, matching);
		return;
	}
	append_miss(search, matching, count,
	    part(search, complex->start, compounds[fitting].end));
	append_hints(search, &compounds[fitting]);
}

static void search_selector(struct search *search)
{
	const struct pv_selector *selector = search->expression->selector;
	for (size_t i = 0; i < selector->count; i++) {
		if (i)
			pv_buf_append_text(search->buf, "; ");
		search_complex(search, &selector->items[i]);
	}
}

static void append_step_hints(
    const struct search *search, const struct pv_xpath_step *step)
{
	append_tbody(search, step->name);
	for (size_t i = 0; i < step->name.len; i++) {
		if (pv_is_upper((unsigned char)step->name.ptr[i])) {
			pv_buf_append_text(
			    search->buf, "; names are written in lower case");
			break;
		}
	}
}

static void search_path(struct search *search, const struct pv_xpath_op *path)
{
	struct pv_str matching = PV_STR("");
	size_t count = 0, found = 0, steps = 1;
	for (const struct pv_xpath_step *step = path->steps; step;
	     step = step->next, steps++) {
		bool is_found = pv_xpath_count(path, steps, search->context,
				    &search->budget, &found) &&
				found;
		if (!is_found) {
			append_miss(search, matching, count,
			    part(search, 0, step->end));
			append_step_hints(search, step);
			return;
		}
		/* The first of two steps that are one to who wrote them. */
		if (step->next && step->next->end == step->end)
			continue;
		matching = part(search, 0, step->end);
		count = found;
	}
	append_miss(search, matching, count, PV_STR(""));
}

void pv_expression_nearest(const struct pv_expression *expression,
    const struct pv_tree *tree, const struct pv_tree_node *context,
    struct pv_buf *buf)
{
	struct search search = {
	    .expression = expression,
	    .tree = tree,
	    .context = context ? context : pv_tree_document(tree),
	    .budget = {PV_TREE_STEPS},
	    .buf = buf,
	};
	if (expression->selector)
		search_selector(&search);
	else if (expression->xpath->top->kind == PV_XPATH_PATH &&
		 expression->xpath->top->steps)
		search_path(&search, expression->xpath->top);
	else
		append_miss(
		    &search, PV_STR(""), 0, part(&search, 0, expression->len));
}
