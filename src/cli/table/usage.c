#include "cli/table/usage.h"

#include <string.h>

#include "cli/table/commands.h"

#define ARGUMENTS_BYTES 64

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

static void print_option(const struct pv_option_row *row, const char *sentence)
{
	const char *argument = row->argument.name;
	char left[64];
	int len = row->is_short
		      ? snprintf(left, sizeof(left), "-%c, ", row->letter)
		      : snprintf(left, sizeof(left), "    ");
	snprintf(left + len, sizeof(left) - (size_t)len, "%s%s%s", row->name,
	    argument ? " " : "", argument ? argument : "");
	printf("  %-29s ", left);
	print_sentence(sentence);
}

void pv_usage_print_commands(FILE *file)
{
	char arguments[ARGUMENTS_BYTES];
	char left[ARGUMENTS_BYTES + 16];
	fprintf(file, "usage: pavane COMMAND [OPTIONS] [ARGUMENTS]\n\n"
		      "A polite web crawler.\n");
	for (size_t i = 0; i < pv_command_count; i++) {
		const struct pv_command *command = pv_commands[i].command;
		if (pv_commands[i].group)
			fprintf(file, "\n%s:\n", pv_commands[i].group);
		pv_arguments_write(
		    command->arguments, arguments, sizeof(arguments));
		snprintf(left, sizeof(left), "%s %s", command->name, arguments);
		fprintf(file, "  pavane %-22s %s\n", left, command->sentence);
	}
	fprintf(file,
	    "\n`pavane help COMMAND` describes a command, as `man "
	    "pavane-COMMAND` does;\n`man pavane-policy` describes policies.\n");
}

void pv_usage_print_program(void)
{
	pv_usage_print_commands(stdout);
	printf("\nOptions:\n");
	print_option(pv_option_row_of('h'), pv_option_row_of('h')->sentence);
	print_option(pv_option_row_of('V'), pv_option_row_of('V')->sentence);
	printf(
	    "\n"
	    "Example:\n"
	    "  pavane demo\n"
	    "  pavane mirror https://docs.example.org/guide/\n"
	    "  pavane init crawl >policy.yaml\n"
	    "  pavane check policy.yaml\n"
	    "\n"
	    "Exit status: 0 finished; 1 failed; 2 wrong usage or policy; "
	    "3 stopped by a\n"
	    "signal, the state is saved; 4 stopped by a limit of the policy, "
	    "the state is\nsaved; "
	    "5 finished, but a seed could not be fetched.\n");
}

static void print_words(const struct pv_word_list *words)
{
	struct pv_word word;
	for (size_t i = 0; words->get(i, &word); i++) {
		char arguments[ARGUMENTS_BYTES];
		char left[ARGUMENTS_BYTES + 16];
		pv_arguments_write(
		    word.arguments, arguments, sizeof(arguments));
		snprintf(left, sizeof(left), "%s%s%s", word.name,
		    arguments[0] ? " " : "", arguments);
		printf("  %-*s %s\n", word.arguments ? 25 : 12, left,
		    word.sentence);
	}
}

void pv_usage_print_command(const struct pv_command *command)
{
	char arguments[ARGUMENTS_BYTES];
	struct pv_command_option option;
	pv_arguments_write(command->arguments, arguments, sizeof(arguments));
	printf("usage: pavane %s [OPTIONS] %s\n\n%s\n\nOptions:\n",
	    command->name, arguments, command->help);
	for (size_t i = 0; pv_command_option_get(command, i, &option); i++)
		print_option(option.row, option.sentence);
	for (size_t i = 0; command->arguments[i].name; i++) {
		const struct pv_word_list *words = command->arguments[i].words;
		if (!words)
			continue;
		printf("\n%s:\n", words->title);
		print_words(words);
	}
	printf("\nExample:\n%s", command->example);
}
