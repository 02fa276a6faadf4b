#ifndef PAVANE_EVENTS_H
#define PAVANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a program hears of its crawl while that runs, and where it has a say.
 *
 * All functions are optional. Each says on which thread it is called: "pool" is
 * one of several threads at once, "writer" is the one that writes the state,
 * "loop" the one that runs or steps the crawl. Texts are borrowed for the call.
 * A callback that takes long holds the crawl back, and nothing else: what is
 * known by then is kept on the disk, not in memory. Any of them may call
 * pavane_crawl_stop and other functions that say "from any thread"; none of them
 * may close the crawl. */

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

struct pavane_events {
	size_t size; /* sizeof(struct pavane_events) */

	/* pool. An address was found that may be new. What is answered must
	 * depend on the arguments alone: the same address is found on many
	 * pages, in no certain order, and again after a restart or with another
	 * policy; by anything else, what a crawl fetches would depend on chance.
	 * Seeds are not asked for. */
	enum pavane_choice (*on_link)(void *ctx, const struct pavane_link *link,
	    struct pavane_refusal *refusal);
};

#ifdef __cplusplus
}
#endif

#endif
