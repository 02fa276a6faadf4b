#include <string.h>

#include "cli/completion/shell.h"

/* Within single quotes a quote and a backslash have a backslash before them. */
static void write_quoted(FILE *file, const char *text)
{
	fputc('\'', file);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', file);
		fputc(*text, file);
	}
	fputc('\'', file);
}

/* What completes an argument of that kind, with its own options of `complete`.
 * The words that it may be are offered one by one. */
static const char *offer_of(enum pv_argument_kind kind)
{
	switch (kind) {
	case PV_IS_FILE:
		return "-F";
	case PV_IS_DIRECTORY:
		return "-a '(__fish_complete_directories)'";
	case PV_IS_CRAWL:
		return "-a '(__pavane_crawls)'";
	case PV_IS_KEY:
		return "-a '(__pavane_offer_keys key)'";
	case PV_IS_HOST_KEY:
		return "-a '(__pavane_offer_keys host_key)'";
	case PV_IS_LIVE_KEY:
		return "-a '(__pavane_offer_keys live_key)'";
	case PV_IS_SERVICE_KEY:
		return "-a '(__pavane_offer_keys service_key)'";
	case PV_IS_TEXT:
	case PV_IS_WORD:
	case PV_IS_OPTION:
		break;
	}
	return NULL;
}

static void write_option(
    FILE *file, const char *place, const struct pv_command_option *option)
{
	const struct pv_option_row *row = option->row;
	const char *offer =
	    option->kind == PV_IS_HOST_KEY ? NULL : offer_of(option->kind);
	fprintf(file, "complete -c pavane -n \"__pavane_at '%s'\"", place);
	if (row->is_short)
		fprintf(file, " -s %c", row->letter);
	fprintf(file, " -l %s -d ", row->name + 2);
	write_quoted(file, option->sentence);
	if (row->argument.name)
		fprintf(file, " -r %s%s",
		    option->kind == PV_IS_FILE ? "" : "-f ",
		    offer ? offer : "");
	fputc('\n', file);
}

/* The condition for an argument of that number: of one that repeats also those
 * behind it. `first` is the word before it that must be there. */
static void write_place(FILE *file, const struct pv_command *command,
    size_t number, bool is_repeated, const char *first)
{
	if (!is_repeated) {
		fprintf(file, "\"__pavane_at '%s argument %zu %s'\"",
		    command->name, number, first);
		return;
	}
	fprintf(file, "\"__pavane_at '%s argument *'", command->name);
	for (size_t i = 1; i < number; i++)
		fprintf(file, "; and not __pavane_at '%s argument %zu *'",
		    command->name, i);
	fputc('"', file);
}

static void write_arguments(FILE *file, const struct pv_command *command,
    const struct pv_argument *arguments, const char *first)
{
	size_t before = strcmp(first, "*") == 0 ? 1 : 2;
	for (size_t i = 0; arguments[i].name; i++) {
		const char *offer = offer_of(arguments[i].kind);
		if (!offer)
			continue;
		fprintf(file, "complete -c pavane -n ");
		write_place(file, command, before + i,
		    pv_argument_repeats(&arguments[i]), first);
		fprintf(file, " %s\n", offer);
	}
}

static void write_word(
    FILE *file, const struct pv_command *command, const struct pv_word *word)
{
	write_arguments(file, command, word->arguments, word->name);
}

static void write_offered(
    FILE *file, const char *place, const char *name, const char *sentence)
{
	fprintf(file, "complete -c pavane -n \"__pavane_at '%s'\" -a %s -d ",
	    place, name);
	write_quoted(file, sentence);
	fputc('\n', file);
}

static void write_words(FILE *file, const struct pv_command *command)
{
	const struct pv_word_list *words = command->arguments[0].words;
	char place[64];
	struct pv_word word;
	snprintf(place, sizeof(place), "%s argument 1 *", command->name);
	for (size_t i = 0; words && words->get(i, &word); i++)
		write_offered(file, place, word.name, word.sentence);
	pv_words_each(file, command, write_word);
}

static void write_command(FILE *file, const struct pv_command *command)
{
	char place[64];
	struct pv_command_option option;
	fprintf(file, "\n# %s\n", command->name);
	snprintf(place, sizeof(place), "%s *", command->name);
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++) {
		write_option(file, place, &option);
		if (option.kind == PV_IS_HOST_KEY)
			fprintf(file,
			    "complete -c pavane -n \"__pavane_at '%s key'\" "
			    "%s\n",
			    command->name, offer_of(PV_IS_HOST_KEY));
	}
	write_arguments(file, command, command->arguments, "*");
	write_words(file, command);
}

static void write_names(FILE *file, const char *place)
{
	for (size_t i = 0; i < pv_command_count; i++)
		write_offered(file, place, pv_commands[i].command->name,
		    pv_commands[i].command->sentence);
}

static void write_program(FILE *file)
{
	static const char letters[] = "hV";
	for (size_t i = 0; letters[i]; i++) {
		const struct pv_option_row *row = pv_option_row_of(letters[i]);
		const struct pv_command_option option = {
		    .row = row,
		    .sentence = row->sentence,
		};
		write_option(file, "command", &option);
	}
	write_names(file, "command");
	write_offered(file, "command", "help", "describe a command");
	write_names(file, "help argument 1 *");
}

static void write_keys(FILE *file, enum pv_argument_kind kind)
{
	struct pavane_key key = PAVANE_INIT(struct pavane_key);
	fprintf(file, "\tcase %s\n", pv_kind_word(kind));
	for (size_t i = 0; pv_kind_key_get(kind, i, &key); i++) {
		fprintf(file, "\t\tprintf '%%s\\t%%s\\t%%s\\n' %s '", key.name);
		for (size_t j = 0; key.words[j]; j++)
			fprintf(file, "%s%s", j ? " " : "", key.words[j]);
		fprintf(file, "' ");
		write_quoted(file, key.sentence);
		fputc('\n', file);
	}
}

static void write_table(FILE *file)
{
	fprintf(file, "# Whether an option takes the word behind it.\n"
		      "function __pavane_takes_word\n\tcontains -- $argv[1]");
	for (size_t i = 0; i < pv_option_row_count; i++) {
		const struct pv_option_row *row = &pv_option_rows[i];
		if (row->argument.name && row->is_short)
			fprintf(file, " -%c", row->letter);
		if (row->argument.name)
			fprintf(file, " %s", row->name);
	}
	fprintf(file, "\nend\n\n"
		      "# The keys of a kind: name, words and sentence.\n"
		      "function __pavane_keys\n\tswitch $argv[1]\n");
	write_keys(file, PV_IS_KEY);
	write_keys(file, PV_IS_HOST_KEY);
	write_keys(file, PV_IS_LIVE_KEY);
	write_keys(file, PV_IS_SERVICE_KEY);
	fprintf(file, "\tend\nend\n\n");
	write_program(file);
	for (size_t i = 0; i < pv_command_count; i++)
		write_command(file, pv_commands[i].command);
	fputc('\n', file);
}

const struct pv_shell pv_shell_fish = {
    .name = "fish",
    .sentence = "save it as ~/.config/fish/completions/pavane.fish",
    .write_table = write_table,
};
