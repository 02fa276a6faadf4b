#ifndef PAVANE_CLI_RUN_COMMAND_H
#define PAVANE_CLI_RUN_COMMAND_H

#include "cli/run/argument.h"
#include "cli/run/options.h"

/* What an option means to one command, where that is not what it means to all
 * others. */
struct pv_meaning {
	char letter;
	enum pv_argument_kind kind; /* of the option's argument */
	const char *sentence;
};

#define PV_MEANINGS_MAX 3

/* One thing that the program does: a file of cli/commands that ends in its
 * entry, and a line in the table of cli/table. */
struct pv_command {
	const char *name;
	struct pv_argument arguments[PV_ARGUMENTS_MAX + 1]; /* the last one has
							      no name */
	const char *sentence; /* for the list of commands */
	const char *help;     /* what a reader of --help wants to know */
	const char *example;  /* lines to try */
	const char *options; /* the letters of those it takes (option_rows.c) */
	struct pv_meaning meanings[PV_MEANINGS_MAX];

	/* Returns the program's exit status. */
	int (*run)(const struct pv_options *options);
};

/* The program's exit statuses. */
enum pv_exit {
	EXIT_FINISHED = 0,
	EXIT_FAILED = 1,    /* could not go on */
	EXIT_WRONG = 2,     /* wrong usage or policy */
	EXIT_STOPPED = 3,   /* by a signal, the state saved */
	EXIT_LIMITED = 4,   /* by a limit of the policy, the state saved */
	EXIT_NOT_BEGUN = 5, /* a seed could not be fetched */
};

extern const struct pv_command pv_command_audit;
extern const struct pv_command pv_command_check;
extern const struct pv_command pv_command_completion;
extern const struct pv_command pv_command_continue;
extern const struct pv_command pv_command_crawl;
extern const struct pv_command pv_command_demo;
extern const struct pv_command pv_command_explain;
extern const struct pv_command pv_command_fields;
extern const struct pv_command pv_command_init;
extern const struct pv_command pv_command_inspect;
extern const struct pv_command pv_command_links;
extern const struct pv_command pv_command_merge;
extern const struct pv_command pv_command_mirror;
extern const struct pv_command pv_command_from;
extern const struct pv_command pv_command_pause;
extern const struct pv_command pv_command_serve;
extern const struct pv_command pv_command_set;
extern const struct pv_command pv_command_relink;
extern const struct pv_command pv_command_resume;
extern const struct pv_command pv_command_status;
extern const struct pv_command pv_command_stop;
extern const struct pv_command pv_command_try;
extern const struct pv_command pv_command_update;
extern const struct pv_command pv_command_where;

#endif
