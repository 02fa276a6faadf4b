#ifndef PAVANE_FLEET_BEATS_BEATS_H
#define PAVANE_FLEET_BEATS_BEATS_H

#include <uv.h>

#include "base/lease.h"
#include "fleet/beats/clock_events.h"
#include "fleet/beats/members.h"
#include "fleet/line/line.h"
#include "fleet/shares/usage.h"

/* The beats of a worker: how it stays one of the fleet, and sees to it that others
 * who are none any more leave theirs to those that live.
 *
 * Three times in each ttl, and more often while shares change hands, it raises the
 * beat of its own row and reads those of the others. That renews its lease, from
 * before the beat was sent; tells it by which share it may ask
 * (fleet/shares/share.h); and tells it who has not beaten for a whole ttl
 * (fleet/beats/members.h): those it reaps (fleet/beats/reaping.h).
 *
 * A worker whose own row is marked so drops its lease at once. So it does when
 * another server has taken the place of the old one, which may have forgotten what
 * was said last.
 *
 * It has a line of its own, so that what the worker passes on may wait for a lock
 * while its lease is renewed. For the same reason no beat waits long behind what the
 * beats themselves ask: one at a time is reaped, and who would have to wait for a
 * lock tries again after the next beat.
 *
 * It belongs to the thread of its loop. Its line's owner tells it when the line is
 * up or down.
 */
struct pv_rate;

#define PV_FLEET_TTL_MS INT64_C(30000)

/* How far a worker is: what others see of it, for people, and what it may need of
 * the crawl's limits. */
struct pv_fleet_figures {
	int64_t clocks;
	int64_t pages;  /* it counts them by itself, for the limits: from
			  whatever number on ... */
	int64_t bytes;  /* ... and bytes of bodies */
	int64_t begun;  /* requests in flight, each of which may bring a page */
	bool is_due;    /* a request is, or is soon */
	bool is_halted; /* it asks for nothing until its disk has room, or there
			   is a share for it */
	bool is_drained; /* nothing is in flight, or to be reported */
	int64_t requests;
	int64_t unsent; /* reports that are not passed on yet */
};

/* What was said of the crawl; the text is borrowed for the call. */
struct pv_fleet_news {
	bool is_finished;
	int64_t wish_number;
	struct pv_str wish;
	size_t workers; /* that live, this one as well */
};

struct pv_fleet_beats_options {
	uv_loop_t *loop;
	struct pv_fleet_line *line; /* outlives it; its statements are the first
				       PV_SAY_BEATS_COUNT of
				       fleet/tables/statements.h, or all */
	struct pv_fleet_line *long_line; /* the same with all of them, for what
					    may take longer than a beat */
	int64_t crawl;
	int64_t worker;
	int64_t ttl_ms;              /* 0: PV_FLEET_TTL_MS; the same for all */
	const struct pv_rate *whole; /* of the crawl; outlives it */
	struct pv_lease *lease;      /* the caller's; outlives it */
	struct pv_clock_events *events; /* the same; NULL: none are written */

	/* Fills in the figures. NULL: there are none. */
	void (*on_figures)(void *ctx, struct pv_fleet_figures *figures);

	/* From now on it may use that much, which is nothing at first, and is said
	 * once more before the lease first holds; whether nothing beyond it is under way.
	 * Before each beat it is asked again until that is so. */
	bool (*use)(void *ctx, const struct pv_fleet_part *part);

	/* Whoever gets one of these three may stop the beats within it. */
	void (*on_news)(void *ctx, const struct pv_fleet_news *news);

	/* The lease is over, and its clocks are others': it was reaped, or
	 * (`is_failover`) another server may have forgotten what it was told. It
	 * beats no more. */
	void (*on_lost)(void *ctx, bool is_failover);

	/* Another worker was reaped by this one. NULL for nobody. */
	void (*on_reaped)(void *ctx, int64_t worker);

	/* PostgreSQL refused what it was told. */
	void (*on_refusal)(void *ctx, const struct pv_fleet_answer *answer);
	void *ctx;
};

struct pv_fleet_beats {
	struct pv_fleet_beats_options options;
	uv_timer_t timer;
	struct pv_fleet_members members;
	int64_t timeline; /* 0: not known yet */
	int64_t sent_ms;  /* the beat that is under way */
	bool has_lease;   /* or had one */
	bool is_beating;  /* one is ... */
	bool is_hurried;  /* ... and another one is to follow at once */
	bool is_growing;  /* it asks for a larger share ... */
	bool has_beaten;  /* ... and has written the old one meanwhile */
	bool has_rested;  /* for want of work it gave up its share */
	bool has_called;  /* others, since it waits for a share */
	bool was_halted;  /* as it has told the others ... */
	bool is_short;    /* ... though there is a share for it: of disk */
	bool is_reaping;  /* one of the others ... */
	int64_t reaped;   /* ... the last one tried after a beat */
	bool is_over;     /* it was lost, or stopped */

	struct pv_fleet_share written; /* as others see it */
	struct pv_fleet_share used;    /* no more than that */
	struct pv_fleet_share wanted;  /* while it is growing */
	int64_t changed_ms;            /* when it began to use less */
	struct pv_share_usage usage;   /* of that */
};

/* It holds no lease and no share until the first beat was answered. */
void pv_fleet_beats_init(
    struct pv_fleet_beats *beats, const struct pv_fleet_beats_options *options);

/* The line is up: it beats at once. */
void pv_fleet_beats_up(
    struct pv_fleet_beats *beats, const struct pv_fleet_server *server);
void pv_fleet_beats_down(struct pv_fleet_beats *beats);

/* The worker is connected to that server, by whichever line. */
void pv_fleet_beats_see_server(
    struct pv_fleet_beats *beats, const struct pv_fleet_server *server);

/* How long it is from one to the next. */
int64_t pv_fleet_beats_interval_ms(const struct pv_fleet_beats *beats);

/* Beats at once, or soon after the last one: somebody has come or gone, or there is
 * something to do again. */
void pv_fleet_beats_hurry(struct pv_fleet_beats *beats);

/* The next one comes soon, while shares change hands. */
void pv_fleet_beats_sooner(struct pv_fleet_beats *beats);

/* Beats no more; the lease holds as long as it does. Nothing is called from then
 * on. After the line was closed, or before; its memory is the caller's again when
 * the loop has run the closing callback of its timer. */
void pv_fleet_beats_stop(struct pv_fleet_beats *beats);

/* The first step of what may have to wait for others while the next beat waits behind
 * it: the value of PV_SAY_PATIENCE, whose text is the caller's to finish. */
struct pv_fleet_value pv_fleet_beats_patience(
    const struct pv_fleet_beats *beats, struct pv_buf *text);

/* Memory. After it was stopped and the line was closed. */
void pv_fleet_beats_finish(struct pv_fleet_beats *beats);

#endif
