#ifndef PAVANE_LOOK_H
#define PAVANE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/policy.h"

/* Looking closer: whether a crawl has kept its promises, what would become of an
 * address, what is in a page or a file. */

#ifdef __cplusplus
extern "C" {
#endif

enum pavane_promises {
	PAVANE_KEPT,
	PAVANE_BROKEN,   /* at least one, which is reported */
	PAVANE_NO_AUDIT, /* something could not be read: given to on_line */
};

struct pavane_audit_options {
	size_t size;
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

/* Tells what would become of addresses. */
struct pavane_explainer;

struct pavane_explain_options {
	size_t size;
	const char *robots;     /* a file, taken for the robots.txt of each
				  host; NULL for none */
	const char *directory;  /* of a crawl, running or not, whose state
				  is used; NULL for none */
	bool is_asking;         /* without either, a host is asked for its
				  robots.txt, as a crawl would; else that is
				  left open */
	pavane_line_fn on_line; /* gets what goes wrong; NULL for nobody */
	void *ctx;
	const char *shard; /* "2/4": of a crawl that is divided; NULL: none, or
			      that of the directory */
	const char *fleet; /* a database in the place of the directory, with
			      what the workers there know of a crawl; NULL for
			      none */
	const char *fleet_name; /* of that crawl, whose policy is to be given
				   (pavane_fleet_policy) */
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

/* One step of an explanation. */
struct pavane_explained_line {
	const char *key;      /* what was looked at: "rules", "robots" ... */
	const char *sentence; /* what came of it; safe to print */
	const char *origin;   /* which line of the policy says so; "" */
	const char *file;     /* the same apart: the policy's file, or what set
				 it, such as "--set"; "" where nobody has */
	uint32_t line;        /* of that file; 0 for none */
};

struct pavane_explanation {
	size_t size;
	const char *address; /* as a crawl would ask for it */
	bool is_fetched;     /* it would be */
	const char *step;    /* that refuses it: the key of its line, or
				"robots", "crawl", "limits", "clocks"; "" */
	const char *reason;  /* why it would not be fetched; "" */
	const char *when;    /* ", not before ...", in words; "" for at once */
	int64_t not_before_ms; /* that time, since 1970; 0: at once; INT64_MAX:
				  after a pause without an end */
	const struct pavane_explained_line *lines;
	size_t line_count;
	const struct pavane_explained_line *decided; /* the line of the policy's
							step that refuses it; or
							NULL */
	const char *word; /* of the reason, as the crawl's journal has it:
			     "rule", "robots"; "" where that has none */
	uint32_t number;  /* of the rule, from 1, or of the line of robots.txt
			     or never.txt; 0 for none */
};

/* The same in values, which live until the explainer is asked again or
 * closed. */
PAVANE_API enum pavane_answer pavane_explain_values(
    struct pavane_explainer *explainer, const char *address,
    struct pavane_explanation *explanation);

struct pavane_try_options {
	size_t size;
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

/* What pavane_inspect_robots, _links and _sitemap write, one by one: the word in
 * front of the tab, and what stands behind it; borrowed for the call. */
typedef void (*pavane_found_fn)(void *ctx, const char *word, const char *text);

PAVANE_API enum pavane_answer pavane_inspect_robots_values(const char *file,
    const char *agent, const char *address, pavane_found_fn entry, void *ctx);
PAVANE_API enum pavane_answer pavane_inspect_links_values(const char *file,
    const char *base, const char *type, pavane_found_fn entry, void *ctx);

struct pavane_sitemap_options {
	size_t size;
	const char *file; /* maybe gzip */
	const char *base; /* where it was found */
	const char *type; /* its media type; NULL where nobody knows */
	pavane_write_fn write;
	pavane_line_fn on_line; /* gets a line if not all of it was read;
				   NULL for nobody */
	void *ctx;
	pavane_found_fn entry; /* gets each entry instead of write; NULL */
};

/* The entries of a sitemap, or a feed, on its own host, in their order, none
 * twice: "page" or "sitemap", a tab, and the address without its fragment. The
 * content shows which format it is; of the type the charset counts, and whether
 * it may be plain text. */
PAVANE_API enum pavane_answer pavane_inspect_sitemap(
    const struct pavane_sitemap_options *options);

#ifdef __cplusplus
}
#endif

#endif
