#ifndef PAVANE_CLI_RUN_COMMAND_H
#define PAVANE_CLI_RUN_COMMAND_H

#include "cli/run/options.h"

/* One thing that the program does: a file command_NAME.c that ends in its
 * entry, and a line in the table of main.c. */
struct pv_command {
	const char *name;
	const char *arguments; /* as usage shows them */
	const char *sentence;  /* for the list of commands */
	const char *help;      /* what a reader of --help wants to know */
	const char *example;   /* lines to try */
	const char *options;   /* the letters of those it takes (options.c) */

	/* Prints what else belongs into --help; NULL for nothing. */
	void (*print_more)(void);

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
extern const struct pv_command pv_command_continue;
extern const struct pv_command pv_command_crawl;
extern const struct pv_command pv_command_demo;
extern const struct pv_command pv_command_explain;
extern const struct pv_command pv_command_fields;
extern const struct pv_command pv_command_init;
extern const struct pv_command pv_command_inspect;
extern const struct pv_command pv_command_links;
extern const struct pv_command pv_command_mirror;
extern const struct pv_command pv_command_from;
extern const struct pv_command pv_command_pause;
extern const struct pv_command pv_command_set;
extern const struct pv_command pv_command_relink;
extern const struct pv_command pv_command_resume;
extern const struct pv_command pv_command_status;
extern const struct pv_command pv_command_stop;
extern const struct pv_command pv_command_try;
extern const struct pv_command pv_command_update;
extern const struct pv_command pv_command_where;

#endif
