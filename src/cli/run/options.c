#include "cli/run/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/option_rows.h"

static void tell_unknown(const char *written)
{
	const char *names[PV_OPTION_ROWS_MAX + 1] = {NULL};
	char word[64];
	for (size_t i = 0; i < pv_option_row_count; i++)
		names[i] = pv_option_rows[i].name + 2;
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
	const struct pv_option_row *row = pv_option_row_of(optopt);
	if (row && !row->is_short && !is_long)
		row = NULL;
	if (code == ':' && row)
		fprintf(stderr, "pavane: %s needs %s\n", row->name,
		    row->argument.name);
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

static void add_inbound(struct pv_options *options, const char *path)
{
	size_t size = sizeof(*options->inbound);
	const char **moved =
	    reallocarray(options->inbound, options->inbound_count + 1, size);
	if (!moved)
		pavane_out_of_memory(size);
	options->inbound = moved;
	options->inbound[options->inbound_count++] = path;
}

static void set_key(struct pv_options *options, const struct pv_option_row *row)
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
	const struct pv_option_row *row = pv_option_row_of(letter);
	if (!row)
		return refuse(letter, argv);
	if (!pv_options_has(options, (char)letter))
		options->given[strlen(options->given)] = (char)letter;
	switch (row->effect) {
	case PV_SETS_FLAG:
		*(bool *)((char *)options + row->offset) = true;
		return true;
	case PV_COUNTS:
		(*(unsigned *)((char *)options + row->offset))++;
		return true;
	case PV_SETS_TEXT:
		*(const char **)((char *)options + row->offset) = optarg;
		return true;
	case PV_SETS_KEY:
		set_key(options, row);
		return true;
	case PV_ADDS_SET:
		pv_settings_add(&options->settings, NULL, optarg, NULL);
		return true;
	case PV_ADDS_DOMAIN:
		return add_domain(options, argc, argv);
	case PV_ADDS_INBOUND:
		add_inbound(options, optarg);
		return true;
	}
	return false;
}

/* Names may be cut where they stay clear, as getopt_long reads them. */
static const struct pv_option_row *row_of_name(const char *name, size_t len)
{
	const struct pv_option_row *found = NULL;
	for (size_t i = 0; i < pv_option_row_count; i++) {
		if (strncmp(pv_option_rows[i].name, name, len) != 0)
			continue;
		if (strlen(pv_option_rows[i].name) == len)
			return &pv_option_rows[i];
		found = found || len < 3 ? NULL : &pv_option_rows[i];
	}
	return found;
}

/* How many words an option of ours takes; 0 if it is none. */
static int own_option(const char *word)
{
	size_t len = strcspn(word, "=");
	const struct pv_option_row *row = NULL;
	bool has_argument_in_it = word[len] == '=';
	if (strncmp(word, "--", 2) == 0) {
		row = word[2] ? row_of_name(word, len) : NULL;
		if (!word[2])
			return 1;
	} else {
		row = pv_option_row_of(word[1]);
		if (row && !row->is_short)
			row = NULL;
		has_argument_in_it = word[2] != '\0';
	}
	if (!row)
		return 0;
	int words = row->effect == PV_ADDS_DOMAIN ? 2 : 1;
	return row->argument.name && !has_argument_in_it ? words + 1 : words;
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
	struct option longs[PV_OPTION_ROWS_MAX + 1] = {{0}};
	char shorts[2 + 2 * PV_OPTION_ROWS_MAX] = ":";
	for (size_t i = 0; i < pv_option_row_count; i++) {
		longs[i] = (struct option){pv_option_rows[i].name + 2,
		    pv_option_rows[i].argument.name ? required_argument
						    : no_argument,
		    NULL, pv_option_rows[i].letter};
		size_t len = strlen(shorts);
		if (pv_option_rows[i].is_short)
			shorts[len] = pv_option_rows[i].letter;
		if (pv_option_rows[i].is_short &&
		    pv_option_rows[i].argument.name)
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
	free(options->inbound);
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
		const struct pv_option_row *row = pv_option_row_of(*given);
		if (strchr(letters, *given) || strchr("hV", *given))
			continue;
		fprintf(
		    stderr, "pavane: %s does not take %s", command, row->name);
		if (row->key && strchr(letters, 'S'))
			fprintf(stderr, ": --set %s=%s does the same", row->key,
			    row->value ? row->value : row->argument.name);
		fprintf(stderr, "\n");
		return false;
	}
	return true;
}
