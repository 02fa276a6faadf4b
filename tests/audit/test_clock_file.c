#include "audit/clock_file.h"

#include "server/run_program.h"
#include "tap.h"

#define LINE "{\"event\":\"reaped\",\"worker\":3,\"by\":4,\"server_ms\":1}\n"

static const struct {
	const char *claim;
	const char *text; /* NULL: there is no file */
	uint64_t events;
	const char *problem; /* NULL: it is read */
	uint32_t line;
} files[] = {
    {"no file", NULL, 0, NULL, 0},
    {"an empty one", "", 0, NULL, 0},
    {"two events", LINE LINE, 2, NULL, 0},
    {"a line that is still being written", LINE "{\"event\":\"rea", 1, NULL, 0},
    {"nothing but that", "{\"event\":\"rea", 0, NULL, 0},
    {"a line that is damaged", LINE "{\"event\":\"rea\n" LINE, 1,
	"is no event of a worker's clocks", 2},
    {"an empty line", LINE "\n" LINE, 1, "is no event of a worker's clocks", 2},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct pv_clock_memory memory;
		struct home home;
		struct pv_why why;
		pv_why_init(&why);
		pv_clock_memory_open(&memory);
		home_make(&home);
		if (files[i].text)
			home_write(
			    &home, "clocks.jsonl", pv_str_of(files[i].text));
		bool is_read = pv_clock_file_read(&memory, home.path, &why);
		const struct pv_problem *problem =
		    why.problems.kept_count ? &why.problems.kept[0] : NULL;
		ok(memory.event_count == files[i].events,
		    "%s: its events are known", files[i].claim);
		ok(files[i].problem
			? !is_read && problem &&
			      problem->line == files[i].line &&
			      strcmp(problem->text, files[i].problem) == 0 &&
			      strstr(problem->file, "/clocks.jsonl")
			: is_read && !problem,
		    "%s: %s", files[i].claim,
		    files[i].problem ? "is told with file and line"
				     : "is read");
		pv_clock_memory_close(&memory);
		pv_why_finish(&why);
		home_remove(&home);
	}
	return tap_done();
}
