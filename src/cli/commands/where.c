#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	fflush(stdout);
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

/* The worst that came of any: all others are looked for all the same. */
static int worse(int status, enum pavane_answer answer)
{
	if (answer == PAVANE_YES)
		return status;
	return answer == PAVANE_WRONG || status == EXIT_WRONG ? EXIT_WRONG
							      : EXIT_FAILED;
}

static int find_all(
    const struct pv_options *options, struct pavane_places *places)
{
	const struct pavane_place_options wishes = {
	    .size = sizeof(struct pavane_place_options),
	    .is_json = options->is_json,
	    .write = pv_write_out,
	    .on_line = tell,
	    .ctx = stdout,
	};
	int status = EXIT_FINISHED;
	for (size_t i = 2; i < options->argument_count; i++)
		status = worse(status,
		    pavane_places_find(places, options->arguments[i], &wishes));
	return status;
}

static int run(const struct pv_options *options)
{
	if (options->argument_count < 3) {
		fprintf(stderr, "pavane: where needs a crawl's directory and "
				"an address or a file: pavane where DIR "
				"URL|FILE...\n");
		return EXIT_WRONG;
	}
	struct pavane_places *places =
	    pavane_places_open(options->arguments[1], tell, NULL);
	int status = places ? find_all(options, places) : EXIT_FAILED;
	pavane_places_close(places);
	return status;
}

const struct pv_command pv_command_where = {
    .name = "where",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL},
	{"URL|FILE...", PV_IS_FILE, NULL}},
    .sentence = "print the file of an address, or the reverse",
    .help =
	"Prints the file of an address, or, if there is none, the reason in "
	"one line:\nnot seen, left out and why, pending, answered 404, "
	"redirected and where to. For\na file of the mirror (a path from "
	"here or below DIR, or file://...) it prints\nthe address that was "
	"fetched. Addresses may be written in any form that the\ncrawl "
	"treats as the same. The crawl may be running. The exit status is 1 "
	"if one\nof them was not found.",
    .example =
	"  pavane where docs.example.org "
	"https://docs.example.org/guide/\n"
	"  pavane where docs docs/site/docs.example.org/index.html\n"
	"  xdg-open \"$(pavane where docs https://docs.example.org/)\"\n",
    .options = "j",
    .run = run,
};
