#ifndef PAVANE_MIRROR_H
#define PAVANE_MIRROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

/* A mirror: link it, look things up in it, check its links. */

#ifdef __cplusplus
extern "C" {
#endif

struct pavane_relink_options {
	size_t size;
	const char *directory;        /* of a crawl that does not run */
	bool (*is_enough)(void *ctx); /* whether to end before the end; asked
					 for each document, by any thread, but
					 by one at a time; NULL: no */
	pavane_line_fn on_line;
	void *ctx;
};

struct pavane_relinked {
	size_t size;
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

/* Finds the file of an address in a mirror, and the address of a file. */
struct pavane_places;

/* By the state of the crawl in that directory, running or not, as it is now.
 * NULL, with the reason given to on_line (NULL for nobody), if it cannot be
 * read. The directory's name outlives them. */
PAVANE_API struct pavane_places *pavane_places_open(
    const char *directory, pavane_line_fn on_line, void *ctx);
PAVANE_API void pavane_places_close(struct pavane_places *places);

struct pavane_place_options {
	size_t size;
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
	PAVANE_LINKS_JSON,   /* an object on a line for each address */
	PAVANE_LINKS_CSV,    /* a line for each address and page (RFC 4180) */
	PAVANE_LINKS_VALUES, /* nothing is written: see on_broken */
};

enum pavane_links {
	PAVANE_LINKS_WHOLE,
	PAVANE_LINKS_BROKEN,  /* at least one, which is reported */
	PAVANE_LINKS_UNKNOWN, /* not all could be read: see on_line */
};

/* A link that is broken: an address that could not be fetched, and a page that
 * links to it. */
struct pavane_broken_link {
	const char *address;
	const char
	    *what;       /* a word, or the status: "404", "no-name", "robots" */
	const char *why; /* "answered 404 (not found)" */
	const char *page; /* "" for a seed */
	const char *file; /* in which that is stored, below the directory; "" */
	unsigned status;  /* of the answer that it got, such as 404; 0: none */
};

struct pavane_links_options {
	size_t size;
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

	/* With PAVANE_LINKS_VALUES: each of them, those of an address
	 * together. Texts are borrowed for the call. */
	void (*on_broken)(void *ctx, const struct pavane_broken_link *link);
};

/* A link check: writes each address of a crawl that could not be fetched, why,
 * and the pages of the mirror that link to it. */
PAVANE_API enum pavane_links pavane_links_check(
    const struct pavane_links_options *options);

#ifdef __cplusplus
}
#endif

#endif
