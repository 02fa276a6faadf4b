#ifndef PAVANE_CLI_FOREIGN_TRANSLATION_H
#define PAVANE_CLI_FOREIGN_TRANSLATION_H

#include <stdio.h>

#include "cli/foreign/option.h"

/* What a command line of another tool comes to here: keys of a policy, where to
 * begin and to store, and what there is to say of the rest. */
struct pv_translated {
	char *key;    /* "politeness.delay"; NULL: a note alone */
	char *value;  /* as YAML on one line */
	char *option; /* "-w 2", as it was written */
	const char *says;
	bool is_refused; /* it has no meaning here */
};

struct pv_translation {
	struct pv_translated *items;
	size_t count;
	size_t size;
	char **addresses;
	size_t address_count;
	size_t address_size;
	char *input;     /* a file of addresses, or NULL */
	char *directory; /* or NULL */
};

void pv_translation_init(struct pv_translation *translation);
void pv_translation_finish(struct pv_translation *translation);

/* Takes an option, as it was written, with its argument or NULL. False, with
 * the reason as a note that is refused, if the argument makes no sense. */
bool pv_translation_take(struct pv_translation *translation,
    const struct pv_foreign_option *option, const char *written,
    const char *argument);

void pv_translation_add_address(
    struct pv_translation *translation, const char *address);

/* Something that is none of the table's options. */
void pv_translation_refuse(
    struct pv_translation *translation, const char *written, const char *says);

/* The value of the key of that item, all that was said of it together; to be
 * released with free. NULL if a later item has the same key, or it has none. */
char *pv_translation_value(
    const struct pv_translation *translation, size_t number);

#endif
