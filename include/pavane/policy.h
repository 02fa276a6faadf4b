#ifndef PAVANE_POLICY_H
#define PAVANE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* Policies: what is to be crawled, and how. What is wrong with one, what its keys
 * mean, and the configuration that all policies of a user begin with. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_policy;

/* KEY=VALUE for the whole crawl, or where a host (a name, "*.name" or address
 * range) is given, for that host. */
struct pavane_setting {
	const char *host; /* NULL for the whole crawl */
	const char *assignment;
};

/* All that has a say in a policy, each over the one before. */
struct pavane_sources {
	size_t size;
	const char *config_dir; /* the user's configuration; NULL for none */
	const char *file;       /* "-" is the standard input; NULL for none */
	const struct pavane_setting *settings;
	size_t setting_count;
	const char *const *setting_names; /* what problems call each setting;
					     NULL, or NULL for one: --set, or
					     with a host --domain */
	const char *seeds_of; /* a further policy of which only the seeds
				 count, before the addresses; NULL, or one that
				 cannot be read, for none */
	const char *const *addresses;     /* further seeds */
	const char *const *address_names; /* whence each is, such as
					     "urls.txt:3"; NULL, or NULL for
					     one: the command line */
	size_t address_count;
	const char
	    *input_of; /* where a seed {file: "-"} finds its addresses: in
				 the directory of a crawl that has read them; ""
				 for nowhere; NULL: on the standard input, which
				 is read to its end */
	const char *text; /* a policy itself, in the place of the file; NULL for
			     none */
	bool is_for_fleet; /* several machines share the crawl, and no
			      directory: where nobody says what is kept, it is
			      the journal alone, or with kinds of pages their
			      rows */
};

/* Something that is wrong (the policy cannot be used), or worth a note. */
struct pavane_problem {
	size_t size;
	const char *file; /* "" where no file is at fault */
	unsigned line;    /* from 1; 0 where there is none */
	unsigned column;
	const char *key; /* "rate.max_rate"; "" where no key is at fault */
	const char *text;
	const char *sentence; /* all of this in one line */
	const char *excerpt;  /* the line of the file and below it a caret under
				 the column, to be printed as they are; ""
				 where there is nothing to show */
};

/* Loads and checks a policy. There is always an answer, to be destroyed; it can
 * be used if pavane_policy_problem_count is 0. */
PAVANE_API struct pavane_policy *pavane_policy_load(
    const struct pavane_sources *sources);
PAVANE_API void pavane_policy_destroy(struct pavane_policy *policy);

/* How many problems there are, of which the first ones (at most 20) are kept
 * in the order of the file; the same for notes. */
PAVANE_API size_t pavane_policy_problem_count(
    const struct pavane_policy *policy);
PAVANE_API size_t pavane_policy_note_count(const struct pavane_policy *policy);

/* A problem or a note by its number; false past those that are kept. */
PAVANE_API bool pavane_policy_problem(const struct pavane_policy *policy,
    size_t number, struct pavane_problem *problem);
PAVANE_API bool pavane_policy_note(const struct pavane_policy *policy,
    size_t number, struct pavane_problem *note);

/* How many seeds it has; one in braces or brackets counts once. */
PAVANE_API size_t pavane_policy_seed_count(const struct pavane_policy *policy);

/* Whether all that is wrong is that nobody has said who runs the crawl. */
PAVANE_API bool pavane_policy_lacks_contact(const struct pavane_policy *policy);

/* The policy with every default, as YAML, with where each value comes from;
 * every ceiling, with its value; and in a few lines what a crawl by this policy
 * would do. */
PAVANE_API void pavane_policy_write_effective(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);
PAVANE_API void pavane_policy_write_limits(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);
PAVANE_API void pavane_policy_write_summary(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);
PAVANE_API void pavane_policy_write_outlook(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);

/* The same problems and notes for programs: one JSON object on a line. */
PAVANE_API void pavane_policy_write_json(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);

/* A key of a policy, for programs that offer keys to a person. */
struct pavane_key {
	size_t size;
	const char *name;     /* "rate.max_rate"; of a host "delay" */
	const char *sentence; /* what it means */
	const char *words[8]; /* those among its values, such as true; the list
				 ends with NULL */
};

/* Which keys: those of a policy, those of a host in its domain table, and
 * those of a policy that hold for a running crawl, too. */
enum pavane_keys {
	PAVANE_KEYS_OF_POLICY,
	PAVANE_KEYS_OF_HOST,
	PAVANE_KEYS_OF_RUNNING,
};

/* Sets `key` to the one of that number; false if there are fewer. */
PAVANE_API bool pavane_key_get(
    enum pavane_keys keys, size_t index, struct pavane_key *key);

/* The JSON Schema of policies, and the part of the manual page that lists every
 * key. */
PAVANE_API void pavane_schema_write(pavane_write_fn write, void *ctx);
PAVANE_API void pavane_reference_write(pavane_write_fn write, void *ctx);

/* The directory that a crawl by this policy would be kept in: "./" and its name
 * or the host of its first seed. */
PAVANE_API const char *pavane_policy_directory(
    const struct pavane_policy *policy);

/* Whether the policy has a kind of page of that name whose rows are written as
 * JSON lines. */
PAVANE_API bool pavane_policy_has_rows(
    const struct pavane_policy *policy, const char *kind);

/* The user's configuration */

/* Where it is, by the environment: a new text to be released with free, or
 * NULL if the environment names no place. */
PAVANE_API char *pavane_config_dir(void);

/* Keeps the contact in the user's configuration. NULL if that was done, else
 * why not: a new text to be released with free. */
PAVANE_API char *pavane_config_save_contact(
    const char *config_dir, const char *contact);

#ifdef __cplusplus
}
#endif

#endif
