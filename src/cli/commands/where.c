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
    .arguments = "DIR URL|FILE...",
    .sentence = "the file of a mirror that has an address; and back",
    .help =
	"Prints the file in which a crawl keeps an address, or, if there is "
	"none, tells in\na line why: never met, refused and by what, still "
	"waiting, answered 404, redirected\nto where. For a file of the mirror "
	"(a path from here or below DIR, or file://...)\nit prints the address "
	"that was fetched. Addresses may be written in any way that\nthe "
	"crawl takes for the same. It reads what the crawl has written, "
	"running or not,\nand ends with 1 if one of them was not found.",
    .example =
	"  pavane where docs.example.org "
	"https://docs.example.org/guide/\n"
	"  pavane where docs.example.org "
	"docs.example.org/site/docs.example.org/index.html\n"
	"  xdg-open \"$(pavane where docs https://docs.example.org/)\"\n",
    .options = "j",
    .run = run,
};
