#ifndef PAVANE_EVENTS_H
#define PAVANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a program hears of its crawl while that runs, and where it has a say.
 *
 * All functions are optional. Each says on which thread it is called: "pool" is
 * one of several threads at once, "writer" is the one that writes the state,
 * "loop" the one that runs or steps the crawl. Texts are borrowed for the call.
 * A callback that takes long holds the crawl back, and nothing else: what is
 * known by then is kept on the disk, not in memory.
 *
 * Any of them may call functions that say "from any thread", such as
 * pavane_crawl_stop and commands (command.h); those of the loop look at the crawl
 * as well (progress, directory, has_changed). Calls that run, step, join or close
 * the crawl are refused in a callback, by their answer and a line to on_line on
 * that thread: none of them does anything. */

/* Where an address was found. */
enum pavane_place {
	PAVANE_LINK,     /* of a page to a page */
	PAVANE_RESOURCE, /* a part of a page: an image, a style sheet ... */
	PAVANE_REDIRECT,
	PAVANE_SITEMAP, /* or a feed, or robots.txt, which names sitemaps */
	PAVANE_AGAIN,   /* nowhere now: another policy has it judged again */
};

struct pavane_link {
	const char *address;
	const char *page; /* on which it was found; "" where nobody knows */
	enum pavane_place place;
	uint32_t depth; /* links from a seed */

	/* What the crawl has decided: "admitted", or the word of a reason,
	 * such as "robots", and its sentence. */
	const char *verdict;
	const char *sentence;
	bool may_be_admitted; /* it is refused, and PAVANE_ADMIT helps */
};

enum pavane_choice {
	PAVANE_AS_IT_IS,
	PAVANE_REFUSE,
	PAVANE_ADMIT, /* though the policy's scope refuses it; robots.txt,
			 never.txt, limits, traps and private addresses
			 nobody overrides: of those it changes nothing */
};

/* Why a program refuses an address: in the journal, in the state, and for
 * `pavane explain`. At most 999 of them are told apart in one crawl. */
struct pavane_refusal {
	const char *word;     /* [a-z0-9-], at most 40; NULL: "program" */
	const char *sentence; /* for people, at most 200 bytes; NULL for none */
};

/* An answer, with its content coding undone. */
struct pavane_page {
	const char *address;
	const char *via; /* where it was found; "" for a seed */
	const char *tag; /* of its seed; "" for none */
	uint32_t depth;
	uint16_t status;
	const char *type; /* what it is taken for, as a Content-Type has it; ""
			     where nobody knows */
	const char *body; /* body_len bytes, and no NUL behind them */
	size_t body_len;
	const uint8_t *sha256; /* of the body, 32 bytes; NULL without one */
	bool is_whole;         /* all of it came */
	bool is_kept;          /* it is stored, where pages are stored */
	int64_t total_ms;      /* that the request took; negative: unknown */
	uint32_t attempt;      /* from 1 */
	size_t link_count;     /* links that may be new */
	size_t row_count;      /* that its fields gave */
	const void *inside;    /* the library's */
};

/* A header of the answer, the first of that name; NULL if there is none. It
 * lives as long as the page. */
PAVANE_API const char *pavane_page_header(
    const struct pavane_page *page, const char *name, size_t *len);

/* What a program adds to a page, within on_page and on its thread: judged and
 * committed with the page, as what was read in it. It comes again when the page
 * does; what is added must depend on the page alone. False if nothing is taken:
 * pavane_page_why says why. */

/* A row, as a JSON object whose members are fields of that kind of page by their
 * names; what the policy calls them, and their types, hold for it as for what
 * fields find. The kind is one that the policy's `pages` names, with fields. All
 * rows of a page are of one kind, and stand behind those that its fields gave.
 * Refused are other kinds, what is no object, members that are no fields, a row
 * without a required field, a row more than output.fields.max_rows, and rows of
 * an answer that is not whole or not of 200 to 299. Values of one field beyond
 * that number are left out and told among the problems. Rows that are not added
 * once more when the page is updated are gone. */
PAVANE_API bool pavane_page_add_row(
    const struct pavane_page *page, const char *kind, const char *json);

/* A visit, as PAVANE_LINK or PAVANE_RESOURCE: an address, relative to the page's
 * or not. Scope, robots.txt, on_link, traps and limits judge it as a link of the
 * page, and a refusal is reported as for any (on_refused); only what asks not to
 * follow links does not count, since the program has named this one itself.
 * on_link is called for it before this returns, on the same thread.
 * Refused at once are other places, what is no web address, and a PAVANE_LINK of
 * what was requested as a part of a page. */
PAVANE_API bool pavane_page_add_link(
    const struct pavane_page *page, const char *address, enum pavane_place as);

/* Why the last row or link was refused, in a sentence; "" if it was taken. Valid
 * until the next is added. */
PAVANE_API const char *pavane_page_why(const struct pavane_page *page);

/* An address that is not requested. */
struct pavane_refused {
	const char *address;
	const char *via;    /* where it was found; "" for a seed */
	const char *reason; /* its word, such as "robots" */
	const char *sentence;
	uint32_t line; /* of robots.txt or never.txt, or the rule's number; 0:
			  none */
};

/* What was committed. */
struct pavane_committed {
	uint64_t number; /* from 1, one more each time */
	const char *address;
	bool is_final; /* no further try is to come in this round */
};

struct pavane_events {
	size_t size; /* sizeof(struct pavane_events) */

	/* pool. An address was found that may be new. What is answered must
	 * depend on the arguments alone: the same address is found on many
	 * pages, in no certain order, and again after a restart or with another
	 * policy; by anything else, what a crawl fetches would depend on chance.
	 * Seeds are not asked for. */
	enum pavane_choice (*on_link)(void *ctx, const struct pavane_link *link,
	    struct pavane_refusal *refusal);

	/* pool. An answer was read. It is not on the disk yet: it may come
	 * again, after a kill or as the next try, until on_committed has told
	 * of its address. */
	void (*on_page)(void *ctx, const struct pavane_page *page);

	/* loop. What came of an address is on the disk. What it returned from
	 * is not told again, unless the process ends within the next moments:
	 * a start first tells all that an earlier run could not be sure of. So
	 * each is told at least once, and always by the same number. */
	void (*on_committed)(
	    void *ctx, const struct pavane_committed *committed);

	/* writer. An address is refused, now or after its host was asked. That
	 * is on the disk with the next commit, and comes again if the process
	 * ends before. */
	void (*on_refused)(void *ctx, const struct pavane_refused *refused);

	/* loop. The crawl has ended; `reason` is in words, or empty. */
	void (*on_end)(void *ctx, enum pavane_end end, const char *reason);
};

#ifdef __cplusplus
}
#endif

#endif
