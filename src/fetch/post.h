#ifndef PAVANE_FETCH_POST_H
#define PAVANE_FETCH_POST_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "loop/wakeup.h"

/* Notes from one thread to the loop of another, in their order.
 *
 * A note is part of what it is about, so that sending one allocates nothing; it
 * is the receiver's from when it is handed on until it has been received, and
 * its owner may do with what it is about as the note's kind says. Notes are
 * gathered and handed on together, by waking the loop once for all.
 */
struct pv_note {
	struct pv_note *next;
	unsigned kind;
	void *about;
};

struct pv_note_line {
	struct pv_note *first;
	struct pv_note **end;
};

typedef void (*pv_post_fn)(void *ctx, const struct pv_note *note);

struct pv_post {
	struct pv_note_line gathered; /* the sender's */
	pthread_mutex_t mutex;
	struct pv_note_line there; /* under the mutex */
	struct pv_wakeup wakeup;   /* on the receiver's loop */
	struct pv_note_line taken; /* the receiver's */
	size_t at_once;            /* so many are received in a turn */
	pv_post_fn on_note;
	void *ctx;
};

/* The receiver's loop calls on_note from now on, for so many notes in a turn at
 * most; false if the loop cannot be woken. */
bool pv_post_open(struct pv_post *post, uv_loop_t *loop, size_t at_once);
void pv_post_set_receiver(struct pv_post *post, pv_post_fn on_note, void *ctx);

/* By the receiver: nothing more is received. */
void pv_post_deafen(struct pv_post *post);

/* When nobody sends any more; its memory goes when the loop has
 * run its closing callbacks. Fine for one that could not be opened. */
void pv_post_close(struct pv_post *post);

/* Whether it keeps the receiver's loop running. */
void pv_post_keep_awake(struct pv_post *post, bool is_awake);

void pv_post_add(struct pv_post *post, struct pv_note *note);
void pv_post_hand_on(struct pv_post *post);

/* Receives what is there, without waiting to be woken. */
void pv_post_receive(struct pv_post *post);

#endif
