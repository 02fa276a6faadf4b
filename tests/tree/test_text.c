#include "tree/text.h"

#include "tree/scene.h"

static const char page[] =
    "<html><head><base target=_top><base href=/a><base href=/b>"
    "<meta name=Description content=one><meta property='og:title' content=two>"
    "<meta name=description content='three'><meta itemprop=price content=4>"
    "<meta http-equiv=refresh content='0'><meta name=description>"
    "<script>var a = '<b>';</script>"
    "<script type='application/LD+json; charset=utf-8'>{\"a\": 1}</script>"
    "<script type=application/ld+json src=x></script></head>"
    "<body><div id=d>a<script>x</script> <b class=\"x\">b &amp; c</b>"
    "<style>y</style><br></div></body></html>";

static const struct pv_tree_node *find(
    const struct pv_tree *tree, const char *name)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	while (!pv_node_is_named(node, pv_str_of(name)))
		node++;
	return node;
}

static void test_nodes(const struct pv_tree *tree, struct pv_buf *buf)
{
	pv_tree_text(find(tree, "div"), buf);
	is_text(pv_buf_str(buf), "a b & c", "text without scripts and styles");
	pv_buf_clear(buf);
	pv_tree_text(find(tree, "style"), buf);
	is_text(pv_buf_str(buf), "y", "a style by itself has its text");
	pv_buf_clear(buf);
	pv_tree_html(find(tree, "div"), buf);
	is_text(pv_buf_str(buf),
	    "<div id=\"d\">a<script>x</script> <b class=\"x\">b &amp; c</b>"
	    "<style>y</style><br></div>",
	    "an element as HTML");
	struct pv_buf small;
	pv_buf_init(&small, 3);
	ok(!pv_tree_text(find(tree, "div"), &small) && small.is_full,
	    "P5: no more text than the buffer may have");
	pv_buf_clear(&small);
	ok(!pv_tree_html(find(tree, "div"), &small) && small.is_full,
	    "P5: nor more HTML");
	pv_buf_finish(&small);
}

static struct pv_str joined(
    const struct pv_matches *matches, struct pv_buf *buf)
{
	pv_buf_clear(buf);
	for (size_t i = 0; i < matches->count; i++) {
		if (i)
			pv_buf_append_char(buf, '|');
		pv_buf_append(buf, matches->items[i].text);
	}
	return pv_buf_str(buf);
}

static const struct {
	const char *name;
	const char *found;
} metas[] = {
    {"description", "one|three"},
    {"og:title", "two"},
    {"PRICE", "4"},
    {"refresh", "0"},
    {"none", ""},
};

static void test_page(const struct pv_tree *tree, struct pv_buf *buf)
{
	struct pv_matches matches;
	pv_matches_init(&matches, 10);
	is_text(pv_tree_base(tree), "/a", "the first base that has an address");
	for (size_t i = 0; i < sizeof(metas) / sizeof(*metas); i++) {
		pv_matches_clear(&matches);
		pv_tree_meta(tree, pv_str_of(metas[i].name), &matches);
		is_text(joined(&matches, buf), metas[i].found, "meta %s: %s",
		    metas[i].name, metas[i].found);
	}
	pv_matches_clear(&matches);
	pv_tree_scripts(tree, "application/ld+json", &matches);
	is_text(joined(&matches, buf), "{\"a\": 1}|", "scripts of a type");
	pv_matches_clear(&matches);
	pv_tree_scripts(tree, NULL, &matches);
	is_text(joined(&matches, buf), "var a = '<b>';|{\"a\": 1}||x",
	    "all scripts");
	pv_matches_finish(&matches);
	struct pv_tree *none = scene_tree(PV_STR("<p>"));
	ok(!pv_tree_base(none).ptr, "a page may have no base");
	pv_tree_destroy(none);
}

int main(void)
{
	struct pv_tree *tree = scene_tree(pv_str_of(page));
	struct pv_buf buf;
	pv_buf_init(&buf, 10000);
	test_nodes(tree, &buf);
	test_page(tree, &buf);
	pv_buf_finish(&buf);
	pv_tree_destroy(tree);
	return tap_done();
}
