#ifndef PAVANE_CLI_COMPLETION_SHELL_H
#define PAVANE_CLI_COMPLETION_SHELL_H

#include <stdio.h>

#include "cli/table/commands.h"

/* A shell for which `pavane completion` prints a script.
 *
 * The script is a file of this directory, which is about the shell alone, with
 * the table of commands, options and keys in the place of its line @TABLE@:
 * nothing is asked of the program while a person types.
 */
struct pv_shell {
	const char *name; /* "bash"; the file is pavane.bash */
	const char *sentence;
	void (*write_table)(FILE *file);
};

extern const struct pv_shell pv_shell_bash;
extern const struct pv_shell pv_shell_fish;
extern const struct pv_shell pv_shell_zsh;

/* What scripts call the kinds of arguments: "host_key". */
const char *pv_kind_word(enum pv_argument_kind kind);

/* Sets `key` to the one of that number of what such arguments set; false if there
 * are fewer. */
bool pv_kind_key_get(
    enum pv_argument_kind kind, size_t index, struct pavane_key *key);

/* Gets a command, and a word that its first argument may be. */
typedef void (*pv_words_fn)(
    FILE *file, const struct pv_command *command, const struct pv_word *word);

/* Calls `visit` for each word that a command's first argument may be and that
 * has arguments of its own. */
void pv_words_each(
    FILE *file, const struct pv_command *command, pv_words_fn visit);

#endif
