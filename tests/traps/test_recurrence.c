#include "traps/recurrence.h"

#include "base/buf.h"
#include "tap.h"

static bool take_word(struct pv_reader *rest, struct pv_str *word)
{
	while (pv_reader_accept(rest, ' '))
		;
	*word = pv_reader_take_until(rest, ' ');
	return word->len > 0;
}

static bool take_byte(struct pv_reader *rest, struct pv_str *byte)
{
	*byte = pv_reader_take(rest, 1);
	return byte->len > 0;
}

static const struct {
	const char *text;
	size_t most; /* times that one word stands */
} cases[] = {
    {"", 0},
    {"a", 1},
    {"a b c", 1},
    {"a b a", 2},
    {"a A a b", 2},
    {"axb ayb azb awb", 1},
    {"ab ba ab ba ab", 3},
    {"a aa aaa aa aaaa aa", 3},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str text = pv_str_of(cases[i].text);
		size_t most = cases[i].most;
		for (size_t limit = 0; limit < 5; limit++)
			ok(pv_recurrence_find(text, take_word, limit) ==
				(most > limit ? most : 0),
			    "\"%s\": %zu times, of at most %zu", cases[i].text,
			    most, limit);
	}
}

/* Comparing each part with each would take hours. */
static void test_costs(void)
{
	struct pv_buf text;
	size_t found = 0;
	pv_buf_init(&text, 65536);
	for (int i = 0; pv_buf_append_format(&text, " a%05dz", i); i++)
		;
	for (int i = 0; i < 200; i++)
		found += pv_recurrence_find(pv_buf_str(&text), take_word, 1);
	ok(found == 0, "P5: so many that look alike are not counted as one");
	ok(pv_recurrence_find(pv_buf_str(&text), take_byte, 8000) > 8000,
	    "parts are what the caller says");
	pv_buf_finish(&text);
}

int main(void)
{
	test_cases();
	test_costs();
	return tap_done();
}
