#ifndef PAVANE_CLI_RUN_OPTIONS_H
#define PAVANE_CLI_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/run/foreign_options.h"
#include "cli/run/settings.h"
#include "pavane/pavane.h"

/* The command line, taken apart. Options may stand before, between and after
 * the arguments; `--` ends them. */
struct pv_options {
	const char *program;          /* as it was called */
	const char *const *arguments; /* the first is the command's name */
	size_t argument_count;
	struct pv_settings settings; /* --set, --domain, --delay and the like,
					in order */
	const char *robots;          /* a file, or NULL */
	const char *encoding;        /* or NULL */
	const char *host;            /* or NULL */
	const char *until;           /* a time, or NULL */
	const char *url;             /* of a file, or NULL */
	const char *kind;            /* of page, or NULL */
	const char *carry;           /* JSON, or NULL */
	const char *output;          /* a directory, or NULL */
	const char *serve;           /* a port, or NULL */
	const char *config;          /* a file, or NULL */
	const char *metrics;         /* a file, or NULL */
	const char *fleet;           /* a database, or NULL */
	const char *stream;   /* the kind of page whose rows are printed, or
			       NULL */
	const char *input;    /* a file, "-", or NULL */
	const char *shard;    /* "2/4", or NULL */
	const char **inbound; /* files and directories, owned; the texts are
				 not */
	size_t inbound_count;
	bool is_offline; /* no host is asked for anything */
	bool has_help;
	bool has_version;
	bool is_quiet;
	unsigned verbosity; /* how often --verbose was given */
	bool is_json;
	bool is_csv;
	bool is_broken;
	bool has_refused;
	bool is_fresh;
	bool is_agreed; /* --yes */
	bool is_effective;
	bool is_schema;
	bool is_limits;
	bool is_policy_wanted; /* --print-policy */
	bool is_dry;           /* --dry-run */
	struct pv_foreign_options foreign;
	char given[48]; /* the letters of the options that were given */
};

/* Takes the command line apart. False if it is wrong, which has been said.
 * What it points to is argv's own, but for the settings. */
bool pv_options_read(struct pv_options *options, int argc, char **argv);
void pv_options_finish(struct pv_options *options);

/* Whether the option of that letter was given. */
bool pv_options_has(const struct pv_options *options, char letter);

/* Whether the command takes all that was given; if not, it has been said. */
bool pv_options_fit(
    const struct pv_options *options, const char *command, const char *letters);

#endif
