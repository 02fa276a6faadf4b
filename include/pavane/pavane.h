#ifndef PAVANE_PAVANE_H
#define PAVANE_PAVANE_H

#include <stdbool.h>
#include <stddef.h>

/* Pavane, a polite web crawler, as a library.
 *
 * What the program `pavane` does, it does with the functions here and nothing
 * else. Texts that are given out belong to the object that gave them and live
 * as long as it does.
 */

#ifdef __cplusplus
extern "C" {
#endif

#define PAVANE_API __attribute__((visibility("default")))

/* Called when the system has no memory left; must not return. The library's
 * own says so and ends the program with status 1; a host program that defines
 * a function of this name decides otherwise. */
PAVANE_API void pavane_out_of_memory(size_t size);

/* "0.1.0" */
PAVANE_API const char *pavane_version(void);

/* Gets text in pieces, each of them whole lines. */
typedef void (*pavane_write_fn)(void *ctx, const char *text, size_t len);

/* What was probably meant by an unknown word: the nearest of the words (a list
 * that ends with NULL), or NULL if none is near. */
PAVANE_API const char *pavane_nearest_word(
    const char *written, const char *const *words);

/* Policies */

struct pavane_policy;

/* KEY=VALUE for the whole crawl, or where a host (a name, "*.name" or address
 * range) is given, for that host. */
struct pavane_setting {
	const char *host; /* NULL for the whole crawl */
	const char *assignment;
};

/* All that has a say in a policy, each over the one before. */
struct pavane_sources {
	const char *config_dir; /* the user's configuration; NULL for none */
	const char *file;       /* "-" is the standard input; NULL for none */
	const struct pavane_setting *settings;
	size_t setting_count;
	const char *const *addresses; /* further seeds */
	size_t address_count;
};

/* Something that is wrong (the policy cannot be used), or worth a note. */
struct pavane_problem {
	const char *file; /* "" where no file is at fault */
	unsigned line;    /* from 1; 0 where there is none */
	unsigned column;
	const char *key; /* "rate.max_rate"; "" where no key is at fault */
	const char *text;
	const char *sentence; /* all of this in one line */
};

/* Loads and checks a policy. There is always an answer, to be destroyed;
 * whether it can be used tells pavane_policy_problem_count. */
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

/* The same problems and notes for programs: one JSON object on a line. */
PAVANE_API void pavane_policy_write_json(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx);

/* The JSON Schema of policies, and the part of the manual page that lists every
 * key. */
PAVANE_API void pavane_schema_write(pavane_write_fn write, void *ctx);
PAVANE_API void pavane_reference_write(pavane_write_fn write, void *ctx);

/* Looking closer */

enum pavane_answer {
	PAVANE_YES,
	PAVANE_NO,
	PAVANE_WRONG,      /* what should be a web address is none */
	PAVANE_UNREADABLE, /* a file cannot be read: errno says why */
	PAVANE_OTHER_TYPE, /* a media type that is not read */
};

/* Would the address be fetched by this policy, when, and if not, why not: rule
 * by rule. The robots.txt of its host is taken from a file, or left open where
 * that is NULL. */
PAVANE_API enum pavane_answer pavane_policy_explain(
    const struct pavane_policy *policy, const char *address,
    const char *robots_file, pavane_write_fn write, void *ctx);

/* The address that a reference means in a page of that address ("-": in none)
 * and encoding (NULL: UTF-8); PAVANE_NO and nothing written if it is none. */
PAVANE_API enum pavane_answer pavane_inspect_url(const char *base,
    const char *reference, const char *encoding, pavane_write_fn write,
    void *ctx);

/* What a file says as robots.txt to an agent of that name. With an address (or
 * a path) whether it may be asked for, and the line that decides; without one
 * the delay that is asked for, and the sitemaps. */
PAVANE_API enum pavane_answer pavane_inspect_robots(const char *file,
    const char *agent, const char *address, pavane_write_fn write, void *ctx);

/* The links of a file of that media type (NULL: HTML) that was found at that
 * address, in their order, none twice: "page" or "resource", a tab, and the
 * address without its fragment. */
PAVANE_API enum pavane_answer pavane_inspect_links(const char *file,
    const char *base, const char *type, pavane_write_fn write, void *ctx);

/* The entries of a sitemap (NULL: plain text) in the same way. */
PAVANE_API enum pavane_answer pavane_inspect_sitemap(const char *file,
    const char *base, const char *type, pavane_write_fn write, void *ctx);

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
