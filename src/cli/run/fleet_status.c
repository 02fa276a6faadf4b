#include <inttypes.h>
#include <stdio.h>

#include "cli/run/command.h"
#include "cli/run/fleet_orders.h"
#include "cli/run/loading.h"
#include "cli/terminal/amounts.h"
#include "cli/terminal/columns.h"

/* A worker's place is shown so wide, its end at least. */
#define PLACE_COLUMNS 32

#define ROW "  %-10s "

static void tell(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (level <= PAVANE_WARNING)
		fprintf(stderr, "pavane: %s\n", line);
}

static const char *state_of(const struct pavane_fleet_status *status)
{
	if (status->is_finished)
		return "finished";
	return status->living ? "running" : "no worker is running";
}

static void print_totals(const struct pavane_fleet_status *status)
{
	printf("%s: %s, %s\n", status->name, state_of(status),
	    pv_amount_of_things(status->living, "worker").text);
	if (status->settings[0])
		printf(ROW "%s\n", "set", status->settings);
	if (status->pauses[0])
		printf(ROW "%s\n", "note", status->pauses);
	printf(ROW "%s, %s", "pages",
	    pv_amount_of_count((uint64_t)status->pages).text,
	    pv_amount_of_size((uint64_t)status->bytes).text);
	if (status->pages_per_second > 0)
		printf(", now %s",
		    pv_amount_of_rate(status->pages_per_second, "page").text);
	printf("\n" ROW "%s owned, %s waiting for a worker\n", "clocks",
	    pv_amount_of_count((uint64_t)status->clocks).text,
	    pv_amount_of_count((uint64_t)status->waiting).text);
	printf(ROW "%s on the way to the worker of their host\n", "links",
	    pv_amount_of_count((uint64_t)status->links).text);
}

static const char *word_of(const struct pavane_fleet_worker *worker)
{
	if (!worker->is_alive)
		return "left";
	return worker->is_silent ? "silent" : "alive";
}

static void print_worker(const struct pavane_fleet_worker *worker)
{
	char place[256];
	pv_columns_fit_ends(worker->place, PLACE_COLUMNS, place, sizeof(place));
	printf("  %6" PRId64 "  %-*s  %-6s  %9s  %12s  %14s  %7s  %s ago\n",
	    worker->number, PLACE_COLUMNS, place, word_of(worker),
	    pv_amount_of_count((uint64_t)worker->clocks).text,
	    pv_amount_of_count((uint64_t)worker->pages).text,
	    pv_amount_of_rate(worker->pages_per_second, "page").text,
	    pv_amount_of_count((uint64_t)worker->unsent).text,
	    pv_amount_of_time(worker->seen_ms).text);
}

static void print(const struct pavane_fleet_status *status)
{
	print_totals(status);
	if (!status->worker_count)
		return;
	printf("\n  %6s  %-*s  %-6s  %9s  %12s  %14s  %7s  %s\n", "worker",
	    PLACE_COLUMNS, "place", "state", "clocks", "pages", "pace",
	    "unsent", "seen");
	for (size_t i = 0; i < status->worker_count; i++)
		print_worker(&status->workers[i]);
}

static bool show(const struct pv_options *options, const char *name)
{
	struct pavane_fleet_status *status =
	    pavane_fleet_status_read(options->fleet, name, tell, NULL);
	if (!status)
		return false;
	if (options->is_json)
		pavane_fleet_status_write_json(status, pv_write_out, stdout);
	else
		print(status);
	pavane_fleet_status_destroy(status);
	return true;
}

/* One that cannot be shown hides none of the others. */
int pv_fleet_status(const struct pv_options *options)
{
	bool is_whole = true;
	if (options->argument_count < 2) {
		fprintf(stderr, "pavane: status --fleet needs the name of a "
				"crawl: pavane status --fleet URL NAME...\n");
		return EXIT_WRONG;
	}
	for (size_t i = 1; i < options->argument_count; i++) {
		if (i > 1 && !options->is_json)
			putchar('\n');
		is_whole &= show(options, options->arguments[i]);
	}
	return is_whole ? EXIT_FINISHED : EXIT_FAILED;
}
