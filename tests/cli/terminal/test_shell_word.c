#include "cli/terminal/shell_word.h"

#include "cli/terminal/sheet.h"
#include "tap.h"

static void is_written(
    void (*write)(FILE *, const char *), const char *text, const char *wanted)
{
	struct pv_sheet sheet;
	pv_sheet_open(&sheet);
	write(sheet.file, text);
	pv_sheet_close(&sheet);
	is_text(pv_str_of(sheet.text), wanted, "%s is a word", wanted);
	pv_sheet_finish(&sheet);
}

/* What a shell makes of the word is the text again. */
static void comes_back(const char *text)
{
	struct pv_sheet sheet;
	char back[256] = "";
	pv_sheet_open(&sheet);
	fprintf(sheet.file, "bash -c 'printf %%s \"$0\"' ");
	pv_shell_word_write(sheet.file, text);
	pv_sheet_close(&sheet);
	FILE *shell = popen(sheet.text, "r");
	size_t len = shell ? fread(back, 1, sizeof(back) - 1, shell) : 0;
	bool is_read = shell && pclose(shell) == 0;
	ok(is_read && len == strlen(text) && memcmp(back, text, len) == 0,
	    "a shell reads it as it was");
	pv_sheet_finish(&sheet);
}

int main(void)
{
	static const char *const cases[][2] = {
	    {"docs.example.org", "docs.example.org"},
	    {"./a/b-c_d", "./a/b-c_d"},
	    {"", "''"},
	    {"two words", "'two words'"},
	    {"it's", "'it'\\''s'"},
	    {"$(rm -r x)`x`\"\\", "'$(rm -r x)`x`\"\\'"},
	    {"~me", "'~me'"},
	    {"*", "'*'"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		is_written(pv_shell_word_write, cases[i][0], cases[i][1]);
		comes_back(cases[i][0]);
	}
	is_written(pv_shell_word_write,
	    "a\033[2J'\\\n\xc3\xa9"
	    "f",
	    "$'a\\x1b[2J\\'\\\\\\x0a\\xc3\\xa9f'");
	is_written(pv_shell_path_write, "-rf", "./-rf");
	is_written(pv_shell_path_write, "a b", "'a b'");
	return tap_done();
}
