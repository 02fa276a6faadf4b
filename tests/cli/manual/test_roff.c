#include "cli/manual/roff.h"

#include <stdlib.h>

#include "tap.h"

/* What a function writes, which is to be freed. */
static char *written(void (*write)(FILE *, const char *), const char *text)
{
	char *out = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&out, &len);
	write(file, text);
	fclose(file);
	return out;
}

static void write_first(FILE *file, const char *text)
{
	pv_roff_write(file, text, true);
}

static void write_later(FILE *file, const char *text)
{
	pv_roff_write(file, text, false);
}

static const struct {
	void (*write)(FILE *, const char *);
	const char *text;
	const char *expected;
} cases[] = {
    {write_first, "plain text", "plain text"},
    {write_first, ".../guide/", "\\&.../guide/"},
    {write_later, ".../guide/", ".../guide/"},
    {write_first, "'x' --y", "\\(aqx\\(aq \\-\\-y"},
    {write_first, "a\\b ^~`", "a\\eb \\(ha\\(ti\\(ga"},
    {pv_roff_write_sentence, "end a pause", "End a pause"},
    {pv_roff_write_sentence, "URLs", "URLs"},
    {pv_roff_write_sentence, ".css", "\\&.css"},
    {pv_roff_write_capitals, "pavane-set", "PAVANE\\-SET"},
    {pv_roff_write_argument, "DIR", "\\fIDIR\\fR"},
    {pv_roff_write_argument, "[URL...]", "[\\fIURL\\fR...]"},
    {pv_roff_write_argument, "HOST KEY=VALUE",
	"\\fIHOST\\fR \\fIKEY\\fR=\\fIVALUE\\fR"},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *out = written(cases[i].write, cases[i].text);
		is_text(pv_str_of(out), cases[i].expected,
		    "%s is written for roff", cases[i].text);
		free(out);
	}
	return tap_done();
}
