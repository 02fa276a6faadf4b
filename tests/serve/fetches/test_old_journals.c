#include "serve/fetches/old_journals.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

/* As if it had been written at that time. */
static void write_old(
    const struct scratch *scratch, const char *name, int64_t seconds)
{
	const struct timespec times[2] = {
	    {.tv_sec = seconds}, {.tv_sec = seconds}};
	pv_file_replace(scratch_file(scratch, name), PV_STR("{}\n"), 0600);
	utimensat(AT_FDCWD, scratch_file(scratch, name), times, 0);
}

static bool is_there(const struct scratch *scratch, const char *name)
{
	return access(scratch_file(scratch, name), F_OK) == 0;
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	write_old(&scratch, "journal.jsonl", 100);
	write_old(&scratch, "journal-0001.jsonl", 200);
	write_old(&scratch, "journal-0002.jsonl", 300);
	write_old(&scratch, "journal-0003.jsonl", 100);
	write_old(&scratch, "changes.jsonl", 100);
	pv_old_journals_remove(scratch.path, 3, 100000);
	ok(is_there(&scratch, "journal.jsonl"), "what is young enough stays");
	pv_old_journals_remove(scratch.path, 3, 200001);
	ok(!is_there(&scratch, "journal.jsonl") &&
		!is_there(&scratch, "journal-0001.jsonl"),
	    "what is older is removed");
	ok(is_there(&scratch, "journal-0002.jsonl"), "and nothing else");
	ok(is_there(&scratch, "journal-0003.jsonl"),
	    "P3: nor what was not read yet, however old it is");
	ok(is_there(&scratch, "changes.jsonl"),
	    "nor what is no file of the journal");
	pv_old_journals_remove("/nowhere/at/all", 3, 200001);
	scratch_remove(&scratch);
	return tap_done();
}
