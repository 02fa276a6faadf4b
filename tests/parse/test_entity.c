#include "parse/entity.h"

#include "parse/value.h"
#include "tap.h"

static const struct {
	const char *claim;
	struct pv_str value;
	const char *text;
} values[] = {
    {"nothing to read", PV_STR("a b"), "a b"},
    {"a name", PV_STR("x&amp;y"), "x&y"},
    {"names know their capitals", PV_STR("&Auml;&auml;&AMP;"), "\u00c4\u00e4&"},
    {"the first of all names", PV_STR("&AElig;"), "\u00c6"},
    {"and the last", PV_STR("&zwnj;"), "\u200c"},
    {"the longest", PV_STR("&CounterClockwiseContourIntegral;"), "\u2233"},
    {"a name beyond the basic plane", PV_STR("&Aopf;"), "\U0001d538"},
    {"a name for two characters", PV_STR("&NotEqualTilde;"), "\u2242\u0338"},
    {"even two of ASCII", PV_STR("&fjlig;"), "fj"},
    {"white space by its name", PV_STR("&Tab;&NewLine;"), "\t\n"},
    {"an unknown name", PV_STR("&nothing;"), "&nothing;"},
    {"a name that is too long", PV_STR("&CounterClockwiseContourIntegralx;"),
	"&CounterClockwiseContourIntegralx;"},
    {"a beginning of names", PV_STR("&am;"), "&am;"},
    {"an old name without its semicolon", PV_STR("x&amp"), "x&"},
    {"before what is no letter", PV_STR("&amp/&lt-"), "&/<-"},
    {"but not before an equals sign", PV_STR("?x&copy=1"), "?x&copy=1"},
    {"unless the semicolon is there", PV_STR("?x&copy;=1"), "?x\u00a9=1"},
    {"nor before a letter or digit", PV_STR("&ampx&lt1&notit;"),
	"&ampx&lt1&notit;"},
    {"a newer name needs its semicolon", PV_STR("&apos &apos;"), "&apos '"},
    {"a longer name is preferred", PV_STR("&notin;&not;"), "\u2209\u00ac"},
    {"a number", PV_STR("&#65;&#x42;&#X43;"), "ABC"},
    {"without its semicolon", PV_STR("&#65 &#x42g"), "A Bg"},
    {"before an equals sign", PV_STR("&#65=&#x42="), "A=B="},
    {"with leading zeros", PV_STR("&#000000000000000000065;"), "A"},
    {"no digits are no number", PV_STR("&#;&#x;&#xg;&#a;"), "&#;&#x;&#xg;&#a;"},
    {"the number of windows-1252", PV_STR("&#128;&#x9f;&#x81;"),
	"\u20ac\u0178\xc2\x81"},
    {"zero", PV_STR("&#0;"), "\ufffd"},
    {"a surrogate", PV_STR("&#xd800;&#xdfff;"), "\ufffd\ufffd"},
    {"the largest character", PV_STR("&#x10ffff;"), "\xf4\x8f\xbf\xbf"},
    {"and beyond", PV_STR("&#x110000;&#99999999999999999999;"), "\ufffd\ufffd"},
    {"an ampersand alone", PV_STR("&"), "&"},
    {"and before others", PV_STR("&&& &;"), "&&& &;"},
    {"what gives an ampersand is not read again", PV_STR("&amp;lt;"), "&lt;"},
    {"a NUL", PV_STR("a\0b&amp;\0"), "a\ufffdb&\ufffd"},
};

static void check_values(void)
{
	struct pv_buf scratch;
	struct pv_decoder decoder;
	pv_buf_init(&scratch, 4096);
	pv_decoder_init(&decoder, NULL);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		is_text(pv_value_read(values[i].value, &decoder, &scratch),
		    values[i].text, "%s", values[i].claim);
	pv_decoder_finish(&decoder);
	pv_buf_finish(&scratch);
}

/* Each row of the table is found: the names stand in order. */
#include "parse/entity_table.h"

static bool is_found(const char *row)
{
	struct pv_buf buf, found;
	size_t len = strcspn(row, "+-");
	pv_buf_init(&buf, 100);
	pv_buf_init(&found, 100);
	pv_buf_append_format(&buf, "&%.*s;", (int)len, row);
	struct pv_decoder decoder;
	pv_decoder_init(&decoder, NULL);
	struct pv_str text = pv_value_read(pv_buf_str(&buf), &decoder, &found);
	bool is_same = pv_str_equal(text, pv_str_of(row + len + 1));
	pv_buf_finish(&found);
	pv_buf_finish(&buf);
	return is_same;
}

static void check_table(void)
{
	size_t count = sizeof(entity_table) / sizeof(*entity_table);
	size_t found = 0, open = 0;
	for (size_t i = 0; i < count; i++) {
		const char *row = entity_table[i];
		found += is_found(row);
		open += row[strcspn(row, "+-")] == '+';
	}
	ok(count == 2125 && open == 106,
	    "the table has all 2231 names of the standard");
	ok(found == count, "and each of them is found");
}

static void check_ceiling(void)
{
	struct pv_buf scratch;
	struct pv_decoder decoder;
	pv_buf_init(&scratch, 4);
	pv_decoder_init(&decoder, NULL);
	pv_value_read(PV_STR("ab&amp;cd"), &decoder, &scratch);
	ok(scratch.is_full && scratch.len <= 4,
	    "a value is read no further than its ceiling (P5)");
	pv_value_read(PV_STR("a&amp;"), &decoder, &scratch);
	ok(!scratch.is_full && scratch.len == 2, "which the next forgets");
	pv_buf_finish(&scratch);
	pv_decoder_finish(&decoder);
}

int main(void)
{
	check_values();
	check_table();
	check_ceiling();
	return tap_done();
}
