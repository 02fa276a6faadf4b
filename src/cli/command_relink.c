#include <inttypes.h>
#include <stdio.h>

#include "cli/command.h"

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

static void print(
    const struct pavane_relinked *relinked, const struct pv_options *options)
{
	if (options->is_json)
		printf("{\"documents\":%" PRIu64 ",\"changed\":%" PRIu64
		       ",\"failed\":%" PRIu64 "}\n",
		    relinked->documents, relinked->changed, relinked->failed);
	else if (!options->is_quiet)
		printf("%" PRIu64 " documents, %" PRIu64
		       " of them with links that had to change\n",
		    relinked->documents, relinked->changed);
}

static int run(const struct pv_options *options)
{
	struct pavane_relinked relinked;
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: relink needs a crawl's directory: "
				"pavane relink DIR\n");
		return EXIT_WRONG;
	}
	const struct pavane_relink_options relink = {
	    .directory = options->arguments[1],
	    .on_line = tell,
	};
	if (!pavane_relink(&relink, &relinked))
		return EXIT_FAILED;
	print(&relinked, options);
	return relinked.failed ? EXIT_FAILED : EXIT_FINISHED;
}

const struct pv_command pv_command_relink = {
    .name = "relink",
    .arguments = "DIR",
    .sentence = "links the pages of a mirror to one another",
    .help =
	"Makes the links of a mirror right, without asking anybody: a link to "
	"what was\nfetched leads to its file, any other to its address. A crawl "
	"does so itself when it\nends; this is for when it was killed, or when "
	"files were removed. Only documents\nin which something changes are "
	"written.",
    .example = "  pavane relink docs.example.org\n",
    .options = "qj",
    .run = run,
};
