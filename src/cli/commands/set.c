#include <stdio.h>
#include <string.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/loading.h"

static int list(const char *directory)
{
	struct pavane_status *status =
	    pavane_status_read(directory, pv_order_tell, NULL);
	if (!status)
		return EXIT_FAILED;
	const char *settings = status->progress->settings;
	printf("%s: %s\n", directory,
	    settings && settings[0] ? settings : "nothing is set");
	pavane_status_destroy(status);
	return EXIT_FINISHED;
}

static bool is_running(const char *directory)
{
	struct pavane_status *status =
	    pavane_status_read(directory, pv_order_tell, NULL);
	bool is_running = status && status->is_running;
	pavane_status_destroy(status);
	return is_running;
}

static int set(const struct pv_options *options)
{
	const struct pavane_order order = {
	    .size = sizeof(struct pavane_order),
	    .directory = options->arguments[1],
	    .on_line = pv_order_tell,
	};
	switch (pavane_order_set(
	    &order, options->arguments + 2, options->argument_count - 2)) {
	case PAVANE_YES:
		printf("%s: set; %s\n", order.directory,
		    is_running(order.directory)
			? "the crawl goes on with it when the requests in "
			  "flight have ended"
			: "no crawl is running, the next run begins with it");
		return EXIT_FINISHED;
	case PAVANE_NO:
		printf("%s: that is so already\n", order.directory);
		return EXIT_FINISHED;
	case PAVANE_WRONG:
		return EXIT_WRONG;
	default:
		return EXIT_FAILED;
	}
}

static int run(const struct pv_options *options)
{
	if (options->fleet)
		return pv_fleet_set(options);
	if (options->argument_count < 2) {
		fprintf(stderr,
		    "pavane: set needs a crawl's directory: pavane set DIR "
		    "KEY=VALUE\n");
		return EXIT_WRONG;
	}
	return options->argument_count == 2 ? list(options->arguments[1])
					    : set(options);
}

const struct pv_command pv_command_set = {
    .name = "set",
    .arguments = {{"DIR", PV_IS_CRAWL, NULL},
	{"[KEY=VALUE...]", PV_IS_LIVE_KEY, NULL}},
    .sentence = "change rates, delays and limits",
    .help = "Changes keys of the policy of a crawl, running or not: rates, "
	    "delays, limits,\ntimeouts and the like. They hold before the "
	    "next request, also after a restart\nand over what the policy "
	    "says, until KEY= takes them back. Several are set\ntogether or "
	    "not at all. Without KEY=VALUE, prints what is set. What "
	    "decides\nwhich addresses belong to the crawl is changed in its "
	    "policy: `pavane continue`.\n\nThe keys that can be set are marked "
	    "in `man pavane-policy`. --fleet URL NAME sets them for a fleet.",
    .example = "  pavane set docs.example.org rate.max_rate=5 "
	       "politeness.delay=2s\n"
	       "  pavane set docs.example.org politeness.delay=\n",
    .options = "F",
    .run = run,
};
