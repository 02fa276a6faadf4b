#include "traps/query_traps.h"

#include "base/buf.h"
#include "tap.h"

static const struct {
	const char *query;
	size_t parameters;
	size_t repeats; /* how often one of them stands */
	size_t escapes;
	size_t nesting;
} cases[] = {
    {"", 0, 0, 0, 0},
    {"a", 1, 1, 0, 0},
    {"a=1", 1, 1, 0, 0},
    {"a=1&b=2", 2, 1, 0, 0},
    {"&", 2, 0, 0, 0},
    {"a=1&&&&&b=2", 6, 1, 0, 0},

    /* the same parameter again and again */
    {"a=1&a=1", 2, 2, 0, 0},
    {"a=1&b&a=1&b&b", 5, 3, 0, 0},
    {"a=1&&&a=1&&a=1", 6, 3, 0, 0},
    {"a[]=1&a[]=2&a[]=3&a[]=4&a[]=5", 5, 1, 0, 0},
    {"a=1&A=1&a=%31&a=1+", 4, 1, 1, 0},

    /* escaped over and over */
    {"q=a%20b", 1, 1, 1, 0},
    {"q=100%25", 1, 1, 1, 0},
    {"q=100%2525", 1, 1, 2, 0},
    {"q=a%2520b&r=a%25252520b", 2, 1, 4, 0},
    {"q=%25z%252z%2", 1, 1, 1, 0},
    {"q=a&amp;b=c", 2, 1, 1, 0},
    {"q=a&amp;amp;amp;b=c&amp;d", 3, 1, 3, 0},
    {"amp%3Bamp%253Bb=c", 1, 1, 2, 0},
    {"amp=1&amplitude=2&a=amp;amp;amp;", 3, 1, 0, 0},

    /* a query within a query */
    {"next=/login?next=/", 1, 1, 0, 1},
    {"next=/login?next=/login%3Fnext%3D/", 1, 1, 1, 2},
    {"next=%2Fin%3Fnext%3D%252Fin%253fnext%253d%25252Fin%25253Fnext", 1, 1, 3,
	2},
    {"to=/a?x=1%26next=/b?x=1%26next=/c?x=2", 1, 1, 1, 3},
    {"ref=ref=ref=ref=a", 1, 1, 0, 3},
    {"f=/s?a=1%26a=2%26a=3%26a=4", 1, 1, 1, 1},
    {"f=a=1;a=2;a=3;a=4", 1, 1, 0, 1},
    {"q=what?+what?+what?+what?", 1, 1, 0, 0},
    {"q=a?b?c?d=1", 1, 1, 0, 1},
    {"token=YWJj==&sig=aGVsbG8====", 2, 1, 0, 1},
    {"u=/a?b=1&v=/a?b=2&w=/a?b=3", 3, 1, 0, 1},
    {"u=http://a/?b=1%26u=http://a/?c=1", 1, 1, 1, 1},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str query = pv_str_of(cases[i].query);
		ok(pv_query_traps_parameters(query) == cases[i].parameters,
		    "?%s has %zu parameters", cases[i].query,
		    cases[i].parameters);
		ok(pv_query_traps_repeats(query, 0) == cases[i].repeats,
		    "one of them %zu times", cases[i].repeats);
		ok(pv_query_traps_repeats(query, cases[i].repeats) == 0,
		    "and none more often");
		ok(pv_query_traps_escapes(query, query) == cases[i].escapes,
		    "is escaped %zu times over", cases[i].escapes);
		ok(pv_query_traps_nesting(query, 0) == cases[i].nesting,
		    "and nested %zu times (%zu)", cases[i].nesting,
		    pv_query_traps_nesting(query, 0));
		ok(pv_query_traps_nesting(query, cases[i].nesting) == 0,
		    "and no deeper");
	}
}

static void test_path(void)
{
	ok(pv_query_traps_escapes(
	       PV_STR("/a%252525/b?c=%20"), PV_STR("c=%20")) == 3,
	    "a path may be escaped over and over, too");
}

/* Looking at each parameter for each, or behind each sign to the end, would
 * take hours. */
static void test_costs(void)
{
	static const struct {
		const char *before; /* a number */
		const char *behind;
	} parts[] = {{"a=", "z&"}, {"?a", "d="}, {"%25253F", "%3D"},
	    {"%25", NULL}, {"amp;", NULL}, {"=", NULL}, {"?", NULL},
	    {"%2", NULL}, {"&a", NULL}};
	struct pv_buf query;
	size_t found = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		bool is_more = true;
		pv_buf_init(&query, 65536);
		for (int n = 0; is_more; n++) {
			is_more = pv_buf_append_text(&query, parts[i].before);
			if (parts[i].behind)
				is_more = pv_buf_append_format(
				    &query, "%05d%s", n, parts[i].behind);
		}
		struct pv_str text = pv_buf_str(&query);
		for (int n = 0; n < 100; n++) {
			found += pv_query_traps_repeats(text, 3);
			found += pv_query_traps_escapes(text, text);
			found += pv_query_traps_nesting(text, 3);
		}
		pv_buf_finish(&query);
	}
	ok(found > 0, "P5: a query of 64 KiB costs no more than its length");
}

int main(void)
{
	test_cases();
	test_path();
	test_costs();
	return tap_done();
}
