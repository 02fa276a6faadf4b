#ifndef PAVANE_READING_PROGRAM_PROGRAM_H
#define PAVANE_READING_PROGRAM_PROGRAM_H

#include <pthread.h>

#include "base/buf.h"
#include "pavane/events.h"
#include "record/verdict.h"

/* The program that runs the crawl, as far as it has a say in what is read: its
 * callbacks, and the words in which it has refused addresses.
 *
 * A word has a number, which stands in the verdict as a rule's does. New words
 * are written into the state before the commit that has the first link refused
 * so (pv_program_each_new). All functions may be called in any thread.
 */
#define PV_PROGRAM_WORD_MAX 40
#define PV_PROGRAM_SENTENCE_MAX 200
#define PV_PROGRAM_WORDS_MAX 1000 /* the last stands for all further ones */

struct pv_program_word {
	char word[PV_PROGRAM_WORD_MAX + 1];
	char sentence[PV_PROGRAM_SENTENCE_MAX + 1];
};

struct pv_program {
	struct pavane_events events;
	void *ctx;
	bool has_sinks; /* to which answers are shown (pavane/sink.h) */
	pthread_mutex_t mutex;
	struct pv_program_word *words;
	size_t count;
	size_t size;
	size_t kept; /* in the state */
};

/* What the program gave, which may be of another version: it is read no further
 * than it says. NULL is a program that wants to hear nothing. */
void pv_program_init(
    struct pv_program *program, const struct pavane_events *events, void *ctx);
void pv_program_finish(struct pv_program *program);

/* A word that the state has; they come in the order of their numbers. */
void pv_program_add_kept(
    struct pv_program *program, struct pv_str word, struct pv_str sentence);

/* Calls `keep` for each word that is new since the last time, with its
 * number. */
typedef void (*pv_program_keep_fn)(
    void *ctx, unsigned number, const struct pv_program_word *word);
void pv_program_each_new(
    struct pv_program *program, pv_program_keep_fn keep, void *ctx);

/* The word of a number; false if there is none. */
bool pv_program_get(
    struct pv_program *program, unsigned number, struct pv_program_word *word);

/* Asks what is to become of a link, of which the verdict is ours. The answer is
 * the verdict then: admitted is what was refused for a reason that may be
 * overridden. */
struct pv_program_link {
	struct pv_str address;
	struct pv_str page;
	enum pavane_place place;
	uint32_t depth;
};

struct pv_verdict pv_program_ask(struct pv_program *program,
    const struct pv_program_link *link, struct pv_verdict verdict);

static inline bool pv_program_wants_links(const struct pv_program *program)
{
	return program && program->events.on_link;
}

#endif
