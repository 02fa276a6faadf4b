#include "policy/yaml_text.h"

#include "tap.h"

static const struct {
	const char *claim;
	const char *text;
	const char *yaml;
} cases[] = {
    {"a word stands as it is", "same", "same"},
    {"so does an address", "https://a.example/b", "https://a.example/b"},
    {"and a path", "/srv/site", "/srv/site"},
    {"nothing is quoted", "", "\"\""},
    {"a number is quoted, to stay a text", "12", "\"12\""},
    {"a word that means something else in YAML, too", "true", "\"true\""},
    {"nor is null text", "null", "\"null\""},
    {"a colon at the end would make a key of it", "a:", "\"a:\""},
    {"within, it does not", "a:b", "a:b"},
    {"a blank is quoted", "a b", "\"a b\""},
    {"a comma and a bracket would end it", "a,b]", "\"a,b]\""},
    {"a sign of a comment is quoted", "a #b", "\"a #b\""},
    {"quotes are escaped", "say \"a\"", "\"say \\\"a\\\"\""},
    {"and backslashes", "a\\n", "\"a\\\\n\""},
    {"line ends and tabs have letters", "a\nb\tc", "\"a\\nb\\tc\""},
    {"other controls have numbers", "a\x01", "\"a\\u0001\""},
    {"letters beyond ASCII stand as they are", "gr\xc3\xbc\xc3\x9f",
	"\"gr\xc3\xbc\xc3\x9f\""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf yaml;
		pv_buf_init(&yaml, 256);
		pv_yaml_text_append(pv_str_of(cases[i].text), &yaml);
		is_text(pv_buf_str(&yaml), cases[i].yaml, "%s", cases[i].claim);
		pv_buf_finish(&yaml);
	}
	return tap_done();
}
