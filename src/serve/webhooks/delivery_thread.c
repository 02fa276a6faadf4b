#include "serve/webhooks/delivery_thread.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/system.h"
#include "loop/clock.h"
#include "loop/wakeup.h"

struct pv_delivery_thread {
	struct pv_webhooks_plan outside; /* time, chance and log */
	struct pv_webhooks *webhooks;
	uv_loop_t loop;
	struct pv_wakeup wakeup;
	struct pv_clock *clock;
	struct pv_webhook_sender *sender;
	pthread_t thread;
	bool has_wakeup;
	bool is_running;
	atomic_bool is_over;

	pthread_mutex_t mutex; /* of the next change */
	pthread_cond_t changed;
	struct pv_delivery_change next;
	struct pv_delivery_change now; /* what holds; none at first */
};

/* What the webhooks ask for */

static int64_t now_ms(void *ctx)
{
	struct pv_delivery_thread *thread = ctx;
	return thread->outside.now_ms(thread->outside.ctx);
}

static void give_chance(void *ctx, void *bytes, size_t size)
{
	struct pv_delivery_thread *thread = ctx;
	thread->outside.random(thread->outside.ctx, bytes, size);
}

static void hand_over(void *ctx, struct pv_webhook_message *message)
{
	struct pv_delivery_thread *thread = ctx;
	pv_webhook_sender_send(thread->sender, message);
}

static void log_line(
    void *ctx, enum pavane_level level, struct pv_str about, const char *line)
{
	struct pv_delivery_thread *thread = ctx;
	thread->outside.log(thread->outside.ctx, level, about, line);
}

/* On the loop */

static void give_back(const struct pv_delivery_change *change)
{
	if (change->give_back)
		change->give_back(change->owner);
}

/* The sender knows them before anything is sent to them. */
static void take_change(struct pv_delivery_thread *thread)
{
	pthread_mutex_lock(&thread->mutex);
	if (thread->next.table) {
		pv_webhook_sender_change(thread->sender, thread->next.table);
		pv_webhooks_change(thread->webhooks, thread->next.table);
		give_back(&thread->now);
		thread->now = thread->next;
		thread->next = (struct pv_delivery_change){NULL, NULL, NULL};
		pthread_cond_broadcast(&thread->changed);
	}
	pthread_mutex_unlock(&thread->mutex);
}

static void take_turn(void *ctx)
{
	struct pv_delivery_thread *thread = ctx;
	if (atomic_load(&thread->is_over)) {
		uv_stop(&thread->loop);
		return;
	}
	take_change(thread);
	int64_t wait = pv_webhooks_turn(thread->webhooks);
	pv_real_clock.wake_in(thread->clock, wait, false);
}

static void on_answer(void *ctx, struct pv_webhook_message *message,
    const struct pv_webhook_answer *answer)
{
	struct pv_delivery_thread *thread = ctx;
	pv_webhooks_on_answer(thread->webhooks, message, answer);
	pv_real_clock.wake_in(thread->clock, 0, false);
}

static void *run(void *ctx)
{
	struct pv_delivery_thread *thread = ctx;
	take_turn(thread);
	if (!atomic_load(&thread->is_over))
		uv_run(&thread->loop, UV_RUN_DEFAULT);
	return NULL;
}

/* Life */

static bool open_webhooks(struct pv_delivery_thread *thread,
    const struct pv_delivery_plan *plan, struct pv_why *why)
{
	struct pv_webhooks_plan inside = plan->webhooks;
	inside.now_ms = now_ms;
	inside.random = give_chance;
	inside.send = hand_over;
	inside.log = log_line;
	inside.ctx = thread;
	thread->webhooks = pv_webhooks_open(&inside, why);
	return thread->webhooks;
}

static bool open_wakeup(struct pv_delivery_thread *thread, struct pv_why *why)
{
	thread->has_wakeup =
	    pv_wakeup_open(&thread->wakeup, &thread->loop, take_turn, thread);
	if (!thread->has_wakeup)
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "no further file can be opened: %s", strerror(errno));
	return thread->has_wakeup;
}

static bool open_sender(struct pv_delivery_thread *thread,
    const struct pv_delivery_plan *plan, struct pv_why *why)
{
	const struct pv_webhook_sender_plan sender = {
	    .loop = &thread->loop,
	    .table = plan->webhooks.table,
	    .policy = plan->policy,
	    .on_answer = on_answer,
	    .ctx = thread,
	};
	thread->clock = pv_real_clock.create(&thread->loop, take_turn, thread);
	thread->sender = pv_webhook_sender_create(&sender, why);
	return thread->sender;
}

struct pv_delivery_thread *pv_delivery_thread_start(
    const struct pv_delivery_plan *plan, struct pv_why *why)
{
	struct pv_delivery_thread *thread = pv_alloc(sizeof(*thread));
	thread->outside = plan->webhooks;
	pthread_mutex_init(&thread->mutex, NULL);
	pthread_cond_init(&thread->changed, NULL);
	uv_loop_init(&thread->loop);
	if (open_webhooks(thread, plan, why) && open_wakeup(thread, why) &&
	    open_sender(thread, plan, why)) {
		thread->is_running = pv_thread_start(
		    &thread->thread, "pavane-hooks", run, thread);
		if (!thread->is_running)
			pv_why_add(why, (struct pv_place){0}, PV_STR(""),
			    "no further thread can be started");
	}
	if (thread->is_running)
		return thread;
	pv_delivery_thread_stop(thread);
	return NULL;
}

void pv_delivery_thread_change(
    struct pv_delivery_thread *thread, const struct pv_delivery_change *change)
{
	pthread_mutex_lock(&thread->mutex);
	thread->next = *change;
	pv_wakeup_send(&thread->wakeup);
	while (thread->next.table)
		pthread_cond_wait(&thread->changed, &thread->mutex);
	pthread_mutex_unlock(&thread->mutex);
}

void pv_delivery_thread_ring(struct pv_delivery_thread *thread)
{
	if (thread)
		pv_wakeup_send(&thread->wakeup);
}

struct pv_webhooks *pv_delivery_thread_webhooks(
    struct pv_delivery_thread *thread)
{
	return thread->webhooks;
}

void pv_delivery_thread_stop(struct pv_delivery_thread *thread)
{
	if (!thread)
		return;
	atomic_store(&thread->is_over, true);
	if (thread->is_running) {
		pv_wakeup_send(&thread->wakeup);
		pthread_join(thread->thread, NULL);
	}
	pv_webhook_sender_close(thread->sender);
	pv_real_clock.destroy(thread->clock);
	if (thread->has_wakeup)
		pv_wakeup_close(&thread->wakeup);
	uv_run(&thread->loop, UV_RUN_DEFAULT);
	uv_loop_close(&thread->loop);
	pv_webhooks_close(thread->webhooks);
	pv_webhook_sender_free(thread->sender);
	give_back(&thread->now);
	pthread_cond_destroy(&thread->changed);
	pthread_mutex_destroy(&thread->mutex);
	free(thread);
}
