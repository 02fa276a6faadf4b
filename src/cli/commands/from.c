#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/addresses.h"
#include "cli/foreign/command.h"
#include "cli/foreign/policy_text.h"
#include "cli/run/command.h"

/* As `pavane mirror` reads them. */
static void make_whole(struct pv_translation *translation)
{
	for (size_t i = 0; i < translation->address_count; i++) {
		char *address = pv_web_address_of(translation->addresses[i]);
		free(translation->addresses[i]);
		translation->addresses[i] = address;
	}
}

static int run(const struct pv_options *options)
{
	struct pv_translation translation;
	if (options->argument_count < 2) {
		fprintf(stderr, "pavane: from needs a command: pavane from "
				"'wget -m -w 2 https://docs.example.org/'\n");
		return EXIT_WRONG;
	}
	pv_translation_init(&translation);
	bool is_read = pv_foreign_command_read(
	    &translation, options->arguments + 1, options->argument_count - 1);
	if (is_read) {
		make_whole(&translation);
		pv_policy_text_write(&translation, stdout);
	}
	pv_translation_finish(&translation);
	return is_read ? EXIT_FINISHED : EXIT_WRONG;
}

const struct pv_command pv_command_from = {
    .name = "from",
    .arguments = {{"COMMAND", PV_IS_TEXT, NULL}},
    .sentence = "print the policy for a command of wget",
    .help = "Prints the policy that a command of wget, wget2, curl or httrack "
	    "stands for:\neach key with its option, and why others have no "
	    "key. The command is one\nargument, in quotes, or what follows "
	    "--. Nothing is fetched.",
    .example =
	"  pavane from 'wget -m -np -w 2 https://docs.example.org/guide/'"
	" >policy.yaml\n"
	"  pavane from -- curl -L --limit-rate 200k "
	"'https://example.org/[1-9].pdf'\n",
    .options = "",
    .run = run,
};
