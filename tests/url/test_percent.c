#include "url/percent.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *text;
	const char *decoded;
} cases[] = {
    {"plain text stays", "a/b", "a/b"},
    {"what a percent sign stands for takes its place", "a%20b%5E", "a b^"},
    {"in either case of letters", "%c3%BC", "\xc3\xbc"},
    {"once", "%2541", "%41"},
    {"a sign that stands for nothing stays", "%zz%4", "%zz%4"},
    {"so does one at the end", "100%", "100%"},
};

/* The printable bytes that are in each set of the URL Standard. */
static const struct {
	const char *claim;
	const char *encoded;
	enum pv_percent_set set;
} sets[] = {
    {"in a user name", " \"#/:;<=>?@[\\]^`{|}", PV_PERCENT_USERINFO},
    {"in a path", " \"#<>?^`{}", PV_PERCENT_PATH},
    {"in a query", " \"#'<>", PV_PERCENT_QUERY},
    {"in a fragment", " \"<>`", PV_PERCENT_FRAGMENT},
};

static void test_sets(void)
{
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		char found[128] = "";
		size_t count = 0;
		for (char byte = ' '; byte < 0x7f; byte++) {
			if (pv_percent_has(sets[i].set, byte))
				found[count++] = byte;
		}
		is_text(pv_str_of(found), sets[i].encoded, "what is encoded %s",
		    sets[i].claim);
		ok(pv_percent_has(sets[i].set, '\x7f') &&
			pv_percent_has(sets[i].set, '\x1f') &&
			pv_percent_has(sets[i].set, '\xff'),
		    "control characters and bytes beyond ASCII %s",
		    sets[i].claim);
	}
}

int main(void)
{
	test_sets();
	struct pv_buf buf;
	pv_buf_init(&buf, 64);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&buf);
		pv_percent_decode(&buf, pv_str_of(cases[i].text));
		is_text(
		    pv_buf_str(&buf), cases[i].decoded, "%s", cases[i].claim);
	}
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 2);
	pv_percent_decode(&buf, PV_STR("%41bc"));
	ok(buf.is_full && buf.len == 2, "what has no room is left out");
	pv_buf_finish(&buf);
	return tap_done();
}
