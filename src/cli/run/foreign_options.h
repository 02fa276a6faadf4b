#ifndef PAVANE_CLI_RUN_FOREIGN_OPTIONS_H
#define PAVANE_CLI_RUN_FOREIGN_OPTIONS_H

#include <stdbool.h>

#include "cli/foreign/translation.h"

/* Options that people know from wget and curl, on a command line of ours. Those
 * that mean the same here are understood, the others answered. */
struct pv_foreign_options {
	struct pv_translation translation;
	char *
	    *words; /* the command line without them; NULL where it has none */
	int count;
};

/* How many words one of our own options takes there, or 0 if the word is none
 * of ours. */
typedef int (*pv_own_option_fn)(const char *word);

/* Takes them out of a command line. False if one has no meaning here, which has
 * been said. */
bool pv_foreign_options_take(struct pv_foreign_options *foreign, int argc,
    char **argv, pv_own_option_fn own);
void pv_foreign_options_finish(struct pv_foreign_options *foreign);

#endif
