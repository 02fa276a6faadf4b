#include "cli/completion/shell.h"

/* "text file..." of the arguments, with the word before them. */
static void write_arguments(
    FILE *file, const char *first, const struct pv_argument *arguments)
{
	fprintf(file, "\t\targuments=(%s", first);
	for (size_t i = 0; arguments[i].name; i++)
		fprintf(file, "%s%s%s", i || first[0] ? " " : "",
		    pv_kind_word(arguments[i].kind),
		    pv_argument_repeats(&arguments[i]) ? "..." : "");
	fprintf(file, ")\n");
}

static void write_words(FILE *file, const struct pv_word_list *words)
{
	struct pv_word word;
	fprintf(file, "\t\twords=(");
	for (size_t i = 0; words->get(i, &word); i++)
		fprintf(file, "%s%s", i ? " " : "", word.name);
	fprintf(file, ")\n");
}

static void write_option(
    FILE *file, const struct pv_option_row *row, enum pv_argument_kind kind)
{
	const char *word = row->argument.name ? pv_kind_word(kind) : "";
	if (row->is_short)
		fprintf(file, " -%c=%s", row->letter, word);
	fprintf(file, " %s=%s", row->name, word);
}

/* What may follow a word, in the place of what follows any. */
static void write_word(
    FILE *file, const struct pv_command *command, const struct pv_word *word)
{
	fprintf(file, "\t'%s %s')\n", command->name, word->name);
	write_arguments(file, "word", word->arguments);
	fprintf(file, "\t\t;;\n");
}

static void write_command(FILE *file, const struct pv_command *command)
{
	struct pv_command_option option;
	fprintf(file, "\t%s)\n\t\toptions=(", command->name);
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++)
		write_option(file, option.row, option.kind);
	fprintf(file, " )\n");
	write_arguments(file, "", command->arguments);
	for (size_t i = 0; command->arguments[i].name; i++) {
		if (command->arguments[i].words)
			write_words(file, command->arguments[i].words);
	}
	fprintf(file, "\t\t;;\n");
	pv_words_each(file, command, write_word);
}

static void write_names(FILE *file)
{
	fprintf(file, "\t\targuments=(word)\n\t\twords=(");
	for (size_t i = 0; i < pv_command_count; i++)
		fprintf(file, "%s ", pv_commands[i].command->name);
}

static void write_keys(FILE *file, enum pv_argument_kind kind)
{
	struct pavane_key key = PAVANE_INIT(struct pavane_key);
	fprintf(file, "\t%s)\n\t\tkeys=(\n", pv_kind_word(kind));
	for (size_t i = 0; pv_kind_key_get(kind, i, &key); i++) {
		fprintf(file, "\t\t\t'%s=", key.name);
		for (size_t j = 0; key.words[j]; j++)
			fprintf(file, "%s%s", j ? " " : "", key.words[j]);
		fprintf(file, "'\n");
	}
	fprintf(file, "\t\t)\n\t\t;;\n");
}

static void write_table(FILE *file)
{
	fprintf(file,
	    "# What a command takes: options and arguments, each with its "
	    "kind, and words.\n"
	    "_pavane_table() {\n\tcase $1 in\n\t'')\n\t\toptions=(");
	write_option(file, pv_option_row_of('h'), PV_IS_TEXT);
	write_option(file, pv_option_row_of('V'), PV_IS_TEXT);
	fprintf(file, " )\n");
	write_names(file);
	fprintf(file, "help)\n\t\t;;\n\thelp)\n\t\toptions=()\n");
	write_names(file);
	fprintf(file, ")\n\t\t;;\n");
	for (size_t i = 0; i < pv_command_count; i++)
		write_command(file, pv_commands[i].command);
	fprintf(file, "\t*' '*) ;;\n"
		      "\t*)\n\t\toptions=()\n\t\targuments=()\n\t\t;;\n"
		      "\tesac\n}\n\n"
		      "# The keys of a kind, and the words that each takes.\n"
		      "_pavane_keys() {\n\tcase $1 in\n");
	write_keys(file, PV_IS_KEY);
	write_keys(file, PV_IS_HOST_KEY);
	write_keys(file, PV_IS_LIVE_KEY);
	write_keys(file, PV_IS_SERVICE_KEY);
	fprintf(file, "\tesac\n}\n\n");
}

const struct pv_shell pv_shell_bash = {
    .name = "bash",
    .sentence = "source it in ~/.bashrc",
    .write_table = write_table,
};
