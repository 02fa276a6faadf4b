#ifndef PAVANE_CLI_TERMINAL_SHELL_WORD_H
#define PAVANE_CLI_TERMINAL_SHELL_WORD_H

#include <stdio.h>

/* Writes text as one word for a shell, to be copied from the terminal: as it
 * is where nothing in it means anything to a shell, else in quotes, and bytes
 * that no terminal shows as they are as $'\x1b', which bash, ksh and zsh
 * read. */
void pv_shell_word_write(FILE *file, const char *text);

/* The same for the path of a directory that stands for an argument: one that
 * begins with a dash is no option. */
void pv_shell_path_write(FILE *file, const char *path);

#endif
