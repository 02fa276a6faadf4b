#ifndef PAVANE_CRAWL_CONTROL_MAILBOX_H
#define PAVANE_CRAWL_CONTROL_MAILBOX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pavane/command.h"

/* Commands on their way to the loop, and their answers on the way back
 * (pavane/command.h).
 *
 * Any thread sends; the loop, which is woken by each that it might sleep
 * through, takes them in their order and answers each once. Who sends may wait
 * for the answer, but neither the loop's thread nor the writer's: on those a
 * wait could never end. When the box is closed all that is in it is answered,
 * and so is each that comes later, at once.
 */
#define PV_MAILBOX_MAX 1000
#define PV_MAILBOX_BYTES ((size_t)4 << 20) /* of texts, about */

enum pv_command_kind {
	PV_COMMAND_ADD,
	PV_COMMAND_PAUSE,
	PV_COMMAND_RESUME,
	PV_COMMAND_SET,
	PV_COMMAND_LOOK_HOST,
	PV_COMMAND_FINISH,
};

struct pv_command {
	struct pv_command *next;
	enum pv_command_kind kind;
	struct pv_buf text; /* an address, a host (empty: the whole crawl), or
			       assignments, each with a NUL behind it */
	struct pv_buf more; /* a tag; why a host is paused */
	size_t count;       /* of assignments */
	uint32_t depth;
	bool asks_anew; /* of an address: also if it was answered */
	int64_t until_wall_ms;
	void (*on_reply)(void *ctx, const struct pavane_reply *reply);
	void *ctx;

	/* the answer */
	struct pavane_reply reply;
	struct pavane_host_look host; /* of one that is looked for */

	/* the mailbox's */
	bool is_awaited;
	bool is_answered;
};

struct pv_mailbox {
	pthread_mutex_t mutex;
	pthread_cond_t changed; /* an answer or room is there */
	struct pv_command *first;
	struct pv_command **end;
	size_t count;
	size_t bytes;
	size_t waiting; /* threads */
	bool is_closed;
	bool is_abandoned; /* nobody waits any more */
	char over[sizeof(((struct pavane_reply *)0)->sentence)]; /* why */
	bool has_loop;
	pthread_t loop;
	bool has_writer;
	pthread_t writer;
	void (*wake)(void *ctx);
	void *wake_ctx;
};

struct pv_command *pv_command_create(enum pv_command_kind kind);
void pv_command_destroy(struct pv_command *command);

/* What is answered; the word and the sentence are cut to their room. */
void pv_command_say(struct pv_command *command, enum pavane_answer answer,
    const char *word, const char *sentence);

/* Whoever opens it is taken for the loop's thread, until another is said to
 * be. */
void pv_mailbox_init(
    struct pv_mailbox *mailbox, void (*wake)(void *ctx), void *wake_ctx);

/* Waits until all who wait have gone. It must be closed. */
void pv_mailbox_finish(struct pv_mailbox *mailbox);

/* The calling thread is the loop's now, and that one the writer's; or which the
 * loop's will be is not known yet. */
void pv_mailbox_enter(struct pv_mailbox *mailbox, pthread_t writer);
void pv_mailbox_hand_over(struct pv_mailbox *mailbox);

/* Gives a command, and waits for its answer up to so long (negative: as long as
 * it takes), and for room before. PAVANE_LATE: on_reply is called on the
 * loop's thread; all else was copied to `reply`, and the looked for host to
 * `host`, where they are not NULL. */
struct pv_mailbox_wait {
	int ms;
	struct pavane_reply *reply;
	struct pavane_host_look *host;
};

enum pavane_answer pv_mailbox_send(struct pv_mailbox *mailbox,
    struct pv_command *command, const struct pv_mailbox_wait *wait);

/* The first command; it stays there. NULL for none. */
const struct pv_command *pv_mailbox_get(struct pv_mailbox *mailbox);

/* The same, which is the caller's to answer. */
struct pv_command *pv_mailbox_take(struct pv_mailbox *mailbox);

/* Gives a command back, with what was said of it. */
void pv_mailbox_answer(struct pv_mailbox *mailbox, struct pv_command *command);

/* No command is carried out from now on; `why` is a sentence. */
void pv_mailbox_close(struct pv_mailbox *mailbox, const char *why);

/* The same, and the loop turns no more: who waits for a command that was taken
 * goes on without its answer. */
void pv_mailbox_abandon(struct pv_mailbox *mailbox, const char *why);

#endif
