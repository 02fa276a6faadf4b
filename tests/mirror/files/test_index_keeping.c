#include "mirror/files/index_keeping.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

static void write_text(
    struct scratch *scratch, const char *name, const char *text, size_t times)
{
	FILE *file = fopen(scratch_file(scratch, name), "w");
	for (size_t i = 0; i < times; i++)
		fputs(text, file);
	fclose(file);
}

static bool has(struct scratch *scratch, const char *name, const char *begin)
{
	char text[64] = "";
	FILE *file = fopen(scratch_file(scratch, name), "r");
	bool is_there = file && fgets(text, sizeof(text), file);
	if (file)
		fclose(file);
	return is_there && strncmp(text, begin, strlen(begin)) == 0;
}

int main(void)
{
	static const struct {
		const char *claim;
		const char *name;
		const char *had;
		const char *comes;
		size_t times;
		const char *kept; /* NULL: nothing is */
	} cases[] = {
	    {"an index whose place another page takes is kept", "index.html",
		"old", "new", 1, "index^^.html"},
	    {"whatever it ends in", "index.xml", "old", "newer", 1,
		"index^^.xml"},
	    {"also a large one", "index.html", "0123456789abcdef",
		"0123456789abcdeg", 5000, "index^^.html"},
	    {"P3: what a run that was cut short has left is not", "index.html",
		"0123456789abcdef", "0123456789abcdef", 5000, NULL},
	    {"nor is any other page", "page.html", "old", "new", 1, NULL},
	    {"nor one that has its own name", "index^^.html", "old", "new", 1,
		NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scratch scratch;
		char command[300];
		scratch_make(&scratch);
		int directory = open(scratch.path, O_RDONLY | O_DIRECTORY);
		write_text(
		    &scratch, cases[i].name, cases[i].had, cases[i].times);
		write_text(&scratch, "begun", cases[i].comes, cases[i].times);
		pv_index_keep(directory, cases[i].name, directory, "begun");
		const char *kept =
		    cases[i].kept ? cases[i].kept : "index^^.html.none";
		bool is_kept = has(&scratch, kept, cases[i].had);
		bool has_any =
		    strcmp(cases[i].name, "index^^.html") != 0 &&
		    access(scratch_file(&scratch, "index^^.html"), F_OK) == 0;
		ok(cases[i].kept ? is_kept : !has_any, "%s", cases[i].claim);
		close(directory);
		snprintf(command, sizeof(command), "rm -rf '%s'", scratch.path);
		if (system(command) != 0)
			printf("# %s is left\n", scratch.path);
	}
	return tap_done();
}
