#include "policy/sources/excerpt.h"

#include "policy/loaded.h"
#include "policy/scratch.h"

#define TEN "0123456789"
#define SPACES "                    "
#define FIFTY TEN TEN TEN TEN TEN

static const struct {
	const char *text;
	uint32_t line;
	uint32_t column;
	const char *wanted;
	const char *claim;
} excerpts[] = {
    {"a: 1\nrate: {max_rat: 5}\nb: 2\n", 2, 8,
	"    2 | rate: {max_rat: 5}\n      |        ^",
	"the caret is under the column"},
    {"a: 1\n", 1, 1, "    1 | a: 1\n      | ^", "under the first one, too"},
    {"a: 1\r\nb: 2\r\n", 2, 4, "    2 | b: 2\n      |    ^",
	"a carriage return is no part of the line"},
    {"\xef\xbb\xbf"
     "a: 1",
	1, 4, "    1 | a: 1\n      |    ^", "a byte order mark isn't, either"},
    {"a:\n", 1, 3, "    1 | a:\n      |   ^",
	"the caret may be behind the line"},
    {"a:\n", 1, 9, "    1 | a:\n      |   ^", "but no farther"},
    {"a: 1\n", 5, 1, "    5 | a: 1\n      | ^",
	"a line behind the last is the last"},
    {"\tb: 1\n", 1, 2, "    1 | \\tb: 1\n      |   ^", "a tab is visible"},
    {"a: \x1b[2J\x07\n", 1, 8, "    1 | a: \\x1b[2J\\x07\n      |           ^",
	"and so is what a terminal would obey"},
    {"\xc3\xa4: \xe6\x97\xa5\xe6\x9c\xac x", 1, 7,
	"    1 | \xc3\xa4: \xe6\x97\xa5\xe6\x9c\xac x\n      |         ^",
	"the caret is two columns farther behind a wide character"},
    {"e\xcc\x81: x", 1, 5, "    1 | e\xcc\x81: x\n      |    ^",
	"and no farther behind a combining one"},
    {"a: " FIFTY FIFTY, 1, 4,
	"    1 | a: " TEN TEN TEN TEN TEN TEN "0...\n      |    ^",
	"of a long line its end is cut off"},
    {"a: " FIFTY TEN TEN "x", 1, 74,
	"    1 | ..." TEN TEN TEN TEN
	"x\n      |                                            ^",
	"and its beginning"},
    {"a: " FIFTY TEN "x", 1, 64,
	"    1 | a: " FIFTY TEN "x\n      | " SPACES SPACES SPACES "   ^",
	"a line that fits is whole"},
    {FIFTY FIFTY FIFTY, 1, 101,
	"    1 | ..." TEN TEN TEN TEN TEN TEN
	"0123...\n      |                                            ^",
	"and both, around the caret"},
    {"headers: {Authorization: Bearer x}\n", 1, 1, "",
	"a line that may have a token is not shown"},
    {"seeds: [\"http://me:pw@localhost/\"]\n", 1, 1, "",
	"nor is an address with credentials"},
    {"secrets: [abc]\n", 1, 1, "", "nor is one with secrets of webhooks"},
    {"- whsec_abc\n", 1, 1, "", "wherever they stand"},
    {"identity: {contact: me@host.example}\n", 1, 1,
	"    1 | identity: {contact: me@host.example}\n      | ^",
	"an e-mail address is"},
    {"a: 1\n", 0, 0, "", "without a line there is nothing to show"},
};

static void test_writing(void)
{
	for (size_t i = 0; i < sizeof(excerpts) / sizeof(*excerpts); i++) {
		struct pv_buf buf;
		pv_buf_init(&buf, 4096);
		pv_excerpt_write(pv_str_of(excerpts[i].text), excerpts[i].line,
		    excerpts[i].column, &buf);
		is_text(pv_buf_str(&buf), excerpts[i].wanted, "%s",
		    excerpts[i].claim);
		pv_buf_finish(&buf);
	}
}

static void test_long_number(void)
{
	struct pv_buf text, buf;
	pv_buf_init(&text, 1 << 20);
	pv_buf_init(&buf, 4096);
	for (int i = 1; i < 123456; i++)
		pv_buf_append_char(&text, '\n');
	pv_buf_append_text(&text, "a: 1\n");
	pv_excerpt_write(pv_buf_str(&text), 123456, 4, &buf);
	is_text(pv_buf_str(&buf), "123456 | a: 1\n       |    ^",
	    "the caret is in its place below a long number, too");
	pv_buf_finish(&text);
	pv_buf_finish(&buf);
}

static const char *excerpt_of(const struct loaded *loaded, size_t number)
{
	const struct pv_problems *problems = &loaded->why.problems;
	bool is_there =
	    number < problems->kept_count && problems->kept[number].excerpt;
	return is_there ? problems->kept[number].excerpt : "(none)";
}

static void test_text(void)
{
	struct loaded loaded = load_text("rate:\n  max_rate: fast\n");
	is_text(pv_str_of(excerpt_of(&loaded, 0)),
	    "    2 |   max_rate: fast\n      |             ^",
	    "a mistake in a text has its excerpt");
	loaded_finish(&loaded);
	loaded = load_text("rate: {max_rate: 5, burst: 2}\n");
	is_text(pv_str_of(excerpt_of(&loaded, 0)),
	    "    1 | rate: {max_rate: 5, burst: 2}\n"
	    "      |                            ^",
	    "so has one that is found when all is read");
	loaded_finish(&loaded);
}

static void test_files(struct scratch *scratch)
{
	struct pv_sources sources = {.config_dir = scratch->dir};
	char file[256];
	scratch_write(scratch, "config.yaml", PV_STR("rate: {max_rate: x}\n"));
	snprintf(file, sizeof(file), "%s",
	    scratch_write(scratch, "p.yaml", PV_STR("nam: y\n")));
	sources.file = file;
	struct loaded loaded = load_sources(&sources);
	is_text(pv_str_of(excerpt_of(&loaded, 0)),
	    "    1 | rate: {max_rate: x}\n      |                  ^",
	    "a mistake in the user's configuration shows its line");
	is_text(pv_str_of(excerpt_of(&loaded, 1)), "    1 | nam: y\n      | ^",
	    "and one in the policy that of the policy");
	loaded_finish(&loaded);
	static const struct pv_setting settings[] = {{NULL, "rate.max_rate=x"}};
	sources = (struct pv_sources){.settings = settings, .setting_count = 1};
	loaded = load_sources(&sources);
	is_text(pv_str_of(excerpt_of(&loaded, 0)), "(none)",
	    "one on the command line has none");
	loaded_finish(&loaded);
}

int main(void)
{
	struct scratch scratch;
	scratch_open(&scratch);
	test_writing();
	test_long_number();
	test_text();
	test_files(&scratch);
	scratch_close(&scratch);
	return tap_done();
}
