#include "crawl/control/mailbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/system.h"
#include "base/utf8.h"

/* Commands */

struct pv_command *pv_command_create(enum pv_command_kind kind)
{
	struct pv_command *command = pv_alloc(sizeof(*command));
	*command = (struct pv_command){
	    .kind = kind,
	    .reply.size = sizeof(command->reply),
	    .host.size = sizeof(command->host),
	};
	pv_buf_init(&command->text, SIZE_MAX);
	pv_buf_init(&command->more, SIZE_MAX);
	return command;
}

void pv_command_destroy(struct pv_command *command)
{
	if (!command)
		return;
	pv_buf_finish(&command->text);
	pv_buf_finish(&command->more);
	free(command);
}

static void copy(char *room, size_t size, const char *text)
{
	struct pv_str head = pv_utf8_head(pv_str_of(text), size - 1);
	memcpy(room, pv_str_bytes(head), head.len);
	room[head.len] = '\0';
}

void pv_command_say(struct pv_command *command, enum pavane_answer answer,
    const char *word, const char *sentence)
{
	struct pavane_reply *reply = &command->reply;
	reply->answer = answer;
	copy(reply->word, sizeof(reply->word), word);
	copy(reply->sentence, sizeof(reply->sentence), sentence);
}

/* The box */

void pv_mailbox_init(
    struct pv_mailbox *mailbox, void (*wake)(void *ctx), void *wake_ctx)
{
	pthread_condattr_t by_monotonic;
	*mailbox = (struct pv_mailbox){
	    .wake = wake,
	    .wake_ctx = wake_ctx,
	    .has_loop = true,
	    .loop = pthread_self(),
	};
	mailbox->end = &mailbox->first;
	pthread_mutex_init(&mailbox->mutex, NULL);
	pthread_condattr_init(&by_monotonic);
	pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&mailbox->changed, &by_monotonic);
	pthread_condattr_destroy(&by_monotonic);
}

void pv_mailbox_finish(struct pv_mailbox *mailbox)
{
	pthread_mutex_lock(&mailbox->mutex);
	while (mailbox->waiting)
		pthread_cond_wait(&mailbox->changed, &mailbox->mutex);
	pthread_mutex_unlock(&mailbox->mutex);
	pthread_cond_destroy(&mailbox->changed);
	pthread_mutex_destroy(&mailbox->mutex);
}

void pv_mailbox_enter(struct pv_mailbox *mailbox, pthread_t writer)
{
	pthread_mutex_lock(&mailbox->mutex);
	mailbox->has_loop = true;
	mailbox->loop = pthread_self();
	mailbox->has_writer = true;
	mailbox->writer = writer;
	pthread_mutex_unlock(&mailbox->mutex);
}

void pv_mailbox_hand_over(struct pv_mailbox *mailbox)
{
	pthread_mutex_lock(&mailbox->mutex);
	mailbox->has_loop = false;
	pthread_mutex_unlock(&mailbox->mutex);
}

/* Sending. The mutex is held in what follows, but where it is said. */

static bool may_wait(const struct pv_mailbox *mailbox)
{
	pthread_t self = pthread_self();
	return !(mailbox->has_loop && pthread_equal(mailbox->loop, self)) &&
	       !(mailbox->has_writer && pthread_equal(mailbox->writer, self));
}

/* Until when a wait lasts, of which the time is told by the same clock. */
static struct timespec deadline_of(int wait_ms)
{
	int64_t until_ms = pv_time_now().monotonic_ms + wait_ms;
	return (struct timespec){
	    .tv_sec = (time_t)(until_ms / 1000),
	    .tv_nsec = (long)(until_ms % 1000) * 1000000,
	};
}

/* False when the time is over. */
static bool wait_once(
    struct pv_mailbox *mailbox, int wait_ms, const struct timespec *until)
{
	int error;
	mailbox->waiting++;
	if (wait_ms < 0)
		error = pthread_cond_wait(&mailbox->changed, &mailbox->mutex);
	else
		error = pthread_cond_timedwait(
		    &mailbox->changed, &mailbox->mutex, until);
	mailbox->waiting--;
	if (mailbox->is_closed)
		pthread_cond_broadcast(&mailbox->changed);
	return !error;
}

static bool is_full(const struct pv_mailbox *mailbox)
{
	return !mailbox->is_closed && (mailbox->count >= PV_MAILBOX_MAX ||
					  mailbox->bytes >= PV_MAILBOX_BYTES);
}

static size_t bytes_of(const struct pv_command *command)
{
	return command->text.len + command->more.len;
}

/* Whether it is in the box now; if not it has its answer. */
static bool push(struct pv_mailbox *mailbox, struct pv_command *command)
{
	if (mailbox->is_closed) {
		pv_command_say(command, PAVANE_OVER, "", mailbox->over);
		return false;
	}
	if (is_full(mailbox)) {
		pv_command_say(command, PAVANE_FULL, "",
		    "so many commands wait that there is no room for another");
		return false;
	}
	*mailbox->end = command;
	mailbox->end = &command->next;
	mailbox->count++;
	mailbox->bytes += bytes_of(command);
	return true;
}

/* Not under the mutex: what has been answered is the sender's again. */
static enum pavane_answer give_back(
    struct pv_command *command, const struct pv_mailbox_wait *wait)
{
	enum pavane_answer answer = command->reply.answer;
	if (wait->reply) {
		*wait->reply = command->reply;
		wait->reply->address = NULL; /* it was the loop's */
	}
	if (wait->host)
		*wait->host = command->host;
	pv_command_destroy(command);
	return answer;
}

enum pavane_answer pv_mailbox_send(struct pv_mailbox *mailbox,
    struct pv_command *command, const struct pv_mailbox_wait *wait)
{
	struct timespec until = deadline_of(wait->ms < 0 ? 0 : wait->ms);
	bool is_pushed, goes_on;
	pthread_mutex_lock(&mailbox->mutex);
	goes_on = wait->ms && may_wait(mailbox);
	command->is_awaited = goes_on;
	while (goes_on && is_full(mailbox))
		goes_on = wait_once(mailbox, wait->ms, &until);
	is_pushed = push(mailbox, command);
	if (is_pushed && !mailbox->first->next)
		mailbox->wake(mailbox->wake_ctx);
	while (is_pushed && goes_on && !command->is_answered &&
	       !mailbox->is_abandoned)
		goes_on = wait_once(mailbox, wait->ms, &until);
	command->is_awaited = is_pushed && command->is_answered;
	bool is_late = is_pushed && !command->is_answered;
	pthread_mutex_unlock(&mailbox->mutex);
	return is_late ? PAVANE_LATE : give_back(command, wait);
}

/* Receiving */

const struct pv_command *pv_mailbox_get(struct pv_mailbox *mailbox)
{
	pthread_mutex_lock(&mailbox->mutex);
	const struct pv_command *command = mailbox->first;
	pthread_mutex_unlock(&mailbox->mutex);
	return command;
}

static struct pv_command *take_first(struct pv_mailbox *mailbox)
{
	struct pv_command *command = mailbox->first;
	if (!command)
		return NULL;
	mailbox->first = command->next;
	if (!mailbox->first)
		mailbox->end = &mailbox->first;
	mailbox->count--;
	mailbox->bytes -= bytes_of(command);
	command->next = NULL;
	return command;
}

struct pv_command *pv_mailbox_take(struct pv_mailbox *mailbox)
{
	pthread_mutex_lock(&mailbox->mutex);
	bool was_full = is_full(mailbox);
	struct pv_command *command = take_first(mailbox);
	if (was_full && !is_full(mailbox))
		pthread_cond_broadcast(&mailbox->changed);
	pthread_mutex_unlock(&mailbox->mutex);
	return command;
}

/* One that nobody waits for is told without the mutex: the program may give
 * further commands. */
void pv_mailbox_answer(struct pv_mailbox *mailbox, struct pv_command *command)
{
	pthread_mutex_lock(&mailbox->mutex);
	bool is_awaited = command->is_awaited;
	command->is_answered = true;
	if (is_awaited)
		pthread_cond_broadcast(&mailbox->changed);
	pthread_mutex_unlock(&mailbox->mutex);
	if (is_awaited)
		return;
	if (command->kind == PV_COMMAND_LOOK_HOST &&
	    command->reply.answer == PAVANE_YES)
		command->reply.host = &command->host;
	if (command->on_reply)
		command->on_reply(command->ctx, &command->reply);
	pv_command_destroy(command);
}

void pv_mailbox_close(struct pv_mailbox *mailbox, const char *why)
{
	struct pv_command *command;
	pthread_mutex_lock(&mailbox->mutex);
	if (!mailbox->is_closed)
		copy(mailbox->over, sizeof(mailbox->over), why);
	mailbox->is_closed = true;
	pthread_cond_broadcast(&mailbox->changed);
	pthread_mutex_unlock(&mailbox->mutex);
	while ((command = pv_mailbox_take(mailbox))) {
		pv_command_say(command, PAVANE_OVER, "", mailbox->over);
		pv_mailbox_answer(mailbox, command);
	}
}

void pv_mailbox_abandon(struct pv_mailbox *mailbox, const char *why)
{
	pv_mailbox_close(mailbox, why);
	pthread_mutex_lock(&mailbox->mutex);
	mailbox->is_abandoned = true;
	pthread_cond_broadcast(&mailbox->changed);
	pthread_mutex_unlock(&mailbox->mutex);
}
