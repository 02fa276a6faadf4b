#include "cli/run/ending.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/facts.h"
#include "cli/run/row_facts.h"
#include "cli/run/start_page.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/shell_word.h"

static bool has_file(const struct pv_ending *ending, const char *name)
{
	char path[4096];
	int len =
	    snprintf(path, sizeof(path), "%s/%s", ending->directory, name);
	return len > 0 && (size_t)len < sizeof(path) && access(path, F_OK) == 0;
}

static void write_end(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	static const struct {
		const char *what;
		const char *more;
	} ends[] = {
	    [PAVANE_FINISHED] = {"Finished", ""},
	    [PAVANE_FAILED] = {"Could not continue", "; the state is saved"},
	    [PAVANE_STOPPED] = {"Stopped", "; the state is saved"},
	    [PAVANE_LIMITED] = {"Stopped by a limit of the policy",
		"; the state is saved"},
	    [PAVANE_NOT_BEGUN] = {"Finished",
		", but not every seed could be fetched"},
	};
	const char *more = ends[progress->end].more;
	if (progress->end == PAVANE_FAILED && !has_file(ending, "state.db"))
		more = "; nothing is saved, because its state.db was removed";
	else if (progress->end == PAVANE_FAILED && !progress->known)
		more = "; nothing is saved, because nothing could be written";
	if (progress->end == PAVANE_NOT_BEGUN && progress->pending)
		fprintf(file,
		    "Stopped after %s: nothing has answered; the state is "
		    "saved.\n",
		    pv_amount_of_time(progress->elapsed_ms).text);
	else if (progress->end == PAVANE_FINISHED && !progress->requests)
		fprintf(file, "Finished: no address was pending.\n");
	else
		fprintf(file, "%s after %s%s.\n", ends[progress->end].what,
		    pv_amount_of_time(progress->elapsed_ms).text, more);
}

/* If it is there. */
static void write_place(const struct pv_ending *ending, const char *what,
    const char *name, FILE *file)
{
	char path[4096];
	int len =
	    snprintf(path, sizeof(path), "%s/%s", ending->directory, name);
	if (len < 0 || (size_t)len >= sizeof(path) || access(path, F_OK) != 0)
		return;
	fprintf(file, "  %-10s ", what);
	pv_file_address_write(file, path);
	fputc('\n', file);
}

/* The page that leads to all of a mirror first, if it has one; then where it
 * begins. */
static void write_mirror(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	struct pv_start_page page;
	bool has_entry = progress->has_entry_page;
	if (has_entry)
		write_place(ending, "open", "index.html", file);
	if (!pv_start_page_find(&page, ending->directory, ending->address) ||
	    (has_entry && !page.is_page))
		return;
	fprintf(file, "  %-10s ", has_entry ? "start page" : "open");
	pv_file_address_write(file, page.path);
	fputc('\n', file);
}

static void write_places(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	write_mirror(ending, progress, file);
	write_place(ending, "journal", "journal.jsonl", file);
	if (progress->changes.round > 1)
		write_place(ending, "changes", "changes.jsonl", file);
}

void pv_ending_write_command(
    const char *program, const char *directory, FILE *file)
{
	fprintf(file, "  %-10s ", "continue");
	pv_shell_word_write(file, program);
	fputs(" continue ", file);
	pv_shell_path_write(file, directory);
	fputc('\n', file);
}

/* The command by which the other shards read what was found for them. */
static void write_shards_command(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	if (!progress->elsewhere)
		return;
	fprintf(file, "  %-10s on the machine of each shard I: ", "pass on");
	pv_shell_word_write(file, ending->program);
	fprintf(file, " crawl POLICY --shard I/%" PRId64 " --inbound ",
	    progress->shards);
	pv_shell_path_write(file, ending->directory);
	fputs(" -o DIR\n", file);
}

/* The command that lists all errors, and the pages that link there. */
static void write_errors_command(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	if (!progress->failed || ending->is_passing ||
	    !has_file(ending, "state.db"))
		return;
	fprintf(file, "  %-10s ", "all errors");
	pv_shell_word_write(file, ending->program);
	fputs(" links ", file);
	pv_shell_path_write(file, ending->directory);
	fputs(" --broken\n", file);
}

void pv_ending_write(const struct pv_ending *ending,
    const struct pavane_progress *progress, FILE *file)
{
	write_end(ending, progress, file);
	pv_facts_write(progress, file);
	pv_row_facts_write(ending->directory, file);
	write_errors_command(ending, progress, file);
	pv_facts_write_limit(progress, file);
	write_places(ending, progress, file);
	write_shards_command(ending, progress, file);
	if (ending->is_of_fleet) {
		/* Where it failed, the error says what to do. */
		if (progress->end != PAVANE_FINISHED &&
		    progress->end != PAVANE_FAILED)
			fprintf(file, "  %-10s run the same command again\n",
			    "continue");
	} else if (progress->pending && !ending->is_passing &&
		   (progress->end != PAVANE_FAILED ||
		       has_file(ending, "state.db")))
		pv_ending_write_command(
		    ending->program, ending->directory, file);
}
