#include "cli/run/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an option does when it is given. */
enum effect {
	SETS_FLAG,   /* a bool of pv_options becomes true */
	COUNTS,      /* a number of pv_options grows by one */
	SETS_TEXT,   /* a text of pv_options is the argument */
	SETS_KEY,    /* a key of the policy, as --set would */
	ADDS_SET,    /* --set itself */
	ADDS_DOMAIN, /* --domain */
};

#define FLAG(field) SETS_FLAG, offsetof(struct pv_options, field), NULL, NULL
#define TEXT(field) SETS_TEXT, offsetof(struct pv_options, field), NULL, NULL
#define KEY(key, value) SETS_KEY, 0, key, value

/* The options: a letter by which the table of commands names each, and what
 * getopt_long returns for it. Those that belong together stand together. */
/* clang-format off */
static const struct row {
	char letter;
	bool is_short; /* the letter is a short option as well */
	const char *name; /* as it is written, dashes included */
	const char *argument;
	const char *sentence;
	enum effect effect;
	size_t offset;     /* of the field */
	const char *key;   /* of the policy */
	const char *value; /* of that key; NULL: the argument */
} rows[] = {
{'o', true, "--output", "DIR",
 "the crawl's directory; the default is named after the policy or the host",
 TEXT(output)},
{'f', false, "--fresh", NULL,
 "delete the crawl in the directory, and start again", FLAG(is_fresh)},
{'y', false, "--yes", NULL, "do so without confirmation", FLAG(is_agreed)},

{'i', true, "--input-file", "FILE",
 "also the addresses that this file lists, one a line; - is the standard input",
 TEXT(input)},
{'d', false, "--delay", "TIME",
 "rest after each answer of a host, such as 2s; for less than 250ms, also "
 "--set politeness.ip_delay",
 KEY("politeness.delay", NULL)},
{'R', false, "--rate", "N", "at most N requests a second in the whole crawl",
 KEY("rate.max_rate", NULL)},
{'n', false, "--depth", "N", "follow at most N links from the start",
 KEY("scope.depth", NULL)},
{'b', false, "--below", NULL,
 "only pages below the path of the start (default)",
 KEY("scope.below", "true")},
{'B', false, "--no-below", NULL, "all pages of the host of the start",
 KEY("scope.below", "false")},
{'t', false, "--site", NULL,
 "all hosts of the start's site, such as www. and docs.example.org",
 KEY("scope.hosts", "site")},
{'p', false, "--limit-pages", "N", "stop after N pages",
 KEY("limits.pages", NULL)},
{'Q', false, "--no-requisites", NULL,
 "no images, styles and scripts outside the scope of the pages",
 KEY("scope.requisites", "false")},
{'w', false, "--portable", NULL,
 "use only file names that Windows and macOS allow",
 KEY("output.mirror.portable", "true")},
{'a', false, "--agent", "NAME",
 "name and version of the crawler, such as examplebot/1.0",
 KEY("identity.agent", NULL)},
{'c', false, "--contact", "WHOM",
 "how site owners reach you: an e-mail address or a page",
 KEY("identity.contact", NULL)},
{'P', false, "--print-policy", NULL,
 "print the policy for these options, and do nothing",
 FLAG(is_policy_wanted)},
{'N', false, "--dry-run", NULL,
 "print what would be requested, and make no request", FLAG(is_dry)},

{'e', false, "--effective", NULL,
 "print the policy with all defaults and the source of each value",
 FLAG(is_effective)},
{'l', false, "--limits", NULL, "print every limit and its value",
 FLAG(is_limits)},
{'s', false, "--schema", NULL, "print the JSON Schema of policies",
 FLAG(is_schema)},
{'S', false, "--set", "KEY=VALUE",
 "set a key of the policy, such as rate.max_rate=5",
 ADDS_SET, 0, NULL, NULL},
{'D', false, "--domain", "HOST KEY=VALUE",
 "set a key for a host, such as docs.example.org delay=200ms",
 ADDS_DOMAIN, 0, NULL, NULL},
{'r', false, "--robots", "FILE",
 "use this file as the robots.txt of the host", TEXT(robots)},
{'O', false, "--offline", NULL,
 "don't request robots.txt; the answer stays open",
 FLAG(is_offline)},
{'U', false, "--url", "URL", "the address that the file counts as",
 TEXT(url)},
{'A', false, "--as", "KIND", "the kind of page that it counts as",
 TEXT(kind)},
{'Y', false, "--carry", "JSON",
 "what its link brings along, such as '{\"category\": \"Books\"}'",
 TEXT(carry)},
{'E', false, "--encoding", "NAME",
 "the encoding of the page that has the link", TEXT(encoding)},
{'H', false, "--host", "NAME", "only this host", TEXT(host)},
{'u', false, "--until", "TIME",
 "when the pause ends: after 2h, at 14:30, or on 2026-11-27", TEXT(until)},
{'k', false, "--broken", NULL,
 "list broken links, and the pages that have them", FLAG(is_broken)},
{'x', false, "--refused", NULL,
 "also addresses that the policy or robots.txt left out", FLAG(has_refused)},
{'C', false, "--csv", NULL, "print CSV, for spreadsheets", FLAG(is_csv)},
{'8', false, "--serve", "PORT",
 "only serve the site, at this port of this machine, until Ctrl+C",
 TEXT(serve)},
{'M', false, "--metrics", "FILE",
 "write figures for Prometheus there every 5 seconds", TEXT(metrics)},
{'T', false, "--stream", "KIND",
 "print the rows of that kind of page once they are saved", TEXT(stream)},
{'j', false, "--json", NULL, "print JSON, for programs", FLAG(is_json)},
{'v', true, "--verbose", NULL,
 "print more; in a crawl each event of a host, and with -vv each request",
 COUNTS, offsetof(struct pv_options, verbosity), NULL, NULL},
{'q', true, "--quiet", NULL, "print problems only", FLAG(is_quiet)},
{'h', true, "--help", NULL, "print this help", FLAG(has_help)},
{'V', true, "--version", NULL, "print the program's version",
 FLAG(has_version)},
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

_Static_assert(ROW_COUNT < sizeof(((struct pv_options *)NULL)->given),
    "each letter may be given");

static const struct row *row_of(int letter)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].letter == letter)
			return &rows[i];
	}
	return NULL;
}

static void tell_unknown(const char *written)
{
	const char *names[ROW_COUNT + 1] = {NULL};
	char word[64];
	for (size_t i = 0; i < ROW_COUNT; i++)
		names[i] = rows[i].name + 2;
	const char *bare = written + strspn(written, "-");
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(bare, "="), bare);
	const char *nearest = pavane_nearest_word(word, names);
	fprintf(stderr, "pavane: there is no option %s", written);
	if (nearest)
		fprintf(stderr, ": did you mean --%s?", nearest);
	else
		fprintf(stderr, "; `pavane COMMAND --help` lists the options");
	fprintf(stderr, "\n");
}

/* What getopt_long could not take: an unknown option, or one without its
 * argument. */
static bool refuse(int code, char **argv)
{
	bool is_long = strncmp(argv[optind - 1], "--", 2) == 0;
	const struct row *row = row_of(optopt);
	if (row && !row->is_short && !is_long)
		row = NULL;
	if (code == ':' && row)
		fprintf(
		    stderr, "pavane: %s needs %s\n", row->name, row->argument);
	else if (row && optopt)
		fprintf(stderr, "pavane: %s takes no value\n", row->name);
	else if (optopt)
		fprintf(stderr,
		    "pavane: there is no option -%c; `pavane COMMAND --help` "
		    "lists the options\n",
		    optopt);
	else
		tell_unknown(argv[optind - 1]);
	return false;
}

/* --domain has two arguments, of which getopt_long knows the first. */
static bool add_domain(struct pv_options *options, int argc, char **argv)
{
	if (optind >= argc || !strchr(argv[optind], '=')) {
		fprintf(stderr,
		    "pavane: --domain needs HOST KEY=VALUE, such as "
		    "--domain %s delay=2s\n",
		    optarg);
		return false;
	}
	pv_settings_add(&options->settings, optarg, argv[optind++], NULL);
	return true;
}

static void set_key(struct pv_options *options, const struct row *row)
{
	pv_settings_add_key(&options->settings, row->key,
	    row->value ? row->value : optarg, row->name);
	/* Requests a second, also if the user's configuration has another
	 * interval. */
	if (strcmp(row->key, "rate.max_rate") == 0)
		pv_settings_add_key(
		    &options->settings, "rate.interval", "1s", row->name);
}

static bool take(struct pv_options *options, int letter, int argc, char **argv)
{
	const struct row *row = row_of(letter);
	if (!row)
		return refuse(letter, argv);
	if (!pv_options_has(options, (char)letter))
		options->given[strlen(options->given)] = (char)letter;
	switch (row->effect) {
	case SETS_FLAG:
		*(bool *)((char *)options + row->offset) = true;
		return true;
	case COUNTS:
		(*(unsigned *)((char *)options + row->offset))++;
		return true;
	case SETS_TEXT:
		*(const char **)((char *)options + row->offset) = optarg;
		return true;
	case SETS_KEY:
		set_key(options, row);
		return true;
	case ADDS_SET:
		pv_settings_add(&options->settings, NULL, optarg, NULL);
		return true;
	case ADDS_DOMAIN:
		return add_domain(options, argc, argv);
	}
	return false;
}

/* Names may be cut where they stay clear, as getopt_long reads them. */
static const struct row *row_of_name(const char *name, size_t len)
{
	const struct row *found = NULL;
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strncmp(rows[i].name, name, len) != 0)
			continue;
		if (strlen(rows[i].name) == len)
			return &rows[i];
		found = found || len < 3 ? NULL : &rows[i];
	}
	return found;
}

/* How many words an option of ours takes; 0 if it is none. */
static int own_option(const char *word)
{
	size_t len = strcspn(word, "=");
	const struct row *row = NULL;
	bool has_argument_in_it = word[len] == '=';
	if (strncmp(word, "--", 2) == 0) {
		row = word[2] ? row_of_name(word, len) : NULL;
		if (!word[2])
			return 1;
	} else {
		row = row_of(word[1]);
		if (row && !row->is_short)
			row = NULL;
		has_argument_in_it = word[2] != '\0';
	}
	if (!row)
		return 0;
	int words = row->effect == ADDS_DOMAIN ? 2 : 1;
	return row->argument && !has_argument_in_it ? words + 1 : words;
}

/* Under what the person says in our own words. */
static void use_foreign(struct pv_options *options)
{
	const struct pv_translation *translation =
	    &options->foreign.translation;
	for (size_t i = 0; i < translation->count; i++) {
		char *value = pv_translation_value(translation, i);
		if (value)
			pv_settings_add_key(&options->settings,
			    translation->items[i].key, value,
			    translation->items[i].option);
		free(value);
	}
	options->output = translation->directory;
	options->input = translation->input;
}

bool pv_options_read(struct pv_options *options, int argc, char **argv)
{
	struct option longs[ROW_COUNT + 1] = {{0}};
	char shorts[2 + 2 * ROW_COUNT] = ":";
	for (size_t i = 0; i < ROW_COUNT; i++) {
		longs[i] = (struct option){rows[i].name + 2,
		    rows[i].argument ? required_argument : no_argument, NULL,
		    rows[i].letter};
		size_t len = strlen(shorts);
		if (rows[i].is_short)
			shorts[len] = rows[i].letter;
		if (rows[i].is_short && rows[i].argument)
			shorts[len + 1] = ':';
	}
	*options = (struct pv_options){.program = argc ? argv[0] : "pavane"};
	if (!pv_foreign_options_take(&options->foreign, argc, argv, own_option))
		return false;
	if (options->foreign.words) {
		argc = options->foreign.count;
		argv = options->foreign.words;
		use_foreign(options);
	}
	int letter;
	while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (!take(options, letter, argc, argv))
			return false;
	}
	options->arguments = (const char *const *)(argv + optind);
	options->argument_count = (size_t)(argc - optind);
	return true;
}

void pv_options_finish(struct pv_options *options)
{
	pv_settings_finish(&options->settings);
	pv_foreign_options_finish(&options->foreign);
}

bool pv_options_has(const struct pv_options *options, char letter)
{
	return strchr(options->given, letter) != NULL;
}

bool pv_options_fit(
    const struct pv_options *options, const char *command, const char *letters)
{
	if (options->is_quiet && options->verbosity) {
		fprintf(stderr,
		    "pavane: --quiet and --verbose cannot be combined\n");
		return false;
	}
	for (const char *given = options->given; *given; given++) {
		const struct row *row = row_of(*given);
		if (strchr(letters, *given) || strchr("hV", *given))
			continue;
		fprintf(
		    stderr, "pavane: %s does not take %s", command, row->name);
		if (row->key && strchr(letters, 'S'))
			fprintf(stderr, ": --set %s=%s does the same", row->key,
			    row->value ? row->value : row->argument);
		fprintf(stderr, "\n");
		return false;
	}
	return true;
}

#define SENTENCE_COLUMN 32
#define SENTENCE_WIDTH (80 - SENTENCE_COLUMN)

/* In lines that fit, each below the first. */
static void print_sentence(const char *sentence)
{
	size_t left = strlen(sentence);
	while (left > SENTENCE_WIDTH) {
		size_t len = SENTENCE_WIDTH;
		while (len && sentence[len] != ' ')
			len--;
		if (!len)
			len = strcspn(sentence, " ");
		printf("%.*s\n%*s", (int)len, sentence, SENTENCE_COLUMN, "");
		sentence += len + strspn(sentence + len, " ");
		left = strlen(sentence);
	}
	printf("%s\n", sentence);
}

void pv_options_print(const char *letters)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];
		char left[64];
		if (!strchr(letters, row->letter))
			continue;
		int len = row->is_short ? snprintf(left, sizeof(left), "-%c, ",
					      row->letter)
					: snprintf(left, sizeof(left), "    ");
		snprintf(left + len, sizeof(left) - (size_t)len, "%s%s%s",
		    row->name, row->argument ? " " : "",
		    row->argument ? row->argument : "");
		printf("  %-29s ", left);
		print_sentence(row->sentence);
	}
}
