#ifndef PAVANE_TESTS_TORTURE_PORTRAIT_H
#define PAVANE_TESTS_TORTURE_PORTRAIT_H

#include "torture/lines.h"
#include "torture/trial.h"

/* What is known of a crawl that is finished, as lines that are the same for
 * each crawl of one site, however it came to its end. */
struct portrait {
	/* in state.db: each address with how it stands and what came of it,
	 * but how often it was tried, what it waited for, and by which page it
	 * was found first; and how many there are of each sort */
	struct lines addresses;
	struct lines counts;

	/* an address for each last line in journal.jsonl, and what is told of
	 * each in changes.jsonl */
	struct lines finals;
	struct lines depths; /* of each of them, while they are read */
	struct lines changes;

	/* addresses that came nearer to the seeds after they had been asked
	 * for: whether before that in the same update, too, is a matter of
	 * order */
	struct lines nearer;

	/* below o/site and o/gone, and what the state knows of them: "FILE ADDRESS" */
	struct lines files;
	struct lines copies;

	/* "HOST TARGET" for each request that the server saw */
	struct lines asked;

	size_t torn;   /* lines that are no JSON of ours */
	bool is_sound; /* state.db is, as SQLite finds */
};

/* To be finished. */
void portrait_take(struct portrait *portrait, struct trial *trial);
void portrait_finish(struct portrait *portrait);

/* How a request stands among `asked`. */
void portrait_write_asked(
    const struct server_record *record, struct pv_buf *line);

#endif
