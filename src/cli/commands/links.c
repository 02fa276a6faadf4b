#include <stdio.h>
#include <string.h>

#include "cli/run/command.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/meter.h"

static void show_progress(void *ctx, uint64_t read, uint64_t all)
{
	char line[160];
	if (!pv_meter_is_due(ctx))
		return;
	snprintf(line, sizeof(line), "%s of %s files of the mirror read",
	    pv_amount_of_count(read).text, pv_amount_of_count(all).text);
	pv_meter_show(ctx, line);
}

/* What is found out comes when all has been read. */
static void write_text(void *ctx, const char *text, size_t len)
{
	pv_meter_clear(ctx);
	fwrite(text, 1, len, stdout);
}

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	pv_meter_clear(ctx);
	fflush(stdout);
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

static enum pavane_links_form form_of(const struct pv_options *options)
{
	if (options->is_csv)
		return PAVANE_LINKS_CSV;
	return options->is_json ? PAVANE_LINKS_JSON : PAVANE_LINKS_TEXT;
}

static int check(const struct pv_options *options)
{
	struct pv_meter meter;
	pv_meter_init(&meter);
	struct pavane_links_options links = {
	    .size = sizeof(struct pavane_links_options),
	    .directory = options->arguments[1],
	    .has_refused = options->has_refused,
	    .has_all = options->verbosity > 0,
	    .form = form_of(options),
	    .write = write_text,
	    .on_line = tell,
	    .on_progress = show_progress,
	    .ctx = &meter,
	};
	enum pavane_links found = pavane_links_check(&links);
	pv_meter_clear(&meter);
	return found == PAVANE_LINKS_WHOLE ? EXIT_FINISHED : EXIT_FAILED;
}

static int run(const struct pv_options *options)
{
	const char *fault = NULL;
	if (options->argument_count != 2)
		fault = "links needs a crawl's directory: pavane links DIR "
			"--broken";
	else if (!options->is_broken)
		fault = "links needs --broken: pavane links DIR --broken";
	else if (options->is_json && options->is_csv)
		fault = "--json and --csv cannot be combined";
	if (!fault)
		return check(options);
	fprintf(stderr, "pavane: %s\n", fault);
	return EXIT_WRONG;
}

const struct pv_command pv_command_links = {
    .name = "links",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}, {"--broken", PV_IS_OPTION, NULL}},
    .sentence = "list broken links and the pages they are on",
    .help =
	"Lists each address that a crawl could not fetch (404 and other "
	"errors, unknown\nhost names, failed connections, TLS errors, "
	"timeouts, incomplete answers).\nBelow each address are the pages of "
	"the mirror that link to it, with their\nfiles; for a crawl without "
	"a mirror, the page on which the link was found. No\nrequest is "
	"made. The exit status is 0 if no link is broken and 1 if one is.",
    .example = "  pavane links docs.example.org --broken\n"
	       "  pavane links docs.example.org --broken --csv >broken.csv\n",
    .options = "kxCjv",
    .meanings = {{'v', PV_IS_TEXT,
	"name every page; without it, the first ten are named"}},
    .run = run,
};
