#include "cli/run/fresh.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run/command.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/shell_word.h"

static bool has_state(const char *directory)
{
	char path[PATH_MAX];
	struct stat found;
	int len = snprintf(path, sizeof(path), "%s/state.db", directory);
	return len > 0 && (size_t)len < sizeof(path) && stat(path, &found) == 0;
}

static void say_nothing(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	(void)line;
}

static void tell_what_is_there(const char *directory)
{
	struct pavane_status *status =
	    pavane_status_read(directory, say_nothing, NULL);
	pv_shell_word_write(stderr, directory);
	fprintf(stderr, " holds a crawl");
	if (status)
		fprintf(stderr, ": %s done, %s pending",
		    pv_amount_of_count(status->progress->done).text,
		    pv_amount_of_count(status->progress->pending).text);
	fprintf(stderr, ".\n");
	pavane_status_destroy(status);
}

static bool ask(const char *directory)
{
	char answer[16];
	tell_what_is_there(directory);
	fprintf(stderr, "Delete all of it and start again? [y/N] ");
	if (!fgets(answer, sizeof(answer), stdin)) {
		fprintf(stderr, "\n");
		return false;
	}
	return *answer == 'y' || *answer == 'Y';
}

int pv_fresh_check(const struct pv_options *options, const char *directory)
{
	if (!options->is_fresh || options->is_agreed || !has_state(directory))
		return EXIT_FINISHED;
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
		if (ask(directory))
			return EXIT_FINISHED;
		fprintf(stderr, "Nothing was changed.\n");
		return EXIT_FAILED;
	}
	tell_what_is_there(directory);
	fprintf(stderr,
	    "pavane: --fresh would delete it, and there is no terminal to "
	    "confirm this: add --yes\n");
	return EXIT_WRONG;
}
