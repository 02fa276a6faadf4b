#include "tree/tree.h"

#include "tree/scene.h"

static const struct {
	const char *html;
	const char *text;
} texts[] = {
    {"<p>a", "a"},
    {"", ""},
    {" \n ", ""},
    {"<!-- only -->", ""},
    {"\xef\xbb\xbf<p>b", "b"},
    {"<meta charset=latin1><p>\xc3\xa4", "\xc3\xa4"},
    {"<meta http-equiv=content-type content='text/html; charset=shift_jis'>"
     "<p>\xe2\x82\xac",
	"\xe2\x82\xac"},
    {"<p>\xff|", "\xef\xbf\xbd|"},
    {"<p>&amp;&eacute;&#8364;", "&\xc3\xa9\xe2\x82\xac"},
    {"<p>a<script>if (a < b) '</p>'</script>b<style>p {}</style>c", "abc"},
    {"</p></div>a</b>", "a"},
    {"<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;", "&x;"},
};

static void test_texts(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_tree *tree = scene_tree(pv_str_of(texts[i].html));
		pv_buf_clear(&buf);
		pv_tree_text(pv_tree_document(tree), &buf);
		struct pv_str text = pv_buf_str(&buf);
		if (pv_str_ends(text, pv_str_of(texts[i].text)))
			text = pv_str_of(texts[i].text);
		is_text(text, texts[i].text, "text %zu", i);
		ok(pv_tree_end(tree) == PV_TREE_WHOLE, "is whole");
		pv_tree_destroy(tree);
	}
	struct pv_tree *tree = scene_tree(PV_STR("<p>a\0b\0</p>"));
	pv_buf_clear(&buf);
	pv_tree_text(pv_tree_document(tree), &buf);
	is_text(pv_buf_str(&buf), "ab", "NULs are left out");
	pv_tree_destroy(tree);
	pv_tree_destroy(NULL);
	pv_buf_finish(&buf);
}

static void repeat(struct pv_buf *buf, const char *text, size_t times)
{
	for (size_t i = 0; i < times; i++)
		pv_buf_append_text(buf, text);
}

static size_t count_nodes(const struct pv_tree *tree)
{
	return pv_tree_document(tree)->below;
}

static void test_ceilings(void)
{
	struct pv_buf buf;
	struct pv_tree_ceilings ceilings = {.bytes = 1000, .nodes = 50};
	pv_buf_init(&buf, 1 << 20);
	repeat(&buf, "<p>a", 20);
	struct pv_tree *tree = pv_tree_create(pv_buf_str(&buf), &ceilings);
	ok(pv_tree_end(tree) == PV_TREE_WHOLE, "20 paragraphs are read");
	pv_tree_destroy(tree);
	repeat(&buf, "<p>a", 20);
	tree = pv_tree_create(pv_buf_str(&buf), &ceilings);
	ok(pv_tree_end(tree) == PV_TREE_MANY && count_nodes(tree) <= 50,
	    "P5: 40 are more nodes than may be");
	pv_tree_destroy(tree);
	pv_buf_clear(&buf);
	repeat(&buf, "\xe2\x82\xac", 400);
	tree = pv_tree_create(pv_buf_str(&buf), &ceilings);
	ok(pv_tree_end(tree) == PV_TREE_LARGE, "P5: a text is cut");
	pv_buf_clear(&buf);
	pv_tree_text(pv_tree_document(tree), &buf);
	ok(buf.len == 999, "before a character that has no room: %zu", buf.len);
	pv_tree_destroy(tree);
	pv_buf_finish(&buf);
}

static size_t depth_of(const struct pv_tree *tree)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	size_t deepest = 0;
	for (size_t i = 0; i <= node->below; i++) {
		size_t depth = 0;
		for (const struct pv_tree_node *one = node + i; one;
		     one = pv_node_parent(one))
			depth += one->kind == PV_TREE_ELEMENT;
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

static void test_depth(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	repeat(&buf, "<div>", 510);
	pv_buf_append_text(&buf, "x");
	struct pv_tree *tree = scene_tree(pv_buf_str(&buf));
	ok(pv_tree_end(tree) == PV_TREE_WHOLE && depth_of(tree) == 512,
	    "510 levels within html and body are read");
	pv_tree_destroy(tree);
	pv_buf_clear(&buf);
	repeat(&buf, "<div>", 511);
	tree = scene_tree(pv_buf_str(&buf));
	ok(pv_tree_end(tree) == PV_TREE_DEEP && depth_of(tree) == 512,
	    "P5: one more is not");
	pv_tree_destroy(tree);
	pv_buf_finish(&buf);
}

static size_t count_attributes(const struct pv_tree *tree, const char *name)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	struct pv_str key, value;
	uint32_t count = 0;
	while (!pv_node_is_named(node, pv_str_of(name)))
		node++;
	while (pv_node_attribute_at(node, count + 1, &key, &value))
		count++;
	return count;
}

static void test_attributes(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1 << 20);
	pv_buf_append_text(&buf, "<p title='<a b>'>x<a");
	for (unsigned i = 0; i < 256; i++)
		pv_buf_append_format(&buf, " a%u = \">'%u\"", i, i);
	size_t len = buf.len;
	pv_buf_append_text(&buf, ">in</a>");
	struct pv_tree *tree = scene_tree(pv_buf_str(&buf));
	ok(pv_tree_end(tree) == PV_TREE_WHOLE &&
		count_attributes(tree, "a") == 256,
	    "256 attributes are kept");
	pv_tree_destroy(tree);
	pv_buf_cut(&buf, len);
	pv_buf_append_text(&buf, " href='>' b=\"c\" d>in</a>");
	tree = scene_tree(pv_buf_str(&buf));
	ok(pv_tree_end(tree) == PV_TREE_DROPPED &&
		count_attributes(tree, "a") == 256,
	    "P5: more are left out");
	struct pv_buf text;
	pv_buf_init(&text, 100);
	pv_tree_text(pv_tree_document(tree), &text);
	is_text(pv_buf_str(&text), "xin", "and nothing else");
	pv_buf_finish(&text);
	pv_tree_destroy(tree);
	pv_buf_finish(&buf);
}

int main(void)
{
	test_texts();
	test_ceilings();
	test_depth();
	test_attributes();
	return tap_done();
}
