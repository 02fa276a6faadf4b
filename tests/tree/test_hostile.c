#include <time.h>

#include "tree/nearest.h"
#include "tree/scene.h"

/* Pages and expressions that cost others seconds to hours. What is claimed of
 * them is counted, so that a busy machine changes nothing; the time is printed,
 * and its limit is as wide as sanitizers, or others on the machine, need: about
 * three times what the costliest takes alone. */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT_S 20.0
#define STEPS (PV_TREE_STEPS / 8)
#else
#define LIMIT_S 3.0
#define STEPS PV_TREE_STEPS
#endif

#define PAGE_MAX ((size_t)5 << 20)

struct page {
	const char *name;
	const char *start, *again, *end; /* again and again, between */
	size_t times;
	enum pv_tree_end tree_end;
};

static const struct page pages[] = {
    {"100,000 attributes", "<p", " a%zu", ">x", 100000, PV_TREE_DROPPED},
    {"100,000 attributes with values", "<p", " a%zu=\"'>\"", ">x", 100000,
	PV_TREE_DROPPED},
    {"100,000 attributes that are hidden", "<p a='<!--'><!-->", "<a b%zu ",
	"-->", 100000, PV_TREE_WHOLE},
    {"many tags with 256 attributes", "",
	"<p "
	"a a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af ag ah ai aj ak al am "
	"b b1 b2 b3 b4 b5 b6 b7 b8 b9 ba bb bc bd be bf bg bh bi bj bk bl bm "
	"c c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf cg ch ci cj ck cl cm "
	"d d1 d2 d3 d4 d5 d6 d7 d8 d9 da db dc dd de df dg dh di dj dk dl dm "
	"e e1 e2 e3 e4 e5 e6 e7 e8 e9 ea eb ec ed ee ef eg eh ei ej ek el em "
	"f f1 f2 f3 f4 f5 f6 f7 f8 f9 fa fb fc fd fe ff fg fh fi fj fk fl fm "
	"g g1 g2 g3 g4 g5 g6 g7 g8 g9 ga gb gc gd ge gf gg gh gi gj gk gl gm "
	"h h1 h2 h3 h4 h5 h6 h7 h8 h9 ha hb hc hd he hf hg hh hi hj hk hl hm "
	"i i1 i2 i3 i4 i5 i6 i7 i8 i9 ia ib ic id ie if ig ih ii ij ik il im "
	"j j1 j2 j3 j4 j5 j6 j7 j8 j9 ja jb jc jd je jf jg jh ji jj jk jl jm "
	"k k1 k2 k3 k4 k5 k6 k7 k8 k9 ka kb kc kd ke kf kg kh ki kj kk kl km>",
	"", 5000, PV_TREE_MANY},
    {"100,000 levels", "", "<div>", "", 100000, PV_TREE_DEEP},
    {"100,000 end tags without a start", "<p>x", "</b>", "", 100000,
	PV_TREE_WHOLE},
    {"a million of them", "<p>x", "</b>", "", 1000000, PV_TREE_BROKEN},
    {"400,000 deep down",
	"<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>"
	"<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>"
	"<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>"
	"<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>"
	"<i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i><i>",
	"</b>", "", 400000, PV_TREE_BROKEN},
    {"a million elements", "", "<b>", "</b>", 1000000, PV_TREE_DEEP},
    {"many empty elements", "", "<br>", "", 1000000, PV_TREE_MANY},
    {"400,000 texts between comments", "<p>", "a<!-->", "", 400000,
	PV_TREE_WHOLE},
    {"comments between texts", "<p>", "a<!---->", "", 400000, PV_TREE_WHOLE},
    {"comments that do not end", "", "<!--", "", 1000000, PV_TREE_WHOLE},
    {"scripts that do not end", "", "<script>", "", 500000, PV_TREE_WHOLE},
    {"quotes that do not end", "", "<a b='", "", 600000, PV_TREE_DROPPED},
    {"less-than signs", "", "<", "", 4000000, PV_TREE_MANY},
    {"ampersands", "", "&", "", 4000000, PV_TREE_BROKEN},
    {"NULs", "<p>", "%c", "", 4000000, PV_TREE_WHOLE},
    {"bytes that are no UTF-8", "<p>", "\xff", "", 4000000, PV_TREE_WHOLE},
    {"tables within tables", "", "<table><tr><td>", "", 100000, PV_TREE_DEEP},
    {"paragraphs", "", "<p>", "", 1000000, PV_TREE_MANY},
};

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

static void make(struct pv_buf *buf, const struct page *page)
{
	pv_buf_clear(buf);
	pv_buf_append_text(buf, page->start);
	for (size_t i = 0; i < page->times; i++) {
		if (pv_str_find(pv_str_of(page->again), '%') == PV_NOT_FOUND)
			pv_buf_append_text(buf, page->again);
		else if (page->again[1] == 'c')
			pv_buf_append_char(buf, '\0');
		else
			pv_buf_append_format(buf, page->again, i);
	}
	pv_buf_append_text(buf, page->end);
}

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const struct {
	enum pv_expression_kind kind;
	const char *text;
} expressions[] = {
    {PV_EXPRESSION_CSS, "a b c d e f g h"},
    {PV_EXPRESSION_CSS, "* * * * * * * * x"},
    {PV_EXPRESSION_CSS, "* ~ * ~ * ~ * ~ x"},
    {PV_EXPRESSION_CSS, "br:nth-of-type(odd)"},
    {PV_EXPRESSION_CSS, ":empty"},
    {PV_EXPRESSION_CSS, "*::text, *::attr(a)"},
    {PV_EXPRESSION_XPATH, "//*[contains(//p,'x')]"},
    {PV_EXPRESSION_XPATH, "//p[/ < 1]"},
    {PV_EXPRESSION_XPATH, "//*[. = //p]"},
    {PV_EXPRESSION_XPATH, "//text()"},
    {PV_EXPRESSION_XPATH, "//*/@*"},
    {PV_EXPRESSION_XPATH, "//node()/following::node()"},
    {PV_EXPRESSION_XPATH, "//node()/preceding::node()[3]"},
    {PV_EXPRESSION_XPATH, "//*//*//*//*"},
    {PV_EXPRESSION_XPATH, "//*/ancestor::*/descendant::*[2]"},
    {PV_EXPRESSION_XPATH, "count(//*[count(//*) > 1])"},
    {PV_EXPRESSION_XPATH, "//*[translate(., 'abcdefghijk', 'k') = 'x']"},
    {PV_EXPRESSION_XPATH,
	"string-length(concat(/, /, /, /, /, /, /, /, /, /, /, /, /, /, /))"},
    {PV_EXPRESSION_XPATH, "id(//text()) | //*[string-length() > 3]"},
};

static void try_expression(const struct pv_tree *tree, size_t i)
{
	struct pv_expression_fault fault;
	struct pv_matches matches;
	struct pv_tree_budget budget = {STEPS};
	struct pv_expression *expression = pv_expression_create(
	    expressions[i].kind, pv_str_of(expressions[i].text), &fault);
	if (!ok(expression, "%s: %s", expressions[i].text, fault.text))
		return;
	pv_matches_init(&matches, PV_MATCHES_MAX);
	double start = now_s();
	enum pv_evaluation result =
	    pv_expression_evaluate(expression, tree, NULL, &budget, &matches);
	double took = now_s() - start;
	ok((budget.steps || result == PV_EVALUATION_GAVE_UP) && took < LIMIT_S,
	    "P5: %s: %.3f s, %.1f million steps, %.0f ns each, %zu matches",
	    expressions[i].text, took,
	    (double)(STEPS - budget.steps) / 1e6,
	    took * 1e9 / (double)(STEPS - budget.steps + 1),
	    matches.count);
	pv_matches_finish(&matches);
	pv_expression_destroy(expression);
}

static void try_page(const struct page *page, struct pv_buf *buf)
{
	make(buf, page);
	double start = now_s();
	struct pv_tree *tree = scene_tree(pv_buf_str(buf));
	double took = now_s() - start;
	ok(pv_tree_end(tree) == page->tree_end,
	    "P5: %s: %.1f MB %s, of %u nodes", page->name,
	    (double)buf->len / 1e6, pv_tree_end_text(pv_tree_end(tree)),
	    pv_tree_document(tree)->below);
	ok(took < LIMIT_S, "in %.3f s", took);
	for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++)
		try_expression(tree, i);
	pv_tree_destroy(tree);
}

static void test_known(struct pv_buf *buf)
{
	const struct page contains = {
	    "", "", "<p>abcdefghijk</p>", "", 220000, PV_TREE_WHOLE};
	const struct page order = {
	    "", "", "<p>1</p>", "", 100000, PV_TREE_WHOLE};
	make(buf, &contains);
	struct pv_tree *tree = scene_tree(pv_buf_str(buf));
	try_expression(tree, 6);
	try_expression(tree, 10);
	pv_tree_destroy(tree);
	make(buf, &order);
	tree = scene_tree(pv_buf_str(buf));
	try_expression(tree, 7);
	pv_tree_destroy(tree);
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, PAGE_MAX);
	test_known(&buf);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		try_page(&pages[i], &buf);
	pv_buf_finish(&buf);
	return tap_done();
}
