#include <string.h>

#include "cli/completion/scripts.h"
#include "cli/completion/shell.h"

static const struct pv_shell *const shells[] = {
    &pv_shell_bash,
    &pv_shell_zsh,
    &pv_shell_fish,
};

#define SHELL_COUNT (sizeof(shells) / sizeof(*shells))
#define MARK "@TABLE@\n"

static const struct pv_shell *find_shell(const char *name)
{
	const char *names[SHELL_COUNT + 1] = {NULL};
	for (size_t i = 0; i < SHELL_COUNT; i++) {
		names[i] = shells[i]->name;
		if (strcmp(name, names[i]) == 0)
			return shells[i];
	}
	const char *nearest = pavane_nearest_word(name, names);
	fprintf(stderr, "pavane: there is no completion for %s", name);
	if (nearest)
		fprintf(stderr, ": did you mean %s?", nearest);
	else
		fprintf(stderr, ", but for bash, zsh and fish");
	fprintf(stderr, "\n");
	return NULL;
}

/* The text of the shell's script. */
static const char *script_of(const struct pv_shell *shell)
{
	for (size_t i = 0; i < pv_shell_script_count; i++) {
		const char *ending = strrchr(pv_shell_scripts[i].name, '.');
		if (ending && strcmp(ending + 1, shell->name) == 0)
			return pv_shell_scripts[i].text;
	}
	return MARK;
}

static int run(const struct pv_options *options)
{
	if (options->argument_count != 2) {
		fprintf(stderr, "pavane: completion needs a shell: pavane "
				"completion bash|zsh|fish\n");
		return EXIT_WRONG;
	}
	const struct pv_shell *shell = find_shell(options->arguments[1]);
	if (!shell)
		return EXIT_WRONG;
	const char *text = script_of(shell);
	const char *mark = strstr(text, MARK);
	fwrite(text, 1, (size_t)(mark - text), stdout);
	shell->write_table(stdout);
	fputs(mark + strlen(MARK), stdout);
	return EXIT_FINISHED;
}

static bool get_shell(size_t index, struct pv_word *word)
{
	if (index >= SHELL_COUNT)
		return false;
	*word = (struct pv_word){
	    .name = shells[index]->name,
	    .sentence = shells[index]->sentence,
	};
	return true;
}

static const struct pv_word_list words = {
    .title = "Shells",
    .get = get_shell,
};

const struct pv_command pv_command_completion = {
    .name = "completion",
    .arguments = {{"SHELL", PV_IS_WORD, &words}},
    .sentence = "print what lets a shell complete commands",
    .help = "Prints a script by which a shell completes commands of pavane at "
	    "the Tab key:\ncommands, options, files, directories of crawls, "
	    "and keys of policies with their\nwords. `make install` puts it "
	    "where bash, zsh and fish look for such scripts.",
    .example = "  source <(pavane completion bash)\n"
	       "  pavane completion fish "
	       ">~/.config/fish/completions/pavane.fish\n",
    .options = "",
    .run = run,
};
