#include "fields/number_text.h"

#include "tap.h"

static const struct {
	const char *text;
	char decimal;
	const char *integer; /* NULL: none */
	const char *number;
} cases[] = {
    {"0", '.', "0", "0"},
    {"12", '.', "12", "12"},
    {"-12", '.', "-12", "-12"},
    {"+12", '.', "12", "12"},
    {"007", '.', "7", "7"},
    {"-0", '.', "0", "-0"},
    {"12345678901234567890", '.', "12345678901234567890",
	"12345678901234567890"},
    {"12.50", '.', NULL, "12.50"},
    {"12,50", ',', NULL, "12.50"},
    {"5.0", '.', "5", "5.0"},
    {"-0.0", '.', "0", "-0.0"},
    {".5", '.', NULL, "0.5"},
    {"$.50", '.', NULL, "0.50"},
    {"-.5", '.', NULL, "-0.5"},
    {"No.5", '.', "5", "5"},
    {"...5", '.', "5", "5"},
    {"5.", '.', "5", "5"},
    {"00.50", '.', NULL, "0.50"},
    {"1e5", '.', NULL, "1e5"},
    {"1.5E-3", '.', NULL, "1.5E-3"},
    {"5em", '.', "5", "5"},
    {"5EUR", '.', "5", "5"},
    {"5 e3", '.', NULL, NULL},
    /* groups */
    {"1,234", '.', "1234", "1234"},
    {"1,234,567.89", '.', NULL, "1234567.89"},
    {"1.234,50 \xe2\x82\xac", ',', NULL, "1234.50"},
    {"1.234", ',', "1234", "1234"},
    {"1.234", '.', NULL, "1.234"},
    {"1 234 567", '.', "1234567", "1234567"},
    {"1\xc2\xa0"
     "234,5",
	',', NULL, "1234.5"},
    {"1\xe2\x80\xaf"
     "234",
	'.', "1234", "1234"},
    {"1\xe2\x80\x89"
     "234",
	'.', "1234", "1234"},
    {"1'234.50", '.', NULL, "1234.50"},
    {"1\xe2\x80\x99"
     "234",
	'.', "1234", "1234"},
    {"1,23", '.', NULL, NULL},
    {"1,2345", '.', NULL, NULL},
    {"1234,567", '.', NULL, NULL},
    {"1,234 567", '.', NULL, NULL},
    {"1 234,567", '.', NULL, NULL},
    {"1.234.567", '.', NULL, NULL},
    {"0,001", '.', "1", "1"},
    /* what stands around */
    {"EUR 12", '.', "12", "12"},
    {"approx 5 items", '.', "5", "5"},
    {"12 %", '.', "12", "12"},
    {"12kg", '.', "12", "12"},
    {"(12)", '.', "12", "12"},
    {"\xe2\x82\xac"
     "12",
	'.', "12", "12"},
    {"-$12.5", '.', NULL, "-12.5"},
    {"-\xe2\x82\xac"
     "12",
	'.', "-12", "-12"},
    {"\xe2\x88\x92"
     "12",
	'.', "-12", "-12"},
    {"\xe2\x80\x93"
     "12",
	'.', "-12", "-12"},
    {"USD-12", '.', "12", "12"},
    {"$ -3", '.', "-3", "-3"},
    {"- 3", '.', "3", "3"},
    {"x -3 y", '.', "-3", "-3"},
    /* none, or more than one */
    {"", '.', NULL, NULL},
    {"-", '.', NULL, NULL},
    {"free", '.', NULL, NULL},
    {"2 for 5", '.', NULL, NULL},
    {"10-12", '.', NULL, NULL},
    {"2026-11-27", '.', NULL, NULL},
    {"192.168.0.1", '.', NULL, NULL},
    {"B2B 12", '.', NULL, NULL},
    {"=1+1", '.', NULL, NULL},
    {"=12", '.', "12", "12"},
    {"\xd9\xa1", '.', NULL, NULL},
};

static bool is_read(
    const char *text, char decimal, bool is_integer, const char *wanted)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	bool is_number =
	    pv_number_text_read(pv_str_of(text), decimal, is_integer, &buf);
	bool is_right = is_number == (wanted != NULL) &&
			strcmp(pv_buf_text(&buf), wanted ? wanted : "") == 0;
	if (!is_right)
		printf("# \"%s\"\n", pv_buf_text(&buf));
	pv_buf_finish(&buf);
	return is_right;
}

/* P5 */
static void test_length(void)
{
	char digits[2048];
	memset(digits, '9', sizeof(digits));
	digits[1000] = '\0';
	ok(is_read(digits, '.', true, digits), "1,000 digits are a number");
	digits[1000] = '9';
	digits[1010] = '\0';
	ok(is_read(digits, '.', true, NULL), "1,010 are not");
	ok(is_read(digits, '.', false, NULL), "nor for a number");
	struct pv_buf buf;
	pv_buf_init(&buf, 3);
	ok(!pv_number_text_read(PV_STR("1234"), '.', true, &buf) && !buf.len,
	    "a ceiling is kept");
	pv_buf_finish(&buf);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ok(is_read(
		       cases[i].text, cases[i].decimal, true, cases[i].integer),
		    "\"%s\" (%c) as integer: %s", cases[i].text,
		    cases[i].decimal,
		    cases[i].integer ? cases[i].integer : "none");
		ok(is_read(
		       cases[i].text, cases[i].decimal, false, cases[i].number),
		    "\"%s\" (%c) as number: %s", cases[i].text,
		    cases[i].decimal,
		    cases[i].number ? cases[i].number : "none");
	}
	test_length();
	return tap_done();
}
