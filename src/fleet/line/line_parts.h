#ifndef PAVANE_FLEET_LINE_LINE_PARTS_H
#define PAVANE_FLEET_LINE_LINE_PARTS_H

#include "fleet/line/connection.h"
#include "fleet/line/exec.h"
#include "fleet/line/greeting.h"
#include "fleet/line/pipeline.h"
#include "fleet/line/preparing.h"
#include "fleet/line/rest.h"
#include "fleet/line/targets.h"

/* What a line is made of. Its files: line.c opens and closes it and has its
 * timers; connecting.c leads it from a rest to where it is up; traffic.c is its
 * work there; falling.c is how it ends, for a while or for good. */
enum pv_fleet_state {
	PV_FLEET_UNREAD,  /* the URL */
	PV_FLEET_RESTING, /* until the timer says so */
	PV_FLEET_FINDING, /* the addresses of the hosts */
	PV_FLEET_CHOSEN,  /* a target, to be connected to in the next turn */
	PV_FLEET_CONNECTING,
	PV_FLEET_CHECKING, /* what greeting.h is about */
	PV_FLEET_CHECKED,  /* the caller's time for the schema */
	PV_FLEET_PREPARING,
	PV_FLEET_UP,
	PV_FLEET_OVER, /* refused: nothing comes any more */
	PV_FLEET_CLOSED,
};

struct pv_fleet_line {
	struct pv_fleet_line_options options;
	enum pv_fleet_state state;
	uv_timer_t
	    timer; /* a rest, the limit of a connect, a repeated request */
	uv_timer_t turn; /* at once: what must not happen within a call */
	uv_timer_cb on_timer;
	uv_timer_cb on_turn;
	unsigned open_handles;

	char *url_text;
	struct pv_fleet_url url;
	bool is_url_read;
	struct pv_fleet_targets targets;
	size_t target;   /* which of them it is at */
	char **channels; /* ended by NULL */
	size_t channel_count;

	struct pv_fleet_connection connection;
	struct pv_fleet_greeting greeting;
	struct pv_fleet_execs execs;
	struct pv_fleet_preparing preparing;
	struct pv_fleet_pipeline pipeline;
	struct pv_fleet_rest rest;

	struct pv_buf why;   /* of the last failure, safe to print */
	struct pv_buf unfit; /* why one of these servers is, if one is: the
				others' failures say less */
	bool is_to_prepare;  /* the caller is done with the schema */
	bool is_dropped;     /* by the caller: `why` is there */
	bool was_up;         /* ever */
};

/* falling.c. Each leaves the connection closed and all requests given back; the
 * reason is in line->why. */

/* It was up, or no target is left to be tried: rests, and begins anew. */
void pv_fleet_line_fall(struct pv_fleet_line *line);

/* This target is none: the next one, or a rest. */
void pv_fleet_line_fail(struct pv_fleet_line *line);

/* For good. */
void pv_fleet_line_refuse(struct pv_fleet_line *line);

/* connecting.c: from the end of a rest to where it is up. */
void pv_fleet_line_find(struct pv_fleet_line *line);
void pv_fleet_line_connect(struct pv_fleet_line *line);
void pv_fleet_line_greet(struct pv_fleet_line *line);
void pv_fleet_line_read_early(struct pv_fleet_line *line);
void pv_fleet_line_time_out(struct pv_fleet_line *line);

/* What the caller wants of the schema: the next text, or to prepare. */
void pv_fleet_line_go_on(struct pv_fleet_line *line);

/* traffic.c: while it is up. */
void pv_fleet_line_pump(struct pv_fleet_line *line);

/* The state has something to do in the next turn of the loop. */
static inline void pv_fleet_line_turn_soon(struct pv_fleet_line *line)
{
	if (line->state != PV_FLEET_CLOSED)
		uv_timer_start(&line->turn, line->on_turn, 0, 0);
}

static inline void pv_fleet_line_wake_in(
    struct pv_fleet_line *line, int64_t wait_ms)
{
	uv_timer_start(&line->timer, line->on_timer,
	    wait_ms > 0 ? (uint64_t)wait_ms : 0, 0);
}

#endif
