#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

static int try_page(
    const struct pv_options *options, const struct pavane_policy *policy)
{
	const struct pavane_try_options wishes = {
	    .size = sizeof(struct pavane_try_options),
	    .page = options->arguments[2],
	    .url = options->url,
	    .kind = options->kind,
	    .carry = options->carry,
	    .directory = options->output,
	    .is_json = options->is_json,
	    .write = pv_write_out,
	    .on_line = tell,
	    .ctx = stdout,
	};
	switch (pavane_try(policy, &wishes)) {
	case PAVANE_YES:
		return EXIT_FINISHED;
	case PAVANE_WRONG:
		return EXIT_WRONG;
	default:
		return EXIT_FAILED;
	}
}

/* Whether somebody is asked for the page, and so must be able to reach us. */
static bool is_asking(const struct pv_options *options)
{
	const char *page = options->arguments[2];
	return !options->output && (strncmp(page, "http://", 7) == 0 ||
				       strncmp(page, "https://", 8) == 0);
}

static bool is_right(
    const struct pv_options *options, const struct pavane_policy *policy)
{
	return (!is_asking(options) && pavane_policy_lacks_contact(policy)) ||
	       pv_policy_is_right(policy);
}

static int run(const struct pv_options *options)
{
	struct pv_options own = *options;
	const struct sigaction nothing = {.sa_handler = SIG_IGN};
	if (options->argument_count != 3) {
		fprintf(stderr, "pavane: try needs a policy and one page: "
				"pavane try POLICY URL|FILE\n");
		return EXIT_WRONG;
	}
	struct pavane_sources sources =
	    pv_sources_of(&options->settings, options->arguments[1]);
	sources.input_of = options->output ? options->output : "";
	own.is_dry = !is_asking(options);
	struct pavane_policy *policy = pv_policy_of(&own, &sources);
	sigaction(SIGPIPE, &nothing, NULL);
	int status =
	    is_right(options, policy) ? try_page(options, policy) : EXIT_WRONG;
	pavane_policy_destroy(policy);
	return status;
}

const struct pv_command pv_command_try = {
    .name = "try",
    .arguments = {{"POLICY", PV_IS_FILE, NULL}, {"URL|FILE", PV_IS_FILE, NULL}},
    .sentence = "show the fields that it finds on one page",
    .help =
	"Shows what the kinds of pages of a policy make of one page: its rows, "
	"why a\nfield has no value and how near its selector came, and where "
	"the page leads.\n\n"
	"A URL is requested by itself, robots.txt first, and nothing is "
	"stored. With\n-o DIR the page is read from what that crawl stored, "
	"and nothing is requested.\nA FILE, or - for the standard input, needs "
	"--url for `match`, for fields of the\naddress and for relative "
	"links.\n\n"
	"Exit status: 0; 1 if the page is of no kind, lacks a required field "
	"or cannot\nbe read; 2 for a wrong command or policy.",
    .example = "  pavane try shop.yaml https://shop.example.org/product/1\n"
	       "  pavane try shop.yaml page.html --as product "
	       "--url https://shop.example.org/1\n"
	       "  pavane try shop.yaml -o shop --json "
	       "https://shop.example.org/product/1\n",
    .options = "oUAYjKSDq",
    .meanings = {{'o', PV_IS_CRAWL,
	"read the page from what the crawl in this directory has stored"}},
    .run = run,
};
