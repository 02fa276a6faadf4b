#include <stdio.h>

#include "cli/run/command.h"

static void write_text(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	fwrite(text, 1, len, stdout);
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

static int run(const struct pv_options *options)
{
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: audit needs a crawl's directory: "
				"pavane audit DIR\n");
		return EXIT_WRONG;
	}
	struct pavane_audit_options audit = {
	    .size = sizeof(struct pavane_audit_options),
	    .directory = options->arguments[1],
	    .host = options->host,
	    .is_json = options->is_json,
	    .write = write_text,
	    .on_line = tell,
	};
	return pavane_audit(&audit) == PAVANE_KEPT ? EXIT_FINISHED
						   : EXIT_FAILED;
}

const struct pv_command pv_command_audit = {
    .name = "audit",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}},
    .sentence = "check in the journal that the crawl was polite",
    .help =
	"Checks in the journal of a crawl whether each request kept the "
	"limits of the\npolicy and of the hosts: delays, Crawl-delay, "
	"Retry-After, back-off, allowed\nhours, connections, rates and "
	"robots.txt. Prints a line for each host, and each\nviolation. The "
	"exit status is 1 if there is a violation. The crawl may be\nrunning.",
    .example = "  pavane audit docs.example.org\n"
	       "  pavane audit crawl --host docs.example.org\n",
    .options = "Hj",
    .run = run,
};
