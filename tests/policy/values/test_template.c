#include "policy/values/template.h"

#include "tap.h"

static const struct {
	const char *text;
	int64_t count;
	const char *first; /* the first addresses, one behind the other */
	const char *last;
} cases[] = {
    {"", 1, " ", ""},
    {"plain", 1, "plain ", "plain"},
    {"a{1..3}", 3, "a1 a2 a3 ", "a3"},
    {"{3..1}", 3, "3 2 1 ", "1"},
    {"{0..100..10}", 11, "0 10 20 ", "100"},
    {"{0..105..10}", 11, "0 10 20 ", "100"},
    {"{100..0..30}", 4, "100 70 40 ", "10"},
    {"{1..3..500}", 1, "1 ", "1"},
    {"{001..500}", 500, "001 002 003 ", "500"},
    {"{08..11}", 4, "08 09 10 ", "11"},
    {"{0..10}", 11, "0 1 2 ", "10"},
    {"{00..10}", 11, "00 01 02 ", "10"},
    {"{5..5}", 1, "5 ", "5"},
    {"{a..z}", 26, "a b c ", "z"},
    {"{z..a..5}", 6, "z u p ", "a"},
    {"{A..C}x", 3, "Ax Bx Cx ", "Cx"},
    {"{red,green}", 2, "red green ", "green"},
    {"{,s}x", 2, "x sx ", "sx"},
    {"{a,b,}", 3, "a b  ", ""},
    {"{1..2,x}", 2, "1..2 x ", "x"},
    {"{a,b}{1..2}", 4, "a1 a2 b1 ", "b2"},
    {"{a,b}-{1..2}-{x,y}", 8, "a-1-x a-1-y a-2-x ", "b-2-y"},
    {"{1..1000000000}", 1000000000, "1 2 3 ", "1000000000"},
    {"{1..1000}{1..1000}{001..1000}", 1000000000, "11001 11002 11003 ",
	"100010001000"},
    {"{999999999999999..1000000000000000}", 2,
	"999999999999999 1000000000000000 ", "1000000000000000"},
    {"a[1-3]", 3, "a1 a2 a3 ", "a3"},
    {"[001-500]", 500, "001 002 003 ", "500"},
    {"[0-100:10]", 11, "0 10 20 ", "100"},
    {"[3-1]", 3, "3 2 1 ", "1"},
    {"[a-z:5]", 6, "a f k ", "z"},
    {"[A-C]{x,y}", 6, "Ax Ay Bx ", "Cy"},
    {"[1-2][1-2]", 4, "11 12 21 ", "22"},
    {"[]", 1, "[] ", "[]"},
    {"?a[]=1&b[c]=2", 1, "?a[]=1&b[c]=2 ", "?a[]=1&b[c]=2"},
    {"[::1]:8080/[1-2]", 2, "[::1]:8080/1 [::1]:8080/2 ", "[::1]:8080/2"},
    {"[2001:db8::1]", 1, "[2001:db8::1] ", "[2001:db8::1]"},
    {"[1-2", 1, "[1-2 ", "[1-2"},
    {"1-2]", 1, "1-2] ", "1-2]"},
    {"[a-5]", 1, "[a-5] ", "[a-5]"},
    {"[-5]x[5-]", 1, "[-5]x[5-] ", "[-5]x[5-]"},
    {"[ab-cd]", 1, "[ab-cd] ", "[ab-cd]"},
    {"[1-2..3]", 1, "[1-2..3] ", "[1-2..3]"},
    {"[[1-2]]", 2, "[1] [2] ", "[2]"},
    {"[x{1..2}]", 2, "[x1] [x2] ", "[x2]"},
    {"{\xc3\xa9,\xc3\xb6}", 2, "\xc3\xa9 \xc3\xb6 ", "\xc3\xb6"},
};

static void test_writing(void)
{
	struct pv_arena arena;
	struct pv_buf buf;
	pv_arena_init(&arena);
	pv_buf_init(&buf, 1024);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_template template = {0};
		const char *fault = pv_template_read(
		    pv_str_of(cases[i].text), &arena, &template);
		ok(!fault && template.count == cases[i].count,
		    "%s stands for %lld addresses (%lld%s)", cases[i].text,
		    (long long)cases[i].count, (long long)template.count,
		    fault ? fault : "");
		if (fault)
			continue;
		pv_buf_clear(&buf);
		for (int64_t j = 0; j < template.count && j < 3; j++) {
			pv_template_write(&template, j, &buf);
			pv_buf_append_char(&buf, ' ');
		}
		is_text(pv_buf_str(&buf), cases[i].first,
		    "%s begins as it must", cases[i].text);
		pv_buf_clear(&buf);
		pv_template_write(&template, template.count - 1, &buf);
		is_text(pv_buf_str(&buf), cases[i].last, "%s ends as it must",
		    cases[i].text);
	}
	pv_buf_finish(&buf);
	pv_arena_finish(&arena);
}

static const struct {
	const char *text;
	const char *part; /* of what is said of it */
} faults[] = {
    {"{1..1000000001}", "more than 1000000000"},
    {"{1..100000}{1..100000}", "more than 1000000000"},
    {"{0..1000000000000000}", "more than 1000000000"},
    {"{a,b", "never closed"},
    {"x{", "never closed"},
    {"{", "never closed"},
    {"}", "closing brace"},
    {"a}b", "closing brace"},
    {"{a,b}}", "closing brace"},
    {"{}", "braces contain"},
    {"{a}", "braces contain"},
    {"{1}", "braces contain"},
    {"{{a,b},c}", "within braces"},
    {"{1..}", "a range is written"},
    {"{..5}", "a range is written"},
    {"{1..a}", "a range is written"},
    {"{a..5}", "a range is written"},
    {"{1...5}", "a range is written"},
    {"{-1..5}", "a range is written"},
    {"{1..5..}", "a range is written"},
    {"{1..5..x}", "a range is written"},
    {"{1..5..1..1}", "a range is written"},
    {"{1..5 }", "a range is written"},
    {"{aa..bb}", "a range is written"},
    {"{1.5..2}", "a range is written"},
    {"{1..9999999999999999}", "a range is written"},
    {"{000000000000000000001..2}", "a range is written"},
    {"{1..5..0}", "at least 1"},
    {"{A..z}", "a range is written"},
    {"{a..Z}", "a range is written"},
    {"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"
     "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
	"at most 16"},
};

static void test_faults(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct pv_template template = {0};
		const char *fault = pv_template_read(
		    pv_str_of(faults[i].text), &arena, &template);
		ok(fault && strstr(fault, faults[i].part), "%s is refused: %s",
		    faults[i].text, fault ? fault : "(it is not)");
		ok(!template.count && !template.parts,
		    "%s leaves the template as it was", faults[i].text);
	}
	pv_arena_finish(&arena);
}

/* All addresses of a template are different and in order. */
static void test_all(void)
{
	struct pv_arena arena;
	struct pv_buf a;
	struct pv_buf b;
	struct pv_template template;
	bool is_rising = true;
	pv_arena_init(&arena);
	pv_buf_init(&a, 64);
	pv_buf_init(&b, 64);
	pv_template_read(PV_STR("x{a..f}/{000..099}{-,_}"), &arena, &template);
	for (int64_t i = 0; i < template.count; i++) {
		pv_buf_clear(&b);
		pv_template_write(&template, i, &b);
		is_rising = is_rising &&
			    pv_str_compare(pv_buf_str(&a), pv_buf_str(&b)) < 0;
		pv_buf_clear(&a);
		pv_buf_append(&a, pv_buf_str(&b));
	}
	ok(template.count == 1200 && is_rising,
	    "the last place varies fastest, and no address comes twice");
	pv_buf_finish(&a);
	pv_buf_finish(&b);
	pv_arena_finish(&arena);
}

/* P5: what is written stays within the buffer's ceiling. */
static void test_ceiling(void)
{
	struct pv_arena arena;
	struct pv_template template;
	struct pv_buf buf;
	pv_arena_init(&arena);
	pv_buf_init(&buf, 8);
	pv_template_read(PV_STR("aaaaaaaa{1..3}"), &arena, &template);
	pv_template_write(&template, 1, &buf);
	ok(buf.is_full, "an address that is too long says so");
	pv_buf_finish(&buf);
	pv_arena_finish(&arena);
}

int main(void)
{
	test_writing();
	test_faults();
	test_all();
	test_ceiling();
	return tap_done();
}
