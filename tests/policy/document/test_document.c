#include "policy/document/document.h"

#include "tap.h"

/* A document and what was said of it. */
struct read {
	struct pv_arena arena;
	struct pv_why why;
	struct pv_document document;
	struct pv_buf text;
};

static struct read read_text(struct pv_str text)
{
	struct read read = {0};
	pv_arena_init(&read.arena);
	pv_why_init(&read.why);
	pv_buf_init(&read.text, 65536);
	pv_document_read(&read.document, "file", text, &read.arena, &read.why);
	return read;
}

static void read_finish(struct read *read)
{
	pv_arena_finish(&read->arena);
	pv_why_finish(&read->why);
	pv_buf_finish(&read->text);
}

/* A tree in one line: texts in <>, with * where they were quoted. */
static void append_node(struct pv_buf *buf, const struct pv_node *node)
{
	static const char *const brackets[] = {"<>", "[]", "{}", "!!"};
	pv_buf_append_char(buf, brackets[node->kind][0]);
	if (node->kind == PV_NODE_TEXT) {
		pv_buf_append_text(buf, node->is_quoted ? "*" : "");
		pv_buf_append(buf, node->text);
	}
	for (const struct pv_node *child = node->first; child;
	     child = child->next) {
		if (node->kind == PV_NODE_MAP) {
			pv_buf_append(buf, child->key);
			pv_buf_append_char(buf, '=');
		}
		append_node(buf, child);
	}
	pv_buf_append_char(buf, brackets[node->kind][1]);
}

static struct pv_str tree_of(struct read *read)
{
	pv_buf_clear(&read->text);
	if (read->document.root)
		append_node(&read->text, read->document.root);
	return pv_buf_str(&read->text);
}

static const struct {
	const char *text;
	const char *tree;
} trees[] = {
    {"", ""},
    {"# nothing\n", ""},
    {"a", "<a>"},
    {"\xef\xbb\xbf"
     "a: 1",
	"{a=<1>}"},
    {"a: 1\r\nb: 2\r\n", "{a=<1>b=<2>}"},
    {"a: 1\rb: 2\r", "{a=<1>b=<2>}"},
    {"a:\n", "{a=<>}"},
    {"a: \"\"\n", "{a=<*>}"},
    {"a: 'x'\nb: \"y\"\nc: z\n", "{a=<*x>b=<*y>c=<z>}"},
    {"- a\n- [b, {c: d}]\n- {}\n- []\n", "[<a>[<b>{c=<d>}]{}[]]"},
    {"a: |\n  x\n  y\n", "{a=<*x\ny\n>}"},
    {"a: >-\n  x\n  y\n", "{a=<*x y>}"},
    {"{a: 1, b}", "{a=<1>b=<>}"},
    {"--- \na: 1\n...\n", "{a=<1>}"},
    {"%YAML 1.1\n---\na: 1\n", "{a=<1>}"},
    {"a: \"\\u00e9\"\n", "{a=<*\xc3\xa9>}"},
    {"\"a\\\"b\": 1\n", "{a\"b=<1>}"},
};

static void test_trees(void)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
		struct read read = read_text(pv_str_of(trees[i].text));
		is_text(
		    tree_of(&read), trees[i].tree, "document %zu is read", i);
		ok(read.document.is_whole && !pv_why_has_problems(&read.why),
		    "document %zu is whole, and nothing is wrong with it", i);
		read_finish(&read);
	}
}

static void test_places(void)
{
	struct read read =
	    read_text(PV_STR("a: 1\n\xc3\xa9: [x,\n  \xc3\xa9\xc3\xa9, y]\n"));
	const struct pv_node *list = read.document.root->first->next;
	const struct pv_node *last = list->first->next->next;
	ok(list->key_line == 2 && list->key_column == 1,
	    "a key has a line and a column");
	ok(list->line == 2 && list->column == 4,
	    "so has its value, counted in characters");
	ok(last->line == 3 && last->column == 7,
	    "on a further line they are counted anew");
	read_finish(&read);
}

/* What is refused, where, and a word that its sentence must hold. */
static const struct {
	const char *text;
	unsigned line;
	unsigned column;
	const char *part;
	bool is_whole;
} faults[] = {
    {"a: &x 1\n", 1, 4, "anchors", true},
    {"a: &x [1]\n", 1, 4, "anchors", true},
    {"a: *x\n", 1, 4, "aliases", true},
    {"*x : 1\n", 1, 1, "aliases", true},
    {"*.example.com: 1\n", 1, 1, "quote", false},
    {"domains: {*.example.com: {}}\n", 1, 11, "\"*.example.com\"", false},
    {"&.a: 1\n", 1, 1, "quote", false},
    {"a: !!str 1\n", 1, 4, "tags", true},
    {"a: !x {}\n", 1, 4, "tags", true},
    {"a: !y!z 1\n", 1, 4, "tags", false},
    {"%TAG ! x\n---\na: 1\n", 1, 1, "tags", false},
    {"a: 1\n...\n%TAG ! x\n---\n", 3, 1, "tags", false},
    {"%YAML 1.1\n%YAML 1.1\n---\na\n", 2, 1, "this is not YAML", false},
    {"a: 1\na: 2\n", 2, 1, "already on line 1", true},
    {"{a: 1, b: 2, a: 3}\n", 1, 14, "already on line 1", true},
    {"? [a]\n: 1\n", 1, 3, "a key must be plain text", true},
    {"? {a: 1}\n: 1\n", 1, 3, "a key must be plain text", true},
    {"a: 1\n---\nb: 1\n", 2, 1, "second document", false},
    {"a: 1\n---\n", 2, 1, "second document", false},
    {"a: \"x\n", 1, 4, "never closed", false},
    {"a: 'x\n", 1, 4, "never closed", false},
    {"a: [1, 2\n", 1, 4, "not closed", false},
    {"a: {b: 1\n", 1, 4, "not closed", false},
    {"a:\n\tb: 1\n", 2, 1, "tab", false},
    {"a: @b\n", 1, 4, "quote", false},
    {"a: `b`\n", 1, 4, "quote", false},
    {"a: b: c\n", 1, 5, "quote a text that contains one", false},
    {"a: 1\n b: 2\n", 2, 2, "align it with line 1", false},
    {"a:\n  b: 1\n c: 2\n", 3, 2, "align it with line 2", false},
    {"a\nb: 1\n", 2, 2, "", false},
    {"a: \"\\q\"\n", 1, 5, "escape", false},
    {"a: \"\\xZZ\"\n", 1, 7, "digits", false},
    {"a: \"x\\0y\"\n", 1, 4, "NUL", true},
    {"\"a\\0\": 1\n", 1, 1, "NUL", true},
    {"a: \x01\n", 1, 4, "U+0001", false},
    {"a: \x7f\n", 1, 4, "U+007F", false},
    {"a: 1 # \xc2\x85 b: 2\n", 1, 8, "U+0085", false},
    {"a: 1 # \xe2\x80\xa8 b: 2\n", 1, 8, "U+2028", false},
    {"a: 1 # \xe2\x80\xa9 b: 2\n", 1, 8, "U+2029", false},
    {"a: \xef\xbb\xbf\n", 1, 4, "U+FEFF", false},
    {"a: \xff\n", 1, 4, "0xff is not UTF-8", false},
    {"a: 1\nb: \xc3\n", 2, 4, "0xc3 is not UTF-8", false},
    {"a: \xed\xa0\x80\n", 1, 4, "not UTF-8", false},
    {"\xff\xfe"
     "a",
	1, 1, "UTF-16", false},
    {"\xfe\xff"
     "a",
	1, 1, "UTF-16", false},
};

static bool has_part(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static void test_faults(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct read read = read_text(pv_str_of(faults[i].text));
		const struct pv_problem *problem = &read.why.problems.kept[0];
		bool is_told = read.why.problems.count > 0;
		ok(is_told && has_part(problem->text, faults[i].part),
		    "fault %zu is told with the word \"%s\"", i,
		    faults[i].part);
		ok(is_told && problem->line == faults[i].line &&
			problem->column == faults[i].column,
		    "fault %zu is told where it stands, %u:%u", i,
		    faults[i].line, faults[i].column);
		if (is_told)
			printf("# %u:%u %s\n", problem->line, problem->column,
			    problem->text);
		ok(read.document.is_whole == faults[i].is_whole,
		    "fault %zu %s the reading", i,
		    faults[i].is_whole ? "does not end" : "ends");
		read_finish(&read);
	}
}

static void test_nul(void)
{
	struct read read = read_text(PV_STR("a: 1\0\n"));
	ok(read.why.problems.count == 1 &&
		has_part(read.why.problems.kept[0].text, "NUL"),
	    "a NUL byte is told");
	read_finish(&read);
}

static void test_before_fault(void)
{
	struct read read = read_text(PV_STR("a: 1\nb: [2, {c: 3\n"));
	is_text(tree_of(&read), "{a=<1>b=[<2>{c=!!}]}",
	    "what could be read before a fault is in the tree, but for the "
	    "text that it may have swallowed");
	read_finish(&read);
}

/* Many keys: found again, be they few or many. */
static void test_duplicates(void)
{
	for (unsigned count = 1; count < 40; count++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		for (unsigned i = 0; i < count; i++)
			pv_buf_append_format(&text, "k%u: 1\n", i);
		pv_buf_append_format(&text, "k%u: 2\n", count / 2);
		struct read read = read_text(pv_buf_str(&text));
		char wanted[64];
		snprintf(wanted, sizeof(wanted), "already on line %u",
		    count / 2 + 1);
		ok(read.why.problems.count == 1 &&
			has_part(read.why.problems.kept[0].text, wanted),
		    "among %u keys one that stands twice is found", count);
		read_finish(&read);
		pv_buf_finish(&text);
	}
}

/* P5 */
static void test_depth(void)
{
	for (unsigned depth = 30; depth < 36; depth++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		for (unsigned i = 0; i < depth; i++)
			pv_buf_append_char(&text, '[');
		for (unsigned i = 0; i < depth; i++)
			pv_buf_append_char(&text, ']');
		struct read read = read_text(pv_buf_str(&text));
		bool is_right = depth <= PV_DOCUMENT_DEPTH_MAX;
		ok(pv_why_has_problems(&read.why) != is_right &&
			read.document.is_whole == is_right,
		    "lists nested %u deep are %s", depth,
		    is_right ? "taken" : "refused");
		read_finish(&read);
		pv_buf_finish(&text);
	}
}

static void test_node_ceiling(void)
{
	struct pv_buf text;
	pv_buf_init(&text, PV_DOCUMENT_BYTES_MAX);
	pv_buf_append_char(&text, '[');
	for (unsigned i = 1; i < PV_DOCUMENT_NODES_MAX; i++)
		pv_buf_append_text(&text, "a,");
	size_t len = text.len;
	pv_buf_append_char(&text, ']');
	struct read read = read_text(pv_buf_str(&text));
	ok(read.document.is_whole && !pv_why_has_problems(&read.why),
	    "as many values as may be are read");
	read_finish(&read);
	pv_buf_cut(&text, len);
	pv_buf_append_text(&text, "a]");
	read = read_text(pv_buf_str(&text));
	ok(read.why.problems.count == 1 && !read.document.is_whole &&
		has_part(read.why.problems.kept[0].text, "200000"),
	    "one more is refused");
	read_finish(&read);
	pv_buf_finish(&text);
}

static void test_origins(void)
{
	struct read read =
	    read_text(PV_STR(PV_EFFECTIVE_MARK "\n"
					       "a: 1  # x:1\n"
					       "b: \"\xc3\xa9\"  # y:2\n"
					       "c: [p, q]  # z:3\n"
					       "d: 4 # one space\n"
					       "e: 5\n"
					       "f: {g: 6}  # w:4\n"));
	const struct pv_node *node = read.document.root->first;
	const char *wanted[] = {"x:1", "y:2", "z:3", NULL, NULL, "w:4"};
	for (size_t i = 0; i < 6 && node; i++, node = node->next) {
		bool is_same = !wanted[i] ? !node->origin
					  : node->origin && strcmp(node->origin,
								wanted[i]) == 0;
		ok(is_same, "the comment behind value %zu is %s", i,
		    wanted[i] ? wanted[i] : "none");
	}
	read_finish(&read);
	read = read_text(PV_STR("a: 1  # x:1\n"));
	ok(!read.document.root->first->origin,
	    "elsewhere comments are not read");
	read_finish(&read);
}

static void test_words(void)
{
	struct read read = read_text(PV_STR("[none, \"none\", []]"));
	const struct pv_node *node = read.document.root->first;
	ok(pv_node_is_word(node, "none"), "a word is a word");
	ok(!pv_node_is_word(node->next, "none"), "in quotes it is text");
	ok(!pv_node_is_word(node->next->next, "none"), "a list is no word");
	read_finish(&read);
}

int main(void)
{
	test_trees();
	test_places();
	test_faults();
	test_nul();
	test_before_fault();
	test_duplicates();
	test_depth();
	test_node_ceiling();
	test_origins();
	test_words();
	return tap_done();
}
