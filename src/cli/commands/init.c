#include <stdio.h>
#include <string.h>

#include "cli/commands/templates.h"
#include "cli/run/command.h"

#define KINDS_MAX 32

static void print_kinds(void)
{
	for (size_t i = 0; i < pv_policy_template_count; i++)
		fprintf(stderr, "  %-12s %s\n", pv_policy_templates[i].name,
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
	print_kinds();
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

static bool get_kind(size_t index, struct pv_word *word)
{
	if (index >= pv_policy_template_count)
		return false;
	*word = (struct pv_word){
	    .name = pv_policy_templates[index].name,
	    .sentence = pv_policy_templates[index].sentence,
	};
	return true;
}

static const struct pv_word_list kinds = {
    .title = "Kinds",
    .get = get_kind,
};

const struct pv_command pv_command_init = {
    .name = "init",
    .arguments = {{"[KIND]", PV_IS_WORD, &kinds}},
    .sentence = "print a commented policy to start from",
    .help = "Prints a policy for a purpose, with a comment for each key that "
	    "you may want to\nchange. The default kind is mirror.",
    .example = "  pavane init crawl >policy.yaml\n",
    .options = "",
    .run = run,
};
