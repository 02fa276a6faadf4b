#include "http/parameter.h"

#include "tap.h"

/* What of a text is read: "name=value" of each, and what is left. */
static const struct {
	const char *claim;
	const char *text;
	const char *read;
	const char *left;
} cases[] = {
    {"a parameter is read", ";a=b", "[a=b]", ""},
    {"blanks around it do not matter", " ; a=b \t", "[a=b]", ""},
    {"nor those around the sign", "; a = b", "[a=b]", ""},
    {"several are read", ";a=b;c=d", "[a=b][c=d]", ""},
    {"a value may be missing", ";a;b=;c", "[a=][b=][c=]", ""},
    {"quotes go", ";a=\"b\"", "[a=b]", ""},
    {"commas and semicolons in quotes are text", ";a=\"b,c;d=e\";f=g",
	"[a=b,c;d=e][f=g]", ""},
    {"backslashes in quotes go", ";a=\"b\\\"\\\\c\"", "[a=b\"\\c]", ""},
    {"quotes may be empty", ";a=\"\"", "[a=]", ""},
    {"quotes that never close reach to the end", ";a=\"b;c=d", "[a=b;c=d]", ""},
    {"so do those that end in a backslash", ";a=\"b\\", "[a=b]", ""},
    {"what follows quotes is left out", ";a=\"b\"c;d=e", "[a=b][d=e]", ""},
    {"quotes within a value are text", ";a=b\"c\"", "[a=b\"c\"]", ""},
    {"a comma ends them", ";a=b,c=d", "[a=b]", ",c=d"},
    {"also where a value is missing", ";a=,c", "[a=]", ",c"},
    {"empty ones are left out", ";;; ;a=b;", "[a=b]", ""},
    {"what has no name is left out", ";=b;\t= \"c\";d=e", "[d=e]", ""},
    {"no text has none", "", "", ""},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_reader reader =
		    pv_reader_of(pv_str_of(cases[i].text));
		struct pv_parameter parameter;
		struct pv_buf read;
		pv_buf_init(&read, 100);
		while (pv_parameter_next(&reader, &parameter)) {
			pv_buf_append_char(&read, '[');
			pv_buf_append(&read, parameter.name);
			pv_buf_append_char(&read, '=');
			pv_parameter_write(&parameter, &read);
			pv_buf_append_char(&read, ']');
		}
		is_text(pv_buf_str(&read), cases[i].read, "%s", cases[i].claim);
		is_text(
		    pv_reader_rest(&reader), cases[i].left, "and nothing more");
		pv_buf_finish(&read);
	}
}

static void test_finding(void)
{
	struct pv_reader reader = pv_reader_of(PV_STR(";x=1;Rel=a;rel=b"));
	struct pv_parameter parameter;
	ok(pv_parameter_find(reader, PV_STR("rel"), &parameter),
	    "a parameter is found, whatever the case");
	is_text(parameter.value, "a", "the first of its name");
	ok(!pv_parameter_find(reader, PV_STR("re"), &parameter),
	    "a part of a name is not found");
}

static void test_ceiling(void)
{
	struct pv_reader reader = pv_reader_of(PV_STR(";a=\"123\\\"4\""));
	struct pv_parameter parameter;
	struct pv_buf buf;
	pv_buf_init(&buf, 4);
	ok(pv_parameter_next(&reader, &parameter) &&
		!pv_parameter_write(&parameter, &buf) && buf.len == 0,
	    "a value past the ceiling is not written in part (P5)");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_reading();
	test_finding();
	test_ceiling();
	return tap_done();
}
