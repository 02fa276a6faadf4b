#ifndef PAVANE_CLI_MANUAL_MANUAL_H
#define PAVANE_CLI_MANUAL_MANUAL_H

#include <stdio.h>

#include "cli/manual/prose.h"
#include "cli/table/commands.h"

/* Manual pages in man(7), made of the tables of commands and options and of what
 * people write. The program does not print them: they are made with it. */

/* The line with which a page begins: "PAVANE-POLICY", "5", "File formats". */
void pv_manual_write_title(
    FILE *file, const char *name, const char *section, const char *kind);

/* The page of a command: name, synopsis, description, words, options, further
 * sections (the part "sections"), examples, and other pages (the part "see", of
 * their names, one a line). */
void pv_manual_write_command(
    FILE *file, const struct pv_command *command, struct pv_prose *prose);

/* All commands, by groups, each with its page and its sentence. */
void pv_manual_write_commands(FILE *file);

#endif
