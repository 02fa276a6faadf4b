#include "cli/manual/prose.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

static bool read_text(
    const struct scratch *scratch, struct pv_prose *prose, const char *text)
{
	const char *path = scratch_file(scratch, "prose.in");
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	fputs(text, file);
	fclose(file);
	return pv_prose_read(prose, path);
}

static void test_parts(const struct scratch *scratch)
{
	struct pv_prose prose;
	ok(read_text(scratch, &prose,
	       "Copies.\nAll.\n@--json\nOne line.\n@url\n@see\nx"),
	    "prose is read");
	is_text(pv_str_of(pv_prose_take(&prose, "")), "Copies.\nAll.\n",
	    "the first part describes the command");
	is_text(pv_str_of(pv_prose_take(&prose, "--json")), "One line.\n",
	    "another is about an option");
	is_text(pv_str_of(pv_prose_take(&prose, "url")), "",
	    "a part may have no lines");
	is_text(pv_str_of(pv_prose_take(&prose, "--csv")), "",
	    "what nobody wrote is empty");
	ok(strcmp(pv_prose_left(&prose), "see") == 0,
	    "a part that nobody took is found");
	is_text(pv_str_of(pv_prose_take(&prose, "see")), "x",
	    "the last line needs no end");
	ok(!pv_prose_left(&prose), "and then none is left");
	pv_prose_finish(&prose);
	ok(read_text(scratch, &prose, "@--json\nOne line.\n"),
	    "no description is read");
	is_text(pv_str_of(pv_prose_take(&prose, "")), "", "it is empty");
	pv_prose_finish(&prose);
}

static void test_faults(const struct scratch *scratch)
{
	struct pv_prose prose;
	char many[1024] = "";
	ok(!read_text(scratch, &prose, "a\n@--json\nb\n@--json\nc\n"),
	    "a part may not stand twice");
	pv_prose_finish(&prose);
	for (int i = 0; i < PV_PROSE_PARTS_MAX; i++) {
		size_t len = strlen(many);
		snprintf(many + len, sizeof(many) - len, "@p%d\nx\n", i);
	}
	ok(!read_text(scratch, &prose, many), "parts have a limit");
	pv_prose_finish(&prose);
	ok(!read_text(scratch, &prose, ""), "an empty file has no prose");
	pv_prose_finish(&prose);
	ok(!pv_prose_read(&prose, scratch_file(scratch, "none.in")),
	    "a file must be there");
	pv_prose_finish(&prose);
}

int main(void)
{
	struct scratch scratch;
	if (!ok(scratch_make(&scratch), "there is a directory"))
		return tap_done();
	test_parts(&scratch);
	test_faults(&scratch);
	scratch_remove(&scratch);
	return tap_done();
}
