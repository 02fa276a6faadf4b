#ifndef PAVANE_CLI_RUN_OPTION_ROWS_H
#define PAVANE_CLI_RUN_OPTION_ROWS_H

#include "cli/run/argument.h"
#include "cli/run/options.h"

/* The table of all options. The command line is read by it, --help and the
 * manual pages show it, and shells complete by it. Options that belong together
 * stand together. */

/* What an option does when it is given. */
enum pv_option_effect {
	PV_SETS_FLAG,    /* a bool of pv_options becomes true */
	PV_COUNTS,       /* a number of pv_options grows by one */
	PV_SETS_TEXT,    /* a text of pv_options is the argument */
	PV_SETS_KEY,     /* a key of the policy, as --set would */
	PV_ADDS_SET,     /* --set itself */
	PV_ADDS_DOMAIN,  /* --domain */
	PV_ADDS_INBOUND, /* --inbound */
};

struct pv_option_row {
	char letter;      /* by which commands name it, and getopt_long */
	bool is_short;    /* the letter is a short option as well */
	const char *name; /* as it is written, dashes included */
	struct pv_argument argument; /* without a name if it takes none */
	const char *sentence;
	enum pv_option_effect effect;
	size_t offset;     /* of the field */
	const char *key;   /* of the policy */
	const char *value; /* of that key; NULL: the argument */
};

#define PV_OPTION_ROWS_MAX 48

extern const struct pv_option_row pv_option_rows[];
extern const size_t pv_option_row_count;

/* The option of that letter; NULL if there is none. */
const struct pv_option_row *pv_option_row_of(int letter);

#endif
