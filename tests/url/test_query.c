#include "url/query.h"

#include <stdlib.h>

#include "random.h"
#include "tap.h"

#define CEILING 65536

static const struct {
	const char *claim;
	const char *query;
	const char *sorted; /* NULL: it is */
} cases[] = {
    {"an empty query is sorted", "", NULL},
    {"so is one parameter", "b=1", NULL},
    {"and names in order", "a=2&b=1", NULL},
    {"names come into order", "b=1&a=2", "a=2&b=1"},
    {"a value is none", "a=2&a=1", NULL},
    {"parameters of one name keep their order", "b&a=2&a=1&a", "a=2&a=1&a&b"},
    {"a name that another begins with comes first", "ab=1&a=2", "a=2&ab=1"},
    {"so also where the value would decide", "a0=1&a=2", "a=2&a0=1"},
    {"capitals come before small letters", "a=1&B=2", "B=2&a=1"},
    {"bytes stay as they stand", "b=%c3%BC&%41=%2", "%41=%2&b=%c3%BC"},
    {"a semicolon separates nothing", "b=1;a=2", NULL},
    {"an empty parameter has an empty name", "a=1&&b=2&", "&&a=1&b=2"},
    {"and one whose name is empty too", "a=1&=2&", "=2&&a=1"},
};

static void sort(struct pv_buf *query, struct pv_buf *scratch, bool *is_changed)
{
	*is_changed = pv_query_sort(query->ptr, query->len, scratch);
}

static void test_sorting(struct pv_buf *query, struct pv_buf *scratch)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *wanted =
		    cases[i].sorted ? cases[i].sorted : cases[i].query;
		bool is_changed;
		pv_buf_clear(query);
		pv_buf_append_text(query, cases[i].query);
		sort(query, scratch, &is_changed);
		is_text(pv_buf_str(query), wanted, "%s", cases[i].claim);
		if (is_changed != (cases[i].sorted != NULL))
			ok(false, "and it is told");
	}
}

/* Each parameter says in its value which it was. */
static bool is_in_order(struct pv_str query, unsigned count)
{
	char last_name = '\0';
	unsigned long last = 0;
	size_t at = 0;
	for (unsigned i = 0; i < count; i++) {
		char *end;
		unsigned long number = strtoul(query.ptr + at + 2, &end, 10);
		if (query.ptr[at] < last_name ||
		    (query.ptr[at] == last_name && number < last))
			return false;
		last_name = query.ptr[at];
		last = number;
		at = (size_t)(end - query.ptr) + 1;
	}
	return at == query.len + 1;
}

static void test_many(struct pv_buf *query, struct pv_buf *scratch)
{
	struct random random = random_of(1);
	unsigned wrong = 0;
	bool is_changed;
	for (unsigned count = 1; count < 3000; count += 1 + count / 4) {
		pv_buf_clear(query);
		for (unsigned i = 0; i < count; i++)
			pv_buf_append_format(query, "%s%c=%u", i ? "&" : "",
			    (int)('a' + random_below(&random, 26)), i);
		size_t len = query->len;
		sort(query, scratch, &is_changed);
		wrong +=
		    query->len != len || !is_in_order(pv_buf_str(query), count);
		sort(query, scratch, &is_changed);
		wrong += is_changed;
	}
	ok(wrong == 0, "however many there are, each keeps its place among "
		       "those of its name");
}

int main(void)
{
	struct pv_buf query, scratch;
	pv_buf_init(&query, CEILING);
	pv_buf_init(&scratch, CEILING);
	pv_buf_append_text(&query, "so that there is memory");
	test_sorting(&query, &scratch);
	test_many(&query, &scratch);
	pv_buf_finish(&query);
	pv_buf_finish(&scratch);
	return tap_done();
}
