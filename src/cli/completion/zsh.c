#include <string.h>

#include "cli/completion/shell.h"

/* Writes text within brackets or between colons of a specification, which is
 * within single quotes. */
static void write_escaped(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", file);
		else if (strchr("[]:\\", *text))
			fprintf(file, "\\%c", *text);
		else
			fputc(*text, file);
	}
}

/* What completes an argument of that kind. */
static const char *action_of(enum pv_argument_kind kind)
{
	switch (kind) {
	case PV_IS_FILE:
		return "_files";
	case PV_IS_DIRECTORY:
		return "_path_files -/";
	case PV_IS_CRAWL:
		return "_pavane_crawl";
	case PV_IS_WORD:
		return "{_describe -t words word offered}";
	case PV_IS_KEY:
		return " _pavane_offer_keys key";
	case PV_IS_HOST_KEY:
		return " _pavane_offer_keys host_key";
	case PV_IS_LIVE_KEY:
		return " _pavane_offer_keys live_key";
	case PV_IS_SERVICE_KEY:
		return " _pavane_offer_keys service_key";
	case PV_IS_TEXT:
	case PV_IS_OPTION:
		break;
	}
	return " ";
}

/* Whether an option may be given several times. */
static bool is_repeated(const struct pv_option_row *row)
{
	return row->effect == PV_ADDS_SET || row->effect == PV_ADDS_DOMAIN ||
	       row->effect == PV_COUNTS;
}

/* What follows the name of an option. */
static void write_rest(FILE *file, const struct pv_command_option *option)
{
	const struct pv_option_row *row = option->row;
	fputc('[', file);
	write_escaped(file, option->sentence);
	fputc(']', file);
	if (row->argument.name && option->kind == PV_IS_HOST_KEY)
		fprintf(file, ":HOST: :KEY=VALUE:%s", action_of(option->kind));
	else if (row->argument.name)
		fprintf(file, ":%s:%s", row->argument.name,
		    action_of(option->kind));
	fputs("' \\\n", file);
}

static void write_option(FILE *file, const struct pv_command_option *option)
{
	const struct pv_option_row *row = option->row;
	const char *before = is_repeated(row) ? "*" : "";
	bool has_argument = row->argument.name;
	char others[64] = "";
	if (row->is_short && !is_repeated(row))
		snprintf(
		    others, sizeof(others), "(-%c %s)", row->letter, row->name);
	if (row->is_short) {
		fprintf(file, "\t\t\t'%s%s-%c%s", others, before, row->letter,
		    has_argument ? "+" : "");
		write_rest(file, option);
	}
	fprintf(file, "\t\t\t'%s%s%s%s", others, before, row->name,
	    has_argument ? "=" : "");
	write_rest(file, option);
}

static void write_options(FILE *file, const struct pv_command *command)
{
	struct pv_command_option option;
	fprintf(file, "_arguments -s -S \\\n");
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++)
		write_option(file, &option);
}

static void write_arguments(
    FILE *file, const struct pv_argument *arguments, size_t first)
{
	for (size_t i = 0; arguments[i].name; i++) {
		if (pv_argument_repeats(&arguments[i]))
			fprintf(file, "\t\t\t'*:");
		else
			fprintf(file, "\t\t\t'%zu:", first + i);
		write_escaped(file, arguments[i].name);
		fprintf(file, ":%s' \\\n", action_of(arguments[i].kind));
	}
}

/* What follows one word of an argument: it takes the place of the rest. */
static void write_word(
    FILE *file, const struct pv_command *command, const struct pv_word *word)
{
	fprintf(file, "\t'%s %s')\n\t\t", command->name, word->name);
	write_options(file, command);
	fprintf(file, "\t\t\t'1: : ' \\\n");
	write_arguments(file, word->arguments, 2);
	fprintf(file, "\t\t\t&& return\n\t\t;;\n");
}

static void write_offered(FILE *file, const char *name, const char *sentence)
{
	fprintf(file, "\t\t\t'%s:", name);
	write_escaped(file, sentence);
	fprintf(file, "'\n");
}

static void write_words(FILE *file, const struct pv_word_list *words)
{
	struct pv_word word;
	fprintf(file, "\t\toffered=(\n");
	for (size_t i = 0; words->get(i, &word); i++)
		write_offered(file, word.name, word.sentence);
	fprintf(file, "\t\t)\n");
}

static void write_command(FILE *file, const struct pv_command *command)
{
	const struct pv_word_list *words = command->arguments[0].words;
	pv_words_each(file, command, write_word);
	fprintf(file, "\t%s | '%s '*)\n", command->name, command->name);
	if (words)
		write_words(file, words);
	fprintf(file, "\t\t");
	write_options(file, command);
	write_arguments(file, command->arguments, 1);
	fprintf(file, "\t\t\t&& return\n\t\t;;\n");
}

static void write_commands(FILE *file)
{
	fprintf(file, "_pavane_commands() {\n\tlocal -a offered\n"
		      "\toffered=(\n");
	for (size_t i = 0; i < pv_command_count; i++)
		write_offered(file, pv_commands[i].command->name,
		    pv_commands[i].command->sentence);
	fprintf(file, "\t)\n"
		      "\t[[ $1 == help ]] ||\n"
		      "\t\toffered+=('help:describe a command')\n"
		      "\t_describe -t commands command offered\n}\n\n");
}

static void write_keys(FILE *file, enum pv_argument_kind kind)
{
	struct pavane_key key = PAVANE_INIT(struct pavane_key);
	fprintf(file, "\t%s)\n\t\tkeys=(\n", pv_kind_word(kind));
	for (size_t i = 0; pv_kind_key_get(kind, i, &key); i++) {
		fprintf(file, "\t\t\t'%s=", key.name);
		for (size_t j = 0; key.words[j]; j++)
			fprintf(file, "%s%s", j ? " " : "", key.words[j]);
		fputc(':', file);
		write_escaped(file, key.sentence);
		fprintf(file, "'\n");
	}
	fprintf(file, "\t\t)\n\t\t;;\n");
}

static void write_table(FILE *file)
{
	write_commands(file);
	fprintf(file,
	    "# What a command takes; its own words are those of the line.\n"
	    "_pavane_command() {\n\tlocal -a offered\n"
	    "\tcase \"$1 $words[2]\" in\n"
	    "\t'help '*) (( CURRENT == 2 )) && _pavane_commands help && return "
	    ";;\n");
	for (size_t i = 0; i < pv_command_count; i++)
		write_command(file, pv_commands[i].command);
	fprintf(file, "\tesac\n\treturn 1\n}\n\n"
		      "# The keys of a kind: name, words and sentence.\n"
		      "_pavane_keys() {\n\tcase $1 in\n");
	write_keys(file, PV_IS_KEY);
	write_keys(file, PV_IS_HOST_KEY);
	write_keys(file, PV_IS_LIVE_KEY);
	write_keys(file, PV_IS_SERVICE_KEY);
	fprintf(file, "\tesac\n}\n\n");
}

const struct pv_shell pv_shell_zsh = {
    .name = "zsh",
    .sentence = "save it as _pavane in a directory of fpath",
    .write_table = write_table,
};
