#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options: a letter by which the table of commands names each, and what
 * getopt_long returns for it. */
static const struct row {
	char letter;
	bool is_short; /* the letter is a short option as well */
	const char *name;
	const char *argument;
	const char *sentence;
} rows[] = {
    {'e', false, "effective", NULL,
	"print the policy with every default, and where each value comes from"},
    {'l', false, "limits", NULL, "print every ceiling, and its value"},
    {'s', false, "schema", NULL, "print the JSON Schema of policies"},
    {'S', false, "set", "KEY=VALUE",
	"set a key of the policy, such as rate.max_rate=5"},
    {'D', false, "domain", "HOST KEY=VALUE",
	"set a key for a host, such as docs.example.org delay=200ms"},
    {'r', false, "robots", "FILE",
	"take this file for the robots.txt of the host"},
    {'E', false, "encoding", "NAME",
	"the encoding of the page that the address stands in"},
    {'j', false, "json", NULL, "answer in JSON, for programs"},
    {'q', true, "quiet", NULL, "print problems only"},
    {'h', true, "help", NULL, "print this"},
    {'V', true, "version", NULL, "print the program's version"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

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
		names[i] = rows[i].name;
	snprintf(
	    word, sizeof(word), "%.*s", (int)strcspn(written, "="), written);
	const char *nearest = pavane_nearest_word(word, names);
	fprintf(stderr, "pavane: there is no option %s", written);
	if (nearest)
		fprintf(stderr, ": did you mean --%s?", nearest);
	fprintf(stderr, "\n");
}

/* What getopt_long could not take: an unknown option, or one without its
 * argument. */
static bool refuse(int code, char **argv)
{
	const struct row *row = row_of(optopt);
	if (code == ':' && row)
		fprintf(stderr, "pavane: --%s needs %s\n", row->name,
		    row->argument);
	else if (row && optopt)
		fprintf(stderr, "pavane: --%s takes no value\n", row->name);
	else if (optopt)
		fprintf(stderr, "pavane: there is no option -%c\n", optopt);
	else
		tell_unknown(argv[optind - 1]);
	return false;
}

/* --domain has two arguments, of which getopt_long knows the first. */
static bool take_domain(struct pv_options *options, int argc, char **argv)
{
	if (optind >= argc || !strchr(argv[optind], '=')) {
		fprintf(stderr,
		    "pavane: --domain needs HOST KEY=VALUE, such as "
		    "--domain %s delay=2s\n",
		    optarg);
		return false;
	}
	options->settings[options->setting_count++] =
	    (struct pavane_setting){optarg, argv[optind++]};
	return true;
}

static bool take(struct pv_options *options, int letter, int argc, char **argv)
{
	if (!strchr(options->given, letter))
		options->given[strlen(options->given)] = (char)letter;
	switch (letter) {
	case 'e':
		options->is_effective = true;
		return true;
	case 'l':
		options->is_limits = true;
		return true;
	case 's':
		options->is_schema = true;
		return true;
	case 'j':
		options->is_json = true;
		return true;
	case 'q':
		options->is_quiet = true;
		return true;
	case 'h':
		options->has_help = true;
		return true;
	case 'V':
		options->has_version = true;
		return true;
	case 'r':
		options->robots = optarg;
		return true;
	case 'E':
		options->encoding = optarg;
		return true;
	case 'S':
		options->settings[options->setting_count++] =
		    (struct pavane_setting){NULL, optarg};
		return true;
	case 'D':
		return take_domain(options, argc, argv);
	default:
		return refuse(letter, argv);
	}
}

bool pv_options_read(struct pv_options *options, int argc, char **argv)
{
	struct option longs[ROW_COUNT + 1] = {{0}};
	char shorts[2 + 2 * ROW_COUNT] = ":";
	for (size_t i = 0; i < ROW_COUNT; i++) {
		longs[i] = (struct option){rows[i].name,
		    rows[i].argument ? required_argument : no_argument, NULL,
		    rows[i].letter};
		if (rows[i].is_short)
			shorts[strlen(shorts)] = rows[i].letter;
	}
	*options = (struct pv_options){
	    .settings = calloc((size_t)argc + 1, sizeof(*options->settings)),
	};
	if (!options->settings)
		pavane_out_of_memory((size_t)argc);
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
	free(options->settings);
}

bool pv_options_fit(
    const struct pv_options *options, const char *command, const char *letters)
{
	for (const char *given = options->given; *given; given++) {
		if (strchr(letters, *given) || strchr("hV", *given))
			continue;
		fprintf(stderr, "pavane: %s does not take --%s\n", command,
		    row_of(*given)->name);
		return false;
	}
	return true;
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
		snprintf(left + len, sizeof(left) - (size_t)len, "--%s%s%s",
		    row->name, row->argument ? " " : "",
		    row->argument ? row->argument : "");
		printf("  %-29s %s\n", left, row->sentence);
	}
}
