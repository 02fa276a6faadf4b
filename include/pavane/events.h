#ifndef PAVANE_EVENTS_H
#define PAVANE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/page.h"

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

struct pavane_host_look;

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

	/* loop. What a host waits for, or until when, is not what was told of it
	 * last: that may be with each of its requests. What lasts for less than
	 * progress_ms (crawl.h) may pass without a call. A host that the crawl
	 * does not hold any more, since it has nothing left or others have
	 * their turn, waits for nothing and is not is_held (command.h). At the
	 * end of the crawl hosts are not told of. */
	void (*on_host)(
	    void *ctx, const char *host, const struct pavane_host_look *look);
};

#ifdef __cplusplus
}
#endif

#endif
