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

static size_t count_silent(const struct pavane_fleet_status *status)
{
	size_t count = 0;
	for (size_t i = 0; i < status->worker_count; i++)
		count += status->workers[i].is_silent;
	return count;
}

static size_t count_alive(const struct pavane_fleet_status *status)
{
	size_t count = 0;
	for (size_t i = 0; i < status->worker_count; i++)
		count += status->workers[i].is_alive;
	return count;
}

/* Of a crawl that is finished none waits. */
static void print_clocks(const struct pavane_fleet_status *status)
{
	printf(ROW "%s owned", "clocks",
	    pv_amount_of_count((uint64_t)status->clocks).text);
	if (!status->is_finished)
		printf(", %s waiting for a worker",
		    pv_amount_of_count((uint64_t)status->waiting).text);
	putchar('\n');
}

static void print_left(const struct pavane_fleet_status *status)
{
	if (!status->left)
		return;
	printf(ROW "%s, with %s", "left",
	    pv_amount_of_things((uint64_t)status->left, "worker").text,
	    pv_amount_of_things((uint64_t)status->left_pages, "page").text);
	if (status->reaped)
		printf("; %s of them had fallen silent: others took over the "
		       "hosts",
		    pv_amount_of_count((uint64_t)status->reaped).text);
	putchar('\n');
}

static void print_totals(const struct pavane_fleet_status *status)
{
	size_t silent = count_silent(status);
	printf("%s: %s, %s", status->name, state_of(status),
	    pv_amount_of_things(count_alive(status) - silent, "worker").text);
	if (silent)
		printf(" and %zu silent", silent);
	putchar('\n');
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
	putchar('\n');
	print_clocks(status);
	printf(ROW "%s on the way to the worker of their host\n", "links",
	    pv_amount_of_count((uint64_t)status->links).text);
	print_left(status);
}

static bool is_idle(const struct pavane_fleet_status *status, size_t number)
{
	return status->are_idle[number] && !status->workers[number].is_silent;
}

static const char *word_of(
    const struct pavane_fleet_status *status, size_t number)
{
	if (status->workers[number].is_silent)
		return "silent";
	return is_idle(status, number) ? "idle" : "alive";
}

static void print_worker(
    const struct pavane_fleet_status *status, size_t number)
{
	const struct pavane_fleet_worker *worker = &status->workers[number];
	char place[256];
	pv_columns_fit_ends(worker->place, PLACE_COLUMNS, place, sizeof(place));
	printf("  %6" PRId64 "  %-*s  %-6s  %9s  %12s  %14s  %7s  %s ago\n",
	    worker->number, PLACE_COLUMNS, place, word_of(status, number),
	    pv_amount_of_count((uint64_t)worker->clocks).text,
	    pv_amount_of_count((uint64_t)worker->pages).text,
	    pv_amount_of_rate(worker->pages_per_second, "page").text,
	    pv_amount_of_count((uint64_t)worker->unsent).text,
	    pv_amount_of_time(worker->seen_ms).text);
}

static void print(const struct pavane_fleet_status *status)
{
	bool has_idle = false;
	print_totals(status);
	if (!count_alive(status))
		return;
	printf("\n  %6s  %-*s  %-6s  %9s  %12s  %14s  %7s  %s\n", "worker",
	    PLACE_COLUMNS, "place", "state", "clocks", "pages", "pace",
	    "unsent", "seen");
	for (size_t i = 0; i < status->worker_count; i++) {
		if (status->workers[i].is_alive)
			print_worker(status, i);
		has_idle |= is_idle(status, i);
	}
	if (has_idle)
		printf("  idle: what is left is at hosts, or IP addresses, of "
		       "other workers, or rests\n");
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
