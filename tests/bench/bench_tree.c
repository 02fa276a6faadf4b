#include "bench/numbers.h"
#include "bench/page_files.h"
#include "bench/stopwatch.h"
#include "tree/expression.h"

/* How fast trees are made of pages, in MB/s, and what ten class selectors, ten
 * others and ten XPaths on each page add to that, as a share.
 *
 * The pages are the documentation of Python and Apache, where they are
 * installed, or those in the directories that are given. */

#define ROUNDS 5
#define TEN 10

struct set {
	const char *name;
	enum pv_expression_kind kind;
	const char *texts[TEN];
	struct pv_expression *expressions[TEN];
	double best_s;
	size_t matches;
};

static double evaluate(struct set *set, const struct pv_tree *tree)
{
	struct pv_matches matches;
	struct pv_tree_budget budget = {PV_TREE_STEPS};
	pv_matches_init(&matches, PV_MATCHES_MAX);
	struct stopwatch start = stopwatch_start();
	for (size_t i = 0; i < TEN; i++) {
		pv_expression_evaluate(
		    set->expressions[i], tree, NULL, &budget, &matches);
		set->matches += matches.count;
	}
	double took_s = stopwatch_read(start).busy_s;
	pv_matches_finish(&matches);
	return took_s;
}

static double measure_round(
    const struct pages *pages, struct set *sets, size_t set_count)
{
	double making_s = 0, sums[4] = {0};
	for (size_t i = 0; i < pages->count; i++) {
		struct stopwatch start = stopwatch_start();
		struct pv_tree *tree =
		    pv_tree_create(pages_get(pages, i), &PV_TREE_CEILINGS);
		making_s += stopwatch_read(start).busy_s;
		for (size_t j = 0; j < set_count; j++)
			sums[j] += evaluate(&sets[j], tree);
		start = stopwatch_start();
		pv_tree_destroy(tree);
		making_s += stopwatch_read(start).busy_s;
	}
	for (size_t j = 0; j < set_count; j++)
		sets[j].best_s = numbers_lesser(sets[j].best_s, sums[j]);
	return making_s;
}

static void compile(struct set *set)
{
	struct pv_expression_fault fault;
	set->best_s = 0;
	set->matches = 0;
	for (size_t i = 0; i < TEN; i++)
		set->expressions[i] = pv_expression_create(
		    set->kind, pv_str_of(set->texts[i]), &fault);
}

static void measure(const struct pages *pages, const char *name)
{
	struct set sets[] = {
	    {"ten class selectors", PV_EXPRESSION_CSS,
		{".reference", "a.headerlink", ".section p", ".pre",
		    "div.body > .section", ".nothing", "dl.py dt.sig",
		    "li.right a::attr(href)", ".docutils.literal", ".linkdown"},
		{NULL}, 0, 0},
	    {"ten other selectors", PV_EXPRESSION_CSS,
		{"h1::text", "p", "a::attr(href)", "[id]", "table td",
		    "li:nth-child(2n+1)", "p:first-of-type", "a[href^='http']",
		    "p:not(.first)", "p ::text"},
		{NULL}, 0, 0},
	    {"ten XPaths", PV_EXPRESSION_XPATH,
		{"//h1/text()", "//p", "//a/@href", "//@id", "//table//td",
		    "//li[position() mod 2 = 1]", "//p[1]",
		    "//a[starts-with(@href, 'http')]",
		    "//p[contains(., 'the')]", "//p[@class='first']"},
		{NULL}, 0, 0},
	};
	size_t count = sizeof(sets) / sizeof(*sets);
	double making_s = 0;
	for (size_t i = 0; i < count; i++)
		compile(&sets[i]);
	for (unsigned round = 0; round < ROUNDS; round++)
		making_s =
		    numbers_lesser(making_s, measure_round(pages, sets, count));
	printf("tree: %s: %zu pages, %.1f MB: %.1f MB/s\n", name, pages->count,
	    (double)pages->bytes.len / 1e6,
	    (double)pages->bytes.len / 1e6 / making_s);
	for (size_t i = 0; i < count; i++) {
		printf("tree: %s: %.3f of that, %zu matches\n", sets[i].name,
		    sets[i].best_s / making_s, sets[i].matches / ROUNDS);
		for (size_t j = 0; j < TEN; j++)
			pv_expression_destroy(sets[i].expressions[j]);
	}
}

int main(int argc, char **argv)
{
	return pages_main(argc, argv, measure);
}
