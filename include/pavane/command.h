#ifndef PAVANE_COMMAND_H
#define PAVANE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/crawl.h"

/* Commands to a crawl that is open in this process, from any thread.
 *
 * A command goes into the crawl's mailbox. The thread that runs or steps the
 * crawl carries the commands out, one after the other in the order in which they
 * came, and nobody blocks it by giving one. What a command says is on the disk
 * when it is answered. Those that come before the crawl is started are carried
 * out when it starts.
 *
 * From when a crawl begins to end, by itself or by pavane_crawl_stop, the answer
 * to a command is PAVANE_OVER, and so it is to those that are left in the mailbox
 * then, or when the crawl is closed: each is answered once. As any function of
 * this library, none of these may be called for a crawl that was closed; a call
 * that waits ends when another thread closes it. */

#ifdef __cplusplus
extern "C" {
#endif

/* How one host is. Texts are the library's and stay. */
struct pavane_host_look {
	size_t size;

	/* What it waits for: a word such as "delay", and the end of a sentence
	 * that begins "it waits ..."; "" where it waits for nothing. */
	const char *waits_for;
	const char *waits_why;
	int64_t wait_ms;      /* so long; negative: until something happens */
	int64_t until_ms;     /* when that ends, since 1970; 0 likewise */
	int64_t delay_ms;     /* between two of its requests, if nothing goes
				   wrong; negative: unknown */
	uint32_t failures;    /* in a row */
	uint32_t in_flight;   /* requests, robots.txt included */
	uint64_t queued;      /* addresses of it that are in memory */
	uint64_t pages;       /* requests that were answered, in all runs */
	uint64_t bytes;       /* that they had */
	const char *robots;   /* the state of its robots.txt, of several the
				   one that was needed last: "unknown",
				   "asking", "open" (none, or without rules),
				   "rules", "closed" (it cannot be fetched, and
				   the host waits) or "lost" */
	const char *given_up; /* why nothing is requested of it any more, in
				   words; "" where it is not given up */
	bool is_held;         /* it is in memory, being crawled; if not, what
				   is only known there is 0 or "" */
	bool is_paused;       /* by itself */
	int64_t paused_until_ms; /* since 1970; INT64_MAX: until it is
				    resumed; 0: it is not paused */
};

/* What came of a command. */
struct pavane_reply {
	size_t size;
	enum pavane_answer answer;
	char word[48];      /* why PAVANE_NO: of an address a reason such as
			       "robots", or "known"; "" for none */
	char sentence[320]; /* for people; "" where there is nothing to say */

	/* Of pavane_crawl_look_host alone, for the call of on_reply. */
	const struct pavane_host_look *host;

	/* Of pavane_crawl_add and pavane_crawl_ask, for the call of on_reply: the
	 * address as the crawl knows it and its journal has it. NULL where it is
	 * none. */
	const char *address;
};

/* How the answer is to come. Where no `asking` is given, the command is carried
 * out and nobody hears of it. */
struct pavane_asking {
	size_t size;

	/* How long the call waits for the answer: 0 not at all, negative as long
	 * as it takes. A wait would never end on the thread that runs the crawl
	 * or writes its state (events.h), or in a callback there: it is none
	 * then, and the call returns at once. Threads of the pool may wait,
	 * which holds the crawl back as any slow callback does. */
	int wait_ms;

	/* Filled if the call returned anything else than PAVANE_LATE; its size
	 * is set. NULL for none. */
	struct pavane_reply *reply;

	/* loop, or the thread that closes the crawl. Called once if, and only
	 * if, the call has returned PAVANE_LATE; it may give further commands.
	 * NULL for none. */
	void (*on_reply)(void *ctx, const struct pavane_reply *reply);
	void *ctx;
};

/* All of them return
 *
 *	PAVANE_YES    it is done, and on the disk
 *	PAVANE_NO     nothing has changed: it was so already, or it is refused
 *	PAVANE_WRONG  what was given makes no sense; the sentence says what; or the
 *	              size of `asking` is not set
 *	PAVANE_UNREADABLE  the crawl's directory cannot be read or written
 *	PAVANE_LATE   it is not carried out yet, and will be
 *	PAVANE_FULL   the mailbox has no room: nothing was done; try again later
 *	PAVANE_OVER   the crawl is ending, or has ended: nothing was done
 *
 * and may learn to return more. The mailbox holds 1000 commands, or 4 MiB of
 * them; who may wait waits for room in it as well. */

/* Adds an address, as a seed if depth is 0, and else as if it had been found so
 * many links away from a seed: robots.txt, never.txt, the scope, limits and
 * traps hold for it as for those. An address that is added as a seed widens what
 * is in scope as the policy's seeds do, and both hold over restarts. `tag` is the
 * tag of all that follows from it; NULL for none. User names and passwords only
 * the policy's seeds may have, and what its fetch.headers says in confidence
 * goes to their hosts alone.
 *
 * PAVANE_YES: it is new, or was refused before and is admitted now. PAVANE_NO: it
 * is known already (the word is "known"), or limits.known leaves no room for it
 * ("known-limit"), or it is refused, by that word. Where its host's robots.txt is
 * not known yet, that refuses it later: events.h, on_refused. As with the policy's seeds, a crawl ends as PAVANE_NOT_BEGUN if one
 * could not be fetched. Whoever adds more than the disk can take is held back. */
PAVANE_API enum pavane_answer pavane_crawl_add(struct pavane_crawl *crawl,
    const char *address, const char *tag, uint32_t depth,
    const struct pavane_asking *asking);

/* The same as a seed, but an address that was answered before is asked for once
 * more: a round of its own, whose line of the journal says so ("round"). So is one
 * that its host's robots.txt refused. One that waits to be asked for, or is being,
 * is asked for once: PAVANE_NO, and the word is "known". */
PAVANE_API enum pavane_answer pavane_crawl_ask(struct pavane_crawl *crawl,
    const char *address, const char *tag, const struct pavane_asking *asking);

/* Pauses the crawl: nothing new is requested, what is in flight ends, and the
 * crawl stays open. Ends that pause: of the whole crawl (NULL), or of one host.
 * Both are in the directory, where `pavane pause` and `pavane resume` have
 * theirs, and hold over restarts. */
PAVANE_API enum pavane_answer pavane_crawl_pause(
    struct pavane_crawl *crawl, const struct pavane_asking *asking);
PAVANE_API enum pavane_answer pavane_crawl_resume(struct pavane_crawl *crawl,
    const char *host, const struct pavane_asking *asking);

/* Pauses a host alone, with all its ports: until then, in milliseconds since
 * 1970; 0 is until it is resumed. `why` is shown with the pause, at most 200
 * bytes of it; NULL for no reason. PAVANE_WRONG if it is no host of this
 * crawl. */
PAVANE_API enum pavane_answer pavane_crawl_pause_host(
    struct pavane_crawl *crawl, const char *host, int64_t until_ms,
    const char *why, const struct pavane_asking *asking);

/* Sets keys of the policy, each "KEY=VALUE", or takes one back, "KEY=", all of
 * them or none, as pavane_order_set does: once it is answered by PAVANE_YES the
 * crawl ends what is in flight, pavane_crawl_has_changed is true, and the program
 * opens it again at once (pavane_crawl_reopen). Until then further commands are
 * answered by PAVANE_OVER. */
PAVANE_API enum pavane_answer pavane_crawl_set(struct pavane_crawl *crawl,
    const char *const *assignments, size_t count,
    const struct pavane_asking *asking);

/* How a host is. `look`, of which the size is set, is filled where the call
 * returns PAVANE_YES; it may be NULL for who gets it by on_reply. PAVANE_NO if it
 * is no host of this crawl. */
PAVANE_API enum pavane_answer pavane_crawl_look_host(struct pavane_crawl *crawl,
    const char *host, struct pavane_host_look *look,
    const struct pavane_asking *asking);

/* A crawl that stays open (pavane_crawl_options.stays_open) may end from now on
 * when nothing is left to do; one that is opened again does as its options say.
 * PAVANE_NO if it may anyhow. */
PAVANE_API enum pavane_answer pavane_crawl_finish(
    struct pavane_crawl *crawl, const struct pavane_asking *asking);

#ifdef __cplusplus
}
#endif

#endif
