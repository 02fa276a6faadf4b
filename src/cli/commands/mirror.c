#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/commands/addresses.h"
#include "cli/run/command.h"
#include "cli/run/loading.h"
#include "cli/run/running.h"
#include "cli/terminal/sheet.h"

/* What `mirror` means, under what the person says; nobody is asked for what may
 * not be there, and a picture on a machine that is no more does not keep a
 * mirror from its end. Other keys are as they are anywhere: one request at a
 * time to a host, a second after each answer. */
static void add_own_settings(
    const struct pv_options *options, struct pv_settings *settings)
{
	/* The hosts of a site do not lie below one another's paths. */
	bool is_below = !pv_options_has(options, 't');
	pv_settings_add_key(
	    settings, "scope.below", is_below ? "true" : "false", "mirror");
	pv_settings_add_key(settings, "scope.sitemap_guess", "false", "mirror");
	pv_settings_add_key(settings, "robots.give_up_silent", "2m", "mirror");
	pv_settings_add_key(settings, "output.mirror", "{}", "mirror");
	pv_settings_add_all(settings, &options->settings);
}

/* The policy of the crawl that is in the directory, which goes on; "" if there
 * is none, or it is to begin anew. */
static void find_kept(const struct pv_options *options,
    const struct pavane_policy *policy, char *path, size_t size)
{
	const char *directory =
	    options->output ? options->output : pavane_policy_directory(policy);
	int len = snprintf(path, size, "%s/policy.yaml", directory);
	bool is_there = len > 0 && (size_t)len < size && !options->is_fresh &&
			access(path, R_OK) == 0;
	if (!is_there)
		*path = '\0';
}

static size_t count_seeds(const char *file)
{
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources), .file = file};
	struct pavane_policy *policy = pavane_policy_load(&sources);
	size_t count = pavane_policy_seed_count(policy);
	pavane_policy_destroy(policy);
	return count;
}

/* To what that crawl began with, the addresses are added; how many that are, is
 * said. */
static struct pavane_policy *load(const struct pv_options *options,
    struct pavane_sources *sources, char *kept, size_t size, FILE *preface)
{
	struct pavane_policy *policy = pv_policy_of(options, sources);
	find_kept(options, policy, kept, size);
	if (!*kept)
		return policy;
	pavane_policy_destroy(policy);
	sources->seeds_of = kept;
	policy = pv_policy_of(options, sources);
	size_t before = count_seeds(kept);
	size_t after = pavane_policy_seed_count(policy);
	if (before && after > before)
		fprintf(preface,
		    "%zu address%s added to the crawl that is there\n",
		    after - before, after - before == 1 ? " is" : "es are");
	return policy;
}

static int mirror(const struct pv_options *options,
    const struct pv_addresses *addresses, struct pv_sheet *preface)
{
	char kept[PATH_MAX];
	struct pv_settings settings = {0};
	add_own_settings(options, &settings);
	struct pavane_sources sources = pv_sources_of(&settings, NULL);
	sources.addresses = (const char *const *)addresses->items;
	sources.address_names = (const char *const *)addresses->names;
	sources.address_count = addresses->count;
	struct pavane_policy *policy =
	    load(options, &sources, kept, sizeof(kept), preface->file);
	pv_sheet_close(preface);
	struct pv_run run = {
	    .options = options,
	    .policy = policy,
	    .sources = &sources,
	    .address = addresses->items[0],
	    .preface = preface->text,
	};
	int status = EXIT_WRONG;
	bool is_right = pv_policy_suits(options, policy);
	if (is_right && options->is_policy_wanted) {
		pavane_policy_write_effective(policy, pv_write_out, stdout);
		status = EXIT_FINISHED;
	} else if (is_right) {
		status =
		    options->is_dry ? pv_dry_run(&run) : pv_run_crawl(&run);
	}
	pavane_policy_destroy(policy);
	pv_settings_finish(&settings);
	return status;
}

static int run(const struct pv_options *options)
{
	struct pv_addresses addresses;
	struct pv_sheet sheet;
	int status = EXIT_WRONG;
	if (options->argument_count < 2 && !options->input) {
		fprintf(stderr, "pavane: mirror needs an address: pavane "
				"mirror URL...\n");
		return EXIT_WRONG;
	}
	pv_sheet_open(&sheet);
	bool is_right = pv_addresses_read(&addresses, options->arguments + 1,
	    options->argument_count - 1, options->input, sheet.file);
	if (is_right)
		status = mirror(options, &addresses, &sheet);
	else
		pv_sheet_close(&sheet);
	pv_sheet_finish(&sheet);
	pv_addresses_finish(&addresses);
	return status;
}

const struct pv_command pv_command_mirror = {
    .name = "mirror",
    .arguments = {{"URL...", PV_IS_TEXT, NULL}},
    .sentence = "copy a site so that you can read it offline",
    .help =
	"Copies all pages below each address, with the images, styles and "
	"scripts that\nthey need. Below .../guide/ is the directory guide; "
	"below .../guide (no slash\nat the end) are also its neighbours. A "
	"host gets one request at a time and\nrests one second after each "
	"answer. Ctrl+C stops the copying; the same command\ncontinues "
	"it.\n\n"
	"docs.example.org is short for https://docs.example.org; for "
	"localhost and IP\naddresses http is used. Each option is a key of a "
	"policy; --print-policy prints\nthe whole policy.",
    .example = "  pavane mirror https://docs.example.org/guide/\n"
	       "  pavane mirror docs.example.org --no-below --delay 2s "
	       "-o docs\n"
	       "  pavane mirror docs.example.org --dry-run\n"
	       "  pavane mirror docs.example.org --depth 3 --print-policy "
	       ">policy.yaml\n",
    .options = "ofyidRnbBtpQwaKPNSDMjvq",
    .run = run,
};
