#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/demo/site.h"
#include "cli/run/command.h"
#include "cli/run/loading.h"
#include "cli/run/running.h"
#include "cli/terminal/sheet.h"
#include "cli/terminal/shell_word.h"

#define DELAY_MS 100

struct demo {
	struct pv_demo_site *site;
	const char *directory;
	size_t faults;
};

/* The manners of the demo: those of any crawl, in a hurry. */
static const char *const settings[][2] = {
    {"name", "pavane-demo"},
    {"politeness.delay", "100ms"},
    {"politeness.ip_delay", "0"},
    {"politeness.backoff.failure", "100ms"},
    {"politeness.backoff.overload", "200ms"},
    {"scope.rules", "[{deny: {path: \"/logout*\"}}]"},
    {"output.mirror", "{}"},
    {"stop.drain_timeout", "5s"},
};

static struct pavane_policy *load(const struct demo *demo)
{
	struct pv_settings given = {0};
	char address[64];
	const char *addresses[] = {address};
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    pv_demo_site_port(demo->site));
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		pv_settings_add_key(
		    &given, settings[i][0], settings[i][1], "demo");
	struct pavane_sources sources = pv_sources_of(&given, NULL);
	sources.addresses = addresses;
	sources.address_count = 1;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	pv_settings_finish(&given);
	return policy;
}

static void write_preface(const struct demo *demo, FILE *file)
{
	fprintf(file,
	    "\nA small site is running on this machine, at "
	    "http://127.0.0.1:%u/:\ntwelve pages in two sections, an image, "
	    "a style sheet, a redirect, a broken\nlink, a page that is too "
	    "busy at first, and pages that robots.txt forbids.\nIt is "
	    "mirrored like any other site, but with a rest of %d ms after "
	    "each\nanswer instead of a second.\n\n",
	    pv_demo_site_port(demo->site), DELAY_MS);
}

static void __attribute__((format(printf, 4, 5))) write_claim(
    struct demo *demo, FILE *file, bool is_true, const char *format, ...)
{
	va_list list;
	demo->faults += !is_true;
	fprintf(file, "  %-10s ", is_true ? "yes" : "NO");
	va_start(list, format);
	vfprintf(file, format, list);
	va_end(list);
	fputc('\n', file);
}

/* What should be true of any polite crawl of that site. A millisecond is for
 * two clocks that round. */
static void write_claims(
    struct demo *demo, const struct pavane_progress *progress, FILE *file)
{
	struct pv_demo_ledger ledger;
	pv_demo_site_read_ledger(demo->site, &ledger);
	fprintf(file, "\n"
		      "What the site saw:\n");
	write_claim(demo, file, progress->end == PAVANE_FINISHED,
	    "the crawl was completed");
	write_claim(demo, file, ledger.is_robots_first,
	    "robots.txt was requested first");
	write_claim(demo, file, !ledger.forbidden,
	    "no page that it forbids was requested");
	write_claim(demo, file,
	    ledger.least_gap_us >= (DELAY_MS - 1) * (size_t)1000,
	    "%zu requests, and at least %zu ms of rest before each",
	    ledger.requests,
	    ledger.least_gap_us == SIZE_MAX ? 0 : ledger.least_gap_us / 1000);
	write_claim(demo, file, !ledger.hurried,
	    "the busy page was requested again only after its Retry-After");
	write_claim(demo, file, !ledger.missed && !ledger.repeated,
	    "every other page was requested, and none without need");
	write_claim(demo, file, progress->refused > 0,
	    "each page that was left out is in the journal, with its reason");
}

static int examine(
    void *ctx, const struct pavane_progress *progress, FILE *file)
{
	struct demo *demo = ctx;
	if (progress->end == PAVANE_STOPPED) {
		fprintf(file, "The demo's site has ended with the demo, so "
			      "this crawl cannot be continued.\n");
		return EXIT_STOPPED;
	}
	write_claims(demo, progress, file);
	fprintf(file,
	    "\n%s The files are kept so that you can open them; to remove "
	    "them: rm -r ",
	    demo->faults ? "At least one check failed." : "All checks passed.");
	pv_shell_path_write(file, demo->directory);
	fputc('\n', file);
	return demo->faults ? EXIT_FAILED : EXIT_FINISHED;
}

static int crawl(const struct pv_options *options, struct demo *demo)
{
	struct pavane_policy *policy = load(demo);
	struct pv_sheet preface;
	pv_sheet_open(&preface);
	write_preface(demo, preface.file);
	pv_sheet_close(&preface);
	struct pv_run run = {
	    .options = options,
	    .policy = policy,
	    .directory = demo->directory,
	    .preface = preface.text,
	    .is_passing = true,
	    .examine = examine,
	    .ctx = demo,
	};
	int status =
	    pv_policy_is_right(policy) ? pv_run_crawl(&run) : EXIT_FAILED;
	bool has_told = !options->is_quiet && !options->is_json;
	if (demo->faults && !has_told)
		fprintf(stderr, "pavane: a check of the demo failed: to see "
				"which, run it without --quiet and --json\n");
	pv_sheet_finish(&preface);
	pavane_policy_destroy(policy);
	return status;
}

/* A directory of the demo's own, below the system's temporary one. */
static bool make_directory(char *path, size_t size)
{
	const char *above = getenv("TMPDIR");
	int len = snprintf(path, size, "%s/pavane-demo.XXXXXX",
	    above && *above ? above : "/tmp");
	if (len > 0 && (size_t)len < size && mkdtemp(path))
		return true;
	fprintf(
	    stderr, "pavane: cannot create %s: %s\n", path, strerror(errno));
	return false;
}

static bool read_port(const char *text, uint16_t *port)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	*port = (uint16_t)number;
	if (*text >= '0' && *text <= '9' && !*end && number <= UINT16_MAX)
		return true;
	fprintf(stderr, "pavane: --serve needs a port, such as 8123\n");
	return false;
}

static struct pv_demo_site *start(uint16_t port)
{
	struct pv_demo_site *site = pv_demo_site_start(port);
	if (!site)
		perror("pavane: cannot listen on a port of this machine");
	return site;
}

/* Until a signal asks to end: the site's thread takes none. */
static int serve(const char *text)
{
	uint16_t port;
	sigset_t awaited;
	int signal;
	if (!read_port(text, &port))
		return EXIT_WRONG;
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGINT);
	sigaddset(&awaited, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &awaited, NULL);
	struct pv_demo_site *site = start(port);
	if (!site)
		return EXIT_FAILED;
	printf("http://127.0.0.1:%u/ is served until you press Ctrl+C\n",
	    pv_demo_site_port(site));
	fflush(stdout);
	sigwait(&awaited, &signal);
	pv_demo_site_stop(site);
	return EXIT_FINISHED;
}

static int run(const struct pv_options *options)
{
	char path[PATH_MAX];
	struct stat found;
	struct demo demo = {.directory = options->output};
	if (options->argument_count > 1) {
		fprintf(stderr, "pavane: demo takes no arguments\n");
		return EXIT_WRONG;
	}
	if (options->serve)
		return serve(options->serve);
	if (options->output && stat(options->output, &found) == 0) {
		fprintf(stderr,
		    "pavane: %s exists already: choose a new directory for "
		    "the demo\n",
		    options->output);
		return EXIT_WRONG;
	}
	if (!options->output && !make_directory(path, sizeof(path)))
		return EXIT_FAILED;
	if (!options->output)
		demo.directory = path;
	demo.site = start(0);
	if (!demo.site)
		return EXIT_FAILED;
	int status = crawl(options, &demo);
	pv_demo_site_stop(demo.site);
	return status;
}

const struct pv_command pv_command_demo = {
    .name = "demo",
    .sentence = "mirror a small site on this machine",
    .help =
	"Starts a small site on this machine, mirrors it in a few seconds, "
	"and shows\nwhat the site saw: whether robots.txt was obeyed, the "
	"pauses between requests,\nand which pages were requested. It needs "
	"no network. The files stay in DIR, or\nbelow the system's temporary "
	"directory, so that you can open them. The exit\nstatus is 0 if all "
	"checks passed, and 1 otherwise.\n\nWith --serve it only serves the "
	"site, for trying other commands: doc/tutorial.md\ndoes so. Two of "
	"its pages change after their first answer.",
    .example = "  pavane demo\n  pavane demo --serve 8123\n",
    .options = "8ojvq",
    .meanings = {{'o', PV_IS_DIRECTORY,
	"a new directory for the files, instead of one that is temporary"}},
    .run = run,
};
