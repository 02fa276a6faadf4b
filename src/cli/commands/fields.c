#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/long_work.h"

static void print(
    const struct pavane_fields_made *made, const struct pv_options *options)
{
	if (options->is_json)
		printf("{\"pages\":%" PRIu64 ",\"rows\":%" PRIu64
		       ",\"missing\":%" PRIu64 "}\n",
		    made->pages, made->rows, made->missing);
	else if (!options->is_quiet)
		printf("%" PRIu64 " page%s, %" PRIu64 " row%s\n", made->pages,
		    made->pages == 1 ? "" : "s", made->rows,
		    made->rows == 1 ? "" : "s");
}

static int run(const struct pv_options *options)
{
	struct pavane_fields_made made = PAVANE_INIT(struct pavane_fields_made);
	if (options->argument_count < 2 || options->argument_count > 3) {
		fprintf(stderr, "pavane: fields needs a crawl's directory: "
				"pavane fields DIR [POLICY]\n");
		return EXIT_WRONG;
	}
	struct pv_long_work work = {
	    .thing = "page", .rest = "read; Ctrl+C leaves the old rows"};
	pv_long_work_begin(&work, options);
	const struct pavane_fields_options fields = {
	    .size = sizeof(struct pavane_fields_options),
	    .directory = options->arguments[1],
	    .policy =
		options->argument_count == 3 ? options->arguments[2] : NULL,
	    .is_enough = pv_long_work_is_enough,
	    .on_line = pv_long_work_tell,
	    .ctx = &work,
	};
	bool is_run = pavane_fields(&fields, &made);
	pv_long_work_end(&work);
	if (!is_run)
		return EXIT_FAILED;
	if (made.is_cut) {
		fprintf(stderr, "pavane: stopped: the old rows stay\n");
		return EXIT_STOPPED;
	}
	print(&made, options);
	return EXIT_FINISHED;
}

const struct pv_command pv_command_fields = {
    .name = "fields",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL}, {"[POLICY]", PV_IS_FILE, NULL}},
    .sentence = "write the rows of pages anew",
    .help =
	"Writes all rows of a crawl anew from the pages that its mirror keeps, "
	"without\nany request: as after `pages` of a policy has changed. It "
	"goes by the crawl's\nown policy, or by `pages` and `output.fields` of "
	"POLICY; the rest of POLICY is\nnot used, and the crawl's policy.yaml "
	"stays as it is. The old rows in fields/\nstay until the new ones are "
	"complete. Headers are not kept in a mirror: fields\nthat are read "
	"from them have no value. Nor are links followed anew: pages to\nwhich "
	"only POLICY leads come by a new crawl. Ctrl+C leaves the old rows.",
    .example = "  pavane fields shop.example.org\n"
	       "  pavane fields shop.example.org shop.yaml\n",
    .options = "qj",
    .meanings = {{'q', PV_IS_TEXT, "print no summary"}},
    .run = run,
};
