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

int main(void)
{
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
