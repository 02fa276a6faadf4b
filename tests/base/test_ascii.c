#include "base/ascii.h"

#include "tap.h"

static bool is_among(int c, const char *bytes)
{
	return c > 0 && c < 0x100 && strchr(bytes, c);
}

#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static const struct {
	const char *name;
	bool (*is)(int c);
	const char *members;
} kinds[] = {
    {"digit", pv_is_digit, DIGITS},
    {"upper", pv_is_upper, UPPER},
    {"lower", pv_is_lower, LOWER},
    {"alpha", pv_is_alpha, UPPER LOWER},
    {"alnum", pv_is_alnum, UPPER LOWER DIGITS},
    {"blank", pv_is_blank, " \t"},
    {"token", pv_is_token, UPPER LOWER DIGITS "!#$%&'*+-.^_`|~"},
};

static void test_kinds(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		int wrong = -1000;
		for (int c = -300; c <= 0x200; c++) {
			if (kinds[i].is(c) != is_among(c, kinds[i].members))
				wrong = c;
		}
		ok(wrong == -1000,
		    "of all ints, exactly the ASCII bytes that are meant are "
		    "of kind %s",
		    kinds[i].name);
	}
}

static void test_controls(void)
{
	int count = 0;
	for (int c = -300; c <= 0x200; c++)
		count += pv_is_control(c);
	ok(count == 33, "33 ints are control characters");
	ok(pv_is_control(0) && pv_is_control(0x1f) && pv_is_control(0x7f),
	    "NUL, the last before the space, and DEL are among them");
	ok(!pv_is_control(-1) && !pv_is_control(' ') && !pv_is_control(0x80),
	    "the end, the space and C1 are not");
}

static void test_lower(void)
{
	bool is_folded = true;
	for (int c = -128; c < 128; c++) {
		const char *at = c > 0 ? strchr(UPPER, c) : NULL;
		char wanted = at ? LOWER[at - UPPER] : (char)c;
		is_folded = is_folded && pv_lower((char)c) == wanted;
	}
	ok(is_folded, "of all bytes only A to Z have a lower case");
}

static void test_hex(void)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	bool is_read = true;
	int count = 0;
	for (int i = 0; i < 32; i++)
		is_read = is_read && pv_hex_value(digits[i]) == i % 16;
	for (int c = -300; c <= 0x200; c++)
		count += pv_hex_value(c) >= 0;
	ok(is_read, "hexadecimal digits have their values in either case");
	ok(count == 22, "nothing else has one");
}

int main(void)
{
	test_kinds();
	test_controls();
	test_lower();
	test_hex();
	return tap_done();
}
