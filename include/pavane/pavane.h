#ifndef PAVANE_PAVANE_H
#define PAVANE_PAVANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/events.h"

/* Pavane, a polite web crawler, as a library.
 *
 * What the program `pavane` does, it does with the functions here and nothing
 * else. Texts that are given out belong to the object that gave them and live
 * as long as it does.
 */

#ifdef __cplusplus
extern "C" {
#endif

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
};

/* Something that is wrong (the policy cannot be used), or worth a note. */
struct pavane_problem {
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

/* Crawls */

struct pavane_crawl;

struct pavane_progress;
typedef void (*pavane_progress_fn)(
    void *ctx, const struct pavane_progress *progress);

struct pavane_events;

struct pavane_crawl_options {
	const char *directory;   /* NULL: as the policy suggests */
	bool is_fresh;           /* a crawl that is there is deleted */
	bool is_update;          /* requests the pages of a finished crawl once
				  more, and stores what has changed */
	enum pavane_level level; /* up to which lines are given */
	pavane_line_fn on_line;
	pavane_progress_fn on_progress; /* NULL for none */
	unsigned progress_ms;           /* how often, about */
	void *ctx;
	const char *state_dir; /* where what all crawls of a user share is
				  kept; NULL: as the environment says */
	bool is_attended;      /* a person waits for it: if nothing has
				  answered, and each host has been asked in
				  vain, it ends at once as PAVANE_NOT_BEGUN
				  and can be continued */
	const struct pavane_events *events; /* copied; NULL for none */
};

/* The directory that a crawl by this policy would be kept in: "./" and its name
 * or the host of its first seed. */
PAVANE_API const char *pavane_policy_directory(
    const struct pavane_policy *policy);

/* Makes or opens the crawl's directory; NULL, with the reason given to on_line,
 * if that cannot be done, as by a policy that has problems. The policy outlives
 * the crawl. */
PAVANE_API struct pavane_crawl *pavane_crawl_open(
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options);

/* Crawls until the end. Signals are the caller's business, who ignores
 * SIGPIPE. */
PAVANE_API enum pavane_end pavane_crawl_run(struct pavane_crawl *crawl);

/* The same by a loop of the caller's (epoll, GLib, libevent, a game): starts,
 * then steps each time that the descriptor is readable or the time-out is over,
 * until a step says that it was the last; the progress has the end. False, with
 * the reason given to on_line, if it cannot be started.
 *
 * A step never waits, and never takes the descriptor's place: the callbacks are
 * called in it, on its thread. Work that takes long is done by threads of the
 * crawl's, also what is left to do when the last request has ended. All four are
 * one thread's. */
PAVANE_API bool pavane_crawl_start(struct pavane_crawl *crawl);
PAVANE_API bool pavane_crawl_step(struct pavane_crawl *crawl);
PAVANE_API int pavane_crawl_fd(const struct pavane_crawl *crawl);

/* In milliseconds, as for poll: 0 for at once, -1 for as long as it takes. To be
 * asked for after each step. */
PAVANE_API int pavane_crawl_timeout_ms(const struct pavane_crawl *crawl);

/* Or on a thread of its own, on which the callbacks are called then; false if
 * there can be none. It must be joined, which waits for the end, before the
 * crawl is closed. */
PAVANE_API bool pavane_crawl_spawn(struct pavane_crawl *crawl);
PAVANE_API enum pavane_end pavane_crawl_join(struct pavane_crawl *crawl);

/* The first call asks to stop: nothing more is started, and what is in flight
 * may end; the second call does not wait for it. May be called from a signal
 * handler and from any thread, until the crawl is closed. */
PAVANE_API void pavane_crawl_stop(struct pavane_crawl *crawl);

/* Asks to stop as the first call does, for a program that opens it again at
 * once: the end is PAVANE_STOPPED, and calls of pavane_crawl_stop count by
 * themselves. */
PAVANE_API void pavane_crawl_interrupt(struct pavane_crawl *crawl);

/* Whether it has ended since keys of its policy were set from outside
 * (pavane_order_set): then it is to be opened again at once. */
PAVANE_API bool pavane_crawl_has_changed(const struct pavane_crawl *crawl);

/* Closes it, and opens it again by that policy, which may be the same, and with
 * what was set from outside: its run goes on, so that neither the rate nor
 * limits.time begin anew. NULL as for pavane_crawl_open. */
PAVANE_API struct pavane_crawl *pavane_crawl_reopen(struct pavane_crawl *crawl,
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options);

/* How far it is; valid until the next call for this crawl. */
PAVANE_API const struct pavane_progress *pavane_crawl_progress(
    struct pavane_crawl *crawl);
PAVANE_API const char *pavane_crawl_directory(const struct pavane_crawl *crawl);
PAVANE_API void pavane_crawl_close(struct pavane_crawl *crawl);

/* Instead of closing it, for a program that now ends: all is written and its
 * files are closed, but memory and connections, of which a crawl of many hosts
 * has thousands, are left to the system, which takes them back sooner. */
PAVANE_API void pavane_crawl_leave(struct pavane_crawl *crawl);

enum pavane_phase {
	PAVANE_STARTING,
	PAVANE_CRAWLING,
	PAVANE_DRAINING, /* was asked to stop; waits for what is in flight */
	PAVANE_DROPPING, /* was asked twice */
	PAVANE_CLOSING,  /* all is done but the writing down */
	PAVANE_ENDED,
};

/* How many of a sort there are: of refusals by their reason, of hosts by what
 * they wait for. */
struct pavane_tally {
	const char *word;     /* for machines */
	const char *sentence; /* for people */
	uint64_t count;
};

#define PAVANE_TALLIES_MAX 48

struct pavane_tallies {
	struct pavane_tally items[PAVANE_TALLIES_MAX]; /* the largest first */
	size_t count;
};

/* What so many in a hundred stayed under; negative where nothing is known. */
struct pavane_percentiles {
	double p50_ms;
	double p95_ms;
	double p99_ms;
	uint64_t count;
};

/* What an update has found out so far. */
struct pavane_changes {
	uint64_t round; /* its number; 1: this is the crawl itself, and the
			   fields below are 0 */
	uint64_t added; /* addresses of which there was no copy */
	uint64_t changed;
	uint64_t gone;
	uint64_t same;
	uint64_t failed; /* could not be fetched again; the copy is kept */
	uint64_t not_reached;

	/* Files of pages that are gone, when this run came to the end. */
	uint64_t moved;     /* from site/ to gone/ */
	uint64_t deleted;   /* for good */
	uint64_t held_back; /* that stay all the same, since they were too many
			       (output.mirror.shrink_alarm) */
};

/* So many addresses that are being fetched are named, and so many of those that
 * could not be. */
#define PAVANE_FETCHING_MAX 3
#define PAVANE_FAILURES_MAX 3

struct pavane_failure {
	const char *address; /* cut if it is very long */
	const char *what;    /* "404", or why there was no answer */
};

struct pavane_progress {
	enum pavane_phase phase;
	enum pavane_end end;   /* once it has ended */
	int64_t elapsed_ms;    /* of this run */
	int64_t drain_left_ms; /* until what is in flight is dropped; negative
				  while nobody has asked to stop */

	/* addresses, over all runs */
	uint64_t known;
	uint64_t pending; /* in flight included */
	uint64_t done;
	uint64_t refused;
	uint64_t failed; /* of those done: no answer, or none that counts */

	/* of this run */
	uint64_t requests; /* robots.txt, redirects and retries included */
	uint64_t pages;    /* answers that were kept or followed: 2xx */
	uint64_t bytes;
	double pages_per_second; /* of late */
	double requests_per_second;
	double bytes_per_second;

	size_t in_flight;
	size_t concurrency;
	size_t open;  /* visits released and not committed */
	size_t hosts; /* with something left, as far as they are in memory */
	size_t hosts_waiting;
	int64_t next_ms; /* until the next request; negative: unknown */
	int64_t left_ms; /* until all is done; negative: unknown */

	struct pavane_tallies waiting;  /* hosts, by what they wait for */
	struct pavane_tallies refusals; /* addresses, over all runs */
	struct pavane_tallies outcomes; /* the same, of those done */
	struct pavane_tallies statuses; /* answers of this run, by status, but
					   for a robots.txt or a sitemap that
					   is not there */

	struct pavane_percentiles name;
	struct pavane_percentiles connect;
	struct pavane_percentiles first_byte;
	struct pavane_percentiles total;
	struct pavane_percentiles pool; /* waiting for a thread */
	int64_t blocked_ms;  /* the longest that the loop was held up, also by
				a processor that others had ... */
	int64_t turn_cpu_ms; /* ... and the most that one round of it took of
				a processor's time */

	struct pavane_changes changes;

	bool has_entry_page; /* it has ended, and index.html in its directory
				is the page by which its mirror is entered */

	const char *note;    /* "docs.example.org rests until 14:03, as its
				Retry-After asks"; "" for none */
	const char *held_by; /* one sentence: the policy, the server, the
				line, this machine or failures */

	double done_share;    /* of all there is to do, up to 1; negative
				 while links of late led to new addresses */
	size_t in_flight_max; /* that the hosts with something left allow at
				 once, within concurrency */
	const char *fetching[PAVANE_FETCHING_MAX]; /* addresses of requests in
						      flight, the latest
						      first; without their
						      middle if very long */
	size_t fetching_count;
	struct pavane_failure failures[PAVANE_FAILURES_MAX]; /* the first of
								this run */
	size_t failure_count;
	const char *waits_for; /* "waits for example.org:8443 until 12:03:10
				  (delay 5s)", the host whose wait ends first;
				  "" for none */
	const char *settings;  /* "rate.max_rate=5": what was set from outside;
				  "" for nothing */
	const char *pauses;    /* "paused since 14:03 until 16:00", or of which
				  hosts that is so; "" or NULL for none */
	const char *proxies;   /* "http://127.0.0.1:3128: 12 requests", a line
				  for each; "" or NULL for none */
};

/* The same as one line of JSON. */
PAVANE_API void pavane_progress_write_json(
    const struct pavane_progress *progress, pavane_write_fn write, void *ctx);

/* What is known of the crawl in a directory, running or not. */
struct pavane_status {
	bool is_running;
	int64_t process;  /* that runs it; 0 if none does, or it is unknown */
	int64_t as_of_ms; /* when the progress was written, since 1970 */
	const char *name; /* of the policy; "" for none */
	const struct pavane_progress *progress;
};

/* NULL, with the reason given to on_line, if there is no crawl. To be
 * destroyed. */
PAVANE_API struct pavane_status *pavane_status_read(
    const char *directory, pavane_line_fn on_line, void *ctx);
PAVANE_API void pavane_status_destroy(struct pavane_status *status);

enum pavane_answer {
	PAVANE_YES,
	PAVANE_NO,
	PAVANE_WRONG,      /* what should be a web address is none */
	PAVANE_UNREADABLE, /* a file cannot be read: errno says why */
	PAVANE_OTHER_TYPE, /* a media type that is not read */
};

/* Orders to a crawl from another program than the one that runs it */

struct pavane_order {
	const char *directory;  /* of the crawl, running or not */
	const char *host;       /* a host alone; NULL: the whole crawl */
	const char *until;      /* when the pause ends: "2h", "14:30" or
				  "2026-11-27"; NULL: when it is resumed */
	pavane_line_fn on_line; /* gets the reason where nothing was changed */
	void *ctx;
};

/* Pauses a crawl: no new request is started, those in flight end, and the crawl
 * stays open. It holds over restarts; a crawl that runs heeds it before its
 * next request. PAVANE_WRONG if the host is none of this
 * crawl, or the time is none that is to come; PAVANE_UNREADABLE if there is no
 * crawl, or the order cannot be written. */
PAVANE_API enum pavane_answer pavane_order_pause(
    const struct pavane_order *order);

/* Ends that pause. PAVANE_NO if there was none. Without a host, all pauses of
 * single hosts stay. */
PAVANE_API enum pavane_answer pavane_order_resume(
    const struct pavane_order *order);

/* Sets keys of its policy, each "KEY=VALUE", or takes one back: "KEY=". All of
 * them or none. They hold over restarts, over whatever the policy says; a crawl
 * that runs ends what is in flight, and goes on with them before its next
 * request (pavane_crawl_has_changed). Host and time of the order are none of its
 * business. PAVANE_NO if that is so already; PAVANE_WRONG if a key is unknown or
 * may not be set, or a value is wrong. Where the policy's domains say otherwise
 * for some hosts, on_line gets a line of PAVANE_INFO. */
PAVANE_API enum pavane_answer pavane_order_set(const struct pavane_order *order,
    const char *const *assignments, size_t count);

/* Asks the run of the crawl to stop, as pavane_crawl_stop does, if that process
 * runs it (0: whichever), and says which does (negative: it is not known yet).
 * To be called again until the answer is another, since a process that reads
 * its policy again begins another run. PAVANE_NO if that process, or nobody,
 * runs it any more. */
PAVANE_API enum pavane_answer pavane_order_stop(
    const struct pavane_order *order, int64_t *process);

/* Auditing */

enum pavane_promises {
	PAVANE_KEPT,
	PAVANE_BROKEN,   /* at least one, which is reported */
	PAVANE_NO_AUDIT, /* something could not be read: given to on_line */
};

struct pavane_audit_options {
	const char *directory; /* of a crawl, running or not */
	const char *host;      /* the only one to report, in more detail;
				  NULL for all */
	bool is_json;
	pavane_write_fn write;
	pavane_line_fn on_line;
	void *ctx;
};

/* Was every promise of pace kept? Holds the journal and the ledger of a crawl
 * against its policy and against robots.txt, and writes for each host what it
 * has seen of us, and each promise that was broken: as a table, or as one line
 * of JSON. */
PAVANE_API enum pavane_promises pavane_audit(
    const struct pavane_audit_options *options);

/* Linking a mirror */

struct pavane_relink_options {
	const char *directory;        /* of a crawl that does not run */
	bool (*is_enough)(void *ctx); /* whether to end before the end; asked
					 for each document, by any thread, but
					 by one at a time; NULL: no */
	pavane_line_fn on_line;
	void *ctx;
};

struct pavane_relinked {
	uint64_t documents; /* that were read */
	uint64_t changed;
	uint64_t failed; /* could not be read or written */
	bool is_cut;     /* is_enough said so, or the crawl's state could not
			    be read: then something has failed, too */
};

/* Links the documents of a mirror to one another: what was kept is reached by
 * its file, all else by its address. The crawl does so itself when it ends;
 * this is for when it was killed, or files were removed. False, with the reason
 * given to on_line, if it could not be begun. */
PAVANE_API bool pavane_relink(const struct pavane_relink_options *options,
    struct pavane_relinked *relinked);

/* Rows anew */

struct pavane_fields_options {
	const char *directory; /* of a crawl that does not run */
	const char *policy;    /* a file whose pages and output.fields count;
				  NULL: the crawl's own policy */
	bool (*is_enough)(void *ctx); /* whether to give up; asked for each
					 page; NULL: no */
	pavane_line_fn on_line;
	void *ctx;
};

struct pavane_fields_made {
	uint64_t pages;   /* that were read */
	uint64_t rows;    /* that they gave */
	uint64_t missing; /* pages that have no rows, since they are not
			     kept */
	bool is_cut;      /* is_enough said so: the old rows stay */
};

/* Writes all rows of a crawl anew from the pages that its mirror keeps, as after
 * its policy describes other fields; nobody is asked for anything. The new rows
 * take the place of the old ones at the end, all at once; what could not be read
 * anew is given to on_line. False, with the reason given there, if it could not
 * be done: the old rows stay. */
PAVANE_API bool pavane_fields(const struct pavane_fields_options *options,
    struct pavane_fields_made *made);

/* Looking closer */

/* Tells what would become of addresses. */
struct pavane_explainer;

struct pavane_explain_options {
	const char *robots;     /* a file, taken for the robots.txt of each
				  host; NULL for none */
	const char *directory;  /* of a crawl, running or not, whose state
				  is used; NULL for none */
	bool is_asking;         /* without either, a host is asked for its
				  robots.txt, as a crawl would; else that is
				  left open */
	pavane_line_fn on_line; /* gets what goes wrong; NULL for nobody */
	void *ctx;
};

/* NULL, with the reason given to on_line, if the file or the crawl cannot be
 * read. The policy outlives it. The caller ignores SIGPIPE. */
PAVANE_API struct pavane_explainer *pavane_explainer_open(
    const struct pavane_policy *policy,
    const struct pavane_explain_options *options);
PAVANE_API void pavane_explainer_close(struct pavane_explainer *explainer);

/* Would the address be fetched by the policy, when, and if not, why not: rule
 * by rule. PAVANE_UNREADABLE, with the reason given to on_line, if the crawl's
 * state cannot be read. */
PAVANE_API enum pavane_answer pavane_explain(struct pavane_explainer *explainer,
    const char *address, pavane_write_fn write, void *ctx);

struct pavane_try_options {
	const char *page;      /* an address, or a file: "-" is the standard
				  input */
	const char *url;       /* that a file counts as; NULL: not known */
	const char *kind;      /* of page; NULL: as its address or the crawl
				  says */
	const char *carry;     /* that a link brings along for its rows, a JSON
				  object; NULL for none */
	const char *directory; /* of a crawl, running or not, that has stored
				  the page: then nobody is asked; or NULL */
	bool is_json;          /* one object on a line */
	pavane_write_fn write;
	pavane_line_fn on_line; /* gets what goes wrong; NULL for nobody */
	void *ctx;
};

/* What the policy's kinds of pages make of one page: its rows, why a field has
 * no value and how near it came, and where the page leads. An address is asked
 * for as a crawl would, robots.txt first; the caller ignores SIGPIPE. Where
 * nobody is asked, the policy may lack a contact.
 * PAVANE_NO if the page is of no kind, or lacks a field that is required;
 * PAVANE_WRONG if the options or the policy cannot be used; PAVANE_UNREADABLE if
 * the page cannot be read, or may not. */
PAVANE_API enum pavane_answer pavane_try(const struct pavane_policy *policy,
    const struct pavane_try_options *options);

/* The address that a reference means in a page of that address ("-": in none)
 * and encoding (NULL: UTF-8); PAVANE_NO and nothing written if it is none. */
PAVANE_API enum pavane_answer pavane_inspect_url(const char *base,
    const char *reference, const char *encoding, pavane_write_fn write,
    void *ctx);

/* What a file says as robots.txt to an agent of that name. With an address (or
 * a path) whether it may be requested, and the line that decides; without one
 * the requested delay, and the sitemaps. */
PAVANE_API enum pavane_answer pavane_inspect_robots(const char *file,
    const char *agent, const char *address, pavane_write_fn write, void *ctx);

/* The links of a file of that media type that was found at that address, in
 * their order, none twice: "page" or "resource", a tab, and the address without
 * its fragment. Without a type it is a page, or a feed where its content says
 * so. Style sheets ("text/css"), feeds ("application/rss+xml" and the like) and
 * manifests ("application/manifest+json") are read as well. */
PAVANE_API enum pavane_answer pavane_inspect_links(const char *file,
    const char *base, const char *type, pavane_write_fn write, void *ctx);

struct pavane_sitemap_options {
	const char *file; /* maybe gzip */
	const char *base; /* where it was found */
	const char *type; /* its media type; NULL where nobody knows */
	pavane_write_fn write;
	pavane_line_fn on_line; /* gets a line if not all of it was read;
				   NULL for nobody */
	void *ctx;
};

/* The entries of a sitemap, or a feed, on its own host, in their order, none
 * twice: "page" or "sitemap", a tab, and the address without its fragment. The
 * content shows which format it is; of the type the charset counts, and whether
 * it may be plain text. */
PAVANE_API enum pavane_answer pavane_inspect_sitemap(
    const struct pavane_sitemap_options *options);

/* Looking things up in a mirror */

/* Finds the file of an address in a mirror, and the address of a file. */
struct pavane_places;

/* By the state of the crawl in that directory, running or not, as it is now.
 * NULL, with the reason given to on_line (NULL for nobody), if it cannot be
 * read. The directory's name outlives them. */
PAVANE_API struct pavane_places *pavane_places_open(
    const char *directory, pavane_line_fn on_line, void *ctx);
PAVANE_API void pavane_places_close(struct pavane_places *places);

struct pavane_place_options {
	bool is_json; /* one object on a line, for whatever came of it */
	pavane_write_fn write;
	pavane_line_fn on_line; /* gets one line on why there is none; not in
				   JSON */
	void *ctx;
};

/* Writes the file in which an address (http: or https:) is kept, or the address
 * that a file of the mirror was fetched from: a path from the root, from here
 * or below the directory, or an address that begins with file:. PAVANE_NO if
 * there is none, PAVANE_WRONG for what is neither an address nor a file of the
 * mirror, PAVANE_UNREADABLE if the state cannot be read; each is reported. */
PAVANE_API enum pavane_answer pavane_places_find(struct pavane_places *places,
    const char *address_or_file, const struct pavane_place_options *options);

enum pavane_links_form {
	PAVANE_LINKS_TEXT,
	PAVANE_LINKS_JSON, /* an object on a line for each address */
	PAVANE_LINKS_CSV,  /* a line for each address and page (RFC 4180) */
};

enum pavane_links {
	PAVANE_LINKS_WHOLE,
	PAVANE_LINKS_BROKEN,  /* at least one, which is reported */
	PAVANE_LINKS_UNKNOWN, /* not all could be read: see on_line */
};

struct pavane_links_options {
	const char *directory;
	bool has_refused; /* what the policy and robots.txt refused, too */
	bool has_all;     /* text names each page, however many there are */
	enum pavane_links_form form;
	pavane_write_fn write;  /* also gets parts of lines */
	pavane_line_fn on_line; /* NULL for nobody */

	/* How many files of the mirror were looked at, now and then while they
	 * are read; NULL for nobody. */
	void (*on_progress)(void *ctx, uint64_t read, uint64_t all);
	void *ctx;
};

/* A link check: writes each address of a crawl that could not be fetched, why,
 * and the pages of the mirror that link to it. */
PAVANE_API enum pavane_links pavane_links_check(
    const struct pavane_links_options *options);

/* The user's configuration */

/* Where it is, by the environment: a new text to be released with free, or
 * NULL if the environment names no place. */
PAVANE_API char *pavane_config_dir(void);

/* Keeps the contact in the user's configuration. NULL if that was done, else
 * why not: a new text to be released with free. */
PAVANE_API char *pavane_config_save_contact(
    const char *config_dir, const char *contact);

/* Whether the policy has a kind of page of that name whose rows are written as
 * JSON lines. */
PAVANE_API bool pavane_policy_has_rows(
    const struct pavane_policy *policy, const char *kind);

/* The JSON lines of a kind's rows as they are committed, from when it is opened,
 * while the crawl in the directory runs and afterwards. To be used by one
 * thread at a time. */
struct pavane_row_stream;

PAVANE_API struct pavane_row_stream *pavane_row_stream_open(
    const char *directory, const char *kind);
PAVANE_API void pavane_row_stream_close(struct pavane_row_stream *stream);

/* Gives what has been committed since, in pieces, until `take` returns false.
 * False if not all of it was given: the next call goes on there. */
typedef bool (*pavane_stream_fn)(void *ctx, const char *text, size_t len);
PAVANE_API bool pavane_row_stream_read(
    struct pavane_row_stream *stream, pavane_stream_fn take, void *ctx);

/* The rows that a crawl's pages have given, running or not, and the fields that
 * had no value: what its policy's `pages` describes. */
struct pavane_row_count {
	const char *kind; /* of page */
	uint64_t pages;   /* that have rows */
	uint64_t rows;
	bool has_match; /* of kinds without rows: addresses may be of this
			   kind by themselves */
};

struct pavane_field_fault {
	const char *kind;
	const char *field; /* "reviews.stars"; NULL: the whole page */
	const char *why;   /* "nothing found" */
	uint64_t count;
};

struct pavane_rows {
	struct pavane_row_count *counts;
	size_t count;
	struct pavane_field_fault *faults; /* those of a kind together, the most
					      frequent first */
	size_t fault_count;
};

/* NULL if there is no crawl in the directory, or it cannot be read. */
PAVANE_API struct pavane_rows *pavane_rows_read(const char *directory);
PAVANE_API void pavane_rows_destroy(struct pavane_rows *rows);

/* As one JSON object, without an end of line. */
PAVANE_API void pavane_rows_write_json(
    const struct pavane_rows *rows, pavane_write_fn write, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
