#include "cli/manual/manual.h"

#include <string.h>

#include "cli/manual/roff.h"
#include "config.h"
#include "pavane/serve.h"

void pv_manual_write_title(
    FILE *file, const char *name, const char *section, const char *kind)
{
	fputs(".TH ", file);
	pv_roff_write_capitals(file, name);
	fprintf(file, " %s \"%s\" \"Pavane %s\" \"%s\"\n", section,
	    PAVANE_VERSION_DATE, pavane_version(), kind);
}

static void write_arguments(FILE *file, const struct pv_argument *arguments)
{
	for (size_t i = 0; arguments && arguments[i].name; i++) {
		bool is_option = arguments[i].kind == PV_IS_OPTION;
		fputs(is_option ? " \\fB" : " ", file);
		pv_roff_write_argument(file, arguments[i].name);
		fputs(is_option ? "\\fR" : "", file);
	}
}

static void write_head(FILE *file, const struct pv_command *command)
{
	char title[64];
	snprintf(title, sizeof(title), "pavane-%s", command->name);
	pv_manual_write_title(file, title, "1", "User commands");
	fputs(".SH NAME\n", file);
	pv_roff_write(file, title, true);
	fputs(" \\- ", file);
	pv_roff_write(file, command->sentence, false);
	fprintf(file, "\n.SH SYNOPSIS\n\\fBpavane %s\\fR [\\fIOPTIONS\\fR]",
	    command->name);
	write_arguments(file, command->arguments);
	fputs("\n", file);
}

/* The key that an option stands for: " (scope.below=true)". */
static void write_key(FILE *file, const struct pv_option_row *row)
{
	if (row->key) {
		fputs(" (\\fB", file);
		pv_roff_write(file, row->key, false);
		fputs(row->value ? "=" : "", file);
		pv_roff_write(file, row->value ? row->value : "", false);
		fputs("\\fR)", file);
	}
	fputs(".\n", file);
}

static void write_option(
    FILE *file, const struct pv_command_option *option, struct pv_prose *prose)
{
	const struct pv_option_row *row = option->row;
	fputs(".TP\n", file);
	if (row->is_short)
		fprintf(file, "\\fB\\-%c\\fR, ", row->letter);
	fputs("\\fB", file);
	pv_roff_write(file, row->name, false);
	fputs("\\fR", file);
	if (row->argument.name) {
		fputc(' ', file);
		pv_roff_write_argument(file, row->argument.name);
	}
	fputc('\n', file);
	pv_roff_write_sentence(file, option->sentence);
	write_key(file, row);
	fputs(pv_prose_take(prose, row->name), file);
}

static void write_words(
    FILE *file, const struct pv_word_list *words, struct pv_prose *prose)
{
	struct pv_word word;
	fprintf(file, ".SS %s\n", words->title);
	for (size_t i = 0; words->get(i, &word); i++) {
		size_t len = strlen(word.sentence);
		bool is_whole = len && word.sentence[len - 1] == '.';
		fputs(".TP\n\\fB", file);
		pv_roff_write(file, word.name, false);
		fputs("\\fR", file);
		write_arguments(file, word.arguments);
		fputc('\n', file);
		pv_roff_write_sentence(file, word.sentence);
		fputs(is_whole ? "\n" : ".\n", file);
		fputs(pv_prose_take(prose, word.name), file);
	}
}

static void write_examples(FILE *file, const char *examples)
{
	fputs(".SH EXAMPLES\n.nf\n", file);
	for (const char *line = examples; *line;) {
		char copy[160];
		size_t len = strcspn(line, "\n");
		snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
		pv_roff_write(file, copy + strspn(copy, " "), true);
		fputc('\n', file);
		line += len + (line[len] == '\n');
	}
	fputs(".fi\n", file);
}

/* A name is that of a command, or "policy". */
static void write_others(FILE *file, const char *names)
{
	fputs(".SH SEE ALSO\n.BR pavane (1)", file);
	while (*names) {
		int len = (int)strcspn(names, "\n");
		bool is_policy = strncmp(names, "policy\n", 7) == 0;
		fprintf(file, ",\n.BR pavane\\-%.*s (%s)", len, names,
		    is_policy ? "5" : "1");
		names += len + 1;
	}
	fputc('\n', file);
}

static void write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

/* Those of the service, where an option sets them; policies have a page. */
static void write_keys(FILE *file, const struct pv_command *command)
{
	struct pv_command_option option;
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++) {
		if (option.kind != PV_IS_SERVICE_KEY)
			continue;
		fputs(".SH CONFIGURATION\n", file);
		pavane_service_write_reference(write_out, file);
	}
}

void pv_manual_write_command(
    FILE *file, const struct pv_command *command, struct pv_prose *prose)
{
	struct pv_command_option option;
	write_head(file, command);
	fputs(".SH DESCRIPTION\n", file);
	fputs(pv_prose_take(prose, ""), file);
	for (size_t i = 0; command->arguments[i].name; i++) {
		if (command->arguments[i].words)
			write_words(file, command->arguments[i].words, prose);
	}
	fputs(".SH OPTIONS\n", file);
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++)
		write_option(file, &option, prose);
	fputs(pv_prose_take(prose, "sections"), file);
	write_keys(file, command);
	write_examples(file, command->example);
	write_others(file, pv_prose_take(prose, "see"));
}

void pv_manual_write_commands(FILE *file)
{
	for (size_t i = 0; i < pv_command_count; i++) {
		const struct pv_command *command = pv_commands[i].command;
		if (pv_commands[i].group)
			fprintf(file, ".SS %s\n", pv_commands[i].group);
		fprintf(file, ".TP\n.BR pavane\\-%s (1)\n", command->name);
		pv_roff_write_sentence(file, command->sentence);
		fputs(".\n", file);
	}
}
