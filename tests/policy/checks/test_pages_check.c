#include "policy/checks/pages_check.h"

#include "policy/loaded.h"

/* What is right here, and wrong with one more form of output; the sentences are
 * in mistakes.txt. */
static const struct {
	const char *pages;
	unsigned problems;        /* in files of lines */
	unsigned sqlite_problems; /* and with a database */
	const char *claim;
} cases[] = {
    {"{a: {fields: {b: p}}}", 0, 0, "a kind of page is right"},
    {"{problem: {fields: {b: p}}}", 0, 0, "one may be called problem"},
    {"{problems: {fields: {b: p}}}", 1, 1, "but not problems"},
    {"{PROBLEMS: {fields: {b: p}}}", 1, 1, "nor in capitals"},
    {"{a: {fields: {problems: p}}}", 0, 0, "a field may"},
    {"{sqlite_a: {fields: {b: p}}}", 0, 1,
	"a name that SQLite keeps is right without it"},
    {"{SQLite_: {fields: {b: p}}}", 0, 1, "in capitals as well"},
    {"{sqlite: {fields: {b: p}}}", 0, 0, "less of it is right"},
    {"{a: {fields: {sqlite_b: {each: p, fields: {c: b}}}}}", 0, 0,
	"a field's table does not begin with its name"},
    {"{a: {fields: {b: {each: p, fields: {c: b}}}}, a_b: {fields: {c: p}}}", 0,
	1, "two tables of one name are wrong"},
    {"{A_B: {fields: {c: p}}, a: {fields: {b: {each: p, fields: {c: b}}}}}", 0,
	1, "in capitals and small letters, and in any order"},
    {"{a: {fields: {b: p}}, a_b: {fields: {c: p}}}", 0, 0,
	"a field without records has no table"},
    {"{a: {fields: {b_c: {each: p, fields: {c: b}}}}, a_b: {fields: {c: {each: "
     "p, fields: {d: b}}}}, a_b_c: {fields: {d: p}}}",
	0, 2, "all that are alike are told"},
};

static size_t count_problems(const char *pages, const char *forms)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	pv_buf_append_format(
	    &text, "pages: %s\noutput: {fields: {forms: %s}}\n", pages, forms);
	struct loaded loaded = load_str(pv_buf_str(&text));
	size_t count = loaded.why.problems.count;
	loaded_finish(&loaded);
	pv_buf_finish(&text);
	return count;
}

static void test_seeds(void)
{
	static const struct {
		const char *policy;
		bool is_right;
	} seeds[] = {
	    {"seeds: [{url: http://localhost/, as: a}]\n"
	     "pages: {a: {fields: {b: p}}}",
		true},
	    {"pages: {a: {fields: {b: p}}}\n"
	     "seeds: [{sitemap: http://localhost/, as: a}, http://localhost/]",
		true},
	    {"seeds: [{url: http://localhost/, as: b}]\n"
	     "pages: {a: {fields: {b: p}}}",
		false},
	    {"seeds: [{url: http://localhost/, as: A}]\n"
	     "pages: {a: {fields: {b: p}}}",
		false},
	    {"seeds: [{url: http://localhost/, as: a}]", false},
	};
	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++) {
		struct loaded loaded = load_text(seeds[i].policy);
		ok(pv_why_has_problems(&loaded.why) != seeds[i].is_right,
		    "seeds name kinds that there are, case %zu", i);
		ok(!seeds[i].is_right || is_identity(&loaded),
		    "and are read back with them");
		loaded_finish(&loaded);
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ok(count_problems(cases[i].pages, "[jsonl, csv]") ==
			cases[i].problems,
		    "%s", cases[i].claim);
		ok(count_problems(cases[i].pages, "[jsonl, sqlite]") ==
			cases[i].sqlite_problems,
		    "and with SQLite, case %zu", i);
	}
	test_seeds();
	return tap_done();
}
