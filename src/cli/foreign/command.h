#ifndef PAVANE_CLI_FOREIGN_COMMAND_H
#define PAVANE_CLI_FOREIGN_COMMAND_H

#include "cli/foreign/translation.h"

/* A command line of another tool, as it stands in a script. */

/* Reads one text, of which words are split as a shell does it, or the words
 * themselves, the tool's name first. False if that is none of those that are
 * known, or the text cannot be split; why is printed. */
bool pv_foreign_command_read(
    struct pv_translation *translation, const char *const *words, size_t count);

/* The same of options among others: reads the one that the word is, with the
 * next word where it takes that as its argument, for one of these tools. How
 * many words it took; 0 if it is none. */
size_t pv_foreign_option_read(struct pv_translation *translation,
    unsigned tools, const char *word, const char *next);

#endif
