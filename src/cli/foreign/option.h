#ifndef PAVANE_CLI_FOREIGN_OPTION_H
#define PAVANE_CLI_FOREIGN_OPTION_H

#include <stdbool.h>
#include <stddef.h>

/* Options of wget, wget2, curl and HTTrack, and what each means here: a key of
 * the policy, something of ours, nothing, since that is so anyway, or an answer
 * why not. */
enum pv_tool {
	PV_WGET = 1, /* and wget2 */
	PV_CURL = 2,
	PV_HTTRACK = 4,
};

/* How the argument becomes the key's value. */
enum pv_foreign_value {
	PV_VALUE_NONE,    /* there is no argument: the value is the row's */
	PV_VALUE_AS_IS,   /* a whole number, a name */
	PV_VALUE_QUOTED,  /* any text */
	PV_VALUE_SECONDS, /* 2, 1.5, 2m, 3h, 1d */
	PV_VALUE_RATE,    /* bytes a second: 20000, 200k, 1.5M */
	PV_VALUE_SIZE,    /* bytes: 20000, 200k, 5M */
	PV_VALUE_DEPTH,   /* 5, inf; 0 is inf for wget */
	PV_VALUE_TRIES,   /* 3: two more after the first; 0 is inf */
	PV_VALUE_HEADER,  /* Name: value */
	PV_VALUE_HOSTS,   /* a.test,b.test */
	PV_VALUE_ENDINGS, /* zip,*.iso: a rule that denies these */
	PV_VALUE_PLACES,  /* /a,/b: a rule for each directory */
	PV_VALUE_DENIED,  /* a.test: a rule for each host */
	PV_VALUE_SECRET,  /* an answer does not repeat it */
};

enum pv_foreign_effect {
	PV_FOREIGN_SETS,   /* the key */
	PV_FOREIGN_LISTS,  /* the argument is a file of addresses */
	PV_FOREIGN_STORES, /* the argument is the directory */
	PV_FOREIGN_IS_SO,  /* nothing need be said; `says` is why */
	PV_FOREIGN_ANSWER, /* `says` is what to do instead, or why not */
};

struct pv_foreign_option {
	unsigned tools;   /* enum pv_tool */
	const char *name; /* "--wait"; or of two letters, "-np" */
	char letter;      /* 0: none */
	bool has_argument;
	enum pv_foreign_effect effect;
	enum pv_foreign_value value;
	const char *key;
	const char *says; /* with PV_VALUE_NONE the key's value */
};

extern const struct pv_foreign_option pv_foreign_options[];
extern const size_t pv_foreign_option_count;

/* The option of one of these tools; NULL if there is none, or, with more than
 * one tool, if a letter means different things to them. The name's length
 * counts, not its end. */
const struct pv_foreign_option *pv_foreign_find_name(
    unsigned tools, const char *name, size_t len);
const struct pv_foreign_option *pv_foreign_find_letter(
    unsigned tools, char letter);

#endif
