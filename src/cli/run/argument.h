#ifndef PAVANE_CLI_RUN_ARGUMENT_H
#define PAVANE_CLI_RUN_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

/* What stands for a word of the command line: of a command's own arguments,
 * and of an option's argument. Usage, manual pages and the completions of
 * shells read it. All of it is constant. */
enum pv_argument_kind {
	PV_IS_TEXT, /* a number, an address, ...: no shell can know it */
	PV_IS_FILE,
	PV_IS_DIRECTORY,
	PV_IS_CRAWL,       /* a directory that holds a state.db */
	PV_IS_WORD,        /* one of some words */
	PV_IS_KEY,         /* KEY=VALUE of a policy */
	PV_IS_HOST_KEY,    /* two words: HOST, and KEY=VALUE of its entry */
	PV_IS_LIVE_KEY,    /* KEY=VALUE that holds for a running crawl, too */
	PV_IS_SERVICE_KEY, /* KEY=VALUE of the service's configuration */
	PV_IS_OPTION,      /* an option that the command needs */
};

#define PV_ARGUMENTS_MAX 3

struct pv_argument {
	const char *name; /* as usage shows it: "DIR", "[KIND]", "URL..." */
	enum pv_argument_kind kind;
	const struct pv_word_list *words; /* of a word; NULL: none */
};

/* One of the words that an argument may be. */
struct pv_word {
	const char *name;
	const char *sentence;

	/* What follows it; the last one has no name. NULL: what follows the
	 * argument. */
	const struct pv_argument *arguments;
};

struct pv_word_list {
	const char *title; /* over a list of them: "Kinds" */

	/* Sets `word` to the one of that number; false if there is none. */
	bool (*get)(size_t index, struct pv_word *word);
};

/* Whether further words of the command line are such an argument, too:
 * "URL..." */
bool pv_argument_repeats(const struct pv_argument *argument);

/* The arguments as usage shows them, "DIR URL|FILE...", in `text`. */
void pv_arguments_write(
    const struct pv_argument *arguments, char *text, size_t size);

#endif
