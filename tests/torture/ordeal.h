#ifndef PAVANE_TESTS_TORTURE_ORDEAL_H
#define PAVANE_TESTS_TORTURE_ORDEAL_H

#include "torture/faulty.h"
#include "torture/portrait.h"

/* A crawl of a small site on a disk that fails once, or from then on, and what
 * becomes of it.
 *
 *	struct ordeal ordeal;
 *	ordeal_open(&ordeal);
 *	ordeal_begin(&ordeal, &ordeal_kinds[0]);
 *	... ordeal.calls: how many calls of each sort there are to fail ...
 *	struct ordeal_end end;
 *	ordeal_suffer(&ordeal, "write 17 ENOSPC", &end);
 *	... what is wrong stands in end.faults ...
 *	ordeal_end_finish(&end);
 *	ordeal_close(&ordeal);
 *
 * What is claimed of each: the program ends by itself, with 0 or 1 and in that
 * case a sentence; each file that stands then is one that was served; called
 * again it finishes, and state, journal, report of changes and files are those
 * of a crawl that nothing happened to; nothing that was settled is asked for
 * again, nothing else more than once a run; no host is asked sooner than its
 * delay, over all runs, nor blamed for what it did not do; the audit finds
 * every promise kept.
 */
struct ordeal_kind {
	const char *name;
	const char *below;            /* what fails, in the home */
	const char *const *arguments; /* of the run that suffers */
	bool is_killed;               /* one before it, in the midst */
	bool is_update;               /* of a finished one */
	bool is_never_ended;          /* whatever fails, it goes on */
};

#define ORDEAL_KINDS 4
extern const struct ordeal_kind ordeal_kinds[ORDEAL_KINDS];

struct ordeal {
	struct home home;
	struct faulty faulty;
	struct server *server;
	uint16_t port;
	bool is_later; /* some pages are gone */
	const struct ordeal_kind *kind;
	uint64_t calls[FAULT_SORT_COUNT];
	uint64_t changes; /* of a whole crawl */
	struct portrait wanted;
	struct lines digests; /* "FILE DIGEST" */
	int64_t took_ms;
	unsigned descriptors; /* of the run that suffers; 0 for enough */
	unsigned file_bytes;  /* how large its files may get; 0 for any */
};

/* False, with a line for whoever runs the test, if it cannot be had. */
bool ordeal_open(struct ordeal *ordeal);
void ordeal_close(struct ordeal *ordeal);

/* Makes what that kind begins with, and lets it go undisturbed. False, with
 * what it said, if that does not finish. */
bool ordeal_begin(struct ordeal *ordeal, const struct ordeal_kind *kind);

struct ordeal_end {
	int status; /* -1: killed, -2: not ended */
	int64_t took_ms;
	bool is_struck;
	struct pv_buf said;   /* on standard error */
	struct pv_buf faults; /* a line each */
};

/* The plan is that of a fault (fault.h), or "descriptors 23" for a program that
 * may have no more than those, or "bytes 1000" for one whose files may be no
 * larger. */
void ordeal_suffer(
    struct ordeal *ordeal, const char *plan, struct ordeal_end *end);
void ordeal_end_finish(struct ordeal_end *end);

#endif
