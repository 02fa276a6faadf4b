#include <stdio.h>
#include <string.h>

#include "cli/commands/templates.h"
#include "cli/run/command.h"

#define KINDS_MAX 32

static void print_kinds(FILE *file)
{
	for (size_t i = 0; i < pv_policy_template_count; i++)
		fprintf(file, "  %-12s %s\n", pv_policy_templates[i].name,
		    pv_policy_templates[i].sentence);
}

static int refuse(const char *kind)
{
	const char *names[KINDS_MAX + 1] = {NULL};
	for (size_t i = 0; i < pv_policy_template_count && i < KINDS_MAX; i++)
		names[i] = pv_policy_templates[i].name;
	const char *nearest = pavane_nearest_word(kind, names);
	fprintf(stderr, "pavane: there is no template %s", kind);
	if (nearest)
		fprintf(stderr, ": did you mean %s?", nearest);
	fprintf(stderr, "\n");
	print_kinds(stderr);
	return EXIT_WRONG;
}

static int run(const struct pv_options *options)
{
	const char *kind =
	    options->argument_count > 1 ? options->arguments[1] : "mirror";
	if (options->argument_count > 2) {
		fprintf(stderr,
		    "pavane: init takes one kind; %s is a second one\n",
		    options->arguments[2]);
		return EXIT_WRONG;
	}
	for (size_t i = 0; i < pv_policy_template_count; i++) {
		if (strcmp(pv_policy_templates[i].name, kind) == 0) {
			fputs(pv_policy_templates[i].text, stdout);
			return EXIT_FINISHED;
		}
	}
	return refuse(kind);
}

static void print_more(void)
{
	printf("\nKinds:\n");
	print_kinds(stdout);
}

const struct pv_command pv_command_init = {
    .name = "init",
    .arguments = "[KIND]",
    .sentence = "print a commented policy to start from",
    .help = "Prints a policy for a purpose, with a comment for each key that "
	    "you may want to\nchange. The default kind is mirror.",
    .example = "  pavane init crawl >policy.yaml\n",
    .options = "",
    .print_more = print_more,
    .run = run,
};
